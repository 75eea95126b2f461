//! Functions as the source declares them, and compile units.

use super::{CType, CTypeId, DebugInfo, SourceFile};
use crate::model::{FuncId, MdId};

/// A C function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subprogram<'p> {
    /// The `DISubprogram`.
    pub id: MdId,
    pub name: &'p str,
    /// The symbol's name where it differs from `name`.
    pub linkage_name: Option<&'p str>,
    pub file: Option<SourceFile<'p>>,
    pub line: u32,
    /// A [`CType::Function`], where debug info has it.
    pub ty: CTypeId,
    pub ret: CTypeId,
    pub params: Vec<CParam<'p>>,
    /// As in [`CType::Function`].
    pub varargs: bool,
    /// `static`.
    pub is_local: bool,
    /// Not just a declaration.
    pub is_definition: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CParam<'p> {
    /// `None` if the source gives none or the compiler dropped it.
    pub name: Option<&'p str>,
    pub ty: CTypeId,
}

/// A translation unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CompileUnit<'p> {
    pub id: MdId,
    pub file: Option<SourceFile<'p>>,
    /// `DW_LANG_…`.
    pub language: Option<&'p str>,
    pub producer: Option<&'p str>,
    pub is_optimized: bool,
}

impl<'p> DebugInfo<'p> {
    pub fn compile_units(&self) -> Vec<CompileUnit<'p>> {
        let named = self.program.modules.iter().flat_map(|module| &module.named_metadata);
        let ids = named.filter(|(name, _)| name == "llvm.dbg.cu").flat_map(|(_, ids)| ids);
        ids.filter_map(|&id| {
            let fields = self.fields_of_kind(id, "DICompileUnit")?;
            Some(CompileUnit {
                id,
                file: self.file_of(&fields),
                language: fields.symbol("language"),
                producer: fields.string("producer"),
                is_optimized: fields.is_true("isOptimized"),
            })
        })
        .collect()
    }

    /// The C function that a function was compiled from.
    pub fn function(&self, id: FuncId) -> Option<Subprogram<'p>> {
        let mut subprogram = self.subprogram(self.program.function(id).debug?)?;
        for variable in self.local_variables(id).iter().filter(|variable| variable.inlined_at.is_none()) {
            name_param(&mut subprogram, variable.arg, variable.name);
        }
        Some(subprogram)
    }

    /// A `DISubprogram`. Parameters have names only where optimized code kept the list of them; see
    /// [`DebugInfo::function`].
    pub fn subprogram(&self, id: MdId) -> Option<Subprogram<'p>> {
        let fields = self.fields_of_kind(id, "DISubprogram")?;
        let ty = CTypeId::new(fields.node("type"));
        let (ret, params, varargs) = match self.ctype(ty) {
            CType::Function { ret, params, varargs } => (ret, params, varargs),
            _ => (CTypeId::VOID, Vec::new(), false),
        };
        let mut subprogram = Subprogram {
            id,
            name: fields.string("name")?,
            linkage_name: fields.string("linkageName"),
            file: self.file_of(&fields),
            line: fields.unsigned("line"),
            ty,
            ret,
            params: params.into_iter().map(|ty| CParam { name: None, ty }).collect(),
            varargs,
            is_local: fields.has_flag("spFlags", "DISPFlagLocalToUnit"),
            is_definition: fields.has_flag("spFlags", "DISPFlagDefinition"),
        };
        for variable in self.tuple(fields.node("retainedNodes")).flatten() {
            if let Some(variable) = self.fields_of_kind(variable, "DILocalVariable") {
                name_param(&mut subprogram, variable.unsigned("arg"), variable.string("name"));
            }
        }
        Some(subprogram)
    }
}

/// `arg` counts from 1; 0 is a variable that is no parameter.
fn name_param<'p>(subprogram: &mut Subprogram<'p>, arg: usize, name: Option<&'p str>) {
    if let Some(param) = arg.checked_sub(1).and_then(|index| subprogram.params.get_mut(index)) {
        param.name = name.or(param.name);
    }
}
