//! What was given up, added up by place.

use rustc_hash::FxHashMap;
use spelunk_concolic::ledger::LedgerKind;

/// Why something was not explored, or not exactly.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Loss {
    /// In a run.
    Run(LedgerKind),
    /// The solver did not know whether an alternative has an input.
    SolverUnknown,
    /// Alternatives beyond the depth limit.
    DepthCut,
    /// A run left the path that was predicted for it.
    Divergence,
    /// A path ended at something that we can't run.
    Unsupported,
    /// A path was ended by a limit.
    Limit,
    /// Snapshots were dropped to make room: what went on from them starts from an earlier one. Costs time only.
    SnapshotsDropped,
}

/// The place of what happens nowhere in the program.
pub const NOWHERE: u32 = u32::MAX;

impl Loss {
    /// The stable name in reports.
    pub fn slug(self) -> &'static str {
        match self {
            Self::Run(kind) => kind.slug(),
            Self::SolverUnknown => "solver-unknown",
            Self::DepthCut => "depth-cut",
            Self::Divergence => "divergence",
            Self::Unsupported => "unsupported",
            Self::Limit => "limit",
            Self::SnapshotsDropped => "snapshots-dropped",
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Ledger {
    counts: FxHashMap<(Loss, u32), u64>,
}

impl Ledger {
    /// Something was given up at an operation, so many times.
    pub fn add(&mut self, loss: Loss, site: u32, count: u64) {
        if count > 0 {
            *self.counts.entry((loss, site)).or_default() += count;
        }
    }

    pub fn merge(&mut self, other: &Ledger) {
        other.counts.iter().for_each(|(&(loss, site), &count)| self.add(loss, site, count));
    }

    /// All entries, the most frequent first.
    pub fn entries(&self) -> Vec<(Loss, u32, u64)> {
        let mut entries: Vec<_> = self.counts.iter().map(|(&(loss, site), &count)| (loss, site, count)).collect();
        entries.sort_unstable_by_key(|&(loss, site, count)| (std::cmp::Reverse(count), loss, site));
        entries
    }

    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }
}
