//! Conversions between the formats, and between them and integers.

use num_bigint::BigUint;

use super::format::{FBits, FloatKind, Magnitude, infinity, is_sign_negative, quieted, unpack};
use super::pack::{Exact, round_signed};
use crate::ops::{Signedness, UnOp};
use crate::{int, wide};

/// `fptrunc` and `fpext`.
pub fn convert(from: FloatKind, to: FloatKind, a: FBits) -> FBits {
    let sign = if is_sign_negative(from, a) { to.sign_bit() } else { 0 };
    match unpack(from, a) {
        Magnitude::Nan => quieted(to, transfer_nan(from, to, a)),
        Magnitude::Infinite => sign | infinity(to),
        Magnitude::Zero => sign,
        Magnitude::Finite { significand, exponent } => round_signed(to, sign, Exact::new(significand, exponent)),
    }
}

/// A NaN in another format with the high bits of its payload, still signaling if it was.
pub(super) fn transfer_nan(from: FloatKind, to: FloatKind, a: FBits) -> FBits {
    let sign = if is_sign_negative(from, a) { to.sign_bit() } else { 0 };
    let fraction = from.fraction(a);
    let aligned = match to.precision().checked_sub(from.precision()) {
        Some(wider) => fraction << wider,
        None => fraction >> (from.precision() - to.precision()),
    };
    sign | infinity(to) | aligned
}

#[inline(always)]
pub fn f32_to_f64(a: u64) -> u64 {
    let x = f32::from_bits(a as u32);
    if x.is_nan() { convert(FloatKind::Float, FloatKind::Double, a as FBits) as u64 } else { (x as f64).to_bits() }
}

#[inline(always)]
pub fn f64_to_f32(a: u64) -> u64 {
    let x = f64::from_bits(a);
    if x.is_nan() {
        convert(FloatKind::Double, FloatKind::Float, a as FBits) as u64
    } else {
        (x as f32).to_bits() as u64
    }
}

/// How a value cut to an integer stands to the integer type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    Fits,
    Nan,
    TooLow,
    TooHigh,
}

/// Cuts towards zero into `out`, which is meaningful only if the value fits.
fn truncate(kind: FloatKind, a: FBits, w: u32, sign: Signedness, out: &mut [u64]) -> Fit {
    let negative = is_sign_negative(kind, a);
    let beyond = if negative { Fit::TooLow } else { Fit::TooHigh };
    out.fill(0);
    let (significand, exponent) = match unpack(kind, a) {
        Magnitude::Nan => return Fit::Nan,
        Magnitude::Infinite => return beyond,
        Magnitude::Zero => return Fit::Fits,
        Magnitude::Finite { significand, exponent } => (significand, exponent),
    };
    let leading = exponent + significand.ilog2() as i32;
    if leading < 0 {
        return Fit::Fits;
    }
    if leading >= w as i32 {
        return beyond;
    }
    let mut magnitude = wide::zeros(w);
    if exponent < 0 {
        wide::store(significand >> -exponent, &mut magnitude);
    } else {
        let mut unscaled = wide::zeros(w);
        wide::store(significand, &mut unscaled);
        wide::limbs::shl(&unscaled, exponent as u32, &mut magnitude);
    }
    if negative {
        wide::limbs::sub(&wide::zeros(w), &magnitude, out);
        wide::limbs::clear_unused(w, out);
    } else {
        out.copy_from_slice(&magnitude);
    }
    let fits = match sign {
        Signedness::Unsigned => !negative,
        Signedness::Signed => wide::is_negative(w, out) == negative,
    };
    if fits { Fit::Fits } else { beyond }
}

/// Whether the value, cut towards zero, is one of the integer type's.
pub fn fits_int(kind: FloatKind, a: FBits, w: u32, sign: Signedness) -> bool {
    truncate(kind, a, w, sign, &mut wide::zeros(w)) == Fit::Fits
}

/// `llvm.fptoui.sat` and `llvm.fptosi.sat`: the nearest value of the integer type, zero for a NaN.
pub fn to_int_sat(kind: FloatKind, a: FBits, w: u32, sign: Signedness, out: &mut [u64]) {
    match (truncate(kind, a, w, sign, out), sign) {
        (Fit::Fits, _) => {}
        (Fit::Nan, _) | (Fit::TooLow, Signedness::Unsigned) => out.fill(0),
        (Fit::TooLow, Signedness::Signed) => set_least(w, out),
        (Fit::TooHigh, Signedness::Unsigned) => wide::set_ones(w, out),
        (Fit::TooHigh, Signedness::Signed) => wide::set_ones(w - 1, out),
    }
}

