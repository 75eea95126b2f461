//! Runs whose paths were put aside because they brought nothing new for long: a program that never ends must not keep
//! everything else from being explored.
//!
//! What comes after the last decision of such a run is an open alternative like any other, so nothing is lost. It is no path
//! of the program yet; only if it is still not followed to its end when the campaign is over, and has reached something
//! that no path before had, it is handed out as a test.

use rustc_hash::FxHashMap;
use spelunk_concolic::Run;
use spelunk_vm::{Limit, Stop};

use super::{Explorer, Way};
use crate::ledger::Loss;
use crate::tree::Ticket;

/// A seed may be the test of a whole path, which it is to take again.
const SEED_PATIENCE: usize = 16;

/// A run that reached something new and was then put aside.
pub struct Unfinished {
    pub run: Box<Run>,
    /// The number of the seed that began it, if one did.
    pub seed: Option<usize>,
}

/// Unfinished runs, by where they go on.
#[derive(Default)]
pub(super) struct PutAside(FxHashMap<Ticket, Unfinished>);

impl PutAside {
    pub fn keep(&mut self, goes_on: Ticket, unfinished: Unfinished) {
        self.0.insert(goes_on, unfinished);
    }

    /// The run that goes on here, which somebody does now.
    pub fn take(&mut self, ticket: Ticket) -> Option<Unfinished> {
        self.0.remove(&ticket)
    }
}

impl Explorer<'_> {
    /// How many decisions the next run may make without anything new. Paths that were put aside before get more, so that
    /// long ones are not begun too often.
    pub(super) fn patience(&self, way: Way<'_>) -> usize {
        if let Way::Long = way {
            return usize::MAX;
        }
        let patience = self.options.patience.max(1);
        // The last seed is nobody's test. What meets a goal is one before it has come to its end.
        let is_test = self.seeds.len() > 0 || matches!(way, Way::Goal(_));
        if is_test { patience.saturating_mul(SEED_PATIENCE) } else { patience.max(self.prediction.len() / 2) }
    }

    /// At the end: runs that reached something new and that nobody has followed to their end.
    pub fn take_unfinished(&mut self) -> Vec<Unfinished> {
        let mut all: Vec<Unfinished> = std::mem::take(&mut self.put_aside.0).into_values().collect();
        all.sort_by_key(|unfinished| (unfinished.run.path.len(), unfinished.run.steps));
        for Unfinished { run, .. } in &all {
            self.ledger.add_with(Loss::Limit, run.last_op, 1, || "put aside, and not followed to the end".to_owned());
        }
        // Whoever runs them again would not know where they were put aside.
        all.retain(|_| !self.runner.has_summarised());
        all
    }
}

pub(super) fn is_put_aside(run: &Run) -> bool {
    matches!(run.stop, Stop::Limit(Limit::PutAside))
}
