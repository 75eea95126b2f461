//! Questions and answers.

use std::time::Duration;

use spelunk_deadline::Deadline;
use spelunk_expr::{ExprId, Model};

/// Can these constraints hold together, and for which values close to the hint?
#[derive(Clone, Copy, Debug)]
pub struct Query<'q> {
    /// Conditions: expressions of one bit. Constants and duplicates may be among them.
    pub constraints: &'q [ExprId],
    /// How many of the first constraints the hint satisfies for sure. The usual query is a path that the last run took,
    /// followed by one condition that it did not meet: all constraints but the last one are satisfied.
    pub n_satisfied: usize,
    /// Values to keep wherever the constraints allow. A variable without one is zero.
    pub hint: &'q Model,
    pub limits: &'q Limits,
}

impl<'q> Query<'q> {
    /// The constraints that the hint satisfies for sure.
    pub fn satisfied(&self) -> &'q [ExprId] {
        &self.constraints[..self.n_satisfied]
    }

    /// The constraints that the hint is not known to satisfy.
    pub fn targets(&self) -> &'q [ExprId] {
        &self.constraints[self.n_satisfied..]
    }
}

/// What a query may cost. No limit by default.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    pub time: Option<Duration>,
    /// Conflicts of the SAT solver, and as much work of layers that search: a measure of effort that does not depend on
    /// the machine.
    pub conflicts: Option<u64>,
    /// Of what the query is part of: to reach it is to be interrupted.
    pub deadline: Deadline,
}

impl Limits {
    /// The steps that a layer may take which takes so many in the time of a conflict: at most `most`, and the fewer the
    /// oftener it has failed lately.
    pub fn steps(&self, a_conflict: u64, most: u64, n_failures: u32) -> u64 {
        self.conflicts.map_or(most, |conflicts| conflicts.saturating_mul(a_conflict).min(most)) >> n_failures
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Values that satisfy the constraints. Variables that it leaves out keep the values of the hint.
    Sat(Model),
    /// Constraints of the query that can't hold together, not necessarily the fewest.
    Unsat(Vec<ExprId>),
    /// Neither is known. Never to be taken for `Unsat`.
    Unknown(Unknown),
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unknown {
    #[error("the time limit was reached")]
    Time,
    #[error("the limit on conflicts was reached")]
    Conflicts,
    #[error("interrupted")]
    Interrupted,
    #[error("{0} is beyond this solver")]
    Unsupported(&'static str),
    /// The backend itself gave up; its words.
    #[error("the solver gave up: {0}")]
    GaveUp(String),
    /// The values that a backend offered don't satisfy the constraints.
    #[error("the solver's values do not satisfy the constraints")]
    WrongModel,
}

impl Answer {
    pub fn is_sat(&self) -> bool {
        matches!(self, Answer::Sat(_))
    }

    pub fn is_unsat(&self) -> bool {
        matches!(self, Answer::Unsat(_))
    }
}
