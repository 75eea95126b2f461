//! Conditions under many assignments at once.
//!
//! To know for which values of a variable a condition holds, it is evaluated for all of them. Doing so 64 at a time
//! costs the walk through the expression, and the choice of what to compute, once per 64 values; the loops in between
//! are vectorised. For expressions of nothing wider than 64 bits that read no array variables, and of limited size.

use rustc_hash::FxHashMap;

use crate::node::{ExprId, Node, VarId};
use crate::op::Op;
use crate::pool::ExprPool;
use crate::semantics;

pub const N_LANES: usize = 64;

/// A value for each assignment.
pub type Lane = [u64; N_LANES];

/// How many steps conditions may take at all: 512 bytes each.
const MAX_STEPS: usize = 4096;

/// Some conditions, prepared. To be kept and used again.
#[derive(Default)]
pub struct Lanes {
    steps: Vec<Step>,
    values: Vec<Lane>,
    /// The steps that compute the expressions met so far.
    step_of: FxHashMap<ExprId, u32>,
    stack: Vec<ExprId>,
    max_steps: usize,
}

/// Operands are numbers of earlier steps.
enum Step {
    Const(u64),
    Var(VarId),
    Apply {
        node: Node,
        arg_width: u32,
        args: [u32; 3],
    },
    Choose {
        cond: u32,
        then: u32,
        other: u32,
    },
    /// The element of a constant table.
    Read {
        table: ExprId,
        index: u32,
    },
    /// What a store to an array leaves at an index.
    Written {
        at: u32,
        index: u32,
        elem: u32,
        before: u32,
    },
    /// A condition is complete.
    Condition(u32),
}

impl Lanes {
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes these the conditions that [`Lanes::run`] evaluates, in so many steps at most. Returns whether it can.
    pub fn prepare(&mut self, pool: &ExprPool, conditions: &[ExprId], max_steps: usize) -> bool {
        self.max_steps = max_steps.min(MAX_STEPS);
        self.steps.clear();
        self.step_of.clear();
        let is_prepared = conditions.iter().all(|&condition| {
            self.compile(pool, condition).is_some_and(|at| {
                self.steps.push(Step::Condition(at));
                true
            })
        });
        self.stack.clear();
        self.values.resize(self.values.len().max(self.steps.len()), [0; N_LANES]);
        is_prepared
    }

    /// How many steps the conditions take.
    pub fn n_steps(&self) -> usize {
        self.steps.len()
    }

    /// The lanes in which all conditions hold, as bits. `fill` gives a variable's values.
    pub fn run(&mut self, pool: &ExprPool, mut fill: impl FnMut(VarId, &mut Lane)) -> u64 {
        let mut holding = u64::MAX;
        for (at, step) in self.steps.iter().enumerate() {
            let (known, rest) = self.values.split_at_mut(at);
            let (of, out) = (|step: u32| &known[step as usize], &mut rest[0]);
            match *step {
                Step::Const(value) => *out = [value; N_LANES],
                Step::Var(var) => fill(var, out),
                Step::Apply { node, arg_width, args } => apply(node, arg_width, args.map(of), out),
                Step::Choose { cond, then, other } => {
                    let (cond, then, other) = (of(cond), of(then), of(other));
                    *out = std::array::from_fn(|lane| if cond[lane] != 0 { then[lane] } else { other[lane] });
                }
                Step::Read { table, index } => *out = of(index).map(|index| pool.table_element(table, index)),
                Step::Written { at, index, elem, before } => {
                    let (at, index, elem, before) = (of(at), of(index), of(elem), of(before));
                    *out = std::array::from_fn(|lane| if at[lane] == index[lane] { elem[lane] } else { before[lane] });
                }
                Step::Condition(condition) => {
                    holding &= of(condition).iter().rev().fold(0, |bits, &value| bits << 1 | value);
                    if holding == 0 {
                        break;
                    }
                }
            }
        }
        holding
    }

