//! Objects whose size depends on the input.
//!
//! Their size stays open as long as nobody has to know it: each access decides only that the object is large enough for
//! it, or not. Of objects of the input that are as long as another number of the input says, that number is looked for when
//! it is asked how large they are; all others are bound to their size when they are made.

use super::ConcolicMachine;
use super::pointers::Based;
use crate::decision::DecisionKind;
use crate::input_bytes::{CountBytes, Made, carried};
use crate::ledger::LedgerKind;
use rustc_hash::FxHashMap;
use spelunk_expr::ExprId;
use spelunk_vm::memory::{ObjectId, Word};
use spelunk_vm::{BugKind, Slot};
use std::ops::Range;

/// Larger objects have a size that is decided on when they are made: bytes exist for all that they may have.
const MAX_OPEN_SIZE: u64 = 4096;

/// The size of an object: as an expression, and in the present run.
#[derive(Clone, Copy, Debug)]
struct OpenSize {
    expr: ExprId,
    value: u64,
}

/// The objects that were made with an open size.
#[derive(Debug, Default)]
pub(super) struct Sizes {
    by_object: FxHashMap<ObjectId, OpenSize>,
    /// All that were ever bound in this run, in order.
    bound: Vec<(ObjectId, ExprId)>,
}

/// What a run bound.
#[derive(Debug)]
pub(super) struct SavedSizes(Vec<(ObjectId, ExprId)>);

impl SavedSizes {
    /// The first `len` of them.
    pub fn exprs(&self, range: Range<usize>) -> impl Iterator<Item = ExprId> + '_ {
        self.0[range].iter().map(|&(_, expr)| expr)
    }
}

impl Sizes {
    pub fn len(&self) -> usize {
        self.bound.len()
    }

    pub fn save(&self) -> SavedSizes {
        SavedSizes(self.bound.clone())
    }
}

impl ConcolicMachine {
    /// Decides whether an object is small enough for its size to stay open; if so, how large it may be.
    pub(super) fn reserve_open(&mut self, site: u32, count: Slot, unit: u64) -> Option<u64> {
        let max_count = MAX_OPEN_SIZE.checked_div(unit)?;
        let expr = self.operand(64, count);
        let limit = self.pool.mk_const(64, max_count);
        let is_small = self.pool.mk_ule(expr, limit);
        self.decide_condition(site, DecisionKind::Branch, is_small, count.val <= max_count);
        let possible = self.pool.facts(expr).map_or(max_count, |facts| facts.umax.min(max_count));
        (count.val <= max_count && possible > 0).then_some(possible * unit)
    }

    pub(super) fn bind_open(&mut self, object: ObjectId, count: Slot, unit: u64) {
        let expr = self.operand(64, count);
        let unit_expr = self.pool.mk_const(64, unit);
        let expr = self.pool.mk_mul(expr, unit_expr);
        self.sizes.bound.push((object, expr));
        self.sizes.by_object.insert(object, OpenSize { expr, value: count.val * unit });
    }

    /// Decides whether the first `end` bytes belong to an object.
    pub(super) fn check_open(&mut self, site: u32, object: ObjectId, end: u64) -> bool {
        let size = self.open_size(object);
        let end_expr = self.pool.mk_const(64, end);
        let bad = self.pool.mk_ult(size.expr, end_expr);
        self.check(site, BugKind::OutOfBounds, bad, size.value < end);
        size.value >= end
    }

    /// The size of an object in this run.
    pub(super) fn present_size(&mut self, object: ObjectId) -> u64 {
        self.open_size(object).value
    }

    pub(super) fn pin_open(&mut self, site: u32, object: ObjectId) {
        let size = self.open_size(object);
        if self.counted(object).is_some() {
            // There are few sizes, and each is tried.
            self.decide_value(site, size.expr, size.value);
        } else {
            self.pin(site, size.expr, size.value, LedgerKind::ConcreteValue);
        }
    }

