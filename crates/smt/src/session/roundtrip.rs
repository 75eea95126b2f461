//! What `ExprPool::to_smtlib` prints is read back as the expression that it was.
//!
//! Overflow predicates and operations on floats have no counterpart in the script: they come back as something that
//! has the same value.

#[path = "../../../expr/tests/support/program.rs"]
mod program;

use program::{Input, Program, inputs, programs};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use spelunk_expr::{Evaluator, ExprId, ExprPool, Model, Op, VarId};
use spelunk_solver::{Answer, LayerStats, Limits, Query, Solver, Unknown};

use super::{Outcome, Session};
use crate::scope::{Binding, Term};
use crate::sort::{Scalar, Sort};

struct NeverAsked;

impl Solver for NeverAsked {
    fn check(&mut self, _: &mut ExprPool, _: &Query<'_>) -> Answer {
        Answer::Unknown(Unknown::Interrupted)
    }

    fn forget(&mut self, _: &ExprPool, _: &[ExprId]) {}

    fn stats(&self, _: &mut Vec<LayerStats>) {}
}

/// A session in whose scripts the printed names of variables mean these variables.
fn session(pool: ExprPool) -> Session {
    let mut session = Session::new(Box::new(NeverAsked), Limits::default());
    session.context.pool = pool;
    let pool = &mut session.context.pool;
    for var in (0..pool.n_vars() as u32).map(VarId) {
        let sort = match pool.var_sort(var) {
            spelunk_expr::Sort::Bv(width) => Sort::bits(width),
            spelunk_expr::Sort::Array { index_width, elem_width } => {
                Sort::Array { index: Scalar::Bits(index_width), elem: Scalar::Bits(elem_width) }
            }
        };
        let name = pool.smtlib_symbol(var);
        let term = Term { id: pool.mk_var(var), sort };
        assert!(session.context.scope.declare(name.trim_matches('|'), Binding::Constant(term)));
    }
    session
}

/// Prints conditions and reads them; the script's own assertions about floats come first.
fn read_back(session: &mut Session, conditions: &[ExprId]) -> Vec<ExprId> {
    let script = session.context.pool.to_smtlib(conditions);
    // The variables are declared.
    let lines: Vec<&str> = script.lines().filter(|line| !line.starts_with("(declare-const |")).collect();
    let mut out = Vec::new();
    let end = session.run(lines.join("\n").as_bytes(), &mut out, &mut |note| panic!("{note:?}"));
    assert!(matches!(end, Ok(Outcome::Answered)), "{end:?}\n{script}");
    session.assertions.drain(..).map(|assertion| assertion.condition.expect("nothing is left out")).collect()
}

fn conditions(pool: &mut ExprPool, program: &Program, vars: &[VarId], wanted: impl Fn(Op) -> bool) -> Vec<ExprId> {
    let terms = program.build(pool, vars);
    let terms: Vec<ExprId> =
        terms.into_iter().filter(|&term| pool.postorder(&[term]).iter().all(|&id| wanted(pool.op(id)))).collect();
    terms.into_iter().map(|term| pool.mk_trunc(term, 1)).collect()
}

/// Gives the constants that a script declares for float results the values of the results.
fn extend_model(session: &mut Session, model: &mut Model) {
    let named: Vec<(ExprId, ExprId)> = session
        .context
        .scope
        .declarations()
        .filter_map(|(name, binding)| match binding {
            Binding::Constant(term) => Some((ExprId::from_raw(name.strip_prefix('n')?.parse().ok()?), term.id)),
            _ => None,
        })
        .collect();
    let pool = &session.context.pool;
    let mut evaluator = Evaluator::new();
    for (result, constant) in named {
        let value = evaluator.under(pool, &*model).eval(result);
        model.set(pool.node(constant).var(), &value);
    }
}

fn check_values(program: &Program, inputs: &[Input]) {
    let mut pool = ExprPool::new();
    let vars = program.declare(&mut pool);
    // Integers that a float does not fit are not specified.
    let conditions = conditions(&mut pool, program, &vars, |op| !matches!(op, Op::FToUi | Op::FToSi));
    let mut session = session(pool);
    let read = read_back(&mut session, &conditions);
    let n_about_floats = read.len() - conditions.len();
    for input in inputs {
        let mut model = program.model(&vars, input);
        extend_model(&mut session, &mut model);
        let mut evaluator = Evaluator::new();
        let mut values = evaluator.under(&session.context.pool, &model);
        for &about_float in &read[..n_about_floats] {
            assert!(values.eval_bool(about_float), "a result of floats is not what it was");
        }
        for (&condition, &read) in conditions.iter().zip(&read[n_about_floats..]) {
            assert_eq!(values.eval_bool(condition), values.eval_bool(read));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 400,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(20),
        ..ProptestConfig::default()
    })]

    #[test]
    fn expressions_come_back_as_themselves(program in programs(40)) {
        let mut pool = ExprPool::new();
        let vars = program.declare(&mut pool);
        let is_literal = |op: Op| op < Op::FAdd && op.overflow().is_none() && op != Op::Table;
        let conditions = conditions(&mut pool, &program, &vars, is_literal);
        let mut session = session(pool);
        let read = read_back(&mut session, &conditions);
        for (&condition, &read) in conditions.iter().zip(&read) {
            prop_assert_eq!(condition, read, "{}", session.context.pool.to_smtlib(&[condition, read]));
        }
    }

    #[test]
    fn values_come_back(program in programs(30), inputs in inputs()) {
        check_values(&program, &inputs);
    }
}
