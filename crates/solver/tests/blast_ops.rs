//! The bit-blaster against evaluation: each operation, for all values of small operands and for random wide ones.

mod blast_support;

use blast_support::{Bench, Lcg};
use spelunk_bv::{BinOp, CmpOp, OverflowOp};
use spelunk_expr::{ExprId, ExprPool, Sort};

type Maker = fn(&mut ExprPool, ExprId, ExprId) -> ExprId;

/// Operations on two words of one width.
const BINARY: &[(&str, Maker)] = &[
    ("add", |pool, a, b| pool.mk_binop(BinOp::Add, a, b)),
    ("sub", |pool, a, b| pool.mk_binop(BinOp::Sub, a, b)),
    ("mul", |pool, a, b| pool.mk_binop(BinOp::Mul, a, b)),
    ("udiv", |pool, a, b| pool.mk_binop(BinOp::UDiv, a, b)),
    ("sdiv", |pool, a, b| pool.mk_binop(BinOp::SDiv, a, b)),
    ("urem", |pool, a, b| pool.mk_binop(BinOp::URem, a, b)),
    ("srem", |pool, a, b| pool.mk_binop(BinOp::SRem, a, b)),
    ("shl", |pool, a, b| pool.mk_binop(BinOp::Shl, a, b)),
    ("lshr", |pool, a, b| pool.mk_binop(BinOp::LShr, a, b)),
    ("ashr", |pool, a, b| pool.mk_binop(BinOp::AShr, a, b)),
    ("and", |pool, a, b| pool.mk_binop(BinOp::And, a, b)),
    ("or", |pool, a, b| pool.mk_binop(BinOp::Or, a, b)),
    ("xor", |pool, a, b| pool.mk_binop(BinOp::Xor, a, b)),
    ("eq", |pool, a, b| pool.mk_cmp(CmpOp::Eq, a, b)),
    ("ult", |pool, a, b| pool.mk_cmp(CmpOp::Ult, a, b)),
    ("ule", |pool, a, b| pool.mk_cmp(CmpOp::Ule, a, b)),
    ("slt", |pool, a, b| pool.mk_cmp(CmpOp::Slt, a, b)),
    ("sle", |pool, a, b| pool.mk_cmp(CmpOp::Sle, a, b)),
    ("sadd.overflow", |pool, a, b| pool.mk_overflow(OverflowOp::SAdd, a, b)),
    ("ssub.overflow", |pool, a, b| pool.mk_overflow(OverflowOp::SSub, a, b)),
    ("umul.overflow", |pool, a, b| pool.mk_overflow(OverflowOp::UMul, a, b)),
    ("smul.overflow", |pool, a, b| pool.mk_overflow(OverflowOp::SMul, a, b)),
    ("not", |pool, a, _| pool.mk_not(a)),
    ("neg", |pool, a, _| pool.mk_neg(a)),
    ("concat", |pool, a, b| pool.mk_concat(a, b)),
    ("zext", |pool, a, _| pool.mk_zext(a, pool.width(a) + 3)),
    ("sext", |pool, a, _| pool.mk_sext(a, pool.width(a) + 3)),
    ("extract", |pool, a, _| {
        let low = pool.width(a) / 3;
        pool.mk_extract(a, low, pool.width(a) - low)
    }),
    ("ite", |pool, a, b| {
        let cond = pool.mk_trunc(a, 1);
        pool.mk_ite(cond, a, b)
    }),
];

/// With and without the rules that simplify expressions: the circuit sees other shapes.
const FUELS: [Option<u64>; 2] = [None, Some(0)];

/// Checks an operation: for each pair of operand values, the result that evaluation yields is possible and no other.
fn check_all_values(name: &str, make: Maker, width: u32, fuel: Option<u64>) {
    let mut bench = Bench::new(fuel);
    let [x, y] = ["x", "y"].map(|name| bench.var(name, Sort::Bv(width)));
    let result = make(&mut bench.pool, x, y);
    let z = bench.var("z", Sort::Bv(bench.pool.width(result)));
    let is_result = bench.pool.mk_eq(result, z);
    for a in 0..1 << width {
        for b in 0..1 << width {
            // Operands as assumptions.
            let operands = [bench.is(x, a), bench.is(y, b)];
            let expected = bench.eval_at(result, &[(x, a), (y, b)]);
            let is_expected = bench.is_value(z, &expected);
            let is_other = bench.pool.mk_not(is_expected);
            assert!(
                bench.check(&[operands[0], operands[1], is_result, is_expected]).is_sat(),
                "{name} of {width} bits: {a}, {b} yields {expected:?}"
            );
            assert!(
                bench.check(&[operands[0], operands[1], is_result, is_other]).is_unsat(),
                "{name} of {width} bits: {a}, {b} yields {expected:?} only"
            );
            // Operands as constants.
            let [a_const, b_const] = [a, b].map(|value| bench.pool.mk_const(width, value));
            for (left, right) in [(a_const, y), (x, b_const), (a_const, b_const)] {
                let folded = make(&mut bench.pool, left, right);
                let is_folded = bench.is_value(folded, &expected);
                let not_folded = bench.pool.mk_not(is_folded);
                assert!(
                    bench.check(&[operands[0], operands[1], not_folded]).is_unsat(),
                    "{name} of {width} bits with constants among {a}, {b} yields {expected:?} only"
                );
            }
        }
    }
}

