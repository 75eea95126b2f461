//! Floats. In expressions they are bit patterns, and arithmetic rounds to nearest even.
//!
//! SMT-LIB leaves two things open: conversions to integers that the value does not fit, and the sign of the lesser or
//! greater of two different zeros. Both are applications of functions of which nothing is known.

use spelunk_bv::float::{self, FloatKind};
use spelunk_bv::{FBinOp, FCmpOp, FMinMaxOp, Signedness};
use spelunk_expr::{ExprId, MAX_WIDTH};

use super::call::Call;
use super::literal::Real;
use crate::builtin::{Float, Mode, Special};
use crate::context::{Context, Unspecified};
use crate::error::{Problem, Result};
use crate::scope::Term;
use crate::sort::{ROUNDING_WIDTH, Scalar, Sort, kind_of_format};

pub(super) fn apply(context: &mut Context, function: Float, call: &Call<'_>) -> Result<Term> {
    match function {
        Float::Mode(mode) => {
            let id = context.pool.mk_const(ROUNDING_WIDTH, mode as u64);
            Ok(Term { id, sort: Sort::Scalar(Scalar::Rounding) })
        }
        Float::Special(special) => {
            let kind = indexed_kind(call)?;
            let bits = match special {
                Special::PlusInfinity => float::infinity(kind),
                Special::MinusInfinity => float::neg(kind, float::infinity(kind)),
                Special::PlusZero => float::zero(kind),
                Special::MinusZero => float::neg(kind, float::zero(kind)),
                Special::Nan => crate::context::canonical_nan(kind),
            };
            Ok(Term { id: context.mk_float(kind, bits), sort: Sort::float(kind) })
        }
        Float::Parts => from_parts(context, call),
        Float::ToFp => to_fp(context, call),
        Float::ToFpUnsigned => {
            let bits = call.bits(context, 1)?;
            from_int(context, call, bits, Signedness::Unsigned)
        }
        Float::ToBits(sign) => to_bits(context, call, sign),
        Float::ToIeeeBits => to_ieee_bits(context, call),
        Float::Compare(op) => {
            let kind = call.float_kinds(context, 0)?;
            let mut all = ExprId::TRUE;
            for pair in call.args.windows(2) {
                let holds = context.pool.mk_fcmp(kind, op, pair[0].id, pair[1].id);
                all = context.pool.mk_and(all, holds);
            }
            Ok(Term::boolean(all))
        }
        Float::Class(mask) => {
            let kind = call.float_kind(context, 0)?;
            Ok(Term::boolean(mk_class(context, kind, call.args[0].id, mask)))
        }
        Float::Abs | Float::Neg | Float::Rem | Float::Min | Float::Max => {
            let kind = call.float_kinds(context, 0)?;
            let id = exact(context, function, kind, call);
            Ok(Term { id, sort: Sort::float(kind) })
        }
        Float::Binary(_) | Float::Fma | Float::Sqrt | Float::RoundToIntegral => {
            let kind = call.float_kinds(context, 1)?;
            let id = rounded(context, function, kind, call)?;
            Ok(Term { id, sort: Sort::float(kind) })
        }
    }
}

/// Operations that don't depend on the rounding mode.
fn exact(context: &mut Context, function: Float, kind: FloatKind, call: &Call<'_>) -> ExprId {
    let a = call.args[0].id;
    match function {
        Float::Abs => context.pool.mk_fabs(kind, a),
        Float::Neg => context.pool.mk_fneg(kind, a),
        Float::Rem => mk_remainder(context, kind, a, call.args[1].id),
        Float::Min => mk_extremum(context, kind, FMinMaxOp::MinNum, a, call.args[1].id),
        _ => mk_extremum(context, kind, FMinMaxOp::MaxNum, a, call.args[1].id),
    }
}

fn rounded(context: &mut Context, function: Float, kind: FloatKind, call: &Call<'_>) -> Result<ExprId> {
    let mode = call.mode(context)?;
    let arg = |at: usize| call.args[at].id;
    if function == Float::RoundToIntegral {
        return Ok(context.pool.mk_fround(kind, mode.round_op(), arg(1)));
    }
    check_nearest_even(call, mode)?;
    Ok(match function {
        Float::Binary(op) => context.pool.mk_fbinop(kind, op, arg(1), arg(2)),
        Float::Fma => context.pool.mk_fma(kind, arg(1), arg(2), arg(3)),
        _ => context.pool.mk_fsqrt(kind, arg(1)),
    })
}

