//! What the suites share: the operations that there are, values to try them with, and a solver whose answers are
//! checked.

pub mod operations;
pub mod session;
pub mod values;
