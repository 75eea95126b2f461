//! Runs of small C programs.

mod harness;
mod paths;
mod support;
