//! The ways of asking Z3, each with the solver that it keeps between queries.
//!
//! - [`PathSession`] pushes one constraint after the other, and pops back to what the next query has in common with the
//!   last one. Z3's general solver is the quickest of all at queries that need no search.
//! - [`AssumptionSession`] bit-blasts each constraint once, behind a literal that queries assume. It is slower to begin
//!   with and much faster at search, and knows which constraints contradict each other. Bit-vectors only.
//! - [`check_once`] starts from nothing, but simplifies all constraints together: what floats need most.

use rustc_hash::{FxHashMap, FxHashSet};
use spelunk_expr::ExprId;
use z3::Solver;
use z3::ast::Bool;

use super::effort::{Effort, LimitedSolver, Verdict};

/// A constraint and its term.
pub(super) type Constraint = (ExprId, Bool);

pub(super) struct PathSession {
    limited: LimitedSolver,
    asserted: Vec<ExprId>,
    /// How many constraints were asserted when each level was pushed.
    levels: Vec<usize>,
    n_checks: u32,
}

/// How many queries a solver is asked before another one takes its place, when expressions are collected.
const MAX_CHECKS: u32 = 2000;

/// How many constraints share a level, of those that are asserted at once: a push is as much work as an assertion,
/// while popping a level drops all of its constraints. The last one, which the next query often has not, is alone.
const LEVEL_SIZE: usize = 8;

impl PathSession {
    pub fn new() -> Self {
        let limited = LimitedSolver::brief(Solver::new());
        PathSession { limited, asserted: Vec::new(), levels: Vec::new(), n_checks: 0 }
    }

    pub fn solver(&self) -> &Solver {
        &self.limited.solver
    }

    pub fn check(&mut self, effort: &Effort<'_>, constraints: &[Constraint]) -> Verdict {
        let n_common = constraints.iter().zip(&self.asserted).take_while(|((new, _), old)| new == *old).count();
        self.pop_to(n_common);
        if let Some((last, rest)) = constraints[self.asserted.len()..].split_last() {
            rest.chunks(LEVEL_SIZE).for_each(|level| self.push(level));
            self.push(std::slice::from_ref(last));
        }
        self.n_checks += 1;
        let verdict = self.limited.check(effort, Solver::check);
        if let Verdict::TooHard | Verdict::Unknown(_) = verdict {
            // A search that was cut off may leave anything behind.
            self.clear();
        }
        verdict
    }

    fn push(&mut self, level: &[Constraint]) {
        self.limited.solver.push();
        self.levels.push(self.asserted.len());
        for (id, term) in level {
            self.limited.solver.assert(term);
            self.asserted.push(*id);
        }
    }

    /// Drops the levels with constraints beyond the first ones.
    fn pop_to(&mut self, n_kept: usize) {
        if n_kept == self.asserted.len() {
            return;
        }
        let n_levels = self.levels.partition_point(|&start| start < n_kept);
        // The level that the cut goes through is dropped as a whole.
        let n_levels = match self.levels.get(n_levels) {
            Some(&start) if start == n_kept => n_levels,
            _ => n_levels.saturating_sub(1),
        };
        self.asserted.truncate(self.levels[n_levels]);
        self.limited.solver.pop((self.levels.len() - n_levels) as u32);
        self.levels.truncate(n_levels);
    }

    pub fn clear(&mut self) {
        self.limited.solver.reset();
        self.asserted.clear();
        self.levels.clear();
    }

    /// Drops the constraints from the first on that is no more. Z3 keeps something of every constraint that a solver
    /// ever had, so an old solver goes with all of its own.
    pub fn forget(&mut self, freed: &[ExprId]) {
        if self.n_checks > MAX_CHECKS {
            *self = PathSession::new();
        }
        let freed: FxHashSet<ExprId> = freed.iter().copied().collect();
        if let Some(first) = self.asserted.iter().position(|id| freed.contains(id)) {
            self.pop_to(first);
        }
    }
}

/// How many literals that a query does not assume are carried along, beside as many again as it assumes.
const MAX_UNUSED: usize = 1000;

#[derive(Default)]
pub(super) struct AssumptionSession {
    limited: Option<LimitedSolver>,
    literals: FxHashMap<ExprId, Bool>,
    /// With those of constraints that are no more.
    n_literals: usize,
}

impl AssumptionSession {
    /// If the constraints contradict each other, with those that do.
    pub fn check(&mut self, effort: &Effort<'_>, constraints: &[Constraint]) -> (Verdict, Vec<ExprId>) {
        if self.n_literals > 2 * constraints.len() + MAX_UNUSED {
            *self = AssumptionSession::default();
        }
        let Some(limited) = self.limited.take().or_else(new_bit_blaster) else {
            return (Verdict::TooHard, Vec::new());
        };
        let assumptions: Vec<Bool> =
            constraints.iter().map(|constraint| self.literal(&limited.solver, constraint)).collect();
        let mut limited = limited;
        let verdict = limited.check(effort, |solver| solver.check_assumptions(&assumptions));
        let core = if verdict == Verdict::Unsat { self.core(&limited.solver, constraints) } else { Vec::new() };
        if let Verdict::TooHard | Verdict::Unknown(_) = verdict {
            *self = AssumptionSession::default();
        } else {
            self.limited = Some(limited);
        }
        (verdict, core)
    }

    pub fn solver(&self) -> Option<&Solver> {
        self.limited.as_ref().map(|limited| &limited.solver)
    }

    fn literal(&mut self, solver: &Solver, (id, term): &Constraint) -> Bool {
        let make = || {
            let literal = Bool::fresh_const("c");
            solver.assert(literal.implies(term));
            self.n_literals += 1;
            literal
        };
        self.literals.entry(*id).or_insert_with(make).clone()
    }

    fn core(&self, solver: &Solver, constraints: &[Constraint]) -> Vec<ExprId> {
        let literals: FxHashSet<Bool> = solver.get_unsat_core().into_iter().collect();
        let is_in_core = |id: &ExprId| literals.contains(&self.literals[id]);
        constraints.iter().map(|(id, _)| *id).filter(is_in_core).collect()
    }

    pub fn forget(&mut self, freed: &[ExprId]) {
        for id in freed {
            self.literals.remove(id);
        }
    }
}

/// For this logic, Z3 bit-blasts incrementally.
fn new_bit_blaster() -> Option<LimitedSolver> {
    Solver::new_for_logic("QF_BV").map(LimitedSolver::new)
}

/// Checks terms in a solver of their own, which is returned for its model.
pub(super) fn check_once<'t>(effort: &Effort<'_>, terms: impl Iterator<Item = &'t Bool>) -> (Verdict, Solver) {
    let mut limited = LimitedSolver::new(Solver::new());
    for term in terms {
        limited.solver.assert(term);
    }
    (limited.check(effort, Solver::check), limited.solver)
}
