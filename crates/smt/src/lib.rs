//! SMT-LIB 2 scripts, read and answered through the solver chain.
//!
//! A [`Session`] obeys a script: `read` makes commands of text, `elab` makes expressions of terms, `check` asks the
//! solver, `print` writes values. Bit-vectors, arrays, uninterpreted functions and floats are understood, without
//! quantifiers. What is beyond that is named, left out, and turns `sat` into `unknown`.
//!
//! Nothing here opens files or prints.
#![forbid(unsafe_code)]

mod arrays;
mod builtin;
mod check;
mod context;
mod elab;
mod error;
mod print;
mod read;
mod rewrite;
mod scope;
mod session;
mod sort;

pub use error::{Position, Problem};
pub use session::{Note, Outcome, RunError, Session};
