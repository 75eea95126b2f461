//! What can be wrong with an access, as memory sees it. The VM turns a fault into a report.

use super::ObjectId;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// An address in the first page: a null pointer, perhaps with an offset.
    Null { addr: u64 },
    /// No object was ever there.
    Wild { addr: u64 },
    /// Bytes that are not all inside the object that the pointer belongs to.
    OutOfBounds { object: ObjectId, offset: i64, len: u64 },
    /// Bytes that may be behind the end of an object whose size is not settled: see [`Memory::alloc_unsettled`].
    ///
    /// [`Memory::alloc_unsettled`]: super::Memory::alloc_unsettled
    Unsettled { object: ObjectId, offset: u64, len: u64 },
    /// The object's life is over.
    Dead { object: ObjectId, offset: i64 },
    /// A write to an object that must not change.
    Constant { object: ObjectId },
    /// Data access to a function.
    Code { object: ObjectId },
    /// Freed twice.
    DoubleFree { object: ObjectId },
    /// Not the start of a heap object.
    BadFree { addr: u64, object: Option<ObjectId> },
    /// The limit on memory is reached.
    Exhausted { wanted: u64 },
}
