//! Integers of any width as little-endian `u64` limbs, the unused high bits of the last limb being zero.
//!
//! Operands have exactly [`n_limbs`] limbs of their width, and so has the slice that a result is written to. Widths of
//! up to 128 bits go through [`crate::int128`]; beyond that (`_BitInt(256)` and the like) the limb arithmetic in
//! `limbs` is meant to be obviously right rather than fast.

pub(crate) mod limbs;

use std::cmp::Ordering;

use crate::int128;
use crate::ops::{BinOp, CmpOp, FunnelOp, OverflowOp, SatOp, Signedness, UnOp};

pub const fn n_limbs(w: u32) -> usize {
    w.div_ceil(64) as usize
}

const NATIVE: u32 = u128::BITS;

pub(crate) fn load(a: &[u64]) -> u128 {
    a[0] as u128 | (a.get(1).copied().unwrap_or(0) as u128) << 64
}

pub(crate) fn store(value: u128, out: &mut [u64]) {
    out[0] = value as u64;
    if let Some(high) = out.get_mut(1) {
        *high = (value >> 64) as u64;
    }
}

pub(crate) fn zeros(w: u32) -> Vec<u64> {
    vec![0; n_limbs(w)]
}

pub(crate) fn set_ones(w: u32, out: &mut [u64]) {
    out.fill(u64::MAX);
    limbs::clear_unused(w, out);
}

pub fn is_negative(w: u32, a: &[u64]) -> bool {
    limbs::bit(a, w - 1)
}

pub fn trunc(to: u32, a: &[u64], out: &mut [u64]) {
    out.copy_from_slice(&a[..out.len()]);
    limbs::clear_unused(to, out);
}

pub fn zext(a: &[u64], out: &mut [u64]) {
    let (low, high) = out.split_at_mut(a.len());
    low.copy_from_slice(a);
    high.fill(0);
}

pub fn sext_to(from: u32, to: u32, a: &[u64], out: &mut [u64]) {
    zext(a, out);
    if is_negative(from, a) {
        limbs::set_from(from, out);
        limbs::clear_unused(to, out);
    }
}

fn extend(sign: Signedness, from: u32, to: u32, a: &[u64]) -> Vec<u64> {
    let mut out = zeros(to);
    match sign {
        Signedness::Unsigned => zext(a, &mut out),
        Signedness::Signed => sext_to(from, to, a, &mut out),
    }
    out
}

pub fn binop(op: BinOp, w: u32, a: &[u64], b: &[u64], out: &mut [u64]) {
    if w <= NATIVE {
        return store(int128::binop(op, w, load(a), load(b)), out);
    }
    match op {
        BinOp::Add => limbs::add(a, b, out),
        BinOp::Sub => limbs::sub(a, b, out),
        BinOp::Mul => limbs::mul(a, b, out),
        BinOp::UDiv => limbs::divide(a, b, out, &mut zeros(w)),
        BinOp::URem => limbs::divide(a, b, &mut zeros(w), out),
        BinOp::SDiv | BinOp::SRem => return divide_signed(op, w, a, b, out),
        BinOp::Shl => limbs::shl(a, shift_amount(w, b), out),
        BinOp::LShr => limbs::lshr(a, shift_amount(w, b), out),
        BinOp::AShr => limbs::ashr(w, a, shift_amount(w, b), out),
        BinOp::And => limbs::zip(a, b, out, |x, y| x & y),
        BinOp::Or => limbs::zip(a, b, out, |x, y| x | y),
        BinOp::Xor => limbs::zip(a, b, out, |x, y| x ^ y),
    }
    limbs::clear_unused(w, out);
}

/// By magnitudes. The SMT-LIB results for a zero divisor follow from those of the unsigned operations.
fn divide_signed(op: BinOp, w: u32, a: &[u64], b: &[u64], out: &mut [u64]) {
    let (unsigned_op, negate) = match op {
        BinOp::SDiv => (BinOp::UDiv, is_negative(w, a) != is_negative(w, b)),
        _ => (BinOp::URem, is_negative(w, a)),
    };
    let [mut a_magnitude, mut b_magnitude, mut magnitude] = [zeros(w), zeros(w), zeros(w)];
    unop(UnOp::Abs, w, a, &mut a_magnitude);
    unop(UnOp::Abs, w, b, &mut b_magnitude);
    binop(unsigned_op, w, &a_magnitude, &b_magnitude, &mut magnitude);
    if negate {
        binop(BinOp::Sub, w, &zeros(w), &magnitude, out);
    } else {
        out.copy_from_slice(&magnitude);
    }
}

/// The amount, or the width if it is larger.
fn shift_amount(w: u32, b: &[u64]) -> u32 {
    let high_is_zero = b[1..].iter().all(|&limb| limb == 0);
    if high_is_zero { b[0].min(w as u64) as u32 } else { w }
}

fn compare_signed(w: u32, a: &[u64], b: &[u64]) -> Ordering {
    match (is_negative(w, a), is_negative(w, b)) {
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        _ => limbs::compare(a, b),
    }
}

