//! Whether a path has a valid input, by a function of the program that says which are.
//!
//! The function is called behind the path, with the input as it was given; what it decides is explored, with the path's conditions before
//! it, until it accepts. So what the path left open is chosen such that the input is valid, if it can be.

use super::Explorer;
use crate::queries::Found;
use spelunk_concolic::decision::Choice;
use spelunk_concolic::{Audit, Expected, Input, Run};
use spelunk_expr::ExprId;
use spelunk_solver::Query;
use spelunk_vm::Stop;
use spelunk_vm::memory::Fault;

/// How often the function is called for one path.
const MAX_RUNS: usize = 256;

/// Inputs that the function has not been called with, and from which of its decisions on others are to be looked for.
struct Waiting(Vec<(Input, usize)>);

impl Waiting {
    /// One with the fewest objects, as there is no end of those that grow; of several the one that was found last.
    fn take(&mut self) -> Option<(Input, usize)> {
        let n_objects = |&number: &usize| self.0[number].0.objects.len();
        let smallest = (0..self.0.len()).rev().min_by_key(n_objects)?;
        Some(self.0.remove(smallest))
    }
}

impl Explorer<'_> {
    /// Nothing if no function says so, or the path has not come to an end.
    pub(super) fn audit(&mut self, run: &Run) -> Result<Option<Audit>, Fault> {
        if !self.runner.audits() || !matches!(run.stop, Stop::Exited(_) | Stop::Killed(_) | Stop::Bug(_)) {
            return Ok(None);
        }
        let expected: Vec<Expected> = run.path.iter().map(|it| (it.site, Choice::Key(it.taken))).collect();
        let mut waiting = Waiting(vec![(Input::clone(&run.input), expected.len())]);
        let mut is_complete = true;
        for _ in 0..MAX_RUNS {
            let Some((input, first)) = waiting.take() else {
                return Ok(Some(if is_complete { Audit::Invalid } else { Audit::Unknown }));
            };
            let (audited, is_accepted) = self.runner.audit(&input, &expected)?;
            if audited.divergence.is_some() {
                is_complete = false;
                continue;
            }
            if is_accepted == Some(true) {
                return Ok(Some(Audit::Valid));
            }
            is_complete &= is_accepted.is_some();
            for index in first..audited.path.len() {
                for (choice, cond) in self.runner.others(&audited, index) {
                    is_complete &= choice != Choice::Rest;
                    match self.ask(&audited, index, cond) {
                        Found::Input(input) => waiting.0.push((input, index + 1)),
                        Found::Infeasible => {}
                        Found::Unknown(_) => is_complete = false,
                    }
                }
            }
        }
        Ok(Some(Audit::Unknown))
    }

    /// An input for which a run would have decided otherwise.
    fn ask(&mut self, run: &Run, index: usize, cond: ExprId) -> Found {
        let mut constraints: Vec<ExprId> = run.path[..index].iter().map(|decision| decision.cond).collect();
        constraints.push(cond);
        let query = Query {
            constraints: &constraints,
            n_satisfied: index,
            hint: &run.model,
            limits: &self.options.query_limits,
        };
        self.queries.find(&mut self.runner, &mut *self.solver, &query, &run.input)
    }
}
