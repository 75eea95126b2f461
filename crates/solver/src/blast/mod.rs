//! The bit-blaster: expressions as gates, queries as assumptions of an incremental SAT solver.
//!
//! A constraint becomes bits of a [`circuit`], each expression once; the bits of a query become assumptions; the
//! [`cone`] of the assumptions becomes clauses of a solver that keeps them, and what it learns, for the next query. An
//! assignment becomes a model near to the hint, or shows which axioms of arrays are still missing.
//!
//! Floats are not blasted.

mod arrays;
mod assumptions;
mod budget;
mod cdcl;
mod circuit;
mod cnf;
mod cone;
mod defs;
mod div;
mod gates;
mod lower;
mod model;
mod mul;
mod poly;
mod sat;
mod stages;
mod words;

use std::time::Instant;

use spelunk_expr::{Evaluator, ExprId, ExprPool, Model};

pub(crate) use model::keep_hint;
pub use sat::SatKind;

use crate::Solver;
use crate::query::{Answer, Query, Unknown};
use crate::stats::LayerStats;
use arrays::{fill_arrays, inner_first};
use assumptions::Assumptions;
use budget::{Budget, Stop};
use circuit::Circuit;
use cone::Cone;
use gates::{Bit, DefId, Gate};
use sat::Verdict;
use stages::{Question, Stages};

pub struct Blaster {
    circuit: Circuit,
    stages: Stages,
    suggestions: Vec<(Bit, bool)>,
    assumptions: Assumptions,
    cone: Cone,
    evaluator: Evaluator,
    n_restarts: u64,
    stats: LayerStats,
}

/// What a [`Blaster`] holds, and how often it began anew.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sizes {
    pub n_gates: usize,
    /// Of all SAT solvers.
    pub n_vars: usize,
    /// Of all SAT solvers, without those that they learned.
    pub n_clauses: usize,
    /// How often all gates were dropped.
    pub n_circuit_restarts: u64,
    /// How often the clauses of a SAT solver were dropped.
    pub n_solver_restarts: u64,
    /// Of all SAT solvers, in all queries.
    pub n_conflicts: u64,
}

/// Gates beyond which those that the last query did not need may be dropped: about 100 bytes each.
const MANY_GATES: usize = 1 << 21;
/// How many times as many gates as the last query needed are too many, when there are many.
const TOO_MANY_TIMES: usize = 8;

impl Blaster {
    pub fn new(sat: SatKind) -> Self {
        Self {
            circuit: Circuit::default(),
            stages: Stages::new(sat),
            suggestions: Vec::new(),
            assumptions: Assumptions::default(),
            cone: Cone::default(),
            evaluator: Evaluator::new(),
            n_restarts: 0,
            stats: LayerStats::new("blast"),
        }
    }

    /// How much there is of what, for those who want to know what a run costs.
    pub fn sizes(&self) -> Sizes {
        Sizes {
            n_gates: self.circuit.gates.len(),
            n_vars: self.stages.n_vars(),
            n_clauses: self.stages.n_clauses(),
            n_circuit_restarts: self.n_restarts,
            n_solver_restarts: self.stages.n_restarts(),
            n_conflicts: self.stages.n_conflicts(),
        }
    }

    /// Drops all that was built; what is still asked for is built again.
    fn restart(&mut self) {
        self.n_restarts += 1;
        self.circuit = Circuit::default();
        self.stages.clear();
    }

    fn answer(&mut self, pool: &ExprPool, query: &Query<'_>) -> Result<Answer, Stop> {
        let mut budget = Budget::new(query.limits);
        budget.check()?;
        let n_gates = self.circuit.gates.len();
        if n_gates > MANY_GATES && n_gates > TOO_MANY_TIMES * self.cone.n_gates() {
            self.restart();
        }
        if self.hint_satisfies(pool, query) {
            return Ok(Answer::Sat(Model::new()));
        }
        self.assumptions.clear();
        for &constraint in query.constraints {
            let bit = self.circuit.lower(pool, constraint, &budget)?[0];
            if let Err(core) = self.assumptions.add(&self.circuit.gates, constraint, bit) {
                return Ok(Answer::Unsat(core));
            }
        }
        loop {
            self.cone.trace(&self.circuit, self.assumptions.bits.iter().copied());
            self.suggest_hint(pool, query.hint);
            let question = Question {
                circuit: &self.circuit,
                cone: &self.cone,
                assumptions: &self.assumptions.bits,
                suggestions: &self.suggestions,
            };
            match self.stages.solve(&question, &mut budget)? {
                Verdict::Unsat => {
                    return Ok(Answer::Unsat(self.assumptions.core(|bit| self.stages.instance().is_failed(bit))));
                }
                Verdict::Sat => {
                    let model =
                        model::read_model(&self.circuit.gates, pool, &self.cone, self.stages.instance(), query.hint);
                    if let Some(answer) = self.check_reads(pool, query, model, &budget)? {
                        return Ok(answer);
                    }
                }
            }
        }
    }

