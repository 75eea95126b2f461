//! Execution: the loop in `run`, and what it leaves to others.
//!
//! `cold` has the twins of the regular operations for operands that are not plain, `accesses` those of reads and writes, `calls`
//! and `varargs` the calling convention, `context` setjmp and longjmp, `sizes` objects whose size depends on the input, `types` the check of effective types. `slow` dispatches the rare operations, on values as `lanes` reads them, to
//! `arith`, `casts`, `intrinsics`, `memops` and `atomics`.

mod accesses;
mod arith;
mod atomics;
mod calls;
mod casts;
mod cold;
mod context;
mod intrinsics;
mod lanes;
mod memops;
mod run;
mod sizes;
mod slow;
mod types;
mod varargs;

pub(crate) use calls::next_run;
pub use context::Leap;
pub(crate) use context::SavedContext;
pub use sizes::{Ceiling, Size};
pub(crate) use varargs::VarArgs;
