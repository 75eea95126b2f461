//! HEX: which shapes of heap structures are valid, said in a few lines and checked one pointer at a time.
//!
//! After *Symbolic Execution of Programs with Heap Inputs* (Braione, Denaro, Pezzè; ESEC/FSE 2015), section 3, with what C structures need besides:
//! rules at every object of a type (`in struct node { .next.prev is this }`), embedded structs, arrays, clauses.
//!
//! Enter at [`Spec::parse`] (rules as text, against [`Types`]) and [`Heap`] (what is decided so far; `candidates`, `check`, `decide`). `docs/hex.md`
//! is the language for its users.
//!
//! *Boundary:* no machine, no variables, no solver: only tables of types and numbers of objects.
#![forbid(unsafe_code)]

mod automata;
mod backbones;
mod check;
mod compile;
mod complete;
mod diagnostic;
mod heap;
mod learn;
mod lexer;
mod lints;
mod memo;
mod parser;
mod resolve;
mod spec;
mod syntax;
mod tables;
mod types;

pub use backbones::Violation;
pub use complete::{Incomplete, Prefer};
pub use diagnostic::{Diagnostic, Severity, Source};
pub use heap::{Argument, Choice, Heap, ObjIx, Spot};
pub use learn::{Effort, Example, Learned, Proposal, first_against, learn};
pub use spec::{Arg, Companion, CompanionId, Rule, RuleId, Spec};
pub use types::{Part, Ref, Root, RootKind, Step, Type, TypeId, Types};
