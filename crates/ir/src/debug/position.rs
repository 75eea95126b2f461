//! Source files and positions, and the chain of scopes and inlined calls around them.

use super::DebugInfo;
use super::fields::Fields;
use crate::model::{MdId, MdNode};
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};

/// Scopes nest no deeper than blocks in a source file; a longer chain is a cycle in malformed metadata.
const MAX_CHAIN: usize = 4096;

/// A file as clang was told of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SourceFile<'p> {
    /// The directory in which clang ran; may be empty.
    pub directory: &'p str,
    /// Relative to the directory, or absolute.
    pub filename: &'p str,
}

impl SourceFile<'_> {
    pub fn path(&self) -> PathBuf {
        Path::new(self.directory).join(self.filename)
    }
}

/// A position in the source, and where the function it is in was inlined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourceLoc<'p> {
    pub file: Option<SourceFile<'p>>,
    /// 0 if the compiler made up the code.
    pub line: u32,
    pub column: u32,
    /// The C function that the position is in, before inlining.
    pub function: Option<&'p str>,
    /// The `DILocation` of the call that was inlined.
    pub inlined_at: Option<MdId>,
}

impl<'p> DebugInfo<'p> {
    /// The position that a `DILocation` states.
    pub fn location(&self, id: MdId) -> Option<SourceLoc<'p>> {
        let MdNode::Location { line, column, scope, inlined_at } = *self.program.metadata.nodes.get(id.index())? else {
            return None;
        };
        Some(SourceLoc {
            file: self.scope_file(scope),
            line,
            column,
            function: self.enclosing_function(scope).and_then(|id| self.fields(id)?.string("name")),
            inlined_at,
        })
    }

    /// The position, then the inlined calls that lead to it, innermost first.
    pub fn inline_chain(&self, id: MdId) -> impl Iterator<Item = SourceLoc<'p>> {
        std::iter::successors(self.location(id), |loc| self.location(loc.inlined_at?)).take(MAX_CHAIN)
    }

    /// The `DISubprogram` around a scope.
    pub fn enclosing_function(&self, scope: MdId) -> Option<MdId> {
        self.scopes(scope).find(|(_, fields)| fields.kind == "DISubprogram").map(|(id, _)| id)
    }

    /// Every file that any module mentions, in order of appearance and without repetitions.
    pub fn source_files(&self) -> Vec<SourceFile<'p>> {
        let ids = (0..self.program.metadata.nodes.len()).map(MdId::new);
        let mut seen = FxHashSet::default();
        ids.filter_map(|id| self.file(id)).filter(|&file| seen.insert(file)).collect()
    }

    pub(super) fn file(&self, id: MdId) -> Option<SourceFile<'p>> {
        let fields = self.fields_of_kind(id, "DIFile")?;
        Some(SourceFile {
            directory: fields.string("directory").unwrap_or_default(),
            filename: fields.string("filename")?,
        })
    }

    /// The file of a node with a `file` field.
    pub(super) fn file_of(&self, fields: &Fields<'p>) -> Option<SourceFile<'p>> {
        self.file(fields.node("file")?)
    }

    fn scope_file(&self, scope: MdId) -> Option<SourceFile<'p>> {
        self.scopes(scope).find_map(|(_, fields)| self.file_of(&fields))
    }

    /// The scope itself and those around it, innermost first.
    fn scopes(&self, scope: MdId) -> impl Iterator<Item = (MdId, Fields<'p>)> {
        let with_fields = |id: MdId| Some((id, self.fields(id)?));
        std::iter::successors(with_fields(scope), move |(_, fields)| with_fields(fields.node("scope")?)).take(MAX_CHAIN)
    }
}
