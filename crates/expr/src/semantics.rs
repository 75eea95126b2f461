//! What each operation computes: the step from operands' values to a node's value, by way of [`spelunk_bv`].
//!
//! Constant folding and evaluation both come through here, so they can't disagree. There are two forms of each step:
//! on `u64` for nodes that have, and whose operands have, at most 64 bits, and on limbs for all others. Leaves, `Ite`
//! and arrays are not here: whether and how their operands are needed is the caller's business.

use smallvec::{SmallVec, smallvec};
use spelunk_bv::float::{self, FBits};
use spelunk_bv::{BinOp, CmpOp, FCmpOp, OverflowOp, int, wide};

use crate::node::Node;
use crate::op::Op;
use crate::value::low_u128;

/// The value of a node of at most 64 bits from operands of at most 64 bits, the first of which has `arg_width`.
#[inline]
pub fn eval_narrow(node: Node, arg_width: u32, args: [u64; 3]) -> u64 {
    eval_op(node.op(), node, arg_width, args)
}

/// The same, where the caller knows the node's operation when it is compiled.
#[inline(always)]
pub(crate) fn eval_op(op: Op, node: Node, arg_width: u32, [a, b, c]: [u64; 3]) -> u64 {
    let w = node.width();
    let overflows = |op| int::overflows(op, arg_width, a, b) as u64;
    let compares = |op| int::icmp(op, arg_width, a, b) as u64;
    match op {
        Op::Not => int::mask(w) ^ a,
        Op::Neg => int::neg(w, a),
        Op::Add => int::binop(BinOp::Add, w, a, b),
        Op::Sub => int::binop(BinOp::Sub, w, a, b),
        Op::Mul => int::binop(BinOp::Mul, w, a, b),
        Op::UDiv => int::binop(BinOp::UDiv, w, a, b),
        Op::SDiv => int::binop(BinOp::SDiv, w, a, b),
        Op::URem => int::binop(BinOp::URem, w, a, b),
        Op::SRem => int::binop(BinOp::SRem, w, a, b),
        Op::Shl => int::binop(BinOp::Shl, w, a, b),
        Op::LShr => int::binop(BinOp::LShr, w, a, b),
        Op::AShr => int::binop(BinOp::AShr, w, a, b),
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Eq => compares(CmpOp::Eq),
        Op::Ult => compares(CmpOp::Ult),
        Op::Ule => compares(CmpOp::Ule),
        Op::Slt => compares(CmpOp::Slt),
        Op::Sle => compares(CmpOp::Sle),
        Op::SAddO => overflows(OverflowOp::SAdd),
        Op::SSubO => overflows(OverflowOp::SSub),
        Op::UMulO => overflows(OverflowOp::UMul),
        Op::SMulO => overflows(OverflowOp::SMul),
        Op::Concat => a << (w - arg_width) | b,
        Op::Extract => int::trunc(w, a >> node.extract_low()),
        Op::ZExt => a,
        Op::SExt => int::sext_to(arg_width, w, a),
        Op::FToUi | Op::FToSi => float::to_int_narrow(node.kind(), a as FBits, w, op.int_sign()),
        Op::UiToF | Op::SiToF => float::from_int_narrow(node.kind(), a, arg_width, op.int_sign()) as u64,
        _ => eval_float(node, [a, b, c].map(FBits::from)) as u64,
    }
}

/// The value of any node from operands of any width, the first of which has `arg_width`.
pub(crate) fn eval_wide(node: Node, arg_width: u32, args: [&[u64]; 3], out: &mut [u64]) {
    let w = node.width();
    let [a, b, c] = args;
    let op = node.op();
    if let Some(op) = op.binop() {
        return wide::binop(op, w, a, b, out);
    }
    if let Some(op) = op.cmp() {
        out[0] = wide::icmp(op, arg_width, a, b) as u64;
        return;
    }
    if let Some(op) = op.overflow() {
        out[0] = wide::overflows(op, arg_width, a, b) as u64;
        return;
    }
    match op {
        Op::Not => wide::binop(BinOp::Xor, w, a, &ones(w), out),
        Op::Neg => wide::binop(BinOp::Sub, w, &zeros(w), a, out),
        Op::Concat => concat(w - arg_width, a, b, out),
        Op::Extract => extract(w, node.extract_low(), a, out),
        Op::ZExt => wide::zext(a, out),
        Op::SExt => wide::sext_to(arg_width, w, a, out),
        Op::FToUi | Op::FToSi => float::to_int(node.kind(), low_u128(a), w, op.int_sign(), out),
        Op::UiToF | Op::SiToF => put_u128(float::from_int(node.kind(), a, arg_width, op.int_sign()), out),
        _ => put_u128(eval_float(node, [a, b, c].map(|arg| if arg.is_empty() { 0 } else { low_u128(arg) })), out),
    }
}

fn eval_float(node: Node, [a, b, c]: [FBits; 3]) -> FBits {
    let kind = node.kind();
    let compares = |op| float::fcmp(kind, op, a, b) as FBits;
    match node.op() {
        Op::FFma => float::fma(kind, a, b, c),
        Op::FSqrt => float::sqrt(kind, a),
        Op::FRound => float::round(kind, node.round_op(), a),
        Op::FEq => compares(FCmpOp::Oeq),
        Op::FLt => compares(FCmpOp::Olt),
        Op::FLe => compares(FCmpOp::Ole),
        Op::FToF => float::convert(kind, node.result_kind(), a),
        op => match op.fbinop() {
            Some(op) => float::binop(kind, op, a, b),
            None => unreachable!("{} has no value of its own", op.name()),
        },
    }
}

type Limbs = SmallVec<[u64; 4]>;

fn zeros(w: u32) -> Limbs {
    smallvec![0; wide::n_limbs(w)]
}

fn ones(w: u32) -> Limbs {
    let mut limbs = smallvec![u64::MAX; wide::n_limbs(w)];
    clear_unused(w, &mut limbs);
    limbs
}

/// Zeroes the bits of the last limb that a width does not use.
pub(crate) fn clear_unused(w: u32, limbs: &mut [u64]) {
    if let (Some(last), used @ 1..) = (limbs.last_mut(), w % 64) {
        *last &= (1 << used) - 1;
    }
}

fn put_u128(value: u128, out: &mut [u64]) {
    out.fill(0);
    out[0] = value as u64;
    if let Some(second) = out.get_mut(1) {
        *second = (value >> 64) as u64;
    }
}

fn concat(low_width: u32, high: &[u64], low: &[u64], out: &mut [u64]) {
    out.fill(0);
    out[..low.len()].copy_from_slice(low);
    let (at, shift) = ((low_width / 64) as usize, low_width % 64);
    for (i, &limb) in high.iter().enumerate() {
        out[at + i] |= limb << shift;
        if let (Some(next), 1..) = (out.get_mut(at + i + 1), shift) {
            *next |= limb >> (64 - shift);
        }
    }
}

pub(crate) fn extract(w: u32, low: u32, a: &[u64], out: &mut [u64]) {
    let (at, shift) = ((low / 64) as usize, low % 64);
    for (i, out) in out.iter_mut().enumerate() {
        let limb = |i: usize| a.get(at + i).copied().unwrap_or(0);
        *out = if shift == 0 { limb(i) } else { limb(i) >> shift | limb(i + 1) << (64 - shift) };
    }
    clear_unused(w, out);
}
