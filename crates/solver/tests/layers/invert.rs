use spelunk_expr::{ExprId, ExprPool};
use spelunk_solver::layers::invert::Invert;
use spelunk_solver::layers::verify::Verify;

use crate::support::{Bench, Random, Script, random_condition};

/// A backend that knows nothing, so that all answers are the layer's, and every answer is verified.
fn bench() -> Bench {
    Bench::new(vec![Box::new(Verify), Box::new(Invert::default())], Script::Answers(Vec::new()))
}

/// Two variables of 32 bits, a byte, and a condition on them.
type Case = (&'static str, fn(&mut ExprPool, ExprId, ExprId, ExprId) -> ExprId);

/// `term == value`
fn is(pool: &mut ExprPool, term: ExprId, value: u64) -> ExprId {
    let value = pool.mk_const(pool.width(term), value);
    pool.mk_eq(term, value)
}

const CASES: &[Case] = &[
    ("sum", |pool, x, y, _| {
        let sum = pool.mk_add(x, y);
        is(pool, sum, 77)
    }),
    ("difference", |pool, x, y, _| {
        let difference = pool.mk_sub(y, x);
        is(pool, difference, 77)
    }),
    ("product with an odd number", |pool, x, y, _| {
        let by = pool.mk_const(32, 12345);
        let product = pool.mk_mul(x, by);
        let sum = pool.mk_add(product, y);
        is(pool, sum, 7)
    }),
    ("product with an even number", |pool, x, y, _| {
        let by = pool.mk_const(32, 24);
        let product = pool.mk_mul(x, by);
        let sum = pool.mk_xor(product, y);
        is(pool, sum, 48 ^ 9)
    }),
    ("masks", |pool, x, y, _| {
        let masked = pool.mk_and(x, y);
        let set = pool.mk_const(32, 0x0f0f_0f00);
        let masked = pool.mk_xor(masked, set);
        is(pool, masked, 0x0f0f_0f08)
    }),
    ("quotient and remainder", |pool, x, y, _| {
        let by = pool.mk_const(32, 10);
        let (quotient, remainder) = (pool.mk_udiv(x, by), pool.mk_urem(y, by));
        let (a, b) = (is(pool, quotient, 1234), is(pool, remainder, 7));
        pool.mk_and(a, b)
    }),
    ("shift by a variable", |pool, x, y, _| {
        let shifted = pool.mk_lshr(x, y);
        is(pool, shifted, 5)
    }),
    ("parts of a word", |pool, x, _, b| {
        let low = pool.mk_trunc(x, 16);
        let whole = pool.mk_concat(low, b);
        is(pool, whole, 0x00ab_cdef)
    }),
    ("extensions", |pool, x, _, b| {
        let (signed, zero) = (pool.mk_sext(b, 32), pool.mk_const(32, 0));
        let sum = pool.mk_add(signed, x);
        pool.mk_slt(sum, zero)
    }),
    ("choice", |pool, x, y, b| {
        let is_seven = is(pool, b, 7);
        let choice = pool.mk_ite(is_seven, x, y);
        let other = pool.mk_mul(x, y);
        let choice = pool.mk_add(choice, other);
        is(pool, choice, 4242)
    }),
    ("table", |pool, _, _, b| {
        let table = pool.mk_table(8, 8, b"0123456789abcdef");
        let three = pool.mk_const(8, 3);
        let index = pool.mk_xor(b, three);
        let read = pool.mk_select(table, index);
        is(pool, read, b'c' as u64)
    }),
    ("store", |pool, x, y, b| {
        let table = pool.mk_table(8, 8, b"0123456789abcdef");
        let (low, index) = (pool.mk_trunc(x, 8), pool.mk_trunc(y, 8));
        let stored = pool.mk_store(table, index, low);
        let read = pool.mk_select(stored, b);
        is(pool, read, 200)
    }),
    ("unsigned order", |pool, x, y, _| pool.mk_ult(y, x)),
    ("signed order", |pool, x, y, _| {
        let one = pool.mk_const(32, 1);
        let next = pool.mk_add(x, one);
        let sum = pool.mk_add(next, y);
        pool.mk_slt(sum, x)
    }),
    ("disequality", |pool, x, y, _| {
        let product = pool.mk_mul(x, y);
        let old = is(pool, product, 3 * 9);
        pool.mk_not(old)
    }),
    ("overflow of a sum", |pool, x, y, _| pool.mk_overflow(spelunk_bv::OverflowOp::SAdd, x, y)),
    ("overflow of a difference", |pool, x, y, _| pool.mk_overflow(spelunk_bv::OverflowOp::SSub, x, y)),
    ("overflow of a product", |pool, x, y, _| pool.mk_overflow(spelunk_bv::OverflowOp::UMul, x, y)),
    ("overflow of a signed product", |pool, x, y, _| pool.mk_overflow(spelunk_bv::OverflowOp::SMul, x, y)),
];

#[test]
fn operations_are_undone() {
    for (name, make) in CASES {
        let mut bench = bench();
        let (x, y, b) = (bench.var("x", 32), bench.var("y", 32), bench.var("b", 8));
        for (var, value) in [(x, 3), (y, 9), (b, 4)] {
            bench.set(var, value);
        }
        let target = make(&mut bench.pool, x, y, b);
        let limit = bench.below(y, 1 << 31);
        let answer = bench.check_satisfied(&[limit, target], 1);
        assert!(answer.is_sat(), "{name}: {answer:?}");
        assert_eq!(bench.asked().len(), 0, "{name}");
    }
}

#[test]
fn what_a_guess_breaks_is_mended() {
    let mut bench = bench();
    let (x, y, z) = (bench.var("x", 32), bench.var("y", 32), bench.var("z", 32));
    let sum = bench.pool.mk_add(x, y);
    let (sum_is, z_is_double) = (bench.is(sum, 0), bench.pool.mk_add(x, x));
    let z_is_double = bench.pool.mk_eq(z, z_is_double);
    let target = bench.is(x, 21);
    let answer = bench.check(&[sum_is, z_is_double, target]);
    assert_eq!(bench.changes(&answer), [(x, 21), (y, 21u32.wrapping_neg() as u64), (z, 42)]);
}

#[test]
fn what_no_guess_satisfies_is_handed_on() {
    let mut bench = bench();
    let x = bench.var("x", 32);
    let square = bench.pool.mk_mul(x, x);
    let target = bench.is(square, 17 * 17);
    assert!(!bench.check(&[target]).is_sat());
    let asked = bench.asked();
    assert_eq!((asked.len(), asked[0].constraints.as_slice(), asked[0].n_satisfied), (1, &[target][..], 0));
    assert_eq!(bench.stats("verify").n_unknown, 0, "nothing wrong was offered");
}

#[test]
fn guesses_are_right_or_not_made() {
    let mut random = Random::new(8);
    let mut n_own = 0;
    for _ in 0..1000 {
        let mut bench = Bench::new(vec![Box::new(Invert::default())], Script::Exact);
        let vars: Vec<ExprId> = (0..3).map(|at| bench.var(&format!("v{at}"), 4)).collect();
        for &var in &vars {
            bench.set(var, random.below(16) as u64);
        }
        let constraints: Vec<ExprId> =
            (0..1 + random.below(4)).map(|_| random_condition(&mut bench.pool, &mut random, &vars, 2)).collect();
        let is_sat = bench.check_exactly(&constraints).is_sat();
        n_own += (is_sat && bench.asked().is_empty()) as u32;
    }
    assert!(n_own > 500, "{n_own} guesses were right");
}
