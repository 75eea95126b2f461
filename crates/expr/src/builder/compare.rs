//! Rules of the four orders.
//!
//! The normal form with a constant is a strict order, or an equality where all but one value is on one side.

use crate::node::ExprId;
use crate::op::Op;
use crate::pool::ExprPool;
use crate::rules::Rule;

/// Which of the four orders.
#[derive(Clone, Copy)]
struct Order {
    op: Op,
    is_signed: bool,
    is_strict: bool,
}

impl Order {
    fn new(op: Op) -> Self {
        Order { op, is_signed: matches!(op, Op::Slt | Op::Sle), is_strict: matches!(op, Op::Ult | Op::Slt) }
    }

    fn strict(self) -> Op {
        if self.is_signed { Op::Slt } else { Op::Ult }
    }

    fn loose(self) -> Op {
        if self.is_signed { Op::Sle } else { Op::Ule }
    }
}

impl ExprPool {
    pub(super) fn rewrite_order(&mut self, op: Op, a: ExprId, b: ExprId) -> Option<ExprId> {
        let order = Order::new(op);
        if a == b && self.fires(Rule::CompareSelf) {
            return Some(self.mk_bool(!order.is_strict));
        }
        if self.width(a) == 1 && self.fires(Rule::CompareBool) {
            return Some(self.mk_order_of_bits(order, a, b));
        }
        if let Some(decided) = self.decide_order(order, a, b)
            && self.fires(Rule::CompareRanges)
        {
            return Some(self.mk_bool(decided));
        }
        self.rewrite_order_const(order, a, b).or_else(|| self.rewrite_order_terms(order, a, b))
    }

    fn mk_order_of_bits(&mut self, order: Order, a: ExprId, b: ExprId) -> ExprId {
        // Read with a sign, the one bit set is -1 and the smaller value.
        let (less, greater) = if order.is_signed { (b, a) } else { (a, b) };
        let not = self.mk_not(less);
        if order.is_strict { self.mk_and(not, greater) } else { self.mk_or(not, greater) }
    }

    fn decide_order(&self, order: Order, a: ExprId, b: ExprId) -> Option<bool> {
        let (x, y) = (self.facts(a)?, self.facts(b)?);
        let (is_below, is_above) = match order.is_signed {
            true => ((x.smax < y.smin, x.smax <= y.smin), (x.smin >= y.smax, x.smin > y.smax)),
            false => ((x.umax < y.umin, x.umax <= y.umin), (x.umin >= y.umax, x.umin > y.umax)),
        };
        let (holds, fails) = if order.is_strict { (is_below.0, is_above.0) } else { (is_below.1, is_above.1) };
        if holds { Some(true) } else { fails.then_some(false) }
    }

    fn rewrite_order_const(&mut self, order: Order, a: ExprId, b: ExprId) -> Option<ExprId> {
        let (term, constant, is_upper) = match (self.is_const(a), self.is_const(b)) {
            (false, true) => (a, b, true),
            (true, false) => (b, a, false),
            _ => return None,
        };
        if !order.is_strict {
            return self.rewrite_le_const(order, a, b, is_upper);
        }
        let w = self.width(a);
        let is_sign_test = order.is_signed && if is_upper { self.is_zero(constant) } else { self.is_ones(constant) };
        if is_sign_test && self.fires(Rule::SltZero) {
            let sign = self.mk_extract(term, w - 1, 1);
            return Some(if is_upper { sign } else { self.mk_not(sign) });
        }
        // The first value that satisfies the order and the last one that doesn't, counted towards the constant.
        let (facts, bound) = (self.facts(term)?, self.facts(constant)?);
        let (least, greatest, bound) = match order.is_signed {
            true => (facts.smin as i128, facts.smax as i128, bound.smin as i128),
            false => (facts.umin as i128, facts.umax as i128, bound.umin as i128),
        };
        let (first, last, step) = if is_upper { (least, greatest, 1) } else { (greatest, least, -1) };
        if bound == first + step && self.fires(Rule::CompareEdge) {
            let only = self.mk_const(w, first as u64);
            return Some(self.mk_eq(term, only));
        }
        if bound == last && self.fires(Rule::CompareEdge) {
            return Some(self.mk_ne(term, constant));
        }
        None
    }

