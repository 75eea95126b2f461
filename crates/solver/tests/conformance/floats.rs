//! Floats: each operation of each format on corner values, and questions about ranges, infinities and NaNs.
//!
//! A solver knows one NaN where patterns have many, and leaves conversions to integers open where the value does not
//! fit. There it may say that its values were wrong; everywhere else it has to know. A solver without floats may only
//! say so.

use spelunk_bv::float::{self, FloatKind};
use spelunk_bv::{FBinOp, FCmpOp, RoundOp, Signedness};
use spelunk_expr::{Evaluator, ExprId, Model, Sort, Value, VarId};
use spelunk_solver::chain::Backend;
use spelunk_solver::{Answer, Unknown};

use crate::asking::{Case, Outcome, expect_sat, expect_unsat, mk_is, mk_is_number, var};
use crate::common::operations::{Operands, Operation, floats};
use crate::common::session::Session;
use crate::contestants::Contestant;
use crate::values::{Random, flipped};

pub fn check(contestant: &Contestant) {
    // Layers don't know floats, so what the backend says of all of them need not be asked again and again.
    let (kinds, n_samples) = match contestant.options.backend {
        Backend::Z3 | Backend::Blast => (&FloatKind::ALL[..], 6),
        Backend::Both => (&[FloatKind::Half][..], 2),
    };
    for &kind in kinds {
        for operation in floats(kind) {
            check_operation(contestant, kind, &operation, n_samples);
        }
    }
    if contestant.has_floats() {
        for (name, case) in CASES {
            let mut session = contestant.session();
            session.name += &format!(", {name}");
            case(&mut session);
        }
    }
}

fn check_operation(contestant: &Contestant, kind: FloatKind, operation: &Operation, n_samples: usize) {
    let mut session = contestant.session();
    session.name += &format!(", {}", operation.name);
    let widths = operation.widths(32).expect("32 bits will do for all");
    let vars: Vec<VarId> = widths.iter().map(|&width| session.pool.new_var("x", Sort::Bv(width))).collect();
    let args: Vec<ExprId> = vars.iter().map(|&var| session.pool.mk_var(var)).collect();
    let result = operation.mk(&mut session.pool, &args);
    let takes_floats = matches!(operation.operands, Operands::Floats(..));
    let corners = corners(kind);
    let mut random = Random(kind.bits() as u64);
    for _ in 0..n_samples {
        let mut pick = |width: u32| match random.below(4) {
            0..3 if takes_floats => corners[random.below(corners.len())].clone(),
            _ => random.sample(width),
        };
        let values: Vec<Value> = widths.iter().map(|&width| pick(width)).collect();
        let mut model = Model::new();
        for (&var, value) in vars.iter().zip(&values) {
            model.set(var, value);
        }
        let expected = Evaluator::new().under(&session.pool, &model).eval(result);
        let pool = &mut session.pool;
        let given: Vec<ExprId> = args.iter().zip(&values).map(|(&arg, value)| mk_is(pool, arg, value)).collect();
        let right = mk_is(pool, result, &expected);
        let wrong = mk_is(pool, result, &flipped(&expected, random.next()));
        let freedom = Freedom::of(contestant, operation, &values, &expected);
        expect_within(&mut session, Outcome::Sat, &[&given[..], &[right]].concat(), freedom);
        expect_within(&mut session, Outcome::Unsat, &[&given[..], &[wrong]].concat(), freedom);
    }
}

/// What a solver may say instead of the answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Freedom {
    None,
    /// That its values were wrong: there is a NaN, or a number that has no integer.
    Patterns,
    /// That it can't do floats.
    Unsupported,
}

impl Freedom {
    fn of(contestant: &Contestant, operation: &Operation, values: &[Value], expected: &Value) -> Freedom {
        let bits = |value: &Value| value.limbs().iter().rev().fold(0, |high, &limb| high << 64 | limb as u128);
        let is_nan = |value: &Value| {
            FloatKind::ALL.iter().any(|&kind| kind.bits() == value.width() && float::is_nan(kind, bits(value)))
        };
        let has_no_integer = operation.name.starts_with("to-int")
            && matches!(operation.operands, Operands::Floats(_, kind)
                if Signedness::ALL.iter().any(|&sign| !float::fits_int(kind, bits(&values[0]), 32, sign)));
        if !contestant.has_floats() {
            Freedom::Unsupported
        } else if has_no_integer || values.iter().chain([expected]).any(is_nan) {
            Freedom::Patterns
        } else {
            Freedom::None
        }
    }

