//! Registers as seen from outside, for machines that follow where values go: slots of all frames have one row of numbers.

use crate::machine::Machine;
use crate::value::Slot;
use crate::vm::{NO_CALLER, Vm};
use spelunk_ir::code::{Origin, Reg};
use std::ops::Range;

impl<M: Machine> Vm<'_, M> {
    /// The first slot of the current frame.
    pub fn first_slot(&self) -> usize {
        self.frame_base()
    }

    pub fn slot_at(&self, number: usize) -> Slot {
        self.regs.get(number).copied().unwrap_or_default()
    }

    /// The machine, asked at a note, has done what the code would have done up to coming to the same operation again: these registers
    /// have changed, by their places in the current frame. What was decided up to here is an operation of its own.
    pub fn move_on(&mut self, changed: impl IntoIterator<Item = (usize, Slot)>) {
        let base = self.frame_base();
        changed.into_iter().for_each(|(slot, value)| self.regs[base + slot] = value);
        self.has_moved_on = true;
    }

    /// Where the result of the current function goes; nowhere if Rust code has called it.
    pub fn result_slot(&self) -> Option<usize> {
        let frame = self.frames.last().filter(|frame| frame.call_pc != NO_CALLER)?;
        let caller = self.frames.len().checked_sub(2).map(|idx| &self.frames[idx])?;
        Some(caller.base as usize + Reg(frame.dst).slot())
    }

    /// The slots of library functions that the program is in, and of what is above them.
    pub fn library_slots(&self) -> Range<usize> {
        let is_user = |idx: &usize| self.image.functions[self.frames[*idx].function.index()].origin == Origin::User;
        let above = (0..self.frames.len()).rev().find(is_user).map_or(0, |idx| idx + 1);
        let end = self.frames.last().map_or(0, |frame| (frame.base + frame.n_slots) as usize);
        self.frames.get(above).map_or(end, |frame| frame.base as usize)..end
    }
}
