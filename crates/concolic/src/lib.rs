//! One concolic run: expressions beside concrete values, decisions, inputs.
//!
//! Enter at [`Runner`]: it runs a program with an [`Input`] and hands back a [`Run`], whose path is the sequence of
//! [`Decision`](decision::Decision)s that the run made. [`machine`] is what attaches expressions to the VM's values,
//! [`harness`] the functions by which programs ask for input. Nothing here calls a solver or chooses what to run next.
#![forbid(unsafe_code)]

pub mod asked;
pub mod byte_set;
mod captured;
pub mod decision;
pub mod failure;
pub mod graph;
pub mod harness;
mod input;
mod input_bytes;
pub mod journal;
mod key;
pub mod ledger;
pub mod machine;
mod made_up;
pub mod marks;
pub mod observed;
pub mod operations;
mod options;
mod path;
pub mod program_inputs;
pub mod query;
mod run;
pub mod runner;
mod searches;
mod start;
mod switches;
pub mod theories;
mod unit_run;
mod variables;

pub use graph::heap::NodeId;
pub use harness::Undefined;
pub use input::{Input, InputEditor, InputObject, Pointee, Reference};
pub use key::{ObjectKey, Root};
pub use machine::aside;
pub use machine::{Checking, ConcolicMachine, RunSnapshot, SnapshotPolicy, SummaryWork};
pub use options::{Effects, Options, Strings, Summarised};
pub use path::{Divergence, Expected, Goal, Met};
pub use program_inputs::{ProgramInputs, SymbolicArgs, SymbolicFile};
pub use run::{Audit, Run};
pub use runner::Runner;
pub use variables::{InputPlace, Variables};
