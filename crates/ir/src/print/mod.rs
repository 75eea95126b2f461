//! Writes modules back as LLVM assembly.

mod types;

pub use types::type_text;
