//! The value of an expression under a model.
//!
//! Without recursion, as expressions are as deep as a program's loops are long, and without allocation once the tables
//! have grown: a dense memo over ids is invalidated by a new stamp, not by clearing. Of an `Ite` only the arm that is
//! taken is computed. Reading an array walks its stores from the newest on, so it takes as long as the chain of stores.

use spelunk_bv::wide;

use crate::model::Values;
use crate::node::{ExprId, Node};
use crate::op::Op;
use crate::pool::ExprPool;
use crate::semantics;
use crate::value::Value;

/// The memory of evaluation, to be kept and used again.
#[derive(Default)]
pub struct Evaluator {
    memo: Vec<Memo>,
    /// Entries of `memo` with this stamp are of the current model.
    stamp: u32,
    /// Values of more than 64 bits.
    limbs: Vec<u64>,
    /// Expressions whose values are asked for.
    stack: Vec<ExprId>,
}

#[derive(Clone, Copy, Default)]
struct Memo {
    /// The value, or where it begins in `limbs` if it has more than 64 bits.
    value: u64,
    stamp: u32,
}

/// Evaluation under one model: what was computed for one expression serves the next.
pub struct Evaluation<'a, V> {
    pool: &'a ExprPool,
    values: V,
    state: &'a mut Evaluator,
}

impl Evaluator {
    pub fn new() -> Self {
        Self::default()
    }

    /// Under a [`Model`](crate::Model), or one with changes laid over it.
    pub fn under<'a, V: Values>(&'a mut self, pool: &'a ExprPool, values: V) -> Evaluation<'a, V> {
        self.limbs.clear();
        self.stamp = self.stamp.checked_add(1).unwrap_or_else(|| {
            self.memo.fill(Memo::default());
            1
        });
        if self.memo.len() < pool.id_bound() {
            self.memo.resize(pool.id_bound(), Memo::default());
        }
        Evaluation { pool, values, state: self }
    }

    /// Goes on under the values that the last evaluation was under: what was computed then is still known. The pool may have
    /// grown since, but not have collected garbage.
    pub fn again<'a, V: Values>(&'a mut self, pool: &'a ExprPool, values: V) -> Evaluation<'a, V> {
        if self.memo.len() < pool.id_bound() {
            self.memo.resize(pool.id_bound(), Memo::default());
        }
        Evaluation { pool, values, state: self }
    }
}

