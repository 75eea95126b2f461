//! The C library of the programs that the VM runs.
//!
//! Functions that carry meaning beyond their code (memory, strings, allocation), mathematics and the primitives of the
//! operating system are Rust (`builtins`); the rest is C (`rt`), compiled on demand like the program itself. [`entries`]
//! lists both. [`World`] is what a program sees of the outside.
//!
//! Here nothing is compiled, linked or run: that is the business of those who use the table.

#![forbid(unsafe_code)]

mod builtins;
mod directory;
mod errno;
mod headers;
mod rt;
mod stat;
mod table;
mod world;

pub use builtins::Host;
pub use builtins::outside::UNSUPPORTED;
pub use rt::{rt_file_defining, sources};
pub use table::{Entry, Library, Served, TWIN_PREFIX, entries, is_known, is_math, lookup, twin_of};
pub use world::{Capture, Input, MemoryFile, Output, SavedWorld, World};
