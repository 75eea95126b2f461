//! Memory: a table of objects, found by the high half of an address.
//!
//! `object` is one object, `access` reads and writes words, `bulk` moves ranges, `shadow` holds what is not plain,
//! `fault` is what can go wrong, `graveyard` is where numbers of dead objects wait. An object that is dead, constant or
//! shared with a snapshot differs from an ordinary one only in fields that the fast paths test anyway. `history` keeps
//! earlier states, with what `versions`, `log`, `delta` and `pages` hold; `symbolic` is about bytes that carry expressions, `types`
//! about what they were stored as.
//!
//! Memory knows neither types nor source positions, and decides nothing about what a fault means.

mod access;
mod bits;
mod bulk;
mod delta;
mod fault;
mod graveyard;
mod history;
mod log;
mod object;
mod pages;
mod shadow;
mod symbolic;
mod types;
mod unsettled;
mod versions;

pub use access::Word;
pub use bulk::NotPlain;
pub use fault::Fault;
pub use history::Newcomers;
pub use object::{Life, Object, ObjectId, ObjectKind};
pub use shadow::{NumberRun, Shadow, ShadowByte};
pub use versions::Version;

use crate::trace::TraceId;
use graveyard::Graveyard;
use object::{Bytes, NEVER};
use rustc_hash::FxHashSet;
use spelunk_ir::code::{MAX_OBJECT_SIZE, OBJECT_SHIFT, object_base};
use versions::Versions;

/// Dead objects of the heap and of the stack whose numbers are kept back, so that stale pointers are noticed.
const HEAP_QUARANTINE: usize = 1 << 18;
const STACK_QUARANTINE: usize = 1 << 12;

/// Addresses below belong to the null pointer.
const NULL_PAGE: u64 = 4096;

/// Room is told in parts of what there is in all, one of so many.
const ROOM_PARTS: u64 = 1024;

/// What an object costs beyond its own bytes.
const OBJECT_OVERHEAD: u64 = size_of::<Object>() as u64 + 16;

/// What an object takes of the limit: bytes, a bit for each that says whether it is initialised, and the rest.
fn cost_of(size: u64) -> u64 {
    size + size / 8 + OBJECT_OVERHEAD
}

const FIRST_EPOCH: u32 = object::NEVER + 1;

#[derive(Debug)]
pub struct Memory {
    /// Indexed by `ObjectId`; entry 0 is a dead object at address 0.
    objects: Vec<Object>,
    /// Objects of an older epoch are shared with a version and must be kept for it before they change.
    epoch: u32,
    dead_heap: Graveyard,
    dead_stack: Graveyard,
    used: u64,
    limit: u64,
    versions: Versions,
    /// At least the objects of which a byte carries an expression.
    symbolic: FxHashSet<ObjectId>,
}

// A size is kept in 32 bits.
const _: () = assert!(MAX_OBJECT_SIZE <= u32::MAX as u64);

impl Memory {
    /// Memory that may take `limit` bytes in all.
    pub fn new(limit: u64) -> Self {
        Self {
            objects: vec![Object::nothing()],
            epoch: FIRST_EPOCH,
            dead_heap: Graveyard::default(),
            dead_stack: Graveyard::default(),
            used: 0,
            limit,
            versions: Versions::default(),
            symbolic: FxHashSet::default(),
        }
    }

    /// What an object costs, if there is memory for it.
    fn affordable(&self, size: u64) -> Result<u64, Fault> {
        let cost = cost_of(size.min(MAX_OBJECT_SIZE));
        let fits = size <= MAX_OBJECT_SIZE && self.used.saturating_add(cost) <= self.limit;
        if fits { Ok(cost) } else { Err(Fault::Exhausted { wanted: size }) }
    }