    fn allows(self, why: &Unknown) -> bool {
        match self {
            Freedom::None => false,
            Freedom::Patterns => *why == Unknown::WrongModel,
            Freedom::Unsupported => matches!(why, Unknown::Unsupported(_)),
        }
    }
}

fn expect_within(session: &mut Session, outcome: Outcome, constraints: &[ExprId], freedom: Freedom) {
    let answer = session.check(constraints, 0);
    let is_right = match &answer {
        Answer::Sat(_) => outcome == Outcome::Sat,
        Answer::Unsat(_) => outcome == Outcome::Unsat,
        Answer::Unknown(why) => freedom.allows(why),
    };
    if !is_right {
        session.fail(constraints, &format!("{answer:?} instead of {outcome:?}"));
    }
}

/// Zeros, ones, halves, infinities, a NaN, and the smallest numbers, of both signs.
fn corners(kind: FloatKind) -> Vec<Value> {
    let number = |value: i64| float::from_int_narrow(kind, value as u64, 64, Signedness::Signed);
    let half = float::binop(kind, FBinOp::FDiv, number(1), number(2));
    let largest = float::convert(FloatKind::Fp128, kind, float::infinity(FloatKind::Fp128) - 1);
    let positive = [
        number(0),
        number(1),
        half,
        number(3),
        number(100),
        float::infinity(kind),
        largest,
        float::default_nan(kind),
        1,
    ];
    let value = |bits: u128| Value::from_limbs(kind.bits(), &[bits as u64, (bits >> 64) as u64]);
    positive.iter().flat_map(|&bits| [value(bits), value(float::neg(kind, bits))]).collect()
}

const CASES: &[Case] = &[
    ("NaNs", nans),
    ("zeros of both signs", zeros),
    ("rounding of sums", absorbed),
    ("an equation", equation),
    ("conversions", conversions),
    ("an unknown square root", square_root),
];

const DOUBLE: FloatKind = FloatKind::Double;

fn number(session: &mut Session, value: f64) -> ExprId {
    session.pool.mk_const(64, value.to_bits())
}

fn compare(session: &mut Session, op: FCmpOp, a: ExprId, b: ExprId) -> ExprId {
    session.pool.mk_fcmp(DOUBLE, op, a, b)
}

fn nans(session: &mut Session) {
    let (x, y) = (var(session, "x", 64), var(session, "y", 64));
    let not_itself = compare(session, FCmpOp::Une, x, x);
    let is_nan = session.pool.mk_is_nan(DOUBLE, x);
    let is_number = session.pool.mk_not(is_nan);
    expect_sat(session, &[not_itself]);
    expect_unsat(session, &[not_itself, is_number]);
    let unordered = compare(session, FCmpOp::Uno, x, y);
    let ordered_either = [FCmpOp::Olt, FCmpOp::Oge].map(|op| compare(session, op, x, y));
    let ordered = session.pool.mk_or(ordered_either[0], ordered_either[1]);
    let neither = session.pool.mk_not(ordered);
    expect_unsat(session, &[unordered, ordered]);
    expect_sat(session, &[neither]);
    let y_is_nan = session.pool.mk_is_nan(DOUBLE, y);
    let y_is_number = session.pool.mk_not(y_is_nan);
    expect_unsat(session, &[neither, is_number, y_is_number]);
}

fn zeros(session: &mut Session) {
    let (x, y) = (var(session, "x", 64), var(session, "y", 64));
    let equal = compare(session, FCmpOp::Oeq, x, y);
    let differ = session.pool.mk_ne(x, y);
    let zero = number(session, 0.0);
    let is_zero = compare(session, FCmpOp::Oeq, x, zero);
    let is_not_zero = session.pool.mk_not(is_zero);
    expect_sat(session, &[equal, differ]);
    expect_sat(session, &[equal, differ, is_zero]);
    expect_unsat(session, &[equal, differ, is_not_zero]);
}

