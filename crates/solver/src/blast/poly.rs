//! Equalities that polynomials decide: `x * (y + z)` and `x * y + x * z` are the same, which no SAT solver finds out.
//!
//! Both sides are multiplied out, modulo a power of two, over parts that are no sums or products themselves. This says
//! yes, no or nothing; what is not decided is blasted as it is, because a multiplied form often has more products.

use std::collections::BTreeMap;

use smallvec::SmallVec;
use spelunk_bv::int;
use spelunk_expr::{ExprId, ExprPool, Op};

/// The most products of a sum.
const MAX_TERMS: usize = 64;
/// The most nodes that are looked at.
const MAX_STEPS: usize = 256;

/// The factors of a product, in order.
type Product = SmallVec<[ExprId; 4]>;

/// A sum of products with coefficients other than zero.
#[derive(Clone, Default)]
struct Sum {
    terms: BTreeMap<Product, u64>,
}

impl Sum {
    fn single(product: Product, coefficient: u64) -> Self {
        let mut sum = Sum::default();
        sum.terms.insert(product, coefficient);
        sum
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
    let is_sum = |id| matches!(pool.op(id), Op::Add | Op::Sub | Op::Mul | Op::Neg);
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
    Some(match node.op() {
        Op::Const if node.const_value() == 0 => Sum::default(),
        Op::Const => Sum::single(Product::new(), node.const_value()),
        Op::Add => expand(pool, node.arg(0), n_steps)?.plus(width, &expand(pool, node.arg(1), n_steps)?)?,
        Op::Sub => {
            let subtracted = expand(pool, node.arg(1), n_steps)?.scaled(width, minus_one);
            expand(pool, node.arg(0), n_steps)?.plus(width, &subtracted)?
        }
        Op::Neg => expand(pool, node.arg(0), n_steps)?.scaled(width, minus_one),
        Op::Not => {
            let negated = expand(pool, node.arg(0), n_steps)?.scaled(width, minus_one);
            negated.plus(width, &Sum::single(Product::new(), minus_one))?
        }
        Op::Mul => expand(pool, node.arg(0), n_steps)?.times(width, &expand(pool, node.arg(1), n_steps)?)?,
        Op::Shl => match pool.as_const(node.arg(1)) {
            Some(amount) if amount < width as u64 => expand(pool, node.arg(0), n_steps)?.scaled(width, 1 << amount),
            _ => Sum::single(Product::from_slice(&[id]), 1),
        },
        _ => Sum::single(Product::from_slice(&[id]), 1),
    })
}
