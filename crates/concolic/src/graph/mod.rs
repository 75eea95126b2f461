//! Inputs that are graphs of objects: what the parameters of a function are, and what their pointers lead to.
//!
//! `layout` says what objects are made up of, `unit` which functions are called, `heap` which objects there are, `contents` what
//! they hold, `parts` which may be part of others, `terms`
//! and `conditions` what variables and conditions mean there, `domains` which values they may have, `classes` which pointers lead to the same object, `shape` what graph
//! conditions ask for. How a run makes objects is in [`crate::start`], what dereferencing an input pointer decides in the
//! machine's `pointers`.

pub(crate) mod classes;
pub mod conditions;
mod contents;
mod domains;
pub(crate) mod heap;
pub mod layout;
mod parts;
pub mod shape;
pub(crate) mod terms;
pub mod unit;

use crate::input::Input;
use layout::LayoutId;
use spelunk_vm::memory::ObjectId;
use std::sync::Arc;
use unit::Unit;

/// The types of an input's objects, as far as they are of the graph.
pub fn types_of(unit: &Arc<Unit>, input: &Input) -> Vec<Option<LayoutId>> {
    let mut heap = heap::Heap::new(Arc::clone(unit));
    for param in &unit.params {
        heap.add_root(&param.name, param.layout, 0);
    }
    heap.start_at(ObjectId(0));
    heap.learn(input);
    input.objects.iter().map(|object| heap.layout_of(&object.name)).collect()
}
