//! Inputs that are graphs of objects: what the parameters of a function are, and what their pointers lead to.
//!
//! `layout` says what objects are made up of, `unit` which functions are called, `heap` which objects there are, `contents`
//! what they hold, `parts` which may be part of others, `objects` what those of one input are, `terms` and `conditions` what
//! variables and conditions mean there, `domains` and `allowed` which values they may have, `classes` which pointers lead to the same
//! object, `shape` what graph conditions ask for. How a run makes objects is in [`crate::start`], what dereferencing an
//! input pointer decides in the machine's `pointers`.

pub mod allowed;
pub(crate) mod classes;
pub mod conditions;
mod contents;
mod domains;
pub(crate) mod heap;
pub mod layout;
pub mod objects;
mod parts;
pub mod shape;
pub(crate) mod terms;
pub mod unit;
