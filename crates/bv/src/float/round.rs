//! Rounding to integral values, and taking values apart into fraction and exponent.

use super::arith::nan_result;
use super::format::{FBits, FloatKind, Magnitude, is_sign_negative, unpack};
use super::pack::{Exact, round_signed};
use crate::ops::RoundOp;

/// The integral value next to `a` in the direction that `op` says. Zero results keep the sign of `a`.
pub fn round(kind: FloatKind, op: RoundOp, a: FBits) -> FBits {
    let sign = a & kind.sign_bit();
    let (significand, exponent) = match unpack(kind, a) {
        Magnitude::Nan => return nan_result(kind, &[a]),
        Magnitude::Finite { significand, exponent } if exponent < 0 => (significand, exponent),
        _ => return a,
    };
    // Significands have at most 113 bits, so dropping 127 leaves zero and less than half, like dropping any more.
    let dropped = exponent.unsigned_abs().min(127);
    let whole = significand >> dropped;
    let fraction = significand & ((1 << dropped) - 1);
    let half = 1 << (dropped - 1);
    let away = match op {
        RoundOp::Floor => fraction != 0 && is_sign_negative(kind, a),
        RoundOp::Ceil => fraction != 0 && !is_sign_negative(kind, a),
        RoundOp::Trunc => false,
        RoundOp::Round => fraction >= half,
        RoundOp::Rint | RoundOp::Nearbyint | RoundOp::RoundEven => {
            fraction > half || fraction == half && whole & 1 != 0
        }
    };
    round_signed(kind, sign, Exact::new(whole + away as u128, 0))
}

/// A fraction of magnitude in [0.5, 1) and an exponent of two whose product is `a`; zero exponent if there are none.
pub fn frexp(kind: FloatKind, a: FBits) -> (FBits, i32) {
    match unpack(kind, a) {
        Magnitude::Nan => (nan_result(kind, &[a]), 0),
        Magnitude::Zero | Magnitude::Infinite => (a, 0),
        Magnitude::Finite { significand, exponent } => {
            let n_bits = significand.ilog2() as i32 + 1;
            let fraction = round_signed(kind, a & kind.sign_bit(), Exact::new(significand, -n_bits));
            (fraction, exponent + n_bits)
        }
    }
}

/// `a * 2^by`, rounded once.
pub fn ldexp(kind: FloatKind, a: FBits, by: i32) -> FBits {
    // Enough to cross any format from its smallest to its largest value, and far from wrapping around.
    const FAR: i32 = 1 << 20;
    match unpack(kind, a) {
        Magnitude::Nan => nan_result(kind, &[a]),
        Magnitude::Zero | Magnitude::Infinite => a,
        Magnitude::Finite { significand, exponent } => {
            let exponent = exponent + by.clamp(-FAR, FAR);
            round_signed(kind, a & kind.sign_bit(), Exact::new(significand, exponent))
        }
    }
}
