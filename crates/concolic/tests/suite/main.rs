//! Runs of small C programs.

mod harness;
mod library;
mod operations;
mod paths;
mod random;
mod snapshots;
mod summaries;
mod support;
mod whole_programs;
