//! Registers of one frame: fixed ones, and temporaries that are reused once their last user is emitted.

use crate::code::Reg;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Registers from here on are places above the frame, where a call's arguments go; patched when the frame's size is known.
const OUTGOING: u32 = 1 << 31;

#[derive(Default)]
pub(super) struct Regs {
    n_slots: u32,
    /// Set where control may come back to an earlier call (`setjmp`), which must find its temporaries untouched.
    pub keep_all: bool,
    free: Vec<Reg>,
    /// Temporaries in use, by the instruction after which they are free.
    busy: BinaryHeap<Reverse<(u32, Reg)>>,
}

impl Regs {
    pub fn fixed(&mut self, n_slots: u32) -> Reg {
        let reg = Reg::at_slot(self.n_slots);
        self.n_slots += n_slots;
        reg
    }

    /// A register that is free again after instruction `last_use`.
    pub fn temp(&mut self, n_slots: u32, last_use: u32) -> Reg {
        if n_slots != 1 || self.keep_all {
            // Values of several slots are rare; keeping them apart keeps the free list simple.
            return self.fixed(n_slots);
        }
        let reg = self.free.pop().unwrap_or_else(|| self.fixed(1));
        self.busy.push(Reverse((last_use, reg)));
        reg
    }

    /// Takes back the temporaries whose last use was at or before instruction `at`.
    pub fn release(&mut self, at: u32) {
        while let Some(&Reverse((last_use, reg))) = self.busy.peek() {
            if last_use > at {
                break;
            }
            self.busy.pop();
            self.free.push(reg);
        }
    }

    pub fn outgoing(slot: u32) -> Reg {
        Reg(OUTGOING).offset(slot)
    }

    /// The final number of a register, now that no more are handed out.
    pub fn place(&self, reg: u32) -> u32 {
        if reg >= OUTGOING { reg - OUTGOING + Reg::at_slot(self.n_slots).0 } else { reg }
    }

    pub fn n_slots(&self) -> u32 {
        self.n_slots
    }
}
