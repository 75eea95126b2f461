//! When to stop: the limits of one query, looked at while gates are built and while a SAT solver searches.

use std::time::Instant;

use spelunk_deadline::Deadline;

use crate::query::{Limits, Unknown};

/// Why a query is given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    Time,
    Conflicts,
    Interrupted,
    Unsupported(&'static str),
}

impl From<Stop> for Unknown {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Time => Unknown::Time,
            Stop::Conflicts => Unknown::Conflicts,
            Stop::Interrupted => Unknown::Interrupted,
            Stop::Unsupported(what) => Unknown::Unsupported(what),
        }
    }
}

/// The limits of a query that began when this was made.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    end: Option<Instant>,
    deadline: Deadline,
    pub conflicts: Option<u64>,
}

impl Budget {
    pub fn new(limits: &Limits) -> Self {
        Budget {
            // A limit beyond what the clock can say is none.
            end: limits.time.and_then(|time| Instant::now().checked_add(time)),
            deadline: limits.deadline.clone(),
            conflicts: limits.conflicts,
        }
    }

    pub fn check(&self) -> Result<(), Stop> {
        if self.deadline.is_over() {
            return Err(Stop::Interrupted);
        }
        match self.end {
            Some(end) if Instant::now() >= end => Err(Stop::Time),
            _ => Ok(()),
        }
    }

    /// With at most so many conflicts.
    pub fn with_conflicts(&self, conflicts: Option<u64>) -> Self {
        Budget { conflicts, ..self.clone() }
    }

    pub fn spend_conflicts(&mut self, n_conflicts: u64) {
        self.conflicts = self.conflicts.map(|left| left.saturating_sub(n_conflicts));
    }
}
