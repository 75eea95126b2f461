//! Each layer alone: what it answers, what it hands on, and that its answers are those of trying all values.

mod contradiction;
mod domains;
mod log;
mod slice;
mod support;
mod verify;
