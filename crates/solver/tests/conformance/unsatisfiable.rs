//! Constraints that can't hold together, for reasons of many kinds; with one of them dropped or changed, most can.
//!
//! Small instances are checked by trying all values, so that the table here can't be wrong.

use spelunk_bv::{BinOp, CmpOp};
use spelunk_expr::{ExprId, ExprPool};

use crate::asking::{Case, brute_force, expect_brute_force, expect_sat, expect_unsat, mk_is_number, var};
use crate::common::session::Session;
use crate::contestants::Contestant;

/// Laws of arithmetic on two or three values: the negation of each is unsatisfiable at every width.
const LAWS: &[(&str, u32, Law)] = &[
    ("x * y = y * x, by parts", 6, |pool, [x, y, _]| {
        // The builder puts operands in order, so the product is taken apart: (x + 1) * y = y * x + y.
        let one = pool.mk_const(pool.width(x), 1);
        let next = pool.mk_add(x, one);
        let (product, parts) = (pool.mk_mul(next, y), pool.mk_mul(y, x));
        let parts = pool.mk_add(parts, y);
        pool.mk_eq(product, parts)
    }),
    ("x * (y + z) = x * y + x * z", 4, |pool, [x, y, z]| {
        let sum = pool.mk_add(y, z);
        let (product, left, right) = (pool.mk_mul(x, sum), pool.mk_mul(x, y), pool.mk_mul(x, z));
        let parts = pool.mk_add(left, right);
        pool.mk_eq(product, parts)
    }),
    ("x = (x / y) * y + x % y, unsigned", 6, |pool, args| division_law(pool, args, [BinOp::UDiv, BinOp::URem])),
    ("x = (x / y) * y + x % y, signed", 6, |pool, args| division_law(pool, args, [BinOp::SDiv, BinOp::SRem])),
    ("x % y < y unless y = 0", 6, |pool, [x, y, _]| {
        let rest = pool.mk_urem(x, y);
        let (is_zero, is_less) = (mk_is_number(pool, y, 0), pool.mk_ult(rest, y));
        pool.mk_or(is_zero, is_less)
    }),
    ("x ^ y = (x | y) - (x & y)", 24, |pool, [x, y, _]| {
        let (xor, or, and) = (pool.mk_xor(x, y), pool.mk_or(x, y), pool.mk_and(x, y));
        let difference = pool.mk_sub(or, and);
        pool.mk_eq(xor, difference)
    }),
    ("x + y = (x ^ y) + 2 * (x & y)", 24, |pool, [x, y, _]| {
        let (sum, xor, and) = (pool.mk_add(x, y), pool.mk_xor(x, y), pool.mk_and(x, y));
        let twice = pool.mk_add(and, and);
        let parts = pool.mk_add(xor, twice);
        pool.mk_eq(sum, parts)
    }),
    ("order is transitive", 40, |pool, [x, y, z]| {
        let (first, second, both) = (pool.mk_slt(x, y), pool.mk_slt(y, z), pool.mk_slt(x, z));
        let (not_first, not_second) = (pool.mk_not(first), pool.mk_not(second));
        let either = pool.mk_or(not_first, not_second);
        pool.mk_or(either, both)
    }),
    ("(x << z) >> z keeps no bits that were not there", 16, |pool, [x, _, z]| {
        let up = pool.mk_shl(x, z);
        let down = pool.mk_lshr(up, z);
        pool.mk_ule(down, x)
    }),
    ("signed and unsigned order agree on equal signs", 40, |pool, [x, y, _]| {
        let zero = pool.mk_const(pool.width(x), 0);
        let signs = [x, y].map(|id| pool.mk_slt(id, zero));
        let (differ, signed, unsigned) = (pool.mk_ne(signs[0], signs[1]), pool.mk_slt(x, y), pool.mk_ult(x, y));
        let agree = pool.mk_eq(signed, unsigned);
        pool.mk_or(differ, agree)
    }),
    ("a square is 0 or 1 modulo 4", 9, |pool, [x, _, _]| {
        let square = pool.mk_mul(x, x);
        let bit = pool.mk_extract(square, 1, 1);
        pool.mk_not(bit)
    }),
];

type Law = fn(&mut ExprPool, [ExprId; 3]) -> ExprId;

fn division_law(pool: &mut ExprPool, [x, y, _]: [ExprId; 3], [div, rem]: [BinOp; 2]) -> ExprId {
    let (quotient, rest) = (pool.mk_binop(div, x, y), pool.mk_binop(rem, x, y));
    let product = pool.mk_mul(quotient, y);
    let sum = pool.mk_add(product, rest);
    pool.mk_eq(sum, x)
}

pub fn check(contestant: &Contestant) {
    for (name, width, law) in LAWS {
        for width in [3, *width] {
            let mut session = contestant.session();
            session.name += &format!(", {name} at {width} bits");
            let args = ["x", "y", "z"].map(|name| var(&mut session, name, width));
            let holds = law(&mut session.pool, args);
            let fails = session.pool.mk_not(holds);
            assert_ne!(brute_force(&session.pool, &[fails]), Some(true), "{}", session.name);
            expect_unsat(&mut session, &[fails]);
            expect_sat(&mut session, &[holds]);
        }
    }
    for (name, case) in CASES {
        let mut session = contestant.session();
        session.name += &format!(", {name}");
        case(&mut session);
    }
}

