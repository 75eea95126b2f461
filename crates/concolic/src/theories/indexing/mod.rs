//! Reads and writes at a symbolic place inside of one object.
//!
//! The places that are possible, as far as known bits and ranges of the offset tell, are the elements of a table. A few
//! are chosen from by the bits of the element's number; many are an array expression.

mod contents;
mod initialised;
mod layered;

use super::{Events, Theory};
use crate::decision::DecisionKind;
use crate::ledger::LedgerKind;
use crate::machine::ConcolicMachine;
use crate::machine::lazy::{self, LazyBytes, mk_choice};
use crate::switches::mk_in_range;
use contents::{earlier_array, mk_changed, mk_new_array};
use initialised::{Initialised, Others, are_initialised, initialised};
use layered::{Read, can_be_layered, is_layered, read_layered, write_layered};
use rustc_hash::FxHashMap;
use spelunk_expr::{ExprId, Facts};
use spelunk_vm::memory::{Fault, Memory, ObjectId, ObjectKind, Word};
use spelunk_vm::{Access, BugKind, Carried};

/// Up to so many elements are chosen from one by one.
const MAX_CHOICES: u64 = 64;

/// A table with more elements is not worth an expression.
const MAX_ELEMENTS: u64 = 1 << 16;

/// Known low bits of an offset beyond these tell nothing that matters.
const MAX_ALIGN_LOG2: u32 = 16;

/// The elements that an access may mean.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Elements {
    object: ObjectId,
    /// Address of the first.
    start: u64,
    stride_log2: u32,
    count: u64,
    n_bytes: u32,
}

impl Elements {
    fn addr(&self, number: u64) -> u64 {
        self.start + (number << self.stride_log2)
    }

    /// From the first to the end of the last.
    fn n_bytes(&self) -> u64 {
        self.addr(self.count - 1) + u64::from(self.n_bytes) - self.start
    }

    /// The number of bits that number all elements.
    fn index_bits(&self) -> u32 {
        64 - (self.count - 1).leading_zeros()
    }
}

/// An access to a table.
struct Lookup {
    elements: Elements,
    /// Which element, in as many bits as needed. The path's conditions say that it is one of them.
    index: ExprId,
    /// The element of this run, and the condition that it is that.
    current: u64,
    is_this: ExprId,
}

#[derive(Debug, Default)]
pub(super) struct Indexing {
    /// Tables of constant objects. They are the same in all runs with one pool.
    tables: FxHashMap<Elements, ExprId>,
    /// Of the pool.
    epoch: u32,
}

impl Theory for Indexing {
    fn name(&self) -> &'static str {
        "indexing"
    }

    fn events(&self) -> Events {
        Events::TABLE
    }

    /// The expression of what an access at a symbolic address reads.
    fn read(&mut self, machine: &mut ConcolicMachine, memory: &Memory, access: Access) -> Option<Carried> {
        let n = access.len as u32;
        let current = word_at(machine, memory, access.addr.val, n);
        let result = match look_up(machine, memory, access) {
            None => match machine.stored_pointer(&current, n) {
                Some(pointer) => return Some(pointer),
                None => joined_or_constant(machine, &current, n),
            },
            Some(lookup) if has_indivisible(machine, memory, lookup.elements) => {
                decide_element(machine, access, &lookup);
                match machine.stored_pointer(&current, n) {
                    Some(pointer) => return Some(pointer),
                    None => joined_or_constant(machine, &current, n),
                }
            }
            Some(lookup)
                if is_layered(machine, memory, lookup.elements) || is_found(machine, access, lookup.elements) =>
            {
                match read_layered(machine, memory, access, lookup.elements) {
                    Some(Read::Value(value)) => value,
                    Some(Read::Undefined) => return Some(Carried::NONE),
                    None => read_pinned(machine, access, &current),
                }
            }
            Some(lookup) => match initialised(memory, lookup.elements) {
                None => read_pinned(machine, access, &current),
                Some(found) => {
                    decide_initialised(machine, access, &lookup, &found, current.undef != 0);
                    match current.undef {
                        0 => self.mk_element(machine, memory, &lookup),
                        // No element that it could be has a value.
                        _ if found.others == Others::Unwritten => return Some(Carried::NONE),
                        _ => read_pinned(machine, access, &current),
                    }
                }
            },
        };
        let val = if machine.is_forcing() { machine.value(result) } else { spelunk_bv::int::trunc(8 * n, current.val) };
        Some(machine.carry(result, val))
    }

    /// Decides on the address of a write whose outcome can't be said by expressions.
    fn plan_write(&mut self, machine: &mut ConcolicMachine, memory: &Memory, access: Access, word: &Word) {
        let Some(lookup) = look_up(machine, memory, access) else { return };
        let elements = lookup.elements;
        if machine.is_indivisible(word) || has_indivisible(machine, memory, elements) {
            return decide_element(machine, access, &lookup);
        }
        let is_expressible = word.undef == 0
            && elements.count <= MAX_ELEMENTS
            && machine.lazy.has_room(elements.n_bytes())
            && (is_table(machine, memory, access, elements) || can_be_layered(machine, memory, elements));
        if !is_expressible {
            pin_address(machine, access);
        }
    }

    /// Writes a word at a symbolic address that is planned: any of the elements may have changed.
    fn write(
        &mut self,
        machine: &mut ConcolicMachine,
        memory: &mut Memory,
        access: Access,
        word: &Word,
    ) -> Option<Result<(), Fault>> {
        let n = access.len as u32;
        let lookup = look_up(machine, memory, access)?;
        if !is_table(machine, memory, access, lookup.elements) {
            machine.lose();
            write_layered(machine, memory, access, lookup.elements, word);
            return Some(Ok(()));
        }
        let value = joined_or_constant(machine, word, n);
        Some(if lookup.elements.count > MAX_CHOICES {
            self.write_array(machine, memory, &lookup, value, word.val)
        } else {
            write_elements(machine, memory, &lookup, value, word.val)
        })
    }
}

