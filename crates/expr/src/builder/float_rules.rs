//! Rules of floats. What they save is floating point itself: integers that a format holds exactly are compared as
//! integers, and widened floats as what they were before.
//!
//! A pattern of 16 bits may be made as one format and read as another, so rules look at the kinds of both operations.
//! Patterns matter: a rule may not replace an operation that makes a signaling NaN quiet by none. So `x * 1.0` stays.

use std::cmp::Ordering;

use spelunk_bv::float::{self, FBits, FloatKind};
use spelunk_bv::{FCmpOp, RoundOp, Signedness};

use crate::node::{ExprId, Node};
use crate::op::Op;
use crate::pool::ExprPool;
use crate::rules::Rule;
use crate::value::low_u128;

/// An integer that was converted to a float without loss.
#[derive(Clone, Copy)]
struct ExactInt {
    int: ExprId,
    sign: Signedness,
}

impl ExprPool {
    pub(super) fn rewrite_float(&mut self, node: Node) -> Option<ExprId> {
        match node.op() {
            Op::FEq | Op::FLt | Op::FLe => self.rewrite_fcmp(node),
            Op::FToF => self.rewrite_fconvert(node),
            Op::FRound => {
                let inner = self.node(node.arg(0));
                let is_integral = matches!(inner.op(), Op::UiToF | Op::SiToF) && inner.kind() == node.kind();
                (is_integral && self.fires(Rule::FRoundInt)).then_some(node.arg(0))
            }
            Op::FToUi | Op::FToSi => self.rewrite_float_to_int(node),
            _ => None,
        }
    }

    fn rewrite_fcmp(&mut self, node: Node) -> Option<ExprId> {
        let (kind, a, b) = (node.kind(), node.arg(0), node.arg(1));
        let is_unordered = self.is_const(a) && !self.is_const(b) || self.is_const(a) == self.is_const(b) && b < a;
        if node.op() == Op::FEq && is_unordered && self.fires(Rule::FCommute) {
            return Some(self.mk_fcmp(kind, FCmpOp::Oeq, b, a));
        }
        if a == b && self.fires(Rule::FCmpSelf) {
            if node.op() == Op::FLt {
                return Some(ExprId::FALSE);
            }
            let is_nan = self.mk_is_nan(kind, a);
            return Some(self.mk_not(is_nan));
        }
        match (self.exact_int(kind, a), self.exact_int(kind, b)) {
            (Some(x), Some(y)) if self.fires(Rule::FCmpInt) => return Some(self.mk_compare_ints(node.op(), x, y)),
            (Some(x), None) => {
                if let Some(rewritten) = self.rewrite_fcmp_int_const(node.op(), kind, x, b, Ordering::Less) {
                    return Some(rewritten);
                }
            }
            (None, Some(y)) => {
                if let Some(rewritten) = self.rewrite_fcmp_int_const(node.op(), kind, y, a, Ordering::Greater) {
                    return Some(rewritten);
                }
            }
            _ => {}
        }
        self.rewrite_fcmp_widened(node)
    }

    /// The integer behind a float, if every integer of its width has a float of its own.
    fn exact_int(&self, kind: FloatKind, id: ExprId) -> Option<ExactInt> {
        let node = self.node(id);
        let (Op::UiToF | Op::SiToF) = node.op() else { return None };
        if node.kind() != kind || !self.fits_exactly(kind, node) {
            return None;
        }
        Some(ExactInt { int: node.arg(0), sign: node.op().int_sign() })
    }

    fn fits_exactly(&self, kind: FloatKind, conversion: Node) -> bool {
        let sign_bits = (conversion.op() == Op::SiToF) as u32;
        let magnitude = self.width(conversion.arg(0)) - sign_bits;
        magnitude <= kind.precision() && magnitude as i32 <= kind.max_exponent()
    }

    /// The comparison in a width that holds the values of both.
    fn mk_compare_ints(&mut self, op: Op, x: ExactInt, y: ExactInt) -> ExprId {
        let width = self.width(x.int).max(self.width(y.int)) + 1;
        let [x, y] = [x, y].map(|ExactInt { int, sign }| match sign {
            Signedness::Unsigned => self.mk_zext(int, width),
            Signedness::Signed => self.mk_sext(int, width),
        });
        match op {
            Op::FEq => self.mk_eq(x, y),
            Op::FLt => self.mk_slt(x, y),
            _ => self.mk_sle(x, y),
        }
    }

