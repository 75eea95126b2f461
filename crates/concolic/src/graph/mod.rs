//! Inputs that are graphs of objects: what the parameters of a function are, and what their pointers lead to.
//!
//! `layout` says what objects are made up of, `unit` which functions are called, `heap` which objects there are, `theory` what
//! holds of all inputs. How a run
//! makes them is in [`crate::start`], what dereferencing an input pointer decides in the machine's `pointers`.

pub(crate) mod heap;
pub mod layout;
pub mod theory;
pub mod unit;
