//! Arithmetic: the five instructions, `fma`, `sqrt` and the sign operations.
//!
//! NaN results are made here rather than left to the host or to `rustc_apfloat`: a program can print a NaN's sign, so
//! it must be the one that x86-64 gives. An invalid operation yields the negative default NaN; a NaN operand is handed
//! on, made quiet. Of two NaN operands, SSE takes the first; x87, and the library routines for fp128, take the one
//! with the larger significand.

use num_bigint::BigUint;
use rustc_apfloat::{Float as _, Round, ieee};

use super::format::{FBits, FloatKind, Magnitude, default_nan, is_nan, is_sign_negative, quieted, unpack};
use super::pack::{Exact, round_signed};
use crate::ops::FBinOp;

/// Evaluates an expression with `$soft` naming the `rustc_apfloat` type of the kind.
macro_rules! with_soft_type {
    ($kind:expr, $soft:ident => $body:expr) => {
        match $kind {
            FloatKind::Half => {
                type $soft = ieee::Half;
                $body
            }
            FloatKind::BFloat => {
                type $soft = ieee::BFloat;
                $body
            }
            FloatKind::Float => {
                type $soft = ieee::Single;
                $body
            }
            FloatKind::Double => {
                type $soft = ieee::Double;
                $body
            }
            FloatKind::X86Fp80 => {
                type $soft = ieee::X87DoubleExtended;
                $body
            }
            FloatKind::Fp128 => {
                type $soft = ieee::Quad;
                $body
            }
        }
    };
}

macro_rules! define_host_binop {
    ($name:ident, $host:ty, $bits:ty, $kind:expr) => {
        /// The instruction on bits; with a constant operation, the native instruction and a NaN test.
        #[inline(always)]
        pub fn $name(op: FBinOp, a: u64, b: u64) -> u64 {
            let (x, y) = (<$host>::from_bits(a as $bits), <$host>::from_bits(b as $bits));
            let result = match op {
                FBinOp::FAdd => x + y,
                FBinOp::FSub => x - y,
                FBinOp::FMul => x * y,
                FBinOp::FDiv => x / y,
                FBinOp::FRem => x % y,
            };
            if result.is_nan() { nan_result($kind, &[a as FBits, b as FBits]) as u64 } else { result.to_bits() as u64 }
        }
    };
}

define_host_binop!(f32_binop, f32, u32, FloatKind::Float);
define_host_binop!(f64_binop, f64, u64, FloatKind::Double);

pub fn binop(kind: FloatKind, op: FBinOp, a: FBits, b: FBits) -> FBits {
    match kind {
        FloatKind::Float => return f32_binop(op, a as u64, b as u64) as FBits,
        FloatKind::Double => return f64_binop(op, a as u64, b as u64) as FBits,
        _ => {}
    }
    let result = with_soft_type!(kind, Soft => {
        let (x, y) = (Soft::from_bits(a), Soft::from_bits(b));
        match op {
            FBinOp::FAdd => (x + y).value.to_bits(),
            FBinOp::FSub => (x - y).value.to_bits(),
            FBinOp::FMul => (x * y).value.to_bits(),
            FBinOp::FDiv => (x / y).value.to_bits(),
            FBinOp::FRem => remainder(kind, a, b),
        }
    });
    if is_nan(kind, result) { nan_result(kind, &[a, b]) } else { result }
}

