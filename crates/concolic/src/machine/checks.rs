//! Implicit checks of arithmetic: what would be an error for other operands.

use super::ConcolicMachine;
use crate::decision::DecisionKind;
use spelunk_bv::{BinOp, OverflowOp, int};
use spelunk_expr::ExprId;
use spelunk_vm::{BugKind, Overflow, Slot};

impl ConcolicMachine {
    /// Decides whether an error happens that does if `bad` holds. An error that can't happen is no decision.
    pub(super) fn check(&mut self, site: u32, kind: BugKind, bad: ExprId, is_bad: bool) {
        self.decide_condition(site, DecisionKind::Check(kind), bad, is_bad);
    }

    pub(super) fn check_operands(&mut self, site: u32, op: BinOp, width: u32, a: Slot, b: Slot, overflow: Overflow) {
        match op {
            BinOp::UDiv | BinOp::URem => self.check_zero(site, width, b),
            BinOp::SDiv | BinOp::SRem => {
                self.check_zero(site, width, b);
                if b.val != 0 {
                    self.check_quotient(site, width, a, b);
                }
            }
            BinOp::Shl | BinOp::LShr | BinOp::AShr => {
                let limit = self.pool.mk_const(width, u64::from(width));
                let amount = self.operand(width, b);
                let bad = self.pool.mk_ule(limit, amount);
                self.check(site, BugKind::OversizedShift, bad, b.val >= u64::from(width));
            }
            BinOp::Add => self.check_overflow(site, OverflowOp::SAdd, width, a, b, overflow),
            BinOp::Sub => self.check_overflow(site, OverflowOp::SSub, width, a, b, overflow),
            BinOp::Mul => self.check_overflow(site, OverflowOp::SMul, width, a, b, overflow),
            BinOp::And | BinOp::Or | BinOp::Xor => {}
        }
    }

    fn check_zero(&mut self, site: u32, width: u32, divisor: Slot) {
        if !divisor.tag.expr().is_some() {
            return;
        }
        let zero = self.pool.mk_const(width, 0);
        let expr = self.operand(width, divisor);
        let bad = self.pool.mk_eq(expr, zero);
        self.check(site, BugKind::DivByZero, bad, divisor.val == 0);
    }

    /// The least number divided by -1.
    fn check_quotient(&mut self, site: u32, width: u32, a: Slot, b: Slot) {
        let (least, minus_one) = (int::sign_bit(width), int::mask(width));
        let (x, y) = (self.operand(width, a), self.operand(width, b));
        let (least_expr, minus_one_expr) = (self.pool.mk_const(width, least), self.pool.mk_const(width, minus_one));
        let by_minus_one = self.pool.mk_eq(y, minus_one_expr);
        if by_minus_one == ExprId::FALSE {
            return;
        }
        let of_least = self.pool.mk_eq(x, least_expr);
        let bad = self.pool.mk_and(of_least, by_minus_one);
        self.check(site, BugKind::DivOverflow, bad, a.val == least && b.val == minus_one);
    }

    fn check_overflow(&mut self, site: u32, op: OverflowOp, width: u32, a: Slot, b: Slot, overflow: Overflow) {
        if overflow == Overflow::Wraps {
            return;
        }
        let (x, y) = (self.operand(width, a), self.operand(width, b));
        let bad = self.pool.mk_overflow(op, x, y);
        self.check(site, BugKind::SignedOverflow, bad, int::overflows(op, width, a.val, b.val));
    }
}
