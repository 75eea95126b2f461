//! What the bit-blaster makes of queries: cores, limits, hints, floats, and memory that stays bounded.

mod blast_support;

use std::time::Duration;

use blast_support::{Bench, Lcg};
use spelunk_bv::FBinOp;
use spelunk_bv::float::FloatKind;
use spelunk_expr::{ExprId, Sort};
use spelunk_solver::blast::SatKind;
use spelunk_solver::{Answer, Deadline, Limits, Query, Solver, Unknown};

#[test]
fn cores_leave_out_what_has_no_part_in_it() {
    for kind in SatKind::ALL.iter().copied() {
        let mut bench = Bench::with(kind, None);
        let bytes: Vec<ExprId> = (0..40).map(|at| bench.var(&format!("b{at}"), Sort::Bv(8))).collect();
        let mut constraints: Vec<ExprId> = Vec::new();
        for (at, &byte) in bytes.iter().enumerate() {
            let limit = bench.pool.mk_const(8, 100 + at as u64);
            constraints.push(bench.pool.mk_ult(byte, limit));
        }
        // Only the bounds of the first two bytes contradict this.
        let (a, b) = (bench.pool.mk_zext(bytes[0], 16), bench.pool.mk_zext(bytes[1], 16));
        let (sum, limit) = (bench.pool.mk_add(a, b), bench.pool.mk_const(16, 300));
        constraints.push(bench.pool.mk_ult(limit, sum));
        let Answer::Unsat(mut core) = bench.check(&constraints) else { panic!("{kind:?}: no solution") };
        core.sort_unstable();
        let mut expected = vec![constraints[0], constraints[1], constraints[40]];
        expected.sort_unstable();
        assert_eq!(core, expected, "{kind:?}");
    }
}

#[test]
fn constraints_that_are_constants_or_repeated() {
    let mut bench = Bench::new(None);
    let x = bench.var("x", Sort::Bv(8));
    let is_five = bench.is(x, 5);
    assert!(bench.check(&[]).is_sat());
    assert!(bench.check(&[ExprId::TRUE, is_five, is_five]).is_sat());
    assert_eq!(bench.check(&[is_five, ExprId::FALSE]), Answer::Unsat(vec![ExprId::FALSE]));
}

/// A product of two large primes: no solver finds the factors within a test.
fn factoring(bench: &mut Bench) -> Vec<ExprId> {
    let [x, y] = ["x", "y"].map(|name| bench.var(name, Sort::Bv(40)));
    let (wide_x, wide_y) = (bench.pool.mk_zext(x, 80), bench.pool.mk_zext(y, 80));
    let product = bench.pool.mk_mul(wide_x, wide_y);
    let value = 666_783_984_929u128 * 913_873_383_047;
    let value = bench.pool.mk_const_limbs(80, &[value as u64, (value >> 64) as u64]);
    let one = bench.pool.mk_const(40, 1);
    vec![bench.pool.mk_eq(product, value), bench.pool.mk_ult(one, x), bench.pool.mk_ult(x, y)]
}

#[test]
fn limits_give_unknown_and_leave_no_trace() {
    for kind in SatKind::ALL.iter().copied() {
        let mut bench = Bench::with(kind, None);
        let hard = factoring(&mut bench);
        let interrupt = Deadline::default();
        interrupt.raise();
        let cases = [
            (Limits { time: Some(Duration::from_millis(20)), ..Limits::default() }, Unknown::Time),
            (Limits { conflicts: Some(20), ..Limits::default() }, Unknown::Conflicts),
            // More than our own solver is given, so that both take part.
            (Limits { conflicts: Some(4000), ..Limits::default() }, Unknown::Conflicts),
            (Limits { deadline: interrupt, ..Limits::default() }, Unknown::Interrupted),
        ];
        for (limits, reason) in cases {
            assert_eq!(bench.check_within(&hard, &limits), Answer::Unknown(reason), "{kind:?}");
            let x = bench.var("z", Sort::Bv(8));
            let easy = bench.is(x, 5);
            assert!(bench.check(&[easy]).is_sat(), "{kind:?}");
        }
    }
}

#[test]
fn interrupts_reach_a_solver_at_work() {
    for kind in SatKind::ALL.iter().copied() {
        let mut bench = Bench::with(kind, None);
        let hard = factoring(&mut bench);
        let limits = Limits::default();
        let interrupt = limits.deadline.clone();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                std::thread::sleep(Duration::from_millis(30));
                interrupt.raise();
            });
            assert_eq!(bench.check_within(&hard, &limits), Answer::Unknown(Unknown::Interrupted), "{kind:?}");
        });
    }
}

#[test]
fn time_limits_reach_the_making_of_gates() {
    let mut bench = Bench::new(None);
    let [x, y] = ["x", "y"].map(|name| bench.var(name, Sort::Bv(1800)));
    let product = bench.pool.mk_mul(x, y);
    let square = bench.pool.mk_mul(product, product);
    let constraints = [bench.is(square, 49)];
    let limits = Limits { time: Some(Duration::from_millis(5)), ..Limits::default() };
    assert_eq!(bench.check_within(&constraints, &limits), Answer::Unknown(Unknown::Time));
}

