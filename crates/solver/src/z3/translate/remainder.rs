//! C's `fmod`. Z3 computes remainders by dividing numbers as long as the range of exponents: some forty bits for halves,
//! which is fine, thousands for doubles, which is not. For those the result is a variable of which some things are said:
//! first bounds, then the exact result wherever the quotient is small, then single results (see `refine`).

use spelunk_bv::float::FloatKind;
use spelunk_expr::ExprId;
use z3::ast::{BV, Bool, Float, RoundingMode};

use super::floats::{Operand, nan_result, nearest_even, power_of_two};

pub(super) fn is_computable(kind: FloatKind) -> bool {
    kind == FloatKind::Half
}

/// Z3 has the remainder to the nearest multiple, from which C's is at most one step away.
pub(super) fn compute(x: &Float, y: &Float) -> Float {
    let step = y.unary_abs();
    let nearest = x.unary_abs().rem(&step);
    let magnitude = nearest.is_negative().ite(&nearest_even().add(&nearest, &step), &nearest);
    x.is_negative().ite(&magnitude.unary_neg(), &magnitude)
}

/// A remainder that Z3 does not compute.
pub(in crate::z3) struct Remainder {
    /// The result.
    pub bits: BV,
    /// What is always true, and easy to say.
    pub bounds: Bool,
    /// The result, if the format holds all integers up to the quotient.
    pub small_quotient: Bool,
}

impl Remainder {
    pub(super) fn new(kind: FloatKind, id: ExprId, operands: &[Operand]) -> Self {
        let (x, y) = (&operands[0], &operands[1]);
        let result = Operand::new(kind, BV::new_const(format!("fmod!{}", id.raw()), kind.bits()));
        let is_invalid = Bool::or(&[x.value.is_nan(), y.value.is_nan(), x.value.is_infinite(), y.value.is_zero()]);
        let top = kind.bits() - 1;
        let (magnitude, dividend, divisor) = (result.value.unary_abs(), x.value.unary_abs(), y.value.unary_abs());
        let bounds = [
            result.value.is_nan().not(),
            result.bits.extract(top, top).eq(x.bits.extract(top, top)),
            magnitude.le(&dividend),
            magnitude.lt(&divisor),
            dividend.lt(&divisor).implies(magnitude.eq_fpa(&dividend)),
        ];
        Remainder {
            bits: is_invalid.ite(&nan_result(kind, operands), &result.bits),
            bounds: Bool::or(&[is_invalid.clone(), Bool::and(&bounds)]),
            small_quotient: Bool::or(&[is_invalid, small_quotient(kind, &magnitude, &dividend, &divisor)]),
        }
    }
}

/// Rounding towards zero keeps the integral part of a quotient, and what is left of the dividend is a float: no step
/// loses anything.
fn small_quotient(kind: FloatKind, magnitude: &Float, dividend: &Float, divisor: &Float) -> Bool {
    let towards_zero = RoundingMode::round_towards_zero();
    let quotient = towards_zero.div(dividend, divisor);
    let limit = Operand::constant(kind, power_of_two(kind, kind.precision())).value;
    let whole = quotient.round_to_integral_with_rounding_mode(&towards_zero);
    let left = whole.unary_neg().fma(divisor, dividend);
    // An infinite divisor leaves the dividend, which the bounds say.
    let is_small = Bool::and(&[quotient.lt(&limit), divisor.is_infinite().not()]);
    is_small.implies(magnitude.eq_fpa(&left))
}
