//! Queries for inputs: theories put their side, a solver answers, theories make an input of the answer.
//!
//! A theory may solve conditions itself and leave the rest to the solver, and more of it from level to level, until it can make
//! an input of what the solver found, or knows that there is none.

use spelunk_concolic::query::{Constraints, Failed, Judgement, Level, Refuted};
use spelunk_concolic::{Input, Met, Runner};
use spelunk_expr::{ExprId, Model};
use spelunk_solver::{Answer, Query, Solver, Unknown};

/// What came of a query.
#[derive(Debug)]
pub enum Found {
    Input(Input),
    /// There is none.
    Infeasible,
    Unknown(Unknown),
}

/// How a query is to be asked again.
enum Asked {
    /// By theories that want less.
    Again,
    /// At a higher level.
    Higher,
}

#[derive(Default)]
pub struct Queries {
    assembled: Vec<ExprId>,
    /// Queries to the solver.
    pub n_queries: u64,
    pub shortcuts: Shortcuts,
}

/// How much was spared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Shortcuts {
    /// Alternatives that an input was looked for.
    pub n_alternatives: u64,
    /// Those of them whose conditions on pointers contradict each other.
    pub n_contradictions: u64,
    /// Constraints of the paths to alternatives for which the solver was asked.
    pub n_constraints: u64,
    /// Conditions that runs met, and how many of them followed from earlier ones.
    pub met: Met,
}

impl Shortcuts {
    pub fn add(&mut self, other: &Shortcuts) {
        self.n_alternatives += other.n_alternatives;
        self.n_contradictions += other.n_contradictions;
        self.n_constraints += other.n_constraints;
        self.met.n_conditions += other.met.n_conditions;
        self.met.n_implied += other.met.n_implied;
    }
}

impl Queries {
    /// As new, but for what was counted.
    pub fn renewed(&self) -> Self {
        Self { n_queries: self.n_queries, shortcuts: self.shortcuts, ..Self::default() }
    }

    /// An input for a query, as the origin where nothing else is asked for. The hint is the model of the origin.
    pub fn find(
        &mut self,
        runner: &mut Runner<'_>,
        solver: &mut dyn Solver,
        query: &Query<'_>,
        origin: &Input,
    ) -> Found {
        self.shortcuts.n_alternatives += 1;
        self.shortcuts.met = runner.machine().met();
        let mut constraints = Constraints::new(query.constraints, query.n_satisfied, query.hint);
        let mut level = Level::default();
        loop {
            constraints.reset();
            if runner.machine_mut().constrain(&mut constraints, level).is_err() {
                self.shortcuts.n_contradictions += 1;
                return Found::Infeasible;
            }
            match self.answer(runner, solver, query, &mut constraints, level, origin) {
                Ok(found) => return found,
                Err(Asked::Again) => {}
                Err(Asked::Higher) => level = level.next(),
            }
        }
    }

    /// The answer at a level, unless it is to be asked otherwise.
    fn answer(
        &mut self,
        runner: &mut Runner<'_>,
        solver: &mut dyn Solver,
        query: &Query<'_>,
        constraints: &mut Constraints<'_>,
        level: Level,
        origin: &Input,
    ) -> Result<Found, Asked> {
        loop {
            let (failed, found) = match self.ask(runner, solver, query, constraints, level) {
                Answer::Sat(changes) => match runner.machine_mut().judge(constraints, level, &changes) {
                    Judgement::Accept => {
                        return Ok(Found::Input(runner.machine_mut().realise(constraints, &changes, origin)));
                    }
                    Judgement::Lemma(lemma) => {
                        constraints.add(lemma, false);
                        continue;
                    }
                    Judgement::Higher => return Err(Asked::Higher),
                    Judgement::Unknown(why) => return Ok(Found::Unknown(Unknown::Unsupported(why))),
                },
                Answer::Unsat(_) => (Failed::Unsat, Found::Infeasible),
                Answer::Unknown(why) => (Failed::Unknown, Found::Unknown(why)),
            };
            return match runner.machine_mut().failed(constraints, level, &failed) {
                Refuted::Final => Ok(found),
                Refuted::Higher => Err(Asked::Higher),
                Refuted::Again => Err(Asked::Again),
            };
        }
    }

    /// Asks the solver for what theories leave to it.
    fn ask(
        &mut self,
        runner: &mut Runner<'_>,
        solver: &mut dyn Solver,
        query: &Query<'_>,
        constraints: &Constraints<'_>,
        level: Level,
    ) -> Answer {
        if constraints.is_untouched() {
            self.shortcuts.n_constraints += query.constraints.len() as u64;
            self.n_queries += 1;
            return solver.check(runner.pool_mut(), query);
        }
        let n_satisfied = constraints.assemble(&mut self.assembled);
        if n_satisfied == self.assembled.len() {
            return Answer::Sat(Model::new());
        }
        if level == Level::default() {
            self.shortcuts.n_constraints += query.constraints.len() as u64;
        }
        self.n_queries += 1;
        solver.check(runner.pool_mut(), &Query { constraints: &self.assembled, n_satisfied, ..*query })
    }
}
