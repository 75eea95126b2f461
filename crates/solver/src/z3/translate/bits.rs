//! Operations on integers and truth values.

use spelunk_expr::{ExprId, ExprPool, Node, Op};
use z3::ast::{BV, Bool};

use super::{Term, Translator};

/// How many bits a product of variables may have.
const MAX_PRODUCT_WIDTH: u32 = 2048;

/// Whether an operation multiplies or divides by what is not constant, and is wider than can be done.
pub(super) fn is_wide_product(pool: &ExprPool, node: Node) -> bool {
    let is_product = matches!(node.op(), Op::Mul | Op::UDiv | Op::SDiv | Op::URem | Op::SRem | Op::UMulO | Op::SMulO);
    is_product && pool.width(node.arg(0)) > MAX_PRODUCT_WIDTH && node.args().all(|arg| pool.as_value(arg).is_none())
}

impl Translator {
    pub(super) fn bits_term(&self, pool: &ExprPool, id: ExprId, node: Node) -> Term {
        let op = node.op();
        if op.arity() == 0 {
            return Term::Bits(leaf(pool, id, node));
        }
        if op.cmp().is_some() || op.overflow().is_some() {
            return Term::Truth(self.predicate(pool, node));
        }
        if op == Op::Ite {
            return self.choice(node);
        }
        if node.width() == 1
            && let Some(truth) = self.connective(node)
        {
            return Term::Truth(truth);
        }
        let a = self.bits(node.arg(0));
        Term::Bits(match op {
            Op::Not => a.bvnot(),
            Op::Neg => a.bvneg(),
            Op::Extract => a.extract(node.extract_low() + node.width() - 1, node.extract_low()),
            Op::ZExt => a.zero_ext(node.width() - pool.width(node.arg(0))),
            Op::SExt => a.sign_ext(node.width() - pool.width(node.arg(0))),
            _ => binary(op, a, self.bits(node.arg(1))),
        })
    }

    fn choice(&self, node: Node) -> Term {
        let condition = self.truth(node.arg(0));
        if node.width() == 1 {
            Term::Truth(condition.ite(&self.truth(node.arg(1)), &self.truth(node.arg(2))))
        } else {
            Term::Bits(condition.ite(&self.bits(node.arg(1)), &self.bits(node.arg(2))))
        }
    }

    /// An operation on truth values.
    fn connective(&self, node: Node) -> Option<Bool> {
        let truths = || [self.truth(node.arg(0)), self.truth(node.arg(1))];
        Some(match node.op() {
            Op::Not => self.truth(node.arg(0)).not(),
            Op::And => Bool::and(&truths()),
            Op::Or => Bool::or(&truths()),
            Op::Xor => {
                let [a, b] = truths();
                a.xor(b)
            }
            _ => return None,
        })
    }

    fn predicate(&self, pool: &ExprPool, node: Node) -> Bool {
        if node.op() == Op::Eq && node.args().any(|arg| self.is_truth(arg)) {
            return self.truth(node.arg(0)).eq(self.truth(node.arg(1)));
        }
        let (a, b) = (self.bits(node.arg(0)), self.bits(node.arg(1)));
        match node.op() {
            Op::Eq => a.eq(b),
            Op::Ult => a.bvult(b),
            Op::Ule => a.bvule(b),
            Op::Slt => a.bvslt(b),
            Op::Sle => a.bvsle(b),
            Op::SAddO => overflows(a.sign_ext(1).bvadd(b.sign_ext(1)), pool.width(node.arg(0))),
            Op::SSubO => overflows(a.sign_ext(1).bvsub(b.sign_ext(1)), pool.width(node.arg(0))),
            Op::UMulO => a.bvmul_no_overflow(&b, false).not(),
            Op::SMulO => signed_product_overflows(&a, &b, pool.width(node.arg(0))),
            op => unreachable!("{} is no predicate", op.name()),
        }
    }
}

/// Whether an exact result, of one bit more than the operands, does not fit their width.
fn overflows(exact: BV, width: u32) -> Bool {
    exact.extract(width, width).ne(exact.extract(width - 1, width - 1))
}

/// Whether the product of the magnitudes is beyond the greatest or the least number. Z3 has a predicate for this, which
/// 4.8 computes wrongly for constants.
fn signed_product_overflows(a: &BV, b: &BV, width: u32) -> Bool {
    let [(a_sign, a), (b_sign, b)] = [a, b].map(|factor| {
        let sign = factor.bvslt(BV::from_u64(0, width));
        (sign.clone(), sign.ite(&factor.bvneg(), factor))
    });
    let least = BV::from_u64(1, width).bvshl(BV::from_u64(width as u64 - 1, width));
    let limit = a_sign.xor(b_sign).ite(&least, &least.bvnot());
    Bool::or(&[a.bvmul_no_overflow(&b, false).not(), a.bvmul(&b).bvugt(limit)])
}

fn leaf(pool: &ExprPool, id: ExprId, node: Node) -> BV {
    match node.op() {
        Op::Const => BV::from_u64(node.const_value(), node.width()),
        Op::Var => BV::new_const(node.var().0, node.width()),
        _ => {
            let value = pool.as_value(id).expect("a constant");
            constant(node.width(), value.limbs())
        }
    }
}

pub(in crate::z3) fn constant(width: u32, limbs: &[u64]) -> BV {
    let bits: Vec<bool> = (0..width as usize).map(|at| limbs[at / 64] >> (at % 64) & 1 != 0).collect();
    BV::from_bits(&bits).expect("a bit-vector has at least one bit")
}

fn binary(op: Op, a: BV, b: BV) -> BV {
    match op {
        Op::Add => a.bvadd(b),
        Op::Sub => a.bvsub(b),
        Op::Mul => a.bvmul(b),
        Op::UDiv => a.bvudiv(b),
        Op::SDiv => a.bvsdiv(b),
        Op::URem => a.bvurem(b),
        Op::SRem => a.bvsrem(b),
        Op::Shl => a.bvshl(b),
        Op::LShr => a.bvlshr(b),
        Op::AShr => a.bvashr(b),
        Op::And => a.bvand(b),
        Op::Or => a.bvor(b),
        Op::Xor => a.bvxor(b),
        Op::Concat => a.concat(b),
        _ => unreachable!("{} is no operation on two bit-vectors", op.name()),
    }
}
