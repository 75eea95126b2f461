//! Formulas over integers and reals, linear or not, with quantifiers, and with bit-vector expressions among them.
//!
//! Enter at [`formula`] to write them, at [`solve`] to have them solved. Nothing is kept between calls: what needs these
//! formulas (invariant templates, summaries, lengths) asks few and large questions.

pub mod formula;
mod lower;
mod rational;

use rustc_hash::FxHashMap;
use spelunk_expr::{ExprPool, FreeVars, Model, Sort as ExprSort, VarSetId};
use z3::Solver;

pub use formula::{Formula, Sort, Term, Var};
pub use rational::Rational;

use super::effort::{Effort, LimitedSolver, Verdict};
use super::ffi;
use super::model::value_of;
use crate::query::{Limits, Unknown};
use lower::{Lowering, Term as LoweredTerm};

#[derive(Clone, Debug)]
pub enum Solution {
    Sat(Assignment),
    Unsat,
    /// Neither is known. Never to be taken for `Unsat`.
    Unknown(Unknown),
}

/// Values for the free variables of formulas. Those that it leaves out may have any value.
#[derive(Clone, Debug, Default)]
pub struct Assignment {
    values: FxHashMap<Var, Value>,
    /// Values for the variables of bit-vector expressions.
    pub bits: Model,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    Bool(bool),
    Number(Rational),
    /// A root of a polynomial that is not rational, to some digits.
    Irrational(String),
}

impl Assignment {
    pub fn get(&self, var: &Var) -> Option<&Value> {
        self.values.get(var)
    }

    /// The value of a variable that has an exact one.
    pub fn number(&self, var: &Var) -> Option<&Rational> {
        match self.get(var) {
            Some(Value::Number(number)) => Some(number),
            _ => None,
        }
    }

    pub fn bool(&self, var: &Var) -> Option<bool> {
        match self.get(var) {
            Some(Value::Bool(value)) => Some(*value),
            _ => None,
        }
    }
}

/// Whether the formulas can hold together, and for which values. The pool is that of the expressions in them.
pub fn solve(pool: &ExprPool, formulas: &[Formula], limits: &Limits) -> Solution {
    let effort = Effort::new(limits);
    let mut lowering = Lowering::new(pool);
    let mut limited = LimitedSolver::new(Solver::new());
    for formula in formulas {
        limited.solver.assert(lowering.formula(formula));
    }
    match limited.check(&effort, Solver::check) {
        Verdict::Sat => match limited.solver.get_model() {
            Some(found) => Solution::Sat(assignment(pool, &lowering, &found)),
            None => Solution::Unknown(Unknown::GaveUp("no model".into())),
        },
        Verdict::Unsat => Solution::Unsat,
        Verdict::TooHard => Solution::Unknown(Unknown::GaveUp("out of resources".into())),
        Verdict::Unknown(why) => Solution::Unknown(why),
    }
}

fn assignment(pool: &ExprPool, lowering: &Lowering<'_>, found: &z3::Model) -> Assignment {
    let mut assignment = Assignment::default();
    for (var, term) in lowering.free_vars() {
        let value = match term {
            LoweredTerm::Bool(term) => found.get_const_interp(term).and_then(|value| value.as_bool()).map(Value::Bool),
            LoweredTerm::Int(term) => found.get_const_interp(term).and_then(|value| number(&value)),
            LoweredTerm::Real(term) => found
                .get_const_interp(term)
                .and_then(|value| number(&value).or_else(|| Some(Value::Irrational(value.approx(20))))),
        };
        assignment.values.extend(value.map(|value| (var.clone(), value)));
    }
    assignment.bits = bits_model(pool, lowering, found);
    assignment
}

fn number(value: &impl z3::ast::Ast) -> Option<Value> {
    ffi::numeral_text(value).and_then(|text| Rational::parse(&text)).map(Value::Number)
}

fn bits_model(pool: &ExprPool, lowering: &Lowering<'_>, found: &z3::Model) -> Model {
    let mut free_vars = FreeVars::new();
    let mut all = VarSetId::EMPTY;
    for &expr in lowering.exprs() {
        let vars = free_vars.of(pool, expr);
        all = free_vars.union(all, vars);
    }
    let mut model = Model::new();
    for var in free_vars.iter(all) {
        if let ExprSort::Bv(width) = pool.var_sort(var)
            && let Some(value) = found.get_const_interp(&lowering.translator().var(var, width))
            && let Ok(value) = value_of(&value, width)
        {
            model.set(var, &value);
        }
    }
    model
}
