//! The operation of one expression on other operands.

use spelunk_bv::FCmpOp;

use crate::node::{ExprId, Node, Sort};
use crate::op::Op;
use crate::pool::ExprPool;

impl ExprPool {
    /// As many operands as the expression has, of the same sorts.
    pub fn mk_with_operands(&mut self, id: ExprId, operands: &[ExprId]) -> ExprId {
        let node = self.node(id);
        let op = node.op();
        match *operands {
            [] => id,
            [a] => match op {
                Op::Not => self.mk_not(a),
                Op::Neg => self.mk_neg(a),
                Op::Extract => self.mk_extract(a, node.extract_low(), node.width()),
                Op::ZExt => self.mk_zext(a, node.width()),
                Op::SExt => self.mk_sext(a, node.width()),
                Op::ConstArray => match self.sort(id) {
                    Sort::Array { index_width, .. } => self.mk_const_array(index_width, a),
                    Sort::Bv(_) => unreachable!("a constant array is an array"),
                },
                Op::FSqrt => self.mk_fsqrt(node.kind(), a),
                Op::FRound => self.mk_fround(node.kind(), node.round_op(), a),
                Op::FToF => self.mk_fconvert(node.kind(), node.result_kind(), a),
                Op::FToUi | Op::FToSi => self.mk_float_to_int(node.kind(), op.int_sign(), node.width(), a),
                Op::UiToF | Op::SiToF => self.mk_int_to_float(node.kind(), op.int_sign(), a),
                _ => unreachable!("{} has one operand", op.name()),
            },
            [a, b] => self.mk_with_two(node, a, b),
            [a, b, c] => match op {
                Op::Ite => self.mk_ite(a, b, c),
                Op::Store => self.mk_store(a, b, c),
                Op::FFma => self.mk_fma(node.kind(), a, b, c),
                _ => unreachable!("{} has three operands", op.name()),
            },
            _ => unreachable!("{} has that many operands", op.name()),
        }
    }

    fn mk_with_two(&mut self, node: Node, a: ExprId, b: ExprId) -> ExprId {
        let op = node.op();
        if let Some(op) = op.binop() {
            return self.mk_binop(op, a, b);
        }
        if let Some(op) = op.cmp() {
            return self.mk_cmp(op, a, b);
        }
        if let Some(op) = op.overflow() {
            return self.mk_overflow(op, a, b);
        }
        if let Some(op) = op.fbinop() {
            return self.mk_fbinop(node.kind(), op, a, b);
        }
        match op {
            Op::Concat => self.mk_concat(a, b),
            Op::Select => self.mk_select(a, b),
            Op::FEq => self.mk_fcmp(node.kind(), FCmpOp::Oeq, a, b),
            Op::FLt => self.mk_fcmp(node.kind(), FCmpOp::Olt, a, b),
            Op::FLe => self.mk_fcmp(node.kind(), FCmpOp::Ole, a, b),
            _ => unreachable!("{} has two operands", op.name()),
        }
    }
}
