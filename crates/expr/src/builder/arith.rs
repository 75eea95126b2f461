//! Rules of addition, subtraction, negation, multiplication and division.
//!
//! The normal form of a sum has its constant outermost and on the right, and no negated operand; that of a product of
//! a sum with a constant is the sum of products. So the offsets that address computations add up meet each other.

use spelunk_bv::{BinOp, int};

use crate::node::ExprId;
use crate::op::Op;
use crate::pool::ExprPool;
use crate::rules::Rule;

impl ExprPool {
    pub(super) fn rewrite_add(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        if self.width(a) == 1 && self.fires(Rule::AddBool) {
            return Some(self.mk_xor(a, b));
        }
        if self.is_const(b) {
            return self.rewrite_add_const(a, b);
        }
        if a == b && self.fires(Rule::AddSelf) {
            let low = self.mk_trunc(a, self.width(a) - 1);
            return Some(self.mk_concat(low, ExprId::FALSE));
        }
        for (x, y) in [(a, b), (b, a)] {
            let node = self.node(x);
            match node.op() {
                Op::Neg if self.fires(Rule::AddNeg) => return Some(self.mk_sub(y, node.arg(0))),
                Op::Not if node.arg(0) == y && self.fires(Rule::AddNot) => return Some(self.mk_ones(node.width())),
                Op::Sub if node.arg(1) == y && self.fires(Rule::AddCancel) => return Some(node.arg(0)),
                Op::Add if self.is_const(node.arg(1)) && self.fires(Rule::AddPullConst) => {
                    let sum = self.mk_add(node.arg(0), y);
                    return Some(self.mk_add(sum, node.arg(1)));
                }
                _ => {}
            }
        }
        if let (Some(x), Some(y)) = (self.facts(a), self.facts(b))
            && x.zeros | y.zeros == int::mask(x.width)
            && self.fires(Rule::AddDisjoint)
        {
            return Some(self.mk_or(a, b));
        }
        None
    }

    fn rewrite_add_const(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        if self.is_zero(b) && self.fires(Rule::AddZero) {
            return Some(a);
        }
        if let Some((x, by)) = self.operand_and_const(Op::Add, a)
            && self.fires(Rule::AddAddConst)
        {
            let by = self.mk_add(by, b);
            return Some(self.mk_add(x, by));
        }
        if let Some((from, x)) = self.const_and_operand(Op::Sub, a)
            && self.fires(Rule::AddSubConst)
        {
            let from = self.mk_add(from, b);
            return Some(self.mk_sub(from, x));
        }
        if let Some(x) = self.operand(Op::Not, a)
            && self.fires(Rule::AddNotConst)
        {
            let minus_one = self.mk_ones(self.width(b));
            let from = self.mk_add(b, minus_one);
            return Some(self.mk_sub(from, x));
        }
        None
    }

    pub(super) fn rewrite_sub(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        if self.width(a) == 1 && self.fires(Rule::AddBool) {
            return Some(self.mk_xor(a, b));
        }
        if a == b && self.fires(Rule::SubSelf) {
            return Some(self.mk_const(self.width(a), 0));
        }
        if self.is_const(b) && self.fires(Rule::SubConst) {
            let by = self.mk_neg(b);
            return Some(self.mk_add(a, by));
        }
        if self.is_const(a)
            && let Some(rewritten) = self.rewrite_sub_from_const(a, b)
        {
            return Some(rewritten);
        }
        if let Some(y) = self.operand(Op::Neg, b)
            && self.fires(Rule::SubNeg)
        {
            return Some(self.mk_add(a, y));
        }
        if let Some(y) = self.other_operand(Op::Add, a, b)
            && self.fires(Rule::SubCancel)
        {
            return Some(y);
        }
        if let Some(y) = self.other_operand(Op::Add, b, a)
            && self.fires(Rule::SubCancel)
        {
            return Some(self.mk_neg(y));
        }
        if let Some((x, y)) = self.operands(Op::Sub, a)
            && x == b
            && self.fires(Rule::SubCancel)
        {
            return Some(self.mk_neg(y));
        }
        if let Some((x, by)) = self.operand_and_const(Op::Add, a)
            && self.fires(Rule::SubPullConst)
        {
            let difference = self.mk_sub(x, b);
            return Some(self.mk_add(difference, by));
        }
        if let Some((y, by)) = self.operand_and_const(Op::Add, b)
            && self.fires(Rule::SubPullConst)
        {
            let (difference, by) = (self.mk_sub(a, y), self.mk_neg(by));
            return Some(self.mk_add(difference, by));
        }
        None
    }

    fn rewrite_sub_from_const(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        if self.is_zero(a) && self.fires(Rule::SubFromZero) {
            return Some(self.mk_neg(b));
        }
        if self.is_ones(a) && self.fires(Rule::SubFromOnes) {
            return Some(self.mk_not(b));
        }
        if let Some((from, x)) = self.const_and_operand(Op::Sub, b)
            && self.fires(Rule::SubSubConst)
        {
            let by = self.mk_sub(a, from);
            return Some(self.mk_add(x, by));
        }
        None
    }

