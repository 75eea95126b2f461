//! Expressions with variables replaced by other expressions.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::node::ExprId;
use crate::pool::ExprPool;

/// What variables are replaced by. In the replacements, others may be replaced in turn, but none by itself.
#[derive(Default)]
pub struct Substitution {
    replaced: FxHashMap<ExprId, ExprId>,
    /// What became of expressions.
    done: FxHashMap<ExprId, ExprId>,
}

impl Substitution {
    pub fn new(pairs: impl IntoIterator<Item = (ExprId, ExprId)>) -> Self {
        Substitution { replaced: pairs.into_iter().collect(), done: FxHashMap::default() }
    }

    pub fn apply(&mut self, pool: &mut ExprPool, root: ExprId) -> ExprId {
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if self.done.contains_key(&id) {
                stack.pop();
                continue;
            }
            let replacement = self.replaced.get(&id).copied();
            let operands: SmallVec<[ExprId; 3]> = match replacement {
                Some(by) => SmallVec::from_slice(&[by]),
                None => pool.node(id).args().collect(),
            };
            let n_waiting = stack.len();
            stack.extend(operands.iter().filter(|operand| !self.done.contains_key(operand)));
            if stack.len() != n_waiting {
                continue;
            }
            let new: SmallVec<[ExprId; 3]> = operands.iter().map(|operand| self.done[operand]).collect();
            let result = match replacement {
                Some(_) => new[0],
                None if new == operands => id,
                None => pool.mk_with_operands(id, &new),
            };
            self.done.insert(id, result);
            stack.pop();
        }
        self.done[&root]
    }
}