    /// The size of the largest object that there is memory for, and some more: runs with other input, which have a little more or less,
    /// are to decide alike.
    pub fn room(&self) -> u64 {
        let left = self.limit.saturating_sub(self.used);
        let left = left - left % (self.limit / ROOM_PARTS).max(1);
        let about = left.saturating_sub(OBJECT_OVERHEAD) / 9 * 8;
        let largest = (about..about + 9).rev().find(|&size| cost_of(size) <= left);
        largest.unwrap_or(0).min(MAX_OBJECT_SIZE)
    }

    /// A new object of uninitialised bytes. `align` is a power of two.
    pub fn alloc(&mut self, kind: ObjectKind, size: u64, align: u64, at: TraceId) -> Result<u64, Fault> {
        self.used += self.affordable(size)?;
        let reusable = match kind {
            ObjectKind::Stack | ObjectKind::Record if self.dead_stack.len() > STACK_QUARANTINE => {
                self.dead_stack.exhume(&self.objects)
            }
            ObjectKind::Heap if self.dead_heap.len() > HEAP_QUARANTINE => self.dead_heap.exhume(&self.objects),
            _ => None,
        };
        let id = match reusable {
            Some(id) => id,
            None => ObjectId(u32::try_from(self.objects.len()).expect("the limit is reached long before 2^32 objects")),
        };
        Ok(self.place(id, kind, size, align, at))
    }

    /// Keeps numbers back for objects that are made later, if at all. Returns the first.
    pub fn reserve_numbers(&mut self, count: u32) -> ObjectId {
        let first = self.n_objects();
        self.objects.extend((0..count).map(|_| Object::nothing()));
        ObjectId(first)
    }

    /// As `alloc`, with a number that was kept back.
    pub fn alloc_reserved(&mut self, id: ObjectId, kind: ObjectKind, size: u64, align: u64) -> Result<u64, Fault> {
        self.used += self.affordable(size)?;
        Ok(self.place(id, kind, size, align, TraceId::EMPTY))
    }

    /// Where an object with a number that was kept back is, or will be.
    pub fn reserved_base(id: ObjectId, align: u64) -> u64 {
        object_base(id.0, align)
    }

    fn place(&mut self, id: ObjectId, kind: ObjectKind, size: u64, align: u64, at: TraceId) -> u64 {
        let object = Object {
            base: object_base(id.0, align),
            size,
            bytes: Bytes::zeroed(size as usize),
            epoch: self.epoch,
            full_size: size as u32,
            shadow: None,
            born: at,
            died: TraceId::EMPTY,
            link: ObjectId(0),
            kind,
            life: Life::Live,
        };
        let base = object.base;
        if id.0 < self.n_objects() {
            *self.own(id) = object;
        } else {
            self.objects.push(object);
        }
        base
    }

    /// Ends a heap object's life, as `free` does.
    pub fn free_heap(&mut self, addr: u64, at: TraceId) -> Result<(), Fault> {
        let id = self.heap_start(addr)?;
        self.kill(id, at);
        if let Some(last) = self.dead_heap.bury(id) {
            self.own(last).link = id;
        }
        Ok(())
    }

    /// Ends a stack object's life when its function returns.
    pub fn free_stack(&mut self, id: ObjectId, at: TraceId) {
        self.kill(id, at);
        if let Some(last) = self.dead_stack.bury(id) {
            self.own(last).link = id;
        }
    }

    /// The live heap object that starts at `addr`.
    pub fn heap_start(&self, addr: u64) -> Result<ObjectId, Fault> {
        let id = object_of(addr);
        match self.objects.get(id.0 as usize) {
            Some(object) if object.kind == ObjectKind::Heap && object.base == addr => match object.life {
                Life::Live => Ok(id),
                Life::Dead => Err(Fault::DoubleFree { object: id }),
            },
            Some(_) if id.0 != 0 => Err(Fault::BadFree { addr, object: Some(id) }),
            _ => Err(Fault::BadFree { addr, object: None }),
        }
    }