impl Indexing {
    fn mk_element(&mut self, machine: &mut ConcolicMachine, memory: &Memory, lookup: &Lookup) -> ExprId {
        let elements = lookup.elements;
        if elements.count <= MAX_CHOICES {
            let mut element = |number| {
                let word = word_at(machine, memory, elements.addr(number), elements.n_bytes);
                joined_or_constant(machine, &word, elements.n_bytes)
            };
            let leaves: Vec<ExprId> = (0..elements.count).map(&mut element).collect();
            return mk_choice(&mut machine.pool, lookup.index, &leaves, elements.index_bits());
        }
        let table = self.mk_contents(machine, memory, elements);
        machine.pool.mk_select(table, lookup.index)
    }

    /// All elements as an array.
    fn mk_contents(&mut self, machine: &mut ConcolicMachine, memory: &Memory, elements: Elements) -> ExprId {
        let is_constant = memory.object(elements.object).kind() == ObjectKind::Constant;
        if self.epoch != machine.pool.epoch() {
            self.tables.clear();
            self.epoch = machine.pool.epoch();
        }
        if is_constant && let Some(&table) = self.tables.get(&elements) {
            return table;
        }
        let array = match earlier_array(machine, memory, elements) {
            Some((array, first)) => mk_changed(machine, memory, elements, array, first),
            None => mk_new_array(machine, memory, elements),
        };
        if is_constant {
            self.tables.insert(elements, array);
        }
        array
    }

    /// Makes the elements an array that is written at the index.
    fn write_array(
        &mut self,
        machine: &mut ConcolicMachine,
        memory: &mut Memory,
        lookup: &Lookup,
        value: ExprId,
        val: u64,
    ) -> Result<(), Fault> {
        let elements = lookup.elements;
        let n = elements.n_bytes;
        let old = self.mk_contents(machine, memory, elements);
        let new = machine.pool.mk_store(old, lookup.index, value);
        let array = lazy::Elements { array: new, elem_bytes: n, index_bits: elements.index_bits() };
        let first = machine.lazy.add_array(elements.count as u32, array);
        for number in 0..elements.count {
            let addr = elements.addr(number);
            let concrete = if number == lookup.current { val } else { memory.load_word_open(addr, n)?.val };
            let bytes = &concrete.to_le_bytes()[..n as usize];
            let number_of = |i: usize| first + number as u32 * n + i as u32;
            memory.write_carrying(addr, bytes, |i| (LazyBytes::carried(number_of(i)), 0))?;
        }
        Ok(())
    }
}

/// The elements that may be accessed; `None` if only one is possible.
fn look_up(machine: &mut ConcolicMachine, memory: &Memory, access: Access) -> Option<Lookup> {
    // Most addresses are a pointer of the input and a constant.
    if machine.located.is_some_and(|(at, addr)| at == access.addr.val && machine.pool.is_const(addr)) {
        return None;
    }
    let (id, place) = memory.resolve_open(access.addr.val, access.len).ok()?;
    let object = memory.object(id);
    let addr = machine.rebased(access.addr);
    let this = machine.pool.mk_const(64, access.addr.val);
    let is_this = machine.pool.mk_eq(addr, this);
    if is_this == ExprId::TRUE || machine.path.implies(is_this) {
        return None;
    }
    let base = machine.pool.mk_const(64, object.base());
    let offset = machine.mk_difference(addr, base);
    let facts = machine.pool.facts(offset)?;
    let stride_log2 = stride_log2(&facts);
    let stride = 1u64 << stride_log2;
    let first = first_place(&facts);
    let last = facts.umax.min(object.size() - access.len);
    let count = (last - first) / stride + 1;
    if count == 1 {
        return None;
    }
    let elements =
        Elements { object: id, start: object.base() + first, stride_log2, count, n_bytes: access.len as u32 };
    let index = machine.pool.mk_extract(offset, stride_log2, elements.index_bits());
    let current = if machine.is_forcing() { machine.value(index) } else { (place - first) >> stride_log2 };
    Some(Lookup { elements, index, current, is_this })
}

