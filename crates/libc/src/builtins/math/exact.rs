//! Functions whose results need no approximation, on bit patterns of any format.

use spelunk_bv::float::{self, FBits, FloatKind};
use spelunk_bv::{FBinOp, FCmpOp, RoundOp, Signedness};

fn sub(kind: FloatKind, a: FBits, b: FBits) -> FBits {
    float::binop(kind, FBinOp::FSub, a, b)
}

pub fn fmod(kind: FloatKind, a: FBits, b: FBits) -> FBits {
    float::binop(kind, FBinOp::FRem, a, b)
}

fn is_at_least(kind: FloatKind, a: FBits, b: FBits) -> bool {
    float::fcmp(kind, FCmpOp::Oge, a, b)
}

fn is_greater(kind: FloatKind, a: FBits, b: FBits) -> bool {
    float::fcmp(kind, FCmpOp::Ogt, a, b)
}

pub fn fdim(kind: FloatKind, a: FBits, b: FBits) -> FBits {
    if float::fcmp(kind, FCmpOp::Ole, a, b) { float::zero(kind) } else { sub(kind, a, b) }
}

pub fn remainder(kind: FloatKind, a: FBits, b: FBits) -> FBits {
    remquo(kind, a, b).0
}

/// The remainder with the quotient rounded to the nearest integer, and the low three bits of that with its sign.
pub fn remquo(kind: FloatKind, a: FBits, b: FBits) -> (FBits, i32) {
    let is_invalid = float::is_inf(kind, a) || float::is_zero(kind, b);
    if is_invalid || float::is_nan(kind, a) || float::is_nan(kind, b) {
        return (fmod(kind, a, b), 0);
    }
    let divisor = float::abs(kind, b);
    // Multiples of the divisor may be too large; then what is left is smaller than they are anyway.
    let multiple = |power| float::ldexp(kind, divisor, power);
    let mut left = float::abs(kind, a);
    if !float::is_inf(kind, multiple(3)) {
        left = fmod(kind, left, multiple(3));
    }
    let mut quotient = 0;
    for power in [2, 1, 0] {
        if is_at_least(kind, left, multiple(power)) {
            left = sub(kind, left, multiple(power));
            quotient += 1 << power;
        }
    }
    // Now it is less than the divisor. It is nearer to the next multiple if more than half; half goes to even.
    let complement = sub(kind, divisor, left);
    let is_half = left == complement && !float::is_zero(kind, left);
    if is_greater(kind, left, complement) || is_half && quotient & 1 != 0 {
        left = sub(kind, left, divisor);
        quotient += 1;
    }
    let negative = float::is_sign_negative(kind, a) != float::is_sign_negative(kind, b);
    let remainder = if float::is_sign_negative(kind, a) { float::neg(kind, left) } else { left };
    (remainder, if negative { -(quotient & 7) } else { quotient & 7 })
}

pub fn scale(kind: FloatKind, a: FBits, by: i64) -> FBits {
    float::ldexp(kind, a, by.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32)
}

/// The exponent of the leading bit, `None` if there is no such bit.
pub fn exponent(kind: FloatKind, a: FBits) -> Option<i32> {
    if float::is_nan(kind, a) || float::is_inf(kind, a) || float::is_zero(kind, a) {
        return None;
    }
    Some(float::frexp(kind, a).1 - 1)
}

pub fn logb(kind: FloatKind, a: FBits) -> FBits {
    match exponent(kind, a) {
        Some(exponent) => float::from_int_narrow(kind, i64::from(exponent) as u64, 64, Signedness::Signed),
        None if float::is_zero(kind, a) => float::neg(kind, float::infinity(kind)),
        None => float::binop(kind, FBinOp::FMul, a, a),
    }
}

/// The fraction in [1, 2).
pub fn significand(kind: FloatKind, a: FBits) -> FBits {
    match exponent(kind, a) {
        Some(_) => float::ldexp(kind, float::frexp(kind, a).0, 1),
        None => a,
    }
}

/// Splits off the integral part.
pub fn modf(kind: FloatKind, a: FBits) -> (FBits, FBits) {
    let whole = float::round(kind, RoundOp::Trunc, a);
    let fraction = if float::is_inf(kind, a) { float::zero(kind) } else { sub(kind, a, whole) };
    (whole, if float::is_nan(kind, a) { whole } else { float::copysign(kind, fraction, a) })
}

pub fn next_after(kind: FloatKind, a: FBits, b: FBits) -> FBits {
    next_toward(kind, a, float::convert(kind, FloatKind::X86Fp80, b))
}

