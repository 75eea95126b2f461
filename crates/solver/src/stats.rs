//! What each layer has done.

use std::time::Duration;

use crate::query::Answer;

/// The account of one layer.
#[derive(Clone, Debug)]
pub struct LayerStats {
    pub layer: &'static str,
    /// Queries that reached the layer, and their constraints.
    pub n_queries: u64,
    pub n_constraints: u64,
    /// Queries that it answered itself.
    pub n_sat: u64,
    pub n_unsat: u64,
    pub n_unknown: u64,
    /// Time spent in the layer itself, without those after it. Measured for backends; for layers, estimated from a
    /// part of the queries, as measuring would take longer than they do.
    pub time: Duration,
}

impl LayerStats {
    pub fn new(layer: &'static str) -> Self {
        Self { layer, n_queries: 0, n_constraints: 0, n_sat: 0, n_unsat: 0, n_unknown: 0, time: Duration::ZERO }
    }

    /// Counts an answer that the layer gave itself.
    pub fn count(&mut self, answer: &Answer) {
        match answer {
            Answer::Sat(_) => self.n_sat += 1,
            Answer::Unsat(_) => self.n_unsat += 1,
            Answer::Unknown(_) => self.n_unknown += 1,
        }
    }

    /// Adds what another instance of the same layer has done.
    pub fn add(&mut self, other: &LayerStats) {
        self.n_queries += other.n_queries;
        self.n_constraints += other.n_constraints;
        self.n_sat += other.n_sat;
        self.n_unsat += other.n_unsat;
        self.n_unknown += other.n_unknown;
        self.time += other.time;
    }
}
