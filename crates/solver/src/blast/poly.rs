//! Equalities that polynomials decide: `x * (y + z)` and `x * y + x * z` are the same, which no SAT solver finds out.
//!
//! Both sides are multiplied out, modulo a power of two, over parts that are no sums or products themselves. A remainder
//! is what a product with the quotient leaves, which SMT-LIB's results for a zero divisor satisfy as well; a shift to the
//! left is a product with a power of two. This says yes, no or nothing; what is not decided is blasted as it is, because
//! a multiplied form often has more products.

use std::collections::BTreeMap;

use smallvec::SmallVec;
use spelunk_bv::int;
use spelunk_expr::{ExprId, ExprPool, Node, Op};

/// The most products of a sum.
const MAX_TERMS: usize = 64;
/// The most nodes that are looked at.
const MAX_STEPS: usize = 256;

/// What is not multiplied out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Factor {
    Term(ExprId),
    Quotient {
        is_signed: bool,
        dividend: ExprId,
        divisor: ExprId,
    },
    /// Two to the power of a term, if the width has such a bit, otherwise zero.
    PowerOfTwo(ExprId),
}

/// The factors of a product, in order.
type Product = SmallVec<[Factor; 3]>;

/// A sum of products with coefficients other than zero.
#[derive(Clone, Default)]
struct Sum {
    terms: BTreeMap<Product, u64>,
}

impl Sum {
    fn constant(value: u64) -> Self {
        let terms = (value != 0).then(|| (Product::new(), value));
        Sum { terms: terms.into_iter().collect() }
    }

    fn factor(factor: Factor) -> Self {
        Sum { terms: [(Product::from_slice(&[factor]), 1)].into() }
    }

    fn add(&mut self, width: u32, product: &Product, coefficient: u64) {
        let total = self.terms.entry(product.clone()).or_default();
        *total = int::trunc(width, total.wrapping_add(coefficient));
        if *total == 0 {
            self.terms.remove(product);
        }
    }

    fn scaled(mut self, width: u32, factor: u64) -> Self {
        self.terms.retain(|_, coefficient| {
            *coefficient = int::trunc(width, coefficient.wrapping_mul(factor));
            *coefficient != 0
        });
        self
    }

    fn plus(mut self, width: u32, other: &Sum) -> Option<Self> {
        for (product, &coefficient) in &other.terms {
            self.add(width, product, coefficient);
        }
        (self.terms.len() <= MAX_TERMS).then_some(self)
    }

    fn times(&self, width: u32, other: &Sum) -> Option<Self> {
        if self.terms.len() * other.terms.len() > MAX_TERMS {
            return None;
        }
        let mut result = Sum::default();
        for (a, &a_coefficient) in &self.terms {
            for (b, &b_coefficient) in &other.terms {
                let mut product: Product = a.iter().chain(b).copied().collect();
                product.sort_unstable();
                result.add(width, &product, a_coefficient.wrapping_mul(b_coefficient));
            }
        }
        Some(result)
    }
}

/// Whether two bit-vectors are always or never equal, if that follows from the rules of sums and products.
pub(crate) fn decide_equal(pool: &ExprPool, a: ExprId, b: ExprId) -> Option<bool> {
    let width = pool.width(a);
    let is_sum = |id| matches!(pool.op(id), Op::Add | Op::Sub | Op::Mul | Op::Neg | Op::Shl | Op::Concat);
    if width > 64 || !is_sum(a) && !is_sum(b) {
        return None;
    }
    let mut n_steps = 0;
    let left = expand(pool, a, &mut n_steps)?;
    let right = expand(pool, b, &mut n_steps)?;
    let minus_one = int::mask(width);
    let difference = left.plus(width, &right.scaled(width, minus_one))?;
    match difference.terms.len() {
        0 => Some(true),
        // A constant that is not zero.
        1 if difference.terms.contains_key(&Product::new()) => Some(false),
        _ => None,
    }
}

/// Multiplies out. The recursion is as deep as there are steps at most.
fn expand(pool: &ExprPool, id: ExprId, n_steps: &mut usize) -> Option<Sum> {
    *n_steps += 1;
    if *n_steps > MAX_STEPS {
        return None;
    }
    let node = pool.node(id);
    let width = node.width();
    let minus_one = int::mask(width);
    let mut arg = |at: usize| expand(pool, node.arg(at), n_steps);
    Some(match node.op() {
        Op::Const => Sum::constant(node.const_value()),
        Op::Add => arg(0)?.plus(width, &arg(1)?)?,
        Op::Sub => arg(0)?.plus(width, &arg(1)?.scaled(width, minus_one))?,
        Op::Neg => arg(0)?.scaled(width, minus_one),
        Op::Not => arg(0)?.scaled(width, minus_one).plus(width, &Sum::constant(minus_one))?,
        Op::Mul => arg(0)?.times(width, &arg(1)?)?,
        Op::UDiv | Op::SDiv => Sum::factor(quotient(node)),
        Op::URem | Op::SRem => {
            let product = Sum::factor(quotient(node)).times(width, &arg(1)?)?;
            arg(0)?.plus(width, &product.scaled(width, minus_one))?
        }
        Op::Shl => arg(0)?.times(width, &Sum::factor(Factor::PowerOfTwo(node.arg(1))))?,
        _ => match shifted_by_constant(pool, node) {
            Some((term, amount)) => expand(pool, term, n_steps)?.scaled(width, 1 << amount),
            None => Sum::factor(Factor::Term(id)),
        },
    })
}

