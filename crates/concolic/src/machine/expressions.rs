//! From values to expressions and back: what a slot carries, as an expression of some width, and what it is to carry for one.

use super::ConcolicMachine;
use spelunk_expr::ExprId;
use spelunk_vm::memory::Word;
use spelunk_vm::{Carried, Limbs, Slot};

impl ConcolicMachine {
    /// The least width that holds a value: that of its expression, or of its digits.
    pub fn width_of(&self, slot: Slot) -> u32 {
        match slot.tag.expr() {
            Carried::NONE => (64 - slot.val.leading_zeros()).max(1),
            carried => self.pool.width(self.provenance.expr(carried)),
        }
    }

    /// The expression of a value, as one of `width` bits.
    #[inline]
    pub fn operand(&mut self, width: u32, slot: Slot) -> ExprId {
        match slot.tag.expr() {
            Carried::NONE => self.pool.mk_const(width, slot.val),
            carried => self.resized(self.provenance.expr(carried), width),
        }
    }

    /// Extended with zeros, or cut off.
    pub(crate) fn resized(&mut self, expr: ExprId, width: u32) -> ExprId {
        let from = self.pool.width(expr);
        match from.cmp(&width) {
            std::cmp::Ordering::Equal => expr,
            std::cmp::Ordering::Less => self.pool.mk_zext(expr, width),
            std::cmp::Ordering::Greater => self.pool.mk_trunc(expr, width),
        }
    }

    /// What a slot carries for an expression that has this value in the present run. Constants need no expression.
    pub fn carry(&mut self, expr: ExprId, value: u64) -> Carried {
        if let Some(check) = &mut self.self_check {
            check.compare(&mut self.pool, &self.inputs, expr, &[value]);
        }
        if self.pool.is_const(expr) { Carried::NONE } else { Carried(expr.raw()) }
    }

    /// As `carry`, for values of any width.
    pub(crate) fn carry_limbs(&mut self, expr: ExprId, value: impl FnOnce() -> Limbs) -> Carried {
        if let Some(check) = &mut self.self_check {
            check.compare(&mut self.pool, &self.inputs, expr, &value());
        }
        if self.pool.is_const(expr) { Carried::NONE } else { Carried(expr.raw()) }
    }

    /// The expression of up to eight bytes of memory.
    pub fn word(&mut self, word: &Word, n: u32) -> ExprId {
        self.joined(word, n)
    }
}
