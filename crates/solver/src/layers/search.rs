//! Local search: values that don't satisfy a query are changed until they do.
//!
//! One condition that does not hold is drawn by lot, and mended by undoing its operations down to variables (`undo`),
//! with a lot wherever there are several ways or values. Unlike in inversion, what was set before may be changed again,
//! and what breaks is mended later. That is propagation-based local search (Niemetz, Preiner and Biere 2017) but for
//! the choice of operands, which here is blind; it finds values where arithmetic leaves many, and proves nothing.
//!
//! The lots are the same in every run. A search that was of no use lately is short.

use spelunk_bv::int;
use spelunk_expr::{ExprId, ExprPool, Model, Overlay, Sort, VarId};

use super::hard::HardTerms;
use super::undo::{self, Undo};
use crate::blast::keep_hint;
use crate::chain::Layer;
use crate::query::{Answer, Query};
use crate::stage::{Context, Freed, Rest, Stage};

#[derive(Default)]
pub struct Search {
    undo: Undo,
    hard: HardTerms,
    violated: Vec<ExprId>,
    /// How often it failed lately, up to [`MAX_FAILURES`].
    n_failures: u32,
}

/// Conditions that are evaluated.
const MAX_STEPS: u64 = 1 << 15;
const STEPS_A_CONFLICT: u64 = 8;
const MAX_FAILURES: u32 = 4;

/// After so many changes in vain, it goes on from somewhere else.
const MAX_MOVES: u64 = 64;

const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

impl Stage for Search {
    fn name(&self) -> &'static str {
        Layer::Search.name()
    }

    fn check(&mut self, cx: &mut Context<'_>, query: &Query<'_>, rest: &mut Rest<'_>) -> Answer {
        if !self.is_worth_it(cx, query) {
            return rest.check(cx, query);
        }
        let found = self.search(cx, query);
        self.n_failures = match found {
            Some(_) => self.n_failures.saturating_sub(1),
            None => (self.n_failures + 1).min(MAX_FAILURES),
        };
        found.map_or_else(|| rest.check(cx, query), Answer::Sat)
    }

    fn forget(&mut self, freed: &Freed) {
        self.hard.forget(freed);
    }
}

impl Search {
    /// Products and quotients are, of several variables: one is better taken apart than walked through.
    fn is_worth_it(&mut self, cx: &mut Context<'_>, query: &Query<'_>) -> bool {
        let mut only = None;
        let mut has_others = |&constraint: &ExprId| {
            let vars = cx.free_vars.of(cx.pool, constraint);
            cx.free_vars.iter(vars).any(|var| *only.get_or_insert(var) != var)
        };
        query.constraints.iter().any(&mut has_others)
            && query.constraints.iter().any(|&constraint| self.hard.contains(cx.pool, constraint))
    }

    fn search(&mut self, cx: &mut Context<'_>, query: &Query<'_>) -> Option<Model> {
        let n_steps = query.limits.steps(STEPS_A_CONFLICT, MAX_STEPS, self.n_failures);
        let n_moves = n_steps / query.constraints.len() as u64;
        let mut changes = Model::new();
        for n_moved in 0..n_moves {
            let mut seed = SEED.wrapping_mul(2 * n_moved + 1);
            if n_moved % MAX_MOVES == MAX_MOVES - 1 {
                scatter(cx.pool, &mut changes, &mut seed);
            }
            let overlay = Overlay { base: query.hint, changes: &changes };
            let mut values = cx.evaluator.under(cx.pool, overlay);
            self.violated.clear();
            self.violated.extend(query.constraints.iter().filter(|&&constraint| !values.eval_bool(constraint)));
            let Some(&condition) = self.violated.get((seed >> 32) as usize % self.violated.len().max(1)) else {
                keep_hint(cx.evaluator, cx.pool, query.constraints, query.hint, &mut changes);
                return Some(changes);
            };
            self.undo.start_random(seed);
            // Half of a way is a move as well.
            self.undo.wish(cx.pool, &mut values, &Model::new(), condition);
            for &(var, value) in self.undo.found() {
                changes.set_u64(var, value);
            }
        }
        None
    }
}

/// Gives other values to all that was changed.
fn scatter(pool: &ExprPool, changes: &mut Model, seed: &mut u64) {
    let vars: Vec<VarId> = changes.vars().collect();
    for var in vars {
        if let Sort::Bv(width @ ..=64) = pool.var_sort(var) {
            changes.set_u64(var, int::trunc(width, undo::random_of_any_size(seed)));
        }
    }
}
