//! Expressions over input variables: what a concolic run computes beside its concrete values.
//!
//! An expression is a node of a hash-consed graph in an [`ExprPool`]; an [`ExprId`] is all that others hold. Enter at
//! [`builder`] to make expressions, at [`eval`] to compute them under a [`Model`], at [`node`] and [`op`] to read them.
//!
//! This crate knows nothing of memory, of LLVM or of solvers. What operations compute is not said here but in
//! [`spelunk_bv`].

#![forbid(unsafe_code)]

pub mod builder;
pub mod constants;
pub mod eval;
pub mod facts;
pub mod free_vars;
pub mod gc;
mod id_table;
pub mod lanes;
mod model;
mod narrow;
pub mod node;
pub mod op;
pub mod pool;
pub mod print;
pub mod rules;
mod semantics;
mod substitute;
mod traverse;
mod value;

pub use eval::Evaluator;
pub use facts::Facts;
pub use free_vars::{FreeVars, VarSetId};
pub use lanes::Lanes;
pub use model::{ArrayValue, Model, Overlay, Values};
pub use node::{ExprId, MAX_WIDTH, Node, Sort, VarId};
pub use op::Op;
pub use pool::ExprPool;
pub use rules::Rule;
pub use semantics::eval_narrow;
pub use substitute::Substitution;
pub use traverse::ExprSet;
pub use value::Value;
