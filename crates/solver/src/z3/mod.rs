//! Z3 as a backend: everything that expressions can say, and formulas over integers and reals ([`arith`]).
//!
//! `translate` makes terms of expressions, `session` says in which ways Z3 is asked and what it keeps between queries,
//! `effort` keeps it within limits, `model` brings values back. [`Z3::check`] states which way comes first.

pub mod arith;
mod effort;
mod ffi;
mod model;
mod refine;
mod session;
mod translate;

use std::time::Instant;

use spelunk_expr::{ExprId, ExprPool, Model};
use z3::Solver as RawSolver;

use crate::Solver;
use crate::query::{Answer, Query, Unknown};
use crate::stats::LayerStats;
use effort::{Effort, Verdict};
use model::Models;
use session::{AssumptionSession, Constraint, PathSession, check_once};
use translate::{Theories, Translator};

/// After this many attempts in a row were too short, most queries make none.
const MAX_SKIPPED: u32 = 15;

/// Z3, incremental. It belongs to the thread that made it.
pub struct Z3 {
    stats: LayerStats,
    translator: Translator,
    models: Models,
    /// For a short attempt at every query without floats. Made for the first one: many programs never come here, and it takes longer than
    /// all their queries.
    path: Option<PathSession>,
    assumptions: AssumptionSession,
    /// How many brief attempts to leave out, and how many the next failure will cost.
    n_to_skip: u32,
    n_skipped_next: u32,
}

impl Default for Z3 {
    fn default() -> Self {
        Self::new()
    }
}

impl Z3 {
    pub fn new() -> Self {
        Z3 {
            stats: LayerStats::new("z3"),
            translator: Translator::default(),
            models: Models::default(),
            path: None,
            assumptions: AssumptionSession::default(),
            n_to_skip: 0,
            n_skipped_next: 0,
        }
    }

    fn answer(&mut self, pool: &ExprPool, query: &Query<'_>) -> Answer {
        let effort = Effort::new(query.limits);
        if self.models.holds(pool, query.hint, query.targets()) {
            return Answer::Sat(Model::new());
        }
        if query.constraints.contains(&ExprId::FALSE) {
            return Answer::Unsat(vec![ExprId::FALSE]);
        }
        let (constraints, theories) = self.translate(pool, query);
        if theories.wide_products {
            return Answer::Unknown(Unknown::Unsupported("a multiplication this wide"));
        }
        if let Some(why) = effort.exhausted() {
            return Answer::Unknown(why);
        }
        match self.check_terms(pool, query, &effort, &constraints, theories) {
            // Where Z3 is told to stop, it may take for a model what it has by then.
            Answer::Unknown(Unknown::WrongModel) => Answer::Unknown(effort.exhausted().unwrap_or(Unknown::WrongModel)),
            answer => answer,
        }
    }

    fn translate(&mut self, pool: &ExprPool, query: &Query<'_>) -> (Vec<Constraint>, Theories) {
        let mut theories = Theories::default();
        let mut constraints = Vec::with_capacity(query.constraints.len());
        for &id in query.constraints.iter().filter(|&&id| id != ExprId::TRUE) {
            constraints.push((id, self.translator.condition(pool, id)));
            theories = theories.union(self.translator.theories(id));
        }
        (constraints, theories)
    }

    /// A short attempt first; what it leaves goes where search is best.
    fn check_terms(
        &mut self,
        pool: &ExprPool,
        query: &Query<'_>,
        effort: &Effort<'_>,
        constraints: &[Constraint],
        theories: Theories,
    ) -> Answer {
        if !theories.floats
            && self.makes_brief_attempt()
            && let Some(answer) = self.brief_attempt(pool, query, effort, constraints)
        {
            return answer;
        }
        if theories == Theories::default() {
            let (verdict, core) = self.assumptions.check(effort, constraints);
            if let Verdict::Unsat = verdict {
                return Answer::Unsat(core);
            }
            if !matches!(verdict, Verdict::TooHard | Verdict::Unknown(Unknown::GaveUp(_))) {
                return self.conclude(pool, query, verdict, From::Assumptions);
            }
        }
        if theories.remainders {
            return refine::check(pool, query, effort, constraints, &mut self.translator, &mut self.models);
        }
        let (verdict, solver) = check_once(effort, constraints.iter().map(|(_, term)| term));
        self.conclude(pool, query, verdict, From::Once(&solver))
    }

    /// The answer, if little work is enough for one.
    fn brief_attempt(
        &mut self,
        pool: &ExprPool,
        query: &Query<'_>,
        effort: &Effort<'_>,
        constraints: &[Constraint],
    ) -> Option<Answer> {
        let verdict = self.path.get_or_insert_with(PathSession::new).check(effort, constraints);
        let answer = match verdict {
            Verdict::TooHard => None,
            verdict => match self.conclude(pool, query, verdict, From::Path) {
                // At its limit, Z3 may take for a model what it has by then.
                Answer::Unknown(Unknown::WrongModel) => {
                    self.path.iter_mut().for_each(PathSession::clear);
                    None
                }
                answer => Some(answer),
            },
        };
        self.note_brief_attempt(answer.is_some());
        answer
    }

    /// Brief attempts that were in vain become rare.
    fn makes_brief_attempt(&mut self) -> bool {
        let makes = self.n_to_skip == 0;
        self.n_to_skip = self.n_to_skip.saturating_sub(1);
        makes
    }

    fn note_brief_attempt(&mut self, was_enough: bool) {
        if was_enough {
            self.n_skipped_next = 0;
        } else {
            self.n_to_skip = self.n_skipped_next;
            self.n_skipped_next = (2 * self.n_skipped_next + 1).min(MAX_SKIPPED);
        }
    }

    fn conclude(&mut self, pool: &ExprPool, query: &Query<'_>, verdict: Verdict, from: From<'_>) -> Answer {
        match verdict {
            Verdict::Sat => {
                let solver = match from {
                    From::Path => self.path.as_ref().map(PathSession::solver),
                    From::Assumptions => self.assumptions.solver(),
                    From::Once(solver) => Some(solver),
                };
                let Some(found) = solver.and_then(RawSolver::get_model) else {
                    return Answer::Unknown(Unknown::GaveUp("no model".into()));
                };
                self.models.read(pool, &mut self.translator, query, &found)
            }
            Verdict::Unsat => Answer::Unsat(query.constraints.to_vec()),
            Verdict::TooHard => Answer::Unknown(Unknown::GaveUp("out of resources".into())),
            Verdict::Unknown(why) => Answer::Unknown(why),
        }
    }
}

/// Which solver has the model.
enum From<'s> {
    Path,
    Assumptions,
    Once(&'s RawSolver),
}

impl Solver for Z3 {
    fn check(&mut self, pool: &mut ExprPool, query: &Query<'_>) -> Answer {
        let start = Instant::now();
        let answer = self.answer(pool, query);
        self.stats.n_queries += 1;
        self.stats.count(&answer);
        self.stats.time += start.elapsed();
        answer
    }

    fn forget(&mut self, _pool: &ExprPool, freed: &[ExprId]) {
        self.translator.forget(freed);
        self.models.forget();
        self.path.iter_mut().for_each(|path| path.forget(freed));
        self.assumptions.forget(freed);
    }

    fn stats(&self, out: &mut Vec<LayerStats>) {
        out.push(self.stats.clone());
    }
}
