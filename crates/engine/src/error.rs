//! What the user or the environment got wrong. The texts say what to do.

use std::path::PathBuf;

use spelunk_deadline::Over;
use spelunk_driver::DriverError;
use spelunk_inputs::UnitError;
use spelunk_native::NativeError;
use spelunk_report::suite::StoreError;

use crate::campaign::budget;
use crate::targets::TargetError;

#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error(transparent)]
    Driver(#[from] DriverError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Unit(#[from] UnitError),
    #[error(transparent)]
    Native(#[from] NativeError),
    #[error(transparent)]
    Target(#[from] TargetError),
    #[error("cannot go to {}: {source}", path.display())]
    Directory { path: PathBuf, source: std::io::Error },
    #[error("{} has changed since its tests were made: run the campaign again", .0.display())]
    Changed(PathBuf),
    #[error("--partition does not go together with {other}: leave one of them out")]
    PartitionConflict { other: &'static str },
    #[error("cannot read {}: {source}; --partition takes `auto`, `off` or a file with a block of inputs on each line", path.display())]
    PartitionFile { path: PathBuf, source: std::io::Error },
    /// As a compiler would show it.
    #[error("{0}")]
    Grammar(spelunk_grammar::Diagnostic),
    #[error("internal error: {0}; this is a bug in spelunk")]
    Internal(String),
    #[error("there is neither a `main` nor any other function in the program")]
    NoFunctions,
    #[error("there is no function that could be tested")]
    NothingTestable,
    #[error("`{setting}` is about no parameter of any function")]
    AboutNothing { setting: String },
    /// What takes how much is in the text.
    #[error("{0}")]
    TooLarge(String),
    #[error("{} has no test {number}", dir.display())]
    NoSuchTest { dir: PathBuf, number: u64 },
    #[error("{} has no tests", dir.display())]
    NoTests { dir: PathBuf },
    #[error("test {number} does not take its path: the program is not the one it was made for")]
    OtherProgram { number: u64 },
    #[error("the chosen tests cover less than all did ({lost}): this is a bug in spelunk")]
    CoversLess { lost: String },
    #[error("`{ty}` has no pointer to a structure: there is nothing that rules for heaps could say of it")]
    NoPointers { ty: String },
    #[error("no sequence of calls has returned: see what `spelunk run --sequence` says of them")]
    NothingReturned,
    #[error(
        "no sequence of calls has built a complete structure: in each of {n_runs} runs it has pointers that are uninitialised, or lead to freed memory or into the middle of an object"
    )]
    NothingBuilt { n_runs: u64 },
    #[error("this piece of work is of another plan, or of other sources")]
    OtherPlan,
    #[error(
        "the plan that the campaign began with can't be read: {0}; begin another, with --seed-dir to start from its tests"
    )]
    BadPlan(serde_json::Error),
    #[error("{}", budget::why(*.0))]
    Over(Over),
}

impl EngineError {
    /// Why there was no time, if that is what went wrong.
    pub fn over(&self) -> Option<Over> {
        match self {
            Self::Over(over) | Self::Driver(DriverError::Over(over)) => Some(*over),
            Self::Native(NativeError::Driver(DriverError::Over(over))) => Some(*over),
            _ => None,
        }
    }
}
