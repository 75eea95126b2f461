//! Syntactic contradiction: a target that is false, or the negation of another constraint.
//!
//! CUTE §3.5, OPT 1. As expressions are normalised and hash-consed, "syntactically" is more than it was there:
//! `x < 5` and `5 <= x` are found as well.

use spelunk_expr::ExprId;

use crate::chain::Layer;
use crate::query::{Answer, Query};
use crate::stage::{Context, Freed, Rest, Stage};

pub struct Contradiction;

impl Stage for Contradiction {
    fn name(&self) -> &'static str {
        Layer::Contradiction.name()
    }

    fn check(&mut self, cx: &mut Context<'_>, query: &Query<'_>, rest: &mut Rest<'_>) -> Answer {
        // The hint satisfies all others together, so there is a target in every contradiction.
        for &target in query.targets() {
            if target == ExprId::FALSE {
                return Answer::Unsat(vec![target]);
            }
            let negation = cx.pool.mk_not(target);
            if query.constraints.contains(&negation) {
                return Answer::Unsat(vec![negation, target]);
            }
        }
        rest.check(cx, query)
    }

    fn forget(&mut self, _freed: &Freed) {}
}
