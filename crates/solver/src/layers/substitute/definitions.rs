//! Variables and what they must be equal to, by the equalities of a query.

use spelunk_expr::{ExprId, ExprPool, FreeVars, Op, Substitution, VarId};

use crate::stage::Context;

/// How many variables are replaced at most.
const MAX_DEFINITIONS: usize = 256;

/// How many terms of one equality are looked at.
const MAX_TERMS: usize = 16;

struct Definition {
    var: VarId,
    term: ExprId,
    /// The constraint that it follows from.
    constraint: ExprId,
}

/// No variable is defined by itself, also not by way of others.
#[derive(Default)]
pub(super) struct Definitions {
    all: Vec<Definition>,
}

/// Whether a constraint may define a variable. That it has one value is what propagation finds out as well.
pub(super) fn is_candidate(pool: &ExprPool, constraint: ExprId) -> bool {
    let node = pool.node(constraint);
    node.op() == Op::Eq && node.args().all(|arg| !pool.is_const(arg))
}

impl Definitions {
    pub fn find(&mut self, cx: &mut Context<'_>, constraints: &[ExprId]) {
        self.all.clear();
        for &constraint in constraints {
            if is_candidate(cx.pool, constraint) {
                self.read(cx, constraint);
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (VarId, ExprId)> + '_ {
        self.all.iter().map(|definition| (definition.var, definition.term))
    }

    pub fn substitution(&self, pool: &mut ExprPool) -> Substitution {
        Substitution::new(self.iter().map(|(var, term)| (pool.mk_var(var), term)))
    }

    /// Whether a definition follows from this constraint.
    pub fn is_made_of(&self, constraint: ExprId) -> bool {
        self.all.iter().any(|definition| definition.constraint == constraint)
    }

    /// Undoes what can be undone on either side of an equality, down to variables.
    fn read(&mut self, cx: &mut Context<'_>, constraint: ExprId) {
        let node = cx.pool.node(constraint);
        let (left, right) = (node.arg(0), node.arg(1));
        let mut equal = vec![(right, left), (left, right)];
        for _ in 0..MAX_TERMS {
            let Some((term, value)) = equal.pop() else { break };
            let pool = &mut *cx.pool;
            let node = pool.node(term);
            match node.op() {
                Op::Var => self.define(cx, node.var(), value, constraint),
                Op::Neg => equal.push((node.arg(0), pool.mk_neg(value))),
                Op::Not => equal.push((node.arg(0), pool.mk_not(value))),
                Op::Add => {
                    for [a, b] in [[0, 1], [1, 0]] {
                        equal.push((node.arg(a), pool.mk_sub(value, node.arg(b))));
                    }
                }
                Op::Xor => {
                    for [a, b] in [[0, 1], [1, 0]] {
                        equal.push((node.arg(a), pool.mk_xor(value, node.arg(b))));
                    }
                }
                Op::Sub => {
                    equal.push((node.arg(0), pool.mk_add(value, node.arg(1))));
                    equal.push((node.arg(1), pool.mk_sub(node.arg(0), value)));
                }
                Op::Concat => {
                    let low_width = pool.width(node.arg(1));
                    equal.push((node.arg(1), pool.mk_trunc(value, low_width)));
                    equal.push((node.arg(0), pool.mk_extract(value, low_width, node.width() - low_width)));
                }
                Op::ZExt | Op::SExt => equal.push((node.arg(0), pool.mk_trunc(value, pool.width(node.arg(0))))),
                _ => {}
            }
        }
    }

    fn define(&mut self, cx: &mut Context<'_>, var: VarId, term: ExprId, constraint: ExprId) {
        let is_new = self.all.len() < MAX_DEFINITIONS && self.find_var(var).is_none();
        if is_new && !self.depends_on(cx.pool, cx.free_vars, term, var) {
            self.all.push(Definition { var, term, constraint });
        }
    }

    fn find_var(&self, var: VarId) -> Option<usize> {
        self.all.iter().position(|definition| definition.var == var)
    }

    /// Whether a variable is in a term, or in a definition of one that is.
    fn depends_on(&self, pool: &ExprPool, free_vars: &mut FreeVars, term: ExprId, var: VarId) -> bool {
        let mut is_seen = vec![false; self.all.len()];
        let mut terms = vec![term];
        while let Some(term) = terms.pop() {
            let vars = free_vars.of(pool, term);
            if free_vars.contains(vars, var) {
                return true;
            }
            for (definition, is_seen) in self.all.iter().zip(&mut is_seen) {
                if !*is_seen && free_vars.contains(vars, definition.var) {
                    *is_seen = true;
                    terms.push(definition.term);
                }
            }
        }
        false
    }

    /// These constraints and those that what they became of them follows from.
    pub fn behind(&self, cx: &mut Context<'_>, constraints: &[ExprId]) -> Vec<ExprId> {
        let mut all = constraints.to_vec();
        let mut at = 0;
        while let Some(&constraint) = all.get(at) {
            at += 1;
            let vars = cx.free_vars.of(cx.pool, constraint);
            for definition in &self.all {
                if cx.free_vars.contains(vars, definition.var) && !all.contains(&definition.constraint) {
                    all.push(definition.constraint);
                }
            }
        }
        all
    }
}
