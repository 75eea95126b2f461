//! The execution tree, search strategies and campaigns.
#![forbid(unsafe_code)]

pub mod tree;
