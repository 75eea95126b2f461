//! Queries with known answers.

use spelunk_bv::int;
use spelunk_expr::{Evaluator, ExprId, ExprPool, FreeVars, Model, Sort, Value, VarId};
use spelunk_solver::Answer;

use crate::common::session::Session;

/// What is asked in one go, by name.
pub type Case = (&'static str, fn(&mut Session));

/// All values are tried as long as the variables have no more bits than this.
const MAX_BRUTE_FORCE: u32 = 12;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    Sat,
    Unsat,
}

impl Outcome {
    pub fn sat_if(is_sat: bool) -> Outcome {
        if is_sat { Outcome::Sat } else { Outcome::Unsat }
    }
}

pub fn expect(session: &mut Session, outcome: Outcome, constraints: &[ExprId]) {
    match outcome {
        Outcome::Sat => {
            expect_sat(session, constraints);
        }
        Outcome::Unsat => expect_unsat(session, constraints),
    }
}

/// Expects values, and returns them completed with those of the hint.
pub fn expect_sat(session: &mut Session, constraints: &[ExprId]) -> Model {
    match session.check(constraints, 0) {
        Answer::Sat(model) => model,
        answer => session.fail(constraints, &format!("{answer:?}, but there are values")),
    }
}

/// Expects that there are no values, and a core that says the same.
pub fn expect_unsat(session: &mut Session, constraints: &[ExprId]) {
    let core = match session.check(constraints, 0) {
        Answer::Unsat(core) => core,
        answer => session.fail(constraints, &format!("{answer:?}, but there are no values")),
    };
    match brute_force(&session.pool, &core) {
        Some(true) => session.fail(&core, "this core can be satisfied"),
        Some(false) => {}
        None => {
            let answer = session.check(&core, 0);
            if !answer.is_unsat() {
                session.fail(&core, &format!("{answer:?}, but this was a core"));
            }
        }
    }
}

/// Whether constraints can hold together, by trial, if their variables have few enough values.
pub fn brute_force(pool: &ExprPool, constraints: &[ExprId]) -> Option<bool> {
    let mut free = FreeVars::new();
    let mut vars: Vec<(VarId, u32)> = Vec::new();
    for &constraint in constraints {
        let set = free.of(pool, constraint);
        for var in free.iter(set) {
            match pool.var_sort(var) {
                Sort::Bv(width) => vars.push((var, width)),
                Sort::Array { .. } => return None,
            }
        }
    }
    vars.sort_unstable();
    vars.dedup();
    let n_bits: u32 = vars.iter().map(|(_, width)| width).sum();
    if n_bits > MAX_BRUTE_FORCE {
        return None;
    }
    let mut evaluator = Evaluator::new();
    Some((0..1u64 << n_bits).any(|mut bits| {
        let mut model = Model::new();
        for &(var, width) in &vars {
            model.set_u64(var, int::trunc(width, bits));
            bits >>= width;
        }
        let mut values = evaluator.under(pool, &model);
        constraints.iter().all(|&constraint| values.eval_bool(constraint))
    }))
}

/// Expects whatever trying all values says.
pub fn expect_brute_force(session: &mut Session, constraints: &[ExprId]) {
    let is_sat = brute_force(&session.pool, constraints).expect("few values");
    expect(session, Outcome::sat_if(is_sat), constraints);
}

/// A variable, as expression.
pub fn var(session: &mut Session, name: &str, width: u32) -> ExprId {
    let var = session.pool.new_var(name, Sort::Bv(width));
    session.pool.mk_var(var)
}

pub fn mk_is(pool: &mut ExprPool, id: ExprId, value: &Value) -> ExprId {
    let value = pool.mk_value(value);
    pool.mk_eq(id, value)
}

pub fn mk_is_number(pool: &mut ExprPool, id: ExprId, value: u64) -> ExprId {
    mk_is(pool, id, &Value::new(pool.width(id), value))
}
