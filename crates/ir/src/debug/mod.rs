//! Debug info: a typed view over the metadata that clang writes with `-g`.
//!
//! [`DebugInfo`] decodes a node when it is asked for and keeps next to nothing, so that it costs nothing at start-up.
//! Metadata that is missing, malformed or of another language gives `None` or [`CType::Unknown`], never an error:
//! a program runs without debug info too.
//!
//! One file a concept: positions, C types, the scalars in them, their spelling, functions, variables, annotations. `fields` is the access to a node.

mod annotations;
mod ctype;
mod fields;
mod position;
mod scalars;
mod spelling;
mod subprogram;
mod variable;

pub use annotations::{Annotated, Annotation};
pub use ctype::{ArrayLen, CType, CTypeId, Encoding, Enumerator, Member, Qualifier, RecordKind};
pub use position::{SourceFile, SourceLoc};
pub use scalars::{POINTER, ScalarKind, without_sign};
pub use subprogram::{CParam, CompileUnit, Subprogram};
pub use variable::{Fragment, GlobalVariable, LocalVariable};

use crate::model::{MdId, Program};
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// The debug info of all modules of a program.
#[derive(Debug)]
pub struct DebugInfo<'p> {
    program: &'p Program,
    /// Record and enum types with a body, by tag and name; built when a forward declaration is first completed.
    complete_types: OnceLock<FxHashMap<(&'p str, &'p str), MdId>>,
    /// The typedefs of types that have no name of their own; built when such a type is first spelled.
    typedef_names: OnceLock<FxHashMap<MdId, &'p str>>,
}

impl<'p> DebugInfo<'p> {
    pub fn new(program: &'p Program) -> Self {
        Self { program, complete_types: OnceLock::new(), typedef_names: OnceLock::new() }
    }
}
