//! What is told about runs: to a person, in the words and the layout of a compiler; to other programs, in files.
//!
//! [`Reporter`] turns the operations of a call stack into places in the user's source (`frames`, `paths`) and an error
//! into a [`Diagnostic`] (`reporter`); `diagnostic` writes that out with source lines (`snippet`). Where the text goes
//! and whether colours stay in it is the caller's business. [`suite`] is the directory of a campaign, [`picture`] what a test
//! is given as boxes and arrows. [`html`], [`sarif`] and [`mod@annotations`] tell what a campaign found.
#![forbid(unsafe_code)]

pub mod annotations;
mod diagnostic;
mod frames;
mod hash;
pub mod html;
pub mod literal;
pub mod markup;
mod paths;
pub mod picture;
mod reporter;
pub mod sarif;
mod snippet;
pub mod suite;

pub use diagnostic::{Diagnostic, Message, Position};
pub use hash::stable_hash;
pub use reporter::Reporter;