    /// The step that computes an expression, after those that it needs.
    fn compile(&mut self, pool: &ExprPool, root: ExprId) -> Option<u32> {
        self.stack.push(root);
        while let Some(&id) = self.stack.last() {
            if !self.step_of.contains_key(&id) {
                let node = pool.node(id);
                let n_waiting = self.stack.len();
                self.ask_for_operands(pool, node);
                if self.stack.len() != n_waiting {
                    if n_waiting > self.max_steps {
                        return None;
                    }
                    continue;
                }
                let step = self.step(pool, node)?;
                let at = self.push(step)?;
                self.step_of.insert(id, at);
            }
            self.stack.pop();
        }
        self.step_of.get(&root).copied()
    }

    fn push(&mut self, step: Step) -> Option<u32> {
        self.steps.push(step);
        (self.steps.len() <= self.max_steps).then_some(self.steps.len() as u32 - 1)
    }

    fn ask_for_operands(&mut self, pool: &ExprPool, node: Node) {
        let mut ask = |id: ExprId| {
            if !self.step_of.contains_key(&id) {
                self.stack.push(id);
            }
        };
        if node.op() != Op::Select {
            return node.args().for_each(ask);
        }
        ask(node.arg(1));
        let mut array = pool.node(node.arg(0));
        for _ in 0..self.max_steps {
            match array.op() {
                Op::Store => {
                    ask(array.arg(1));
                    ask(array.arg(2));
                    array = pool.node(array.arg(0));
                }
                Op::ConstArray => return ask(array.arg(0)),
                _ => return,
            }
        }
    }

    fn step(&mut self, pool: &ExprPool, node: Node) -> Option<Step> {
        if node.width() > 64 || node.args().any(|arg| pool.width(arg) > 64) {
            return None;
        }
        match node.op() {
            Op::Const => Some(Step::Const(node.const_value())),
            Op::Var => Some(Step::Var(node.var())),
            Op::Select => self.read(pool, node),
            op if op.is_array() => None,
            op => {
                let mut args = [0; 3];
                for (slot, arg) in args.iter_mut().zip(node.args()) {
                    *slot = self.step_of[&arg];
                }
                let [cond, then, other] = args;
                Some(match op {
                    Op::Ite => Step::Choose { cond, then, other },
                    _ => Step::Apply { node, arg_width: pool.width(node.arg(0)), args },
                })
            }
        }
    }

    /// The value below all stores, then what each store makes of it, from the oldest on.
    fn read(&mut self, pool: &ExprPool, select: Node) -> Option<Step> {
        let at = self.step_of[&select.arg(1)];
        let mut stores = Vec::new();
        let mut array = select.arg(0);
        while pool.op(array) == Op::Store && stores.len() < self.max_steps {
            stores.push(pool.node(array));
            array = pool.node(array).arg(0);
        }
        let elem = |of: &Self, id: ExprId| of.step_of.get(&id).copied();
        let mut value = match pool.op(array) {
            Op::Table => Step::Read { table: array, index: at },
            Op::ConstArray => {
                let everywhere = elem(self, pool.node(array).arg(0))?;
                Step::Choose { cond: everywhere, then: everywhere, other: everywhere }
            }
            _ => return None,
        };
        for store in stores.iter().rev() {
            let before = self.push(value)?;
            value = Step::Written { at, index: elem(self, store.arg(1))?, elem: elem(self, store.arg(2))?, before };
        }
        Some(value)
    }
}

macro_rules! specialised {
    ($node:ident, $arg_width:ident, $args:ident, $out:ident: $($op:ident)+) => {
        match $node.op() {
            $(Op::$op => apply_op(Op::$op, $node, $arg_width, $args, $out),)+
            op => apply_op(op, $node, $arg_width, $args, $out),
        }
    };
}

/// Computes one operation in all lanes. The frequent ones become loops without branches.
fn apply(node: Node, arg_width: u32, args: [&Lane; 3], out: &mut Lane) {
    specialised!(node, arg_width, args, out: Not Neg Add Sub Mul And Or Xor Eq Ult Ule Slt Sle Concat Extract ZExt SExt)
}

