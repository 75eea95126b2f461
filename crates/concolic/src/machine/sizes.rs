//! Objects whose size depends on the input.
//!
//! Their size stays open as long as nobody has to know it: each access decides only that the object is large enough for
//! it, or not.

use super::ConcolicMachine;
use crate::decision::DecisionKind;
use crate::ledger::LedgerKind;
use rustc_hash::FxHashMap;
use spelunk_expr::ExprId;
use spelunk_vm::memory::ObjectId;
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

    fn get(&self, object: ObjectId) -> OpenSize {
        self.by_object[&object]
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
        let size = self.sizes.get(object);
        let end_expr = self.pool.mk_const(64, end);
        let bad = self.pool.mk_ult(size.expr, end_expr);
        self.check(site, BugKind::OutOfBounds, bad, size.value < end);
        size.value >= end
    }

    pub(super) fn open_size(&self, object: ObjectId) -> u64 {
        self.sizes.get(object).value
    }

    pub(super) fn pin_open(&mut self, site: u32, object: ObjectId) {
        let size = self.sizes.get(object);
        if self.graph.as_ref().is_some_and(|graph| graph.heap.is_counted(object)) {
            // There are few sizes, and each is tried.
            self.decide_value(site, size.expr, size.value);
        } else {
            self.pin(site, size.expr, size.value, LedgerKind::ConcreteValue);
        }
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