macro_rules! exhaustive {
    ($($width:literal => $test:ident),+ $(,)?) => {
        $(#[test]
        fn $test() {
            for &(name, make) in BINARY {
                for fuel in FUELS {
                    check_all_values(name, make, $width, fuel);
                }
            }
        })+
    };
}

exhaustive! { 1 => all_values_of_1_bit, 2 => all_values_of_2_bits, 3 => all_values_of_3_bits, 4 => all_values_of_4_bits }

#[test]
fn random_values_of_wide_operands() {
    let mut random = Lcg::new(1);
    for width in [5, 8, 16, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 200] {
        for &(name, make) in BINARY {
            let is_product =
                name.starts_with("mul") || name.contains("mul.") || name.contains("div") || name.contains("rem");
            if is_product && width > 64 && width != 129 {
                continue;
            }
            let mut bench = Bench::new(None);
            let [x, y] = ["x", "y"].map(|name| bench.var(name, Sort::Bv(width)));
            let result = make(&mut bench.pool, x, y);
            for _ in 0..4 {
                let [a, b] = [random.value(width), random.value(width)];
                let operands = [bench.is_value(x, &a), bench.is_value(y, &b)];
                let expected = bench.eval_at_values(result, &[(x, a.clone()), (y, b.clone())]);
                let is_expected = bench.is_value(result, &expected);
                let is_other = bench.pool.mk_not(is_expected);
                assert!(
                    bench.check(&[operands[0], operands[1], is_other]).is_unsat(),
                    "{name} of {width} bits: {a:?}, {b:?} yields {expected:?} only"
                );
                assert!(
                    bench.check(&[operands[0], operands[1], is_expected]).is_sat(),
                    "{name} of {width} bits: {a:?}, {b:?} yields {expected:?}"
                );
            }
        }
    }
}

#[test]
fn operands_are_found_from_results() {
    let mut random = Lcg::new(2);
    for width in [8, 16] {
        for &(name, make) in BINARY {
            let mut bench = Bench::new(None);
            let [x, y] = ["x", "y"].map(|name| bench.var(name, Sort::Bv(width)));
            let result = make(&mut bench.pool, x, y);
            for _ in 0..4 {
                let [a, b] = [random.value(width), random.value(width)];
                let wanted = bench.eval_at_values(result, &[(x, a), (y, b.clone())]);
                let constraints = [bench.is_value(result, &wanted), bench.is_value(y, &b)];
                assert!(bench.check(&constraints).is_sat(), "{name} of {width} bits yields {wanted:?} for {b:?}");
            }
        }
    }
}

#[test]
fn division_by_zero_and_overflowing_division() {
    for width in [8, 32, 64, 130] {
        let mut bench = Bench::new(None);
        let [x, y] = ["x", "y"].map(|name| bench.var(name, Sort::Bv(width)));
        let zero = bench.pool.mk_const(width, 0);
        let ones = bench.pool.mk_not(zero);
        let by_zero = bench.pool.mk_eq(y, zero);
        let by_minus_one = bench.pool.mk_eq(y, ones);
        let [udiv, urem, sdiv, srem] =
            [BinOp::UDiv, BinOp::URem, BinOp::SDiv, BinOp::SRem].map(|op| bench.pool.mk_binop(op, x, y));
        let is_negative = bench.pool.mk_slt(x, zero);
        let one = bench.pool.mk_const(width, 1);
        let sdiv_by_zero = bench.pool.mk_ite(is_negative, one, ones);
        let negated = bench.pool.mk_neg(x);
        let cases = [(by_zero, udiv, ones), (by_zero, urem, x), (by_zero, sdiv, sdiv_by_zero), (by_zero, srem, x)];
        for (divisor, result, expected) in
            cases.into_iter().chain([(by_minus_one, sdiv, negated), (by_minus_one, srem, zero)])
        {
            let differs = bench.pool.mk_ne(result, expected);
            assert!(bench.check(&[divisor, differs]).is_unsat());
            let same = bench.pool.mk_eq(result, expected);
            assert!(bench.check(&[divisor, same]).is_sat());
        }
    }
}
