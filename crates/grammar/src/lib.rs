//! Symbolic grammars (CESE): the texts of a grammar as templates, in which tokens with a choice of words are holes.
//!
//! `read` makes a [`Grammar`] and a [`Lexer`] of files. [`SymbolicGrammar`] says which tokens are holes, what has to stand between tokens
//! ([`lexicon`]) and which derivations count, if the grammar is ambiguous ([`lr`]). [`Counts`] says how many templates of which size there
//! are, [`Cursor`] makes them, one after another or by number.
//!
//! Chapter 3 of the paper; where we differ is said in [`symbolic`]. No programs, no runs, no solver.
#![forbid(unsafe_code)]

pub mod automaton;
pub mod count;
mod cursor;
pub mod diagnostic;
mod first;
mod follow;
pub mod lexicon;
pub mod lr;
pub mod model;
pub mod read;
pub mod symbolic;
mod template;
mod templates;

pub use automaton::Dfa;
pub use count::{Count, Counted, Counts};
pub use cursor::Cursor;
pub use diagnostic::{Diagnostic, Severity, Source};
pub use model::{Grammar, Lexer};
pub use symbolic::{Choices, Leaf, Measure, SymbolicGrammar};
pub use template::{Hole, Template};
pub use templates::Templates;
