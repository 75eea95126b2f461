//! Making expressions: `mk_` functions check widths, fold constants, try the rules of the operation, and intern.
//!
//! Operations that can be said with others have no node: they are put together in `derived` and `float_derived`.
//! So whoever reads nodes (evaluation, bit-blasting, printing) meets few kinds. Widths that don't fit together are an
//! error of the caller and panic.

mod arith;
mod array;
mod bitwise;
mod compare;
mod derived;
mod equality;
mod float;
mod float_derived;
mod float_rules;
mod ite;
mod overflow;
mod parts;
mod pattern;
mod remake;

use spelunk_bv::{BinOp, CmpOp, OverflowOp};

use crate::node::{ExprId, Node};
use crate::op::Op;
use crate::pool::{ExprPool, assert_width};
use crate::rules::Rule;

impl ExprPool {
    pub fn mk_binop(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        let op = match op {
            BinOp::Add => Op::Add,
            BinOp::Sub => Op::Sub,
            BinOp::Mul => Op::Mul,
            BinOp::UDiv => Op::UDiv,
            BinOp::SDiv => Op::SDiv,
            BinOp::URem => Op::URem,
            BinOp::SRem => Op::SRem,
            BinOp::Shl => Op::Shl,
            BinOp::LShr => Op::LShr,
            BinOp::AShr => Op::AShr,
            BinOp::And => Op::And,
            BinOp::Or => Op::Or,
            BinOp::Xor => Op::Xor,
        };
        self.mk_binary(op, a, b)
    }

    pub fn mk_cmp(&mut self, op: CmpOp, a: ExprId, b: ExprId) -> ExprId {
        match op {
            CmpOp::Eq => self.mk_eq(a, b),
            CmpOp::Ne => self.mk_ne(a, b),
            CmpOp::Ugt => self.mk_ult(b, a),
            CmpOp::Uge => self.mk_ule(b, a),
            CmpOp::Ult => self.mk_ult(a, b),
            CmpOp::Ule => self.mk_ule(a, b),
            CmpOp::Sgt => self.mk_slt(b, a),
            CmpOp::Sge => self.mk_sle(b, a),
            CmpOp::Slt => self.mk_slt(a, b),
            CmpOp::Sle => self.mk_sle(a, b),
        }
    }

    /// Whether the operation's exact result does not fit the width.
    pub fn mk_overflow(&mut self, op: OverflowOp, a: ExprId, b: ExprId) -> ExprId {
        match op {
            OverflowOp::UAdd => {
                let room = self.mk_not(a);
                self.mk_ult(room, b)
            }
            OverflowOp::USub => self.mk_ult(a, b),
            OverflowOp::SAdd => self.mk_binary(Op::SAddO, a, b),
            OverflowOp::SSub => self.mk_binary(Op::SSubO, a, b),
            OverflowOp::UMul => self.mk_binary(Op::UMulO, a, b),
            OverflowOp::SMul => self.mk_binary(Op::SMulO, a, b),
        }
    }

    pub fn mk_ne(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let equal = self.mk_eq(a, b);
        self.mk_not(equal)
    }

    pub fn mk_not(&mut self, a: ExprId) -> ExprId {
        self.mk_unary(Op::Not, a)
    }

    pub fn mk_neg(&mut self, a: ExprId) -> ExprId {
        self.mk_unary(Op::Neg, a)
    }

    fn mk_unary(&mut self, op: Op, a: ExprId) -> ExprId {
        let node = Node::unary(op, self.width(a), a);
        if let Some(folded) = self.fold(node) {
            return folded;
        }
        let rules = |pool: &mut Self| match op {
            Op::Not => pool.rewrite_not(a),
            _ => pool.rewrite_neg(a),
        };
        match self.rewrite(|pool| pool.rewrite_unary_of_ite(node).or_else(|| rules(pool))) {
            Some(rewritten) => rewritten,
            None => self.intern(node),
        }
    }

    /// Operations on two bit-vectors of one width, whose result has that width or is a truth value.
    #[inline]
    pub(crate) fn mk_binary(&mut self, op: Op, a: ExprId, b: ExprId) -> ExprId {
        let w = self.width(a);
        if w != self.width(b) {
            widths_differ(op, w, self.width(b));
        }
        let width = if op.cmp().is_some() || op.overflow().is_some() { 1 } else { w };
        if let Some(folded) = self.fold(Node::binary(op, width, a, b)) {
            return folded;
        }
        let (a, b) = self.commuted(op, a, b);
        match self.rewrite(|pool| pool.rewrite_binary(op, a, b)) {
            Some(rewritten) => rewritten,
            None => self.intern(Node::binary(op, width, a, b)),
        }
    }

