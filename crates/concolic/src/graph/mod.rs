//! The objects of the input: parameters and what their pointers lead to, arguments, files, and what programs ask for.
//!
//! `layout` says what objects are made up of, `unit` which functions are called, `heap` which objects there are (`roots`,
//! `pointers`, `places`), `contents` what they hold, `nest` which types occur in which, `parts` which objects may be part of others by that, `extent` bytes relative to a pointer, `relation` what conditions say of where
//! pointers lead, `objects` what those of one input are, `allowed` which values they may have, `shapes` what rules for heaps speak
//! of. How a run makes objects is in [`crate::start`]; what conditions say of the pointers in them is a theory's business.

pub mod allowed;
mod contents;
pub(crate) mod extent;
pub(crate) mod heap;
pub mod layout;
pub mod nest;
pub mod objects;
#[cfg(test)]
mod oracle;
pub(crate) mod parts;
pub(crate) mod places;
mod pointers;
pub(crate) mod relation;
mod roots;
pub mod shapes;
pub mod unit;
