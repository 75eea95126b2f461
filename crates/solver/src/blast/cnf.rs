//! From gates to clauses, and back from a SAT solver's variables to bits.
//!
//! A gate gets its variable and its clauses when a query's cone first contains it. So a solver holds what queries have
//! asked about, and may be thrown away and filled again at any time.

use super::budget::{Budget, Stop};
use super::circuit::Circuit;
use super::cone::{Cone, for_each_conjunct};
use super::gates::{Bit, Gate, GateId, Gates};
use super::sat::{Lit, SatSolver, Verdict};

/// A SAT solver and what it has been told.
pub(crate) struct Instance {
    solver: Box<dyn SatSolver>,
    /// By gate.
    var_of: Vec<u32>,
    /// By gate: whether it is a condition that was asserted.
    is_asserted: Vec<bool>,
    n_vars: usize,
    n_clauses: usize,
    /// Values given to variables that the query was not about, in all calls.
    n_wasted: u64,
    /// Variables of the last cone, those of its leaves first.
    scope: Vec<u32>,
    assumptions: Vec<Lit>,
    new_gates: Vec<GateId>,
}

const NO_VAR: u32 = u32::MAX;
/// How many values can be propagated in the time in which a gate's clauses are made.
const VALUES_A_VAR: u64 = 8;
/// How many values can be propagated in the time of a conflict.
const VALUES_A_CONFLICT: u64 = 256;

impl Instance {
    pub fn new(solver: Box<dyn SatSolver>) -> Self {
        Instance {
            solver,
            var_of: Vec::new(),
            is_asserted: Vec::new(),
            n_vars: 0,
            n_clauses: 0,
            n_wasted: 0,
            scope: Vec::new(),
            assumptions: Vec::new(),
            new_gates: Vec::new(),
        }
    }

    pub fn n_vars(&self) -> usize {
        self.n_vars
    }

    pub fn n_clauses(&self) -> usize {
        self.n_clauses
    }

    /// Whether the work on what queries were not about has become as large as the work that it takes to begin anew.
    ///
    /// So at most about half of all work is wasted, whatever the queries. What was learned would be lost, and counts.
    pub fn is_stale(&self) -> bool {
        self.n_wasted > VALUES_A_VAR * self.n_vars as u64 + VALUES_A_CONFLICT * self.solver.n_conflicts()
    }

    /// Makes the clauses of a cone that are missing, and asserts its conditions.
    pub fn add_cone(&mut self, circuit: &Circuit, cone: &Cone) {
        self.var_of.resize(circuit.gates.len(), NO_VAR);
        self.is_asserted.resize(circuit.gates.len(), false);
        self.scope.clear();
        self.new_gates.clear();
        for &id in cone.vars.iter().chain(&cone.defined).chain(&cone.gates) {
            let var = &mut self.var_of[id.index()];
            if *var == NO_VAR {
                *var = self.solver.new_var();
                self.n_vars += 1;
                self.new_gates.push(id);
            }
            self.scope.push(*var);
        }
        for at in 0..self.new_gates.len() {
            self.define(&circuit.gates, self.new_gates[at]);
        }
        for &condition in &cone.conditions {
            let is_asserted = &mut self.is_asserted[condition.gate().index()];
            if !std::mem::replace(is_asserted, true) {
                let lit = self.lit(condition);
                self.add_clause(&[lit]);
            }
        }
    }

    /// The literal of a bit of the last cone.
    fn lit(&self, bit: Bit) -> Lit {
        let var = self.var_of[bit.gate().index()];
        debug_assert_ne!(var, NO_VAR);
        Lit::new(var, bit.is_negated())
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.solver.add_clause(clause);
        self.n_clauses += 1;
    }

    fn define(&mut self, gates: &Gates, id: GateId) {
        let out = self.lit(id.bit());
        match gates.gate(id) {
            Gate::Constant | Gate::Var { .. } | Gate::Defined { .. } => {}
            Gate::And(..) => {
                let mut all = smallvec::SmallVec::<[Lit; 32]>::new();
                all.push(out);
                for_each_conjunct(gates, id, |bit| all.push(!self.lit(bit)));
                for &not_operand in &all[1..] {
                    self.add_clause(&[!out, !not_operand]);
                }
                self.add_clause(&all);
            }
            Gate::Xor(a, b) => {
                let [a, b] = [a, b].map(|bit| self.lit(bit));
                self.add_clauses([[!out, a, b], [!out, !a, !b], [out, !a, b], [out, a, !b]]);
            }
            Gate::Mux(cond, then, other) => {
                let [cond, then, other] = [cond, then, other].map(|bit| self.lit(bit));
                self.add_clauses([[!cond, !then, out], [!cond, then, !out], [cond, !other, out], [cond, other, !out]]);
                // Implied, but not by propagation: when both agree, the condition does not matter.
                self.add_clauses([[!then, !other, out], [then, other, !out]]);
            }
            Gate::Xor3(a, b, c) => {
                let [a, b, c] = [a, b, c].map(|bit| self.lit(bit));
                self.add_clauses([[!out, a, b, c], [!out, a, !b, !c], [!out, !a, b, !c], [!out, !a, !b, c]]);
                self.add_clauses([[out, !a, !b, !c], [out, !a, b, c], [out, a, !b, c], [out, a, b, !c]]);
            }
            Gate::Maj(a, b, c) => {
                let [a, b, c] = [a, b, c].map(|bit| self.lit(bit));
                self.add_clauses([[out, !a, !b], [out, !a, !c], [out, !b, !c]]);
                self.add_clauses([[!out, a, b], [!out, a, c], [!out, b, c]]);
            }
        }
    }

    fn add_clauses<const N: usize, const M: usize>(&mut self, clauses: [[Lit; N]; M]) {
        for clause in clauses {
            self.add_clause(&clause);
        }
    }

    /// Which value of a bit of the last cone to try first.
    pub fn suggest(&mut self, bit: Bit, value: bool) {
        let lit = self.lit(bit.flipped_if(!value));
        self.solver.suggest(lit);
    }

    /// Whether bits of the last cone can be set together.
    pub fn solve(&mut self, assumptions: &[Bit], budget: &Budget) -> Result<Verdict, Stop> {
        let mut lits = std::mem::take(&mut self.assumptions);
        lits.clear();
        lits.extend(assumptions.iter().map(|&bit| self.lit(bit)));
        let verdict = self.solver.solve(&lits, &self.scope, budget);
        self.assumptions = lits;
        self.n_wasted += self.solver.n_assigned().saturating_sub(self.scope.len()) as u64;
        verdict
    }

    /// The value of a bit of the last cone, after [`Verdict::Sat`].
    pub fn value(&self, bit: Bit) -> bool {
        self.solver.value(self.lit(bit).var()) != bit.is_negated()
    }

    /// Whether an assumption is part of the contradiction, after [`Verdict::Unsat`].
    pub fn is_failed(&self, assumption: Bit) -> bool {
        self.solver.is_failed(self.lit(assumption))
    }

    /// Of all calls.
    pub fn n_conflicts(&self) -> u64 {
        self.solver.n_conflicts()
    }
}
