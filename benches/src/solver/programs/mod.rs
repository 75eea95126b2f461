//! Programs to explore, written against [`Context`] as a compiler would translate them.
//!
//! Steps to add one: a module with its [`Program`], and a line in [`ALL`].

mod checksum;
mod expression;
mod hashing;
mod regex;
mod sort;
mod tree;

use super::explorer::Program;

pub const ALL: &[&Program] =
    &[&expression::PROGRAM, &regex::PROGRAM, &sort::PROGRAM, &tree::PROGRAM, &hashing::PROGRAM, &checksum::PROGRAM];
