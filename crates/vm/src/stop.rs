//! How a path ends. All of these are ordinary results; none is an error of ours.

use crate::bug::Bug;
use spelunk_ir::code::OpIdx;

#[derive(Clone, Debug)]
pub enum Stop {
    /// The program ended by itself, with this status.
    Exited(i32),
    /// The program ended itself by a signal.
    Killed(i32),
    Bug(Box<Bug>),
    Unsupported(Box<Unsupported>),
    Limit(Limit),
    /// The harness excludes this input: an assumption does not hold, or it asked to hear no more of the path.
    Infeasible,
}

/// Something that the program may do and we can't.
#[derive(Clone, Debug)]
pub struct Unsupported {
    pub what: String,
    /// Operations of the call stack, innermost first.
    pub trace: Vec<OpIdx>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    Instructions,
    /// More memory than a run may use.
    Memory,
    Interrupted,
    /// The machine wants other paths to have their turn.
    PutAside,
}
