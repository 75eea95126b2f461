//! Floats. To Z3 they are values with one NaN, to us patterns with many; so a pattern is read as a value, the operation
//! made on values, and the result written as a pattern. Which NaN an operation yields, and what becomes of values that
//! an integer can't hold, is said with bit-vectors, as [`spelunk_bv::float`] defines it.

use spelunk_bv::float::{self, FBits, FloatKind};
use spelunk_bv::{FBinOp, RoundOp, Signedness};
use spelunk_expr::{ExprId, ExprPool, Node, Op};
use z3::Sort;
use z3::ast::{BV, Bool, Float, RoundingMode};

use super::bits::constant;
use super::remainder::{self, Remainder};
use super::{Term, Translator};
use crate::z3::ffi;

pub(super) fn is_float_op(op: Op) -> bool {
    // The operations on floats are the last ones of the table.
    op >= Op::FAdd
}

/// A float as its pattern and as the value that Z3 computes with.
pub(super) struct Operand {
    pub bits: BV,
    pub value: Float,
}

impl Operand {
    pub fn new(kind: FloatKind, bits: BV) -> Self {
        Operand { value: read(kind, &bits), bits }
    }

    pub fn constant(kind: FloatKind, bits: FBits) -> Self {
        Operand::new(kind, pattern_constant(kind, bits))
    }
}

impl Translator {
    pub(super) fn float_term(&mut self, pool: &ExprPool, id: ExprId, node: Node) -> Term {
        let kind = node.kind();
        if let Op::UiToF | Op::SiToF = node.op() {
            let int = self.bits(node.arg(0));
            let value = ffi::float_of_int(&int, node.op().int_sign(), &nearest_even(), &sort(kind));
            return Term::Bits(write_number(kind, &value));
        }
        let operand = |id: ExprId| Operand::new(kind, self.bits(id));
        let operands: Vec<Operand> = node.args().map(operand).collect();
        debug_assert!(node.args().all(|arg| pool.width(arg) == kind.bits()));
        let compared = |holds: fn(&Float, &Float) -> Bool| Term::Truth(holds(&operands[0].value, &operands[1].value));
        match node.op() {
            Op::FEq => compared(|a, b| a.eq_fpa(b)),
            Op::FLt => compared(|a, b| a.lt(b)),
            Op::FLe => compared(|a, b| a.le(b)),
            Op::FToUi | Op::FToSi => Term::Bits(to_int(kind, &operands[0].value, node.width(), node.op().int_sign())),
            Op::FToF => {
                let (to, from) = (node.result_kind(), &operands[0]);
                let value = from.value.to_fp_with_rounding_mode(&nearest_even(), &sort(to));
                Term::Bits(write(to, &value, &transferred_nan(kind, to, &from.bits)))
            }
            Op::FRem if !remainder::is_computable(kind) => {
                let remainder = Remainder::new(kind, id, &operands);
                let bits = remainder.bits.clone();
                self.remainders.insert(id, remainder);
                Term::Bits(bits)
            }
            _ => Term::Bits(write(kind, &compute(node, &operands), &nan_result(kind, &operands))),
        }
    }
}

/// An operation whose result has the operands' format.
fn compute(node: Node, operands: &[Operand]) -> Float {
    let (rounding, a) = (nearest_even(), &operands[0].value);
    let b = || &operands[1].value;
    match node.op() {
        Op::FAdd => rounding.add(a, b()),
        Op::FSub => rounding.sub(a, b()),
        Op::FMul => rounding.mul(a, b()),
        Op::FDiv => rounding.div(a, b()),
        Op::FFma => a.fma(b(), &operands[2].value),
        Op::FSqrt => a.sqrt(),
        Op::FRound => round(node.kind(), a, node.round_op()),
        Op::FRem => remainder::compute(a, b()),
        op => unreachable!("{} is no operation on floats", op.name()),
    }
}

