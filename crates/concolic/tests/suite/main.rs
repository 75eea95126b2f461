//! Runs of small C programs.

mod harness;
mod library;
mod paths;
mod snapshots;
mod support;
mod whole_programs;
