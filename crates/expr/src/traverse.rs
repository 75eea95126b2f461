//! Walking expressions without recursion.

use crate::node::ExprId;
use crate::pool::ExprPool;

/// A set of expressions of a pool, dense over the ids that there are when it is made.
#[derive(Clone, Debug)]
pub struct ExprSet {
    words: Vec<u64>,
}

impl ExprSet {
    pub fn new(pool: &ExprPool) -> Self {
        ExprSet { words: vec![0; pool.id_bound().div_ceil(64)] }
    }

    pub fn contains(&self, id: ExprId) -> bool {
        self.words[id.index() / 64] >> (id.index() % 64) & 1 != 0
    }

    /// Returns whether the expression is new.
    pub fn insert(&mut self, id: ExprId) -> bool {
        let is_new = !self.contains(id);
        self.words[id.index() / 64] |= 1 << (id.index() % 64);
        is_new
    }
}

impl ExprPool {
    /// The roots and all they are made of, each once, operands before what uses them.
    pub fn postorder(&self, roots: &[ExprId]) -> Vec<ExprId> {
        let mut order = Vec::new();
        let mut seen = ExprSet::new(self);
        // With how many of its operands were entered.
        let mut stack: Vec<(ExprId, usize)> = Vec::new();
        for &root in roots {
            if seen.insert(root) {
                stack.push((root, 0));
            }
            while let Some((id, n_entered)) = stack.last_mut() {
                let node = self.node(*id);
                if *n_entered == node.op().arity() {
                    order.push(*id);
                    stack.pop();
                    continue;
                }
                let arg = node.arg(*n_entered);
                *n_entered += 1;
                if seen.insert(arg) {
                    stack.push((arg, 0));
                }
            }
        }
        order
    }
}