    /// `side` is where the integer stands: less means on the left.
    fn rewrite_fcmp_int_const(
        &mut self,
        op: Op,
        kind: FloatKind,
        x: ExactInt,
        constant: ExprId,
        side: Ordering,
    ) -> Option<ExprId> {
        let bits = low_u128(self.as_value(constant)?.limbs());
        if !self.fires(Rule::FCmpIntConst) {
            return None;
        }
        if float::is_nan(kind, bits) {
            return Some(ExprId::FALSE);
        }
        // The next integer in the direction that keeps the comparison; one that is integral is itself.
        let (rounding, op) = match (op, side) {
            (Op::FEq, _) if float::round(kind, RoundOp::Floor, bits) != bits => return Some(ExprId::FALSE),
            (Op::FLt, Ordering::Less) | (Op::FLe, Ordering::Greater) => (RoundOp::Ceil, op),
            (op, _) => (RoundOp::Floor, op),
        };
        let bound = float::round(kind, rounding, bits);
        Some(match self.int_bound(kind, x, bound) {
            Ok(bound) if side == Ordering::Less => self.mk_compare_ints(op, x, bound),
            Ok(bound) => self.mk_compare_ints(op, bound, x),
            // Beyond all integers of the width.
            Err(far) => self.mk_bool(op != Op::FEq && far != side),
        })
    }

    /// An integral float as an integer of one more bit than `x`, or on which side of all of them it lies.
    fn int_bound(&mut self, kind: FloatKind, x: ExactInt, bound: FBits) -> Result<ExactInt, Ordering> {
        let width = self.width(x.int) + 1;
        if !float::fits_int(kind, bound, width, Signedness::Signed) {
            return Err(if float::is_sign_negative(kind, bound) { Ordering::Less } else { Ordering::Greater });
        }
        let mut limbs = vec![0; spelunk_bv::wide::n_limbs(width)];
        float::to_int(kind, bound, width, Signedness::Signed, &mut limbs);
        Ok(ExactInt { int: self.mk_const_limbs(width, &limbs), sign: Signedness::Signed })
    }

    fn rewrite_fcmp_widened(&mut self, node: Node) -> Option<ExprId> {
        let (kind, a, b) = (node.kind(), node.arg(0), node.arg(1));
        let from = [a, b].into_iter().find_map(|id| self.widened_from(kind, id))?;
        let (x, y) = (self.narrowed(kind, from, a)?, self.narrowed(kind, from, b)?);
        if !self.fires(Rule::FCmpExt) {
            return None;
        }
        let op = match node.op() {
            Op::FEq => FCmpOp::Oeq,
            Op::FLt => FCmpOp::Olt,
            _ => FCmpOp::Ole,
        };
        Some(self.mk_fcmp(from, op, x, y))
    }

    /// The format that a float was widened from.
    fn widened_from(&self, kind: FloatKind, id: ExprId) -> Option<FloatKind> {
        let node = self.node(id);
        (node.op() == Op::FToF && node.result_kind() == kind && is_wider(kind, node.kind())).then(|| node.kind())
    }

    /// The float before it was widened, or a constant that the narrower format holds as well.
    fn narrowed(&mut self, kind: FloatKind, to: FloatKind, id: ExprId) -> Option<ExprId> {
        if self.widened_from(kind, id) == Some(to) {
            return Some(self.node(id).arg(0));
        }
        let bits = low_u128(self.as_value(id)?.limbs());
        let narrow = float::convert(kind, to, bits);
        (float::convert(to, kind, narrow) == bits)
            .then(|| self.mk_const_limbs(to.bits(), &[narrow as u64, (narrow >> 64) as u64]))
    }

    fn rewrite_fconvert(&mut self, node: Node) -> Option<ExprId> {
        let (from, to) = (node.kind(), node.result_kind());
        if !is_wider(to, from) {
            return None;
        }
        if let Some(ExactInt { int, sign }) = self.exact_int(from, node.arg(0))
            && self.fires(Rule::FConvertInt)
        {
            return Some(self.mk_int_to_float(to, sign, int));
        }
        if let Some(narrowest) = self.widened_from(from, node.arg(0))
            && self.fires(Rule::FConvertWiden)
        {
            return Some(self.mk_fconvert(narrowest, to, self.node(node.arg(0)).arg(0)));
        }
        None
    }

    fn rewrite_float_to_int(&mut self, node: Node) -> Option<ExprId> {
        let ExactInt { int, sign } = self.exact_int(node.kind(), node.arg(0))?;
        let (from, to) = (self.width(int), node.width());
        let is_held = match (sign, node.op().int_sign()) {
            (Signedness::Unsigned, Signedness::Signed) => to > from,
            (Signedness::Signed, Signedness::Unsigned) => false,
            _ => to >= from,
        };
        if !is_held || !self.fires(Rule::FIntRoundTrip) {
            return None;
        }
        Some(match sign {
            Signedness::Unsigned => self.mk_zext(int, to),
            Signedness::Signed => self.mk_sext(int, to),
        })
    }
}

/// Whether every value of one format is a value of another.
fn is_wider(kind: FloatKind, than: FloatKind) -> bool {
    kind.precision() > than.precision() && kind.max_exponent() >= than.max_exponent()
}
