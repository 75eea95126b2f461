//! Rounds: a query gets little effort first, and all that it is allowed only if nobody could answer it.
//!
//! What is hard for one of the layers and backends behind this one is often easy for another. With little effort each
//! of them gets its turn before the first one tries all it can. But not for quotients: to make clauses of them is not
//! little.

use spelunk_expr::ExprId;

use super::hard::HardTerms;
use crate::chain::Layer;
use crate::query::{Answer, Limits, Query, Unknown};
use crate::stage::{Context, Freed, Rest, Stage};

#[derive(Default)]
pub struct Rounds {
    hard: HardTerms,
}

/// Conflicts: what a SAT solver does in a few milliseconds.
const LITTLE: u64 = 256;

impl Stage for Rounds {
    fn name(&self) -> &'static str {
        Layer::Rounds.name()
    }

    fn check(&mut self, cx: &mut Context<'_>, query: &Query<'_>, rest: &mut Rest<'_>) -> Answer {
        let has_quotients = |&constraint: &ExprId| self.hard.has_quotients(cx.pool, constraint);
        if query.limits.conflicts.is_some_and(|conflicts| conflicts <= LITTLE)
            || query.constraints.iter().any(has_quotients)
        {
            return rest.check(cx, query);
        }
        let limits = Limits { conflicts: Some(LITTLE), ..query.limits.clone() };
        match rest.check(cx, &Query { limits: &limits, ..*query }) {
            Answer::Unknown(Unknown::Conflicts) => rest.check(cx, query),
            answer => answer,
        }
    }

    fn forget(&mut self, freed: &Freed) {
        self.hard.forget(freed);
    }
}
