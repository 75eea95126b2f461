//! Runs that open alternatives come from: their inputs, and states to go on from.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::{Rc, Weak};
use std::sync::Arc;

use spelunk_concolic::{Input, RunSnapshot};
use spelunk_expr::Model;

/// A run's input, as bytes and as values of variables, and the snapshots on its way.
#[derive(Default)]
pub struct Origin {
    pub input: Arc<Input>,
    pub model: Model,
    snapshots: RefCell<Vec<Kept>>,
}

/// A snapshot, and the number of the first decision after it.
type Kept = (usize, Rc<RunSnapshot>);

impl std::fmt::Debug for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Origin").field("input", &self.input).finish_non_exhaustive()
    }
}

impl Origin {
    /// `base` is the snapshot that the run started from, `taken` are those that it took itself.
    pub fn new(input: Arc<Input>, model: Model, base: Option<Kept>, taken: Vec<(usize, RunSnapshot)>) -> Self {
        let taken = taken.into_iter().map(|(index, snapshot)| (index, Rc::new(snapshot)));
        Self { input, model, snapshots: RefCell::new(base.into_iter().chain(taken).collect()) }
    }

    /// The last snapshot before a decision.
    pub fn snapshot_before(&self, decision: usize) -> Option<Kept> {
        let snapshots = self.snapshots.borrow();
        let after = snapshots.partition_point(|&(index, _)| index <= decision);
        snapshots[..after].last().cloned()
    }
}

/// The origins that may hold snapshots, oldest first: which to drop when there are too many.
#[derive(Default)]
pub struct SnapshotCache {
    holders: VecDeque<Weak<Origin>>,
}

impl SnapshotCache {
    pub fn add(&mut self, origin: &Rc<Origin>) {
        if !origin.snapshots.borrow().is_empty() {
            self.holders.push_back(Rc::downgrade(origin));
        }
    }

    /// All snapshots that are kept, each once.
    pub fn live(&self) -> Vec<Rc<RunSnapshot>> {
        let mut live = Vec::new();
        for origin in self.holders.iter().filter_map(Weak::upgrade) {
            live.extend(origin.snapshots.borrow().iter().map(|(_, snapshot)| Rc::clone(snapshot)));
        }
        live.sort_unstable_by_key(Rc::as_ptr);
        live.dedup_by_key(|snapshot| Rc::as_ptr(snapshot));
        live
    }

    /// Drops the snapshots of the oldest half of those who hold some. Says how many.
    pub fn drop_half(&mut self) -> u64 {
        self.holders.retain(|holder| holder.strong_count() > 0);
        self.drop_oldest(self.holders.len().div_ceil(2))
    }

    /// Drops all snapshots. Says how many.
    pub fn drop_all(&mut self) -> u64 {
        self.drop_oldest(self.holders.len())
    }

    fn drop_oldest(&mut self, n_holders: usize) -> u64 {
        let mut n_dropped = 0;
        for origin in self.holders.drain(..n_holders).filter_map(|holder| holder.upgrade()) {
            // Those that a run started from may be held by others too.
            let dropped = std::mem::take(&mut *origin.snapshots.borrow_mut());
            n_dropped += dropped.into_iter().filter_map(|(_, snapshot)| Rc::into_inner(snapshot)).count() as u64;
        }
        n_dropped
    }

    /// Forgets those that are gone, now and then.
    pub fn tidy(&mut self) {
        if self.holders.len() >= 1024 && self.holders.len().is_power_of_two() {
            self.holders.retain(|holder| holder.strong_count() > 0);
        }
    }
}
