//! What checks are going to ask of numbers, so that inputs have it from the start.
//!
//! A run that a check has refused is the origin of others: they have its numbers, a size for one, and its heap, and the check would refuse them
//! as well. What it has asked for is the same wherever the same heap is decided; so it is wished for in queries for inputs that
//! have such a heap. Wishes that can't be granted are dropped, and any input will do: nothing depends on whether they are right.

use super::references::{Decided, Targets};
use rustc_hash::FxHashMap;
use spelunk_expr::{ExprId, ExprPool, Model};

/// Heaps that are kept in mind.
const MAX_HEAPS: usize = 256;

#[derive(Debug, Default)]
pub(super) struct Ahead {
    /// The pool's epoch that conditions are of.
    epoch: u32,
    asked: FxHashMap<Targets, ExprId>,
    wishes: Wishes,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Wishes {
    #[default]
    None,
    /// The query has some.
    Made,
    /// The query is asked again without them.
    Dropped,
}

impl Ahead {
    /// A check that came after these decisions has asked for a condition.
    pub fn learn(&mut self, pool: &ExprPool, decided: &Decided, cond: ExprId) {
        self.renew(pool);
        if self.asked.len() < MAX_HEAPS {
            self.asked.insert(decided.targets(), cond);
        }
    }

    /// What checks are going to ask for, for a query with these decisions: all else is as in its origin.
    pub fn wishes(&mut self, pool: &ExprPool, decided: &Decided, origin: &Model, asked: &[ExprId]) -> Vec<ExprId> {
        self.renew(pool);
        if std::mem::take(&mut self.wishes) == Wishes::Dropped {
            return Vec::new();
        }
        let has_heap = |targets: &Targets| targets.iter().all(|&(var, target)| decided.leads_to(var, target, origin));
        let expected = self.asked.iter().filter(|(targets, cond)| !asked.contains(cond) && has_heap(targets));
        let mut wishes: Vec<ExprId> = expected.map(|(_, &cond)| cond).collect();
        wishes.sort_unstable();
        wishes.dedup();
        if !wishes.is_empty() {
            self.wishes = Wishes::Made;
        }
        wishes
    }

    /// The query has no answer. Says whether it may have one without wishes.
    pub fn drop_wishes(&mut self) -> bool {
        let are_made = self.wishes == Wishes::Made;
        self.wishes = if are_made { Wishes::Dropped } else { Wishes::None };
        are_made
    }

    fn renew(&mut self, pool: &ExprPool) {
        if self.epoch != pool.epoch() {
            self.epoch = pool.epoch();
            self.asked.clear();
        }
    }
}
