//! Verification: values are an answer only if they satisfy the query.
//!
//! What comes from the layers and backends below is evaluated, so an error in any of them costs an answer but never
//! makes a wrong test. That a query is unsatisfiable can't be checked this way.

use crate::query::{Answer, Query, Unknown};
use crate::stage::{Context, Freed, Rest, Stage};

pub struct Verify;

impl Stage for Verify {
    fn name(&self) -> &'static str {
        "verify"
    }

    fn check(&mut self, cx: &mut Context<'_>, query: &Query<'_>, rest: &mut Rest<'_>) -> Answer {
        match rest.check(cx, query) {
            Answer::Sat(model) if !cx.satisfies(query, &model) => rest.overrule(Answer::Unknown(Unknown::WrongModel)),
            answer => answer,
        }
    }

    fn forget(&mut self, _freed: &Freed) {}
}