#[test]
fn what_is_beyond_it_is_refused() {
    let mut bench = Bench::new(None);
    let [x, y] = ["x", "y"].map(|name| bench.var(name, Sort::Bv(32)));
    let sum = bench.pool.mk_fbinop(FloatKind::Float, FBinOp::FAdd, x, y);
    let is_small = bench.is(sum, 5);
    let is_five = bench.is(x, 5);
    for _ in 0..2 {
        let answer = bench.check(&[is_five, is_small]);
        assert_eq!(answer, Answer::Unknown(Unknown::Unsupported("floating point")));
    }
    assert!(bench.check(&[is_five]).is_sat(), "other constraints are not affected");
    let [x, y] = ["x", "y"].map(|name| bench.var(name, Sort::Bv(100_000)));
    let product = bench.pool.mk_mul(x, y);
    let is_small = bench.is(product, 12);
    assert!(matches!(bench.check(&[is_small]), Answer::Unknown(Unknown::Unsupported(_))));
    let sum = bench.pool.mk_add(x, y);
    let is_small = bench.is(sum, 12);
    assert!(bench.check(&[is_small]).is_sat(), "sums of any width are fine");
}

/// The hint takes a path; the last branch goes the other way, and as little as possible changes.
#[test]
fn models_stay_near_the_hint() {
    for kind in SatKind::ALL.iter().copied() {
        let mut bench = Bench::with(kind, None);
        let mut random = Lcg::new(7);
        let bytes: Vec<ExprId> = (0..20).map(|at| bench.var(&format!("b{at}"), Sort::Bv(8))).collect();
        for &byte in &bytes {
            bench.hint.set_u64(bench.pool.node(byte).var(), 20 + random.below(100));
        }
        let mut path: Vec<ExprId> = Vec::new();
        for pair in bytes.windows(2) {
            let [a, b] = [pair[0], pair[1]].map(|byte| bench.hint.get_u64(bench.pool.node(byte).var()).unwrap_or(0));
            let is_less = bench.pool.mk_ule(pair[0], pair[1]);
            let (taken, other) =
                if a <= b { (is_less, bench.pool.mk_not(is_less)) } else { (bench.pool.mk_not(is_less), is_less) };
            let mut query = path.clone();
            query.push(other);
            let Answer::Sat(model) = bench.check(&query) else { panic!("{kind:?}: some order is possible") };
            let changed = model.iter_narrow().filter(|&(var, value)| bench.hint.get_u64(var) != Some(value)).count();
            assert!(changed <= 4, "{kind:?}: {changed} values changed to swap two of {}", path.len());
            path.push(taken);
        }
        assert_eq!(bench.check(&path), Answer::Sat(Default::default()), "{kind:?}: nothing needs to change");
    }
}

/// Expressions come and go: what is kept for them does not add up.
#[test]
fn collected_expressions_are_reclaimed() {
    for kind in SatKind::ALL.iter().copied() {
        let mut bench = Bench::with(kind, None);
        let [x, y] = ["x", "y"].map(|name| bench.var(name, Sort::Bv(16)));
        let mut largest = 0;
        for round in 0..300u64 {
            let constant = bench.pool.mk_const(16, round * 97 + 3);
            let (product, sum) = (bench.pool.mk_mul(x, y), bench.pool.mk_add(x, constant));
            let mixed = bench.pool.mk_mul(product, sum);
            let is_wanted = bench.is(mixed, round * 3);
            assert!(bench.check(&[is_wanted]).is_sat());
            let freed = bench.pool.collect([x, y]);
            bench.blaster.forget(&bench.pool, &freed);
            largest = largest.max(bench.blaster.sizes().n_gates);
        }
        assert!(largest < 10_000, "{kind:?}: {largest} gates");
        assert!(bench.blaster.sizes().n_circuit_restarts > 10, "{kind:?}");
    }
}

/// Even if nothing is ever collected, solvers don't grow with the number of queries.
#[test]
fn solvers_stay_as_small_as_what_is_asked() {
    for kind in SatKind::ALL.iter().copied() {
        let mut bench = Bench::with(kind, None);
        let x = bench.var("x", Sort::Bv(32));
        let mut largest = 0;
        for round in 0..4000u64 {
            let constant = bench.pool.mk_const(32, round * 2_654_435_761 + 12_345);
            let (mixed, limit) = (bench.pool.mk_xor(x, constant), bench.pool.mk_const(32, 1000 + round));
            let shifted = bench.pool.mk_add(mixed, constant);
            let is_small = bench.pool.mk_ult(shifted, limit);
            let query =
                Query { constraints: &[is_small], n_satisfied: 0, hint: &bench.hint, limits: &Limits::default() };
            assert!(bench.blaster.check(&mut bench.pool, &query).is_sat());
            largest = largest.max(bench.blaster.sizes().n_vars);
        }
        let sizes = bench.blaster.sizes();
        assert!(largest * 10 < sizes.n_gates, "{kind:?}: {largest} variables of {} gates at once", sizes.n_gates);
        assert!(sizes.n_solver_restarts > 10, "{kind:?}");
    }
}

#[test]
fn statistics_count_answers() {
    let mut bench = Bench::new(None);
    let x = bench.var("x", Sort::Bv(8));
    let (is_five, is_six) = (bench.is(x, 5), bench.is(x, 6));
    bench.blaster.check(
        &mut bench.pool,
        &Query { constraints: &[is_five], n_satisfied: 0, hint: &bench.hint, limits: &Limits::default() },
    );
    bench.blaster.check(
        &mut bench.pool,
        &Query { constraints: &[is_five, is_six], n_satisfied: 0, hint: &bench.hint, limits: &Limits::default() },
    );
    let mut stats = Vec::new();
    bench.blaster.stats(&mut stats);
    assert_eq!(stats.len(), 1);
    assert_eq!((stats[0].layer, stats[0].n_queries, stats[0].n_sat, stats[0].n_unsat), ("blast", 2, 1, 1));
}
