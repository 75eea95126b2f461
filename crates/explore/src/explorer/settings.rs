//! What an explorer is told before it begins, and what it counts.

use std::sync::Arc;
use std::time::Duration;

use spelunk_concolic::SummaryWork;
use spelunk_ir::code::OpIdx;
use spelunk_solver::Limits as QueryLimits;

use super::Met;
use crate::queries::Shortcuts;
use crate::strategy;
use crate::targets::Targets;

#[derive(Clone, Debug)]
pub struct Options {
    pub strategy: strategy::Kind,
    pub seed: u64,
    /// Decisions after so many others have their alternatives cut off.
    pub max_depth: u32,
    /// A path that makes so many decisions in a row without reaching anything new is put aside for a while.
    pub patience: usize,
    /// What one query may cost.
    pub query_limits: QueryLimits,
    /// How many bytes of snapshots to keep.
    pub snapshot_memory: u64,
    /// Once there are so many expressions, those that nothing needs any more are dropped.
    pub collect_at: usize,
    /// Common to the explorers of a campaign.
    pub met: Met,
    /// The same. If there are any, only what may lead to them is explored.
    pub targets: Arc<Targets>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            strategy: strategy::Kind::Interleaved,
            seed: 0,
            max_depth: u32::MAX,
            patience: 1000,
            query_limits: QueryLimits::default(),
            snapshot_memory: 256 << 20,
            collect_at: 1 << 18,
            met: Met::default(),
            targets: Arc::default(),
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Counters {
    pub n_runs: u64,
    pub n_divergences: u64,
    pub instructions: u64,
    pub n_queries: u64,
    pub shortcuts: Shortcuts,
    pub solver_time: Duration,
    pub run_time: Duration,
    /// How often expressions were collected.
    pub n_collections: u64,
    /// Answering calls by all paths of their functions.
    pub summaries: SummaryWork,
    /// Where long runs were that the end of the campaign interrupted.
    pub interrupted_at: Vec<OpIdx>,
}

impl Counters {
    pub fn add(&mut self, other: &Counters) {
        self.n_runs += other.n_runs;
        self.n_divergences += other.n_divergences;
        self.instructions += other.instructions;
        self.n_queries += other.n_queries;
        self.shortcuts.add(&other.shortcuts);
        self.solver_time += other.solver_time;
        self.run_time += other.run_time;
        self.n_collections += other.n_collections;
        self.summaries.n_answered += other.summaries.n_answered;
        self.summaries.n_tried += other.summaries.n_tried;
        self.summaries.time += other.summaries.time;
        self.interrupted_at.extend(&other.interrupted_at);
    }
}
