//! What rules ask about expressions.

use crate::node::ExprId;
use crate::op::Op;
use crate::pool::ExprPool;

/// An expression seen as a high part above a low part.
pub(super) struct Halves {
    pub high: ExprId,
    pub low: ExprId,
}

impl ExprPool {
    /// The operand of an operation of one operand.
    #[inline(always)]
    pub(super) fn operand(&self, op: Op, id: ExprId) -> Option<ExprId> {
        let node = self.node(id);
        (node.op() == op).then(|| node.arg(0))
    }

    #[inline(always)]
    pub(super) fn operands(&self, op: Op, id: ExprId) -> Option<(ExprId, ExprId)> {
        let node = self.node(id);
        (node.op() == op).then(|| (node.arg(0), node.arg(1)))
    }

    /// The operands of an operation whose second one is a constant.
    #[inline(always)]
    pub(super) fn operand_and_const(&self, op: Op, id: ExprId) -> Option<(ExprId, ExprId)> {
        self.operands(op, id).filter(|&(_, second)| self.is_const(second))
    }

    /// The operands of an operation whose first one is a constant.
    #[inline(always)]
    pub(super) fn const_and_operand(&self, op: Op, id: ExprId) -> Option<(ExprId, ExprId)> {
        self.operands(op, id).filter(|&(first, _)| self.is_const(first))
    }

    /// The other operand of a commutative operation that has this one.
    pub(super) fn other_operand(&self, op: Op, id: ExprId, one: ExprId) -> Option<ExprId> {
        match self.operands(op, id)? {
            (first, other) if first == one => Some(other),
            (other, second) if second == one => Some(other),
            _ => None,
        }
    }

    pub(super) fn is_zero(&self, id: ExprId) -> bool {
        let node = self.node(id);
        match node.op() {
            Op::Const => node.const_value() == 0,
            Op::WideConst => self.wide_limbs(node).iter().all(|&limb| limb == 0),
            _ => false,
        }
    }

    pub(super) fn is_ones(&self, id: ExprId) -> bool {
        let node = self.node(id);
        match node.op() {
            Op::Const => node.const_value() == spelunk_bv::int::mask(node.width()),
            Op::WideConst => self.run_of_ones(id) == Some((0, node.width())),
            _ => false,
        }
    }

    pub(super) fn is_one(&self, id: ExprId) -> bool {
        self.power_of_two(id) == Some(0)
    }

    /// The exponent of a constant that is a power of two.
    pub(super) fn power_of_two(&self, id: ExprId) -> Option<u32> {
        match self.run_of_ones(id) {
            Some((low, 1)) => Some(low),
            _ => None,
        }
    }

    /// Where the ones of a constant begin and how many they are, if they are adjacent.
    pub(super) fn run_of_ones(&self, id: ExprId) -> Option<(u32, u32)> {
        let node = self.node(id);
        let single;
        let limbs = match node.op() {
            Op::Const => {
                single = [node.const_value()];
                &single[..]
            }
            Op::WideConst => self.wide_limbs(node),
            _ => return None,
        };
        let low = limbs.iter().position(|&limb| limb != 0)?;
        let high = limbs.iter().rposition(|&limb| limb != 0)?;
        let first = 64 * low as u32 + limbs[low].trailing_zeros();
        let end = 64 * (high as u32 + 1) - limbs[high].leading_zeros();
        let n_ones: u32 = limbs.iter().map(|limb| limb.count_ones()).sum();
        (n_ones == end - first).then_some((first, n_ones))
    }

    /// The bit of a constant.
    pub(super) fn const_bit(&self, id: ExprId, at: u32) -> bool {
        let node = self.node(id);
        match node.op() {
            Op::WideConst => self.wide_limbs(node)[at as usize / 64] >> (at % 64) & 1 != 0,
            _ => node.const_value() >> at & 1 != 0,
        }
    }

    /// Both arms of a choice between constants.
    pub(super) fn const_arms(&self, id: ExprId) -> Option<(ExprId, ExprId, ExprId)> {
        let node = self.node(id);
        (node.op() == Op::Ite && self.is_const(node.arg(1)) && self.is_const(node.arg(2)))
            .then(|| (node.arg(0), node.arg(1), node.arg(2)))
    }

    /// The low part's width, of a concat or of a zero extension, which is a concat with zeros.
    pub(super) fn split_point(&self, id: ExprId) -> Option<u32> {
        let node = self.node(id);
        match node.op() {
            Op::Concat => Some(self.width(node.arg(1))),
            Op::ZExt => Some(self.width(node.arg(0))),
            _ => None,
        }
    }

    /// The parts of an expression below and from a bit on, if they are at hand without extracting anything.
    pub(super) fn halves(&mut self, id: ExprId, low_width: u32) -> Option<Halves> {
        let node = self.node(id);
        let high_width = node.width() - low_width;
        match node.op() {
            Op::Const | Op::WideConst => {
                Some(Halves { high: self.mk_extract(id, low_width, high_width), low: self.mk_trunc(id, low_width) })
            }
            Op::Concat if self.width(node.arg(1)) == low_width => Some(Halves { high: node.arg(0), low: node.arg(1) }),
            Op::ZExt if self.width(node.arg(0)) <= low_width => {
                Some(Halves { high: self.mk_const(high_width, 0), low: self.mk_zext(node.arg(0), low_width) })
            }
            _ => None,
        }
    }

    /// Whether two expressions of one width certainly have different values.
    pub(super) fn are_distinct(&self, a: ExprId, b: ExprId) -> bool {
        if a == b {
            return false;
        }
        if self.is_const(a) && self.is_const(b) {
            return true;
        }
        let base = |id| match self.operand_and_const(Op::Add, id) {
            Some((x, by)) if !self.is_zero(by) => (x, by),
            _ => (id, ExprId::NONE),
        };
        let ((a_base, a_by), (b_base, b_by)) = (base(a), base(b));
        a_base == b_base && a_by != b_by
            || matches!((self.facts(a), self.facts(b)), (Some(a), Some(b)) if a.is_disjoint(&b))
    }
}
