//! Rules of and, or, xor, not and of shifts.
//!
//! Masks and shifts by constants become extracts and concats, which cost a bit-blaster nothing and fuse with each
//! other: `(a << 8) | b` of two bytes is the concat of the bytes that the program meant.

use spelunk_bv::int;

use super::pattern::Halves;
use crate::node::ExprId;
use crate::op::Op;
use crate::pool::ExprPool;
use crate::rules::Rule;

impl ExprPool {
    pub(super) fn rewrite_and(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        if self.is_zero(b) && self.fires(Rule::AndZero) {
            return Some(b);
        }
        if self.is_ones(b) && self.fires(Rule::AndOnes) {
            return Some(a);
        }
        if let Some(rewritten) = self.rewrite_bitwise(Op::And, a, b) {
            return Some(rewritten);
        }
        if let (Some(mask), Some(x)) = (self.as_const(b), self.facts(a))
            && x.zeros | mask == int::mask(x.width)
            && self.fires(Rule::AndKnown)
        {
            return Some(a);
        }
        if let Some((low, count)) = self.run_of_ones(b)
            && self.fires(Rule::AndMask)
        {
            let kept = self.mk_extract(a, low, count);
            let zeros = self.mk_const(self.width(a), 0);
            return Some(self.mk_between(zeros, kept, low));
        }
        None
    }

    pub(super) fn rewrite_or(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        if self.is_zero(b) && self.fires(Rule::OrZero) {
            return Some(a);
        }
        if self.is_ones(b) && self.fires(Rule::OrOnes) {
            return Some(b);
        }
        if let Some(rewritten) = self.rewrite_bitwise(Op::Or, a, b) {
            return Some(rewritten);
        }
        if let Some((low, count)) = self.run_of_ones(b)
            && self.fires(Rule::OrMask)
        {
            let ones = self.mk_ones(count);
            return Some(self.mk_between(a, ones, low));
        }
        None
    }

    /// `around` with the bits from `low` on replaced.
    fn mk_between(&mut self, around: ExprId, middle: ExprId, low: u32) -> ExprId {
        let (w, end) = (self.width(around), low + self.width(middle));
        let mut result = middle;
        if low > 0 {
            let below = self.mk_trunc(around, low);
            result = self.mk_concat(result, below);
        }
        if end < w {
            let above = self.mk_extract(around, end, w - end);
            result = self.mk_concat(above, result);
        }
        result
    }

    pub(super) fn rewrite_xor(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        if self.is_zero(b) && self.fires(Rule::XorZero) {
            return Some(a);
        }
        if self.is_ones(b) && self.fires(Rule::XorOnes) {
            return Some(self.mk_not(a));
        }
        if let Some(rewritten) = self.rewrite_bitwise(Op::Xor, a, b) {
            return Some(rewritten);
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some(inner) = self.operand(Op::Not, x)
                && self.fires(Rule::XorNot)
            {
                let xor = self.mk_xor(inner, y);
                return Some(self.mk_not(xor));
            }
            if let Some(other) = self.other_operand(Op::Xor, x, y)
                && self.fires(Rule::XorCancel)
            {
                return Some(other);
            }
        }
        None
    }

    /// What the three operations have in common.
    fn rewrite_bitwise(&mut self, op: Op, a: ExprId, b: ExprId) -> Option<ExprId> {
        let w = self.width(a);
        if a == b && self.fires(Rule::BitwiseSelf) {
            return Some(if op == Op::Xor { self.mk_const(w, 0) } else { a });
        }
        if self.is_const(b)
            && let Some((x, by)) = self.operand_and_const(op, a)
            && self.fires(Rule::BitwiseConst)
        {
            let by = self.mk_binary(op, by, b);
            return Some(self.mk_binary(op, x, by));
        }
        if op != Op::Xor {
            let dual = if op == Op::And { Op::Or } else { Op::And };
            for (x, y) in [(a, b), (b, a)] {
                if self.operand(Op::Not, x) == Some(y) && self.fires(Rule::BitwiseNot) {
                    return Some(if op == Op::And { self.mk_const(w, 0) } else { self.mk_ones(w) });
                }
                if self.other_operand(dual, x, y).is_some() && self.fires(Rule::BitwiseAbsorb) {
                    return Some(y);
                }
                if self.other_operand(op, x, y).is_some() && self.fires(Rule::BitwiseAbsorb) {
                    return Some(x);
                }
            }
        }
        self.rewrite_bitwise_split(op, a, b)
    }

