//! The front end: textual LLVM IR in, a linked program and its dense code out.
//!
//! `parse` reads `.ll` text into the `model`, `link` resolves symbols between modules, `lower` makes dense
//! `code` of it, `flow` answers questions about a function's control flow, `debug` reads C types and positions out of the
//! metadata. Nothing here runs code or knows of a solver.
#![forbid(unsafe_code)]

pub mod code;
pub mod debug;
pub mod flow;
pub mod labels;
pub mod link;
pub mod lower;
pub mod model;
pub mod parse;
pub mod print;
