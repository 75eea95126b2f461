//! Variables: locals and parameters as the debug records of a function mention them, and globals.
//!
//! Where a variable lives at a given instruction is left to the records themselves.

use super::{CTypeId, DebugInfo, SourceFile};
use crate::model::{FuncId, GlobalId, MdId, MdNode};
use rustc_hash::FxHashSet;

/// A local variable or parameter; one for each inlined copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LocalVariable<'p> {
    /// The `DILocalVariable`.
    pub id: MdId,
    /// `None` for a parameter that the source gives no name.
    pub name: Option<&'p str>,
    pub ty: CTypeId,
    /// The block or function around the declaration.
    pub scope: Option<MdId>,
    pub file: Option<SourceFile<'p>>,
    pub line: u32,
    /// Which parameter of its function this is, from 1; 0 for other variables.
    pub arg: usize,
    /// The `DILocation` of the inlined call that this copy belongs to.
    pub inlined_at: Option<MdId>,
    /// Made up by the compiler, such as the length of a VLA.
    pub is_artificial: bool,
}

/// A part of a variable, in bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fragment {
    pub offset: u64,
    pub size: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GlobalVariable<'p> {
    /// The `DIGlobalVariable`.
    pub id: MdId,
    pub name: &'p str,
    /// The symbol's name where it differs from `name`.
    pub linkage_name: Option<&'p str>,
    pub ty: CTypeId,
    pub file: Option<SourceFile<'p>>,
    pub line: u32,
    /// Which part of the variable this global is, where the optimizer took it apart.
    pub fragment: Option<Fragment>,
    /// Of a `static` local variable: the name of its function.
    pub function: Option<&'p str>,
    /// `static`.
    pub is_local: bool,
    pub is_definition: bool,
}

impl<'p> DebugInfo<'p> {
    /// The variables and parameters that the code of a function mentions, in order of appearance.
    pub fn local_variables(&self, id: FuncId) -> Vec<LocalVariable<'p>> {
        let mut seen = FxHashSet::default();
        let records = self.program.function(id).debug_records.iter();
        let mentions = records.map(|record| (record.variable, record.location.and_then(|loc| self.inlined_at(loc))));
        mentions
            .filter(|&mention| seen.insert(mention))
            .filter_map(|(variable, inlined_at)| self.local_variable(variable, inlined_at))
            .collect()
    }

    /// A `DILocalVariable`, as it stands in the copy of its function that was inlined at a position.
    pub fn local_variable(&self, id: MdId, inlined_at: Option<MdId>) -> Option<LocalVariable<'p>> {
        let fields = self.fields_of_kind(id, "DILocalVariable")?;
        Some(LocalVariable {
            id,
            name: fields.string("name"),
            ty: CTypeId::new(fields.node("type")),
            scope: fields.node("scope"),
            file: self.file_of(&fields),
            line: fields.unsigned("line"),
            arg: fields.unsigned("arg"),
            inlined_at,
            is_artificial: fields.has_flag("flags", "DIFlagArtificial"),
        })
    }

    /// The C variable that a global is. Globals that the compiler made (string literals, tables) have none.
    pub fn global_variable(&self, id: GlobalId) -> Option<GlobalVariable<'p>> {
        let expressions = self.program.global(id).debug.iter();
        let mut variables = expressions.filter_map(|&expression| {
            let fields = self.fields(expression)?;
            let variable = self.global_variable_node(fields.node("var").unwrap_or(expression))?;
            let fragment = fields.node("expr").and_then(|location| self.fragment(location));
            Some(GlobalVariable { fragment, ..variable })
        });
        variables.next()
    }

    /// The part that a `DIExpression` restricts itself to.
    fn fragment(&self, expression: MdId) -> Option<Fragment> {
        let [offset, size] = self.fields_of_kind(expression, "DIExpression")?.ints_after("DW_OP_LLVM_fragment")?;
        Some(Fragment { offset: offset.try_into().ok()?, size: size.try_into().ok()? })
    }

    fn global_variable_node(&self, id: MdId) -> Option<GlobalVariable<'p>> {
        let fields = self.fields_of_kind(id, "DIGlobalVariable")?;
        let function = fields.node("scope").and_then(|scope| self.enclosing_function(scope));
        Some(GlobalVariable {
            id,
            name: fields.string("name")?,
            linkage_name: fields.string("linkageName"),
            ty: CTypeId::new(fields.node("type")),
            file: self.file_of(&fields),
            line: fields.unsigned("line"),
            fragment: None,
            function: function.and_then(|id| self.fields(id)?.string("name")),
            is_local: fields.is_true("isLocal"),
            is_definition: fields.is_true("isDefinition"),
        })
    }

    fn inlined_at(&self, location: MdId) -> Option<MdId> {
        match self.program.metadata.nodes.get(location.index()) {
            Some(MdNode::Location { inlined_at, .. }) => *inlined_at,
            _ => None,
        }
    }
}
