//! The constants that a constant is made of.

use crate::model::{ConstExpr, ConstId, ConstKind};

/// Calls `f` on each direct operand or element.
pub(crate) fn for_each_const_operand(kind: &ConstKind, mut f: impl FnMut(ConstId)) {
    match kind {
        ConstKind::Aggregate(elements) => elements.iter().copied().for_each(f),
        ConstKind::Expr(expr) => match expr {
            ConstExpr::Binary { lhs, rhs, .. } | ConstExpr::ICmp { lhs, rhs, .. } => {
                [*lhs, *rhs].into_iter().for_each(f)
            }
            ConstExpr::Cast { arg, .. } => f(*arg),
            ConstExpr::Select { cond, then, other } => [*cond, *then, *other].into_iter().for_each(f),
            ConstExpr::Gep { base, indices, .. } => {
                f(*base);
                indices.iter().copied().for_each(f);
            }
        },
        _ => {}
    }
}
