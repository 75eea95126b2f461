//! Floats in the script.
//!
//! SMT-LIB has no function from a float to its pattern, as NaNs have many. So a float result is a constant of its own
//! that is asserted to be a pattern of the result: exact, except that a solver may choose among the patterns of NaN.
//! Conversions to integers are unspecified where the value does not fit. Hence a model has to be checked by
//! evaluation, while "unsatisfiable" holds.

use std::fmt::{self, Write};

use spelunk_bv::RoundOp;
use spelunk_bv::float::FloatKind;

use super::{Form, Printer, name};
use crate::node::{ExprId, Node};
use crate::op::Op;

/// Whether the result is a float, and so declared instead of defined.
pub(super) fn has_float_result(op: Op) -> bool {
    use Op::*;
    matches!(op, FAdd | FSub | FMul | FDiv | FRem | FFma | FSqrt | FRound | FToF | UiToF | SiToF)
}

/// Whether the term itself is printed by [`Printer::float_body`].
pub(super) fn takes_floats(op: Op) -> bool {
    matches!(op, Op::FEq | Op::FLt | Op::FLe | Op::FToUi | Op::FToSi) || has_float_result(op)
}

/// Widths of exponent and significand, the latter with the bit that formats leave out.
fn format_of(kind: FloatKind) -> (u32, u32) {
    let significand = kind.precision();
    let stored = significand - (kind != FloatKind::X86Fp80) as u32;
    (kind.bits() - 1 - stored, significand)
}

impl Printer<'_> {
    /// The reading of x86_fp80 patterns, which have a bit more than an IEEE format and a few values that contradict it.
    pub(super) fn float_preamble(&mut self, order: &[ExprId]) -> fmt::Result {
        let is_x87 = |node: Node| {
            takes_floats(node.op()) && (node.kind() == FloatKind::X86Fp80 || node.result_kind() == FloatKind::X86Fp80)
        };
        if !order.iter().any(|&id| is_x87(self.pool.node(id))) {
            return Ok(());
        }
        writeln!(
            self.out,
            "(define-fun x87 ((x (_ BitVec 80))) (_ FloatingPoint 15 64)\n  \
             (let ((s ((_ extract 79 79) x)) (e ((_ extract 78 64) x)) (i ((_ extract 63 63) x)) (f ((_ extract 62 0) x)))\n  \
             (ite (= i #b1) (fp s (ite (= e (_ bv0 15)) (_ bv1 15) e) f)\n  \
             (ite (= e (_ bv0 15)) (fp s e f) (_ NaN 15 64)))))"
        )
    }

    /// The beginning of a term that reads a pattern as a float.
    fn reader(&mut self, kind: FloatKind) -> fmt::Result {
        let (exponent, significand) = format_of(kind);
        match kind {
            FloatKind::X86Fp80 => write!(self.out, "(x87 "),
            _ => write!(self.out, "((_ to_fp {exponent} {significand}) "),
        }
    }

    fn float(&mut self, kind: FloatKind, id: ExprId) -> fmt::Result {
        self.reader(kind)?;
        self.term(id, Form::Bits)?;
        write!(self.out, ")")
    }

    pub(super) fn float_definition(&mut self, id: ExprId, node: Node) -> fmt::Result {
        let kind = node.result_kind();
        writeln!(self.out, "(declare-const {} (_ BitVec {}))", name(id), node.width())?;
        write!(self.out, "(assert (= ")?;
        self.reader(kind)?;
        write!(self.out, "{}) ", name(id))?;
        self.float_body(node)?;
        writeln!(self.out, "))")?;
        if kind == FloatKind::X86Fp80 {
            let name = name(id);
            writeln!(
                self.out,
                "(assert (= (= ((_ extract 63 63) {name}) #b0) (= ((_ extract 78 64) {name}) (_ bv0 15))))"
            )?;
        }
        Ok(())
    }

    /// The operation on floats; a float, a truth value or an integer.
    pub(super) fn float_body(&mut self, node: Node) -> fmt::Result {
        let (exponent, significand) = format_of(node.result_kind());
        let function = match node.op() {
            Op::FAdd => "fp.add RNE",
            Op::FSub => "fp.sub RNE",
            Op::FMul => "fp.mul RNE",
            Op::FDiv => "fp.div RNE",
            Op::FFma => "fp.fma RNE",
            Op::FSqrt => "fp.sqrt RNE",
            Op::FEq => "fp.eq",
            Op::FLt => "fp.lt",
            Op::FLe => "fp.leq",
            Op::FRem => return self.remainder(node),
            Op::FRound => match node.round_op() {
                RoundOp::Floor => "fp.roundToIntegral RTN",
                RoundOp::Ceil => "fp.roundToIntegral RTP",
                RoundOp::Trunc => "fp.roundToIntegral RTZ",
                RoundOp::Round => "fp.roundToIntegral RNA",
                RoundOp::Rint | RoundOp::Nearbyint | RoundOp::RoundEven => "fp.roundToIntegral RNE",
            },
            Op::FToF => &format!("(_ to_fp {exponent} {significand}) RNE"),
            Op::FToUi => &format!("(_ fp.to_ubv {}) RTZ", node.width()),
            Op::FToSi => &format!("(_ fp.to_sbv {}) RTZ", node.width()),
            Op::UiToF | Op::SiToF => {
                let unsigned = if node.op() == Op::UiToF { "_unsigned" } else { "" };
                write!(self.out, "((_ to_fp{unsigned} {exponent} {significand}) RNE ")?;
                self.term(node.arg(0), Form::Bits)?;
                return write!(self.out, ")");
            }
            op => unreachable!("{} is no operation on floats", op.name()),
        };
        write!(self.out, "({function}")?;
        for arg in node.args() {
            write!(self.out, " ")?;
            self.float(node.kind(), arg)?;
        }
        write!(self.out, ")")
    }

    /// C's `fmod`. SMT-LIB has the remainder to the nearest multiple, from which it is at most one step away.
    fn remainder(&mut self, node: Node) -> fmt::Result {
        write!(self.out, "(let ((x ")?;
        self.float(node.kind(), node.arg(0))?;
        write!(self.out, ") (y (fp.abs ")?;
        self.float(node.kind(), node.arg(1))?;
        write!(self.out, "))) (let ((r (fp.rem (fp.abs x) y))) ")?;
        write!(
            self.out,
            "(let ((m (ite (fp.isNegative r) (fp.add RNE r y) r))) (ite (fp.isNegative x) (fp.neg m) m))))"
        )
    }
}