/// Large numbers swallow small ones: x + 1 == x has solutions, but none below 2^53.
fn absorbed(session: &mut Session) {
    let x = var(session, "x", 64);
    let (one, zero, limit, infinity) = (
        number(session, 1.0),
        number(session, 0.0),
        number(session, 9_007_199_254_740_992.0),
        number(session, f64::INFINITY),
    );
    let sum = session.pool.mk_fbinop(DOUBLE, FBinOp::FAdd, x, one);
    let is_same = compare(session, FCmpOp::Oeq, sum, x);
    let is_finite = compare(session, FCmpOp::Olt, x, infinity);
    let is_positive = compare(session, FCmpOp::Olt, zero, x);
    let is_below = compare(session, FCmpOp::Olt, x, limit);
    expect_sat(session, &[is_same, is_finite, is_positive]);
    expect_unsat(session, &[is_same, is_positive, is_below]);
}

fn equation(session: &mut Session) {
    let x = var(session, "x", 64);
    let (two, three, ten) = (number(session, 2.0), number(session, 3.0), number(session, 10.0));
    let twice = session.pool.mk_fbinop(DOUBLE, FBinOp::FMul, x, two);
    let sum = session.pool.mk_fbinop(DOUBLE, FBinOp::FAdd, twice, three);
    let is_ten = compare(session, FCmpOp::Oeq, sum, ten);
    let model = expect_sat(session, &[is_ten]);
    let value = model.get_u64(session.pool.node(x).var()).expect("a value");
    assert_eq!(f64::from_bits(value) * 2.0 + 3.0, 10.0);
    let above = compare(session, FCmpOp::Ogt, x, three);
    let above_four = number(session, 4.0);
    let above_four = compare(session, FCmpOp::Ogt, x, above_four);
    expect_sat(session, &[is_ten, above]);
    expect_unsat(session, &[is_ten, above_four]);
}

fn conversions(session: &mut Session) {
    let (x, n) = (var(session, "x", 64), var(session, "n", 32));
    let pool = &mut session.pool;
    let as_int = pool.mk_float_to_int(DOUBLE, Signedness::Signed, 32, x);
    let is_minus_seven = mk_is_number(pool, as_int, -7i64 as u64);
    let floor = pool.mk_fround(DOUBLE, RoundOp::Floor, x);
    let is_whole = pool.mk_fcmp(DOUBLE, FCmpOp::Oeq, floor, x);
    let is_broken = pool.mk_not(is_whole);
    expect_sat(session, &[is_minus_seven]);
    expect_sat(session, &[is_minus_seven, is_broken]);
    let limit = number(session, -8.0);
    let is_low = compare(session, FCmpOp::Ole, x, limit);
    expect_unsat(session, &[is_minus_seven, is_low]);
    // Not every integer of 32 bits is a float of 32 bits.
    let pool = &mut session.pool;
    let single = pool.mk_int_to_float(FloatKind::Float, Signedness::Signed, n);
    let back = pool.mk_float_to_int(FloatKind::Float, Signedness::Signed, 32, single);
    let (is_lossy, limit) = (pool.mk_ne(back, n), pool.mk_const(32, 1 << 24));
    let is_small = pool.mk_ule(n, limit);
    expect_sat(session, &[is_lossy]);
    expect_unsat(session, &[is_lossy, is_small]);
}

fn square_root(session: &mut Session) {
    let x = var(session, "x", 32);
    let pool = &mut session.pool;
    let root = pool.mk_fsqrt(FloatKind::Float, x);
    let twelve = pool.mk_const(32, 12.0f32.to_bits() as u64);
    let is_twelve = pool.mk_fcmp(FloatKind::Float, FCmpOp::Oeq, root, twelve);
    let is_negative = pool.mk_extract(x, 31, 1);
    expect_sat(session, &[is_twelve]);
    expect_unsat(session, &[is_twelve, is_negative]);
}
