//! What checks are known to ask for, so that inputs for other shapes are chosen such that they pass.
//!
//! A check that is one condition asks for the same whenever the same pointers were decided in the same way, whatever else the path has
//! decided. An input for a shape of which that is known is first looked for with it, and without if there is none: so nothing
//! depends on it but how many runs are excluded.

use crate::theories::Wished;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use spelunk_expr::{ExprId, ExprPool};
use std::hash::Hasher;

/// Of all runs with one pool.
#[derive(Debug, Default)]
pub(super) struct Wishes {
    /// Conditions that are alternatives for a pointer.
    shapes: FxHashSet<ExprId>,
    /// By the pointers that were decided.
    wished: FxHashMap<u64, Wished>,
    /// The pool's epoch that these are of.
    epoch: u32,
}

impl Wishes {
    /// Forgets what was collected.
    fn renew(&mut self, pool: &ExprPool) {
        if self.epoch != pool.epoch() {
            *self = Self { epoch: pool.epoch(), ..Self::default() };
        }
    }

    /// Takes note of alternatives for a pointer.
    pub fn add_shapes(&mut self, pool: &ExprPool, conds: impl Iterator<Item = ExprId>) {
        self.renew(pool);
        self.shapes.extend(conds);
    }

    /// A check has asked for a condition, behind these of the path.
    pub fn add(&mut self, pool: &ExprPool, path: impl Iterator<Item = ExprId>, wish: ExprId) {
        self.renew(pool);
        let wished = self.wished.entry(self.shape(path)).or_default();
        if !wished.contains(&wish) {
            wished.push(wish);
        }
    }

    /// What checks will ask for if these conditions hold, of which the last is new.
    pub fn of(&mut self, pool: &ExprPool, conds: &[ExprId]) -> Wished {
        self.renew(pool);
        if self.wished.is_empty() || !conds.last().is_some_and(|last| self.shapes.contains(last)) {
            return Wished::new();
        }
        self.wished.get(&self.shape(conds.iter().copied())).cloned().unwrap_or_default()
    }

    fn shape(&self, conds: impl Iterator<Item = ExprId>) -> u64 {
        let mut hasher = FxHasher::default();
        conds.filter(|cond| self.shapes.contains(cond)).for_each(|cond| hasher.write_u32(cond.index() as u32));
        hasher.finish()
    }
}
