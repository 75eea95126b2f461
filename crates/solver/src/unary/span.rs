//! Values from one on to another, counted around the circle of all values of a width.
//!
//! Each comparison of `x` with a constant, signed or not, is such a span, and stays one when `x` is `y + c`, `c - y`,
//! `~y` or an extension of `y`, and under negation. So one form serves all of them.

use spelunk_bv::int;
use spelunk_expr::{ExprId, ExprPool, Op, VarId};

/// Never empty. All values, if `first` comes right after `last`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    pub width: u32,
    pub first: u64,
    pub last: u64,
}

impl Span {
    fn new(width: u32, first: u64, last: u64) -> Self {
        Span { width, first: int::trunc(width, first), last: int::trunc(width, last) }
    }

    pub fn all(width: u32) -> Self {
        Span::new(width, 0, u64::MAX)
    }

    #[inline]
    pub fn contains(&self, value: u64) -> bool {
        int::trunc(self.width, value.wrapping_sub(self.first)) <= self.size_less_one()
    }

    fn size_less_one(&self) -> u64 {
        int::trunc(self.width, self.last.wrapping_sub(self.first))
    }

    /// The one or two ranges that these values are, in order.
    pub fn ranges(&self) -> ([(u64, u64); 2], usize) {
        match self.first <= self.last {
            true => ([(self.first, self.last); 2], 1),
            false => ([(0, self.last), (self.first, int::mask(self.width))], 2),
        }
    }

    fn complement(&self) -> Option<Self> {
        (self.size_less_one() != int::mask(self.width))
            .then(|| Span::new(self.width, self.last.wrapping_add(1), self.first.wrapping_sub(1)))
    }

    fn plus(&self, by: u64) -> Self {
        Span::new(self.width, self.first.wrapping_add(by), self.last.wrapping_add(by))
    }

    /// The values whose distance to `from` is in the span.
    fn subtracted_from(&self, from: u64) -> Self {
        Span::new(self.width, from.wrapping_sub(self.last), from.wrapping_sub(self.first))
    }

    /// The values of fewer bits whose zero extensions are in the span.
    fn before_zext(&self, width: u32) -> Option<Self> {
        let max = int::mask(width);
        let wraps = self.first > self.last;
        match (wraps, self.first <= max) {
            (false, false) => None,
            (false, true) => Some(Span::new(width, self.first, self.last.min(max))),
            (true, false) => Some(Span::new(width, 0, self.last.min(max))),
            (true, true) if self.last >= max => Some(Span::all(width)),
            (true, true) => Some(Span::new(width, self.first, self.last)),
        }
    }

    /// The values of fewer bits whose sign extensions are in the span: as zero extensions, once the smallest is zero.
    fn before_sext(&self, width: u32) -> Option<Self> {
        let smallest = int::sign_bit(width);
        Some(self.plus(smallest).before_zext(width)?.plus(smallest))
    }
}

/// What a comparison of one variable with constants says about it, if that is what the condition is.
pub fn span_of(pool: &ExprPool, condition: ExprId) -> Option<(VarId, Span)> {
    let (mut term, mut span) = compared(pool, condition)?;
    loop {
        let node = pool.node(term);
        let constant = |at| pool.as_const(node.arg(at));
        (term, span) = match node.op() {
            Op::Var => return Some((node.var(), span)),
            Op::Add => (node.arg(0), span.plus(constant(1)?.wrapping_neg())),
            Op::Sub => (node.arg(1), span.subtracted_from(constant(0)?)),
            Op::Neg => (node.arg(0), span.subtracted_from(0)),
            Op::Not => (node.arg(0), span.subtracted_from(u64::MAX)),
            Op::ZExt => (node.arg(0), span.before_zext(pool.width(node.arg(0)))?),
            Op::SExt => (node.arg(0), span.before_sext(pool.width(node.arg(0)))?),
            _ => return None,
        }
    }
}

/// The term that a condition compares with a constant, and the values it asks for.
fn compared(pool: &ExprPool, condition: ExprId) -> Option<(ExprId, Span)> {
    let node = pool.node(condition);
    match node.op() {
        Op::Var => Some((condition, Span::new(1, 1, 1))),
        Op::Not => {
            let (term, span) = compared(pool, node.arg(0))?;
            Some((term, span.complement()?))
        }
        Op::Extract => {
            let term = node.arg(0);
            let width = pool.width(term);
            let is_sign = width <= 64 && node.width() == 1 && node.extract_low() == width - 1;
            is_sign.then(|| (term, Span::new(width, int::sign_bit(width), u64::MAX)))
        }
        Op::Eq => {
            let value = pool.as_const(node.arg(1))?;
            Some((node.arg(0), Span::new(pool.width(node.arg(0)), value, value)))
        }
        Op::Ult | Op::Ule | Op::Slt | Op::Sle => compared_by_order(pool, condition),
        _ => None,
    }
}

