//! Operations on floats that are put together from others: signs and classes are bits of the pattern.

use spelunk_bv::float::{self, FloatKind};
use spelunk_bv::{FBinOp, FCmpOp, FMinMaxOp, Signedness, int128};

use crate::node::ExprId;
use crate::pool::ExprPool;

/// The parts of a pattern that classification asks about, each a truth value.
struct Parts {
    negative: ExprId,
    exponent_is_zero: ExprId,
    exponent_is_max: ExprId,
    /// Without the bit that only x86_fp80 stores.
    fraction_is_zero: ExprId,
    quiet: ExprId,
    /// The integer bit of x86_fp80 contradicts the exponent.
    malformed: ExprId,
    /// The integer bit of x86_fp80, or false.
    integer_bit: ExprId,
}

impl ExprPool {
    fn mk_float_const(&mut self, kind: FloatKind, bits: u128) -> ExprId {
        self.mk_const_limbs(kind.bits(), &[bits as u64, (bits >> 64) as u64])
    }

    pub fn mk_fneg(&mut self, kind: FloatKind, a: ExprId) -> ExprId {
        let sign = self.mk_float_const(kind, int128::sign_bit(kind.bits()));
        self.mk_xor(a, sign)
    }

    pub fn mk_fabs(&mut self, kind: FloatKind, a: ExprId) -> ExprId {
        let magnitude = self.mk_float_const(kind, int128::sign_bit(kind.bits()) - 1);
        self.mk_and(a, magnitude)
    }

    /// The magnitude of `a` with the sign of `b`.
    pub fn mk_copysign(&mut self, kind: FloatKind, a: ExprId, b: ExprId) -> ExprId {
        let top = kind.bits() - 1;
        let (sign, magnitude) = (self.mk_extract(b, top, 1), self.mk_trunc(a, top));
        self.mk_concat(sign, magnitude)
    }

    pub fn mk_is_nan(&mut self, kind: FloatKind, a: ExprId) -> ExprId {
        if kind != FloatKind::X86Fp80 {
            let infinity = self.mk_float_const(kind, float::infinity(kind));
            let magnitude = self.mk_fabs(kind, a);
            return self.mk_ult(infinity, magnitude);
        }
        let parts = self.float_parts(kind, a);
        self.nan_of_parts(&parts)
    }

    fn nan_of_parts(&mut self, parts: &Parts) -> ExprId {
        let has_fraction = self.mk_not(parts.fraction_is_zero);
        let regular = self.mk_and(parts.exponent_is_max, has_fraction);
        self.mk_or(parts.malformed, regular)
    }

    fn float_parts(&mut self, kind: FloatKind, a: ExprId) -> Parts {
        let fraction_width = kind.precision() - 1;
        let stores_integer_bit = kind == FloatKind::X86Fp80;
        let exponent_at = fraction_width + stores_integer_bit as u32;
        let exponent_width = kind.bits() - 1 - exponent_at;
        let exponent = self.mk_extract(a, exponent_at, exponent_width);
        let fraction = self.mk_trunc(a, fraction_width);
        let max = self.mk_const(exponent_width, u64::MAX);
        let zero = self.mk_const(exponent_width, 0);
        let no_fraction = self.mk_const(fraction_width, 0);
        let exponent_is_zero = self.mk_eq(exponent, zero);
        let (integer_bit, malformed) = if stores_integer_bit {
            let integer_bit = self.mk_extract(a, fraction_width, 1);
            let neither = self.mk_or(integer_bit, exponent_is_zero);
            (integer_bit, self.mk_not(neither))
        } else {
            (ExprId::FALSE, ExprId::FALSE)
        };
        Parts {
            negative: self.mk_extract(a, kind.bits() - 1, 1),
            exponent_is_zero,
            exponent_is_max: self.mk_eq(exponent, max),
            fraction_is_zero: self.mk_eq(fraction, no_fraction),
            quiet: self.mk_extract(a, fraction_width - 1, 1),
            malformed,
            integer_bit,
        }
    }

    /// Whether `a` is in one of the classes of `llvm.is.fpclass`'s mask.
    pub fn mk_is_fpclass(&mut self, kind: FloatKind, a: ExprId, mask: u32) -> ExprId {
        let parts = self.float_parts(kind, a);
        let nan = self.nan_of_parts(&parts);
        let number = self.mk_not(nan);
        let (negative, positive) = (parts.negative, self.mk_not(parts.negative));
        let no_significand = {
            let no_integer_bit = self.mk_not(parts.integer_bit);
            self.mk_and(parts.fraction_is_zero, no_integer_bit)
        };
        let zero = self.mk_and(parts.exponent_is_zero, no_significand);
        let not_zero = self.mk_not(zero);
        let subnormal = self.mk_and(parts.exponent_is_zero, not_zero);
        let infinite = self.mk_and(parts.exponent_is_max, number);
        let normal = {
            let special = self.mk_or(parts.exponent_is_zero, parts.exponent_is_max);
            let regular = self.mk_not(special);
            self.mk_and(regular, number)
        };
        // In the order of LLVM's mask.
        let classes = [
            (nan, None),
            (nan, None),
            (infinite, Some(negative)),
            (normal, Some(negative)),
            (subnormal, Some(negative)),
            (zero, Some(negative)),
            (zero, Some(positive)),
            (subnormal, Some(positive)),
            (normal, Some(positive)),
            (infinite, Some(positive)),
        ];
        let mut any = ExprId::FALSE;
        for (bit, (class, sign)) in classes.into_iter().enumerate().filter(|(bit, _)| mask >> bit & 1 != 0) {
            let which = match sign {
                Some(sign) => sign,
                None if bit == 0 => self.mk_not(parts.quiet),
                None => parts.quiet,
            };
            let member = self.mk_and(class, which);
            any = self.mk_or(any, member);
        }
        any
    }