fn round(kind: FloatKind, a: &Float, op: RoundOp) -> Float {
    let mode = match op {
        RoundOp::Floor => RoundingMode::round_towards_negative(),
        RoundOp::Ceil => RoundingMode::round_towards_positive(),
        RoundOp::Trunc => RoundingMode::round_towards_zero(),
        RoundOp::Round => RoundingMode::round_nearest_ties_to_away(),
        RoundOp::Rint | RoundOp::Nearbyint | RoundOp::RoundEven => nearest_even(),
    };
    if kind != FloatKind::BFloat {
        return a.round_to_integral_with_rounding_mode(&mode);
    }
    // libz3 4.8.12 fails where the exponent is as wide as the significand. The detour through `float` is exact.
    let wider = a.to_fp_with_rounding_mode(&nearest_even(), &sort(FloatKind::Float));
    let rounded = wider.round_to_integral_with_rounding_mode(&mode);
    rounded.to_fp_with_rounding_mode(&nearest_even(), &sort(kind))
}

pub(super) fn nearest_even() -> RoundingMode {
    RoundingMode::round_nearest_ties_to_even()
}

fn sort(kind: FloatKind) -> Sort {
    let stored = kind.precision() - (kind != FloatKind::X86Fp80) as u32;
    Sort::float(kind.bits() - 1 - stored, kind.precision())
}

fn pattern_constant(kind: FloatKind, bits: FBits) -> BV {
    constant(kind.bits(), &[bits as u64, (bits >> 64) as u64])
}

/// Bits of the significand that are stored whatever the format.
fn fraction_width(kind: FloatKind) -> u32 {
    kind.precision() - 1
}

/// The value that a pattern is.
fn read(kind: FloatKind, bits: &BV) -> Float {
    match kind {
        FloatKind::X86Fp80 => ffi::float_of_pattern(&without_integer_bit(bits), &sort(kind)),
        _ => ffi::float_of_pattern(bits, &sort(kind)),
    }
}

/// An x86_fp80 pattern in the layout of all other formats. An integer bit that is missing makes a NaN, one too many
/// stands for the next exponent.
fn without_integer_bit(bits: &BV) -> BV {
    let (sign, exponent) = (bits.extract(79, 79), bits.extract(78, 64));
    let (integer_bit, fraction) = (is_set(bits, 63), bits.extract(62, 0));
    let has_exponent = exponent.ne(BV::from_u64(0, 15));
    let regular = sign.concat(integer_bit.ite(&has_exponent.ite(&exponent, &BV::from_u64(1, 15)), &exponent));
    let nan = BV::from_i64(-1, 16).concat(BV::from_u64(1, 63));
    let is_malformed = Bool::and(&[integer_bit.not(), has_exponent]);
    is_malformed.ite(&nan, &regular.concat(fraction))
}

/// The pattern of a value, or this NaN.
fn write(kind: FloatKind, value: &Float, nan: &BV) -> BV {
    value.is_nan().ite(nan, &write_number(kind, value))
}

/// The pattern of a value that is not a NaN.
fn write_number(kind: FloatKind, value: &Float) -> BV {
    let bits = value.to_ieee_bv();
    if kind != FloatKind::X86Fp80 {
        return bits;
    }
    let (head, fraction) = (bits.extract(78, 63), bits.extract(62, 0));
    let is_normal = bits.extract(77, 63).ne(BV::from_u64(0, 15));
    head.concat(is_normal.ite(&BV::from_u64(1, 1), &BV::from_u64(0, 1))).concat(fraction)
}

fn is_set(bits: &BV, at: u32) -> Bool {
    bits.extract(at, at).eq(BV::from_u64(1, 1))
}

fn quiet_bits(kind: FloatKind) -> FBits {
    float::infinity(kind) | 1 << (fraction_width(kind) - 1)
}

/// The NaN that an operation yields: one of its NaN operands made quiet, or the default NaN.
pub(super) fn nan_result(kind: FloatKind, operands: &[Operand]) -> BV {
    let takes_larger = matches!(kind, FloatKind::X86Fp80 | FloatKind::Fp128);
    let rank = |bits: &BV| {
        let top = kind.bits() - 1;
        bits.extract(fraction_width(kind) - 1, 0).concat(bits.extract(top, top).bvnot())
    };
    let mut chosen = operands[0].bits.clone();
    let mut is_any = operands[0].value.is_nan();
    for operand in &operands[1..] {
        let is_nan = operand.value.is_nan();
        let is_better = match takes_larger {
            true => Bool::or(&[is_any.not(), rank(&operand.bits).bvuge(rank(&chosen))]),
            false => is_any.not(),
        };
        chosen = Bool::and(&[&is_nan, &is_better]).ite(&operand.bits, &chosen);
        is_any = Bool::or(&[is_any, is_nan]);
    }
    let quieted = chosen.bvor(pattern_constant(kind, quiet_bits(kind)));
    is_any.ite(&quieted, &pattern_constant(kind, float::default_nan(kind)))
}

