//! Execution: the loop in `run`, and what it leaves to others.
//!
//! `cold` has the twins of the regular operations for operands that are not plain, `calls` and `varargs` the calling
//! convention, `context` setjmp and longjmp, `slow` the rare operations, on values as `lanes` reads them.

mod calls;
mod cold;
mod context;
mod intrinsics;
mod lanes;
mod run;
mod slow;
mod varargs;

pub(crate) use context::SavedContext;
pub(crate) use varargs::VarArgs;
