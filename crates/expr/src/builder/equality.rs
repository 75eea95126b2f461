//! Rules of equality: invertible operations are undone, and what is put together is compared part by part.

use spelunk_bv::int128;

use crate::node::ExprId;
use crate::op::Op;
use crate::pool::ExprPool;
use crate::rules::Rule;

impl ExprPool {
    pub(super) fn rewrite_eq(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        if a == b && self.fires(Rule::EqSelf) {
            return Some(ExprId::TRUE);
        }
        if self.width(a) == 1 && self.fires(Rule::EqBool) {
            return Some(match b {
                ExprId::TRUE => a,
                ExprId::FALSE => self.mk_not(a),
                _ => {
                    let differ = self.mk_xor(a, b);
                    self.mk_not(differ)
                }
            });
        }
        if let (Some(x), Some(y)) = (self.facts(a), self.facts(b))
            && x.is_disjoint(&y)
            && self.fires(Rule::EqDisjoint)
        {
            return Some(ExprId::FALSE);
        }
        if self.is_const(b) { self.rewrite_eq_const(a, b) } else { self.rewrite_eq_terms(a, b) }
    }

    fn rewrite_eq_const(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        let node = self.node(a);
        let (x, y) = (node.arg(0), node.arg(1));
        match node.op() {
            Op::Add if self.is_const(y) && self.fires(Rule::EqAddConst) => {
                let value = self.mk_sub(b, y);
                Some(self.mk_eq(x, value))
            }
            Op::Sub if self.is_const(x) && self.fires(Rule::EqSubConst) => {
                let value = self.mk_sub(x, b);
                Some(self.mk_eq(y, value))
            }
            Op::Neg if self.fires(Rule::EqNegConst) => {
                let value = self.mk_neg(b);
                Some(self.mk_eq(x, value))
            }
            Op::Not if self.fires(Rule::EqNotConst) => {
                let value = self.mk_not(b);
                Some(self.mk_eq(x, value))
            }
            Op::Xor if self.is_const(y) && self.fires(Rule::EqXorConst) => {
                let value = self.mk_xor(b, y);
                Some(self.mk_eq(x, value))
            }
            Op::Sub | Op::Xor if self.is_zero(b) && self.fires(Rule::EqDifference) => Some(self.mk_eq(x, y)),
            Op::Mul => {
                let inverse = self.inverse(y)?;
                if !self.fires(Rule::EqMulConst) {
                    return None;
                }
                let value = self.mk_mul(b, inverse);
                Some(self.mk_eq(x, value))
            }
            Op::ZExt if self.fires(Rule::EqZextConst) => Some(self.mk_eq_cut(Op::ZExt, x, b)),
            Op::SExt if self.fires(Rule::EqSextConst) => Some(self.mk_eq_cut(Op::SExt, x, b)),
            Op::Concat if self.fires(Rule::EqConcatConst) => self.mk_eq_by_halves(a, b, self.width(y)),
            Op::Ite => self.rewrite_eq_ite_arm(a, b),
            _ => None,
        }
    }

