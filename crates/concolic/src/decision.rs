//! What a run could have done otherwise.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use spelunk_expr::ExprId;
use spelunk_ir::code::OpIdx;
use spelunk_vm::BugKind;

/// One decision of a run: where, which alternative was taken, and what of the input made it so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decision {
    /// The operation, by index.
    pub site: OpIdx,
    /// The call stack that it is reached by, as a number (`spelunk_vm::TraceId`).
    pub stack: u32,
    pub kind: DecisionKind,
    /// The alternative taken: see [`DecisionKind`].
    pub taken: u64,
    /// The condition that the input satisfied by taking it.
    pub cond: ExprId,
}

/// What is decided, and what the numbers of its alternatives mean.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DecisionKind {
    /// A condition: 0 or 1.
    Branch,
    /// The operation that a switch goes to: cases that lead to one place are one alternative.
    Switch,
    /// An implicit check: 0 all is well, 1 the error, which ends the path as soon as it is one for sure.
    Check(BugKind),
    /// Which object a symbolic address points into, by number; with [`OUTSIDE`] added, that it points to no object but
    /// has such a number, or one beyond all. All other places together are one alternative.
    Region,
    /// Whether two pointers of the input lead to the same place, of which one was written through: 2 or, if so, 3. The
    /// operation may make other decisions too, which the numbers tell it from.
    Alias,
    /// One of several alternatives that a theory has listed, with keys of its own.
    Choice,
    /// Whether what the rest of the path depends on holds: 0 or 1. Where it holds there is no alternative, since nothing comes after it.
    Assumed,
    /// A value that had to be made concrete. All other values together are one alternative.
    Value,
    /// Something that is taken for granted: 0, and no alternative.
    Granted,
}

/// Added to the number of an object if an address with that number is outside of the object.
pub const OUTSIDE: u64 = 1 << 32;

/// One alternative of a decision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Choice {
    /// The alternative of this number.
    Key(u64),
    /// Any that no run has taken yet, where alternatives are too many to be listed: another place, another value.
    Rest,
}

/// The alternatives that a run did not take, each with the condition under which it would have.
pub type Others = SmallVec<[(Choice, ExprId); 1]>;
