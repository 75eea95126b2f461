//! Inputs by number: a variable each.

use super::knowledge::{Identity, Knowledge};
use crate::machine::ConcolicMachine;
use crate::searches::Derived;
use rustc_hash::FxHashMap;
use spelunk_expr::VarId;
use spelunk_ir::code::OpIdx;
use std::sync::Arc;

/// The numbers that variables of this pool have in the campaign.
#[derive(Debug, Default)]
pub(super) struct Atoms(FxHashMap<VarId, u32>);

impl Atoms {
    /// The number of a variable.
    pub fn of(&mut self, known: &Knowledge, machine: &ConcolicMachine, var: VarId, site: OpIdx) -> u32 {
        *self.0.entry(var).or_insert_with(|| {
            let heap = &machine.inputs.heap;
            let place = machine.variables.place(var);
            let derived = machine.variables.derived.get(&var).map(|derived| match derived {
                Derived::Search(search) => search.object,
                Derived::Byte(byte) => byte.object,
            });
            let object = place.map(|place| place.object).or(derived);
            let named = || machine.pool.var_name(var).to_owned();
            let identity = Identity {
                key: object.map(|object| Arc::clone(&heap.node(object).key)),
                offset: place.map_or(0, |place| place.offset),
                n_bytes: place.map_or(0, |place| place.n_bytes),
                name: place.is_none().then(named),
            };
            let spelled = || place.and_then(|place| heap.spelled(place.object, place.offset, place.n_bytes));
            known.inputs().number(identity, || spelled().unwrap_or_else(named), site)
        })
    }

    /// Pointers are compared: what they lead to may be one.
    pub fn relate(&mut self, known: &Knowledge, machine: &ConcolicMachine, pointers: &[VarId], site: OpIdx) {
        for &var in pointers {
            let Some(place) = machine.variables.place(var) else { continue };
            let top = machine.inputs.heap.node(place.object).key.behind(place.offset);
            let pointer = self.of(known, machine, var, site);
            known.inputs().relate(top, pointer, site);
        }
    }
}
