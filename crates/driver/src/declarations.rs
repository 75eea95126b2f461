//! What C says of functions that nobody defines: debug info has it only of optimised code, so clang is asked again.
//!
//! Of that text only declarations and what they refer to is kept, as a module of its own behind all others.

use crate::clang::Clang;
use crate::error::DriverError;
use crate::parallel;
use crate::source::{self, Flags};
use rustc_hash::FxHashSet;
use spelunk_ir::link::{Definition, Linkage};
use spelunk_ir::model::{FuncId, Function, ModuleId, Program, Type};
use std::path::PathBuf;

/// The name of such modules.
pub const MODULE: &str = "<declarations>";

/// Makes clang describe declarations, and changes nothing that sources could see.
const FLAGS: &[&str] = &["-O1", "-Xclang", "-disable-llvm-passes", "-U__OPTIMIZE__", "-w"];

/// The functions that only the user's code declares and of whose results the type matters, by module, where debug info has
/// nothing of them.
pub fn wanted(program: &Program, linkage: &Linkage, n_user: usize) -> Vec<(ModuleId, FxHashSet<String>)> {
    let mut by_module: Vec<(ModuleId, FxHashSet<String>)> =
        (0..n_user).map(|module| (ModuleId::new(module), FxHashSet::default())).collect();
    for idx in 0..program.functions.len() {
        let id = FuncId::new(idx);
        let function = program.function(id);
        let symbol = program.symbol(function.symbol);
        let is_undefined = || linkage.function(program, id) == Definition::Undefined;
        let is_wanted = function.debug.is_none() && returns_objects(program, function);
        if symbol.module.index() < n_user && is_wanted && is_undefined() && !spelunk_libc::is_known(&symbol.name) {
            by_module[symbol.module.index()].1.insert(symbol.name.to_string());
        }
    }
    by_module.retain(|(_, names)| !names.is_empty());
    by_module
}

/// Whether a result is a pointer, or has parts.
fn returns_objects(program: &Program, function: &Function) -> bool {
    let is_written = function.params.first().is_some_and(|param| param.attrs.sret.is_some());
    is_written || matches!(program.types[function.ret], Type::Ptr | Type::Struct { .. } | Type::Array(..))
}

/// The texts of modules that declare them. What clang does not say is left out.
pub fn texts(
    clang: &Clang,
    sources: &[PathBuf],
    flags: Flags<'_>,
    wanted: &[(ModuleId, FxHashSet<String>)],
) -> Result<Vec<String>, DriverError> {
    let described = parallel::map(wanted, |(module, names)| {
        let path = &sources[module.index()];
        if !source::is_c(path) {
            return Ok::<_, DriverError>(None);
        }
        let again = flags.for_c(module.index(), path).into_iter().chain(FLAGS.iter().map(|flag| flag.into()));
        let output = clang.emit_llvm(&again.collect::<Vec<_>>(), path)?;
        Ok(output.succeeded.then(|| declarations(&output.text, names)))
    });
    let texts = described.into_iter().collect::<Result<Vec<_>, _>>()?;
    Ok(texts.into_iter().flatten().collect())
}

/// The part of a module that these declarations need.
fn declarations(text: &str, names: &FxHashSet<String>) -> String {
    let is_wanted = |line: &str| {
        let name =
            line.split_once('@').and_then(|(_, rest)| rest.split_once('(')).map(|(name, _)| name.trim_matches('"'));
        line.starts_with("declare !dbg") && name.is_some_and(|name| names.contains(name))
    };
    let is_needed = |line: &&str| {
        let is_context = ["target ", "attributes ", "!", "%"].iter().any(|start| line.starts_with(start));
        is_context || is_wanted(line)
    };
    text.lines().filter(is_needed).flat_map(|line| [line, "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_declarations_are_kept() {
        let text = "target triple = \"x\"\n%struct.s = type { i32 }\n@g = global i32 0\ndefine i32 @f() !dbg !1 {\n  ret i32 0\n}\n\
                    declare !dbg !2 ptr @wanted(i32)\ndeclare !dbg !3 i32 @other()\ndeclare void @plain()\n!1 = !{}\n";
        let kept = declarations(text, &["wanted".to_owned(), "plain".to_owned()].into_iter().collect());
        assert_eq!(
            kept,
            "target triple = \"x\"\n%struct.s = type { i32 }\ndeclare !dbg !2 ptr @wanted(i32)\n!1 = !{}\n"
        );
    }
}
