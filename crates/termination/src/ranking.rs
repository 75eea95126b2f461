//! Values that fall in every round. In unsigned order nothing falls for ever, so no lower bound has to be known.

use crate::proof::{Next, Prover};
use crate::relation::Relation;
use spelunk_expr::{ExprId, ExprPool, Op};

const MOST_CANDIDATES: usize = 12;

/// Whether a value is proved to fall with the rounds, for all states that go that way.
pub fn falls(pool: &mut ExprPool, relation: &Relation) -> bool {
    let mut next = Next::new(pool, relation);
    let mut prover = Prover::default();
    let mut query = relation.conds.clone();
    candidates(pool, relation).into_iter().take(MOST_CANDIDATES).any(|value| {
        let then = next.of(pool, value);
        let falls = pool.mk_ult(then, value);
        let stays = pool.mk_not(falls);
        query.push(stays);
        let is_proved = prover.ask(pool, &query).is_unsat();
        query.pop();
        is_proved
    })
}

/// How far apart the two sides of a condition are, and the parts themselves.
fn candidates(pool: &mut ExprPool, relation: &Relation) -> Vec<ExprId> {
    let mut found = Vec::new();
    for &cond in &relation.conds {
        let node = pool.node(cond);
        let node = if node.op() == Op::Not { pool.node(node.arg(0)) } else { node };
        if matches!(node.op(), Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle) {
            let (a, b) = (node.arg(0), node.arg(1));
            found.extend([pool.mk_sub(b, a), pool.mk_sub(a, b)]);
        }
    }
    for part in &relation.parts {
        found.extend([part.symbol, pool.mk_neg(part.symbol)]);
    }
    found.retain(|&expr| !pool.is_const(expr));
    found.dedup();
    found
}
