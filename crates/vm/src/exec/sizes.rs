//! Objects whose size carries an expression: how they are allocated, and when it is decided what belongs to them.

use crate::bug::BugKind;
use crate::machine::Machine;
use crate::memory::{Fault, ObjectId, ObjectKind, object_of};
use crate::stop::Stop;
use crate::trace::TraceId;
use crate::value::Slot;
use crate::vm::Vm;
use spelunk_bv::CmpOp;

/// How large an object is to be.
#[derive(Clone, Copy, Debug)]
pub enum Size {
    Settled(u64),
    /// At most so many bytes; how many is decided by and by.
    Open {
        capacity: u64,
    },
    /// More bytes than there ever are. How many is of no interest.
    Excessive,
}

/// How large an object may be.
#[derive(Clone, Copy, Debug)]
pub struct Ceiling {
    /// In bytes.
    pub most: u64,
    /// The error that more is; if it is none, the program notices.
    pub error: Option<BugKind>,
}

impl<M: Machine> Vm<'_, M> {
    /// The size of `count` times `unit` bytes. One that carries an expression may stay open.
    pub fn size_of_allocation(
        &mut self,
        count: Slot,
        unit: u64,
        ceilings: &[Ceiling],
        what: &str,
    ) -> Result<Size, Stop> {
        if count.tag.is_plain() {
            let size = count.val.saturating_mul(unit);
            let is_excessive = ceilings.iter().any(|ceiling| size > ceiling.most);
            return Ok(if is_excessive { Size::Excessive } else { Size::Settled(size) });
        }
        self.check_defined(count, what)?;
        for ceiling in ceilings {
            if self.is_above(count, ceiling.most.checked_div(unit).unwrap_or(u64::MAX), ceiling.error)? {
                return Ok(Size::Excessive);
            }
        }
        let capacity = self.machine.reserve(self.pc, count, unit);
        M::after_decision(self)?;
        match capacity {
            Some(capacity) => Ok(Size::Open { capacity }),
            None => Ok(Size::Settled(self.word(count, what)?.saturating_mul(unit))),
        }
    }

    /// Decides whether a count is above what is possible.
    fn is_above(&mut self, count: Slot, most: u64, error: Option<BugKind>) -> Result<bool, Stop> {
        match error {
            Some(kind) => self.machine.check_length(self.pc, count, most, kind),
            None => {
                let above = self.compare(CmpOp::Ult, 64, Slot::plain(most), count);
                if above.tag.expr().is_some() {
                    let is_above = self.machine.branch(self.pc, above)?;
                    M::after_decision(self)?;
                    return Ok(is_above);
                }
            }
        }
        M::after_decision(self)?;
        Ok(count.val > most)
    }

    /// Decides whether a number is zero.
    pub fn is_zero(&mut self, number: Slot) -> Result<bool, Stop> {
        let is_zero = self.compare(CmpOp::Eq, 64, number, Slot::plain(0));
        if !is_zero.tag.expr().is_some() {
            return Ok(number.val == 0);
        }
        let way = self.machine.branch(self.pc, is_zero)?;
        M::after_decision(self)?;
        Ok(way)
    }

    /// Copies bytes to the start of an object of open size, as many of them as there may be room for. Those that are behind
    /// its end will never be seen.
    pub fn copy_to_open(&mut self, dst: u64, src: u64, len: u64) -> Result<(), Stop> {
        let id = object_of(dst);
        self.memory.extend(id, len);
        let copied = self.memory.copy(dst, src, len);
        self.checked(copied, "write")?;
        self.memory.unsettle(id);
        Ok(())
    }

    /// Allocates an object of open size: `count` times `unit` bytes, but at most `capacity`.
    pub fn alloc_open(
        &mut self,
        kind: ObjectKind,
        capacity: u64,
        align: u64,
        at: TraceId,
        (count, unit): (Slot, u64),
    ) -> Result<u64, Stop> {
        let addr = self.memory.alloc_unsettled(kind, capacity, align, at);
        let addr = self.checked(addr, "allocation")?;
        self.machine.bind_size(object_of(addr), count, unit);
        Ok(addr)
    }

    /// Decides whether a range belongs to an object of open size. If it does not, the access is out of bounds from then on.
    pub fn settle_range(&mut self, addr: u64, len: u64) -> Result<(), Stop> {
        let Err(Fault::Unsettled { object, offset, len }) = self.memory.resolve(addr, len) else { return Ok(()) };
        if self.machine.is_muted() || self.machine.needs_size(object) {
            return self.settle_object(object);
        }
        let end = offset + len;
        let is_inside = self.machine.check_size(self.pc, object, end);
        M::after_decision(self)?;
        if is_inside {
            self.memory.extend(object, end);
        } else {
            let size = self.machine.size_of(object);
            self.memory.settle(object, size);
        }
        self.machine.committed(self.steps);
        Ok(())
    }

    /// Ties the path to the size that an object has in this run, if that is open.
    pub fn settle_object(&mut self, object: ObjectId) -> Result<(), Stop> {
        if self.memory.is_unsettled(object) {
            self.machine.pin_size(self.pc, object);
            M::after_decision(self)?;
            let size = self.machine.size_of(object);
            let is_ended = self.machine.needs_size(object);
            self.memory.settle(object, size);
            if is_ended {
                let end = self.memory.object(object).base() + size - 1;
                let ended = self.memory.fill(end, 0, 1);
                self.checked(ended, "write")?;
            }
            self.machine.committed(self.steps);
        }
        Ok(())
    }
}
