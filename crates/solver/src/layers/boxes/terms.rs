//! The expressions of a query and their values in the box at hand.

use rustc_hash::FxHashMap;
use spelunk_expr::{ExprId, ExprPool, Node, Op};

use super::value::{self, Value};

/// Operands before operations.
#[derive(Default)]
pub struct Terms {
    terms: Vec<Term>,
    index: FxHashMap<ExprId, u32>,
    /// Of those with the current stamp.
    values: Vec<Value>,
    stamps: Vec<u32>,
    stamp: u32,
    stack: Vec<u32>,
    waiting: Vec<ExprId>,
    /// How many values were computed since the terms were made.
    pub n_steps: u64,
}

pub struct Term {
    pub node: Node,
    pub arg_width: u32,
    /// Numbers of terms. Those of a read are its index only.
    pub args: [u32; 3],
    pub n_args: u8,
}

impl Terms {
    pub fn clear(&mut self) {
        self.terms.clear();
        self.index.clear();
        self.values.clear();
        self.stamps.clear();
        self.stamp = 0;
        self.n_steps = 0;
    }

    pub fn get(&self, at: u32) -> &Term {
        &self.terms[at as usize]
    }

    pub fn find(&self, id: ExprId) -> Option<u32> {
        self.index.get(&id).copied()
    }

    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Adds an expression with all that it is made of. Returns nothing where that has more than 64 bits or reads a
    /// variable array.
    pub fn add(&mut self, pool: &ExprPool, root: ExprId) -> Option<u32> {
        self.waiting.clear();
        self.waiting.push(root);
        while let Some(&id) = self.waiting.last() {
            if self.index.contains_key(&id) {
                self.waiting.pop();
                continue;
            }
            let node = pool.node(id);
            if node.width() > 64 || node.op().is_array() {
                return None;
            }
            let args: &[ExprId] = match node.op() {
                Op::Select if pool.op(node.arg(0)) == Op::Table => &[node.arg(1)],
                Op::Select => return None,
                op => &[node.arg(0), node.arg(1), node.arg(2)][..op.arity()],
            };
            let n_waiting = self.waiting.len();
            self.waiting.extend(args.iter().filter(|arg| !self.index.contains_key(arg)));
            if self.waiting.len() > n_waiting {
                continue;
            }
            let mut term = Term { node, arg_width: 0, args: [0; 3], n_args: args.len() as u8 };
            for (slot, arg) in term.args.iter_mut().zip(args) {
                *slot = self.index[arg];
            }
            if let Some(&first) = args.first() {
                term.arg_width = pool.width(first);
            }
            self.index.insert(id, self.terms.len() as u32);
            self.terms.push(term);
            self.values.push(Value::unknown(node.width()));
            self.stamps.push(0);
            self.waiting.pop();
        }
        self.find(root)
    }

    /// Begins another box. Variables have to be [`Terms::set`] before anything is computed.
    pub fn next_box(&mut self) {
        self.stamp += 1;
    }

    pub fn set(&mut self, at: u32, value: Value) {
        self.values[at as usize] = value;
        self.stamps[at as usize] = self.stamp;
    }

    /// The value of a term that was computed in this box.
    pub fn value(&self, at: u32) -> &Value {
        &self.values[at as usize]
    }

    pub fn compute(&mut self, pool: &ExprPool, root: u32) -> &Value {
        self.stack.push(root);
        while let Some(&at) = self.stack.last() {
            let term = &self.terms[at as usize];
            if self.stamps[at as usize] == self.stamp {
                self.stack.pop();
                continue;
            }
            let n_waiting = self.stack.len();
            let args = &term.args[..term.n_args as usize];
            self.stack.extend(args.iter().filter(|&&arg| self.stamps[arg as usize] != self.stamp));
            if self.stack.len() > n_waiting {
                continue;
            }
            let [a, b, c] = term.args.map(|arg| &self.values[arg as usize]);
            let node = term.node;
            self.values[at as usize] = match node.op() {
                Op::Const => Value::constant(node.width(), node.const_value()),
                Op::Var => Value::unknown(node.width()),
                Op::Select => pool.facts_of_select(node, &a.facts).map_or(Value::unknown(node.width()), Value::from),
                _ => value::apply(node, term.arg_width, [a, b, c]),
            };
            self.stamps[at as usize] = self.stamp;
            self.n_steps += 1;
            self.stack.pop();
        }
        self.value(root)
    }
}