    fn open_size(&mut self, object: ObjectId) -> OpenSize {
        match self.counted(object) {
            Some(made) => self.counted_size(made, None),
            None => self.sizes.by_object[&object],
        }
    }

    /// An object of the input of which a number says how many elements it has.
    pub(super) fn counted(&self, object: ObjectId) -> Option<Made> {
        let graph = self.graph.as_ref()?;
        let made = self.inputs.of_node(graph.heap.counted(object)?)?;
        // Once it is freed, another may have got its number.
        (made.counted_by.is_some() && !self.sizes.by_object.contains_key(&object)).then_some(made)
    }

    /// The size of an object of the input, by the number that counts its elements, as a pointer to it finds that.
    fn counted_size(&mut self, made: Made, through: Option<Based>) -> OpenSize {
        let through = through.and_then(|based| self.count_through(made, based));
        let count = through.or(made.counted_by).expect("it is counted");
        let word = self.word_of_input(count);
        let expr = self.joined(&word, count.n_bytes);
        let count_expr = self.resized(expr, 64);
        let heap = &self.graph.as_ref().expect("there are inputs with pointers").heap;
        let node = heap.node(made.node.expect("it is part of the graph"));
        let (unit, n_after) = (u64::from(heap.layouts().get(node.layout).size), u64::from(node.n_after));
        let unit_expr = self.pool.mk_const(64, unit);
        let size = self.pool.mk_mul(count_expr, unit_expr);
        let after = self.pool.mk_const(64, n_after);
        OpenSize { expr: self.pool.mk_add(size, after), value: word.val * unit + n_after }
    }

    /// A pointer that shares what it is in with another finds a number of its own beside it: decides on that before what it
    /// leads to is accessed, as for an object that nobody else leads to.
    pub(super) fn decide_count(&mut self, site: u32, based: Based) {
        let Some(graph) = self.graph.as_ref().filter(|graph| graph.heap.node(based.own).counted_by.is_some()) else {
            return;
        };
        let Some((target, _)) = graph.heap.node_at(based.value) else { return };
        let Some(made) = self.counted(graph.heap.object_id(target)) else { return };
        let size = self.counted_size(made, Some(based));
        self.decide_value(site, size.expr, size.value);
    }

    /// The number that counts what a pointer leads to, as it is found through what the pointer is in.
    fn count_through(&self, made: Made, based: Based) -> Option<CountBytes> {
        let graph = self.graph.as_ref()?;
        let term = graph.terms.get(based.var)?;
        let holder = self.inputs.of_node(term.node)?;
        let count = self.inputs.counter(&graph.heap, holder, term.offset)?;
        let is_same = made.counted_by.is_some_and(|other| self.inputs.count(other) == self.inputs.count(count));
        is_same.then_some(count)
    }

    fn word_of_input(&self, count: CountBytes) -> Word {
        let mut word = Word::plain(self.inputs.count(count));
        for (number, expr) in (count.first..).zip(&mut word.exprs[..count.n_bytes as usize]) {
            *expr = (carried(number), 0);
        }
        word
    }

    /// Whether the size of an object must be known before it is looked at: of strings, as their end is a zero.
    pub(super) fn is_string(&self, object: ObjectId) -> bool {
        let heap = self.graph.as_ref().map(|graph| &graph.heap);
        let node = self.counted(object).and_then(|made| made.node);
        heap.zip(node).is_some_and(|(heap, node)| heap.node(node).n_after > 0)
    }

    /// Goes back to when so many were bound, with their sizes under the present input.
    pub(super) fn restore_sizes(&mut self, saved: &SavedSizes, len: usize) {
        self.sizes.by_object.clear();
        self.sizes.bound.clear();
        for &(object, expr) in &saved.0[..len] {
            let value = self.value(expr);
            self.sizes.bound.push((object, expr));
            self.sizes.by_object.insert(object, OpenSize { expr, value });
        }
    }
}
