//! Operations on values of any width, as the slow operations need them: what each computes, and the form in which a
//! machine is told about it.
//!
//! The loop's own operations on words have hooks of their own in [`Machine`](crate::Machine). Nothing here knows of
//! uninitialised bits or of errors: that is for those who execute operations.

use crate::value::Carried;
use smallvec::{SmallVec, smallvec};
use spelunk_bv::float::{FBits, FloatKind};
use spelunk_bv::{
    BinOp, CmpOp, FBinOp, FCmpOp, FMinMaxOp, FunnelOp, OverflowOp, RoundOp, SatOp, Signedness, UnOp, float, wide,
};

/// A value of any width, low word first; bits beyond the width are zero.
pub type Limbs = SmallVec<[u64; 2]>;

/// A value that an operation reads.
#[derive(Clone, Copy, Debug)]
pub struct Operand<'a> {
    pub width: u32,
    pub limbs: &'a [u64],
    /// May be narrower than `width`, and then stands for its zero extension.
    pub expr: Carried,
}

/// What is computed. Integer operations take the width of their operands, which is the same for all of them; those on
/// floats name the kind that they read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    Binary(BinOp),
    Compare(CmpOp),
    Unary(UnOp),
    Sat(SatOp),
    Funnel(FunnelOp),
    /// Whether the exact result does not fit: one bit.
    Overflow(OverflowOp),
    /// -1, 0 or 1.
    ThreeWay {
        sign: Signedness,
        to: u32,
    },
    /// Cuts off high bits, or adds zeros or copies of the sign.
    Resize {
        sign: Signedness,
        to: u32,
    },
    FBinary(FloatKind, FBinOp),
    FCompare(FloatKind, FCmpOp),
    FNeg(FloatKind),
    FAbs(FloatKind),
    CopySign(FloatKind),
    Sqrt(FloatKind),
    Round(FloatKind, RoundOp),
    FMinMax(FloatKind, FMinMaxOp),
    Fma(FloatKind),
    /// A product and a sum, each rounded.
    FMulAdd(FloatKind),
    /// Whether the value is of one of the classes in LLVM's mask.
    IsFpClass(FloatKind, u32),
    FConvert {
        from: FloatKind,
        to: FloatKind,
    },
    ToInt {
        kind: FloatKind,
        sign: Signedness,
        to: u32,
    },
    ToIntSat {
        kind: FloatKind,
        sign: Signedness,
        to: u32,
    },
    FromInt {
        kind: FloatKind,
        sign: Signedness,
    },
    /// A bit, and the values that it chooses from if it is set and if it is not.
    Select,
    /// Operands of any widths, lowest first.
    Concat,
    Extract {
        low: u32,
        width: u32,
    },
}

