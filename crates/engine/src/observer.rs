//! Who is told what goes on.

use spelunk_concolic::Run;
use spelunk_explore::campaign::Progress;
use spelunk_explore::coverage::Ratio;

use crate::{Ended, EngineError};

/// How far exploring is.
#[derive(Clone, Debug)]
pub struct SoFar<'a> {
    pub progress: &'a Progress,
    pub lines: Ratio,
    pub branches: Ratio,
    pub n_bugs: usize,
}

/// Is told what goes on, by the thread that called. Everything has a default that does nothing.
pub trait Observer {
    /// What the compiler said of sources that it accepts.
    fn warnings(&self, _text: &[u8]) {}

    /// A phase begins.
    fn phase(&self, _phase: &str) {}

    /// So many of so many are done in this phase.
    fn count(&self, _phase: &str, _n_done: usize, _n_all: usize) {}

    /// Exploring goes on: several times a second.
    fn exploring(&self, _so_far: &SoFar<'_>) {}

    /// A path was explored that was not met before.
    fn path(&self, _run: &Run) {}

    /// The campaign of a function begins, the `number`th of so many.
    fn subject(&self, _entry: &str, _number: usize, _of: usize) {}

    /// One of several campaigns has come to an end, or could not.
    fn ended(&self, _ended: Result<&Ended, &EngineError>) {}

    /// After the last of several campaigns, the tests of this function are run natively.
    fn confirming(&self, _entry: &str) {}
}

/// Nobody is told.
impl Observer for () {}
