//! What is read through pointers of the input, whichever of them overlap: aliasing is left to the solver.
//!
//! Where `graph` would decide whether a read meets what was written through another pointer, an expression says what is read in
//! either case: `ite(p + r == q + s, what was written at q + s, what is found at p + r otherwise)`. So one path stands for all
//! overlaps that take it. It is the map of "Pex for unsafe code" (§5), but no array reaches the solver: what was there in the beginning is a
//! variable of the pointer, as ever, and writes are the cases of the expression (`stores`). Disjointness needs no axioms, since which
//! distances two pointers may have is known from their types.
//!
//! Where no expression can be had, the read is left to `graph`, which decides: more paths, and never others. These are reads at
//! symbolic places and of pointers, and such that meet writes of other bytes, of undefined bits, in bulk, or by code that is not
//! followed. To delete the technique: this directory, its line in `standard`, and [`Aliasing`](crate::graph::unit::Aliasing).

mod stores;

use super::{Address, Events, Theory};
use crate::graph::extent::Extent;
use crate::graph::heap::NodeId;
use crate::journal::{AnyJournal, Entries, Journal};
use crate::machine::{Base, ConcolicMachine};
use spelunk_expr::{ExprId, VarId};
use spelunk_ir::code::OpIdx;
use spelunk_vm::memory::{Fault, Memory, Word};
use spelunk_vm::{Access, Carried, Slot};
use stores::{Found, Store, Stores};

#[derive(Default)]
pub(super) struct Maps {
    journal: Journal<Store>,
    /// Follows from the journal.
    stores: Stores,
    /// The address of the access at hand, and the pointer of the input that it was computed from.
    at_hand: Option<(u64, Option<Pointer>)>,
}

/// A pointer of the input, and how far an address is from it.
#[derive(Clone, Copy, Debug)]
struct Pointer {
    var: VarId,
    own: NodeId,
    /// None if it depends on the input.
    rest: Option<i64>,
}

impl Pointer {
    /// The bytes of an access through it.
    fn extent(&self, len: u64) -> Extent {
        self.rest.map_or(Extent::ALL, |rest| Extent::new(rest, len))
    }
}

impl Maps {
    fn note(&mut self, store: Store) {
        if !self.stores.ends_with(&store) {
            self.journal.push(store);
            self.stores.push(store);
        }
    }

    /// The pointer that the access at hand goes through; an error if it goes to an object that one may lead to, through none.
    fn through(&self, machine: &ConcolicMachine, addr: u64) -> Result<Option<Pointer>, Unknown> {
        match self.at_hand.filter(|&(at, _)| at == addr) {
            Some((_, Some(pointer))) => Ok(Some(pointer)),
            _ if machine.inputs.heap.node_at(addr).is_some() => Err(Unknown),
            _ => Ok(None),
        }
    }
}

struct Unknown;

impl Theory for Maps {
    fn name(&self) -> &'static str {
        "maps"
    }

    fn events(&self) -> Events {
        Events::ADDRESS.and(Events::ACCESS).and(Events::POINTER)
    }

    fn journal(&self) -> &dyn AnyJournal {
        &self.journal
    }

    fn restore(&mut self, _machine: &mut ConcolicMachine, entries: Entries<'_>) {
        self.journal.clear();
        self.stores = Stores::default();
        for &store in entries.of::<Store>() {
            self.journal.push(store);
            self.stores.push(store);
        }
    }

    fn resolve(&mut self, machine: &mut ConcolicMachine, _memory: &Memory, address: &mut Address) -> Option<Fault> {
        let pointer = address.base.and_then(|base| as_pointer(machine, address.expr, base));
        self.at_hand = Some((address.access.addr.val, pointer));
        None
    }

    fn before_read(&mut self, machine: &mut ConcolicMachine, memory: &Memory, access: Access) -> Option<Carried> {
        // What is tried out has changed memory behind our back, or has it as it was in the beginning.
        if machine.path.is_trial || machine.path.is_pristine || machine.is_forcing() {
            return None;
        }
        let pointer = self.through(machine, access.addr.val).ok()??;
        let value = match self.stores.read(machine, pointer, access)? {
            Found::InMemory => return machine.read_symbolic(memory, access),
            Found::Value(value) => value,
        };
        let n = access.len as u32;
        let word = memory.load_word(access.addr.val, n).ok().filter(|word| word.undef == 0)?;
        let found = spelunk_bv::int::trunc(8 * n, word.val);
        // Code that is not followed may have written there.
        (machine.value(value) == found).then(|| machine.carry(value, found))
    }

    fn before_write(&mut self, machine: &mut ConcolicMachine, access: Access, word: Option<&Word>) {
        match self.through(machine, access.addr.val) {
            Ok(None) => {}
            Ok(Some(pointer)) => {
                let word = word.filter(|word| word.undef == 0 && pointer.rest.is_some());
                let is_pointer = word.is_some_and(|word| machine.is_indivisible(word));
                let value = word.map(|word| mk_word(machine, word, access.len as u32));
                let place = Some((pointer.var, pointer.own));
                self.note(Store { pointer: place, extent: pointer.extent(access.len), value, is_pointer });
            }
            Err(Unknown) => self.note(Store { pointer: None, extent: Extent::ALL, value: None, is_pointer: false }),
        }
    }

    /// What code that is not followed does there is unknown.
    fn hand_over(&mut self, machine: &mut ConcolicMachine, _memory: &mut Memory, _site: OpIdx, value: Slot) -> bool {
        let expr = machine.operand(machine.width_of(value), value);
        if let Some(pointer) = machine.base_of(value).and_then(|base| as_pointer(machine, expr, base)) {
            let place = Some((pointer.var, pointer.own));
            self.note(Store { pointer: place, extent: Extent::ALL, value: None, is_pointer: false });
        }
        false
    }
}

/// An address that was computed from a pointer of the input.
fn as_pointer(machine: &mut ConcolicMachine, addr: ExprId, base: Base) -> Option<Pointer> {
    let Base::Input(var) = base else { return None };
    let place = machine.variables.place(var)?;
    let own = machine.inputs.heap.own_of(place.object, place.offset)?;
    let pointer = machine.pool.mk_var(var);
    let rest = machine.mk_difference(addr, pointer);
    Some(Pointer { var, own, rest: machine.pool.as_const(rest).map(|rest| rest as i64) })
}

fn mk_word(machine: &mut ConcolicMachine, word: &Word, n: u32) -> ExprId {
    if word.has_expr() { machine.joined(word, n) } else { machine.pool.mk_const(8 * n, word.val) }
}
