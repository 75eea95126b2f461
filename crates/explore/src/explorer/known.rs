//! Alternatives that only lead to errors which are known: they wait until there is little else to do.
//!
//! Where every second input ends in the same error, exploring comes to nothing else: each path opens alternatives that end there again.
//! So it is counted what comes of the alternatives of each decision. One whose last runs have all ended in known errors is put
//! behind all others, and tried now and then: whatever else it leads to is found, later. Whatever waits here is open.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};
use spelunk_concolic::Run;
use spelunk_concolic::decision::Choice;
use spelunk_ir::code::OpIdx;

use super::Explorer;
use crate::bugs::{self, BugKey, Cause};
use crate::tree::{Features, Ticket, Tree};

/// After so many runs in a row to known errors, an alternative is put behind others.
const ENOUGH: u32 = 8;

/// Of so many alternatives that are explored, one is such an alternative.
const NOW_AND_THEN: u32 = 32;

#[derive(Default)]
pub(super) struct Known {
    errors: FxHashSet<(BugKey, Cause)>,
    /// By decision and alternative, how many runs have ended in known errors since one has not.
    in_a_row: FxHashMap<(OpIdx, Choice), u32>,
    /// In the order in which they were put off.
    waiting: VecDeque<Ticket>,
    /// The same.
    deferred: FxHashSet<Ticket>,
    n_picked: u32,
}

impl Known {
    /// Puts an alternative behind others.
    pub fn defer(&mut self, ticket: Ticket) {
        if self.deferred.insert(ticket) {
            self.waiting.push_back(ticket);
        }
    }

    pub fn tidy(&mut self, tree: &Tree) {
        self.waiting.retain(|&ticket| tree.is_open(ticket));
        self.deferred.retain(|&ticket| tree.is_open(ticket));
    }
}

impl Explorer<'_> {
    /// Takes down what came of an alternative.
    pub(super) fn learn_end(&mut self, way: (OpIdx, Choice), run: &Run) {
        let image = self.program.image;
        let error = bugs::key(image, &run.stop).map(|key| (key, bugs::cause(image, run)));
        let is_known = error.is_some_and(|error| !self.known.errors.insert(error));
        let in_a_row = self.known.in_a_row.entry(way).or_default();
        *in_a_row = if is_known { *in_a_row + 1 } else { 0 };
    }

    /// Puts an alternative behind others if it is likely to lead to a known error.
    pub(super) fn defer_known(&mut self, ticket: Ticket) -> bool {
        let Features { site, choice, .. } = self.tree.features(ticket);
        let defers = self.known.in_a_row.get(&(site, choice)).is_some_and(|&n| n >= ENOUGH);
        if defers {
            self.known.defer(ticket);
        }
        defers
    }

    /// One that waits, if it is the time for it.
    pub(super) fn known_in_between(&mut self) -> Option<Ticket> {
        self.known.n_picked += 1;
        if !self.known.n_picked.is_multiple_of(NOW_AND_THEN) {
            return None;
        }
        self.next_known()
    }

    /// The one that waits for longest.
    pub(super) fn next_known(&mut self) -> Option<Ticket> {
        while let Some(ticket) = self.known.waiting.pop_front() {
            if self.tree.is_open(ticket) {
                // It is open until it was explored, which an interruption may prevent.
                self.known.waiting.push_front(ticket);
                return Some(ticket);
            }
            self.known.deferred.remove(&ticket);
        }
        None
    }
}