fn check_nearest_even(call: &Call<'_>, mode: Mode) -> Result<()> {
    match mode {
        Mode::NearestEven => Ok(()),
        _ => Err(call.unsupported(format!("results of `{}` rounded by {}", call.name, mode.name()))),
    }
}

/// The format that two indices say.
fn indexed_kind(call: &Call<'_>) -> Result<FloatKind> {
    let (exponent, significand) = (call.indices[0], call.indices[1]);
    kind_of_format(exponent, significand).ok_or_else(|| {
        call.unsupported(format!("floats with {exponent} exponent bits and {significand} significand bits"))
    })
}

/// The pattern with these bits of the standard's format; x86_fp80 stores one more, which follows from the exponent.
pub fn from_ieee(context: &mut Context, kind: FloatKind, bits: ExprId) -> ExprId {
    if kind != FloatKind::X86Fp80 {
        return bits;
    }
    let pool = &mut context.pool;
    let fraction_width = kind.precision() - 1;
    let (sign_and_exponent, fraction) =
        (pool.mk_extract(bits, fraction_width, 16), pool.mk_trunc(bits, fraction_width));
    let exponent = pool.mk_trunc(sign_and_exponent, 15);
    let zero = pool.mk_const(15, 0);
    let integer_bit = pool.mk_ne(exponent, zero);
    let high = pool.mk_concat(sign_and_exponent, integer_bit);
    pool.mk_concat(high, fraction)
}

/// How many bits the standard's format has.
pub fn ieee_width(kind: FloatKind) -> u32 {
    kind.bits() - (kind == FloatKind::X86Fp80) as u32
}

fn from_parts(context: &mut Context, call: &Call<'_>) -> Result<Term> {
    let [sign, exponent, fraction] = [call.bits(context, 0)?, call.bits(context, 1)?, call.bits(context, 2)?];
    call.check_sort(context, 0, Sort::bits(1))?;
    let (exponent_width, significand_width) = (context.pool.width(exponent), context.pool.width(fraction) + 1);
    let Some(kind) = kind_of_format(exponent_width, significand_width) else {
        let what = format!("floats with {exponent_width} exponent bits and {significand_width} significand bits");
        return Err(call.unsupported(what));
    };
    let high = context.pool.mk_concat(sign, exponent);
    let bits = context.pool.mk_concat(high, fraction);
    Ok(Term { id: from_ieee(context, kind, bits), sort: Sort::float(kind) })
}

/// From a pattern, or rounded from a float or a signed integer.
fn to_fp(context: &mut Context, call: &Call<'_>) -> Result<Term> {
    let to = indexed_kind(call)?;
    if call.args.len() == 1 {
        let bits = call.bits(context, 0)?;
        call.check_sort(context, 0, Sort::bits(ieee_width(to)))?;
        return Ok(Term { id: from_ieee(context, to, bits), sort: Sort::float(to) });
    }
    match call.args[1].sort {
        Sort::Scalar(Scalar::Float(from)) => {
            let mode = call.mode(context)?;
            let is_exact = to.precision() >= from.precision() && to.max_exponent() >= from.max_exponent();
            if !is_exact {
                check_nearest_even(call, mode)?;
            }
            Ok(Term { id: context.pool.mk_fconvert(from, to, call.args[1].id), sort: Sort::float(to) })
        }
        _ => {
            let bits = call.bits(context, 1)?;
            from_int(context, call, bits, Signedness::Signed)
        }
    }
}

fn from_int(context: &mut Context, call: &Call<'_>, bits: ExprId, sign: Signedness) -> Result<Term> {
    let kind = indexed_kind(call)?;
    let mode = call.mode(context)?;
    let width = context.pool.width(bits);
    let is_exact = width <= kind.precision() && width as i32 <= kind.max_exponent();
    if !is_exact {
        check_nearest_even(call, mode)?;
    }
    Ok(Term { id: context.pool.mk_int_to_float(kind, sign, bits), sort: Sort::float(kind) })
}

/// From a number that is spelt out; the only argument of the call is the mode.
pub(super) fn from_real(context: &mut Context, call: &Call<'_>, number: &Real) -> Result<Term> {
    if call.indices.len() != 2 {
        let (name, given) = (call.name.to_owned(), call.indices.len());
        return Err(call.error(Problem::Count { name, wanted: "2 indices".into(), given }));
    }
    let kind = indexed_kind(call)?;
    let mode = call.mode(context)?;
    check_nearest_even(call, mode)?;
    Ok(Term { id: context.mk_float(kind, number.to_float(kind)), sort: Sort::float(kind) })
}

