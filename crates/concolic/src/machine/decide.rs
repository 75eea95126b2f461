//! Decisions: how what a run could have done otherwise comes on its path, past the theories.

use super::ConcolicMachine;
use crate::decision::{Decision, DecisionKind};
use crate::ledger::LedgerKind;
use crate::path::{Alternatives, AlternativesOf};
use crate::switches::Table;
use crate::theories::{Condition, Step};
use spelunk_expr::ExprId;
use spelunk_ir::code::OpIdx;
use spelunk_vm::{Limit, Slot, Stop};
use std::sync::Arc;

impl ConcolicMachine {
    /// The decisions of the path so far.
    pub fn decisions(&self) -> &[Decision] {
        &self.path.decisions
    }

    /// Decides on a condition that holds or not.
    pub fn decide_condition(&mut self, site: OpIdx, kind: DecisionKind, cond: ExprId, holds: bool) {
        let taken = match kind {
            DecisionKind::Alias => 2 + u64::from(holds),
            _ => u64::from(holds),
        };
        if self.pool.is_const(cond) {
            return;
        }
        if self.is_forcing() {
            let cond = if holds { cond } else { self.pool.mk_not(cond) };
            return self.decide(site, kind, taken, cond);
        }
        let mut condition = Condition { site, cond, holds };
        if self.offer(&mut condition) == Step::Implied {
            return self.path.count_implied();
        }
        let cond = if holds { condition.cond } else { self.pool.mk_not(condition.cond) };
        self.decide(site, kind, taken, cond);
        self.tell_decided(&condition);
    }

    /// Decides for an alternative whose condition holds.
    pub fn decide(&mut self, site: OpIdx, kind: DecisionKind, taken: u64, cond: ExprId) {
        if self.is_forced(site, kind, taken, cond) {
            return;
        }
        if let Some(check) = &mut self.self_check {
            check.compare(&mut self.pool, &self.inputs, cond, &[1]);
        }
        let before = self.lengths();
        if self.path.decide(site, kind, taken, cond) {
            self.taking.before_decision.get_or_insert(before);
        }
    }

    /// The same, where alternatives are more than that its condition does not hold.
    pub(crate) fn decide_among(
        &mut self,
        site: OpIdx,
        kind: DecisionKind,
        taken: u64,
        cond: ExprId,
        alternatives: impl FnOnce(&mut Self) -> AlternativesOf,
    ) {
        let index = self.path.decisions.len();
        self.decide(site, kind, taken, cond);
        if self.path.decisions.len() > index {
            let of = alternatives(self);
            self.path.alternatives.push(Alternatives { index, of });
        }
    }

    /// Decides for one of several alternatives, each with its key and condition. Keys mean the same in all pools.
    pub fn choose(&mut self, site: OpIdx, taken: u64, all: Arc<[(u64, ExprId)]>) {
        let cond = all.iter().find(|(key, _)| *key == taken).expect("what is taken is one of them").1;
        let mut condition = Condition { site, cond, holds: true };
        let is_known = self.offer(&mut condition) == Step::Implied;
        match all.len() {
            // On the path in any case, for those who read it there. A run whose input has what is not allowed was offered this as another.
            1 => self.decide(site, DecisionKind::Granted, taken, condition.cond),
            _ if is_known => return self.path.count_implied(),
            _ => self.decide_among(site, DecisionKind::Choice, taken, cond, |_| AlternativesOf::Listed(all)),
        }
        if !is_known {
            self.tell_decided(&condition);
        }
    }

    /// Decides where a switch or computed jump goes.
    pub(super) fn decide_switch(&mut self, site: OpIdx, table: Table, value: Slot, target: OpIdx) -> OpIdx {
        let switches = Arc::clone(&self.switches);
        let Some(width) = switches.width(table) else {
            // Values of more than a word come limb by limb.
            let expr = self.operand(64, value);
            self.pin(site, expr, value.val, LedgerKind::ConcreteValue);
            return target;
        };
        let expr = self.operand(width, value);
        if self.is_forcing() && matches!(table, Table::Switch(_)) {
            return self.forced_switch(site, table, expr);
        }
        let place = switches.place_of(table, target);
        let cond = switches.cond(&mut self.pool, table, expr, place);
        self.decide_among(site, DecisionKind::Switch, u64::from(place.0), cond, |_| AlternativesOf::Switch {
            table,
            value: expr,
        });
        self.aim_at_labels(table, expr, target);
        target
    }

    /// Ends the run if its path brings nothing new for too long.
    pub(super) fn keep_going(&mut self) -> Result<(), Stop> {
        if self.is_forcing() {
            return if self.is_lost() { Err(Stop::Infeasible) } else { Ok(()) };
        }
        match self.path.is_tiring(self.marks.n_new()) {
            _ if self.path.is_halted => Err(Stop::Infeasible),
            true => Err(Stop::Limit(Limit::PutAside)),
            false => Ok(()),
        }
    }

    /// Ends the run as one whose input is none; or a check of the input, or what is tried out, where it would decide what is not to be
    /// decided.
    pub(crate) fn halt(&mut self) {
        self.path.is_halted = true;
    }

    /// Pins an expression to the value that it has in this run, because no expression can say what follows.
    pub fn pin(&mut self, site: OpIdx, expr: ExprId, value: u64, why: LedgerKind) {
        let n_before = self.path.decisions.len();
        self.decide_value(site, expr, value);
        if self.path.decisions.len() > n_before {
            self.note(why, site);
        }
    }

    /// Decides for the value that an expression has in this run.
    pub fn decide_value(&mut self, site: OpIdx, expr: ExprId, value: u64) {
        if self.pool.is_const(expr) {
            return;
        }
        let width = self.pool.width(expr);
        let constant = self.pool.mk_const(width, value);
        let cond = self.pool.mk_eq(expr, constant);
        self.decide(site, DecisionKind::Value, value, cond);
    }
}
