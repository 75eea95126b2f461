//! The variables of a pool, and which bytes of which input each stands for.
//!
//! They are the same in all runs that use one pool: the same bytes of the same input are the same variable.

use crate::input::{Input, InputEditor, InputObject};
use crate::searches::Search;
use rustc_hash::FxHashMap;
use spelunk_expr::{ExprId, ExprPool, Model, Sort, VarId};
use std::sync::Arc;

/// The name of an input object, as a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NameId(u32);

/// Up to eight bytes of an input object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct InputPlace {
    pub name: NameId,
    pub offset: u32,
    pub n_bytes: u32,
}

#[derive(Debug, Default)]
pub struct Variables {
    names: Vec<Arc<str>>,
    /// The names as programs give them, which may repeat.
    bases: FxHashMap<Box<str>, u32>,
    /// By base and how often it was used before in the run.
    by_use: FxHashMap<(u32, u32), NameId>,
    by_place: FxHashMap<InputPlace, VarId>,
    /// By variable. The pool may have others, which are not ours.
    places: Vec<Option<InputPlace>>,
    pub(crate) searches: FxHashMap<VarId, Search>,
    pub(crate) by_search: FxHashMap<Search, VarId>,
}

impl Variables {
    pub fn name(&self, id: NameId) -> &Arc<str> {
        &self.names[id.0 as usize]
    }

    /// The number of a name that programs give to inputs.
    pub(crate) fn mk_base(&mut self, name: &str) -> u32 {
        if let Some(&base) = self.bases.get(name) {
            return base;
        }
        let base = self.bases.len() as u32;
        self.bases.insert(name.into(), base);
        base
    }

    /// The name of the object that is the next after `n_before` of the same base.
    pub(crate) fn mk_name(&mut self, base: u32, name: &str, n_before: u32) -> NameId {
        if let Some(&id) = self.by_use.get(&(base, n_before)) {
            return id;
        }
        let id = NameId(self.names.len() as u32);
        self.names.push(match n_before {
            0 => name.into(),
            n => format!("{name}#{}", n + 1).into(),
        });
        self.by_use.insert((base, n_before), id);
        id
    }

    /// The variable of some bytes.
    pub(crate) fn mk_var(&mut self, pool: &mut ExprPool, place: InputPlace) -> (VarId, ExprId) {
        if let Some(&var) = self.by_place.get(&place) {
            return (var, pool.mk_var(var));
        }
        let name = format!("{}@{}+{}", self.name(place.name), place.offset, place.n_bytes);
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
    pub fn model(&self, input: &Input) -> Model {
        let mut model = Model::new();
        for (var, place) in (0..).map(VarId).zip(&self.places) {
            let Some(place) = place else { continue };
            let bytes = input.get(self.name(place.name)).unwrap_or_default();
            let bytes = bytes.iter().skip(place.offset as usize).take(place.n_bytes as usize);
            let value = bytes.enumerate().fold(0, |low, (i, &byte)| low | u64::from(byte) << (8 * i));
            model.set_u64(var, value);
        }
        for (var, value) in self.search_values(input) {
            model.set_u64(var, value);
        }
        model
    }

    /// Replaces the bytes that a model gives values to.
    pub(crate) fn apply(&self, input: &mut InputEditor, model: &Model) {
        for (var, value) in model.iter_narrow() {
            let Some(place) = self.place(var) else { continue };
            let name = self.name(place.name);
            let object = input.object_mut(name, || InputObject::empty(name));
            object.set_bytes(place.offset as usize, &value.to_le_bytes()[..place.n_bytes as usize]);
        }
    }
}
