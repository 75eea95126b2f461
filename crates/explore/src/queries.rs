//! Queries about inputs that are graphs of objects.
//!
//! A pointer is at first asked to be null or to lead to its own object; only if no input is found are graphs tried in which
//! pointers share objects. What sharing implies is added when a model contradicts it.

use rustc_hash::FxHashSet;
use spelunk_concolic::Runner;
use spelunk_concolic::graph::theory::Reach;
use spelunk_expr::{ExprId, VarId};
use spelunk_solver::{Answer, Query, Solver, Unknown};

/// A model may contradict what sharing implies so often before the query is given up.
const MAX_ROUNDS: usize = 64;

#[derive(Debug, Default)]
pub struct Queries {
    constraints: Vec<ExprId>,
    domains: Vec<(ExprId, bool)>,
    implied: Vec<ExprId>,
    /// What the query speaks of.
    relevant: FxHashSet<VarId>,
    pub n_queries: u64,
}

impl Queries {
    /// As `Solver::check`.
    pub fn check(&mut self, runner: &mut Runner<'_>, solver: &mut dyn Solver, query: &Query<'_>) -> Answer {
        if !runner.has_graph() {
            self.n_queries += 1;
            return solver.check(runner.pool_mut(), query);
        }
        let mut answer = Answer::Unknown(Unknown::Interrupted);
        for reach in Reach::ALL {
            if !runner.machine().has_reach(reach) {
                break;
            }
            self.relevant = runner.machine().vars_in(query.constraints);
            runner.machine_mut().domains(query.hint, reach, &self.relevant, query.targets(), &mut self.domains);
            answer = self.check_within(runner, solver, query);
            match &answer {
                // Where pointers may lead had no part in it: it is so for all graphs.
                Answer::Unsat(core) if core.iter().all(|cond| query.constraints.contains(cond)) => break,
                Answer::Unsat(_) => {}
                Answer::Sat(_) | Answer::Unknown(_) => break,
            }
        }
        answer
    }

    /// The same, with the domains as further constraints.
    fn check_within(&mut self, runner: &mut Runner<'_>, solver: &mut dyn Solver, query: &Query<'_>) -> Answer {
        self.implied.clear();
        for _ in 0..MAX_ROUNDS {
            let domains =
                |holds: bool| self.domains.iter().filter(move |domain| domain.1 == holds).map(|domain| domain.0);
            self.constraints.clear();
            self.constraints.extend_from_slice(query.satisfied());
            self.constraints.extend(domains(true));
            let n_satisfied = self.constraints.len();
            self.constraints.extend_from_slice(query.targets());
            self.constraints.extend(domains(false));
            self.constraints.extend_from_slice(&self.implied);
            let within = Query { constraints: &self.constraints, n_satisfied, ..*query };
            self.n_queries += 1;
            let mut changes = match solver.check(runner.pool_mut(), &within) {
                Answer::Sat(changes) => changes,
                other => return other,
            };
            let mut model = query.hint.clone();
            model.update(&changes);
            let n_before = self.implied.len();
            runner.machine_mut().violated(&model, &self.relevant, &mut self.implied);
            if self.implied.len() == n_before {
                runner.machine_mut().unshare(&model, &mut self.relevant, &mut changes);
                runner.machine().restate(query.hint, &mut changes);
                return Answer::Sat(changes);
            }
            self.relevant.extend(runner.machine().vars_in(&self.implied[n_before..]));
        }
        Answer::Unknown(Unknown::Unsupported("a graph in which too many pointers share objects"))
    }
}