pub fn icmp(op: CmpOp, w: u32, a: &[u64], b: &[u64]) -> bool {
    match op {
        CmpOp::Eq => a == b,
        CmpOp::Ne => a != b,
        CmpOp::Ugt => limbs::compare(a, b).is_gt(),
        CmpOp::Uge => limbs::compare(a, b).is_ge(),
        CmpOp::Ult => limbs::compare(a, b).is_lt(),
        CmpOp::Ule => limbs::compare(a, b).is_le(),
        CmpOp::Sgt => compare_signed(w, a, b).is_gt(),
        CmpOp::Sge => compare_signed(w, a, b).is_ge(),
        CmpOp::Slt => compare_signed(w, a, b).is_lt(),
        CmpOp::Sle => compare_signed(w, a, b).is_le(),
    }
}

/// Beyond native widths: computes in twice the width, where nothing is lost, and looks whether the result came back.
pub fn overflows(op: OverflowOp, w: u32, a: &[u64], b: &[u64]) -> bool {
    if w <= NATIVE {
        return int128::overflows(op, w, load(a), load(b));
    }
    let (op, sign) = op.parts();
    let exact_w = 2 * w;
    let [mut exact, mut wrapped] = [zeros(exact_w), zeros(w)];
    binop(op, exact_w, &extend(sign, w, exact_w, a), &extend(sign, w, exact_w, b), &mut exact);
    trunc(w, &exact, &mut wrapped);
    extend(sign, w, exact_w, &wrapped) != exact
}

pub fn sat(op: SatOp, w: u32, a: &[u64], b: &[u64], out: &mut [u64]) {
    if w <= NATIVE {
        return store(int128::sat(op, w, load(a), load(b)), out);
    }
    let mut saturate = |op: OverflowOp| {
        binop(op.parts().0, w, a, b, out);
        if overflows(op, w, a, b) {
            set_extreme(op, w, a, out);
        }
    };
    match op {
        SatOp::UAddSat => saturate(OverflowOp::UAdd),
        SatOp::SAddSat => saturate(OverflowOp::SAdd),
        SatOp::USubSat => saturate(OverflowOp::USub),
        SatOp::SSubSat => saturate(OverflowOp::SSub),
        SatOp::UShlSat => shl_sat(BinOp::LShr, OverflowOp::UAdd, w, a, b, out),
        SatOp::SShlSat => shl_sat(BinOp::AShr, OverflowOp::SAdd, w, a, b, out),
        SatOp::UMin => out.copy_from_slice(if icmp(CmpOp::Ult, w, a, b) { a } else { b }),
        SatOp::UMax => out.copy_from_slice(if icmp(CmpOp::Ugt, w, a, b) { a } else { b }),
        SatOp::SMin => out.copy_from_slice(if icmp(CmpOp::Slt, w, a, b) { a } else { b }),
        SatOp::SMax => out.copy_from_slice(if icmp(CmpOp::Sgt, w, a, b) { a } else { b }),
    }
}

/// The value that an operation on `a` sticks to when it overflows.
fn set_extreme(op: OverflowOp, w: u32, a: &[u64], out: &mut [u64]) {
    match op.parts() {
        (BinOp::Sub, Signedness::Unsigned) => out.fill(0),
        (_, Signedness::Unsigned) => set_ones(w, out),
        (_, Signedness::Signed) if is_negative(w, a) => {
            out.fill(0);
            limbs::set_from(w - 1, out);
            limbs::clear_unused(w, out);
        }
        (_, Signedness::Signed) => set_ones(w - 1, out),
    }
}

/// A left shift saturates like an addition, when the right shift doesn't undo it.
fn shl_sat(undo: BinOp, like: OverflowOp, w: u32, a: &[u64], b: &[u64], out: &mut [u64]) {
    binop(BinOp::Shl, w, a, b, out);
    let mut undone = zeros(w);
    binop(undo, w, out, b, &mut undone);
    if undone != a {
        set_extreme(like, w, a, out);
    }
}

pub fn unop(op: UnOp, w: u32, a: &[u64], out: &mut [u64]) {
    if w <= NATIVE {
        return store(int128::unop(op, w, load(a)), out);
    }
    let mut set_count = |count: u32| {
        out.fill(0);
        out[0] = count as u64;
    };
    match op {
        UnOp::Ctpop => set_count(a.iter().map(|limb| limb.count_ones()).sum()),
        UnOp::Ctlz => set_count(w - limbs::bit_length(a)),
        UnOp::Cttz => set_count(limbs::trailing_zeros(a).unwrap_or(w)),
        UnOp::Bswap => limbs::reverse(w, a, u64::swap_bytes, out),
        UnOp::Bitreverse => limbs::reverse(w, a, u64::reverse_bits, out),
        UnOp::Abs if is_negative(w, a) => binop(BinOp::Sub, w, &zeros(w), a, out),
        UnOp::Abs => out.copy_from_slice(a),
    }
}

pub fn funnel(op: FunnelOp, w: u32, a: &[u64], b: &[u64], c: &[u64], out: &mut [u64]) {
    if w <= NATIVE {
        return store(int128::funnel(op, w, load(a), load(b), load(c)), out);
    }
    let amount = limbs::remainder(c, w);
    let left = match op {
        FunnelOp::Fshl => amount,
        FunnelOp::Fshr => w - amount,
    };
    let [mut high, mut low] = [zeros(w), zeros(w)];
    limbs::shl(a, left, &mut high);
    limbs::lshr(b, w - left, &mut low);
    limbs::zip(&high, &low, out, |x, y| x | y);
    limbs::clear_unused(w, out);
}