    /// Works on halves if a constant makes one of them disappear or shrink.
    fn rewrite_bitwise_split(&mut self, op: Op, a: ExprId, b: ExprId) -> Option<ExprId> {
        for (whole, other) in [(a, b), (b, a)] {
            let Some(at) = self.split_point(whole) else { continue };
            let (Some(x), Some(y)) = (self.halves(whole, at), self.halves(other, at)) else { continue };
            let is_trivial = |pool: &Self, x: ExprId, y: ExprId| pool.is_const(x) || pool.is_const(y);
            if (is_trivial(self, x.high, y.high) || is_trivial(self, x.low, y.low)) && self.fires(Rule::BitwiseSplit) {
                return Some(self.mk_by_halves(op, x, y));
            }
        }
        None
    }

    fn mk_by_halves(&mut self, op: Op, x: Halves, y: Halves) -> ExprId {
        let high = self.mk_binary(op, x.high, y.high);
        let low = self.mk_binary(op, x.low, y.low);
        self.mk_concat(high, low)
    }

    pub(super) fn rewrite_not(&mut self, a: ExprId) -> Option<ExprId> {
        let node = self.node(a);
        let (x, y) = (node.arg(0), node.arg(1));
        match node.op() {
            Op::Not if self.fires(Rule::NotNot) => Some(x),
            Op::Ult if self.fires(Rule::NotCompare) => Some(self.mk_ule(y, x)),
            Op::Ule if self.fires(Rule::NotCompare) => Some(self.mk_ult(y, x)),
            Op::Slt if self.fires(Rule::NotCompare) => Some(self.mk_sle(y, x)),
            Op::Sle if self.fires(Rule::NotCompare) => Some(self.mk_slt(y, x)),
            Op::Neg if self.fires(Rule::NotNeg) => {
                let minus_one = self.mk_ones(node.width());
                Some(self.mk_add(x, minus_one))
            }
            Op::Xor if self.is_const(y) && self.fires(Rule::NotXorConst) => {
                let flipped = self.mk_not(y);
                Some(self.mk_xor(x, flipped))
            }
            _ => None,
        }
    }

    pub(super) fn rewrite_shift(&mut self, op: Op, a: ExprId, b: ExprId) -> Option<ExprId> {
        let w = self.width(a);
        if self.is_zero(b) && self.fires(Rule::ShiftByZero) {
            return Some(a);
        }
        if (self.is_zero(a) || op == Op::AShr && self.is_ones(a)) && self.fires(Rule::ShiftOfZero) {
            return Some(a);
        }
        if op == Op::AShr
            && self.facts(a).is_some_and(|facts| facts.is_non_negative())
            && self.fires(Rule::AShrNonNegative)
        {
            return Some(self.mk_lshr(a, b));
        }
        if self.least_amount(b) >= w && self.fires(Rule::ShiftOut) {
            if op != Op::AShr {
                return Some(self.mk_const(w, 0));
            }
            let sign = self.mk_extract(a, w - 1, 1);
            return Some(self.mk_sext(sign, w));
        }
        if !self.is_const(b) {
            return None;
        }
        let amount = self.least_amount(b);
        match op {
            Op::Shl if self.fires(Rule::ShlConst) => {
                let (kept, zeros) = (self.mk_trunc(a, w - amount), self.mk_const(amount, 0));
                Some(self.mk_concat(kept, zeros))
            }
            Op::LShr if self.fires(Rule::LShrConst) => {
                let kept = self.mk_extract(a, amount, w - amount);
                Some(self.mk_zext(kept, w))
            }
            Op::AShr if self.fires(Rule::AShrConst) => {
                let kept = self.mk_extract(a, amount, w - amount);
                Some(self.mk_sext(kept, w))
            }
            _ => None,
        }
    }

    /// The least amount that a shift can have, or the width if it is no smaller.
    fn least_amount(&self, amount: ExprId) -> u32 {
        let w = self.width(amount);
        if let Some(facts) = self.facts(amount) {
            return facts.umin.min(w as u64) as u32;
        }
        match self.as_value(amount) {
            Some(value) if value.limbs()[1..].iter().any(|&limb| limb != 0) => w,
            Some(value) => value.limbs()[0].min(w as u64) as u32,
            None => 0,
        }
    }
}
