//! Copies and fills whose length carries an expression: each byte that may be reached becomes the new one or stays the
//! old one, by a condition. What is too long for that, or not initialised, is left to be done with a concrete length.

use crate::bug::BugKind;
use crate::machine::Machine;
use crate::stop::Stop;
use crate::value::{Slot, UndefId};
use crate::vm::Vm;
use spelunk_bv::CmpOp;
use spelunk_ir::code::Overlap;

/// Longer areas are not worth a condition for every byte.
const MAX_OPEN_LENGTH: u64 = 256;

/// What became of a copy or fill.
pub(super) enum Open {
    Done,
    /// Nothing but checks. The length is plain if it is known to be an error.
    Left(Slot),
}

impl<M: Machine> Vm<'_, M> {
    pub(super) fn open_copy(&mut self, dst: Slot, src: Slot, len: Slot, overlap: Overlap) -> Result<Open, Stop> {
        if !self.may_stay_open(len, &[dst, src]) {
            return Ok(Open::Left(len));
        }
        let (Some(readable), Some(writable)) = (self.room(src.val), self.room(dst.val)) else {
            return Ok(Open::Left(len));
        };
        let distance = dst.val.abs_diff(src.val);
        let apart = if overlap == Overlap::Forbidden && distance != 0 { distance } else { u64::MAX };
        let limits = [(readable, BugKind::OutOfBounds), (writable, BugKind::OutOfBounds), (apart, BugKind::Overlap)];
        let Some(most) = self.longest(len, &limits)? else { return Ok(Open::Left(Slot::plain(len.val))) };
        if !self.is_expressible(dst.val, most) || !self.is_initialised(src.val, most) {
            return Ok(Open::Left(len));
        }
        // The areas may overlap, so all is read before anything is written.
        let bytes: Vec<Slot> = (0..most).map(|i| self.load_slot(src.val + i, 1)).collect::<Result<_, _>>()?;
        self.write_up_to(dst.val, len, bytes)?;
        Ok(Open::Done)
    }

    pub(super) fn open_fill(&mut self, dst: Slot, value: Slot, len: Slot) -> Result<Open, Stop> {
        if !self.may_stay_open(len, &[dst]) {
            return Ok(Open::Left(len));
        }
        let Some(writable) = self.room(dst.val) else { return Ok(Open::Left(len)) };
        let Some(most) = self.longest(len, &[(writable, BugKind::OutOfBounds)])? else {
            return Ok(Open::Left(Slot::plain(len.val)));
        };
        if !self.is_expressible(dst.val, most) || value.tag.undef() != UndefId::NONE {
            return Ok(Open::Left(len));
        }
        self.write_up_to(dst.val, len, (0..most).map(|_| value))?;
        Ok(Open::Done)
    }

    fn may_stay_open(&self, len: Slot, addrs: &[Slot]) -> bool {
        let is_open = len.tag.expr().is_some() && len.tag.undef() == UndefId::NONE;
        is_open && !self.machine.is_muted() && addrs.iter().all(|addr| addr.tag.is_plain())
    }

    /// How many bytes of its object there are from an address on, if at least one.
    fn room(&self, addr: u64) -> Option<u64> {
        let (id, offset) = self.memory.resolve(addr, 1).ok()?;
        (!self.memory.is_unsettled(id)).then(|| self.memory.object(id).size() - offset)
    }

    /// Decides that a length is within its limits; then, how long it may be at most.
    fn longest(&mut self, len: Slot, limits: &[(u64, BugKind)]) -> Result<Option<u64>, Stop> {
        let mut most = self.machine.upper_bound(len);
        for &(limit, kind) in limits {
            self.machine.check_length(self.pc, len, limit, kind);
            M::after_decision(self)?;
            if len.val > limit {
                return Ok(None);
            }
            most = most.min(limit);
        }
        Ok(Some(most))
    }

    /// Whether bytes can be written under a condition: the old ones must be values too.
    fn is_expressible(&mut self, addr: u64, len: u64) -> bool {
        let is_writable = len > 0 && len <= MAX_OPEN_LENGTH && self.memory.resolve_mut(addr, len).is_ok();
        is_writable && self.is_initialised(addr, len)
    }

    fn is_initialised(&self, addr: u64, len: u64) -> bool {
        (0..len).all(|i| self.memory.load_word(addr + i, 1).is_ok_and(|word| word.undef == 0))
    }

    /// Writes as many of the bytes as `len` says.
    fn write_up_to(&mut self, addr: u64, len: Slot, bytes: impl IntoIterator<Item = Slot>) -> Result<(), Stop> {
        for (i, new) in (0..).zip(bytes) {
            let is_reached = self.compare(CmpOp::Ult, 64, Slot::plain(i), len);
            let old = self.load_slot(addr + i, 1)?;
            let byte = self.cold_select(is_reached, new, old);
            self.store_slot(addr + i, 1, byte)?;
        }
        Ok(())
    }
}
