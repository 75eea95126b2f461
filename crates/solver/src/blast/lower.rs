//! From expressions to bits: one arm for each operation, each node once for as long as the pool keeps it.
//!
//! Steps to add an operation: an arm in [`Circuit::lower_node`]. Floats are refused, and remembered as refused.

use spelunk_expr::{ExprId, ExprPool, Node, Op};

use super::arrays::small_elements;
use super::budget::{Budget, Stop};
use super::circuit::{Circuit, Lowered};
use super::gates::{Bit, Gate};
use super::poly::decide_equal;
use super::words::{Direction, Word, constant, not, sext, zext};

impl Circuit {
    /// The bits of a bit-vector.
    pub fn lower(&mut self, pool: &ExprPool, root: ExprId, budget: &Budget) -> Result<&[Bit], Stop> {
        self.words.grow(pool.id_bound());
        let mut stack = std::mem::take(&mut self.stack);
        stack.push(root);
        let outcome = self.lower_all(pool, &mut stack, budget);
        stack.clear();
        self.stack = stack;
        outcome?;
        self.words.get(root)
    }

    fn lower_all(&mut self, pool: &ExprPool, stack: &mut Vec<ExprId>, budget: &Budget) -> Result<(), Stop> {
        while let Some(&id) = stack.last() {
            if self.words.is_known(id) {
                stack.pop();
                continue;
            }
            let node = pool.node(id);
            let n_waiting = stack.len();
            // Arrays have no bits: what is written to them is lowered when a read turns out to need it.
            stack.extend(node.args().filter(|&arg| !pool.op(arg).is_array() && !self.words.is_known(arg)));
            if node.op() == Op::Select
                && let Some(elements) = small_elements(pool, node)
            {
                stack.extend(elements.exprs().filter(|&elem| !self.words.is_known(elem)));
            }
            if stack.len() != n_waiting {
                continue;
            }
            budget.check()?;
            let lowered = match self.lower_node(pool, id, node, budget) {
                Ok(word) => Lowered::Word(word),
                Err(Stop::Unsupported(what)) => Lowered::Unsupported(what),
                Err(stop) => return Err(stop),
            };
            self.words.set(id, lowered);
            stack.pop();
        }
        Ok(())
    }

    fn lower_node(&mut self, pool: &ExprPool, id: ExprId, node: Node, budget: &Budget) -> Result<Word, Stop> {
        let width = node.width() as usize;
        let mut args: [&[Bit]; 3] = [&[]; 3];
        for (slot, arg) in args.iter_mut().zip(node.args()) {
            if !pool.op(arg).is_array() {
                *slot = self.words.get(arg)?;
            }
        }
        let [a, b, c] = args;
        let gates = &mut self.gates;
        Ok(match node.op() {
            Op::Const => constant(width, node.const_value()),
            Op::WideConst => {
                let value = pool.as_value(id).ok_or(Stop::Unsupported("a constant without a value"))?;
                value.limbs().iter().flat_map(|&limb| constant(64, limb)).take(width).collect()
            }
            Op::Var => self.var_bits(node),
            Op::Not => not(a),
            Op::Neg => gates.neg(a),
            Op::Add => gates.add(a, b, Bit::FALSE),
            Op::Sub => gates.sub(a, b),
            Op::Mul => gates.mul(a, b, width, budget)?,
            Op::UDiv | Op::URem | Op::SDiv | Op::SRem => {
                let (a, b) = (a.to_vec(), b.to_vec());
                match node.op() {
                    Op::UDiv => self.udivide(&a, &b, budget)?.quotient,
                    Op::URem => self.udivide(&a, &b, budget)?.remainder,
                    Op::SDiv => self.sdivide(&a, &b, budget)?.quotient,
                    _ => self.sdivide(&a, &b, budget)?.remainder,
                }
            }
            Op::Shl => gates.shift(Direction::Left, a, b),
            Op::LShr => gates.shift(Direction::Right(Bit::FALSE), a, b),
            Op::AShr => gates.shift(Direction::Right(a[width - 1]), a, b),
            Op::And => gates.zip(a, b, |gates, a, b| gates.and(a, b)),
            Op::Or => gates.zip(a, b, |gates, a, b| gates.or(a, b)),
            Op::Xor => gates.zip(a, b, |gates, a, b| gates.xor(a, b)),
            Op::Eq => vec![match decide_equal(pool, node.arg(0), node.arg(1)) {
                Some(is_equal) => Bit::constant(is_equal),
                None => gates.eq(a, b),
            }],
            Op::Ult => vec![gates.less(a, b, Bit::FALSE)],
            Op::Ule => vec![gates.less(a, b, Bit::TRUE)],
            Op::Slt => vec![gates.signed_less(a, b, Bit::FALSE)],
            Op::Sle => vec![gates.signed_less(a, b, Bit::TRUE)],
            Op::SAddO => vec![gates.signed_add_overflows(a, b, Bit::FALSE)],
            Op::SSubO => vec![gates.signed_add_overflows(a, &not(b), Bit::TRUE)],
            Op::UMulO => vec![gates.umul_overflows(a, b, budget)?],
            Op::SMulO => vec![gates.smul_overflows(a, b, budget)?],
            Op::Concat => b.iter().chain(a).copied().collect(),
            Op::Extract => a[node.extract_low() as usize..][..width].to_vec(),
            Op::ZExt => zext(a, width),
            Op::SExt => sext(a, width),
            Op::Ite => gates.mux_words(a[0], b, c),
            Op::Select => self.lower_select(pool, id, node, budget)?,
            Op::ArrayVar | Op::Table | Op::ConstArray | Op::Store => {
                return Err(Stop::Unsupported("an array that is not read"));
            }
            Op::FAdd
            | Op::FSub
            | Op::FMul
            | Op::FDiv
            | Op::FRem
            | Op::FFma
            | Op::FSqrt
            | Op::FRound
            | Op::FEq
            | Op::FLt
            | Op::FLe
            | Op::FToF
            | Op::FToUi
            | Op::FToSi
            | Op::UiToF
            | Op::SiToF => return Err(Stop::Unsupported("floating point")),
        })
    }

    /// Of one variable always the same bits, even if its expression was dropped and made again.
    fn var_bits(&mut self, node: Node) -> Word {
        let (gates, var) = (&mut self.gates, node.var());
        self.var_bits
            .entry(var)
            .or_insert_with(|| (0..node.width()).map(|at| gates.add_leaf(Gate::Var { var, at })).collect())
            .clone()
    }
}
