//! Whether constraints can hold together, and for which values.
//!
//! Enter at [`query`] for what is asked and answered, at [`chain`] for who answers, at [`stage`] for how a layer is
//! made. Backends are [`Solver`]s, and so is a chain of layers and backends: a layer answers what it can and hands the
//! rest to the next one.
//!
//! This crate knows nothing of programs, paths or memory.

pub mod blast;
pub mod chain;
pub mod layers;
mod names;
pub mod query;
pub mod stage;
pub mod stats;
pub mod unary;
pub mod z3;

pub use layers::log::LogError;
pub use query::{Answer, Limits, Query, Unknown};
pub use spelunk_deadline::Deadline;
pub use stats::LayerStats;

use spelunk_expr::{ExprId, ExprPool};

/// Something that answers queries.
pub trait Solver {
    /// The pool is the same in all calls, and may only grow between them except for what [`Solver::forget`] is told.
    fn check(&mut self, pool: &mut ExprPool, query: &Query<'_>) -> Answer;

    /// The pool has collected these expressions: their ids may come to mean something else.
    fn forget(&mut self, pool: &ExprPool, freed: &[ExprId]);

    /// Adds what this layer and those after it have done, in the order of the chain.
    fn stats(&self, out: &mut Vec<LayerStats>);

    /// Why queries are not logged although that was asked for.
    fn log_error(&self) -> Option<&LogError> {
        None
    }
}
