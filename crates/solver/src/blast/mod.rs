//! The bit-blaster: expressions as gates, queries as assumptions of an incremental SAT solver.

use spelunk_expr::{ExprId, ExprPool};

use crate::Solver;
use crate::query::{Answer, Query, Unknown};
use crate::stats::LayerStats;

/// The SAT solver underneath.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum SatKind {
    #[default]
    Cadical,
}

pub struct Blaster {
    stats: LayerStats,
}

impl Blaster {
    pub fn new(_sat: SatKind) -> Self {
        Self { stats: LayerStats::new("blast") }
    }
}

impl Solver for Blaster {
    fn check(&mut self, _pool: &mut ExprPool, _query: &Query<'_>) -> Answer {
        Answer::Unknown(Unknown::Unsupported("everything"))
    }

    fn forget(&mut self, _pool: &ExprPool, _freed: &[ExprId]) {}

    fn stats(&self, out: &mut Vec<LayerStats>) {
        out.push(self.stats.clone());
    }
}
