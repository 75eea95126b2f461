//! Which files of a project's build a test needs, and the flags of each.
//!
//! [`Build::read`] reads a compilation database (`compile_commands.json`), which CMake, Meson and `bear` write. Each file then
//! has flags that clang takes in any working directory (`flags`, and `accepted` for what only another compiler knows).
//! [`Build::select`] finds the files that define what is tested, and whatever these need, by compiling the few files whose
//! text may define a name (`mentions`) and looking at who refers to whom (`references`).
//!
//! Nothing here prints: what users should know is in [`Selection::notes`].
#![forbid(unsafe_code)]

mod accepted;
mod database;
mod error;
mod flags;
mod mentions;
mod paths;
mod references;
mod select;

pub use database::{Build, Entry};
pub use error::ProjectError;
pub use select::{Scope, Selection, Wanted};