/// C's `fmod`, which is always exact.
fn remainder(kind: FloatKind, a: FBits, b: FBits) -> FBits {
    let (mut dividend, mut exponent, divisor, divisor_exponent) = match (unpack(kind, a), unpack(kind, b)) {
        (Magnitude::Zero | Magnitude::Finite { .. }, Magnitude::Infinite) => return a,
        (Magnitude::Zero, Magnitude::Finite { .. }) => return a,
        (
            Magnitude::Finite { significand: x, exponent: x_exponent },
            Magnitude::Finite { significand: y, exponent: y_exponent },
        ) => (x, x_exponent, y, y_exponent),
        _ => return default_nan(kind),
    };
    // Bring the divisor down to the dividend's exponent; if it has no room for that, it is the larger one.
    let lead = (divisor_exponent - exponent).max(0);
    if lead as u32 > divisor.leading_zeros() {
        return a;
    }
    let divisor = divisor << lead;
    let divisor_exponent = divisor_exponent - lead;
    dividend %= divisor;
    while exponent > divisor_exponent {
        let step = divisor.leading_zeros().min((exponent - divisor_exponent) as u32);
        dividend = (dividend << step) % divisor;
        exponent -= step as i32;
    }
    round_signed(kind, a & kind.sign_bit(), Exact::new(dividend, exponent))
}

/// `a * b + c`, rounded once.
pub fn fma(kind: FloatKind, a: FBits, b: FBits, c: FBits) -> FBits {
    let result = match kind {
        FloatKind::Float => {
            let [x, y, z] = [a, b, c].map(|bits| f32::from_bits(bits as u32));
            x.mul_add(y, z).to_bits() as FBits
        }
        FloatKind::Double => {
            let [x, y, z] = [a, b, c].map(|bits| f64::from_bits(bits as u64));
            x.mul_add(y, z).to_bits() as FBits
        }
        _ => with_soft_type!(kind, Soft => {
            let [x, y, z] = [a, b, c].map(Soft::from_bits);
            x.mul_add_r(y, z, Round::NearestTiesToEven).value.to_bits()
        }),
    };
    if is_nan(kind, result) { nan_result(kind, &[a, b, c]) } else { result }
}

pub fn sqrt(kind: FloatKind, a: FBits) -> FBits {
    match unpack(kind, a) {
        Magnitude::Nan => nan_result(kind, &[a]),
        Magnitude::Zero => a,
        _ if is_sign_negative(kind, a) => default_nan(kind),
        Magnitude::Infinite => a,
        Magnitude::Finite { significand, exponent } => match kind {
            FloatKind::Float => f32::from_bits(a as u32).sqrt().to_bits() as FBits,
            FloatKind::Double => f64::from_bits(a as u64).sqrt().to_bits() as FBits,
            _ => sqrt_finite(kind, significand, exponent),
        },
    }
}

/// By an integer square root of a significand scaled up to give more bits than the precision asks for.
fn sqrt_finite(kind: FloatKind, significand: u128, exponent: i32) -> FBits {
    let scale = 2 * (kind.precision() as i32 + 2) + (exponent & 1);
    let square = BigUint::from(significand) << scale;
    let root = square.sqrt();
    let mut exact = Exact::from_big(&root, (exponent - scale) / 2);
    exact.sticky |= &root * &root != square;
    round_signed(kind, 0, exact)
}

/// The NaN that an operation yields: one of its NaN operands, or the default NaN if there is none.
#[cold]
#[inline(never)]
pub(super) fn nan_result(kind: FloatKind, operands: &[FBits]) -> FBits {
    let mut nans = operands.iter().copied().filter(|&operand| is_nan(kind, operand));
    let chosen = match kind {
        FloatKind::X86Fp80 | FloatKind::Fp128 => {
            nans.max_by_key(|&nan| (kind.fraction(nan), !is_sign_negative(kind, nan)))
        }
        _ => nans.next(),
    };
    chosen.map_or(default_nan(kind), |nan| quieted(kind, nan))
}

#[inline(always)]
pub const fn neg(kind: FloatKind, a: FBits) -> FBits {
    a ^ kind.sign_bit()
}

#[inline(always)]
pub const fn abs(kind: FloatKind, a: FBits) -> FBits {
    a & !kind.sign_bit()
}

/// The magnitude of `a` with the sign of `b`.
#[inline(always)]
pub const fn copysign(kind: FloatKind, a: FBits, b: FBits) -> FBits {
    abs(kind, a) | b & kind.sign_bit()
}
