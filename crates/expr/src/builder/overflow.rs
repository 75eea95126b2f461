//! Rules of the overflow predicates: decided by ranges, or turned into comparisons with constants, which spare a
//! solver the arithmetic.

use spelunk_bv::int;

use crate::node::ExprId;
use crate::op::Op;
use crate::pool::ExprPool;
use crate::rules::Rule;

impl ExprPool {
    /// Decides overflow by ranges, or turns it into a comparison with a constant.
    pub(super) fn rewrite_overflow(&mut self, op: Op, a: ExprId, b: ExprId) -> Option<ExprId> {
        if op == Op::SSubO && a == b && self.fires(Rule::OverflowSelf) {
            return Some(ExprId::FALSE);
        }
        if let Some(decided) = self.decide_overflow(op, a, b)
            && self.fires(Rule::OverflowRanges)
        {
            return Some(self.mk_bool(decided));
        }
        let is_usable = self.is_const(b) || op == Op::SSubO && self.is_const(a);
        (is_usable && self.fires(Rule::OverflowConst)).then(|| self.mk_overflow_of_const(op, a, b))
    }

    fn decide_overflow(&self, op: Op, a: ExprId, b: ExprId) -> Option<bool> {
        let (x, y) = (self.facts(a)?, self.facts(b)?);
        let w = x.width;
        let (least, greatest) = match op {
            Op::SAddO => (x.smin as i128 + y.smin as i128, x.smax as i128 + y.smax as i128),
            Op::SSubO => (x.smin as i128 - y.smax as i128, x.smax as i128 - y.smin as i128),
            Op::UMulO => {
                let is_certain = x.umin as u128 * y.umin as u128 > int::mask(w) as u128;
                let is_possible = x.umax as u128 * y.umax as u128 > int::mask(w) as u128;
                return (is_certain == is_possible).then_some(is_certain);
            }
            _ => {
                let corners = [(x.smin, y.smin), (x.smin, y.smax), (x.smax, y.smin), (x.smax, y.smax)];
                let products = corners.map(|(x, y)| x as i128 * y as i128);
                (products.into_iter().fold(i128::MAX, i128::min), products.into_iter().fold(i128::MIN, i128::max))
            }
        };
        let (lowest, highest) = (int::sext(w, int::sign_bit(w)) as i128, (int::mask(w) >> 1) as i128);
        match () {
            () if lowest <= least && greatest <= highest => Some(false),
            () if greatest < lowest || highest < least => Some(true),
            () => None,
        }
    }

    fn mk_overflow_of_const(&mut self, op: Op, a: ExprId, b: ExprId) -> ExprId {
        let w = self.width(a);
        let least = self.mk_signed_min(w);
        let greatest = self.mk_not(least);
        match op {
            Op::SAddO => {
                if self.const_bit(b, w - 1) {
                    let bound = self.mk_sub(least, b);
                    self.mk_slt(a, bound)
                } else {
                    let bound = self.mk_sub(greatest, b);
                    self.mk_slt(bound, a)
                }
            }
            Op::SSubO if self.is_const(b) => {
                if self.const_bit(b, w - 1) {
                    let bound = self.mk_add(greatest, b);
                    self.mk_slt(bound, a)
                } else {
                    let bound = self.mk_add(least, b);
                    self.mk_slt(a, bound)
                }
            }
            Op::SSubO => {
                // The result is too large for a small `b`, or too small for a large one, as the sign of `a` says.
                if self.const_bit(a, w - 1) {
                    let bound = self.mk_sub(a, least);
                    self.mk_slt(bound, b)
                } else {
                    let bound = self.mk_sub(a, greatest);
                    self.mk_slt(b, bound)
                }
            }
            Op::UMulO => {
                if self.is_zero(b) {
                    return ExprId::FALSE;
                }
                let ones = self.mk_ones(w);
                let bound = self.mk_udiv(ones, b);
                self.mk_ult(bound, a)
            }
            _ => {
                if self.is_zero(b) {
                    return ExprId::FALSE;
                }
                if self.is_ones(b) {
                    return self.mk_eq(a, least);
                }
                let (mut low, mut high) = (self.mk_sdiv(least, b), self.mk_sdiv(greatest, b));
                if self.const_bit(b, w - 1) {
                    std::mem::swap(&mut low, &mut high);
                }
                let (below, above) = (self.mk_slt(a, low), self.mk_slt(high, a));
                self.mk_or(below, above)
            }
        }
    }
}
