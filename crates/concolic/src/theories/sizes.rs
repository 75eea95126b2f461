//! Objects whose size depends on the input.
//!
//! Their size stays open as long as nobody has to know it: each access decides only that the object is large enough for
//! it, or not. Of objects of the input that are as long as another number of the input says, that number is looked for when
//! it is asked how large they are; all others are bound to their size when they are made. Of those that are too large for that, one size
//! stands for all.

use super::{Address, Events, Opening, Size, SizeQuestion, Theory, Through, Verdict};
use crate::decision::DecisionKind;
use crate::graph::unit::Unit;
use crate::input_bytes::{CountBytes, Made, carried};
use crate::journal::{AnyJournal, Entries, Entry, Journal};
use crate::ledger::{Bound, LedgerKind, MAX_OPEN_SIZE};
use crate::machine::ConcolicMachine;
use rustc_hash::FxHashMap;
use spelunk_expr::ExprId;
use spelunk_ir::code::OpIdx;
use spelunk_vm::memory::{Fault, Memory, ObjectId, Word};
use spelunk_vm::{BugKind, Slot};

/// As [`MAX_OPEN_SIZE`] where no size is larger, as that of a copy of a string.
const MAX_SIZE_OF_ALL: u64 = 1 << 16;

/// The size of an object: as an expression, and in the present run.
#[derive(Clone, Copy, Debug)]
struct OpenSize {
    expr: ExprId,
    value: u64,
}

#[derive(Clone, Copy, Debug)]
enum Noted {
    /// An object was bound to its size.
    Bound { object: ObjectId, size: ExprId },
    /// The next decision, if it is at the same place, is for the size of an object that is too large to have an open one.
    Large { site: OpIdx, decision: usize },
}