fn set_least(w: u32, out: &mut [u64]) {
    out.fill(0);
    wide::limbs::set_from(w - 1, out);
    wide::limbs::clear_unused(w, out);
}

/// `fptoui` and `fptosi`. Values that don't fit give what code compiled for x86-64 gives, see [`to_int_narrow`];
/// beyond 64 bits they give the least signed value.
pub fn to_int(kind: FloatKind, a: FBits, w: u32, sign: Signedness, out: &mut [u64]) {
    if w <= 64 {
        out[0] = to_int_narrow(kind, a, w, sign);
    } else if truncate(kind, a, w, sign, out) != Fit::Fits {
        set_least(w, out);
    }
}

/// `fptoui` and `fptosi` to at most 64 bits.
///
/// x86-64 has only conversions to signed integers, whose result for values out of range is the least one. Other types
/// are cut from such a result, so that -1.0 becomes the largest `unsigned`. Only `u64` has a second step: values from
/// 2^63 on are converted less 2^63, and the top bit is put back by `or` (SSE) or `xor` (x87).
#[inline]
pub fn to_int_narrow(kind: FloatKind, a: FBits, w: u32, sign: Signedness) -> u64 {
    let carrier = match sign {
        _ if kind == FloatKind::X86Fp80 && w <= 8 => 16,
        Signedness::Signed if kind == FloatKind::X86Fp80 && w <= 16 => 16,
        Signedness::Signed if w <= 32 => 32,
        Signedness::Unsigned if w <= 16 => 32,
        _ => 64,
    };
    if let Some(value) = near_zero(kind, a) {
        let fits = int::sext(carrier, value as u64) == value;
        return int::trunc(w, if fits { value as u64 } else { int::sign_bit(carrier) });
    }
    let mut out = [0];
    if w == 64 && sign == Signedness::Unsigned {
        match truncate(kind, a, w, sign, &mut out) {
            Fit::Fits => return out[0],
            Fit::Nan | Fit::TooHigh if kind == FloatKind::X86Fp80 => return 0,
            _ => {}
        }
    }
    let fits = truncate(kind, a, carrier, Signedness::Signed, &mut out) == Fit::Fits;
    int::trunc(w, if fits { out[0] } else { int::sign_bit(carrier) })
}

/// The usual case: the integral part of a `float` or `double` that an `i64` certainly holds.
#[inline]
fn near_zero(kind: FloatKind, a: FBits) -> Option<i64> {
    const CERTAIN: f64 = (1u64 << 62) as f64;
    let x = match kind {
        FloatKind::Float => f32::from_bits(a as u32) as f64,
        FloatKind::Double => f64::from_bits(a as u64),
        _ => return None,
    };
    (x.abs() < CERTAIN).then_some(x as i64)
}

/// `uitofp` and `sitofp`.
pub fn from_int(kind: FloatKind, a: &[u64], w: u32, sign: Signedness) -> FBits {
    if w <= 64 {
        return from_int_narrow(kind, a[0], w, sign);
    }
    let negative = sign == Signedness::Signed && wide::is_negative(w, a);
    let mut magnitude = a.to_vec();
    if negative {
        wide::unop(UnOp::Abs, w, a, &mut magnitude);
    }
    let magnitude = magnitude.iter().rev().fold(BigUint::ZERO, |high, &limb| (high << 64) + limb);
    let sign = if negative { kind.sign_bit() } else { 0 };
    round_signed(kind, sign, Exact::from_big(&magnitude, 0))
}

/// `uitofp` and `sitofp` from at most 64 bits.
#[inline]
pub fn from_int_narrow(kind: FloatKind, a: u64, w: u32, sign: Signedness) -> FBits {
    match (kind, sign) {
        (FloatKind::Float, Signedness::Unsigned) => (a as f32).to_bits() as FBits,
        (FloatKind::Float, Signedness::Signed) => (int::sext(w, a) as f32).to_bits() as FBits,
        (FloatKind::Double, Signedness::Unsigned) => (a as f64).to_bits() as FBits,
        (FloatKind::Double, Signedness::Signed) => (int::sext(w, a) as f64).to_bits() as FBits,
        (_, Signedness::Signed) if int::is_negative(w, a) => {
            round_signed(kind, kind.sign_bit(), Exact::new(int::neg(w, a) as u128, 0))
        }
        _ => round_signed(kind, 0, Exact::new(a as u128, 0)),
    }
}
