//! Checks that have never failed.
//!
//! Each round of a loop over the input makes the same checks again, and each is a query of its own: an index that can't be out of bounds is asked for
//! thousands of times, before anything else is explored. So it is counted what comes of the checks of each place. Where many have been
//! refuted in a row, the last one of a run is asked for now and then, ever more rarely, unless the run has reached something new: what a loop does wrong, it
//! does in its last round if at all. The others wait, and are asked one by one between other alternatives. Whatever waits here is open.

use std::collections::VecDeque;
use std::time::Duration;

use rustc_hash::{FxHashMap, FxHashSet};
use spelunk_concolic::decision::DecisionKind;
use spelunk_ir::code::OpIdx;

use super::Explorer;
use crate::strategy::Gain;
use crate::tree::{Ticket, Tree};

/// After so many in a row that can't fail, the checks of a place are in doubt.
const ENOUGH: u32 = 16;

/// Of so many alternatives that are explored, one is such a check.
const NOW_AND_THEN: u32 = 4;

/// The time that they may take in any case, and a share of all while there is something else to do.
const FREE: Duration = Duration::from_secs(1);
const SHARE: u32 = 8;

/// So many wait, at most: an open alternative takes memory, and a check that is refuted takes none.
const MAX_WAITING: usize = 1 << 15;

/// When a check is asked for that is in doubt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    /// Its run has reached something new, and it is the last of its place there.
    AtOnce,
    /// It is the last of its place in its run.
    NowAndThen,
    Later,
}

/// A place of the user's code, and what is checked there.
type Check = (OpIdx, DecisionKind);

#[derive(Default)]
struct Doubt {
    /// How many were refuted since one was not.
    n_refuted: u32,
    /// How many runs had such checks since one was asked for at once.
    n_passed: u32,
}

impl Doubt {
    /// Whether it is the time to ask for one at once.
    fn is_due(&mut self) -> bool {
        self.n_passed += 1;
        let is_due = self.n_passed >= self.n_refuted / ENOUGH;
        if is_due {
            self.n_passed = 0;
        }
        is_due
    }
}

#[derive(Default)]
pub(super) struct Doubts {
    by_check: FxHashMap<Check, Doubt>,
    /// In the order in which they were put off.
    waiting: VecDeque<Ticket>,
    n_picked: u32,
    /// What queries for them have taken.
    time: Duration,
}

impl Doubts {
    pub fn tidy(&mut self, tree: &Tree) {
        self.waiting.retain(|&ticket| tree.is_open(ticket));
    }
}

impl Explorer<'_> {
    fn check_of(&self, ticket: Ticket) -> Check {
        let features = self.tree.features(ticket);
        (self.place_of(&features), features.kind)
    }

    /// For checks that a run has opened, in their order: when each is to be asked for if it is in doubt.
    pub(super) fn turns(&self, checks: &[Ticket], gain: Gain) -> Vec<Turn> {
        let of_last = if gain.n_new_marks > 0 { Turn::AtOnce } else { Turn::NowAndThen };
        let mut later = FxHashSet::default();
        let turn = |&ticket: &Ticket| if later.insert(self.check_of(ticket)) { of_last } else { Turn::Later };
        let mut turns: Vec<Turn> = checks.iter().rev().map(turn).collect();
        turns.reverse();
        turns
    }

    /// Takes down whether there is an input for which a check fails.
    pub(super) fn learn_check(&mut self, ticket: Ticket, fails: bool, time: Duration) {
        let check = self.check_of(ticket);
        let Doubts { by_check, time: spent, .. } = &mut self.doubts;
        let doubt = by_check.entry(check).or_default();
        if doubt.n_refuted >= ENOUGH {
            *spent += time;
        }
        doubt.n_refuted = if fails { 0 } else { doubt.n_refuted.saturating_add(1) };
    }

    /// Puts a check behind others if it is in doubt.
    pub(super) fn defer_doubtful(&mut self, ticket: Ticket, turn: Turn) -> bool {
        // What leads to a target is looked for with all means.
        if !self.options.targets.is_empty() {
            return false;
        }
        let (check, has_time) = (self.check_of(ticket), self.has_time_for_doubts());
        let doubt = self.doubts.by_check.get_mut(&check).filter(|doubt| doubt.n_refuted >= ENOUGH);
        let defers = doubt.is_some_and(|doubt| match turn {
            Turn::AtOnce => false,
            Turn::NowAndThen => !(doubt.is_due() && has_time),
            Turn::Later => true,
        });
        if defers {
            self.doubts.waiting.push_back(ticket);
        }
        defers
    }

    fn has_time_for_doubts(&self) -> bool {
        let all = self.counters.solver_time + self.counters.run_time;
        self.doubts.time < FREE + all / SHARE
    }

    /// One that waits, if it is the time for it.
    pub(super) fn doubtful_in_between(&mut self) -> Option<Ticket> {
        self.doubts.n_picked += 1;
        let is_turn = self.doubts.n_picked.is_multiple_of(NOW_AND_THEN) && self.has_time_for_doubts();
        (is_turn || self.doubts.waiting.len() > MAX_WAITING).then(|| self.next_doubtful())?
    }

    /// The one that waits for longest.
    pub(super) fn next_doubtful(&mut self) -> Option<Ticket> {
        while let Some(&ticket) = self.doubts.waiting.front() {
            if self.tree.is_open(ticket) {
                return Some(ticket);
            }
            self.doubts.waiting.pop_front();
        }
        None
    }
}
