//! When to stop: the limits of one query, looked at while gates are built and while a SAT solver searches.

use std::time::Instant;

use crate::query::{Interrupt, Limits, Unknown};

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
pub(crate) struct Watch {
    deadline: Option<Instant>,
    interrupt: Interrupt,
    pub conflicts: Option<u64>,
}

impl Watch {
    pub fn new(limits: &Limits) -> Self {
        Watch {
            deadline: limits.time.map(|time| Instant::now() + time),
            interrupt: limits.interrupt.clone(),
            conflicts: limits.conflicts,
        }
    }

    pub fn check(&self) -> Result<(), Stop> {
        if self.interrupt.is_raised() {
            return Err(Stop::Interrupted);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Stop::Time),
            _ => Ok(()),
        }
    }

    /// With at most so many conflicts.
    pub fn with_conflicts(&self, conflicts: Option<u64>) -> Self {
        Watch { conflicts, ..self.clone() }
    }

    pub fn spend_conflicts(&mut self, n_conflicts: u64) {
        self.conflicts = self.conflicts.map(|left| left.saturating_sub(n_conflicts));
    }
}
