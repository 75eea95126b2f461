//! The variables of a pool, and which bytes of which input each stands for.
//!
//! They are the same in all runs that use one pool: the same bytes of the same input are the same variable.

use crate::graph::heap::{Heap, NodeId};
use crate::input::{Input, InputEditor};
use crate::searches::Derived;
use rustc_hash::FxHashMap;
use spelunk_expr::{ExprId, ExprPool, Model, Sort, VarId};

/// Up to eight bytes of an input object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct InputPlace {
    pub object: NodeId,
    pub offset: u32,
    pub n_bytes: u32,
}

#[derive(Debug, Default)]
pub struct Variables {
    by_place: FxHashMap<InputPlace, VarId>,
    /// By variable. The pool may have others, which are not ours.
    places: Vec<Option<InputPlace>>,
    pub(crate) derived: FxHashMap<VarId, Derived>,
    pub(crate) by_derived: FxHashMap<Derived, VarId>,
}

impl Variables {
    /// The variable of some bytes.
    pub(crate) fn mk_var(&mut self, pool: &mut ExprPool, heap: &Heap, place: InputPlace) -> (VarId, ExprId) {
        if let Some(&var) = self.by_place.get(&place) {
            return (var, pool.mk_var(var));
        }
        let name = format!("{}@{}+{}", heap.node(place.object).name, place.offset, place.n_bytes);
        let var = pool.new_var(&name, Sort::Bv(8 * place.n_bytes));
        self.by_place.insert(place, var);
        if self.places.len() <= var.index() {
            self.places.resize(var.index() + 1, None);
        }
        self.places[var.index()] = Some(place);
        (var, pool.mk_var(var))
    }

    /// The bytes that a variable stands for.
    pub fn place(&self, var: VarId) -> Option<InputPlace> {
        self.places.get(var.index()).copied().flatten()
    }

    /// The values that all variables have by an input, also those that no run with this input makes.
    pub(crate) fn model(&self, heap: &Heap, input: &Input) -> Model {
        let given = input.objects.iter().filter_map(|object| Some((heap.find(&object.key)?, &*object.bytes)));
        let given: FxHashMap<NodeId, &[u8]> = given.collect();
        let bytes = |object: NodeId| given.get(&object).copied().unwrap_or_default();
        let mut model = Model::new();
        for (var, place) in (0..).map(VarId).zip(&self.places) {
            let Some(place) = place else { continue };
            let bytes = bytes(place.object).iter().skip(place.offset as usize).take(place.n_bytes as usize);
            let value = bytes.enumerate().fold(0, |low, (i, &byte)| low | u64::from(byte) << (8 * i));
            model.set_u64(var, value);
        }
        for (var, value) in self.derived_values(&bytes) {
            model.set_u64(var, value);
        }
        model
    }

    /// Replaces the bytes that a model gives values to.
    pub(crate) fn apply(&self, heap: &Heap, input: &mut InputEditor, model: &Model) {
        for (var, value) in model.iter_narrow() {
            let Some(place) = self.place(var) else { continue };
            let object = input.object_mut(&heap.node(place.object).key, || heap.unsaid(place.object));
            object.set_bytes(place.offset as usize, &value.to_le_bytes()[..place.n_bytes as usize]);
        }
    }
}
