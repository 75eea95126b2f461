//! Layers that answer cheap questions, one a file. [`crate::chain::build`] says in which order they are asked.

mod alike;
pub mod boxes;
pub mod contradiction;
pub mod cores;
pub mod domains;
pub mod enumerate;
mod hard;
mod index;
pub mod invert;
pub mod log;
pub mod models;
pub mod order;
pub mod pointers;
mod relation;
pub mod rounds;
pub mod search;
pub mod slice;
mod store;
pub mod substitute;
pub mod tabulate;
mod undo;
pub mod verify;