/// The quotient of a division's operands.
fn quotient(node: Node) -> Factor {
    let is_signed = matches!(node.op(), Op::SDiv | Op::SRem);
    Factor::Quotient { is_signed, dividend: node.arg(0), divisor: node.arg(1) }
}

/// What is shifted to the left, and how far, in the form that the builder gives it: low bits above zeros.
fn shifted_by_constant(pool: &ExprPool, node: Node) -> Option<(ExprId, u32)> {
    if node.op() != Op::Concat || pool.as_const(node.arg(1)) != Some(0) {
        return None;
    }
    let high = pool.node(node.arg(0));
    let is_low_part = high.op() == Op::Extract && high.extract_low() == 0 && pool.width(high.arg(0)) == node.width();
    is_low_part.then(|| (high.arg(0), pool.width(node.arg(1))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use spelunk_bv::BinOp;
    use spelunk_expr::{Evaluator, Model, Sort, VarId};

    /// A pool that leaves expressions as they are made, and three variables.
    fn bench(width: u32) -> (ExprPool, [ExprId; 3]) {
        let mut pool = ExprPool::new();
        pool.set_rule_fuel(Some(0));
        let vars = ["x", "y", "z"].map(|name| pool.new_var(name, Sort::Bv(width)));
        let exprs = vars.map(|var| pool.mk_var(var));
        (pool, exprs)
    }

    #[test]
    fn remainders_are_what_quotients_leave() {
        for (div, rem) in [(BinOp::UDiv, BinOp::URem), (BinOp::SDiv, BinOp::SRem)] {
            let (mut pool, [x, y, z]) = bench(32);
            let (quotient, rest) = (pool.mk_binop(div, x, y), pool.mk_binop(rem, x, y));
            let product = pool.mk_mul(y, quotient);
            let sum = pool.mk_add(product, rest);
            assert_eq!(decide_equal(&pool, sum, x), Some(true));
            let one = pool.mk_const(32, 1);
            let more = pool.mk_add(sum, one);
            assert_eq!(decide_equal(&pool, more, x), Some(false));
            // A quotient by something else, or one of the other kind, says nothing.
            for other in [pool.mk_binop(div, x, z), pool.mk_binop(other_kind(div), x, y)] {
                let product = pool.mk_mul(y, other);
                let sum = pool.mk_add(product, rest);
                assert_eq!(decide_equal(&pool, sum, x), None);
            }
        }
    }

    fn other_kind(div: BinOp) -> BinOp {
        if div == BinOp::UDiv { BinOp::SDiv } else { BinOp::UDiv }
    }

    #[test]
    fn shifts_to_the_left_are_products() {
        let (mut pool, [x, y, amount]) = bench(32);
        let sum = pool.mk_add(x, y);
        let [left, right, both] = [x, y, sum].map(|term| pool.mk_shl(term, amount));
        let parts = pool.mk_add(left, right);
        assert_eq!(decide_equal(&pool, parts, both), Some(true));
        let elsewhere = pool.mk_shl(sum, x);
        assert_eq!(decide_equal(&pool, parts, elsewhere), None);
        // By a constant, in the form that the builder gives it.
        let (low, zeros) = (pool.mk_extract(x, 0, 29), pool.mk_const(3, 0));
        let shifted = pool.mk_concat(low, zeros);
        let eight = pool.mk_const(32, 8);
        let product = pool.mk_mul(x, eight);
        assert_eq!(decide_equal(&pool, shifted, product), Some(true));
    }

    /// All pairs of small terms: what is decided holds for all values, zero divisors and wide shifts among them.
    #[test]
    fn decisions_hold_for_all_values() {
        const WIDTH: u32 = 3;
        const OPS: [BinOp; 8] =
            [BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::UDiv, BinOp::SDiv, BinOp::URem, BinOp::SRem, BinOp::Shl];
        let (mut pool, [x, y, _]) = bench(WIDTH);
        let three = pool.mk_const(WIDTH, 3);
        let mut terms = vec![x, y, three];
        let all_pairs = |terms: &[ExprId]| -> Vec<(ExprId, ExprId)> {
            terms.iter().flat_map(|&a| terms.iter().map(move |&b| (a, b))).collect()
        };
        for (a, b) in all_pairs(&terms) {
            terms.extend(OPS.map(|op| pool.mk_binop(op, a, b)));
        }
        let some: Vec<ExprId> = terms.iter().copied().step_by(7).chain([x, y]).collect();
        for (a, b) in all_pairs(&some) {
            terms.extend([BinOp::Add, BinOp::Mul].map(|op| pool.mk_binop(op, a, b)));
        }
        let (mut n_equal, mut n_different) = (0, 0);
        for (a, b) in all_pairs(&terms) {
            let Some(decided) = decide_equal(&pool, a, b) else { continue };
            *if decided { &mut n_equal } else { &mut n_different } += (a != b) as u32;
            for values in 0..1 << (2 * WIDTH) {
                assert_eq!(is_equal_at(&pool, (a, b), values), decided, "{}", pool.to_smtlib(&[a, b]));
            }
        }
        assert!(n_equal > 100 && n_different > 10, "{n_equal} equal, {n_different} different");
    }

    fn is_equal_at(pool: &ExprPool, (a, b): (ExprId, ExprId), values: u64) -> bool {
        let mut model = Model::new();
        model.set_u64(VarId(0), values & 7);
        model.set_u64(VarId(1), values >> 3);
        let mut evaluator = Evaluator::new();
        let mut evaluation = evaluator.under(pool, &model);
        evaluation.eval_u64(a) == evaluation.eval_u64(b)
    }
}
