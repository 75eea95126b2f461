//! The SAT solvers, asked one after the other until one knows.

use super::budget::{Budget, Stop};
use super::circuit::Circuit;
use super::cnf::Instance;
use super::cone::Cone;
use super::gates::Bit;
use super::sat::{SatKind, StageKind, Verdict};

struct Stage {
    kind: StageKind,
    instance: Instance,
}

pub(crate) struct Stages {
    stages: Vec<Stage>,
    /// The stage that knew the last verdict.
    current: usize,
    n_restarts: u64,
    n_conflicts: u64,
}

/// The question of a query, in bits.
pub(crate) struct Question<'q> {
    pub circuit: &'q Circuit,
    pub cone: &'q Cone,
    pub assumptions: &'q [Bit],
    /// Values to try first.
    pub suggestions: &'q [(Bit, bool)],
}

impl Stages {
    pub fn new(sat: SatKind) -> Self {
        let stages = sat.stages().iter().map(|&kind| Stage { kind, instance: Instance::new((kind.make)()) }).collect();
        Stages { stages, current: 0, n_restarts: 0, n_conflicts: 0 }
    }

    /// Drops all clauses: the gates they were made of are gone.
    pub fn clear(&mut self) {
        for at in 0..self.stages.len() {
            self.restart(at);
        }
    }

    fn restart(&mut self, at: usize) {
        let stage = &mut self.stages[at];
        stage.instance = Instance::new((stage.kind.make)());
        self.n_restarts += 1;
    }

    /// Asks one solver after the other, in rounds of twice as many conflicts each, so that the one that happens to be
    /// lucky is soon given its time.
    pub fn solve(&mut self, question: &Question<'_>, budget: &mut Budget) -> Result<Verdict, Stop> {
        for at in 0..self.stages.len() {
            if self.stages[at].instance.is_stale() {
                self.restart(at);
            }
        }
        for round in 0.. {
            for at in 0..self.stages.len() {
                self.current = at;
                let instance = &mut self.stages[at].instance;
                if round == 0 {
                    instance.add_cone(question.circuit, question.cone);
                    for &(bit, value) in question.suggestions {
                        instance.suggest(bit, value);
                    }
                }
                let turn = self.stages[at].kind.first_turn.map(|conflicts| conflicts.saturating_mul(1 << round));
                match self.take_turn(at, question, turn, budget) {
                    Err(Stop::Conflicts) if budget.conflicts != Some(0) => {}
                    outcome => return outcome,
                }
            }
        }
        Err(Stop::Conflicts)
    }

    fn take_turn(
        &mut self,
        at: usize,
        question: &Question<'_>,
        turn: Option<u64>,
        budget: &mut Budget,
    ) -> Result<Verdict, Stop> {
        let instance = &mut self.stages[at].instance;
        let limit = turn.into_iter().chain(budget.conflicts).min();
        let n_before = instance.n_conflicts();
        let outcome = instance.solve(question.assumptions, &budget.with_conflicts(limit));
        let n_conflicts = instance.n_conflicts() - n_before;
        self.n_conflicts += n_conflicts;
        budget.spend_conflicts(n_conflicts);
        outcome
    }

    /// The solver that knew the last verdict.
    pub fn instance(&self) -> &Instance {
        &self.stages[self.current].instance
    }

    pub fn n_restarts(&self) -> u64 {
        self.n_restarts
    }

    pub fn n_conflicts(&self) -> u64 {
        self.n_conflicts
    }

    pub fn n_vars(&self) -> usize {
        self.stages.iter().map(|stage| stage.instance.n_vars()).sum()
    }

    pub fn n_clauses(&self) -> usize {
        self.stages.iter().map(|stage| stage.instance.n_clauses()).sum()
    }
}
