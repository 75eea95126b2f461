//! Z3 as a backend: everything that expressions can say, and formulas over integers and reals.

use spelunk_expr::{ExprId, ExprPool};

use crate::Solver;
use crate::query::{Answer, Query, Unknown};
use crate::stats::LayerStats;

pub struct Z3 {
    stats: LayerStats,
}

impl Z3 {
    pub fn new() -> Self {
        Self { stats: LayerStats::new("z3") }
    }
}

impl Solver for Z3 {
    fn check(&mut self, _pool: &mut ExprPool, _query: &Query<'_>) -> Answer {
        Answer::Unknown(Unknown::Unsupported("everything"))
    }

    fn forget(&mut self, _pool: &ExprPool, _freed: &[ExprId]) {}

    fn stats(&self, out: &mut Vec<LayerStats>) {
        out.push(self.stats.clone());
    }
}