fn to_bits(context: &mut Context, call: &Call<'_>, sign: Signedness) -> Result<Term> {
    let width = call.indices[0];
    if !(1..=MAX_WIDTH).contains(&width) {
        return Err(call.error(Problem::Width(width as u64)));
    }
    let mode = call.mode(context)?;
    let kind = call.float_kind(context, 1)?;
    let a = call.args[1].id;
    let integral = match mode {
        Mode::TowardZero => a,
        _ => context.pool.mk_fround(kind, mode.round_op(), a),
    };
    let fits = context.pool.mk_fits_int(kind, sign, width, integral);
    let value = context.pool.mk_float_to_int(kind, sign, width, integral);
    let unspecified = context.mk_unspecified(Unspecified::ToBits { kind, sign, width, mode }, a);
    Ok(Term { id: context.pool.mk_ite(fits, value, unspecified), sort: Sort::bits(width) })
}

/// The standard's bits of a float, of which a NaN has a fixed one.
fn to_ieee_bits(context: &mut Context, call: &Call<'_>) -> Result<Term> {
    let kind = call.float_kind(context, 0)?;
    let pattern = context.mk_canonical(Scalar::Float(kind), call.args[0].id);
    let id = match kind {
        FloatKind::X86Fp80 => {
            let (high, low) = (context.pool.mk_extract(pattern, 64, 16), context.pool.mk_trunc(pattern, 63));
            context.pool.mk_concat(high, low)
        }
        _ => pattern,
    };
    Ok(Term { id, sort: Sort::bits(ieee_width(kind)) })
}

fn mk_class(context: &mut Context, kind: FloatKind, a: ExprId, mask: u32) -> ExprId {
    match mask {
        // Quiet and signaling ones alike.
        Float::NAN_CLASS => context.pool.mk_is_nan(kind, a),
        _ => context.pool.mk_is_fpclass(kind, a, mask),
    }
}

fn mk_extremum(context: &mut Context, kind: FloatKind, op: FMinMaxOp, a: ExprId, b: ExprId) -> ExprId {
    let usual = context.pool.mk_fmin_max(kind, op, a, b);
    let top = kind.bits() - 1;
    let [a_sign, b_sign] = [a, b].map(|id| context.pool.mk_extract(id, top, 1));
    let [a_rest, b_rest] = [a, b].map(|id| context.pool.mk_trunc(id, top));
    let zero = context.pool.mk_const(top, 0);
    let [a_is_zero, b_is_zero] = [a_rest, b_rest].map(|rest| context.pool.mk_eq(rest, zero));
    let signs_differ = context.pool.mk_xor(a_sign, b_sign);
    let both_zero = context.pool.mk_and(a_is_zero, b_is_zero);
    let is_open = context.pool.mk_and(both_zero, signs_differ);
    let sign = context.mk_unspecified(Unspecified::ZeroSign { kind, op }, a_sign);
    let some_zero = context.pool.mk_concat(sign, zero);
    context.pool.mk_ite(is_open, some_zero, usual)
}

/// The remainder of the division rounded to the nearest integer, ties to even.
///
/// Expressions have the remainder of the division cut towards zero. That of twice the divisor tells whether the
/// quotient is odd; then at most two exact subtractions lead to the nearest multiple.
fn mk_remainder(context: &mut Context, kind: FloatKind, a: ExprId, b: ExprId) -> ExprId {
    let pool = &mut context.pool;
    let (dividend, divisor) = (pool.mk_fabs(kind, a), pool.mk_fabs(kind, b));
    let twice = pool.mk_fbinop(kind, FBinOp::FAdd, divisor, divisor);
    let rest = pool.mk_fbinop(kind, FBinOp::FRem, dividend, twice);
    let rest_twice = pool.mk_fbinop(kind, FBinOp::FAdd, rest, rest);
    let is_above_half = pool.mk_fcmp(kind, FCmpOp::Ogt, rest_twice, divisor);
    let once_less = pool.mk_fbinop(kind, FBinOp::FSub, rest, divisor);
    let once_less_twice = pool.mk_fbinop(kind, FBinOp::FAdd, once_less, once_less);
    let is_still_half = pool.mk_fcmp(kind, FCmpOp::Oge, once_less_twice, divisor);
    let twice_less = pool.mk_fbinop(kind, FBinOp::FSub, once_less, divisor);
    let less = pool.mk_ite(is_still_half, twice_less, once_less);
    let nearest = pool.mk_ite(is_above_half, less, rest);
    let negated = pool.mk_fneg(kind, nearest);
    let is_negative = pool.mk_extract(a, kind.bits() - 1, 1);
    pool.mk_ite(is_negative, negated, nearest)
}
