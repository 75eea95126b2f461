//! The binary as its users see it. Its treatment of sources and arguments is tested in the workspace's `tests`; here is
//! what needs more: limits, signals, the cache, and the text of reports.

mod exec;
mod project;
mod reports;