fn compared_by_order(pool: &ExprPool, condition: ExprId) -> Option<(ExprId, Span)> {
    let node = pool.node(condition);
    let (a, b) = (node.arg(0), node.arg(1));
    let width = pool.width(a);
    let is_signed = matches!(node.op(), Op::Slt | Op::Sle);
    let is_strict = matches!(node.op(), Op::Ult | Op::Slt) as u64;
    let least = if is_signed { int::sign_bit(width.min(64)) } else { 0 };
    let greatest = int::trunc(width.min(64), least.wrapping_sub(1));
    match (pool.as_const(a), pool.as_const(b)) {
        (None, Some(bound)) if bound != least || is_strict == 0 => {
            Some((a, Span::new(width, least, bound.wrapping_sub(is_strict))))
        }
        (Some(bound), None) if bound != greatest || is_strict == 0 => {
            Some((b, Span::new(width, bound.wrapping_add(is_strict), greatest)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use spelunk_bv::CmpOp;
    use spelunk_expr::{Evaluator, Model, Sort};

    use super::*;

    /// Compares what is read from a condition with its value for all values of the variable.
    fn check(pool: &ExprPool, var: VarId, width: u32, condition: ExprId) -> bool {
        let Some((of, span)) = span_of(pool, condition) else { return false };
        assert_eq!((of, span.width), (var, width));
        let mut evaluator = Evaluator::new();
        for value in 0..1 << width {
            let mut model = Model::new();
            model.set_u64(var, value);
            let expected = evaluator.under(pool, &model).eval_bool(condition);
            assert_eq!(span.contains(value), expected, "{value} in {span:?} of\n{}", pool.to_smtlib(&[condition]));
            let (ranges, n) = span.ranges();
            assert_eq!(ranges[..n].iter().any(|&(first, last)| (first..=last).contains(&value)), expected);
        }
        true
    }

    #[test]
    fn comparisons_are_read_exactly() {
        const WIDTH: u32 = 3;
        let mut n_read = 0;
        // With rules and without, which leaves forms that rules remove.
        for fuel in [None, Some(0)] {
            let mut pool = ExprPool::new();
            pool.set_rule_fuel(fuel);
            let var = pool.new_var("x", Sort::Bv(WIDTH));
            let x = pool.mk_var(var);
            for offset in 0..1 << WIDTH {
                let offset = pool.mk_const(WIDTH, offset);
                let (wide, signed) = (pool.mk_zext(x, WIDTH + 2), pool.mk_sext(x, WIDTH + 2));
                let wide_offset = pool.mk_zext(offset, WIDTH + 2);
                let terms = [
                    pool.mk_add(x, offset),
                    pool.mk_sub(offset, x),
                    pool.mk_neg(x),
                    pool.mk_not(x),
                    pool.mk_add(wide, wide_offset),
                    pool.mk_sub(wide_offset, signed),
                    pool.mk_add(signed, wide_offset),
                ];
                for (term, &op) in terms.into_iter().flat_map(|term| CmpOp::ALL.iter().map(move |op| (term, op))) {
                    let term_width = pool.width(term);
                    for bound in 0..1 << term_width {
                        let bound = pool.mk_const(term_width, bound);
                        for (a, b) in [(term, bound), (bound, term)] {
                            let condition = pool.mk_cmp(op, a, b);
                            let negation = pool.mk_not(condition);
                            n_read += check(&pool, var, WIDTH, condition) as u32;
                            n_read += check(&pool, var, WIDTH, negation) as u32;
                        }
                    }
                }
            }
        }
        assert!(n_read > 5_000, "{n_read} were read");
    }

    #[test]
    fn signs_and_bits() {
        let mut pool = ExprPool::new();
        let (var, bit) = (pool.new_var("x", Sort::Bv(6)), pool.new_var("b", Sort::Bv(1)));
        let (x, b) = (pool.mk_var(var), pool.mk_var(bit));
        let sign = pool.mk_extract(x, 5, 1);
        let (positive, not_b) = (pool.mk_not(sign), pool.mk_not(b));
        assert!(check(&pool, var, 6, sign) && check(&pool, var, 6, positive));
        assert!(check(&pool, bit, 1, b) && check(&pool, bit, 1, not_b));
        let other_bit = pool.mk_extract(x, 2, 1);
        assert_eq!(span_of(&pool, other_bit), None);
    }
}