impl Entry for Noted {
    fn visit_exprs(&self, visit: &mut dyn FnMut(ExprId)) {
        if let Self::Bound { size, .. } = self {
            visit(*size);
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct OpenSizes {
    journal: Journal<Noted>,
    by_object: FxHashMap<ObjectId, OpenSize>,
    /// Whether numbers of the input count elements of others: without them no address is asked about.
    has_counts: bool,
}

impl Theory for OpenSizes {
    fn name(&self) -> &'static str {
        "sizes"
    }

    fn events(&self) -> Events {
        let always = Events::SIZE.and(Events::OPENING);
        if self.has_counts { always.and(Events::ADDRESS) } else { always }
    }

    fn journal(&self) -> &dyn AnyJournal {
        &self.journal
    }

    fn restore(&mut self, machine: &mut ConcolicMachine, entries: Entries<'_>) {
        self.journal.clear();
        self.by_object.clear();
        for &noted in entries.of::<Noted>() {
            self.journal.push(noted);
            if let Noted::Bound { object, size } = noted {
                let value = machine.value(size);
                self.by_object.insert(object, OpenSize { expr: size, value });
            }
        }
    }

    fn admit(&mut self, _machine: &mut ConcolicMachine, opening: &Opening<'_>) -> Verdict {
        let at = opening.path.get(opening.index).filter(|decision| decision.kind == DecisionKind::Value);
        let is_large = |noted: &Noted| matches!(noted, Noted::Large { site, decision } if (*site, *decision) == (opening.site, opening.index));
        match at.is_some() && self.journal.iter().any(is_large) {
            true => Verdict::Beyond(Bound::Allocation(MAX_OPEN_SIZE)),
            false => Verdict::Open,
        }
    }

    /// A pointer that shares what it is in with another finds a number of its own beside it: decides on that before what it
    /// leads to is accessed, as for an object that nobody else leads to.
    fn resolve(&mut self, machine: &mut ConcolicMachine, _memory: &Memory, address: &mut Address) -> Option<Fault> {
        let through = address.through?;
        let heap = &machine.inputs.heap;
        heap.node(through.own).counted_by?;
        let (target, _) = heap.node_at(through.value)?;
        let made = self.counted(machine, heap.object_id(target))?;
        let size = self.counted_size(machine, made, Some(through));
        machine.decide_value(address.access.site, size.expr, size.value);
        None
    }

    fn size(&mut self, machine: &mut ConcolicMachine, question: &SizeQuestion) -> Option<Size> {
        Some(match *question {
            SizeQuestion::Reserve { site, count, unit } => Size::Bytes(self.reserve(machine, site, count, unit)?),
            SizeQuestion::Bind { object, count, unit } => {
                self.bind(machine, object, count, unit);
                Size::Done
            }
            SizeQuestion::Check { site, object, end } => Size::Is(self.check(machine, site, object, end)),
            SizeQuestion::Present { object } => Size::Bytes(self.open_size(machine, object).value),
            SizeQuestion::Open { object } if self.is_string(machine, object) => return None,
            SizeQuestion::Open { object } => {
                let size = self.open_size(machine, object);
                Size::Expr(size.expr, size.value)
            }
            SizeQuestion::IsNeeded { object } => Size::Is(self.is_string(machine, object)),
            SizeQuestion::IsCounted { object } => Size::Is(self.counted(machine, object).is_some()),
            SizeQuestion::Pin { site, object } => {
                self.pin(machine, site, object);
                Size::Done
            }
        })
    }
}

impl OpenSizes {
    pub fn new(unit: Option<&Unit>) -> Self {
        Self { has_counts: unit.is_some_and(|unit| unit.layouts.has_counts()), ..Self::default() }
    }

    /// Decides whether an object is small enough for its size to stay open; if so, how large it may be.
    fn reserve(&mut self, machine: &mut ConcolicMachine, site: OpIdx, count: Slot, unit: u64) -> Option<u64> {
        let expr = machine.operand(64, count);
        let facts = machine.pool.facts(expr);
        let largest = facts.and_then(|facts| facts.umax.checked_mul(unit));
        let max_size = largest.filter(|&size| size <= MAX_SIZE_OF_ALL).unwrap_or(0).max(MAX_OPEN_SIZE.into());
        let max_count = max_size.checked_div(unit)?;
        let limit = machine.pool.mk_const(64, max_count);
        let is_small = machine.pool.mk_ule(expr, limit);
        machine.decide_condition(site, DecisionKind::Branch, is_small, count.val <= max_count);
        if count.val > max_count {
            self.journal.push(Noted::Large { site, decision: machine.decisions().len() });
            return None;
        }
        let possible = machine.pool.facts(expr).map_or(max_count, |facts| facts.umax.min(max_count));
        (possible > 0).then_some(possible * unit)
    }

    fn bind(&mut self, machine: &mut ConcolicMachine, object: ObjectId, count: Slot, unit: u64) {
        let expr = machine.operand(64, count);
        let unit_expr = machine.pool.mk_const(64, unit);
        let expr = machine.pool.mk_mul(expr, unit_expr);
        self.journal.push(Noted::Bound { object, size: expr });
        self.by_object.insert(object, OpenSize { expr, value: count.val * unit });
    }

    /// Decides whether the first `end` bytes belong to an object.
    fn check(&mut self, machine: &mut ConcolicMachine, site: OpIdx, object: ObjectId, end: u64) -> bool {
        let size = self.open_size(machine, object);
        let end_expr = machine.pool.mk_const(64, end);
        let bad = machine.pool.mk_ult(size.expr, end_expr);
        machine.check(site, BugKind::OutOfBounds, bad, size.value < end);
        size.value >= end
    }

    fn pin(&mut self, machine: &mut ConcolicMachine, site: OpIdx, object: ObjectId) {
        let size = self.open_size(machine, object);
        if self.counted(machine, object).is_some() {
            // There are few sizes, and each is tried.
            machine.decide_value(site, size.expr, size.value);
        } else {
            machine.pin(site, size.expr, size.value, LedgerKind::ConcreteValue);
        }
    }

    fn open_size(&self, machine: &mut ConcolicMachine, object: ObjectId) -> OpenSize {
        match self.counted(machine, object) {
            Some(made) => self.counted_size(machine, made, None),
            None => self.by_object[&object],
        }
    }

    /// An object of the input of which a number says how many elements it has.
    fn counted(&self, machine: &ConcolicMachine, object: ObjectId) -> Option<Made> {
        let made = machine.inputs.of_node(machine.inputs.heap.counted(object)?)?;
        // Once it is freed, another may have got its number.
        (made.counted_by.is_some() && !self.by_object.contains_key(&object)).then_some(made)
    }

    /// The size of an object of the input, by the number that counts its elements, as a pointer to it finds that.
    fn counted_size(&self, machine: &mut ConcolicMachine, made: Made, through: Option<Through>) -> OpenSize {
        let through = through.and_then(|through| count_through(machine, made, through));
        let count = through.or(made.counted_by).expect("it is counted");
        let word = word_of_input(machine, count);
        let expr = machine.joined(&word, count.n_bytes);
        let count_expr = machine.resized(expr, 64);
        let heap = &machine.inputs.heap;
        let node = heap.node(made.node);
        let (unit, n_after) = (u64::from(heap.layouts().get(node.layout).size), u64::from(node.n_after));
        let unit_expr = machine.pool.mk_const(64, unit);
        let size = machine.pool.mk_mul(count_expr, unit_expr);
        let after = machine.pool.mk_const(64, n_after);
        OpenSize { expr: machine.pool.mk_add(size, after), value: word.val * unit + n_after }
    }

    /// Whether the size of an object must be known before it is looked at: of strings, as their end is a zero.
    fn is_string(&self, machine: &ConcolicMachine, object: ObjectId) -> bool {
        let node = self.counted(machine, object).map(|made| made.node);
        node.is_some_and(|node| machine.inputs.heap.node(node).n_after > 0)
    }
}

/// The number that counts what a pointer leads to, as it is found through what the pointer is in.
fn count_through(machine: &ConcolicMachine, made: Made, through: Through) -> Option<CountBytes> {
    let inputs = &machine.inputs;
    let holder = inputs.of_node(through.holder)?;
    let count = inputs.counter(holder, through.offset)?;
    let is_same = made.counted_by.is_some_and(|other| inputs.count(other) == inputs.count(count));
    is_same.then_some(count)
}

fn word_of_input(machine: &ConcolicMachine, count: CountBytes) -> Word {
    let mut word = Word::plain(machine.inputs.count(count));
    for (number, expr) in (count.first..).zip(&mut word.exprs[..count.n_bytes as usize]) {
        *expr = (carried(number), 0);
    }
    word
}
