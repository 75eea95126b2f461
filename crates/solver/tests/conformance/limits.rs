//! Limits: a solver that gives up says so, never "unsatisfiable", and is as good as new for the next question.

use std::time::Duration;

use spelunk_expr::ExprId;
use spelunk_solver::{Answer, Deadline, Limits, Unknown};

use crate::asking::{expect_sat, expect_unsat, mk_is_number, var};
use crate::common::session::Session;
use crate::contestants::Contestant;

/// Their product has factors, which nobody finds within the limits of a test.
const PRIMES: [u64; 2] = [17_485_029_721_327_973_713, 16_506_580_000_973_917_507];

/// So that a limit that is ignored ends in a failure, not in a test without end.
const PATIENCE: Duration = Duration::from_secs(20);

pub fn check(contestant: &Contestant) {
    let interrupt = Deadline::default();
    interrupt.raise();
    let cases = [
        (Unknown::Conflicts, Limits { conflicts: Some(1), time: Some(PATIENCE), ..Limits::default() }),
        (Unknown::Time, Limits { time: Some(Duration::from_millis(30)), ..Limits::default() }),
        (Unknown::Interrupted, Limits { time: Some(PATIENCE), deadline: interrupt, ..Limits::default() }),
    ];
    for (expected, limits) in cases {
        let mut session = contestant.session();
        session.name += &format!(", factoring until \"{expected}\"");
        let hard = factoring(&mut session);
        check_limit(&mut session, &hard, &limits, &expected);
    }
    interrupted_from_outside(contestant);
}

struct Factoring {
    x: ExprId,
    y: ExprId,
    constraints: Vec<ExprId>,
}

/// Factors, neither of them trivial, of a product of 128 bits.
fn factoring(session: &mut Session) -> Factoring {
    let (x, y) = (var(session, "x", 64), var(session, "y", 64));
    let pool = &mut session.pool;
    let (wide_x, wide_y) = (pool.mk_zext(x, 128), pool.mk_zext(y, 128));
    let product = pool.mk_mul(wide_x, wide_y);
    let goal = PRIMES[0] as u128 * PRIMES[1] as u128;
    let goal = pool.mk_const_limbs(128, &[goal as u64, (goal >> 64) as u64]);
    let one = pool.mk_const(64, 1);
    let constraints = vec![pool.mk_ult(one, x), pool.mk_ult(one, y), pool.mk_eq(product, goal)];
    Factoring { x, y, constraints }
}

fn check_limit(session: &mut Session, hard: &Factoring, limits: &Limits, expected: &Unknown) {
    session.limits = limits.clone();
    for _ in 0..2 {
        let answer = session.check(&hard.constraints, 0);
        if answer != Answer::Unknown(expected.clone()) {
            session.fail(&hard.constraints, &format!("{answer:?} instead of \"{expected}\""));
        }
    }
    // Without the limit, what was learned before it is no false friend.
    session.limits = Limits::default();
    check_easy(session, hard);
}

fn check_easy(session: &mut Session, hard: &Factoring) {
    let pool = &mut session.pool;
    let solution = [mk_is_number(pool, hard.x, PRIMES[1]), mk_is_number(pool, hard.y, PRIMES[0])];
    let no_solution = [solution[0], mk_is_number(pool, hard.y, PRIMES[0] - 2)];
    expect_sat(session, &[&solution, &hard.constraints[..]].concat());
    expect_unsat(session, &[&no_solution, &hard.constraints[..]].concat());
}

/// An interrupt that comes while the solver is at work.
fn interrupted_from_outside(contestant: &Contestant) {
    let mut session = contestant.session();
    session.name += ", factoring until interrupted by another thread";
    let hard = factoring(&mut session);
    session.limits.time = Some(PATIENCE);
    let interrupt = session.limits.deadline.clone();
    let answer = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(30));
            interrupt.raise();
        });
        session.check(&hard.constraints, 0)
    });
    if answer != Answer::Unknown(Unknown::Interrupted) {
        session.fail(&hard.constraints, &format!("{answer:?} instead of \"{}\"", Unknown::Interrupted));
    }
    interrupt.lower();
    session.limits.time = None;
    check_easy(&mut session, &hard);
}