impl<V: Values> Evaluation<'_, V> {
    /// The value of a bit-vector.
    pub fn eval(&mut self, id: ExprId) -> Value {
        self.compute(id);
        let width = self.pool.width(id);
        match width {
            ..=64 => Value::new(width, self.narrow(id)),
            _ => Value::from_limbs(width, self.wide(id)),
        }
    }

    /// The value of a bit-vector of at most 64 bits.
    pub fn eval_u64(&mut self, id: ExprId) -> u64 {
        assert!(self.pool.width(id) <= 64, "a value of {} bits is no u64", self.pool.width(id));
        self.compute(id);
        self.narrow(id)
    }

    /// The value of a condition.
    pub fn eval_bool(&mut self, id: ExprId) -> bool {
        debug_assert_eq!(self.pool.width(id), 1);
        self.eval_u64(id) != 0
    }

    #[inline(always)]
    fn is_known(&self, id: ExprId) -> bool {
        self.state.memo[id.index()].stamp == self.state.stamp
    }

    #[inline(always)]
    fn narrow(&self, id: ExprId) -> u64 {
        self.state.memo[id.index()].value
    }

    fn wide(&self, id: ExprId) -> &[u64] {
        let start = self.narrow(id) as usize;
        &self.state.limbs[start..start + wide::n_limbs(self.pool.width(id))]
    }

    #[inline(always)]
    fn set(&mut self, id: ExprId, value: u64) {
        self.state.memo[id.index()] = Memo { value, stamp: self.state.stamp };
    }

    fn set_wide(&mut self, id: ExprId, value: &[u64]) {
        let start = self.state.limbs.len();
        self.state.limbs.extend_from_slice(value);
        self.set(id, start as u64);
    }

    fn compute(&mut self, root: ExprId) {
        assert!(!self.pool.op(root).is_array(), "an array has no single value");
        self.state.stack.push(root);
        while let Some(&id) = self.state.stack.last() {
            if self.is_known(id) || self.step(id, self.pool.node(id)) {
                self.state.stack.pop();
            }
        }
    }

    /// Computes a node if what it needs is known; otherwise asks for that and returns false.
    fn step(&mut self, id: ExprId, node: Node) -> bool {
        match node.op() {
            Op::Const => self.set(id, node.const_value()),
            Op::WideConst => self.set_wide(id, self.pool.wide_limbs(node)),
            Op::Var => self.read_var(id, node),
            Op::Ite => return self.step_ite(id, node),
            Op::Select => return self.step_select(id, node),
            _ => {
                let n_waiting = self.state.stack.len();
                for arg in node.args() {
                    if !self.is_known(arg) {
                        self.state.stack.push(arg);
                    }
                }
                if self.state.stack.len() != n_waiting {
                    return false;
                }
                self.apply(id, node);
            }
        }
        true
    }

    fn apply(&mut self, id: ExprId, node: Node) {
        let mut values = [0; 3];
        let mut is_narrow = node.width() <= 64;
        for (value, arg) in values.iter_mut().zip(node.args()) {
            *value = self.narrow(arg);
            is_narrow &= self.pool.width(arg) <= 64;
        }
        let arg_width = self.pool.width(node.arg(0));
        if is_narrow {
            let value = semantics::eval_narrow(node, arg_width, values);
            return self.set(id, value);
        }
        let n_limbs = wide::n_limbs(node.width());
        let start = self.state.limbs.len();
        self.state.limbs.resize(start + n_limbs, 0);
        let (known, out) = self.state.limbs.split_at_mut(start);
        let mut args: [&[u64]; 3] = [&[]; 3];
        for ((slot, value), arg) in args.iter_mut().zip(&values).zip(node.args()) {
            *slot = match self.pool.width(arg) {
                ..=64 => std::slice::from_ref(value),
                width => &known[*value as usize..][..wide::n_limbs(width)],
            };
        }
        semantics::eval_wide(node, arg_width, args, out);
        if node.width() <= 64 {
            let value = out[0];
            self.state.limbs.truncate(start);
            self.set(id, value);
        } else {
            self.set(id, start as u64);
        }
    }

    fn read_var(&mut self, id: ExprId, node: Node) {
        if node.width() <= 64 {
            return self.set(id, self.values.narrow(node.var()));
        }
        let start = self.state.limbs.len();
        match self.values.wide(node.var()) {
            Some(value) => self.state.limbs.extend_from_slice(value.limbs()),
            None => self.state.limbs.resize(start + wide::n_limbs(node.width()), 0),
        }
        self.set(id, start as u64);
    }

    /// Asks for a value; returns whether it is known.
    fn need(&mut self, id: ExprId) -> bool {
        let is_known = self.is_known(id);
        if !is_known {
            self.state.stack.push(id);
        }
        is_known
    }

    fn step_ite(&mut self, id: ExprId, node: Node) -> bool {
        if !self.need(node.arg(0)) {
            return false;
        }
        let taken = node.arg(if self.narrow(node.arg(0)) != 0 { 1 } else { 2 });
        if !self.need(taken) {
            return false;
        }
        // A wide value is shared with the arm.
        self.set(id, self.narrow(taken));
        true
    }

    fn step_select(&mut self, id: ExprId, node: Node) -> bool {
        if !self.need(node.arg(1)) {
            return false;
        }
        let index = self.narrow(node.arg(1));
        let n_waiting = self.state.stack.len();
        let mut array = self.pool.node(node.arg(0));
        while array.op() == Op::Store {
            // Once one index is missing, the walk goes on to ask for all, so that it is made only once more.
            if self.need(array.arg(1)) && self.state.stack.len() == n_waiting && self.narrow(array.arg(1)) == index {
                return self.finish_select(id, array.arg(2));
            }
            array = self.pool.node(array.arg(0));
        }
        if self.state.stack.len() != n_waiting {
            return false;
        }
        let value = match array.op() {
            Op::ConstArray => return self.finish_select(id, array.arg(0)),
            Op::Table => self.pool.tables[array.word(0) as usize].element(array.width(), index),
            _ => self.values.array(array.var()).map_or(0, |array| array.element(index)),
        };
        self.set(id, value);
        true
    }

    fn finish_select(&mut self, id: ExprId, elem: ExprId) -> bool {
        if !self.need(elem) {
            return false;
        }
        self.set(id, self.narrow(elem));
        true
    }
}
