//! Inputs by number: a variable each.

use super::knowledge::{Identity, Knowledge};
use crate::machine::ConcolicMachine;
use crate::searches::Derived;
use rustc_hash::{FxHashMap, FxHashSet};
use spelunk_expr::VarId;
use spelunk_ir::code::OpIdx;
use std::sync::Arc;

/// The numbers that variables of this pool have in the campaign.
#[derive(Debug, Default)]
pub(super) struct Atoms {
    numbers: FxHashMap<VarId, u32>,
    /// Those that say what the bytes of others are.
    templates: FxHashSet<u32>,
}

impl Atoms {
    /// The number of a variable.
    pub fn of(&mut self, known: &Knowledge, machine: &ConcolicMachine, var: VarId, site: OpIdx) -> u32 {
        let Self { numbers, templates } = self;
        *numbers.entry(var).or_insert_with(|| {
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
            let is_ruled = heap.unit.shapes.as_ref().is_some_and(|shapes| {
                machine.provenance.is_pointer(var) || (!shapes.spec.companions().is_empty() && place.is_some())
            });
            let atom = known.inputs().number(identity, || spelled().unwrap_or_else(named), site);
            if is_ruled {
                known.inputs().tie_by_rules(atom, site);
            }
            if place.is_some_and(|place| machine.inputs.templates.contains(&place.object)) {
                templates.insert(atom);
            }
            atom
        })
    }

    /// Whether an input says what the bytes of others are.
    pub fn is_template(&self, atom: u32) -> bool {
        self.templates.contains(&atom)
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
