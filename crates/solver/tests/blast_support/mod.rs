//! A pool and a bit-blaster, whose answers are checked before a test sees them.
#![allow(dead_code)]

use spelunk_expr::{Evaluator, ExprId, ExprPool, Model, Sort, Value};
use spelunk_solver::blast::{Blaster, SatKind};
use spelunk_solver::{Answer, Limits, Query, Solver};

pub struct Bench {
    pub pool: ExprPool,
    pub blaster: Blaster,
    pub hint: Model,
    evaluator: Evaluator,
}

impl Bench {
    /// `fuel` as in [`ExprPool::set_rule_fuel`].
    pub fn new(fuel: Option<u64>) -> Self {
        Self::with(SatKind::default(), fuel)
    }

    pub fn with(sat: SatKind, fuel: Option<u64>) -> Self {
        let mut pool = ExprPool::new();
        pool.set_rule_fuel(fuel);
        Bench { pool, blaster: Blaster::new(sat), hint: Model::new(), evaluator: Evaluator::new() }
    }

    pub fn var(&mut self, name: &str, sort: Sort) -> ExprId {
        let var = self.pool.new_var(name, sort);
        self.pool.mk_var(var)
    }

    pub fn is(&mut self, x: ExprId, value: u64) -> ExprId {
        let value = self.pool.mk_const(self.pool.width(x), value);
        self.pool.mk_eq(x, value)
    }

    pub fn is_value(&mut self, x: ExprId, value: &Value) -> ExprId {
        let value = self.pool.mk_value(value);
        self.pool.mk_eq(x, value)
    }

    pub fn eval_at(&mut self, expr: ExprId, values: &[(ExprId, u64)]) -> Value {
        let values: Vec<(ExprId, Value)> =
            values.iter().map(|&(x, value)| (x, Value::new(self.pool.width(x), value))).collect();
        self.eval_at_values(expr, &values)
    }

    pub fn eval_at_values(&mut self, expr: ExprId, values: &[(ExprId, Value)]) -> Value {
        let mut model = Model::new();
        for (x, value) in values {
            model.set(self.pool.node(*x).var(), value);
        }
        self.evaluator.under(&self.pool, &model).eval(expr)
    }

    pub fn check(&mut self, constraints: &[ExprId]) -> Answer {
        self.check_within(constraints, &Limits::default())
    }

    /// Asks the blaster. A model must satisfy the constraints; a core must be of the query, and contradictory by itself.
    pub fn check_within(&mut self, constraints: &[ExprId], limits: &Limits) -> Answer {
        let answer = self.ask(constraints, limits);
        match &answer {
            Answer::Sat(model) => {
                let mut full = self.hint.clone();
                full.update(model);
                let mut evaluation = self.evaluator.under(&self.pool, &full);
                for &constraint in constraints {
                    assert!(evaluation.eval_bool(constraint), "a model violates a constraint: {full:?}");
                }
            }
            Answer::Unsat(core) => {
                assert!(core.iter().all(|id| constraints.contains(id)), "a core is part of its query");
                assert!(self.ask(core, limits).is_unsat(), "a core is contradictory");
            }
            Answer::Unknown(_) => {}
        }
        answer
    }

    fn ask(&mut self, constraints: &[ExprId], limits: &Limits) -> Answer {
        let query = Query { constraints, n_satisfied: 0, hint: &self.hint, limits };
        self.blaster.check(&mut self.pool, &query)
    }
}

/// Numbers that look random, the same in every run.
pub struct Lcg(u64);

impl Lcg {
    pub fn new(seed: u64) -> Self {
        Lcg(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 ^ self.0 >> 29
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// A value of any size up to the width: small ones are as likely as large ones.
    pub fn value(&mut self, width: u32) -> Value {
        let n_bits = 1 + self.below(width as u64) as u32;
        let limbs: Vec<u64> = (0..width.div_ceil(64)).map(|_| self.next()).collect();
        let low = Value::from_limbs(n_bits, &limbs);
        Value::from_limbs(width, low.limbs())
    }
}