impl Operation {
    /// Bits of the result.
    pub fn width(self, operands: &[Operand<'_>]) -> u32 {
        use Operation::*;
        match self {
            Binary(_) | Unary(_) | Sat(_) | Funnel(_) => operands[0].width,
            Compare(_) | Overflow(_) | FCompare(..) | IsFpClass(..) => 1,
            ThreeWay { to, .. } | Resize { to, .. } | ToInt { to, .. } | ToIntSat { to, .. } => to,
            FBinary(kind, _) | FNeg(kind) | FAbs(kind) | CopySign(kind) | Sqrt(kind) | Round(kind, _) => kind.bits(),
            FMinMax(kind, _) | Fma(kind) | FMulAdd(kind) | FromInt { kind, .. } => kind.bits(),
            FConvert { to, .. } => to.bits(),
            Select => operands[1].width,
            Concat => operands.iter().map(|operand| operand.width).sum(),
            Extract { width, .. } => width,
        }
    }

    /// The result on concrete values.
    pub fn eval(self, operands: &[Operand<'_>]) -> Limbs {
        use Operation::*;
        let limbs = |i: usize| operands[i].limbs;
        let bits = |i: usize| float_bits(operands[i].limbs);
        let from = operands[0].width;
        let mut out: Limbs = smallvec![0; wide::n_limbs(self.width(operands))];
        match self {
            Binary(op) => wide::binop(op, from, limbs(0), limbs(1), &mut out),
            Compare(op) => out[0] = u64::from(wide::icmp(op, from, limbs(0), limbs(1))),
            Unary(op) => wide::unop(op, from, limbs(0), &mut out),
            Sat(op) => wide::sat(op, from, limbs(0), limbs(1), &mut out),
            Funnel(op) => wide::funnel(op, from, limbs(0), limbs(1), limbs(2), &mut out),
            Overflow(op) => out[0] = u64::from(wide::overflows(op, from, limbs(0), limbs(1))),
            ThreeWay { sign, to } => {
                let less = if sign == Signedness::Signed { CmpOp::Slt } else { CmpOp::Ult };
                if wide::icmp(less, from, limbs(0), limbs(1)) {
                    wide::sext_to(1, to, &[1], &mut out);
                } else {
                    out[0] = u64::from(limbs(0) != limbs(1));
                }
            }
            Resize { sign: Signedness::Signed, to } if to > from => wide::sext_to(from, to, limbs(0), &mut out),
            Resize { to, .. } if to > from => wide::zext(limbs(0), &mut out),
            Resize { to, .. } => wide::trunc(to, limbs(0), &mut out),
            FBinary(kind, op) => set_float(&mut out, float::binop(kind, op, bits(0), bits(1))),
            FCompare(kind, op) => out[0] = u64::from(float::fcmp(kind, op, bits(0), bits(1))),
            FNeg(kind) => set_float(&mut out, float::neg(kind, bits(0))),
            FAbs(kind) => set_float(&mut out, float::abs(kind, bits(0))),
            CopySign(kind) => set_float(&mut out, float::copysign(kind, bits(0), bits(1))),
            Sqrt(kind) => set_float(&mut out, float::sqrt(kind, bits(0))),
            Round(kind, op) => set_float(&mut out, float::round(kind, op, bits(0))),
            FMinMax(kind, op) => set_float(&mut out, float::min_max(kind, op, bits(0), bits(1))),
            Fma(kind) => set_float(&mut out, float::fma(kind, bits(0), bits(1), bits(2))),
            FMulAdd(kind) => {
                let product = float::binop(kind, FBinOp::FMul, bits(0), bits(1));
                set_float(&mut out, float::binop(kind, FBinOp::FAdd, product, bits(2)));
            }
            IsFpClass(kind, mask) => out[0] = u64::from(float::is_fpclass(kind, bits(0), mask)),
            FConvert { from, to } => set_float(&mut out, float::convert(from, to, bits(0))),
            ToInt { kind, sign, to } => float::to_int(kind, bits(0), to, sign, &mut out),
            ToIntSat { kind, sign, to } => float::to_int_sat(kind, bits(0), to, sign, &mut out),
            FromInt { kind, sign } => set_float(&mut out, float::from_int(kind, limbs(0), from, sign)),
            Select => out.copy_from_slice(limbs(if limbs(0)[0] & 1 != 0 { 1 } else { 2 })),
            Concat => {
                let mut at = 0;
                for operand in operands {
                    or_shifted(&mut out, operand.limbs, at);
                    at += operand.width;
                }
            }
            Extract { low, width } => extract(&mut out, limbs(0), low, width),
        }
        out
    }
}

fn float_bits(limbs: &[u64]) -> FBits {
    FBits::from(limbs[0]) | limbs.get(1).map_or(0, |&high| FBits::from(high) << 64)
}

fn set_float(out: &mut [u64], bits: FBits) {
    for (limb, part) in out.iter_mut().zip([bits as u64, (bits >> 64) as u64]) {
        *limb = part;
    }
}

/// Adds bits to a value that has none there.
fn or_shifted(out: &mut [u64], limbs: &[u64], at: u32) {
    let (word, shift) = ((at / 64) as usize, at % 64);
    for (i, &limb) in limbs.iter().enumerate() {
        let spread = u128::from(limb) << shift;
        for (part, half) in [spread as u64, (spread >> 64) as u64].into_iter().enumerate() {
            if let Some(target) = out.get_mut(word + i + part) {
                *target |= half;
            }
        }
    }
}

fn extract(out: &mut [u64], limbs: &[u64], low: u32, width: u32) {
    let (word, shift) = ((low / 64) as usize, low % 64);
    let limb = |i: usize| limbs.get(word + i).copied().unwrap_or(0);
    for (i, target) in out.iter_mut().enumerate() {
        let pair = u128::from(limb(i)) | u128::from(limb(i + 1)) << 64;
        *target = (pair >> shift) as u64;
    }
    if !width.is_multiple_of(64) {
        out[wide::n_limbs(width) - 1] &= (1 << (width % 64)) - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operand(width: u32, limbs: &[u64]) -> Operand<'_> {
        Operand { width, limbs, expr: Carried::NONE }
    }

    #[test]
    fn parts_join_and_come_apart_again() {
        let parts = [operand(3, &[0b101]), operand(70, &[u64::MAX - 6, 0x2a]), operand(64, &[0x0123_4567_89ab_cdef])];
        let whole = Operation::Concat.eval(&parts);
        assert_eq!(whole.len(), 3);
        let mut low = 0;
        for part in parts {
            let found = Operation::Extract { low, width: part.width }.eval(&[operand(137, &whole)]);
            assert_eq!(&found[..], part.limbs);
            low += part.width;
        }
    }

    #[test]
    fn orders_are_numbers_of_the_width_asked_for() {
        let order = |sign, a, b| Operation::ThreeWay { sign, to: 8 }.eval(&[operand(8, &[a]), operand(8, &[b])])[0];
        assert_eq!(order(Signedness::Signed, 0xff, 1), 0xff);
        assert_eq!(order(Signedness::Unsigned, 0xff, 1), 1);
        assert_eq!(order(Signedness::Signed, 7, 7), 0);
    }
}
