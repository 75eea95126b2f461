//! A solver with its pool, every answer of which is checked as far as an answer can be checked alone: values satisfy
//! the query, and a core is a part of it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use spelunk_expr::{Evaluator, ExprId, ExprPool, Model};
use spelunk_solver::chain::{Options, build};
use spelunk_solver::{Answer, Limits, Query, Solver};

pub struct Session {
    pub name: String,
    pub pool: ExprPool,
    pub hint: Model,
    pub limits: Limits,
    solver: Box<dyn Solver>,
    evaluator: Evaluator,
}

impl Session {
    pub fn new(name: &str, options: &Options) -> Self {
        Session {
            name: name.into(),
            pool: ExprPool::new(),
            hint: Model::new(),
            limits: Limits::default(),
            solver: build(options),
            evaluator: Evaluator::new(),
        }
    }

    /// Asks whether the constraints can hold, of which the hint satisfies the first `n_satisfied`. The values of `Sat`
    /// are completed with those of the hint.
    pub fn check(&mut self, constraints: &[ExprId], n_satisfied: usize) -> Answer {
        let query = Query { constraints, n_satisfied, hint: &self.hint, limits: &self.limits };
        let Ok(answer) = catch_unwind(AssertUnwindSafe(|| self.solver.check(&mut self.pool, &query))) else {
            self.fail(constraints, "the solver panicked");
        };
        match answer {
            Answer::Sat(changed) => {
                let mut model = self.hint.clone();
                model.update(&changed);
                if let Some(violated) = self.violated(constraints, &model) {
                    self.fail(constraints, &format!("{violated:?} is false under {model:?}"));
                }
                Answer::Sat(model)
            }
            Answer::Unsat(core) => {
                if core.is_empty() || !core.iter().all(|id| constraints.contains(id)) {
                    self.fail(constraints, &format!("the core {core:?} is no part of the query {constraints:?}"));
                }
                Answer::Unsat(core)
            }
            unknown => unknown,
        }
    }

    fn violated(&mut self, constraints: &[ExprId], model: &Model) -> Option<ExprId> {
        let mut values = self.evaluator.under(&self.pool, model);
        constraints.iter().copied().find(|&constraint| !values.eval_bool(constraint))
    }

    /// Drops what the roots are not made of, and lets the solver know.
    pub fn collect(&mut self, roots: &[ExprId]) {
        let freed = self.pool.collect(roots.iter().copied());
        self.solver.forget(&self.pool, &freed);
    }

    /// Panics with the query as a script.
    pub fn fail(&self, constraints: &[ExprId], what: &str) -> ! {
        panic!("{}", self.describe(constraints, what))
    }

    /// A remark on a query, with the query as a script.
    pub fn describe(&self, constraints: &[ExprId], what: &str) -> String {
        let script = self.pool.to_smtlib(constraints);
        format!("{}: {what}\n; the hint was {:?}\n{script}(check-sat)\n", self.name, self.hint)
    }
}