/// The neighbour of `a` on the way to a `long double`, which may lie between the two.
pub fn next_toward(kind: FloatKind, a: FBits, b: FBits) -> FBits {
    let wide = float::convert(kind, FloatKind::X86Fp80, a);
    if float::is_nan(kind, a) || float::is_nan(FloatKind::X86Fp80, b) {
        let sum = float::binop(FloatKind::X86Fp80, FBinOp::FAdd, wide, b);
        return float::convert(FloatKind::X86Fp80, kind, sum);
    }
    if float::fcmp(FloatKind::X86Fp80, FCmpOp::Oeq, wide, b) {
        float::convert(FloatKind::X86Fp80, kind, b)
    } else if is_greater(FloatKind::X86Fp80, b, wide) {
        next_up(kind, a)
    } else {
        next_down(kind, a)
    }
}

pub fn next_up(kind: FloatKind, a: FBits) -> FBits {
    if float::is_nan(kind, a) {
        return float::binop(kind, FBinOp::FAdd, a, a);
    }
    let negative = float::is_sign_negative(kind, a);
    let magnitude = float::abs(kind, a);
    if float::is_zero(kind, a) {
        from_rank(kind, 1)
    } else if negative {
        float::neg(kind, from_rank(kind, rank(kind, magnitude) - 1))
    } else if float::is_inf(kind, a) {
        a
    } else {
        from_rank(kind, rank(kind, magnitude) + 1)
    }
}

pub fn next_down(kind: FloatKind, a: FBits) -> FBits {
    float::neg(kind, next_up(kind, float::neg(kind, a)))
}

/// The explicit leading bit that only x86_fp80 has.
const INTEGER_BIT: FBits = 1 << 63;

/// The position of a magnitude among all, zero being the first.
fn rank(kind: FloatKind, magnitude: FBits) -> FBits {
    match kind {
        FloatKind::X86Fp80 => (magnitude >> 64) << 63 | magnitude & (INTEGER_BIT - 1),
        _ => magnitude,
    }
}

fn from_rank(kind: FloatKind, rank: FBits) -> FBits {
    match kind {
        FloatKind::X86Fp80 => {
            let (field, fraction) = (rank >> 63, rank & (INTEGER_BIT - 1));
            field << 64 | if field == 0 { 0 } else { INTEGER_BIT } | fraction
        }
        _ => rank,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn double(value: f64) -> FBits {
        FBits::from(value.to_bits())
    }

    fn long(value: f64) -> FBits {
        float::convert(FloatKind::Double, FloatKind::X86Fp80, double(value))
    }

    #[test]
    fn remainders_agree_with_libm() {
        let values =
            [0.0, 0.5, 1.0, 1.5, 2.5, 3.0, 7.0, 1e10, 1e300, f64::MAX, f64::MIN_POSITIVE, 5e-324, f64::INFINITY];
        for a in values.into_iter().flat_map(|value| [value, -value]) {
            for b in values.into_iter().flat_map(|value| [value, -value]) {
                let (expected, quotient) = libm::remquo(a, b);
                let (result, low_bits) = remquo(FloatKind::Double, double(a), double(b));
                let result = f64::from_bits(result as u64);
                assert!(result.is_nan() == expected.is_nan(), "{a} {b}");
                if !expected.is_nan() {
                    assert_eq!((result.to_bits(), low_bits % 8), (expected.to_bits(), quotient % 8), "{a} {b}");
                    let narrowed = |bits| float::convert(FloatKind::X86Fp80, FloatKind::Double, bits);
                    let wide = remainder(FloatKind::X86Fp80, long(a), long(b));
                    assert_eq!(narrowed(wide), double(expected), "{a} {b}");
                }
            }
        }
    }

    #[test]
    fn neighbours() {
        let kind = FloatKind::X86Fp80;
        let least = 1;
        assert_eq!(next_up(kind, 0), least);
        assert_eq!(next_down(kind, least), 0);
        let largest_subnormal = INTEGER_BIT - 1;
        let least_normal = 1 << 64 | INTEGER_BIT;
        assert_eq!(next_up(kind, largest_subnormal), least_normal);
        assert_eq!(next_down(kind, least_normal), largest_subnormal);
        let largest = next_down(kind, float::infinity(kind));
        assert_eq!(largest, 0x7ffe << 64 | FBits::from(u64::MAX));
        assert_eq!(next_up(kind, largest), float::infinity(kind));
        assert_eq!(next_after(FloatKind::Double, double(1.0), double(2.0)), double(1.0 + f64::EPSILON));
        assert_eq!(next_after(FloatKind::Double, double(0.0), double(-1.0)), double(-5e-324));
    }

    #[test]
    fn parts() {
        let kind = FloatKind::Double;
        assert_eq!(modf(kind, double(-2.75)), (double(-2.0), double(-0.75)));
        assert_eq!(modf(kind, double(f64::NEG_INFINITY)), (double(f64::NEG_INFINITY), double(-0.0)));
        assert_eq!(logb(kind, double(0.1)), double(-4.0));
        assert_eq!(exponent(kind, double(5e-324)), Some(-1074));
        assert_eq!(significand(kind, double(-12.0)), double(-1.5));
    }
}
