//! What was given up, added up by place.

use rustc_hash::FxHashMap;
use spelunk_concolic::ledger::LedgerKind;
pub use spelunk_concolic::ledger::NOWHERE;
use spelunk_ir::code::OpIdx;

/// Why something was not explored, or not exactly.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Loss {
    /// In a run.
    Run(LedgerKind),
    /// A variable that nobody defines was taken for zeros.
    UndefinedVariable,
    /// The solver did not know whether an alternative has an input.
    SolverUnknown,
    /// Alternatives beyond the depth limit.
    DepthCut,
    /// Alternatives that a theory refused.
    Refused,
    /// A run left the path that was predicted for it.
    Divergence,
    /// An error of our own.
    Internal,
    /// A path ended at something that we can't run.
    Unsupported,
    /// A path was ended by a limit.
    Limit,
    /// Alternatives that lead to nothing that is looked for.
    BesideTargets,
    /// Alternatives that others stand for, since the inputs that differ have nothing to do with what follows.
    Independent,
    /// What depends on what was not followed: everything is explored from there on.
    FlowNotFollowed,
    /// Snapshots were dropped to make room: what went on from them starts from an earlier one.
    SnapshotsDropped,
}

/// What a loss means for the paths that were found.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Effect {
    /// There may be paths that nobody has looked at.
    Unexplored,
    /// There may be paths beyond what was asked for.
    BeyondBound,
    /// Something was taken to behave in a way that may not be its own.
    Assumed,
    /// No path is missing, but there is one for each value where a condition could have spoken of all.
    OneByOne,
    /// No path is missing, but part of what is told of them.
    LeftOut,
    /// Only time was lost.
    Slower,
    /// Nothing is missing but paths that show nothing new.
    Implied,
    /// Inputs are what they are said to be: no path of such an input is missing.
    Given,
}

impl Effect {
    /// The stable name in reports.
    pub fn slug(self) -> &'static str {
        match self {
            Self::Unexplored => "unexplored",
            Self::BeyondBound => "beyond-bound",
            Self::Assumed => "assumed",
            Self::OneByOne => "one-by-one",
            Self::LeftOut => "left-out",
            Self::Slower => "slower",
            Self::Implied => "implied",
            Self::Given => "given",
        }
    }
}

impl Loss {
    /// The stable name in reports.
    pub fn slug(self) -> &'static str {
        match self {
            Self::Run(kind) => kind.slug(),
            Self::UndefinedVariable => "undefined-variable",
            Self::SolverUnknown => "solver-unknown",
            Self::DepthCut => "depth-cut",
            Self::Refused => "refused",
            Self::Divergence => "divergence",
            Self::Internal => "internal-error",
            Self::Unsupported => "unsupported",
            Self::Limit => "limit",
            Self::BesideTargets => "beside-targets",
            Self::Independent => "independent",
            Self::FlowNotFollowed => "flow-not-followed",
            Self::SnapshotsDropped => "snapshots-dropped",
        }
    }

    pub fn effect(self) -> Effect {
        match self {
            Self::Run(
                LedgerKind::ConcreteAddress
                | LedgerKind::ConcreteValue
                | LedgerKind::ConcreteText
                | LedgerKind::FarOverlap,
            ) => Effect::OneByOne,
            Self::Run(
                LedgerKind::Stub(_)
                | LedgerKind::Uninitialised { .. }
                | LedgerKind::OpaquePointer
                | LedgerKind::EndedCheck
                | LedgerKind::UncheckedRules
                | LedgerKind::KeptApart,
            )
            | Self::UndefinedVariable => Effect::Assumed,
            Self::SolverUnknown
            | Self::Divergence
            | Self::Internal
            | Self::Unsupported
            | Self::Limit
            | Self::Run(LedgerKind::Environment(_)) => Effect::Unexplored,
            Self::DepthCut
            | Self::Refused
            | Self::BesideTargets
            | Self::Run(LedgerKind::NoObject | LedgerKind::Command | LedgerKind::Bound(_)) => Effect::BeyondBound,
            Self::Independent => Effect::Implied,
            Self::Run(LedgerKind::ObjectSize) => Effect::Given,
            Self::SnapshotsDropped | Self::FlowNotFollowed => Effect::Slower,
        }
    }
}

/// What was given up in one way at one operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    pub loss: Loss,
    pub site: OpIdx,
    pub count: u64,
    /// What exactly it was the first time, if there is more to say.
    pub detail: String,
}

#[derive(Clone, Debug, Default)]
pub struct Ledger {
    counts: FxHashMap<(Loss, OpIdx), (u64, String)>,
}

impl Ledger {
    /// Something was given up at an operation, so many times.
    pub fn add(&mut self, loss: Loss, site: OpIdx, count: u64) {
        self.add_with(loss, site, count, String::new);
    }

    /// The same, with what exactly it was.
    pub fn add_with(&mut self, loss: Loss, site: OpIdx, count: u64, detail: impl FnOnce() -> String) {
        if count > 0 {
            self.counts.entry((loss, site)).or_insert_with(|| (0, detail())).0 += count;
        }
    }

    pub fn merge(&mut self, other: &Ledger) {
        for (&(loss, site), (count, detail)) in &other.counts {
            self.add_with(loss, site, *count, || detail.clone());
        }
    }

    /// Whether an error of our own was met.
    pub fn has_internal(&self) -> bool {
        self.counts.keys().any(|&(loss, _)| loss == Loss::Internal)
    }

    /// What the losses together mean for the paths that were found: the worst, if there are any.
    pub fn effect(&self) -> Option<Effect> {
        self.counts.keys().map(|(loss, _)| loss.effect()).min()
    }

    /// All entries, the worst and then the most frequent first.
    pub fn entries(&self) -> Vec<Entry> {
        let entry = |(&(loss, site), (count, detail)): (&(Loss, OpIdx), &(u64, String))| Entry {
            loss,
            site,
            count: *count,
            detail: detail.clone(),
        };
        let mut entries: Vec<_> = self.counts.iter().map(entry).collect();
        entries.sort_unstable_by_key(|entry| {
            (entry.loss.effect(), std::cmp::Reverse(entry.count), entry.loss, entry.site)
        });
        entries
    }

    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }
}
