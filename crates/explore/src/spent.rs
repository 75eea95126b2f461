//! Where the time of a campaign went, by the decision whose alternatives were tried.

use std::time::Duration;

use rustc_hash::FxHashMap;

use crate::queries::Found;
use spelunk_ir::code::OpIdx;

/// What it took to find one path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    pub solver: Duration,
    pub run: Duration,
}

/// What the alternatives of one decision took and came to, on all paths.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SiteCost {
    /// Alternatives for which an input was found.
    pub n_sat: u64,
    /// Alternatives that have none.
    pub n_unsat: u64,
    pub n_unknown: u64,
    pub cost: Cost,
}

#[derive(Clone, Debug, Default)]
pub struct Spent {
    by_site: FxHashMap<OpIdx, SiteCost>,
}

impl Spent {
    /// A query about an alternative of the decision at an operation was answered.
    pub fn add_query(&mut self, site: OpIdx, found: &Found, time: Duration) {
        let spent = self.by_site.entry(site).or_default();
        match found {
            Found::Input(_) => spent.n_sat += 1,
            Found::Infeasible => spent.n_unsat += 1,
            Found::Unknown(_) => spent.n_unknown += 1,
        }
        spent.cost.solver += time;
    }

    /// A query was put aside.
    pub fn add_time(&mut self, site: OpIdx, time: Duration) {
        self.by_site.entry(site).or_default().cost.solver += time;
    }

    /// A run went to an alternative of the decision.
    pub fn add_run(&mut self, site: OpIdx, time: Duration) {
        self.by_site.entry(site).or_default().cost.run += time;
    }

    pub fn merge(&mut self, other: &Spent) {
        for (&site, theirs) in &other.by_site {
            let ours = self.by_site.entry(site).or_default();
            ours.n_sat += theirs.n_sat;
            ours.n_unsat += theirs.n_unsat;
            ours.n_unknown += theirs.n_unknown;
            ours.cost.solver += theirs.cost.solver;
            ours.cost.run += theirs.cost.run;
        }
    }

    /// By operation, in order.
    pub fn entries(&self) -> Vec<(OpIdx, SiteCost)> {
        let mut entries: Vec<_> = self.by_site.iter().map(|(&site, &spent)| (site, spent)).collect();
        entries.sort_unstable_by_key(|&(site, _)| site);
        entries
    }
}
