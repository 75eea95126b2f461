//! Memory operations on more than a word: aggregates, copies and fills.

use crate::bug::BugKind;
use crate::machine::{Bulk, Machine};
use crate::memory::{Fault, object_of};
use crate::stop::Stop;
use crate::value::{Slot, UndefId};
use crate::vm::Vm;
use spelunk_bv::CastOp;
use spelunk_ir::code::{Overlap, Reg, Shape};

impl<M: Machine> Vm<'_, M> {
    pub(super) fn load_shape(&mut self, shape: &Shape, dst: Reg, addr: Reg, offset: i32) -> Result<(), Stop> {
        let addr = self.pinned_address(self.reg(addr.0), offset, shape.size, "read")?;
        for leaf in &shape.leaves {
            let mut left = leaf.scalar.store_size() as u32;
            for i in 0..leaf.scalar.n_slots() {
                let n = left.min(8);
                let mut slot = self.load_slot(addr + leaf.offset + u64::from(i) * 8, n)?;
                let bits = (leaf.scalar.bits() - i * 64).min(64);
                if bits < n * 8 {
                    slot = self.cast(CastOp::Trunc, n * 8, bits, slot);
                }
                self.set_reg(dst.offset(leaf.slot + i).0, slot);
                left -= n;
            }
        }
        Ok(())
    }

    pub(super) fn store_shape(&mut self, shape: &Shape, src: Reg, addr: Reg, offset: i32) -> Result<(), Stop> {
        let addr = self.pinned_address(self.reg(addr.0), offset, shape.size, "write")?;
        for leaf in &shape.leaves {
            let mut left = leaf.scalar.store_size() as u32;
            for i in 0..leaf.scalar.n_slots() {
                let n = left.min(8);
                let slot = self.reg(src.offset(leaf.slot + i).0);
                self.store_slot(addr + leaf.offset + u64::from(i) * 8, n, slot)?;
                left -= n;
            }
        }
        Ok(())
    }

    /// Copies memory; an overlap of different areas may be an error.
    pub fn mem_copy(&mut self, dst: Slot, src: Slot, len: Slot, overlap: Overlap) -> Result<(), Stop> {
        let (mut dst, mut src, mut len) = (dst, src, len);
        if carries_expr(&[dst, src, len]) {
            match M::copy(self, dst, src, len, overlap)? {
                Bulk::Done => return Ok(()),
                Bulk::Overlaps => [dst, src, len] = [dst, src, len].map(|slot| Slot::plain(slot.val)),
                Bulk::Left if self.is_empty_area(len, &mut [(&mut src, "read"), (&mut dst, "write")])? => return Ok(()),
                Bulk::Left => {}
            }
        }
        let len = self.word(len, "the length of a copy")?;
        if len != 0 {
            self.check_area(src, len, "read")?;
            self.check_area(dst, len, "write")?;
        }
        let dst = self.word(dst, "the target of a copy")?;
        let src = self.word(src, "the source of a copy")?;
        if len == 0 {
            return Ok(());
        }
        self.settle_range(src, len)?;
        self.settle_range(dst, len)?;
        // Both areas are checked first, so that an error names the faulty one.
        let source = self.memory.resolve(src, len);
        self.checked(source, "read")?;
        let target = self.memory.resolve_mut(dst, len);
        self.checked(target, "write")?;
        // A copy of an area to itself changes nothing, and compilers emit it.
        let distance = dst.abs_diff(src);
        if overlap == Overlap::Forbidden && distance != 0 && distance < len {
            let message = format!("a copy of {len} bytes between areas that are {distance} bytes apart");
            let notes = self.object_notes(object_of(dst));
            return Err(self.bug_with_notes(BugKind::Overlap, message, notes));
        }
        let copied = self.memory.copy(dst, src, len);
        self.checked(copied, "write")
    }

    /// Fills memory with one byte, whatever it carries.
    pub fn mem_set(&mut self, dst: Slot, value: Slot, len: Slot) -> Result<(), Stop> {
        let mut dst = dst;
        if carries_expr(&[dst, len]) {
            match M::fill(self, dst, value, len)? {
                Bulk::Done => return Ok(()),
                Bulk::Left if self.is_empty_area(len, &mut [(&mut dst, "write")])? => return Ok(()),
                Bulk::Left | Bulk::Overlaps => {}
            }
        }
        let len = self.word(len, "the length of a fill")?;
        if len != 0 {
            self.check_area(dst, len, "write")?;
        }
        let dst = self.word(dst, "the target of a fill")?;
        if len == 0 {
            return Ok(());
        }
        self.settle_range(dst, len)?;
        if value.tag.is_plain() {
            let filled = self.memory.fill(dst, value.val as u8, len);
            return self.checked(filled, "write");
        }
        let target = self.memory.resolve_mut(dst, len);
        self.checked(target, "write")?;
        (0..len).try_for_each(|i| self.store_slot(dst + i, 1, value))
    }

    /// Where both length and addresses carry expressions, decides on the addresses first: there are as many good ones as their
    /// objects have bytes, and the length may then stay open. Whether there is nothing to do at all.
    fn is_empty_area(&mut self, len: Slot, areas: &mut [(&mut Slot, &str)]) -> Result<bool, Stop> {
        let is_open = len.tag.expr().is_some() && areas.iter().any(|(addr, _)| addr.tag.expr().is_some());
        if !is_open || len.tag.undef() != UndefId::NONE || self.machine.is_muted() {
            return Ok(false);
        }
        if self.is_zero(len)? {
            return Ok(true);
        }
        for (addr, verb) in areas {
            self.check_area(**addr, 1, verb)?;
            **addr = Slot::plain(self.word(**addr, "an address")?);
        }
        Ok(false)
    }

    /// Tells of an area that is no good before its address is taken for the only one.
    fn check_area(&mut self, addr: Slot, len: u64, verb: &str) -> Result<(), Stop> {
        self.check_access(addr, len, verb)?;
        match self.memory.resolve(addr.val, len) {
            Ok(_) | Err(Fault::Unsettled { .. }) => Ok(()),
            Err(fault) => self.fault(fault, verb),
        }
    }
}

fn carries_expr(slots: &[Slot]) -> bool {
    slots.iter().any(|slot| slot.tag.expr().is_some())
}