    /// The extrema as [`float::min_max`] defines them.
    pub fn mk_fmin_max(&mut self, kind: FloatKind, op: FMinMaxOp, a: ExprId, b: ExprId) -> ExprId {
        use FMinMaxOp::*;
        let order = if matches!(op, MinNum | Minimum | MinimumNum) { (a, b) } else { (b, a) };
        let mut takes_a = self.mk_fcmp(kind, FCmpOp::Ole, order.0, order.1);
        if !matches!(op, MinNum | MaxNum) {
            // Of two zeros, the one with the wanted sign: they compare equal, all other equal values are the same.
            let equal = self.mk_fcmp(kind, FCmpOp::Oeq, a, b);
            let top = kind.bits() - 1;
            let (first, second) = (self.mk_extract(order.0, top, 1), self.mk_extract(order.1, top, 1));
            let is_below = self.mk_ule(second, first);
            takes_a = self.mk_ite(equal, is_below, takes_a);
        }
        let ordered = self.mk_ite(takes_a, a, b);
        let unordered = if matches!(op, Minimum | Maximum) {
            // An addition hands on the same NaN.
            self.mk_fbinop(kind, FBinOp::FAdd, a, b)
        } else {
            let a_is_nan = self.mk_is_nan(kind, a);
            self.mk_ite(a_is_nan, b, a)
        };
        let is_unordered = self.mk_fcmp(kind, FCmpOp::Uno, a, b);
        self.mk_ite(is_unordered, unordered, ordered)
    }

    /// Whether the value, cut towards zero, is one of the integer type's.
    pub fn mk_fits_int(&mut self, kind: FloatKind, sign: Signedness, width: u32, a: ExprId) -> ExprId {
        // Powers of two are exact, or infinite where the format ends below them; then "finite" is the condition.
        let power_of_two = |exponent: u32| {
            let mut limbs = vec![0; exponent as usize / 64 + 1];
            limbs[exponent as usize / 64] = 1 << (exponent % 64);
            float::from_int(kind, &limbs, exponent + 1, Signedness::Unsigned)
        };
        let (beyond, below) = match sign {
            Signedness::Unsigned => (power_of_two(width), Some(float::neg(kind, power_of_two(0)))),
            Signedness::Signed => {
                let end = power_of_two(width - 1);
                let after = float::binop(kind, FBinOp::FAdd, end, power_of_two(0));
                // The first value below the type's least one, if the format can tell the two apart.
                (end, (after != end || float::is_inf(kind, end)).then(|| float::neg(kind, after)))
            }
        };
        let upper = self.mk_float_const(kind, beyond);
        let is_low_enough = self.mk_fcmp(kind, FCmpOp::Olt, a, upper);
        let is_high_enough = match below {
            Some(below) => {
                let lower = self.mk_float_const(kind, below);
                self.mk_fcmp(kind, FCmpOp::Olt, lower, a)
            }
            None => {
                let lower = self.mk_float_const(kind, float::neg(kind, beyond));
                self.mk_fcmp(kind, FCmpOp::Ole, lower, a)
            }
        };
        self.mk_and(is_high_enough, is_low_enough)
    }

    /// `llvm.fptoui.sat` and `llvm.fptosi.sat`: the nearest value of the integer type, zero for a NaN.
    pub fn mk_float_to_int_sat(&mut self, kind: FloatKind, sign: Signedness, width: u32, a: ExprId) -> ExprId {
        let fits = self.mk_fits_int(kind, sign, width, a);
        let exact = self.mk_float_to_int(kind, sign, width, a);
        let zero = self.mk_const(width, 0);
        let (least, greatest) = match sign {
            Signedness::Unsigned => (zero, self.mk_not(zero)),
            Signedness::Signed => {
                let least = self.mk_signed_min(width);
                (least, self.mk_not(least))
            }
        };
        let is_negative = self.mk_extract(a, kind.bits() - 1, 1);
        let bound = self.mk_ite(is_negative, least, greatest);
        let is_nan = self.mk_is_nan(kind, a);
        let clamped = self.mk_ite(is_nan, zero, bound);
        self.mk_ite(fits, exact, clamped)
    }
}
