//! Hints: values that are kept where the constraints allow, and constraints that the hint is said to satisfy.

use spelunk_expr::{ExprId, Model, Value, VarId};
use spelunk_solver::Answer;

use crate::asking::{Case, mk_is_number, var};
use crate::common::session::Session;
use crate::contestants::Contestant;

const CASES: &[Case] = &[
    ("a hint that satisfies all", satisfying),
    ("a hint of wide values and arrays", satisfying_wide),
    ("a flipped branch", flipped_branch),
    ("variables that the target has nothing to do with", unrelated),
    ("a target against the satisfied constraints", contradiction),
    ("all, some or none known to be satisfied", satisfied_counts),
];

pub fn check(contestant: &Contestant) {
    for (name, case) in CASES {
        let mut session = contestant.session();
        session.name += &format!(", {name}");
        case(&mut session);
    }
}

fn var_of(session: &Session, id: ExprId) -> VarId {
    session.pool.node(id).var()
}

fn set(session: &mut Session, id: ExprId, value: u64) {
    let var = var_of(session, id);
    session.hint.set_u64(var, value);
}

fn expect_values(session: &mut Session, constraints: &[ExprId], n_satisfied: usize) -> Model {
    match session.check(constraints, n_satisfied) {
        Answer::Sat(model) => model,
        answer => session.fail(constraints, &format!("{answer:?}, but there are values")),
    }
}

fn expect_value(session: &Session, model: &Model, id: ExprId, value: u64) {
    assert_eq!(model.get_u64(var_of(session, id)).unwrap_or(0), value, "{}: {id:?}", session.name);
}

fn satisfying(session: &mut Session) {
    let (x, y) = (var(session, "x", 32), var(session, "y", 32));
    set(session, x, 48_611);
    set(session, y, 52_027);
    let pool = &mut session.pool;
    let product = pool.mk_mul(x, y);
    let constraints = [mk_is_number(pool, product, 48_611 * 52_027), pool.mk_ult(x, y)];
    for n_satisfied in 0..=2 {
        let model = expect_values(session, &constraints, n_satisfied);
        assert_eq!(model, session.hint, "{}", session.name);
    }
}

fn satisfying_wide(session: &mut Session) {
    let x = var(session, "x", 100);
    let array = session.pool.new_var("A", spelunk_expr::Sort::Array { index_width: 16, elem_width: 8 });
    let x_var = var_of(session, x);
    session.hint.set(x_var, &Value::from_limbs(100, &[5, 1 << 30]));
    session.hint.array_mut(array).default = 3;
    session.hint.array_mut(array).elements.insert(500, 9);
    let pool = &mut session.pool;
    let array = pool.mk_var(array);
    let index = pool.mk_trunc(x, 16);
    let (far, near) = (pool.mk_const(16, 500), pool.mk_select(array, index));
    let far = pool.mk_select(array, far);
    let constraints = [pool.mk_ult(near, far), mk_is_number(pool, far, 9)];
    for n_satisfied in 0..=2 {
        let model = expect_values(session, &constraints, n_satisfied);
        assert_eq!(model.get_wide(x_var), session.hint.get_wide(x_var), "{}", session.name);
    }
}

/// What an engine asks: the path so far, which the hint takes, and the other side of its last branch.
fn flipped_branch(session: &mut Session) {
    let bytes: Vec<ExprId> = (0..8).map(|_| var(session, "b", 8)).collect();
    for (&byte, &value) in bytes.iter().zip(b"GET /abc") {
        set(session, byte, value as u64);
    }
    let mut path = Vec::new();
    for (at, &value) in b"GET /".iter().enumerate() {
        path.push(mk_is_number(&mut session.pool, bytes[at], value as u64));
    }
    let is_x = mk_is_number(&mut session.pool, bytes[5], b'x' as u64);
    path.push(is_x);
    let model = expect_values(session, &path, path.len() - 1);
    for (&byte, &value) in bytes.iter().zip(b"GET /xbc") {
        expect_value(session, &model, byte, value as u64);
    }
}

fn unrelated(session: &mut Session) {
    let [x, y, z, u] = ["x", "y", "z", "u"].map(|name| var(session, name, 16));
    for (id, value) in [(x, 3), (y, 70), (z, 500), (u, 1)] {
        set(session, id, value);
    }
    let pool = &mut session.pool;
    let (limit, sum) = (pool.mk_const(16, 1000), pool.mk_add(y, z));
    let constraints = [pool.mk_ult(sum, limit), pool.mk_ult(y, z), mk_is_number(pool, x, 9)];
    let model = expect_values(session, &constraints, 2);
    for (id, value) in [(x, 9), (y, 70), (z, 500), (u, 1)] {
        expect_value(session, &model, id, value);
    }
}

fn contradiction(session: &mut Session) {
    let (x, y) = (var(session, "x", 16), var(session, "y", 16));
    set(session, x, 10);
    set(session, y, 20);
    let pool = &mut session.pool;
    let (limit, is_less) = (pool.mk_const(16, 100), pool.mk_ult(x, y));
    let (is_small, target) = (pool.mk_ult(y, limit), pool.mk_ult(limit, x));
    let constraints = [is_less, is_small, target];
    match session.check(&constraints, 2) {
        Answer::Unsat(core) => assert!(core.contains(&target), "{}: what holds can't be a core", session.name),
        answer => session.fail(&constraints, &format!("{answer:?}, but there are no values")),
    }
}

/// The number of satisfied constraints saves work, and changes no answer.
fn satisfied_counts(session: &mut Session) {
    let bytes: Vec<ExprId> = (0..6).map(|_| var(session, "b", 8)).collect();
    for (at, &byte) in bytes.iter().enumerate() {
        set(session, byte, 10 * at as u64);
    }
    let pool = &mut session.pool;
    let mut constraints: Vec<ExprId> = bytes.windows(2).map(|pair| pool.mk_ult(pair[0], pair[1])).collect();
    let limit = pool.mk_const(8, 100);
    constraints.push(pool.mk_ult(limit, bytes[0]));
    let n_held = constraints.len() - 1;
    for n_satisfied in 0..=n_held {
        expect_values(session, &constraints, n_satisfied);
    }
    let pool = &mut session.pool;
    let top = pool.mk_const(8, 251);
    constraints.push(pool.mk_ult(top, bytes[0]));
    for n_satisfied in 0..=n_held {
        let answer = session.check(&constraints, n_satisfied);
        if !answer.is_unsat() {
            session.fail(&constraints, &format!("{answer:?} with {n_satisfied} satisfied, but there are no values"));
        }
    }
}
