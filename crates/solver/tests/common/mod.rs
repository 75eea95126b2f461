//! What the suites share: the operations that there are, and a solver whose answers are checked.

pub mod operations;
pub mod session;