    fn kill(&mut self, id: ObjectId, at: TraceId) {
        let object = &mut self.objects[id.0 as usize];
        assert!(object.life == Life::Live, "an object dies once");
        let (size, tags) = (object.size(), object.link);
        self.used -= cost_of(size);
        if object.epoch == self.epoch {
            object.end();
        } else {
            self.part_with(id);
        }
        let object = &mut self.objects[id.0 as usize];
        object.died = at;
        object.link = ObjectId(0);
        if tags != ObjectId(0) {
            self.free_stack(tags, at);
        }
    }

    /// From here on the object can't be written.
    pub fn make_constant(&mut self, id: ObjectId) {
        let object = self.own(id);
        object.kind = ObjectKind::Constant;
        object.epoch = NEVER;
    }

    /// One more than the largest number that an object has or had.
    pub fn n_objects(&self) -> u32 {
        self.objects.len() as u32
    }

    pub fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.0 as usize]
    }

    /// Finds the live object that holds the `len` bytes at `addr`, and their offset in it.
    pub fn resolve(&self, addr: u64, len: u64) -> Result<(ObjectId, u64), Fault> {
        let id = object_of(addr);
        let Some(object) = self.objects.get(id.0 as usize).filter(|_| id.0 != 0) else {
            // A little below null too: `container_of` of a null pointer.
            let near_null = addr < NULL_PAGE || addr.wrapping_neg() < NULL_PAGE;
            return Err(if near_null { Fault::Null { addr } } else { Fault::Wild { addr } });
        };
        let offset = addr.wrapping_sub(object.base);
        if offset.checked_add(len).is_some_and(|end| end <= object.size) && object.life == Life::Live {
            return Ok((id, offset));
        }
        Err(match (object.life, object.kind) {
            (Life::Dead, _) => Fault::Dead { object: id, offset: offset as i64 },
            _ if offset.checked_add(len).is_some_and(|end| end <= object.size()) => {
                Fault::Unsettled { object: id, offset, len }
            }
            (_, ObjectKind::Function) => Fault::Code { object: id },
            _ => Fault::OutOfBounds { object: id, offset: offset as i64, len },
        })
    }

    /// As `resolve`, but of an object of open size all bytes that it may have belong to it.
    pub fn resolve_open(&self, addr: u64, len: u64) -> Result<(ObjectId, u64), Fault> {
        match self.resolve(addr, len) {
            Err(Fault::Unsettled { object, offset, .. }) => Ok((object, offset)),
            found => found,
        }
    }

    /// As `resolve`, for a write.
    pub fn resolve_mut(&mut self, addr: u64, len: u64) -> Result<(ObjectId, u64), Fault> {
        let (id, offset) = self.resolve(addr, len)?;
        let object = &self.objects[id.0 as usize];
        if object.kind == ObjectKind::Constant && len != 0 {
            return Err(Fault::Constant { object: id });
        }
        if object.epoch != self.epoch && len != 0 {
            self.record_write(id, offset..offset + len);
        }
        Ok((id, offset))
    }

    pub fn used(&self) -> u64 {
        self.used
    }

    /// The heap objects that were never freed.
    pub fn live_heap(&self) -> impl Iterator<Item = ObjectId> + '_ {
        (0u32..)
            .zip(&self.objects)
            .filter(|(_, object)| object.kind == ObjectKind::Heap && object.life == Life::Live)
            .map(|(id, _)| ObjectId(id))
    }

    /// All live objects of the program that are not on the heap: where the search for reachable ones starts.
    pub fn live_roots(&self) -> impl Iterator<Item = ObjectId> + '_ {
        (0u32..)
            .zip(&self.objects)
            .filter(|(_, object)| !matches!(object.kind, ObjectKind::Heap | ObjectKind::Record))
            .filter(|(_, object)| object.life == Life::Live)
            .map(|(id, _)| ObjectId(id))
    }
}

/// The object that an address belongs to, alive or not.
#[inline(always)]
pub fn object_of(addr: u64) -> ObjectId {
    ObjectId((addr >> OBJECT_SHIFT) as u32)
}
