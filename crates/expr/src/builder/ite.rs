//! Rules of choice, and of operations on a choice between constants.

use crate::node::{ExprId, Node};
use crate::op::Op;
use crate::pool::ExprPool;
use crate::rules::Rule;

impl ExprPool {
    pub(super) fn rewrite_ite(&mut self, cond: ExprId, then: ExprId, other: ExprId) -> Option<ExprId> {
        if then == other && self.fires(Rule::IteSame) {
            return Some(then);
        }
        if let Some(negated) = self.operand(Op::Not, cond)
            && self.fires(Rule::IteNotCond)
        {
            return Some(self.mk_ite(negated, other, then));
        }
        if let Some((x, y)) = self.operands(Op::Eq, cond)
            && ((then, other) == (x, y) || (then, other) == (y, x))
            && self.fires(Rule::IteEqArms)
        {
            return Some(other);
        }
        if self.width(then) == 1 {
            return self.rewrite_ite_bool(cond, then, other).or_else(|| self.rewrite_ite_nested(cond, then, other));
        }
        if self.is_const(then) && self.is_const(other) {
            return self.rewrite_ite_consts(cond, then, other);
        }
        self.rewrite_ite_nested(cond, then, other)
    }

    fn rewrite_ite_bool(&mut self, cond: ExprId, then: ExprId, other: ExprId) -> Option<ExprId> {
        let is_bool = self.is_const(then) || self.is_const(other) || then == cond || other == cond;
        if !is_bool || !self.fires(Rule::IteBool) {
            return None;
        }
        if then == ExprId::TRUE || then == cond {
            return Some(self.mk_or(cond, other));
        }
        if other == ExprId::FALSE || other == cond {
            return Some(self.mk_and(cond, then));
        }
        let not = self.mk_not(cond);
        Some(if then == ExprId::FALSE { self.mk_and(not, other) } else { self.mk_or(not, then) })
    }

    fn rewrite_ite_consts(&mut self, cond: ExprId, then: ExprId, other: ExprId) -> Option<ExprId> {
        let w = self.width(then);
        for (negate, marked, zero) in [(false, then, other), (true, other, then)] {
            if !self.is_zero(zero) {
                continue;
            }
            let op = match marked {
                marked if self.is_one(marked) => Op::ZExt,
                marked if self.is_ones(marked) => Op::SExt,
                _ => continue,
            };
            if self.fires(Rule::IteToExt) {
                let bit = if negate { self.mk_not(cond) } else { cond };
                return Some(self.mk_extension(op, bit, w));
            }
        }
        None
    }

    fn rewrite_ite_nested(&mut self, cond: ExprId, then: ExprId, other: ExprId) -> Option<ExprId> {
        let inner = self.node(then);
        if inner.op() == Op::Ite {
            if inner.arg(0) == cond && self.fires(Rule::IteNested) {
                return Some(self.mk_ite(cond, inner.arg(1), other));
            }
            if inner.arg(2) == other && self.fires(Rule::IteMerge) {
                let both = self.mk_and(cond, inner.arg(0));
                return Some(self.mk_ite(both, inner.arg(1), other));
            }
        }
        let inner = self.node(other);
        if inner.op() == Op::Ite {
            if inner.arg(0) == cond && self.fires(Rule::IteNested) {
                return Some(self.mk_ite(cond, then, inner.arg(2)));
            }
            if inner.arg(1) == then && self.fires(Rule::IteMerge) {
                let either = self.mk_or(cond, inner.arg(0));
                return Some(self.mk_ite(either, then, inner.arg(2)));
            }
        }
        None
    }

    /// Folds an operation into the arms of a choice between constants.
    pub(super) fn rewrite_unary_of_ite(&mut self, node: Node) -> Option<ExprId> {
        let (cond, then, other) = self.const_arms(node.arg(0))?;
        if !self.fires(Rule::LiftIteUnary) {
            return None;
        }
        let [then, other] = [then, other].map(|arm| self.fold(node.with_word_0(arm.raw())).expect("a constant"));
        Some(self.mk_ite(cond, then, other))
    }

    /// The same for an operation whose other operand is a constant.
    pub(super) fn rewrite_binary_of_ite(&mut self, op: Op, a: ExprId, b: ExprId) -> Option<ExprId> {
        if self.is_const(b)
            && let Some((cond, then, other)) = self.const_arms(a)
            && self.fires(Rule::LiftIteBinary)
        {
            let (then, other) = (self.mk_binary(op, then, b), self.mk_binary(op, other, b));
            return Some(self.mk_ite(cond, then, other));
        }
        if self.is_const(a)
            && let Some((cond, then, other)) = self.const_arms(b)
            && self.fires(Rule::LiftIteBinary)
        {
            let (then, other) = (self.mk_binary(op, a, then), self.mk_binary(op, a, other));
            return Some(self.mk_ite(cond, then, other));
        }
        None
    }
}