/// A NaN in another format: its sign and the high bits of its payload, quiet.
fn transferred_nan(from: FloatKind, to: FloatKind, nan: &BV) -> BV {
    let (from_width, to_width) = (fraction_width(from), fraction_width(to));
    let fraction = if to_width > from_width {
        nan.extract(from_width - 1, 0).concat(BV::from_u64(0, to_width - from_width))
    } else {
        nan.extract(from_width - 1, from_width - to_width)
    };
    let sign = nan.extract(from.bits() - 1, from.bits() - 1);
    let payload = sign.concat(fraction.zero_ext(to.bits() - 1 - to_width));
    payload.bvor(pattern_constant(to, quiet_bits(to)))
}

/// The value cut towards zero. Where that does not fit: what x86-64 makes of it, see [`float::to_int_narrow`].
fn to_int(kind: FloatKind, value: &Float, width: u32, sign: Signedness) -> BV {
    let is_x87 = kind == FloatKind::X86Fp80;
    let carrier = match sign {
        _ if width > 64 => return cut_or_least(kind, value, width, sign),
        _ if is_x87 && width <= 8 => 16,
        Signedness::Signed if is_x87 && width <= 16 => 16,
        Signedness::Signed if width <= 32 => 32,
        Signedness::Unsigned if width <= 16 => 32,
        _ => 64,
    };
    let carried = cut_or_least(kind, value, carrier, Signedness::Signed);
    if width < 64 || sign == Signedness::Signed {
        return carried.extract(width - 1, 0);
    }
    let beyond = match is_x87 {
        true => {
            let is_negative = value.lt(Operand::constant(kind, float::zero(kind)).value);
            is_negative.ite(&carried, &BV::from_u64(0, 64))
        }
        false => carried,
    };
    fits_int(kind, value, width, sign).ite(&cut(value, width, sign), &beyond)
}

fn cut(value: &Float, width: u32, sign: Signedness) -> BV {
    let towards_zero = RoundingMode::round_towards_zero();
    match sign {
        Signedness::Unsigned => value.to_ubv_with_rounding_mode(&towards_zero, width),
        Signedness::Signed => value.to_sbv_with_rounding_mode(&towards_zero, width),
    }
}

fn cut_or_least(kind: FloatKind, value: &Float, width: u32, sign: Signedness) -> BV {
    let mut least = vec![0; width.div_ceil(64) as usize];
    least[(width as usize - 1) / 64] = 1 << ((width - 1) % 64);
    fits_int(kind, value, width, sign).ite(&cut(value, width, sign), &constant(width, &least))
}

/// Whether the value, cut towards zero, is one of the integer type's.
fn fits_int(kind: FloatKind, value: &Float, width: u32, sign: Signedness) -> Bool {
    let constant = |bits| Operand::constant(kind, bits).value;
    let one = power_of_two(kind, 0);
    let (end, below) = match sign {
        Signedness::Unsigned => (power_of_two(kind, width), Some(float::neg(kind, one))),
        Signedness::Signed => {
            let end = power_of_two(kind, width - 1);
            let after = float::binop(kind, FBinOp::FAdd, end, one);
            // The first value below the type's least one, if the format can tell the two apart.
            (end, (after != end || float::is_inf(kind, end)).then(|| float::neg(kind, after)))
        }
    };
    let is_high_enough = match below {
        Some(below) => value.gt(constant(below)),
        None => value.ge(constant(float::neg(kind, end))),
    };
    Bool::and(&[is_high_enough, value.lt(constant(end))])
}

/// Exact, or infinite where the format ends below it.
pub(super) fn power_of_two(kind: FloatKind, exponent: u32) -> FBits {
    let mut limbs = vec![0; exponent as usize / 64 + 1];
    limbs[exponent as usize / 64] = 1 << (exponent % 64);
    float::from_int(kind, &limbs, exponent + 1, Signedness::Unsigned)
}
