//! Where inputs come from: what the functions of a program can be given, by the C types of their parameters.
//!
//! Enter at [`Functions`]: it knows which functions can be tested, and makes the [`Unit`](spelunk_concolic::graph::unit::Unit)
//! that a run calls (`unit`, `sequence`), and which of them make and work on one structure (`families`). `layouts` turns C types into layouts of objects, `passing` puts arguments where the compiled function
//! expects them. `settings` is what a user says about inputs, `placing` finds out which values that is about, by `path`, and `adjust` makes
//! layouts of it. `guess` proposes settings where users say nothing. `observables` is what is looked at afterwards, `shapes` which rules heaps keep. `words` says what inputs are.
#![forbid(unsafe_code)]

mod adjust;
mod error;
mod families;
mod functions;
mod guess;
mod layouts;
mod nesting;
mod observables;
mod passing;
mod path;
mod placing;
mod results;
mod sequence;
pub mod settings;
mod shapes;
mod stand_ins;
mod stubs;
mod unit;
mod words;

pub use error::UnitError;
pub use families::Family;
pub use functions::{Functions, Guess, Testable};
pub use guess::Room;
pub use shapes::{HeapRequest, ObjectLimit};
pub use unit::{LearnRequest, Request};
