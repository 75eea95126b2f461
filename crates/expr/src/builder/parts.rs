//! Rules of concat, extract and the extensions.
//!
//! The normal form of a concat is nested to the right, with neighbours fused where they are parts of one expression or
//! constants, and zeros at the top are an extension. An extract goes down to what it is a part of.

use crate::node::ExprId;
use crate::op::Op;
use crate::pool::ExprPool;
use crate::rules::Rule;

impl ExprPool {
    pub(super) fn rewrite_concat(&mut self, high: ExprId, low: ExprId) -> Option<ExprId> {
        let w = self.width(high) + self.width(low);
        if self.is_zero(high) && self.fires(Rule::ConcatZeroHigh) {
            return Some(self.mk_zext(low, w));
        }
        if let Some(x) = self.operand(Op::ZExt, high)
            && self.fires(Rule::ConcatZext)
        {
            let inner = self.mk_concat(x, low);
            return Some(self.mk_zext(inner, w));
        }
        if let Some((first, second)) = self.operands(Op::Concat, high)
            && self.fires(Rule::ConcatAssoc)
        {
            let rest = self.mk_concat(second, low);
            return Some(self.mk_concat(first, rest));
        }
        if let Some(joined) = self.rewrite_adjacent(high, low) {
            return Some(joined);
        }
        if let Some((next, rest)) = self.operands(Op::Concat, low)
            && let Some(joined) = self.rewrite_adjacent(high, next)
        {
            return Some(self.mk_concat(joined, rest));
        }
        None
    }

    /// One expression for two neighbours.
    fn rewrite_adjacent(&mut self, high: ExprId, low: ExprId) -> Option<ExprId> {
        let (x, y) = (self.node(high), self.node(low));
        if x.op().is_const() && y.op().is_const() && self.fires(Rule::ConcatAdjacent) {
            return Some(self.mk_concat(high, low));
        }
        let is_adjacent = x.op() == Op::Extract
            && y.op() == Op::Extract
            && x.arg(0) == y.arg(0)
            && x.extract_low() == y.extract_low() + y.width();
        if is_adjacent && self.fires(Rule::ConcatAdjacent) {
            return Some(self.mk_extract(x.arg(0), y.extract_low(), x.width() + y.width()));
        }
        None
    }

    pub(super) fn rewrite_extract(&mut self, a: ExprId, low: u32, width: u32) -> Option<ExprId> {
        let node = self.node(a);
        if width == node.width() && self.fires(Rule::ExtractAll) {
            return Some(a);
        }
        let inner = node.arg(0);
        match node.op() {
            Op::Extract if self.fires(Rule::ExtractExtract) => {
                Some(self.mk_extract(inner, low + node.extract_low(), width))
            }
            Op::Concat => self.rewrite_extract_concat(inner, node.arg(1), low, width),
            Op::ZExt | Op::SExt if self.fires(Rule::ExtractExt) => {
                Some(self.mk_extract_of_extension(node.op(), inner, low, width))
            }
            Op::Not if self.fires(Rule::ExtractNot) => {
                let part = self.mk_extract(inner, low, width);
                Some(self.mk_not(part))
            }
            op @ (Op::And | Op::Or | Op::Xor)
                if self.is_const(node.arg(1)) && self.fires(Rule::ExtractBitwiseConst) =>
            {
                let (x, y) = (self.mk_extract(inner, low, width), self.mk_extract(node.arg(1), low, width));
                Some(self.mk_binary(op, x, y))
            }
            op @ (Op::Add | Op::Sub | Op::Mul)
                if low == 0 && node.args().all(|arg| self.is_cheap_to_cut(arg)) && self.fires(Rule::ExtractArith) =>
            {
                let (x, y) = (self.mk_trunc(inner, width), self.mk_trunc(node.arg(1), width));
                Some(self.mk_binary(op, x, y))
            }
            Op::Neg if low == 0 && self.is_cheap_to_cut(inner) && self.fires(Rule::ExtractArith) => {
                let part = self.mk_trunc(inner, width);
                Some(self.mk_neg(part))
            }
            _ => None,
        }
    }

    fn rewrite_extract_concat(&mut self, high: ExprId, low: ExprId, from: u32, width: u32) -> Option<ExprId> {
        let low_width = self.width(low);
        if from >= low_width && self.fires(Rule::ExtractConcat) {
            return Some(self.mk_extract(high, from - low_width, width));
        }
        if from + width <= low_width && self.fires(Rule::ExtractConcat) {
            return Some(self.mk_extract(low, from, width));
        }
        if from < low_width && from + width > low_width && self.fires(Rule::ExtractAcross) {
            let above = self.mk_extract(high, 0, from + width - low_width);
            let below = self.mk_extract(low, from, low_width - from);
            return Some(self.mk_concat(above, below));
        }
        None
    }

    /// A part of `inner` extended far enough to have it.
    fn mk_extract_of_extension(&mut self, op: Op, inner: ExprId, low: u32, width: u32) -> ExprId {
        let inner_width = self.width(inner);
        if low + width <= inner_width {
            return self.mk_extract(inner, low, width);
        }
        // Beyond the inner value there are only copies of one bit.
        let kept_from = match op {
            Op::SExt => low.min(inner_width - 1),
            _ if low >= inner_width => return self.mk_const(width, 0),
            _ => low,
        };
        let kept = self.mk_extract(inner, kept_from, inner_width - kept_from);
        self.mk_extension(op, kept, width)
    }

    /// Whether the low bits are at hand, so that cutting operands is no more work than cutting the result.
    fn is_cheap_to_cut(&self, id: ExprId) -> bool {
        matches!(self.op(id), Op::Const | Op::WideConst | Op::ZExt | Op::SExt | Op::Concat | Op::Extract)
    }

    pub(super) fn rewrite_extension(&mut self, op: Op, a: ExprId, width: u32) -> Option<ExprId> {
        let node = self.node(a);
        let is_nested = node.op() == Op::ZExt || node.op() == op;
        if is_nested && self.fires(Rule::ExtExt) {
            return Some(self.mk_extension(node.op(), node.arg(0), width));
        }
        if op == Op::SExt
            && self.facts(a).is_some_and(|facts| facts.is_non_negative())
            && self.fires(Rule::SextNonNegative)
        {
            return Some(self.mk_zext(a, width));
        }
        None
    }
}