    /// The multiplicative inverse of an odd constant.
    fn inverse(&mut self, id: ExprId) -> Option<ExprId> {
        let (w, value) = (self.width(id), self.as_value(id)?);
        if w > u128::BITS || value.limbs()[0] & 1 == 0 {
            return None;
        }
        let odd = crate::value::low_u128(value.limbs());
        // Newton's iteration doubles the number of right low bits; an odd number is its own inverse modulo 8.
        let mut inverse = odd;
        for _ in 0..6 {
            inverse = inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse)));
        }
        let inverse = int128::trunc(w, inverse);
        Some(self.mk_const_limbs(w, &[inverse as u64, (inverse >> 64) as u64]))
    }

    /// An extension equals a constant iff that is the extension of its low bits and those are the value.
    fn mk_eq_cut(&mut self, op: Op, x: ExprId, b: ExprId) -> ExprId {
        let cut = self.mk_trunc(b, self.width(x));
        if self.mk_extension(op, cut, self.width(b)) == b { self.mk_eq(x, cut) } else { ExprId::FALSE }
    }

    fn mk_eq_by_halves(&mut self, a: ExprId, b: ExprId, low_width: u32) -> Option<ExprId> {
        let (x, y) = (self.halves(a, low_width)?, self.halves(b, low_width)?);
        let high = self.mk_eq(x.high, y.high);
        if high == ExprId::FALSE {
            return Some(high);
        }
        let low = self.mk_eq(x.low, y.low);
        Some(self.mk_and(high, low))
    }

    /// One arm is a constant, so it decides the comparison where it is taken.
    fn rewrite_eq_ite_arm(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        let node = self.node(a);
        let cond = node.arg(0);
        for (constant, arm, is_then) in [(node.arg(1), node.arg(2), true), (node.arg(2), node.arg(1), false)] {
            if !self.is_const(constant) || !self.fires(Rule::EqIteArm) {
                continue;
            }
            let rest = self.mk_eq(arm, b);
            let takes_constant = if is_then { cond } else { self.mk_not(cond) };
            return Some(if constant == b {
                self.mk_or(takes_constant, rest)
            } else {
                let takes_arm = self.mk_not(takes_constant);
                self.mk_and(takes_arm, rest)
            });
        }
        None
    }

    fn rewrite_eq_terms(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        if let Some(rewritten) = self.rewrite_eq_self(a, b).or_else(|| self.rewrite_eq_self(b, a)) {
            return Some(rewritten);
        }
        let (x, y) = (self.node(a), self.node(b));
        if x.op() == y.op() {
            let is_cancelled = match x.op() {
                Op::Neg | Op::Not => Some((x.arg(0), y.arg(0))),
                Op::Add | Op::Xor => self
                    .other_operand(x.op(), b, x.arg(0))
                    .map(|other| (x.arg(1), other))
                    .or_else(|| self.other_operand(x.op(), b, x.arg(1)).map(|other| (x.arg(0), other))),
                Op::Sub if x.arg(0) == y.arg(0) => Some((x.arg(1), y.arg(1))),
                Op::Sub if x.arg(1) == y.arg(1) => Some((x.arg(0), y.arg(0))),
                _ => None,
            };
            if let Some((x, y)) = is_cancelled
                && self.fires(Rule::EqCancel)
            {
                return Some(self.mk_eq(x, y));
            }
            if let Some((x, y)) = self.unextended(a, b)
                && self.fires(Rule::EqExt)
            {
                return Some(self.mk_eq(x, y));
            }
        }
        for (whole, other) in [(a, b), (b, a)] {
            if let Some((_, low)) = self.operands(Op::Concat, whole)
                && self.halves(other, self.width(low)).is_some()
                && self.fires(Rule::EqConcat)
            {
                return self.mk_eq_by_halves(whole, other, self.width(low));
            }
        }
        None
    }

    /// `a` is made from `b` and something that must then be nothing.
    fn rewrite_eq_self(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        let rest = match self.op(a) {
            op @ (Op::Add | Op::Xor) => self.other_operand(op, a, b),
            Op::Sub => self.operands(Op::Sub, a).filter(|&(x, _)| x == b).map(|(_, y)| y),
            _ => None,
        }?;
        if !self.fires(Rule::EqCancelSelf) {
            return None;
        }
        let zero = self.mk_const(self.width(b), 0);
        Some(self.mk_eq(rest, zero))
    }

    /// The operands of two extensions of one kind, brought to one width.
    pub(super) fn unextended(&mut self, a: ExprId, b: ExprId) -> Option<(ExprId, ExprId)> {
        let (x, y) = (self.node(a), self.node(b));
        if x.op() != y.op() || !matches!(x.op(), Op::ZExt | Op::SExt) {
            return None;
        }
        let width = self.width(x.arg(0)).max(self.width(y.arg(0)));
        Some((self.mk_extension(x.op(), x.arg(0), width), self.mk_extension(y.op(), y.arg(0), width)))
    }
}
