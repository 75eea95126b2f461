//! Comparisons, extrema and classification.

use std::cmp::Ordering;

use super::arith::nan_result;
use super::format::{FBits, FloatKind, Magnitude, is_nan, is_sign_negative, is_signaling_nan, is_subnormal, unpack};
use crate::ops::{FCmpOp, FMinMaxOp};

/// The comparison on bits, native with a constant predicate.
#[inline(always)]
pub fn f32_fcmp(op: FCmpOp, a: u64, b: u64) -> bool {
    op.accepts(f32::from_bits(a as u32).partial_cmp(&f32::from_bits(b as u32)))
}

/// The comparison on bits, native with a constant predicate.
#[inline(always)]
pub fn f64_fcmp(op: FCmpOp, a: u64, b: u64) -> bool {
    op.accepts(f64::from_bits(a).partial_cmp(&f64::from_bits(b)))
}

pub fn fcmp(kind: FloatKind, op: FCmpOp, a: FBits, b: FBits) -> bool {
    op.accepts(compare(kind, a, b))
}

/// The order of two values, `None` if one is a NaN; the zeros are equal.
fn compare(kind: FloatKind, a: FBits, b: FBits) -> Option<Ordering> {
    let magnitudes = magnitude_key(kind, a)?.cmp(&magnitude_key(kind, b)?);
    let both_zero = unpack(kind, a) == Magnitude::Zero && unpack(kind, b) == Magnitude::Zero;
    Some(match (is_sign_negative(kind, a), is_sign_negative(kind, b)) {
        _ if both_zero => Ordering::Equal,
        (false, false) => magnitudes,
        (true, true) => magnitudes.reverse(),
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
    })
}

/// Orders magnitudes by the exponent of the leading bit, then by the bits from there on.
fn magnitude_key(kind: FloatKind, a: FBits) -> Option<(i32, u128)> {
    match unpack(kind, a) {
        Magnitude::Nan => None,
        Magnitude::Zero => Some((i32::MIN, 0)),
        Magnitude::Infinite => Some((i32::MAX, 0)),
        Magnitude::Finite { significand, exponent } => {
            Some((exponent + significand.ilog2() as i32, significand << significand.leading_zeros()))
        }
    }
}

/// `minnum` and `maxnum` ignore a single NaN and yield their first operand for zeros of either sign, as the x86
/// lowering does; `minimum` and `maximum` hand a NaN on; these and `minimumnum`, `maximumnum` hold -0 below +0.
pub fn min_max(kind: FloatKind, op: FMinMaxOp, a: FBits, b: FBits) -> FBits {
    let order = match compare(kind, a, b) {
        Some(order) => order,
        None if matches!(op, FMinMaxOp::Minimum | FMinMaxOp::Maximum) => return nan_result(kind, &[a, b]),
        None => return if is_nan(kind, a) { b } else { a },
    };
    let order = match op {
        FMinMaxOp::MinNum | FMinMaxOp::MaxNum => order,
        _ => order.then(is_sign_negative(kind, b).cmp(&is_sign_negative(kind, a))),
    };
    let take_first = match op {
        FMinMaxOp::MinNum | FMinMaxOp::Minimum | FMinMaxOp::MinimumNum => order.is_le(),
        FMinMaxOp::MaxNum | FMinMaxOp::Maximum | FMinMaxOp::MaximumNum => order.is_ge(),
    };
    if take_first { a } else { b }
}

/// Whether `a` is in one of the classes of `llvm.is.fpclass`'s mask.
pub fn is_fpclass(kind: FloatKind, a: FBits, mask: u32) -> bool {
    // Classes 2 to 9 run from -inf through the zeros to +inf.
    let distance_from_center = match unpack(kind, a) {
        Magnitude::Nan => return mask >> !is_signaling_nan(kind, a) as u32 & 1 != 0,
        Magnitude::Zero => 0,
        Magnitude::Finite { .. } if is_subnormal(kind, a) => 1,
        Magnitude::Finite { .. } => 2,
        Magnitude::Infinite => 3,
    };
    let class = if is_sign_negative(kind, a) { 5 - distance_from_center } else { 6 + distance_from_center };
    mask >> class & 1 != 0
}
