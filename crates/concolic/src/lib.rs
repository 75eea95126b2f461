//! One concolic run: expressions beside concrete values, decisions, inputs.
#![forbid(unsafe_code)]

pub mod decision;
pub mod marks;
