//! Keeps snapshots and expressions within bounds.

use super::Explorer;
use crate::ledger::{Loss, NOWHERE};

impl Explorer<'_> {
    /// Gives up what can be done without, to make room: snapshots, and expressions that nothing needs then.
    pub fn relieve(&mut self) {
        self.options.snapshot_memory /= 2;
        let n_dropped = self.snapshots.drop_all();
        self.ledger.add(Loss::SnapshotsDropped, NOWHERE, n_dropped);
        self.collect();
    }

    pub(super) fn bound_snapshots(&mut self) {
        self.snapshots.tidy();
        if self.runner.snapshot_bytes() > self.options.snapshot_memory {
            let n_dropped = self.snapshots.drop_half();
            self.ledger.add(Loss::SnapshotsDropped, NOWHERE, n_dropped);
        }
    }

    /// Drops expressions that neither an open alternative nor a snapshot needs.
    pub(super) fn collect(&mut self) {
        let goals: Vec<_> = self.goal_conditions().collect();
        let others = self.tree.conditions().chain(goals);
        let freed = self.runner.collect(self.snapshots.live().iter().map(|snapshot| &**snapshot), others);
        self.solver.forget(self.runner.pool(), &freed);
        self.counters.n_collections += 1;
        // To look at all that is alive must not become the main work.
        self.collect_at = self.options.collect_at.max(2 * self.runner.pool().n_nodes());
    }
}
