//! Objects whose size depends on the input of the run.
//!
//! As many bytes exist as the object may have. Those from its start on that belong to it for sure can be accessed like those
//! of any object; whether those behind do is for others to decide, who then extend or settle the object. Nothing here
//! depends on how large the object is in the present run, so that a snapshot serves other inputs as well.

use super::object::{Bytes, Life};
use super::{Fault, Memory, ObjectId, ObjectKind, object_of};
use crate::trace::TraceId;

impl Memory {
    /// A new object that has at most `capacity` bytes, and at least none.
    pub fn alloc_unsettled(&mut self, kind: ObjectKind, capacity: u64, align: u64, at: TraceId) -> Result<u64, Fault> {
        let addr = self.alloc(kind, capacity, align, at)?;
        self.own(object_of(addr)).size = 0;
        Ok(addr)
    }

    /// The size of an object that has its bytes already is not settled from now on.
    pub fn unsettle(&mut self, id: ObjectId) {
        self.own(id).size = 0;
    }

    /// Whether an object's size is not settled.
    pub fn is_unsettled(&self, id: ObjectId) -> bool {
        self.objects
            .get(id.0 as usize)
            .is_some_and(|object| object.life == Life::Live && object.size < u64::from(object.full_size))
    }

    /// All bytes that exist belong to the object until [`take_back`](Self::take_back): for a write at one of several places, of which
    /// it is known that they do.
    pub fn lend(&mut self, id: ObjectId) -> u64 {
        let object = self.own(id);
        assert!(object.life == Life::Live, "the bytes exist");
        std::mem::replace(&mut object.size, u64::from(object.full_size))
    }

    pub fn take_back(&mut self, id: ObjectId, size: u64) {
        let object = self.own(id);
        assert!(object.life == Life::Live && size <= u64::from(object.full_size), "it was lent");
        object.size = size;
    }

    /// The object has at least so many bytes, which are no more than exist.
    pub fn extend(&mut self, id: ObjectId, size: u64) {
        let object = &self.objects[id.0 as usize];
        assert!(object.life == Life::Live && size <= u64::from(object.full_size), "the bytes exist");
        if object.size < size {
            self.own(id).size = size;
        }
    }

    /// The object has exactly so many bytes, which are no fewer than were accessed.
    pub fn settle(&mut self, id: ObjectId, size: u64) {
        let cost = |size: u64| size + size / 8;
        let object = self.own(id);
        let capacity = u64::from(object.full_size);
        assert!(object.life == Life::Live && object.size <= size && size <= capacity, "the bytes exist");
        let mut bytes = Bytes::zeroed(size as usize);
        // SAFETY: both hold at least `size` bytes, and the plain bits of those; the old ones are of the object's full size,
        // and not used again.
        unsafe {
            bytes.data().copy_from_nonoverlapping(object.bytes.data(), size as usize);
            bytes.plain().copy_from_nonoverlapping(object.bytes.plain(), (size as usize).div_ceil(8));
            std::mem::swap(&mut object.bytes, &mut bytes);
            bytes.free(capacity as usize);
        }
        object.size = size;
        object.full_size = size as u32;
        if let Some(shadow) = &mut object.shadow {
            shadow.truncate(size as u32);
        }
        self.used -= cost(capacity) - cost(size);
    }
}