fn stride_log2(offset: &Facts) -> u32 {
    (offset.zeros | offset.ones).trailing_ones().min(MAX_ALIGN_LOG2)
}

/// The least offset that is as aligned as all that are possible.
pub(crate) fn first_place(offset: &Facts) -> u64 {
    offset.ones & ((1 << stride_log2(offset)) - 1)
}

/// Whether elements are values side by side.
fn is_table(machine: &mut ConcolicMachine, memory: &Memory, access: Access, elements: Elements) -> bool {
    let overlap = 1u64 << elements.stride_log2 < u64::from(elements.n_bytes);
    let is_layered = is_layered(machine, memory, elements) || is_found(machine, access, elements);
    !overlap && are_initialised(memory, elements) && !is_layered
}

/// Whether an access is to one of many bytes, where something was found: that needs no table.
fn is_found(machine: &mut ConcolicMachine, access: Access, elements: Elements) -> bool {
    if access.len != 1 || elements.count <= MAX_CHOICES {
        return false;
    }
    let addr = machine.rebased(access.addr);
    machine.found_term(addr).is_some()
}

/// Whether elements are such that no expression may stand for one of several.
fn has_indivisible(machine: &mut ConcolicMachine, memory: &Memory, elements: Elements) -> bool {
    if !machine.theories.hear(Events::CONTENT) || elements.n_bytes != 8 || elements.count > MAX_ELEMENTS {
        return false;
    }
    (0..elements.count).any(|number| {
        let word = word_at(machine, memory, elements.addr(number), elements.n_bytes);
        machine.is_indivisible(&word)
    })
}

/// Decides which element is accessed.
fn decide_element(machine: &mut ConcolicMachine, access: Access, lookup: &Lookup) {
    machine.decide(access.site, DecisionKind::Value, lookup.current, lookup.is_this);
}

/// Reads the word at the address of this run, and none else.
fn read_pinned(machine: &mut ConcolicMachine, access: Access, current: &Word) -> ExprId {
    pin_address(machine, access);
    joined_or_constant(machine, current, access.len as u32)
}

fn joined_or_constant(machine: &mut ConcolicMachine, word: &Word, n: u32) -> ExprId {
    if word.has_expr() { machine.joined(word, n) } else { machine.pool.mk_const(8 * n, word.val) }
}

fn pin_address(machine: &mut ConcolicMachine, access: Access) {
    let addr = machine.operand(64, access.addr);
    machine.pin(access.site, addr, access.addr.val, LedgerKind::ConcreteAddress);
}

/// Decides whether the element is an initialised one, if there are others.
fn decide_initialised(
    machine: &mut ConcolicMachine,
    access: Access,
    lookup: &Lookup,
    found: &Initialised,
    is_bad: bool,
) {
    if found.others == Others::None {
        return;
    }
    let pool = &mut machine.pool;
    let mut initialised = ExprId::FALSE;
    for &(first, last) in &found.ranges {
        let in_range = mk_in_range(pool, lookup.index, first, last);
        initialised = pool.mk_or(initialised, in_range);
    }
    let bad = pool.mk_not(initialised);
    machine.check(access.site, BugKind::Uninitialised, bad, is_bad);
}

/// A word of the object that is accessed, as it is seen through the pointer.
fn word_at(machine: &mut ConcolicMachine, memory: &Memory, addr: u64, n: u32) -> Word {
    let mut word = memory.load_word_open(addr, n).expect("the access was checked");
    machine.view(addr, &mut word, n);
    word
}

/// Makes each element what it is, or the value if it is the one at the index.
fn write_elements(
    machine: &mut ConcolicMachine,
    memory: &mut Memory,
    lookup: &Lookup,
    value: ExprId,
    val: u64,
) -> Result<(), Fault> {
    let elements = lookup.elements;
    let n = elements.n_bytes;
    for number in 0..elements.count {
        let addr = elements.addr(number);
        let old = word_at(machine, memory, addr, n);
        let at = machine.pool.mk_const(elements.index_bits(), number);
        let is_this = machine.pool.mk_eq(lookup.index, at);
        let old_value = joined_or_constant(machine, &old, n);
        let result = machine.pool.mk_ite(is_this, value, old_value);
        let concrete = if number == lookup.current { val } else { old.val };
        let carried = machine.carry(result, spelunk_bv::int::trunc(8 * n, concrete));
        let mut new = Word::plain(concrete);
        if carried.is_some() {
            for (i, byte) in new.exprs.iter_mut().enumerate() {
                *byte = (carried, i as u8);
            }
        }
        memory.store_word(addr, n, &new)?;
    }
    Ok(())
}
