//! What was written through pointers of the input, and what a read finds of it.

use super::{Pointer, mk_word};
use crate::graph::extent::Extent;
use crate::graph::heap::NodeId;
use crate::journal::Entry;
use crate::machine::ConcolicMachine;
use smallvec::SmallVec;
use spelunk_expr::{ExprId, VarId};
use spelunk_vm::Access;

/// More cases are not worth an expression.
const MAX_CASES: usize = 32;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Store {
    /// The pointer that was written through, and its own object; none if it may have been any.
    pub pointer: Option<(VarId, NodeId)>,
    pub extent: Extent,
    /// What was written, if that is known.
    pub value: Option<ExprId>,
    /// Whether it is one of the input's pointers.
    pub is_pointer: bool,
}

impl Entry for Store {
    fn visit_exprs(&self, visit: &mut dyn FnMut(ExprId)) {
        self.value.into_iter().for_each(visit);
    }
}

/// The oldest first, without those that a later one through the same pointer hides.
#[derive(Debug, Default)]
pub(super) struct Stores(Vec<Store>);

/// What a read finds.
pub(super) enum Found {
    /// What memory has there, since nothing can have been written there later.
    InMemory,
    Value(ExprId),
}

/// Whether a read meets a store.
enum Meeting {
    Never,
    /// The store's pointer is by so much above the one that is read through.
    Always(i64),
    /// Under each of these conditions a value.
    Sometimes(SmallVec<[(ExprId, ExprId); 2]>),
}

impl Stores {
    pub fn push(&mut self, store: Store) {
        match store.pointer {
            Some(_) => self.0.retain(|old| old.pointer != store.pointer || !store.extent.contains(old.extent)),
            None => self.0.clear(),
        }
        self.0.push(store);
    }

    /// Whether a store was the last one already.
    pub fn ends_with(&self, store: &Store) -> bool {
        self.0.last() == Some(store)
    }

    /// What a read through a pointer finds. Nothing if no expression says it, or nothing that was written has to do with it.
    pub fn read(&self, machine: &mut ConcolicMachine, pointer: Pointer, access: Access) -> Option<Found> {
        let extent = pointer.rest.map(|_| pointer.extent(access.len))?;
        let mut cases: SmallVec<[(ExprId, ExprId); 4]> = SmallVec::new();
        let mut known = None;
        for store in self.0.iter().rev() {
            match meet(machine, pointer, extent, store)? {
                Meeting::Never => {}
                Meeting::Always(at) if cases.is_empty() && store.is_all_of(extent, at) => return Some(Found::InMemory),
                Meeting::Always(at) => {
                    known = Some(store.found(machine, extent, at)?);
                    break;
                }
                Meeting::Sometimes(more) => cases.extend(more),
            }
        }
        if cases.is_empty() || cases.len() > MAX_CASES {
            return None;
        }
        let otherwise = known.or_else(|| unwritten(machine, access))?;
        // The newest store comes first.
        let value =
            cases.into_iter().rev().fold(otherwise, |rest, (cond, value)| machine.pool.mk_ite(cond, value, rest));
        Some(Found::Value(value))
    }
}

/// What was there in the beginning.
fn unwritten(machine: &mut ConcolicMachine, access: Access) -> Option<ExprId> {
    let n = access.len as u32;
    let word = machine.unwritten(access.addr.val, n)?;
    (n < 8 || !machine.is_indivisible(&word)).then(|| mk_word(machine, &word, n))
}

/// Nothing if no expression says what is found.
fn meet(machine: &mut ConcolicMachine, pointer: Pointer, extent: Extent, store: &Store) -> Option<Meeting> {
    let (other, own) = store.pointer?;
    if other == pointer.var {
        return Some(if store.extent.meets(extent) { Meeting::Always(0) } else { Meeting::Never });
    }
    let distances = machine.inputs.heap.distances(pointer.own, own, extent.meeting(store.extent));
    // In this run.
    let distance = value_of(machine, other)?.wrapping_sub(value_of(machine, pointer.var)?) as i64;
    let is_unforeseen = store.extent.moved(distance).meets(extent) && !distances.found.contains(&distance);
    if !distances.are_all || is_unforeseen {
        return None;
    }
    let mut cases = SmallVec::new();
    for at in distances.found {
        let cond = mk_above(machine, other, pointer.var, at);
        match machine.is_implied(cond) {
            true if at == distance => return Some(Meeting::Always(at)),
            true => {}
            false => cases.push((cond, store.found(machine, extent, at)?)),
        }
    }
    Some(if cases.is_empty() { Meeting::Never } else { Meeting::Sometimes(cases) })
}

impl Store {
    /// Whether an extent relative to a pointer which the store's is by so much above is what was written, and nothing else.
    fn is_all_of(&self, extent: Extent, distance: i64) -> bool {
        self.value.is_some() && self.extent.moved(distance).contains(extent)
    }

    /// What is found at an extent relative to a pointer which the store's is by so much above.
    fn found(&self, machine: &mut ConcolicMachine, extent: Extent, distance: i64) -> Option<ExprId> {
        let written = self.extent.moved(distance);
        let n = (extent.last - extent.first + 1) as u32;
        let value = self.value.filter(|_| self.is_all_of(extent, distance) && !(self.is_pointer && n == 8))?;
        Some(machine.bytes_of(value, (extent.first - written.first) as u32, n))
    }
}

/// What a pointer is in this run.
fn value_of(machine: &ConcolicMachine, var: VarId) -> Option<u64> {
    let place = machine.variables.place(var)?;
    let made = machine.inputs.of_node(place.object)?;
    Some(machine.inputs.word(made.first + place.offset))
}

/// That a pointer is by so much above another.
fn mk_above(machine: &mut ConcolicMachine, pointer: VarId, other: VarId, by: i64) -> ExprId {
    let pool = &mut machine.pool;
    let (pointer, other, by) = (pool.mk_var(pointer), pool.mk_var(other), pool.mk_const(64, by as u64));
    let above = pool.mk_add(other, by);
    pool.mk_eq(above, pointer)
}
