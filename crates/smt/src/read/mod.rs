//! From bytes to commands: S-expressions with positions, one command at a time.
//!
//! A command is handed out as soon as its last parenthesis is there, so that a script may come from a program that
//! waits for each answer. What commands mean is not known here.

mod lexer;
mod sexp;

pub use lexer::{ReadError, Reader};
pub use sexp::{Children, Kind, Sexp, quote_symbol};
