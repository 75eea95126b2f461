//! CaDiCaL, by way of `rustsat`.

use rustc_hash::FxHashSet;
use rustsat::solvers::{ControlSignal, GetInternalStats, PhaseLit, Solve, SolveIncremental, SolverResult, Terminate};
use rustsat::types::{Lit as RustsatLit, TernaryVal, Var};
use rustsat_cadical::{CaDiCaL, Limit};

use super::{Lit, SatSolver, Verdict};
use crate::blast::budget::{Budget, Stop};

/// What to make of suggestions. CaDiCaL tries a value that it is told first at every decision, not at the first one
/// only, which on hard questions keeps it from going where its search leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Suggestions {
    Take,
    Ignore,
}

pub(crate) struct Cadical {
    suggestions: Suggestions,
    solver: CaDiCaL<'static, 'static>,
    n_vars: u32,
    failed: FxHashSet<Lit>,
}

impl Cadical {
    pub fn new(suggestions: Suggestions) -> Self {
        Cadical { suggestions, solver: CaDiCaL::default(), n_vars: 0, failed: FxHashSet::default() }
    }
}

fn translate(lit: Lit) -> RustsatLit {
    RustsatLit::new(lit.var(), lit.is_negated())
}

impl SatSolver for Cadical {
    fn new_var(&mut self) -> u32 {
        self.n_vars += 1;
        self.n_vars - 1
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        let clause: rustsat::types::Clause = clause.iter().copied().map(translate).collect();
        self.solver.add_clause_ref(&clause).expect("CaDiCaL takes any clause while there is memory");
    }

    fn suggest(&mut self, lit: Lit) {
        if self.suggestions == Suggestions::Take {
            self.solver.phase_lit(translate(lit)).expect("CaDiCaL takes any phase");
        }
    }

    fn solve(&mut self, assumptions: &[Lit], _scope: &[u32], budget: &Budget) -> Result<Verdict, Stop> {
        budget.check()?;
        if let Some(conflicts) = budget.conflicts {
            let limit = i32::try_from(conflicts).unwrap_or(i32::MAX);
            self.solver.set_limit(Limit::Conflicts(limit)).expect("CaDiCaL knows this limit");
        }
        let in_search = budget.clone();
        self.solver.attach_terminator(move || match in_search.check() {
            Ok(()) => ControlSignal::Continue,
            Err(_) => ControlSignal::Terminate,
        });
        let translated: Vec<RustsatLit> = assumptions.iter().copied().map(translate).collect();
        let result = self.solver.solve_assumps(&translated);
        self.solver.detach_terminator();
        self.failed.clear();
        match result {
            Ok(SolverResult::Sat) => Ok(Verdict::Sat),
            Ok(SolverResult::Unsat) => {
                let core = self.solver.core().expect("CaDiCaL has a core after unsat");
                self.failed.extend(core.iter().map(|lit| Lit::new(lit.vidx32(), lit.is_pos())));
                Ok(Verdict::Unsat)
            }
            Ok(SolverResult::Interrupted) | Err(_) => {
                budget.check()?;
                Err(Stop::Conflicts)
            }
        }
    }

    fn value(&self, var: u32) -> bool {
        self.solver.lit_val(Var::new(var).pos_lit()).is_ok_and(|value| value == TernaryVal::True)
    }

    fn is_failed(&self, assumption: Lit) -> bool {
        self.failed.contains(&assumption)
    }

    fn n_conflicts(&self) -> u64 {
        self.solver.conflicts() as u64
    }

    fn n_assigned(&self) -> usize {
        self.n_vars as usize
    }
}
