//! Library functions that are not followed: what they compute is concrete, and nothing that they do is a decision.
//!
//! What a function prints does not matter to the path, so its values need not be the same in other runs. Text that the
//! program may read again is made of values that the path is then tied to.

use super::ConcolicMachine;
use crate::ledger::LedgerKind;
use spelunk_expr::ExprId;
use spelunk_vm::{Carried, Muted, Operand, Slot};

impl ConcolicMachine {
    pub(crate) fn is_muted(&self) -> bool {
        !self.muted.is_empty()
    }

    /// Whether values that are read don't matter. Text that is made to be printed is output, too.
    pub(crate) fn is_silent(&self) -> bool {
        self.muted.iter().any(|&(_, why)| why == Muted::Output)
    }

    /// Whether what happens to these operands is followed.
    #[inline]
    pub(super) fn follows(&mut self, operands: &[Slot]) -> bool {
        if self.is_muted() {
            self.pin_slots(operands);
            return false;
        }
        true
    }

    #[cold]
    fn pin_slots(&mut self, slots: &[Slot]) {
        for slot in slots.iter().filter(|slot| slot.tag.expr().is_some()) {
            let expr = self.operand(self.width_of(*slot), *slot);
            self.pin_text(expr, slot.val);
        }
    }

    #[cold]
    pub(super) fn pin_operands(&mut self, operands: &[Operand<'_>]) {
        for operand in operands.iter().filter(|operand| operand.expr != Carried::NONE) {
            let expr = self.provenance.expr(operand.expr);
            // A word at a time, as decisions have keys of one word.
            for (low, &limb) in (0..self.pool.width(expr)).step_by(64).zip(operand.limbs) {
                let part = self.pool.mk_extract(expr, low, (self.pool.width(expr) - low).min(64));
                self.pin_text(part, limb);
            }
        }
    }

    /// Ties the path to a value that text is made of.
    pub(super) fn pin_text(&mut self, expr: ExprId, value: u64) {
        if let Some(&(site, Muted::Text)) = self.muted.last()
            && !self.is_silent()
        {
            self.pin(site, expr, value, LedgerKind::ConcreteText);
            // Nobody takes a snapshot here.
            self.taking.before_decision = None;
        }
    }
}
