//! Operations on floats that have nodes of their own.

use spelunk_bv::float::FloatKind;
use spelunk_bv::{FBinOp, FCmpOp, RoundOp, Signedness};

use super::widths_differ;
use crate::node::{ExprId, Node};
use crate::op::Op;
use crate::pool::ExprPool;

impl ExprPool {
    pub fn mk_fbinop(&mut self, kind: FloatKind, op: FBinOp, a: ExprId, b: ExprId) -> ExprId {
        let op = match op {
            FBinOp::FAdd => Op::FAdd,
            FBinOp::FSub => Op::FSub,
            FBinOp::FMul => Op::FMul,
            FBinOp::FDiv => Op::FDiv,
            FBinOp::FRem => Op::FRem,
        };
        self.mk_float(kind, Node::binary(op, kind.bits(), a, b))
    }

    /// `a * b + c`, rounded once.
    pub fn mk_fma(&mut self, kind: FloatKind, a: ExprId, b: ExprId, c: ExprId) -> ExprId {
        self.mk_float(kind, Node::ternary(Op::FFma, kind.bits(), [a, b, c]))
    }

    pub fn mk_fsqrt(&mut self, kind: FloatKind, a: ExprId) -> ExprId {
        self.mk_float(kind, Node::unary(Op::FSqrt, kind.bits(), a))
    }

    /// The rounding mode is always to nearest even, so that `rint` and `nearbyint` are `roundeven`.
    pub fn mk_fround(&mut self, kind: FloatKind, op: RoundOp, a: ExprId) -> ExprId {
        let op = match op {
            RoundOp::Rint | RoundOp::Nearbyint => RoundOp::RoundEven,
            op => op,
        };
        self.mk_float(kind, Node::new(Op::FRound, kind.bits(), [a.raw(), op as u32, 0]))
    }

    /// Every predicate is said with `oeq`, `olt`, `ole` and "is not a number".
    pub fn mk_fcmp(&mut self, kind: FloatKind, op: FCmpOp, a: ExprId, b: ExprId) -> ExprId {
        match op {
            FCmpOp::False => ExprId::FALSE,
            FCmpOp::Oeq => self.mk_float(kind, Node::binary(Op::FEq, 1, a, b)),
            FCmpOp::Olt => self.mk_float(kind, Node::binary(Op::FLt, 1, a, b)),
            FCmpOp::Ole => self.mk_float(kind, Node::binary(Op::FLe, 1, a, b)),
            FCmpOp::Ogt => self.mk_fcmp(kind, FCmpOp::Olt, b, a),
            FCmpOp::Oge => self.mk_fcmp(kind, FCmpOp::Ole, b, a),
            FCmpOp::One => {
                let (less, greater) = (self.mk_fcmp(kind, FCmpOp::Olt, a, b), self.mk_fcmp(kind, FCmpOp::Olt, b, a));
                self.mk_or(less, greater)
            }
            FCmpOp::Uno => {
                let (a_is_nan, b_is_nan) = (self.mk_is_nan(kind, a), self.mk_is_nan(kind, b));
                self.mk_or(a_is_nan, b_is_nan)
            }
            // LLVM's encoding is a set of outcomes, so the other half of the predicates are complements.
            _ => {
                let complement = FCmpOp::ALL[FCmpOp::True as usize - op as usize];
                let not = self.mk_fcmp(kind, complement, a, b);
                self.mk_not(not)
            }
        }
    }

    /// `fptrunc` and `fpext`.
    pub fn mk_fconvert(&mut self, from: FloatKind, to: FloatKind, a: ExprId) -> ExprId {
        if from == to {
            return a;
        }
        self.mk_float(from, Node::new(Op::FToF, to.bits(), [a.raw(), to as u32, 0]))
    }

    /// `fptoui` and `fptosi`; values that don't fit give what x86-64 gives.
    pub fn mk_float_to_int(&mut self, kind: FloatKind, sign: Signedness, width: u32, a: ExprId) -> ExprId {
        let op = match sign {
            Signedness::Unsigned => Op::FToUi,
            Signedness::Signed => Op::FToSi,
        };
        self.mk_float(kind, Node::unary(op, width, a))
    }

    /// `uitofp` and `sitofp`.
    pub fn mk_int_to_float(&mut self, kind: FloatKind, sign: Signedness, a: ExprId) -> ExprId {
        let op = match sign {
            Signedness::Unsigned => Op::UiToF,
            Signedness::Signed => Op::SiToF,
        };
        self.mk_float(kind, Node::unary(op, kind.bits(), a))
    }

    fn mk_float(&mut self, kind: FloatKind, node: Node) -> ExprId {
        let node = node.with_kind(kind);
        let takes_floats = !matches!(node.op(), Op::UiToF | Op::SiToF);
        for arg in node.args().filter(|_| takes_floats) {
            if self.width(arg) != kind.bits() {
                widths_differ(node.op(), kind.bits(), self.width(arg));
            }
        }
        if let Some(folded) = self.fold(node) {
            return folded;
        }
        match self.rewrite(|pool| pool.rewrite_float(node)) {
            Some(rewritten) => rewritten,
            None => self.intern(node),
        }
    }
}
