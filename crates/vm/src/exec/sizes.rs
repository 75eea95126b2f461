//! Objects whose size carries an expression: how they are allocated, and when it is decided what belongs to them.

use crate::machine::Machine;
use crate::memory::{Fault, ObjectId, ObjectKind, object_of};
use crate::stop::Stop;
use crate::trace::TraceId;
use crate::value::Slot;
use crate::vm::Vm;

/// How large an object is to be.
#[derive(Clone, Copy, Debug)]
pub enum Size {
    Settled(u64),
    /// At most so many bytes; how many is decided by and by.
    Open {
        capacity: u64,
    },
}

impl<M: Machine> Vm<'_, M> {
    /// The size of `count` times `unit` bytes. One that carries an expression may stay open.
    pub fn size_of_allocation(&mut self, count: Slot, unit: u64, what: &str) -> Result<Size, Stop> {
        if count.tag.is_plain() {
            return Ok(Size::Settled(count.val.saturating_mul(unit)));
        }
        self.check_defined(count, what)?;
        let capacity = self.machine.reserve(self.pc, count, unit);
        M::after_decision(self);
        match capacity {
            Some(capacity) => Ok(Size::Open { capacity }),
            None => Ok(Size::Settled(self.word(count, what)?.saturating_mul(unit))),
        }
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
        if self.machine.is_muted() {
            return self.settle_object(object);
        }
        let end = offset + len;
        let is_inside = self.machine.check_size(self.pc, object, end);
        M::after_decision(self);
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
            M::after_decision(self);
            let size = self.machine.size_of(object);
            self.memory.settle(object, size);
            self.machine.committed(self.steps);
        }
        Ok(())
    }
}
