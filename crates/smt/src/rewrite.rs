//! Expressions made anew with other operands: how arguments get into the bodies of defined functions, and definitions
//! out of the way before a check.

use rustc_hash::FxHashMap;
use spelunk_bv::FCmpOp;
use spelunk_expr::{ExprId, Node, Op, Sort};

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
            None => remake_node(context, id, &operands),
        }
    }
}

/// The operation of an expression on other operands.
fn remake_node(context: &mut Context, id: ExprId, operands: &[ExprId]) -> ExprId {
    let pool = &mut context.pool;
    let node = pool.node(id);
    let op = node.op();
    match *operands {
        [a] => match op {
            Op::Not => pool.mk_not(a),
            Op::Neg => pool.mk_neg(a),
            Op::Extract => pool.mk_extract(a, node.extract_low(), node.width()),
            Op::ZExt => pool.mk_zext(a, node.width()),
            Op::SExt => pool.mk_sext(a, node.width()),
            Op::ConstArray => match pool.sort(id) {
                Sort::Array { index_width, .. } => pool.mk_const_array(index_width, a),
                Sort::Bv(_) => unreachable!("a constant array is an array"),
            },
            Op::FSqrt => pool.mk_fsqrt(node.kind(), a),
            Op::FRound => pool.mk_fround(node.kind(), node.round_op(), a),
            Op::FToF => pool.mk_fconvert(node.kind(), node.result_kind(), a),
            Op::FToUi | Op::FToSi => pool.mk_float_to_int(node.kind(), op.int_sign(), node.width(), a),
            Op::UiToF | Op::SiToF => pool.mk_int_to_float(node.kind(), op.int_sign(), a),
            _ => unreachable!("{} has one operand", op.name()),
        },
        [a, b] => remake_binary(context, node, a, b),
        [a, b, c] => match op {
            Op::Ite => pool.mk_ite(a, b, c),
            Op::Store => pool.mk_store(a, b, c),
            Op::FFma => pool.mk_fma(node.kind(), a, b, c),
            _ => unreachable!("{} has three operands", op.name()),
        },
        _ => unreachable!("{} has operands", op.name()),
    }
}

fn remake_binary(context: &mut Context, node: Node, a: ExprId, b: ExprId) -> ExprId {
    let pool = &mut context.pool;
    let op = node.op();
    if let Some(op) = op.binop() {
        return pool.mk_binop(op, a, b);
    }
    if let Some(op) = op.cmp() {
        return pool.mk_cmp(op, a, b);
    }
    if let Some(op) = op.overflow() {
        return pool.mk_overflow(op, a, b);
    }
    if let Some(op) = op.fbinop() {
        return pool.mk_fbinop(node.kind(), op, a, b);
    }
    match op {
        Op::Concat => pool.mk_concat(a, b),
        Op::Select => pool.mk_select(a, b),
        Op::FEq => pool.mk_fcmp(node.kind(), FCmpOp::Oeq, a, b),
        Op::FLt => pool.mk_fcmp(node.kind(), FCmpOp::Olt, a, b),
        Op::FLe => pool.mk_fcmp(node.kind(), FCmpOp::Ole, a, b),
        _ => unreachable!("{} has two operands", op.name()),
    }
}