#[inline(always)]
fn apply_op(op: Op, node: Node, arg_width: u32, [a, b, c]: [&Lane; 3], out: &mut Lane) {
    for lane in 0..N_LANES {
        out[lane] = semantics::eval_op(op, node, arg_width, [a[lane], b[lane], c[lane]]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluator;
    use crate::model::Model;
    use crate::node::Sort;

    fn check(make: impl Fn(&mut ExprPool, ExprId, ExprId) -> ExprId) {
        let mut pool = ExprPool::new();
        let vars = [pool.new_var("x", Sort::Bv(8)), pool.new_var("y", Sort::Bv(8))];
        let (x, y) = (pool.mk_var(vars[0]), pool.mk_var(vars[1]));
        let condition = make(&mut pool, x, y);
        let bound = pool.mk_const(8, 250);
        let limit = pool.mk_ult(x, bound);
        let mut lanes = Lanes::new();
        assert!(lanes.prepare(&pool, &[condition, limit], MAX_STEPS));
        let mut evaluator = Evaluator::new();
        for (base, y) in [(0u64, 3u64), (192, 200), (64, 65)] {
            let bits = lanes.run(&pool, |var, lane| match var {
                var if var == vars[0] => *lane = std::array::from_fn(|at| base + at as u64),
                _ => *lane = [y; N_LANES],
            });
            for lane in 0..N_LANES as u64 {
                let mut model = Model::new();
                model.set_u64(vars[0], base + lane);
                model.set_u64(vars[1], y);
                let mut values = evaluator.under(&pool, &model);
                let expected = values.eval_bool(condition) && values.eval_bool(limit);
                assert_eq!(bits >> lane & 1 != 0, expected, "x = {}, y = {y}", base + lane);
            }
        }
    }

    #[test]
    fn operations_are_those_of_evaluation() {
        for &op in spelunk_bv::BinOp::ALL {
            for &cmp in spelunk_bv::CmpOp::ALL {
                check(|pool, x, y| {
                    let (wide, seven) = (pool.mk_sext(x, 20), pool.mk_const(20, 7));
                    let other = pool.mk_zext(y, 20);
                    let value = pool.mk_binop(op, wide, other);
                    let value = pool.mk_sub(seven, value);
                    pool.mk_cmp(cmp, value, wide)
                });
            }
        }
    }

    #[test]
    fn choices_and_tables() {
        check(|pool, x, y| {
            let table = pool.mk_table(8, 8, b"a table of bytes, shorter than the index may be");
            let stored = pool.mk_store(table, y, x);
            let stored = pool.mk_store(stored, x, y);
            let three = pool.mk_const(8, 3);
            let index = pool.mk_add(x, three);
            let read = pool.mk_select(stored, index);
            let bound = pool.mk_const(8, b'e' as u64);
            let is_low = pool.mk_ult(read, bound);
            let choice = pool.mk_ite(is_low, x, y);
            let blank = pool.mk_const_array(8, choice);
            let blank = pool.mk_store(blank, three, y);
            let again = pool.mk_select(blank, read);
            pool.mk_ule(again, read)
        });
    }

    #[test]
    fn what_is_wide_or_unknown_is_refused() {
        let mut pool = ExprPool::new();
        let (wide, array) = (Sort::Bv(65), Sort::Array { index_width: 8, elem_width: 8 });
        let vars = [wide, array, Sort::Bv(8)].map(|sort| pool.new_var("v", sort)).map(|var| pool.mk_var(var));
        let zero = pool.mk_const(65, 0);
        let is_zero = pool.mk_eq(vars[0], zero);
        let read = pool.mk_select(vars[1], vars[2]);
        let equal = pool.mk_eq(read, vars[2]);
        let mut lanes = Lanes::new();
        assert!(!lanes.prepare(&pool, &[is_zero], 256));
        assert!(!lanes.prepare(&pool, &[equal], 256));
        let one = pool.mk_const(8, 1);
        let mut long = vars[2];
        for _ in 0..256 {
            let next = pool.mk_mul(long, vars[2]);
            long = pool.mk_xor(next, one);
        }
        let long = pool.mk_eq(long, one);
        assert!(!lanes.prepare(&pool, &[long], 256));
        let short = pool.mk_eq(vars[2], one);
        assert!(lanes.prepare(&pool, &[short], 256));
        assert_eq!(lanes.run(&pool, |_, lane| *lane = std::array::from_fn(|at| at as u64)), 1 << 1);
    }
}
