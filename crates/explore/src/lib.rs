//! The execution tree, search strategies and campaigns.
//!
//! [`tree`] holds what is known of the program's paths and what is open; [`strategy`] says which open alternative comes
//! next; [`Explorer`] does it. [`coverage`] tells what was reached, over the control flow of [`flow`].
#![forbid(unsafe_code)]

pub mod bounds;
pub mod bugs;
pub mod campaign;
pub mod cover;
pub mod coverage;
mod distance;
pub mod explorer;
pub mod flow;
pub mod ledger;
mod origin;
pub mod partition;
pub mod program;
pub mod queries;
pub mod shrink;
pub mod spent;
pub mod strategy;
pub mod targets;
pub mod tree;

pub use explorer::{Explorer, Step};
