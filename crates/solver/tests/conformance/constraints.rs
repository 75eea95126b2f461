//! What lists of constraints may look like: empty, with constants and duplicates, long, deep.

use spelunk_expr::{ExprId, Model};
use spelunk_solver::Answer;

use crate::asking::{Case, expect_sat, expect_unsat, mk_is_number, var};
use crate::common::session::Session;
use crate::contestants::Contestant;

const CASES: &[Case] = &[
    ("no constraints", none),
    ("constants", constants),
    ("duplicates", duplicates),
    ("opposites", opposites),
    ("many constraints", many),
    ("a deep expression", deep),
    ("a wide expression", wide),
    ("the same question again", again),
];

pub fn check(contestant: &Contestant) {
    for (name, case) in CASES {
        let mut session = contestant.session();
        session.name += &format!(", {name}");
        case(&mut session);
    }
}

fn none(session: &mut Session) {
    assert_eq!(session.check(&[], 0), Answer::Sat(Model::new()));
}

fn constants(session: &mut Session) {
    let x = var(session, "x", 8);
    let is_seven = mk_is_number(&mut session.pool, x, 7);
    expect_sat(session, &[ExprId::TRUE]);
    expect_sat(session, &[ExprId::TRUE, is_seven, ExprId::TRUE]);
    for constraints in [&[ExprId::FALSE][..], &[is_seven, ExprId::FALSE], &[ExprId::FALSE, ExprId::TRUE, is_seven]] {
        expect_unsat(session, constraints);
    }
}

fn duplicates(session: &mut Session) {
    let (x, y) = (var(session, "x", 8), var(session, "y", 8));
    let pool = &mut session.pool;
    let (less, more) = (pool.mk_ult(x, y), pool.mk_ult(y, x));
    expect_sat(session, &[less, less, less]);
    expect_unsat(session, &[less, more, less, more, more]);
}

fn opposites(session: &mut Session) {
    let (x, y) = (var(session, "x", 32), var(session, "y", 32));
    let pool = &mut session.pool;
    let product = pool.mk_mul(x, y);
    let condition = mk_is_number(pool, product, 1_234_567);
    let opposite = pool.mk_not(condition);
    let unrelated = pool.mk_ult(x, y);
    expect_unsat(session, &[condition, unrelated, opposite]);
    // Each is the opposite of the other without being its negation.
    let pool = &mut session.pool;
    let (less, not_less) = (pool.mk_slt(x, y), pool.mk_sle(y, x));
    expect_unsat(session, &[not_less, unrelated, less]);
}

/// One byte each, all different, in one order.
fn many(session: &mut Session) {
    const N_VARS: usize = 256;
    let bytes: Vec<ExprId> = (0..N_VARS).map(|_| var(session, "b", 8)).collect();
    let pool = &mut session.pool;
    let mut constraints: Vec<ExprId> = bytes.windows(2).map(|pair| pool.mk_ult(pair[0], pair[1])).collect();
    let model = expect_sat(session, &constraints);
    for (at, &byte) in bytes.iter().enumerate() {
        assert_eq!(model.get_u64(session.pool.node(byte).var()).unwrap_or(0), at as u64);
    }
    let pool = &mut session.pool;
    constraints.push(pool.mk_ule(bytes[N_VARS - 1], bytes[0]));
    expect_unsat(session, &constraints);
}

/// As deep as a loop makes it; solvers may not recurse.
fn deep(session: &mut Session) {
    const DEPTH: usize = 20_000;
    let (x, y) = (var(session, "x", 8), var(session, "y", 8));
    let pool = &mut session.pool;
    let mut sum = x;
    for _ in 0..DEPTH {
        let mixed = pool.mk_xor(sum, y);
        sum = pool.mk_add(mixed, x);
    }
    let is_y_zero = mk_is_number(pool, y, 0);
    let is_x_one = mk_is_number(pool, x, 1);
    let is_right = mk_is_number(pool, sum, DEPTH as u64 + 1);
    let is_wrong = mk_is_number(pool, sum, DEPTH as u64);
    expect_sat(session, &[is_y_zero, is_x_one, is_right]);
    expect_unsat(session, &[is_y_zero, is_x_one, is_wrong]);
}

/// The bits of a wide value one by one.
fn wide(session: &mut Session) {
    const N_BITS: u32 = 2000;
    let x = var(session, "x", N_BITS);
    let pool = &mut session.pool;
    let mut constraints: Vec<ExprId> = (0..N_BITS)
        .map(|at| {
            let bit = pool.mk_extract(x, at, 1);
            if at % 3 == 0 { bit } else { pool.mk_not(bit) }
        })
        .collect();
    let model = expect_sat(session, &constraints);
    let value = model.get_wide(session.pool.node(x).var()).expect("a value");
    assert!((0..N_BITS).all(|at| value.limbs()[at as usize / 64] >> (at % 64) & 1 == (at % 3 == 0) as u64));
    let pool = &mut session.pool;
    let zero = pool.mk_const(N_BITS, 0);
    constraints.push(pool.mk_eq(x, zero));
    expect_unsat(session, &constraints);
}

/// Answers that are remembered are still right when the constraints come in another order, or fewer, or more.
fn again(session: &mut Session) {
    let [x, y, z] = ["x", "y", "z"].map(|name| var(session, name, 8));
    let pool = &mut session.pool;
    let cycle = [pool.mk_ult(x, y), pool.mk_ult(y, z), pool.mk_ult(z, x)];
    let [a, b, c] = cycle;
    for _ in 0..3 {
        for order in [[a, b, c], [c, b, a], [b, a, c]] {
            expect_unsat(session, &order);
            expect_sat(session, &order[..2]);
            expect_sat(session, &order[1..]);
        }
    }
    let is_five = mk_is_number(&mut session.pool, y, 5);
    expect_sat(session, &[a, b, is_five]);
    expect_unsat(session, &[a, is_five, b, c]);
}
