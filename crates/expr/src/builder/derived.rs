//! Integer operations that are put together from others: counting and swapping bits, clamping, funnel shifts.

use spelunk_bv::{BinOp, FunnelOp, OverflowOp, SatOp, UnOp};

use crate::node::ExprId;
use crate::pool::ExprPool;

impl ExprPool {
    pub(crate) fn mk_ones(&mut self, width: u32) -> ExprId {
        let zero = self.mk_const(width, 0);
        self.mk_not(zero)
    }

    pub(crate) fn mk_signed_min(&mut self, width: u32) -> ExprId {
        if width == 1 {
            return ExprId::TRUE;
        }
        let zeros = self.mk_const(width - 1, 0);
        self.mk_concat(ExprId::TRUE, zeros)
    }

    pub fn mk_unop(&mut self, op: UnOp, a: ExprId) -> ExprId {
        match op {
            UnOp::Ctpop => self.mk_ctpop(a),
            UnOp::Ctlz => self.mk_ctlz(a),
            UnOp::Cttz => {
                // The zeros below the lowest one are the ones of `~a & (a - 1)`.
                let ones = self.mk_ones(self.width(a));
                let (less_one, not) = (self.mk_add(a, ones), self.mk_not(a));
                let below = self.mk_and(not, less_one);
                self.mk_ctpop(below)
            }
            UnOp::Bswap => self.mk_reversed(a, 8),
            UnOp::Bitreverse => self.mk_reversed(a, 1),
            UnOp::Abs => {
                let zero = self.mk_const(self.width(a), 0);
                let (is_negative, negated) = (self.mk_slt(a, zero), self.mk_neg(a));
                self.mk_ite(is_negative, negated, a)
            }
        }
    }

    /// Sums the bits pairwise, then the pairs, each sum in as many bits as it can need.
    fn mk_ctpop(&mut self, a: ExprId) -> ExprId {
        let width = self.width(a);
        let mut sums: Vec<ExprId> = (0..width).map(|at| self.mk_extract(a, at, 1)).collect();
        let mut sum_width = 1;
        while sums.len() > 1 {
            sum_width += 1;
            let pairs = std::mem::take(&mut sums);
            for pair in pairs.chunks(2) {
                let first = self.mk_zext(pair[0], sum_width);
                sums.push(match pair.get(1) {
                    Some(&second) => {
                        let second = self.mk_zext(second, sum_width);
                        self.mk_add(first, second)
                    }
                    None => first,
                });
            }
        }
        self.mk_resized(sums[0], width)
    }

    /// To `width` bits, from more or fewer, unsigned.
    fn mk_resized(&mut self, a: ExprId, width: u32) -> ExprId {
        if self.width(a) < width { self.mk_zext(a, width) } else { self.mk_trunc(a, width) }
    }

    /// Halves the part that holds the highest one, from the top down; each step yields one bit of the count.
    fn mk_ctlz(&mut self, a: ExprId) -> ExprId {
        let width = self.width(a);
        let padded_width = width.next_power_of_two();
        // Ones below make the count stop at the width.
        let mut rest = match padded_width - width {
            0 => a,
            padding => {
                let ones = self.mk_ones(padding);
                self.mk_concat(a, ones)
            }
        };
        let mut count: Option<ExprId> = None;
        let mut half = padded_width / 2;
        while half > 0 {
            let (high, low) = (self.mk_extract(rest, half, half), self.mk_trunc(rest, half));
            let zero = self.mk_const(half, 0);
            let high_is_zero = self.mk_eq(high, zero);
            count = Some(count.map_or(high_is_zero, |count| self.mk_concat(count, high_is_zero)));
            rest = self.mk_ite(high_is_zero, low, high);
            half /= 2;
        }
        // Only a value of zeros alone, without padding, is left with a zero: one more.
        let count_width = padded_width.ilog2() + 1;
        let last_is_zero = self.mk_not(rest);
        let extra = self.mk_zext(last_is_zero, count_width);
        let total = match count {
            Some(count) => {
                let count = self.mk_zext(count, count_width);
                self.mk_add(count, extra)
            }
            None => extra,
        };
        self.mk_resized(total, width)
    }