const CASES: &[Case] = &[
    ("pairs of comparisons", comparison_pairs),
    ("a cycle", cycle),
    ("pigeons", pigeons),
    ("parity", parity),
    ("ranges", ranges),
    ("a core among many", core_among_many),
    ("no factors", no_factors),
];

/// Every pair of comparisons of two values, and of a value with a constant.
fn comparison_pairs(session: &mut Session) {
    let (x, y) = (var(session, "x", 4), var(session, "y", 4));
    let five = session.pool.mk_const(4, 5);
    for (&first, &second) in CmpOp::ALL.iter().flat_map(|first| CmpOp::ALL.iter().map(move |second| (first, second))) {
        let pool = &mut session.pool;
        let condition = pool.mk_cmp(first, x, y);
        for [a, b] in [[x, y], [y, x], [x, five], [five, y]] {
            let constraints = [condition, session.pool.mk_cmp(second, a, b)];
            expect_brute_force(session, &constraints);
        }
    }
}

fn cycle(session: &mut Session) {
    const LENGTH: usize = 50;
    let vars: Vec<ExprId> = (0..LENGTH).map(|_| var(session, "x", 32)).collect();
    let pool = &mut session.pool;
    let all: Vec<ExprId> = (0..LENGTH).map(|at| pool.mk_slt(vars[at], vars[(at + 1) % LENGTH])).collect();
    expect_unsat(session, &all);
    expect_sat(session, &all[1..]);
}

/// Six pigeons in five holes.
fn pigeons(session: &mut Session) {
    let holes: Vec<ExprId> = (0..6).map(|_| var(session, "hole", 3)).collect();
    let pool = &mut session.pool;
    let five = pool.mk_const(3, 5);
    let mut constraints: Vec<ExprId> = holes.iter().map(|&hole| pool.mk_ult(hole, five)).collect();
    for (at, &hole) in holes.iter().enumerate() {
        constraints.extend(holes[..at].iter().map(|&other| pool.mk_ne(hole, other)));
    }
    expect_unsat(session, &constraints);
    expect_sat(session, &constraints[1..]);
}

/// Sums of neighbours on an odd cycle can't all be odd.
fn parity(session: &mut Session) {
    const LENGTH: usize = 21;
    let bits: Vec<ExprId> = (0..LENGTH).map(|_| var(session, "x", 1)).collect();
    let pool = &mut session.pool;
    let all: Vec<ExprId> = (0..LENGTH).map(|at| pool.mk_xor(bits[at], bits[(at + 1) % LENGTH])).collect();
    expect_unsat(session, &all);
    expect_sat(session, &all[..LENGTH - 1]);
}

/// Bounds that leave nothing, one value, or a gap that wraps around.
fn ranges(session: &mut Session) {
    let x = var(session, "x", 6);
    for (low, high) in [(10, 20), (20, 10), (19, 21), (20, 21), (60, 3), (0, 1), (0, 0), (63, 63), (31, 32), (31, 33)] {
        let pool = &mut session.pool;
        let [low, high] = [low, high].map(|bound| pool.mk_const(6, bound));
        for (above, below) in [(CmpOp::Ult, CmpOp::Ult), (CmpOp::Slt, CmpOp::Slt), (CmpOp::Ult, CmpOp::Slt)] {
            let pool = &mut session.pool;
            let (above, below) = (pool.mk_cmp(above, low, x), pool.mk_cmp(below, x, high));
            expect_brute_force(session, &[above, below]);
            let odd = session.pool.mk_trunc(x, 1);
            expect_brute_force(session, &[odd, above, below]);
        }
    }
}

/// Two of a thousand constraints contradict each other.
fn core_among_many(session: &mut Session) {
    let mut constraints: Vec<ExprId> = (0..1000)
        .map(|at| {
            let byte = var(session, "b", 8);
            mk_is_number(&mut session.pool, byte, at % 256)
        })
        .collect();
    let (x, y) = (var(session, "x", 16), var(session, "y", 16));
    let pool = &mut session.pool;
    let (sum, hundred) = (pool.mk_add(x, y), pool.mk_const(16, 100));
    constraints.insert(300, pool.mk_ult(sum, hundred));
    expect_sat(session, &constraints);
    let pool = &mut session.pool;
    constraints.insert(700, pool.mk_ult(hundred, sum));
    expect_unsat(session, &constraints);
}

/// A prime of 16 bits.
fn no_factors(session: &mut Session) {
    let (x, y) = (var(session, "x", 16), var(session, "y", 16));
    let pool = &mut session.pool;
    let [wide_x, wide_y] = [x, y].map(|id| pool.mk_zext(id, 32));
    let (product, one) = (pool.mk_mul(wide_x, wide_y), pool.mk_const(16, 1));
    let mut constraints = vec![pool.mk_ult(one, x), pool.mk_ult(one, y)];
    constraints.push(mk_is_number(pool, product, 32_749));
    expect_unsat(session, &constraints);
    constraints.pop();
    let is_composite = mk_is_number(&mut session.pool, product, 181 * 179);
    constraints.push(is_composite);
    expect_sat(session, &constraints);
}
