//! Each layer alone: what it answers, what it hands on, and that its answers are those of trying all values.

mod boxes;
mod contradiction;
mod cores;
mod domains;
mod enumerate;
mod invert;
mod log;
mod models;
mod order;
mod pointers;
mod rounds;
mod search;
mod slice;
mod substitute;
mod support;
mod tabulate;
mod together;
mod verify;
