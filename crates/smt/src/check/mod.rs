//! Whether conditions can hold together: what expressions can't say is put into constraints (`lower`, `axioms`), the
//! solver is asked, and its values become those of all names (`valuation`).

mod axioms;
mod lower;
mod valuation;

use rustc_hash::FxHashMap;
use spelunk_expr::{Evaluator, ExprId, Model};
use spelunk_solver::{Answer, LayerStats, Limits, LogError, Query, Solver, Unknown};

use crate::context::Context;
use axioms::Axioms;
use lower::Lowered;
pub use valuation::{ArrayContents, Contents, Valuation};

/// Whether it matters which conditions are to blame when they can't hold together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blame {
    Named,
    Open,
}

#[derive(Debug)]
pub enum Verdict {
    Sat,
    /// The conditions that can't hold together, by position. All of them, if nobody wants to know.
    Unsat(Vec<usize>),
    Unknown(Unknown),
}

pub struct Checker {
    solver: Box<dyn Solver>,
    limits: Limits,
    axioms: Axioms,
    /// Of the last check that was satisfiable.
    valuation: Valuation,
    evaluator: Evaluator,
}

impl Checker {
    pub fn new(solver: Box<dyn Solver>, limits: Limits) -> Self {
        Checker {
            solver,
            limits,
            axioms: Axioms::default(),
            valuation: Valuation::default(),
            evaluator: Evaluator::new(),
        }
    }

    pub fn stats(&self) -> Vec<LayerStats> {
        let mut stats = Vec::new();
        self.solver.stats(&mut stats);
        stats
    }

    pub fn log_error(&self) -> Option<&LogError> {
        self.solver.log_error()
    }

    /// The values that the last satisfiable check found.
    pub fn valuation(&mut self) -> &mut Valuation {
        &mut self.valuation
    }

    pub fn check(&mut self, context: &mut Context, conditions: &[ExprId], blame: Blame) -> Verdict {
        let lowered = Lowered::new(context, &mut self.axioms, conditions, blame);
        let hint = self.valuation.model.clone();
        let (constraints, n_satisfied) = self.sorted(context, &lowered, &hint);
        let query = Query { constraints: &constraints, n_satisfied, hint: &hint, limits: &self.limits };
        let answer = self.solver.check(&mut context.pool, &query);
        // An interrupt is meant for the check at hand alone.
        self.limits.deadline.lower();
        match answer {
            Answer::Sat(found) => {
                let mut model = hint;
                model.update(&found);
                self.valuation = lowered.valuation(context, model);
                if self.valuation.satisfies(context, conditions) {
                    Verdict::Sat
                } else {
                    Verdict::Unknown(Unknown::WrongModel)
                }
            }
            Answer::Unsat(core) => Verdict::Unsat(lowered.blamed(&core, conditions.len())),
            Answer::Unknown(why) => Verdict::Unknown(why),
        }
    }

    /// The constraints, those first that the hint satisfies, and how many they are.
    fn sorted(&mut self, context: &Context, lowered: &Lowered, hint: &Model) -> (Vec<ExprId>, usize) {
        let mut values = self.evaluator.under(&context.pool, hint);
        let holds: FxHashMap<ExprId, bool> =
            lowered.constraints.iter().map(|&constraint| (constraint, values.eval_bool(constraint))).collect();
        let (mut satisfied, others): (Vec<ExprId>, Vec<ExprId>) =
            lowered.constraints.iter().partition(|constraint| holds[constraint]);
        let n_satisfied = satisfied.len();
        satisfied.extend(others);
        (satisfied, n_satisfied)
    }
}
