//! One object: its bytes, which of them are plain, and the shadow of those that are not.

use super::shadow::Shadow;
use crate::trace::TraceId;
use std::alloc::{Layout, alloc, alloc_zeroed, dealloc, handle_alloc_error};
use std::ptr::NonNull;

/// An object's number; the high half of its addresses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ObjectId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum ObjectKind {
    Heap,
    Stack,
    Global,
    /// A global that must not change.
    Constant,
    /// Arguments and environment of the program.
    Startup,
    /// What whoever runs the program keeps for itself. Nothing of the program leads there.
    Record,
    Function,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Life {
    Live,
    Dead,
}

/// An epoch that memory never has.
pub(super) const NEVER: u32 = 0;

/// Hot fields first. An access is fast if it lies in `size`, its bytes are plain, and (to write) the epoch agrees;
/// everything that needs more thought fails one of these tests.
#[derive(Debug)]
pub struct Object {
    /// Address of byte 0.
    pub(super) base: u64,
    /// Zero once the object is dead.
    pub(super) size: u64,
    pub(super) bytes: Bytes,
    /// Equals the memory's epoch if no version but the current one knows the object as it is: it can be changed without
    /// further ado.
    pub(super) epoch: u32,
    /// The size that it has or had.
    pub(super) full_size: u32,
    pub(super) shadow: Option<Box<Shadow>>,
    /// For a stack object, the operation that made it, not a call stack.
    pub(super) born: TraceId,
    pub(super) died: TraceId,
    /// Of a live object, the one that says what its bytes were stored as; of a dead one, that which died after it. 0 if there is none.
    pub(super) link: ObjectId,
    pub(super) kind: ObjectKind,
    pub(super) life: Life,
}

// Every load and store finds its object by its number: a shift, and one line of the cache.
const _: () = assert!(size_of::<Object>() == 64);

impl Drop for Object {
    fn drop(&mut self) {
        if self.life == Life::Live {
            // SAFETY: a live object owns bytes of its full size, and is not used after this.
            unsafe { self.bytes.free(self.full_size as usize) };
        }
    }
}

impl Object {
    /// What stands where no object is.
    pub(super) fn nothing() -> Self {
        Self {
            base: 0,
            size: 0,
            bytes: Bytes::none(),
            epoch: NEVER,
            full_size: 0,
            shadow: None,
            born: TraceId::EMPTY,
            died: TraceId::EMPTY,
            link: ObjectId(0),
            kind: ObjectKind::Constant,
            life: Life::Dead,
        }
    }

    /// The same object with bytes of its own.
    pub(super) fn duplicate(&self) -> Self {
        let bytes = match self.life {
            // SAFETY: a live object owns bytes of its full size.
            Life::Live => unsafe { self.bytes.duplicate(self.full_size as usize) },
            Life::Dead => Bytes::none(),
        };
        Self { bytes, shadow: self.shadow.clone(), ..*self }
    }

    /// Ends its life.
    pub(super) fn end(&mut self) {
        assert!(self.life == Life::Live, "an object dies once");
        // SAFETY: a live object owns bytes of its full size; it is dead from here on.
        unsafe { self.bytes.free(self.full_size as usize) };
        self.size = 0;
        self.life = Life::Dead;
        self.shadow = None;
    }

    /// What is left of it when its life ends.
    pub(super) fn remains(&self, epoch: u32) -> Self {
        Self { size: 0, bytes: Bytes::none(), epoch, shadow: None, life: Life::Dead, ..*self }
    }

    /// Whether both are dead, or live in the same place with the same bytes.
    pub(super) fn holds_the_same(&self, other: &Self) -> bool {
        match (self.life, other.life) {
            (Life::Dead, Life::Dead) => true,
            (Life::Live, Life::Live) => self.base == other.base && self.data() == other.data(),
            _ => false,
        }
    }

    /// The memory that it takes.
    pub(super) fn footprint(&self) -> u64 {
        let content = match self.life {
            Life::Live => layout_of(self.full_size as usize).0.size() as u64,
            Life::Dead => 0,
        };
        size_of::<Self>() as u64 + content + self.shadow.as_ref().map_or(0, |shadow| shadow.footprint())
    }

    pub fn size(&self) -> u64 {
        u64::from(self.full_size)
    }

    pub fn base(&self) -> u64 {
        self.base
    }

    pub fn kind(&self) -> ObjectKind {
        self.kind
    }

    pub fn life(&self) -> Life {
        self.life
    }

    /// Where it was allocated.
    pub fn born(&self) -> TraceId {
        self.born
    }

    /// Where it was freed.
    pub fn died(&self) -> TraceId {
        self.died
    }
}

/// The bytes of an object followed by one bit each that says "plain": initialised and concrete.
#[derive(Debug)]
pub(super) struct Bytes {
    data: NonNull<u8>,
    plain: NonNull<u8>,
}

// SAFETY: the memory behind the pointers is owned by these bytes and reached through nothing else.
unsafe impl Send for Bytes {}

/// The plain bits are read in 16-bit words at any byte, so the last one needs a byte behind it.
fn layout_of(size: usize) -> (Layout, usize) {
    let plain_at = size.next_multiple_of(8);
    let total = plain_at + size.div_ceil(8) + 2;
    (Layout::from_size_align(total, 16).expect("objects are smaller than half the address space"), plain_at)
}

impl Bytes {
    /// Zero bytes, none of them plain.
    pub fn zeroed(size: usize) -> Self {
        let (layout, plain_at) = layout_of(size);
        // SAFETY: the layout is never empty.
        let data = unsafe { alloc_zeroed(layout) };
        let Some(data) = NonNull::new(data) else { handle_alloc_error(layout) };
        // SAFETY: `plain_at` is inside the allocation.
        let plain = unsafe { data.add(plain_at) };
        Self { data, plain }
    }

    /// A copy.
    ///
    /// # Safety
    /// `size` is the size that the bytes were made with.
    pub unsafe fn duplicate(&self, size: usize) -> Self {
        let (layout, plain_at) = layout_of(size);
        // SAFETY: the layout is never empty.
        let data = unsafe { alloc(layout) };
        let Some(data) = NonNull::new(data) else { handle_alloc_error(layout) };
        // SAFETY: both are allocations of this layout, and the new one overlaps nothing. `plain_at` is inside of it.
        unsafe {
            data.copy_from_nonoverlapping(self.data, layout.size());
            Self { data, plain: data.add(plain_at) }
        }
    }

    /// Bytes of a dead object: nothing may be read.
    pub fn none() -> Self {
        Self { data: NonNull::dangling(), plain: NonNull::dangling() }
    }

    /// Gives the memory back.
    ///
    /// # Safety
    /// `size` is the size that the bytes were made with, and they are not used again.
    pub unsafe fn free(&mut self, size: usize) {
        let (layout, _) = layout_of(size);
        // SAFETY: allocated with this very layout; the caller hands over the last use.
        unsafe { dealloc(self.data.as_ptr(), layout) };
        *self = Self::none();
    }

    #[inline(always)]
    pub fn data(&self) -> *mut u8 {
        self.data.as_ptr()
    }

    #[inline(always)]
    pub fn plain(&self) -> *mut u8 {
        self.plain.as_ptr()
    }
}
