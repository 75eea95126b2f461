//! Whether an input is one that a unit may be given, for those who change inputs without a solver.

use super::heap::{Heap, NodeId};
use super::layout::{Callee, Leaf, LeafKind};
use super::unit::Unit;
use crate::input::{Input, InputObject};
use std::sync::Arc;

/// Whether each value of an input is one that it may have.
pub fn is_allowed(unit: &Arc<Unit>, input: &Input) -> bool {
    let mut heap = Heap::of_input(unit, input);
    input.objects.iter().all(|object| match heap.find(&object.key) {
        Some(node) => {
            heap.pointers(node);
            has_allowed_values(&heap, node, object)
        }
        None => true,
    })
}

fn has_allowed_values(heap: &Heap, node: NodeId, object: &InputObject) -> bool {
    let layout = heap.layouts().get(heap.node(node).layout);
    let n_elements = object.bytes.len() as u32 / layout.size.max(1);
    (0..n_elements).all(|element| {
        layout.leaves.iter().all(|leaf| is_allowed_value(heap, node, object, leaf, element * layout.size + leaf.offset))
    })
}

fn is_allowed_value(heap: &Heap, node: NodeId, object: &InputObject, leaf: &Leaf, offset: u32) -> bool {
    let Some(bytes) = object.bytes.get(offset as usize..(offset + leaf.n_bytes) as usize) else { return true };
    let value = bytes.iter().rev().fold(0, |high, &byte| high << 8 | u64::from(byte));
    let is_reference = object.references.iter().any(|reference| reference.offset == offset);
    let is = |known: &u64| spelunk_bv::int::trunc(8 * leaf.n_bytes, *known) == value;
    match &leaf.kind {
        LeafKind::Number | LeafKind::Char => true,
        LeafKind::OneOf(values) => values.iter().any(is),
        LeafKind::Fixed(known) => is(known),
        LeafKind::Function(callees) => is_reference || callees.contains(&Callee::Null),
        LeafKind::Pointer(kind) => {
            is_reference || heap.layouts().pointer(*kind).nullable || heap.own_of(node, offset).is_none()
        }
    }
}
