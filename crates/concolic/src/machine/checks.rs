//! Implicit checks of arithmetic: what would be an error for other operands.

use super::ConcolicMachine;
use crate::decision::DecisionKind;
use spelunk_bv::{BinOp, CmpOp, OverflowOp, int, wide};
use spelunk_expr::ExprId;
use spelunk_ir::code::OpIdx;
use spelunk_vm::{BugKind, Operand, Overflow};

impl ConcolicMachine {
    /// Decides whether an error happens that does if `bad` holds. An error that can't happen is no decision.
    pub(crate) fn check(&mut self, site: OpIdx, kind: BugKind, bad: ExprId, is_bad: bool) {
        if bad == ExprId::TRUE {
            self.lose();
        }
        self.decide_condition(site, DecisionKind::Check(kind), bad, is_bad);
    }

    /// The checks of an operation on `x` and `y`; `is_bad` tells which errors the concrete operands make.
    pub(super) fn check_operation(
        &mut self,
        site: OpIdx,
        op: BinOp,
        [x, y]: [ExprId; 2],
        overflow: Overflow,
        is_bad: impl Fn(BugKind) -> bool,
    ) {
        match op {
            BinOp::UDiv | BinOp::URem | BinOp::SDiv | BinOp::SRem => {
                let zero = self.pool.mk_const(self.pool.width(y), 0);
                let by_zero = self.pool.mk_eq(y, zero);
                self.check(site, BugKind::DivByZero, by_zero, is_bad(BugKind::DivByZero));
                let is_signed = matches!(op, BinOp::SDiv | BinOp::SRem);
                if is_signed && !is_bad(BugKind::DivByZero) {
                    let overflows = self.mk_division_overflow(x, y);
                    self.check(site, BugKind::DivOverflow, overflows, is_bad(BugKind::DivOverflow));
                }
            }
            BinOp::Shl | BinOp::LShr | BinOp::AShr => {
                let width = self.pool.width(y);
                let limit = self.pool.mk_const(width, u64::from(width));
                let oversized = self.pool.mk_ule(limit, y);
                self.check(site, BugKind::OversizedShift, oversized, is_bad(BugKind::OversizedShift));
            }
            BinOp::Add | BinOp::Sub | BinOp::Mul => {
                if overflow == Overflow::IsError {
                    let overflows = self.mk_overflow(op, x, y);
                    self.check(site, BugKind::SignedOverflow, overflows, is_bad(BugKind::SignedOverflow));
                }
            }
            BinOp::And | BinOp::Or | BinOp::Xor => {}
        }
    }

    pub(super) fn mk_overflow(&mut self, op: BinOp, x: ExprId, y: ExprId) -> ExprId {
        self.pool.mk_overflow(overflow_op(op), x, y)
    }

    /// The least number divided by -1.
    fn mk_division_overflow(&mut self, x: ExprId, y: ExprId) -> ExprId {
        let width = self.pool.width(x);
        let minus_one = self.pool.mk_sext(ExprId::TRUE, width);
        let by_minus_one = self.pool.mk_eq(y, minus_one);
        if by_minus_one == ExprId::FALSE {
            return by_minus_one;
        }
        let zero = self.pool.mk_const(width - 1, 0);
        let least = self.pool.mk_concat(ExprId::TRUE, zero);
        let of_least = self.pool.mk_eq(x, least);
        self.pool.mk_and(of_least, by_minus_one)
    }
}

/// How `op` overflows if its operands are signed.
fn overflow_op(op: BinOp) -> OverflowOp {
    match op {
        BinOp::Add => OverflowOp::SAdd,
        BinOp::Sub => OverflowOp::SSub,
        _ => OverflowOp::SMul,
    }
}

/// Whether an operation can be an error at all.
pub(super) fn has_checks(op: BinOp, overflow: Overflow) -> bool {
    match op {
        BinOp::Add | BinOp::Sub | BinOp::Mul => overflow == Overflow::IsError,
        BinOp::And | BinOp::Or | BinOp::Xor => false,
        _ => true,
    }
}

/// Whether an operation on words makes an error.
pub(super) fn is_bad_word(kind: BugKind, op: BinOp, width: u32, a: u64, b: u64) -> bool {
    match kind {
        BugKind::DivByZero => b == 0,
        BugKind::DivOverflow => a == int::sign_bit(width) && b == int::mask(width),
        BugKind::OversizedShift => b >= u64::from(width),
        _ => int::overflows(overflow_op(op), width, a, b),
    }
}

/// The same for values of any width.
pub(super) fn is_bad_wide(kind: BugKind, op: BinOp, a: &Operand<'_>, b: &Operand<'_>) -> bool {
    let (width, n_limbs) = (a.width, a.limbs.len());
    let is = |limbs: &[u64], of_bit: &dyn Fn(u32) -> bool| {
        (0..width).all(|bit| (limbs[(bit / 64) as usize] >> (bit % 64) & 1 != 0) == of_bit(bit))
    };
    match kind {
        BugKind::DivByZero => is(b.limbs, &|_| false),
        BugKind::DivOverflow => is(a.limbs, &|bit| bit == width - 1) && is(b.limbs, &|_| true),
        BugKind::OversizedShift => {
            let mut limit = vec![0; n_limbs];
            limit[0] = u64::from(width);
            wide::icmp(CmpOp::Uge, width, b.limbs, &limit)
        }
        _ => wide::overflows(overflow_op(op), width, a.limbs, b.limbs),
    }
}
