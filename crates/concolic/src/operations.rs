//! The expressions of operations on values of any width.
//!
//! One function, [`mk_operation`], that says each [`Operation`] of the VM with the pool's `mk_` functions. It keeps no state.

use crate::machine::Provenance;
use smallvec::SmallVec;
use spelunk_bv::{CmpOp, FBinOp, Signedness};
use spelunk_expr::{ExprId, ExprPool};
use spelunk_vm::{Operand, Operation};

/// The expression of the operation's result.
pub(crate) fn mk_operation(
    pool: &mut ExprPool,
    provenance: &Provenance,
    op: Operation,
    operands: &[Operand<'_>],
) -> ExprId {
    let exprs: SmallVec<[ExprId; 4]> = operands.iter().map(|operand| mk_operand(pool, provenance, operand)).collect();
    build(pool, op, &exprs)
}

/// An operand's expression in the operand's width.
pub(crate) fn mk_operand(pool: &mut ExprPool, provenance: &Provenance, operand: &Operand<'_>) -> ExprId {
    let expr = provenance.expr(operand.expr);
    if expr.is_none() { pool.mk_const_limbs(operand.width, operand.limbs) } else { pool.mk_zext(expr, operand.width) }
}

fn build(pool: &mut ExprPool, op: Operation, exprs: &[ExprId]) -> ExprId {
    use Operation::*;
    match (op, exprs) {
        (Binary(op), &[a, b]) => pool.mk_binop(op, a, b),
        (Compare(op), &[a, b]) => pool.mk_cmp(op, a, b),
        (Unary(op), &[a]) => pool.mk_unop(op, a),
        (Sat(op), &[a, b]) => pool.mk_sat(op, a, b),
        (Funnel(op), &[a, b, c]) => pool.mk_funnel(op, a, b, c),
        (Overflow(op), &[a, b]) => pool.mk_overflow(op, a, b),
        (ThreeWay { sign, to }, &[a, b]) => {
            let less = if sign == Signedness::Signed { CmpOp::Slt } else { CmpOp::Ult };
            let is_less = pool.mk_cmp(less, a, b);
            let differs = pool.mk_ne(a, b);
            let at_least = pool.mk_zext(differs, to);
            let minus_one = pool.mk_sext(ExprId::TRUE, to);
            pool.mk_ite(is_less, minus_one, at_least)
        }
        (Resize { sign, to }, &[a]) => match (to > pool.width(a), sign) {
            (true, Signedness::Signed) => pool.mk_sext(a, to),
            (true, Signedness::Unsigned) => pool.mk_zext(a, to),
            (false, _) => pool.mk_trunc(a, to),
        },
        (FBinary(kind, op), &[a, b]) => pool.mk_fbinop(kind, op, a, b),
        (FCompare(kind, op), &[a, b]) => pool.mk_fcmp(kind, op, a, b),
        (FNeg(kind), &[a]) => pool.mk_fneg(kind, a),
        (FAbs(kind), &[a]) => pool.mk_fabs(kind, a),
        (CopySign(kind), &[a, b]) => pool.mk_copysign(kind, a, b),
        (Sqrt(kind), &[a]) => pool.mk_fsqrt(kind, a),
        (Round(kind, op), &[a]) => pool.mk_fround(kind, op, a),
        (FMinMax(kind, op), &[a, b]) => pool.mk_fmin_max(kind, op, a, b),
        (Fma(kind), &[a, b, c]) => pool.mk_fma(kind, a, b, c),
        (FMulAdd(kind), &[a, b, c]) => {
            let product = pool.mk_fbinop(kind, FBinOp::FMul, a, b);
            pool.mk_fbinop(kind, FBinOp::FAdd, product, c)
        }
        (IsFpClass(kind, mask), &[a]) => pool.mk_is_fpclass(kind, a, mask),
        (FConvert { from, to }, &[a]) => pool.mk_fconvert(from, to, a),
        (ToInt { kind, sign, to }, &[a]) => pool.mk_float_to_int(kind, sign, to, a),
        (ToIntSat { kind, sign, to }, &[a]) => pool.mk_float_to_int_sat(kind, sign, to, a),
        (FromInt { kind, sign }, &[a]) => pool.mk_int_to_float(kind, sign, a),
        (Select, &[cond, then, other]) => pool.mk_ite(cond, then, other),
        (Concat, [lowest, higher @ ..]) => higher.iter().fold(*lowest, |low, &high| pool.mk_concat(high, low)),
        (Extract { low, width }, &[a]) => pool.mk_extract(a, low, width),
        _ => panic!("{op:?} with {} operands", exprs.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spelunk_bv::float::{self, FloatKind};
    use spelunk_bv::{BinOp, FCmpOp, FMinMaxOp, FunnelOp, OverflowOp, RoundOp, SatOp, UnOp};
    use spelunk_expr::{Evaluator, Model, Sort, Value};
    use spelunk_vm::{Carried, Limbs};

    /// Numbers without a pattern, the same in each run.
    struct Numbers(u64);

    impl Numbers {
        fn next(&mut self) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let mixed = (self.0 ^ self.0 >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
            mixed ^ mixed >> 29
        }

        /// Often a value at an end of the range, or next to one.
        fn value(&mut self, width: u32) -> Limbs {
            let random: Vec<u64> = (0..width.div_ceil(64)).map(|_| self.next()).collect();
            let ends = [vec![0; random.len()], vec![u64::MAX; random.len()], vec![1]];
            let limbs = match self.next() % 8 {
                idx @ 0..=2 => ends[idx as usize].clone(),
                3 => vec![self.next() % 256],
                4 => {
                    let mut sign = vec![0; random.len()];
                    sign[((width - 1) / 64) as usize] = 1 << ((width - 1) % 64);
                    sign
                }
                _ => random,
            };
            Value::from_limbs(width, &limbs).limbs().into()
        }

        fn float(&mut self, kind: FloatKind) -> Limbs {
            let bits = match self.next() % 8 {
                0 => float::zero(kind),
                1 => float::infinity(kind),
                2 => float::default_nan(kind),
                3 => float::neg(kind, float::infinity(kind)),
                4 => float::from_int(kind, &[self.next() % 1000], 64, Signedness::Signed),
                5 => float::binop(
                    kind,
                    FBinOp::FDiv,
                    float::from_int_narrow(kind, self.next(), 64, Signedness::Signed),
                    float::from_int_narrow(kind, self.next() % 1000, 64, Signedness::Unsigned),
                ),
                _ => return self.value(kind.bits()),
            };
            Value::from_limbs(kind.bits(), &[bits as u64, (bits >> 64) as u64]).limbs().into()
        }
    }

    /// What operands an operation takes, and how their values are made.
    #[derive(Clone, Copy)]
    enum Take {
        Int(u32),
        Float(FloatKind),
    }

    fn check(numbers: &mut Numbers, op: Operation, takes: &[Take]) {
        for round in 0..24 {
            let width = |take: Take| match take {
                Take::Int(width) => width,
                Take::Float(kind) => kind.bits(),
            };
            let values: Vec<Limbs> = takes
                .iter()
                .map(|&take| match take {
                    Take::Int(width) => numbers.value(width),
                    Take::Float(kind) => numbers.float(kind),
                })
                .collect();
            let mut pool = ExprPool::new();
            let mut model = Model::new();
            // At least the first operand is a variable; the others are variables or known.
            let mut operands: Vec<Operand<'_>> = Vec::new();
            for (i, (&take, limbs)) in takes.iter().zip(&values).enumerate() {
                let mut expr = Carried::NONE;
                if i == 0 || numbers.next().is_multiple_of(2) {
                    let var = pool.new_var("x", Sort::Bv(width(take)));
                    model.set(var, &Value::from_limbs(width(take), limbs));
                    expr = Carried(pool.mk_var(var).raw());
                }
                operands.push(Operand { width: width(take), limbs, expr });
            }
            let result = mk_operation(&mut pool, &Provenance::default(), op, &operands);
            let found = Evaluator::new().under(&pool, &model).eval(result);
            assert_eq!(
                found,
                Value::from_limbs(op.width(&operands), &op.eval(&operands)),
                "{op:?} {values:x?} {round}"
            );
        }
    }

    const WIDTHS: &[u32] = &[1, 7, 8, 16, 33, 64, 65, 80, 128, 200];

    #[test]
    fn integers() {
        let mut numbers = Numbers(1);
        for &width in WIDTHS {
            let mut two = |op| check(&mut numbers, op, &[Take::Int(width); 2]);
            BinOp::ALL.iter().for_each(|&op| two(Operation::Binary(op)));
            CmpOp::ALL.iter().for_each(|&op| two(Operation::Compare(op)));
            SatOp::ALL.iter().for_each(|&op| two(Operation::Sat(op)));
            OverflowOp::ALL.iter().for_each(|&op| two(Operation::Overflow(op)));
            for &sign in Signedness::ALL {
                two(Operation::ThreeWay { sign, to: 2 });
                two(Operation::ThreeWay { sign, to: 72 });
            }
            for &op in UnOp::ALL.iter().filter(|&&op| op != UnOp::Bswap || width % 16 == 0) {
                check(&mut numbers, Operation::Unary(op), &[Take::Int(width)]);
            }
            FunnelOp::ALL.iter().for_each(|&op| check(&mut numbers, Operation::Funnel(op), &[Take::Int(width); 3]));
        }
    }

    #[test]
    fn bits_that_only_move() {
        let mut numbers = Numbers(2);
        for &from in WIDTHS {
            for &to in WIDTHS {
                for &sign in Signedness::ALL {
                    check(&mut numbers, Operation::Resize { sign, to }, &[Take::Int(from)]);
                }
                check(&mut numbers, Operation::Concat, &[Take::Int(from), Take::Int(to), Take::Int(3)]);
                if to < from {
                    check(&mut numbers, Operation::Extract { low: from - to, width: to }, &[Take::Int(from)]);
                    check(&mut numbers, Operation::Extract { low: 1.min(from - to), width: to }, &[Take::Int(from)]);
                }
            }
            check(&mut numbers, Operation::Select, &[Take::Int(1), Take::Int(from), Take::Int(from)]);
        }
    }

    #[test]
    fn floats() {
        let mut numbers = Numbers(3);
        for kind in FloatKind::ALL {
            let take = Take::Float(kind);
            let mut some = |op, n| check(&mut numbers, op, &[take; 3][..n]);
            FBinOp::ALL.iter().for_each(|&op| some(Operation::FBinary(kind, op), 2));
            FCmpOp::ALL.iter().for_each(|&op| some(Operation::FCompare(kind, op), 2));
            FMinMaxOp::ALL.iter().for_each(|&op| some(Operation::FMinMax(kind, op), 2));
            RoundOp::ALL.iter().for_each(|&op| some(Operation::Round(kind, op), 1));
            for op in [Operation::FNeg, Operation::FAbs, Operation::Sqrt] {
                some(op(kind), 1);
            }
            some(Operation::CopySign(kind), 2);
            some(Operation::Fma(kind), 3);
            some(Operation::FMulAdd(kind), 3);
            (0..10).for_each(|class| some(Operation::IsFpClass(kind, 1 << class), 1));
            some(Operation::IsFpClass(kind, 0b10_1010_0110), 1);
            let others = FloatKind::ALL.into_iter().filter(|&to| to != kind);
            others.for_each(|to| some(Operation::FConvert { from: kind, to }, 1));
            for &width in WIDTHS {
                for &sign in Signedness::ALL {
                    check(&mut numbers, Operation::ToInt { kind, sign, to: width }, &[take]);
                    check(&mut numbers, Operation::ToIntSat { kind, sign, to: width }, &[take]);
                    check(&mut numbers, Operation::FromInt { kind, sign }, &[Take::Int(width)]);
                }
            }
        }
    }

    #[test]
    fn a_narrow_expression_is_extended_with_zeros() {
        let mut pool = ExprPool::new();
        let var = pool.new_var("x", Sort::Bv(8));
        let expr = Carried(pool.mk_var(var).raw());
        let limbs = [0xff, 0];
        let operands =
            [Operand { width: 128, limbs: &limbs, expr }, Operand { width: 128, limbs: &[1, 0], expr: Carried::NONE }];
        let result = mk_operation(&mut pool, &Provenance::default(), Operation::Compare(CmpOp::Slt), &operands);
        let mut model = Model::new();
        model.set_u64(var, 0xff);
        assert_eq!(Evaluator::new().under(&pool, &model).eval(result).as_u64(), Some(0));
    }
}
