//! The virtual machine: memory, values, the interpreter loop, checks, and how a path ends.
//!
//! Enter at [`Vm`]. It runs a [`CheckedImage`](spelunk_ir::code::CheckedImage) with a [`Machine`] that may attach expressions to
//! values, and a table of library functions. It knows no solver, no files and no source positions.

mod aftermath;
mod aside;
mod bodies;
mod bug;
mod builtins;
mod endless;
mod exec;
mod leak;
mod machine;
pub mod memory;
mod notes;
mod operation;
mod registers;
mod snapshot;
mod stop;
mod trace;
mod undef;
mod value;
mod vm;
mod words;

pub use bodies::{Answer, Call, Callee, Defined, ModelId};
pub use bug::{Beyond, Bug, BugKind, LoopSet, Note, SetVariable};
pub use builtins::{Builtin, BuiltinRow, BuiltinTable, Flow};
pub use exec::{Ceiling, Leap, Size};
pub use machine::{
    Access, Bulk, Concrete, Event, Judged, Located, Machine, Mark, Muted, Outside, Overflow, Reach, Reversible,
};
pub use notes::{Attention, LoopEvent, LoopNotes, Notes, Passes, loop_sites};
pub use operation::{Limbs, Operand, Operation};
pub use snapshot::Snapshot;
pub use spelunk_ir::code::Overlap;
pub use stop::{Limit, Stop, Unsupported};
pub use trace::{TraceId, Traces};
pub use value::{Carried, Slot, Tag, UndefId};
pub use vm::{Limits, Vm};
