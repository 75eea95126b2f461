//! From C sources to an image that is ready to run, and the first call into it.
//!
//! [`load`] finds a clang, compiles what the user gave, adds the files of the run-time library that the program needs,
//! links and lowers. [`start`] lays out arguments and environment and runs the program. One file a concept: `clang` is
//! the compiler as a process, `source` the user's files, `headers` what they may include of ours, `runtime` the library's, `cache` where what was
//! compiled of ours is kept between runs, `undefined` variables that nobody defines, `load` the order of it all.
//!
//! Nothing here prints: what clang says is handed back, and everything that can go wrong is a [`DriverError`].
#![forbid(unsafe_code)]

mod cache;
mod clang;
mod declarations;
mod error;
mod headers;
mod labels;
mod load;
pub mod parallel;
mod runtime;
mod source;
mod start;
mod undefined;

pub use cache::Cache;
pub use clang::{Clang, Colour};
pub use error::DriverError;
pub use headers::{Header, Installed};
pub use load::{Loaded, Options, Phases, load};
pub use runtime::Purpose;
pub use source::{Accesses, Flags, OLD_C, ir_text, is_c};
pub use start::{Invocation, flush_streams, start};
pub use undefined::{definitions as definitions_of_variables, undefined_variables};
