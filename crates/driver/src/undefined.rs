//! Variables that nobody defines, as a module that does: when paths are explored, they are zeros.

use spelunk_ir::link::{Definition, Linkage};
use spelunk_ir::model::{GlobalVar, ModuleId, Program, SymbolKind};
use std::fmt::Write;

/// The name of the module.
pub const MODULE: &str = "<undefined variables>";

/// The size of a variable whose declaration does not say it.
const UNKNOWN_SIZE: u64 = 256;

/// The names of variables that the program refers to and nobody defines.
pub fn missing(program: &Program, linkage: &Linkage) -> Vec<String> {
    let missing = linkage.undefined_symbols().iter();
    let missing = missing.filter(|&&symbol| linkage.definition(symbol) == Definition::Undefined);
    let missing = missing.map(|&symbol| program.symbol(symbol));
    let variables = missing.filter(|symbol| matches!(symbol.kind, SymbolKind::Global(_)));
    variables.map(|symbol| symbol.name.to_string()).collect()
}

/// The text of a module that defines them.
pub fn definitions(program: &Program, names: &[String]) -> String {
    let mut text = String::new();
    for name in names {
        // Not every file need know the size.
        let declared = program.symbols.iter().filter(|symbol| *symbol.name == **name);
        let declared: Vec<&GlobalVar> = declared
            .filter_map(|symbol| match symbol.kind {
                SymbolKind::Global(id) => Some(program.global(id)),
                _ => None,
            })
            .collect();
        let layout = program.modules.first().map(|module| module.data_layout).unwrap_or_default();
        let sizes = declared.iter().filter_map(|global| program.types.alloc_size(layout, global.ty));
        let size = sizes.max().filter(|&size| size > 0).unwrap_or(UNKNOWN_SIZE);
        let align = declared.iter().map(|global| global.align).max().unwrap_or(0).max(1);
        let storage = if declared.iter().any(|global| global.thread_local) { "thread_local " } else { "" };
        writeln!(text, "@\"{name}\" = weak {storage}global [{size} x i8] zeroinitializer, align {align}")
            .expect("a string grows");
    }
    text
}

/// The variables of a loaded program that only that module defines.
pub fn undefined_variables(program: &Program) -> Vec<String> {
    let Some(module) = program.modules.iter().position(|module| module.name == MODULE) else { return Vec::new() };
    let own = program.symbols.iter().filter(|symbol| symbol.module == ModuleId::new(module));
    own.map(|symbol| symbol.name.to_string()).collect()
}
