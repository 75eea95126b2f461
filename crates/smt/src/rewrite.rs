//! Expressions made anew with other operands: how arguments get into the bodies of defined functions, and definitions
//! out of the way before a check.

use rustc_hash::FxHashMap;
use spelunk_expr::{ExprId, Op};

use crate::arrays::Selected;
use crate::context::{Context, Definition, Operands};

/// What to do about reads of an array that is a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choices {
    Keep,
    ReadThrough,
}

pub struct Rewriter {
    /// What became of expressions.
    done: FxHashMap<ExprId, ExprId>,
    /// Variables to replace by expressions that are rewritten too.
    replaced: FxHashMap<ExprId, ExprId>,
    choices: Choices,
    pub selected: Selected,
}

impl Rewriter {
    /// Replaces variables by expressions that stay as they are.
    pub fn substituting(pairs: impl IntoIterator<Item = (ExprId, ExprId)>) -> Self {
        Rewriter {
            done: pairs.into_iter().collect(),
            replaced: FxHashMap::default(),
            choices: Choices::Keep,
            selected: Selected::default(),
        }
    }

    /// Replaces variables by expressions in which others may be replaced, and reads through choices.
    pub fn eliminating(replaced: FxHashMap<ExprId, ExprId>) -> Self {
        Rewriter { done: FxHashMap::default(), replaced, choices: Choices::ReadThrough, selected: Selected::default() }
    }

    pub fn rewrite(&mut self, context: &mut Context, root: ExprId) -> ExprId {
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if self.done.contains_key(&id) {
                stack.pop();
                continue;
            }
            let operands = match self.replaced.get(&id) {
                Some(&by) => [by].into_iter().collect(),
                None => context.operands(id),
            };
            let n_waiting = stack.len();
            stack.extend(operands.iter().copied().filter(|operand| !self.done.contains_key(operand)));
            if stack.len() == n_waiting {
                let operands: Operands = operands.iter().map(|operand| self.done[operand]).collect();
                let new =
                    if self.replaced.contains_key(&id) { operands[0] } else { self.remake(context, id, operands) };
                self.done.insert(id, new);
                stack.pop();
            }
        }
        self.done[&root]
    }

    fn remake(&mut self, context: &mut Context, id: ExprId, operands: Operands) -> ExprId {
        if self.choices == Choices::ReadThrough && context.pool.op(id) == Op::Select {
            return context.mk_select_through(operands[0], operands[1], &mut self.selected);
        }
        if operands == context.operands(id) {
            return id;
        }
        match context.definition(id) {
            Some(&Definition::SameArray { elem, .. }) => context.mk_same_array(elem, operands[0], operands[1]),
            Some(Definition::ChosenArray { .. }) => context.mk_array_ite(operands[0], operands[1], operands[2]),
            Some(&Definition::Application { function, .. }) => {
                context.define(Definition::Application { function, args: operands })
            }
            None => context.pool.mk_with_operands(id, &operands),
        }
    }
}