    /// Usually not, and what does not hold usually comes last.
    fn hint_satisfies(&mut self, pool: &ExprPool, query: &Query<'_>) -> bool {
        let mut evaluation = self.evaluator.under(pool, query.hint);
        query.constraints.iter().rev().all(|&constraint| evaluation.eval_bool(constraint))
    }

    /// Values of the hint are tried first.
    fn suggest_hint(&mut self, pool: &ExprPool, hint: &Model) {
        self.suggestions.clear();
        for &id in &self.cone.vars {
            if let Gate::Var { var, at } = self.circuit.gates.gate(id) {
                self.suggestions.push((id.bit(), model::hint_bit(hint, pool, var, at)));
            }
        }
        let mut evaluation = self.evaluator.under(pool, hint);
        for read in self.cone.defs.iter().filter_map(|&def| self.circuit.defs.read(def)) {
            let value = evaluation.eval_u64(read.expr());
            let bits = read.bits().iter().enumerate().filter(|(_, bit)| self.cone.contains(**bit));
            self.suggestions.extend(bits.map(|(at, &bit)| (bit, value >> at & 1 != 0)));
        }
    }

    /// The answer that a model is, unless arrays don't hold what it says they do: then axioms were added.
    fn check_reads(
        &mut self,
        pool: &ExprPool,
        query: &Query<'_>,
        mut model: Model,
        budget: &Budget,
    ) -> Result<Option<Answer>, Stop> {
        let mut reads: Vec<DefId> =
            self.cone.defs.iter().copied().filter(|&def| self.circuit.defs.read(def).is_some()).collect();
        if !reads.is_empty() {
            reads.sort_unstable();
            if reads.iter().any(|&def| self.circuit.defs.read(def).is_some_and(|read| !read.pinned().is_empty())) {
                reads = inner_first(&self.circuit, pool, &reads);
            }
            let mut full = query.hint.clone();
            full.update(&model);
            let value = |bit| self.cone.contains(bit).then(|| self.stages.instance().value(bit));
            let providers = fill_arrays(&self.circuit, pool, &reads, &mut full, &mut self.evaluator, value);
            let mut evaluation = self.evaluator.under(pool, &full);
            if !query.constraints.iter().all(|&constraint| evaluation.eval_bool(constraint)) {
                let is_refined =
                    self.circuit.refine(pool, &reads, (&full, &providers), &mut self.evaluator, value, budget)?;
                return Ok((!is_refined).then_some(Answer::Unknown(Unknown::WrongModel)));
            }
            for &(var, _) in providers.keys() {
                if let Some(array) = full.array(var) {
                    *model.array_mut(var) = array.clone();
                }
            }
        }
        model::keep_hint(&mut self.evaluator, pool, query.constraints, query.hint, &mut model);
        Ok(Some(Answer::Sat(model)))
    }
}

impl Solver for Blaster {
    fn check(&mut self, pool: &mut ExprPool, query: &Query<'_>) -> Answer {
        let start = Instant::now();
        let answer = self.answer(pool, query).unwrap_or_else(|stop| Answer::Unknown(stop.into()));
        self.stats.n_queries += 1;
        self.stats.count(&answer);
        self.stats.time += start.elapsed();
        answer
    }

    fn forget(&mut self, _pool: &ExprPool, freed: &[ExprId]) {
        for &id in freed {
            self.circuit.words.forget(id);
        }
        if self.circuit.words.is_mostly_dead() {
            self.restart();
        }
    }

    fn stats(&self, out: &mut Vec<LayerStats>) {
        out.push(self.stats.clone());
    }
}