    /// The parts of `part` bits in reverse order.
    fn mk_reversed(&mut self, a: ExprId, part: u32) -> ExprId {
        let n_parts = self.width(a) / part;
        assert_eq!(n_parts * part, self.width(a), "a value of whole parts");
        let mut reversed = self.mk_trunc(a, part);
        for at in 1..n_parts {
            let next = self.mk_extract(a, at * part, part);
            reversed = self.mk_concat(reversed, next);
        }
        reversed
    }

    pub fn mk_sat(&mut self, op: SatOp, a: ExprId, b: ExprId) -> ExprId {
        match op {
            SatOp::UAddSat => self.mk_saturated(OverflowOp::UAdd, a, b),
            SatOp::SAddSat => self.mk_saturated(OverflowOp::SAdd, a, b),
            // Nothing is less than nothing.
            SatOp::USubSat if self.as_const(a) == Some(0) => a,
            SatOp::USubSat => self.mk_saturated(OverflowOp::USub, a, b),
            SatOp::SSubSat => self.mk_saturated(OverflowOp::SSub, a, b),
            SatOp::UShlSat => self.mk_shl_sat(BinOp::LShr, OverflowOp::UAdd, a, b),
            SatOp::SShlSat => self.mk_shl_sat(BinOp::AShr, OverflowOp::SAdd, a, b),
            SatOp::UMin => {
                let less = self.mk_ult(a, b);
                self.mk_ite(less, a, b)
            }
            SatOp::UMax => {
                let less = self.mk_ult(a, b);
                self.mk_ite(less, b, a)
            }
            SatOp::SMin => {
                let less = self.mk_slt(a, b);
                self.mk_ite(less, a, b)
            }
            SatOp::SMax => {
                let less = self.mk_slt(a, b);
                self.mk_ite(less, b, a)
            }
        }
    }

    fn mk_saturated(&mut self, op: OverflowOp, a: ExprId, b: ExprId) -> ExprId {
        let overflows = self.mk_overflow(op, a, b);
        let wrapped = self.mk_binop(op.parts().0, a, b);
        let extreme = self.mk_extreme(op, a);
        self.mk_ite(overflows, extreme, wrapped)
    }

    /// The value that an operation on `a` sticks to when it overflows.
    fn mk_extreme(&mut self, op: OverflowOp, a: ExprId) -> ExprId {
        let width = self.width(a);
        match op {
            OverflowOp::USub => self.mk_const(width, 0),
            OverflowOp::UAdd | OverflowOp::UMul => self.mk_ones(width),
            OverflowOp::SAdd | OverflowOp::SSub | OverflowOp::SMul => {
                let least = self.mk_signed_min(width);
                let greatest = self.mk_not(least);
                let is_negative = self.mk_extract(a, width - 1, 1);
                self.mk_ite(is_negative, least, greatest)
            }
        }
    }

    /// A left shift saturates like an addition, when the right shift doesn't undo it.
    fn mk_shl_sat(&mut self, undo: BinOp, like: OverflowOp, a: ExprId, b: ExprId) -> ExprId {
        let shifted = self.mk_shl(a, b);
        let undone = self.mk_binop(undo, shifted, b);
        let is_exact = self.mk_eq(undone, a);
        let extreme = self.mk_extreme(like, a);
        self.mk_ite(is_exact, shifted, extreme)
    }

    /// Half of `a:b`, shifted by `c` modulo the width.
    pub fn mk_funnel(&mut self, op: FunnelOp, a: ExprId, b: ExprId, c: ExprId) -> ExprId {
        let width = self.width(a);
        let modulus = self.mk_const(width, width as u64);
        let amount = if width == 1 { ExprId::FALSE } else { self.mk_urem(c, modulus) };
        let both = self.mk_concat(a, b);
        let amount = self.mk_zext(amount, 2 * width);
        match op {
            FunnelOp::Fshl => {
                let shifted = self.mk_shl(both, amount);
                self.mk_extract(shifted, width, width)
            }
            FunnelOp::Fshr => {
                let shifted = self.mk_lshr(both, amount);
                self.mk_trunc(shifted, width)
            }
        }
    }
}
