//! What a run could have done otherwise without another decision, where no run has done it yet.

use super::ConcolicMachine;
use crate::path::Goal;
use crate::switches::Table;
use smallvec::{SmallVec, smallvec};
use spelunk_expr::ExprId;
use spelunk_ir::code::OpIdx;
use spelunk_vm::{Mark, Slot};
use std::sync::Arc;

impl ConcolicMachine {
    /// A condition was observed: if none of the runs so far had it the other way, one should.
    pub(super) fn aim_at_other(&mut self, op: OpIdx, cond: Slot, guard: Option<Slot>) {
        let holds = cond.val & 1 != 0;
        let mark = if holds { Mark::FellThrough } else { Mark::Jumped };
        if self.marks.has(op, mark) || !self.path.is_new_ground() {
            return;
        }
        let expr = self.operand(1, cond);
        if self.is_implied(expr) {
            return;
        }
        let other = if holds { self.pool.mk_not(expr) } else { expr };
        let guard = guard.map(|guard| {
            let expr = self.operand(1, guard);
            if guard.val & 1 != 0 { expr } else { self.pool.mk_not(expr) }
        });
        self.aim(op, mark, guard.into_iter().chain([other]).collect());
    }

    /// A switch went to `target`: so it should for each of the other cases that lead to the same place.
    pub(super) fn aim_at_labels(&mut self, table: Table, value: ExprId, target: OpIdx) {
        if !self.path.is_new_ground() {
            return;
        }
        let switches = Arc::clone(&self.switches);
        for label in switches.labels_beside(table, target) {
            if !self.marks.has(label.target, Mark::Reached) {
                let cond = switches.label_cond(&mut self.pool, table, value, label);
                self.aim(label.target, Mark::Reached, smallvec![cond]);
            }
        }
    }

    /// A way that control did not go, as it would if a condition held that does not.
    pub(crate) fn aim_at_way(&mut self, op: OpIdx, mark: Mark, cond: ExprId) {
        if self.path.is_new_ground() && !self.marks.has(op, mark) {
            self.aim(op, mark, smallvec![cond]);
        }
    }

    /// A loop that starts at an operation would have no end if these conditions held as well, of which only the last does not
    /// hold now. What is yet to be decided on the path has all its alternatives explored in any case.
    pub fn aim_at_endless(&mut self, head: OpIdx, conds: &[ExprId]) {
        if !self.marks.has(head, Mark::Endless) && !conds.iter().any(|&cond| self.is_open(cond)) {
            self.aim(head, Mark::Endless, SmallVec::from_slice(conds));
        }
    }

    /// The run is about to end at an operation for a reason that is more than the path says: other inputs with the same decisions
    /// go on there if this holds, which does not hold now.
    pub fn ends_unless(&mut self, op: OpIdx, goes_on: ExprId) {
        self.path.goes_on = true;
        self.aim(op, Mark::WentOn, smallvec![goes_on]);
    }

    /// Whether the run has made all decisions that were expected of it.
    pub fn is_new_ground(&self) -> bool {
        self.path.is_new_ground()
    }

    fn aim(&mut self, op: OpIdx, mark: Mark, conds: SmallVec<[ExprId; 2]>) {
        if !conds.contains(&ExprId::FALSE) {
            self.path.goals.push(Goal { n_decisions: self.path.decisions.len(), op, mark, conds });
        }
    }
}