    pub(super) fn rewrite_neg(&mut self, a: ExprId) -> Option<ExprId> {
        let node = self.node(a);
        if node.width() == 1 && self.fires(Rule::NegBool) {
            return Some(a);
        }
        match node.op() {
            Op::Neg if self.fires(Rule::NegNeg) => Some(node.arg(0)),
            Op::Sub if self.fires(Rule::NegSub) => Some(self.mk_sub(node.arg(1), node.arg(0))),
            Op::Not if self.fires(Rule::NegNot) => {
                let one = self.mk_const(node.width(), 1);
                Some(self.mk_add(node.arg(0), one))
            }
            Op::Add if self.is_const(node.arg(1)) && self.fires(Rule::NegAddConst) => {
                let from = self.mk_neg(node.arg(1));
                Some(self.mk_sub(from, node.arg(0)))
            }
            Op::Mul if self.is_const(node.arg(1)) && self.fires(Rule::NegMulConst) => {
                let by = self.mk_neg(node.arg(1));
                Some(self.mk_mul(node.arg(0), by))
            }
            _ => None,
        }
    }

    pub(super) fn rewrite_mul(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        if self.width(a) == 1 && self.fires(Rule::MulBool) {
            return Some(self.mk_and(a, b));
        }
        if !self.is_const(b) {
            return None;
        }
        if self.is_zero(b) && self.fires(Rule::MulZero) {
            return Some(b);
        }
        if self.is_one(b) && self.fires(Rule::MulOne) {
            return Some(a);
        }
        if self.is_ones(b) && self.fires(Rule::MulMinusOne) {
            return Some(self.mk_neg(a));
        }
        let node = self.node(a);
        match node.op() {
            Op::Mul if self.is_const(node.arg(1)) && self.fires(Rule::MulMulConst) => {
                let by = self.mk_mul(node.arg(1), b);
                return Some(self.mk_mul(node.arg(0), by));
            }
            Op::Add if self.is_const(node.arg(1)) && self.fires(Rule::MulAddConst) => {
                let (product, offset) = (self.mk_mul(node.arg(0), b), self.mk_mul(node.arg(1), b));
                return Some(self.mk_add(product, offset));
            }
            Op::Neg if self.fires(Rule::MulNegConst) => {
                let by = self.mk_neg(b);
                return Some(self.mk_mul(node.arg(0), by));
            }
            _ => {}
        }
        if let Some(k) = self.power_of_two(b)
            && self.fires(Rule::MulPowerOfTwo)
        {
            let amount = self.mk_const(node.width(), k as u64);
            return Some(self.mk_shl(a, amount));
        }
        None
    }

    /// The rules of all four divisions; `op` says which.
    pub(super) fn rewrite_division(&mut self, op: Op, a: ExprId, b: ExprId) -> Option<ExprId> {
        let w = self.width(a);
        let (is_signed, is_rem) = (matches!(op, Op::SDiv | Op::SRem), matches!(op, Op::URem | Op::SRem));
        if is_rem && a == b && self.fires(Rule::RemSelf) {
            return Some(self.mk_const(w, 0));
        }
        if self.is_zero(b) && self.fires(Rule::DivByZero) {
            return Some(match op {
                Op::UDiv => self.mk_ones(w),
                Op::SDiv => {
                    let is_negative = self.mk_extract(a, w - 1, 1);
                    let (one, minus_one) = (self.mk_const(w, 1), self.mk_ones(w));
                    self.mk_ite(is_negative, one, minus_one)
                }
                _ => a,
            });
        }
        // On one bit, 1 is -1 if signed; the quotient is the dividend either way.
        if self.is_one(b) && self.fires(Rule::DivByOne) {
            return Some(if is_rem { self.mk_const(w, 0) } else { a });
        }
        if is_signed {
            return self.rewrite_signed_division(op, a, b);
        }
        if let Some(k) = self.power_of_two(b)
            && self.fires(Rule::DivPowerOfTwo)
        {
            if is_rem {
                let low = self.mk_trunc(a, k);
                return Some(self.mk_zext(low, w));
            }
            let amount = self.mk_const(w, k as u64);
            return Some(self.mk_lshr(a, amount));
        }
        if let (Some(x), Some(y)) = (self.facts(a), self.facts(b))
            && x.umax < y.umin
            && self.fires(Rule::DivSmall)
        {
            return Some(if is_rem { a } else { self.mk_const(w, 0) });
        }
        self.rewrite_div_narrow(op, a, b)
    }

    fn rewrite_signed_division(&mut self, op: Op, a: ExprId, b: ExprId) -> Option<ExprId> {
        if self.is_ones(b) && self.fires(Rule::DivByMinusOne) {
            return Some(if op == Op::SDiv { self.mk_neg(a) } else { self.mk_const(self.width(a), 0) });
        }
        if let (Some(x), Some(y)) = (self.facts(a), self.facts(b))
            && x.is_non_negative()
            && y.is_non_negative()
            && self.fires(Rule::DivNonNegative)
        {
            let unsigned = if op == Op::SDiv { BinOp::UDiv } else { BinOp::URem };
            return Some(self.mk_binop(unsigned, a, b));
        }
        None
    }

    /// Division circuits are the most expensive ones, and grow with the square of the width.
    fn rewrite_div_narrow(&mut self, op: Op, a: ExprId, b: ExprId) -> Option<ExprId> {
        let (w, x) = (self.width(a), self.operand(Op::ZExt, a)?);
        if !matches!(self.op(b), Op::ZExt | Op::Const) {
            return None;
        }
        let divisor = self.facts(b)?;
        // A quotient by zero is all ones in either width, which the extension would spoil.
        if op == Op::UDiv && divisor.umin == 0 {
            return None;
        }
        let narrow = self.width(x).max(u64::BITS - divisor.umax.leading_zeros());
        if narrow >= w || !self.fires(Rule::DivNarrow) {
            return None;
        }
        let (x, y) = (self.mk_zext(x, narrow), self.mk_trunc(b, narrow));
        let result = self.mk_binary(op, x, y);
        Some(self.mk_zext(result, w))
    }
}
