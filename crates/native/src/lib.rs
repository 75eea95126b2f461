//! Tests as native programs: built with the user's clang and its sanitizers, run, and held against what was predicted.
//!
//! Enter at [`Replay`]. `glue` is the C code that calls a unit's functions and `compile` builds it with the program and the
//! runtime (`runtime/*.c`), once for all tests (`own_symbols` keeps names of the C library apart that it defines): these come to it as data (`encode`). `run` runs them, each in a process of
//! its own that can do no harm (`containment`), `stubs` what they call and nobody defines; `heads` has loops tell that a run is still in them; `findings` reads what came of it, `symbols` finds the lines, `verdict` compares with the prediction, `coverage` adds up what
//! was reached, `agreement` compares that with the VM, `account` enters it all.
//!
//! Nothing here prints, and nothing is left behind.
#![forbid(unsafe_code)]

mod account;
mod agreement;
mod compile;
mod containment;
mod coverage;
mod encode;
mod error;
mod expected;
mod findings;
mod glue;
pub mod heads;
mod ir_source;
mod ir_text;
mod own_symbols;
mod replay;
mod run;
pub mod runtime;
mod shared;
mod stubs;
mod symbols;
mod uninitialised;
mod verdict;

pub use account::{enter, enter_problem};
pub use compile::is_for_linker;
pub use containment::Confinement;
pub use coverage::{Covered, Vector};
pub use encode::{Numbered, asked};
pub use error::NativeError;
pub use glue::{arguments, end_of, is_address, named, source_of};
pub use replay::{Replay, Subject};
pub use verdict::Verdict;
