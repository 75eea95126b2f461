//! Floating point. A value is its bit pattern in a `u128`, low bits first, whatever its [`FloatKind`].
//!
//! `Float` and `Double` use the host's arithmetic, and have entries on `u64` bits (`f64_binop`, `f32_fcmp`, …) for the
//! VM's loop; the other kinds use `rustc_apfloat`. Results are rounded to nearest even, and NaN results are those of
//! x86-64, on every host: see `arith`. Rounding modes and exception flags are left out.

mod arith;
mod compare;
mod convert;
mod decimal;
mod format;
mod literal;
mod pack;
mod round;
mod scan;

pub use arith::{abs, binop, copysign, f32_binop, f64_binop, fma, neg, sqrt};
pub use compare::{f32_fcmp, f64_fcmp, fcmp, is_fpclass, min_max};
pub use convert::{
    convert, f32_to_f64, f64_to_f32, fits_int, from_int, from_int_narrow, to_int, to_int_narrow, to_int_sat,
};
pub use decimal::{Decimal, DecimalStyle, HexFloat, to_decimal, to_hex};
pub use format::{
    FBits, FloatKind, default_nan, infinity, is_inf, is_nan, is_sign_negative, is_signaling_nan, is_subnormal, is_zero,
    zero,
};
pub use literal::{from_llvm_literal, to_llvm_literal};
pub use round::{frexp, ldexp, round};
pub use scan::{Range, Scanned, parse, scan};

/// Why a text is not a floating-point number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseFloatError {
    #[error("`{0}` is not a floating-point number")]
    Syntax(String),
    #[error("`{text}` is not a constant of type {kind}")]
    WrongKind { text: String, kind: FloatKind },
    #[error("`{text}` has no exact value in type {kind}")]
    Inexact { text: String, kind: FloatKind },
}