    /// The strict order with the next constant. Ranges have decided orders with the last one, except of wide values.
    fn rewrite_le_const(&mut self, order: Order, a: ExprId, b: ExprId, is_upper: bool) -> Option<ExprId> {
        let w = self.width(a);
        let mut end = if order.is_signed { self.mk_signed_min(w) } else { self.mk_const(w, 0) };
        if is_upper {
            end = self.mk_not(end);
        }
        if (if is_upper { b } else { a }) == end {
            return self.fires(Rule::CompareRanges).then_some(ExprId::TRUE);
        }
        if !self.fires(Rule::CompareLeConst) {
            return None;
        }
        let one = self.mk_const(w, 1);
        Some(if is_upper {
            let beyond = self.mk_add(b, one);
            self.mk_binary(order.strict(), a, beyond)
        } else {
            let before = self.mk_sub(a, one);
            self.mk_binary(order.strict(), before, b)
        })
    }

    fn rewrite_order_terms(&mut self, order: Order, a: ExprId, b: ExprId) -> Option<ExprId> {
        if order.is_signed
            && let (Some(x), Some(y)) = (self.facts(a), self.facts(b))
            && (x.is_non_negative() && y.is_non_negative() || x.is_negative() && y.is_negative())
            && self.fires(Rule::SltToUlt)
        {
            return Some(self.mk_binary(if order.is_strict { Op::Ult } else { Op::Ule }, a, b));
        }
        match (self.operand(Op::Not, a), self.operand(Op::Not, b)) {
            (Some(x), Some(y)) if self.fires(Rule::CompareNot) => return Some(self.mk_binary(order.op, y, x)),
            (Some(x), None) if self.is_const(b) && self.fires(Rule::CompareNot) => {
                let flipped = self.mk_not(b);
                return Some(self.mk_binary(order.op, flipped, x));
            }
            (None, Some(y)) if self.is_const(a) && self.fires(Rule::CompareNot) => {
                let flipped = self.mk_not(a);
                return Some(self.mk_binary(order.op, y, flipped));
            }
            _ => {}
        }
        self.rewrite_order_ext(order, a, b).or_else(|| self.rewrite_order_concat(order, a, b))
    }

    fn rewrite_order_ext(&mut self, order: Order, a: ExprId, b: ExprId) -> Option<ExprId> {
        if let Some((x, y)) = self.unextended(a, b) {
            // A sign extension keeps both orders, a zero extension makes numbers non-negative.
            return match self.op(a) {
                Op::SExt if self.fires(Rule::CompareSext) => Some(self.mk_binary(order.op, x, y)),
                Op::ZExt if self.fires(Rule::CompareZext) => {
                    let op = if order.is_strict { Op::Ult } else { Op::Ule };
                    Some(self.mk_binary(op, x, y))
                }
                _ => None,
            };
        }
        let term = if self.is_const(a) { b } else { a };
        let (op, rule) = if order.is_signed { (Op::SExt, Rule::CompareSext) } else { (Op::ZExt, Rule::CompareZext) };
        let inner = self.operand(op, term)?;
        let constant = if term == a { b } else { a };
        if !self.is_const(constant) {
            return None;
        }
        // A constant outside of the inner range decides the order, which ranges have noticed, except for wide values.
        let cut = self.mk_trunc(constant, self.width(inner));
        if self.mk_extension(op, cut, self.width(constant)) != constant || !self.fires(rule) {
            return None;
        }
        Some(if term == a { self.mk_binary(order.op, inner, cut) } else { self.mk_binary(order.op, cut, inner) })
    }

    /// A constant low part only tells strict from loose.
    fn rewrite_order_concat(&mut self, order: Order, a: ExprId, b: ExprId) -> Option<ExprId> {
        let term = if self.is_const(a) { b } else { a };
        let (high, low) = self.operand_and_const(Op::Concat, term)?;
        let constant = if term == a { b } else { a };
        if !self.is_const(constant) || !self.fires(Rule::CompareConcatConst) {
            return None;
        }
        let halves = self.halves(constant, self.width(low))?;
        let (low, bound) = if term == a { (low, halves.low) } else { (halves.low, low) };
        let low_op = if order.is_strict { Op::Ult } else { Op::Ule };
        let op = if self.mk_binary(low_op, low, bound) == ExprId::TRUE { order.loose() } else { order.strict() };
        Some(if term == a { self.mk_binary(op, high, halves.high) } else { self.mk_binary(op, halves.high, high) })
    }
}
