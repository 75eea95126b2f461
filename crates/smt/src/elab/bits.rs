//! Bit-vectors.

use spelunk_bv::{BinOp, CmpOp, FunnelOp, Signedness};
use spelunk_expr::{ExprId, ExprPool, MAX_WIDTH};

use super::call::Call;
use crate::builtin::Bits;
use crate::context::Context;
use crate::error::{Problem, Result};
use crate::scope::Term;
use crate::sort::Sort;

pub(super) fn apply(context: &mut Context, function: Bits, call: &Call<'_>) -> Result<Term> {
    let id = match function {
        Bits::Compare(_) | Bits::Overflow(_) | Bits::NoOverflow(_) | Bits::NegOverflow | Bits::SdivOverflow => {
            return Ok(Term::boolean(predicate(context, function, call)?));
        }
        Bits::Binary(op) => fold(context, call, op)?,
        Bits::Negated(op) => {
            let joined = fold(context, call, op)?;
            context.pool.mk_not(joined)
        }
        Bits::Smod => {
            let (a, b) = call.bits_pair(context)?;
            smod(&mut context.pool, a, b)
        }
        Bits::Comp => {
            let (a, b) = call.bits_pair(context)?;
            context.pool.mk_eq(a, b)
        }
        Bits::ExtRotateLeft | Bits::ExtRotateRight => {
            let (a, amount) = call.bits_pair(context)?;
            let op = if function == Bits::ExtRotateLeft { FunnelOp::Fshl } else { FunnelOp::Fshr };
            context.pool.mk_funnel(op, a, a, amount)
        }
        Bits::Concat => concat(context, call)?,
        _ => unary(context, function, call)?,
    };
    Ok(Term { id, sort: Sort::bits(context.pool.width(id)) })
}

fn fold(context: &mut Context, call: &Call<'_>, op: BinOp) -> Result<ExprId> {
    call.bits_pair(context)?;
    let (first, rest) = call.args.split_first().expect("the number of arguments was checked");
    Ok(rest.iter().fold(first.id, |joined, arg| context.pool.mk_binop(op, joined, arg.id)))
}

fn predicate(context: &mut Context, function: Bits, call: &Call<'_>) -> Result<ExprId> {
    if function == Bits::NegOverflow {
        let a = call.bits(context, 0)?;
        let least = signed_min(&mut context.pool, call.args[0].id);
        return Ok(context.pool.mk_eq(a, least));
    }
    let (a, b) = call.bits_pair(context)?;
    let pool = &mut context.pool;
    Ok(match function {
        Bits::Compare(op) => pool.mk_cmp(op, a, b),
        Bits::Overflow(op) => pool.mk_overflow(op, a, b),
        Bits::NoOverflow(op) => {
            let overflows = pool.mk_overflow(op, a, b);
            pool.mk_not(overflows)
        }
        _ => {
            // Only the least value divided by -1 has no quotient of its width.
            let least = signed_min(pool, a);
            let is_least = pool.mk_eq(a, least);
            let zero = pool.mk_const(pool.width(b), 0);
            let ones = pool.mk_not(zero);
            let is_minus_one = pool.mk_eq(b, ones);
            pool.mk_and(is_least, is_minus_one)
        }
    })
}

/// The least signed value of an expression's width.
fn signed_min(pool: &mut ExprPool, like: ExprId) -> ExprId {
    let width = pool.width(like);
    let (one, shift) = (pool.mk_const(width, 1), pool.mk_const(width, width as u64 - 1));
    pool.mk_shl(one, shift)
}

/// The remainder with the sign of the divisor, which is the dividend if the divisor is zero.
fn smod(pool: &mut ExprPool, a: ExprId, b: ExprId) -> ExprId {
    let remainder = pool.mk_srem(a, b);
    let zero = pool.mk_const(pool.width(a), 0);
    let is_zero = pool.mk_eq(remainder, zero);
    let (remainder_is_negative, b_is_negative) =
        (pool.mk_cmp(CmpOp::Slt, remainder, zero), pool.mk_cmp(CmpOp::Slt, b, zero));
    let signs_differ = pool.mk_xor(remainder_is_negative, b_is_negative);
    let moved = pool.mk_add(remainder, b);
    let moved = pool.mk_ite(signs_differ, moved, remainder);
    pool.mk_ite(is_zero, remainder, moved)
}

fn concat(context: &mut Context, call: &Call<'_>) -> Result<ExprId> {
    let mut joined = call.bits(context, 0)?;
    for at in 1..call.args.len() {
        let low = call.bits(context, at)?;
        check_width(context.pool.width(joined) as u64 + context.pool.width(low) as u64, call)?;
        joined = context.pool.mk_concat(joined, low);
    }
    Ok(joined)
}

fn check_width(width: u64, call: &Call<'_>) -> Result<u32> {
    match u32::try_from(width) {
        Ok(width @ 1..=MAX_WIDTH) => Ok(width),
        _ => Err(call.error(Problem::Width(width))),
    }
}

fn unary(context: &mut Context, function: Bits, call: &Call<'_>) -> Result<ExprId> {
    let a = call.bits(context, 0)?;
    let pool = &mut context.pool;
    let width = pool.width(a);
    Ok(match function {
        Bits::Not => pool.mk_not(a),
        Bits::Neg => pool.mk_neg(a),
        Bits::Extract => {
            let (high, low) = (call.indices[0], call.indices[1]);
            if high < low || high >= width {
                return Err(call.error(Problem::NoSuchBits { high, low, width }));
            }
            pool.mk_extract(a, low, high - low + 1)
        }
        Bits::Repeat => {
            let n_copies = call.indices[0];
            check_width(width as u64 * n_copies as u64, call)?;
            (1..n_copies).fold(a, |joined, _| pool.mk_concat(joined, a))
        }
        Bits::Extend(sign) => {
            let to = check_width(width as u64 + call.indices[0] as u64, call)?;
            match sign {
                Signedness::Unsigned => pool.mk_zext(a, to),
                Signedness::Signed => pool.mk_sext(a, to),
            }
        }
        Bits::RotateLeft => rotate_left(pool, a, call.indices[0] % width),
        Bits::RotateRight => rotate_left(pool, a, (width - call.indices[0] % width) % width),
        Bits::ReduceOr => {
            let zero = pool.mk_const(width, 0);
            pool.mk_ne(a, zero)
        }
        Bits::ReduceAnd => {
            let zero = pool.mk_const(width, 0);
            let ones = pool.mk_not(zero);
            pool.mk_eq(a, ones)
        }
        Bits::ReduceXor => {
            let first = pool.mk_trunc(a, 1);
            (1..width).fold(first, |parity, at| {
                let bit = pool.mk_extract(a, at, 1);
                pool.mk_xor(parity, bit)
            })
        }
        _ => unreachable!("`{}` has more than one operand", call.name),
    })
}

/// By less than the width.
fn rotate_left(pool: &mut ExprPool, a: ExprId, by: u32) -> ExprId {
    if by == 0 {
        return a;
    }
    let width = pool.width(a);
    let (low, high) = (pool.mk_trunc(a, width - by), pool.mk_extract(a, width - by, by));
    pool.mk_concat(low, high)
}
