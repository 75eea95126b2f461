//! Conditions that say where pointers lead, compared with each other.

use smallvec::SmallVec;
use spelunk_expr::{ExprId, ExprPool, Op, VarId};

/// A pointer is `shift` bytes above `other`, or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Relation {
    pub pointer: VarId,
    /// None: it is compared with null.
    pub other: Option<VarId>,
    pub shift: i64,
    pub is_equal: bool,
}

/// Relations that hold together.
pub(crate) type Relations = SmallVec<[Relation; 1]>;

/// The relations of pointers that a condition is, if it is nothing else.
pub(crate) fn relations(pool: &ExprPool, cond: ExprId, is_pointer: impl Fn(VarId) -> bool) -> Relations {
    let mut found = Relations::new();
    let mut waiting: SmallVec<[(ExprId, bool); 4]> = SmallVec::from_elem((cond, true), 1);
    while let Some((cond, holds)) = waiting.pop() {
        let node = pool.node(cond);
        match (node.op(), holds) {
            (Op::Not, _) => waiting.push((node.arg(0), !holds)),
            (Op::And, true) | (Op::Or, false) => waiting.extend([1, 0].map(|arg| (node.arg(arg), holds))),
            (Op::Eq, _) => match relation(pool, cond, holds, &is_pointer) {
                Some(relation) => found.push(relation),
                None => return Relations::new(),
            },
            _ => return Relations::new(),
        }
    }
    found
}

fn relation(
    pool: &ExprPool,
    equation: ExprId,
    is_equal: bool,
    is_pointer: &impl Fn(VarId) -> bool,
) -> Option<Relation> {
    let node = pool.node(equation);
    let (a, b) = (sum(pool, node.arg(0))?, sum(pool, node.arg(1))?);
    let shift = b.1.wrapping_sub(a.1);
    match (a.0.filter(|&var| is_pointer(var)), b.0.filter(|&var| is_pointer(var))) {
        (Some(pointer), Some(other)) => Some(Relation { pointer, other: Some(other), shift, is_equal }),
        (Some(pointer), None) if b.0.is_none() => Some(Relation { pointer, other: None, shift, is_equal }),
        (None, Some(pointer)) if a.0.is_none() => {
            Some(Relation { pointer, other: None, shift: shift.wrapping_neg(), is_equal })
        }
        _ => None,
    }
}

/// A variable and what is added to it, or a constant.
fn sum(pool: &ExprPool, expr: ExprId) -> Option<(Option<VarId>, i64)> {
    let node = pool.node(expr);
    match node.op() {
        Op::Var => Some((Some(node.var()), 0)),
        Op::Add => {
            let (var, constant) = (pool.node(node.arg(0)), pool.as_const(node.arg(1))?);
            (var.op() == Op::Var).then(|| (Some(var.var()), constant as i64))
        }
        _ => pool.as_const(expr).map(|constant| (None, constant as i64)),
    }
}