    fn rewrite_binary(&mut self, op: Op, a: ExprId, b: ExprId) -> Option<ExprId> {
        let rewritten = match op {
            Op::Add => self.rewrite_add(a, b),
            Op::Sub => self.rewrite_sub(a, b),
            Op::Mul => self.rewrite_mul(a, b),
            Op::UDiv | Op::SDiv | Op::URem | Op::SRem => self.rewrite_division(op, a, b),
            Op::Shl | Op::LShr | Op::AShr => self.rewrite_shift(op, a, b),
            Op::And => self.rewrite_and(a, b),
            Op::Or => self.rewrite_or(a, b),
            Op::Xor => self.rewrite_xor(a, b),
            Op::Eq => self.rewrite_eq(a, b),
            Op::Ult | Op::Ule | Op::Slt | Op::Sle => self.rewrite_order(op, a, b),
            _ => self.rewrite_overflow(op, a, b),
        };
        rewritten.or_else(|| self.rewrite_binary_of_ite(op, a, b))
    }

    #[inline(always)]
    fn commuted(&mut self, op: Op, a: ExprId, b: ExprId) -> (ExprId, ExprId) {
        let is_ordered = |pool: &Self| match (pool.is_const(a), pool.is_const(b)) {
            (false, false) => a <= b,
            (a_is_const, _) => !a_is_const,
        };
        if op.is_commutative() && !is_ordered(self) && self.fires(Rule::Commute) { (b, a) } else { (a, b) }
    }

    /// `high` above `low`.
    pub fn mk_concat(&mut self, high: ExprId, low: ExprId) -> ExprId {
        let width = self.width(high) + self.width(low);
        assert_width(width);
        let node = Node::binary(Op::Concat, width, high, low);
        if let Some(folded) = self.fold(node) {
            return folded;
        }
        match self.rewrite(|pool| pool.rewrite_concat(high, low)) {
            Some(rewritten) => rewritten,
            None => self.intern(node),
        }
    }

    /// The bits of `a` from `low` on.
    pub fn mk_extract(&mut self, a: ExprId, low: u32, width: u32) -> ExprId {
        assert!(width >= 1 && low + width <= self.width(a), "extract of {width} bits from bit {low} on");
        let node = Node::new(Op::Extract, width, [a.raw(), low, 0]);
        if let Some(folded) = self.fold(node) {
            return folded;
        }
        let rules = |pool: &mut Self| pool.rewrite_extract(a, low, width);
        match self.rewrite(|pool| rules(pool).or_else(|| pool.rewrite_unary_of_ite(node))) {
            Some(rewritten) => rewritten,
            None => self.intern(node),
        }
    }

    pub fn mk_trunc(&mut self, a: ExprId, width: u32) -> ExprId {
        self.mk_extract(a, 0, width)
    }

    pub fn mk_zext(&mut self, a: ExprId, width: u32) -> ExprId {
        self.mk_extension(Op::ZExt, a, width)
    }

    pub fn mk_sext(&mut self, a: ExprId, width: u32) -> ExprId {
        self.mk_extension(Op::SExt, a, width)
    }

    fn mk_extension(&mut self, op: Op, a: ExprId, width: u32) -> ExprId {
        let from = self.width(a);
        assert!(width >= from, "{} from {from} to {width} bits", op.name());
        if width == from {
            return a;
        }
        assert_width(width);
        let node = Node::unary(op, width, a);
        if let Some(folded) = self.fold(node) {
            return folded;
        }
        let rules = |pool: &mut Self| pool.rewrite_extension(op, a, width);
        match self.rewrite(|pool| rules(pool).or_else(|| pool.rewrite_unary_of_ite(node))) {
            Some(rewritten) => rewritten,
            None => self.intern(node),
        }
    }

    pub fn mk_ite(&mut self, cond: ExprId, then: ExprId, other: ExprId) -> ExprId {
        assert_eq!(self.width(cond), 1, "a condition is one bit");
        let w = self.width(then);
        if w != self.width(other) {
            widths_differ(Op::Ite, w, self.width(other));
        }
        match cond {
            ExprId::TRUE => return then,
            ExprId::FALSE => return other,
            _ => {}
        }
        match self.rewrite(|pool| pool.rewrite_ite(cond, then, other)) {
            Some(rewritten) => rewritten,
            None => self.intern(Node::ternary(Op::Ite, w, [cond, then, other])),
        }
    }
}

macro_rules! binary_makers {
    ($($name:ident => $op:ident),+ $(,)?) => {
        impl ExprPool {
            $(pub fn $name(&mut self, a: ExprId, b: ExprId) -> ExprId {
                self.mk_binary(Op::$op, a, b)
            })+
        }
    };
}

binary_makers! {
    mk_add => Add, mk_sub => Sub, mk_mul => Mul, mk_udiv => UDiv, mk_sdiv => SDiv, mk_urem => URem, mk_srem => SRem,
    mk_shl => Shl, mk_lshr => LShr, mk_ashr => AShr, mk_and => And, mk_or => Or, mk_xor => Xor,
    mk_eq => Eq, mk_ult => Ult, mk_ule => Ule, mk_slt => Slt, mk_sle => Sle,
}

#[cold]
fn widths_differ(op: Op, a: u32, b: u32) -> ! {
    panic!("{} of {a} and {b} bits", op.name())
}
