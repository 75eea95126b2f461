//! Alternatives whose queries took too long: put aside, and tried again with more time.
//!
//! A query is allowed a small part of the limit at first, but many times what queries usually take. If that is not enough,
//! the alternative leaves the tree as if somebody else explored it, and comes back when there is nothing else to do, or when hard queries have had less than
//! their share of the time. So one of them never holds up a campaign, and none is given up before it had the whole limit.
//! Whatever waits here is open.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Duration;

use spelunk_concolic::Input;
use spelunk_concolic::decision::Choice;
use spelunk_solver::Limits;

use super::{Explorer, Work};
use crate::tree::{Closed, Ticket};

/// The first allowance: enough for most queries, and so many times what those with an answer took lately.
const LEAST: Duration = Duration::from_millis(100);
const TIMES_USUAL: u32 = 16;

/// Of so many queries, the time is averaged.
const LATELY: u32 = 16;

/// An alternative that comes back is allowed so many times as much.
const MORE: u32 = 4;

/// Of all time, hard queries get one part of so many while there is something else to do.
const SHARE: u32 = 4;

#[derive(Default)]
pub(super) struct Postponed {
    /// Those that are allowed least come first, and of these the oldest.
    waiting: BinaryHeap<Reverse<Hard>>,
    n_added: u64,
    /// The time that went into queries that were put aside or came back.
    pub time: Duration,
    /// What a query takes that has an answer.
    usual: Duration,
}

struct Hard {
    allowance: Duration,
    number: u64,
    work: Work,
}

impl Postponed {
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// A query was answered.
    pub fn learn(&mut self, time: Duration) {
        self.usual = (self.usual * (LATELY - 1) + time) / LATELY;
    }

    /// What a query is allowed when it is asked for the first time.
    pub fn first_allowance(&self, limits: &Limits) -> Option<Duration> {
        limits.time.map(|limit| (self.usual * TIMES_USUAL).max(LEAST).min(limit))
    }

    fn add(&mut self, work: Work, allowance: Duration) {
        self.waiting.push(Reverse(Hard { allowance, number: self.n_added, work }));
        self.n_added += 1;
    }

    pub fn take(&mut self) -> Option<(Work, Duration)> {
        self.waiting.pop().map(|Reverse(hard)| (hard.work, hard.allowance))
    }
}

impl Ord for Hard {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.allowance, self.number).cmp(&(other.allowance, other.number))
    }
}

impl PartialOrd for Hard {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Hard {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Eq for Hard {}

/// What it is allowed next, unless it had all that a query may take.
pub(super) fn next_allowance(allowance: Option<Duration>, limits: &Limits) -> Option<Duration> {
    let (allowance, limit) = (allowance?, limits.time?);
    (allowance < limit).then(|| (allowance * MORE).min(limit))
}

impl Explorer<'_> {
    /// What the query of an alternative is allowed at first: all at once, if it could not be found again.
    pub(super) fn first_allowance_of(&self, ticket: Ticket) -> Option<Duration> {
        match self.tree.features(ticket).choice {
            Choice::Rest => self.options.query_limits.time,
            _ => self.postponed.first_allowance(&self.options.query_limits),
        }
    }

    /// Puts an alternative aside whose query took as long as it was allowed. Returns false if it is not allowed more.
    pub(super) fn postpone(&mut self, ticket: Ticket, allowance: Option<Duration>) -> bool {
        let Some(allowance) = next_allowance(allowance, &self.options.query_limits) else { return false };
        let features = self.tree.features(ticket);
        let input = Input::clone(&self.tree.origin(ticket).input);
        let work = Work { input, depth: features.depth, choice: features.choice };
        self.tree.close(ticket, Closed::GivenAway);
        self.postponed.add(work, allowance);
        true
    }

    /// For another explorer, if there is more than one. It begins with the first allowance again.
    pub(super) fn give_postponed(&mut self) -> Option<Work> {
        (self.n_open() > 1).then(|| self.postponed.take())?.map(|(work, _)| work)
    }

    /// Whether it is time for an alternative that was put aside, although there are others.
    pub(super) fn has_time_for_postponed(&self) -> bool {
        let all = self.counters.solver_time + self.counters.run_time;
        self.postponed.len() > 0 && self.postponed.time * SHARE < all && !self.options.targets.are_all_reached()
    }
}
