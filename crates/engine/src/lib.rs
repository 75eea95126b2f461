//! Campaigns as a library: what `spelunk run`, `exec --test`, `minimise` and `replay` do, without a command line.
//!
//! A [`Plan`] says everything: what is compiled, what of it is tested, how, and for how long. [`Program::load`] compiles it
//! and finds its [`Subject`]s; [`Campaign::run`] explores one of them, shrinks what shows its bugs, chooses tests, runs them
//! natively and leaves a directory; [`minimise`] and [`replay`] work on such a directory later, with a plan that is made of
//! it. [`learn`] proposes rules for heaps. What runs in the VM, what is stored and how exploring is done derive from the plan in one place, `plan/derived`.
//!
//! Nothing here prints, exits or changes the process: an [`Observer`] is told, and what goes wrong is an [`EngineError`].
//! Everything that may take long is given a [`Deadline`].
#![forbid(unsafe_code)]

mod again;
pub mod campaign;
mod error;
mod first;
pub mod learn;
pub mod minimise;
pub mod observer;
pub mod plan;
pub mod program;
pub mod replay;
pub mod seeds;
mod stored;
mod subject;
pub mod targets;
pub mod texts;
mod work;

pub use again::{Again, Difference, too_large};
pub use campaign::{Campaign, Ended};
pub use error::EngineError;
pub use observer::Observer;
pub use plan::{Check, Compile, Keep, Plan};
pub use program::{Program, load};
pub use spelunk_deadline::{Deadline, Over};
pub use stored::read_tests;
pub use subject::{Subject, flow};
pub use work::Work;
