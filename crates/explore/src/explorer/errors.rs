//! Alternatives in which something goes wrong: before all others, as long as it is not known to; then they wait (`known`), so that paths
//! which end as others did take little time from those that may not. So do those of checks that have never failed (`doubts`).

use rustc_hash::FxHashSet;
use spelunk_concolic::decision::{Choice, DecisionKind};
use spelunk_ir::code::OpIdx;
use spelunk_vm::{Stop, TraceId};

use super::Explorer;
use super::doubts::Turn;
use crate::bugs::{self, BugKey};
use crate::strategy::Gain;
use crate::tree::{Features, Ticket, Tree};

#[derive(Default)]
pub(super) struct Errors {
    known: FxHashSet<BugKey>,
    /// The last is next.
    first: Vec<(Ticket, Turn)>,
}

impl Errors {
    pub fn is_known(&self, key: BugKey) -> bool {
        self.known.contains(&key)
    }
}

impl Explorer<'_> {
    /// Takes note of how a run ended. Says whether that is a bug that was not known.
    pub(super) fn note_error(&mut self, stop: &Stop) -> bool {
        bugs::key(self.program.image, stop).is_some_and(|key| self.errors.known.insert(key))
    }

    /// Whether an alternative leads to an error that is known, at the same place of the user's code.
    pub(super) fn is_known_error(&self, features: &Features) -> bool {
        // Where a pointer leads elsewhere, that may be an object as well.
        matches!(features.kind, DecisionKind::Check(kind) if self.errors.is_known((self.place_of(features), kind)))
    }

    /// The innermost operation of the user's code.
    pub(super) fn place_of(&self, features: &Features) -> OpIdx {
        let (image, traces) = (self.program.image, self.runner.traces());
        let stack = traces.into_iter().flat_map(|traces| traces.ops(TraceId(features.stack)).skip(1));
        let place = std::iter::once(features.site).chain(stack).find(|&op_idx| image.is_user_code(op_idx));
        place.unwrap_or(features.site)
    }

    /// A run has opened these, in the order of its decisions.
    pub(super) fn add_errors(&mut self, checks: Vec<Ticket>, gain: Gain) {
        let turns = self.turns(&checks, gain);
        self.errors.first.extend(checks.into_iter().zip(turns));
    }

    /// An error that is not known.
    pub(super) fn pick_error(&mut self) -> Option<Ticket> {
        while let Some(&(ticket, turn)) = self.errors.first.last() {
            if self.tree.is_open(ticket) {
                if self.is_known_error(&self.tree.features(ticket)) {
                    self.known.defer(ticket);
                } else if !self.defer_doubtful(ticket, turn) {
                    return Some(ticket);
                }
            }
            self.errors.first.pop();
        }
        None
    }
}

/// Whether an alternative is that something goes wrong.
pub(super) fn is_error(tree: &Tree, ticket: Ticket) -> bool {
    let features = tree.features(ticket);
    let is_violated = matches!((features.kind, features.choice), (DecisionKind::Check(_), Choice::Key(1)));
    is_violated || matches!((features.kind, features.choice), (DecisionKind::Region, Choice::Rest))
}
