//! Inputs by number: a variable each. Those that share bytes are tied, and so is what lies behind pointers that are compared.

use super::record::Atom;
use crate::graph::heap::NodeId;
use crate::key::ObjectKey;
use crate::machine::ConcolicMachine;
use crate::searches::Derived;
use rustc_hash::FxHashMap;
use spelunk_expr::VarId;
use spelunk_ir::code::OpIdx;
use std::sync::Arc;

#[derive(Debug, Default)]
pub(super) struct Atoms {
    by_var: FxHashMap<VarId, u32>,
    keys: Vec<Option<Arc<ObjectKey>>>,
    by_byte: FxHashMap<(NodeId, u32), u32>,
    /// By object: an input that depends on all of its bytes.
    of_whole: FxHashMap<NodeId, u32>,
    by_object: FxHashMap<NodeId, Vec<u32>>,
    /// What lies behind these pointers is one with them.
    related: Vec<(ObjectKey, u32)>,
    pub new: Vec<Atom>,
    pub ties: Vec<(u32, u32, OpIdx)>,
}

impl Atoms {
    /// The number of a variable.
    pub fn of(&mut self, machine: &ConcolicMachine, var: VarId, site: OpIdx) -> u32 {
        if let Some(&known) = self.by_var.get(&var) {
            return known;
        }
        let atom = self.keys.len() as u32;
        self.by_var.insert(var, atom);
        let heap = &machine.inputs.heap;
        let place = machine.variables.place(var);
        let derived = machine.variables.derived.get(&var).map(|derived| match derived {
            Derived::Search(search) => search.object,
            Derived::Byte(byte) => byte.object,
        });
        let object = place.map(|place| place.object).or(derived);
        let key = object.map(|object| Arc::clone(&heap.node(object).key));
        self.new.push(Atom {
            key: key.clone(),
            offset: place.map_or(0, |place| place.offset),
            n_bytes: place.map_or(0, |place| place.n_bytes),
            name: place
                .and_then(|place| heap.spelled(place.object, place.offset, place.n_bytes))
                .unwrap_or_else(|| machine.pool.var_name(var).to_owned()),
        });
        self.keys.push(key);
        if let Some(object) = object {
            self.tie_neighbours(object, atom, site);
        }
        if let Some(place) = place {
            for byte in place.offset..place.offset + place.n_bytes {
                let first = *self.by_byte.entry((place.object, byte)).or_insert(atom);
                self.tie(first, atom, site);
            }
        } else if let Some(object) = derived {
            let whole = *self.of_whole.entry(object).or_insert(atom);
            self.tie(whole, atom, site);
            let others = self.by_object.get(&object).cloned().unwrap_or_default();
            others.into_iter().for_each(|other| self.tie(other, atom, site));
        }
        atom
    }

    fn tie_neighbours(&mut self, object: NodeId, atom: u32, site: OpIdx) {
        self.by_object.entry(object).or_default().push(atom);
        if let Some(&whole) = self.of_whole.get(&object) {
            self.tie(whole, atom, site);
        }
        let Some(key) = self.keys[atom as usize].clone() else { return };
        let above: Vec<u32> = self.related.iter().filter(|(top, _)| is_below(&key, top)).map(|it| it.1).collect();
        above.into_iter().for_each(|pointer| self.tie(pointer, atom, site));
    }

    /// Pointers are compared: what they lead to may be one.
    pub fn relate(&mut self, machine: &ConcolicMachine, pointers: &[VarId], site: OpIdx) {
        for &var in pointers {
            let Some(place) = machine.variables.place(var) else { continue };
            let top = machine.inputs.heap.node(place.object).key.behind(place.offset);
            if self.related.iter().any(|(known, _)| *known == top) {
                continue;
            }
            let pointer = self.of(machine, var, site);
            let below: Vec<u32> = (0..)
                .zip(&self.keys)
                .filter(|(_, key)| key.as_ref().is_some_and(|key| is_below(key, &top)))
                .map(|it| it.0)
                .collect();
            below.into_iter().for_each(|atom| self.tie(pointer, atom, site));
            self.related.push((top, pointer));
        }
    }

    fn tie(&mut self, a: u32, b: u32, site: OpIdx) {
        if a != b {
            self.ties.push((a, b, site));
        }
    }
}

/// Whether pointers lead from one object to another, or it is that object.
fn is_below(key: &ObjectKey, top: &ObjectKey) -> bool {
    key.root == top.root && key.through.starts_with(&top.through)
}
