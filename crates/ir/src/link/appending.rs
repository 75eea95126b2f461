//! Arrays with appending linkage: each module's elements, one module after the other.

use super::Structor;
use crate::model::{ConstId, ConstKind, Linkage, ModuleId, Program, Symbol, SymbolKind};
use std::cmp::Reverse;

pub(super) fn constructors(program: &Program, modules: &[ModuleId]) -> Vec<Structor> {
    let mut found = structors(program, modules, "llvm.global_ctors");
    found.sort_by_key(|structor| structor.priority);
    found
}

pub(super) fn destructors(program: &Program, modules: &[ModuleId]) -> Vec<Structor> {
    let mut found = structors(program, modules, "llvm.global_dtors");
    found.reverse();
    found.sort_by_key(|structor| Reverse(structor.priority));
    found
}

/// Entries are `{ i32 priority, ptr function, ptr data }`; a null function is a hole.
fn structors(program: &Program, modules: &[ModuleId], name: &str) -> Vec<Structor> {
    let entry = |id: ConstId| {
        let [priority, function, ..] = elements(program, id) else { return None };
        let priority = match program.consts[*priority].kind {
            ConstKind::Int(priority) => u32::try_from(priority).ok()?,
            _ => 0,
        };
        let is_hole = matches!(program.consts[*function].kind, ConstKind::Null | ConstKind::Zero);
        (!is_hole).then_some(Structor { priority, function: *function })
    };
    appended(program, modules, name).into_iter().filter_map(entry).collect()
}

/// The elements of all arrays of this name.
fn appended(program: &Program, modules: &[ModuleId], name: &str) -> Vec<ConstId> {
    let matches = |symbol: &&Symbol| symbol.linkage == Linkage::Appending && *symbol.name == *name;
    let arrays: Vec<&Symbol> = program.symbols.iter().filter(matches).collect();
    let in_link_order = modules.iter().flat_map(|&module| arrays.iter().filter(move |array| array.module == module));
    in_link_order
        .filter_map(|array| match array.kind {
            SymbolKind::Global(global) => program.global(global).init,
            _ => None,
        })
        .flat_map(|init| elements(program, init).iter().copied())
        .collect()
}

fn elements(program: &Program, id: ConstId) -> &[ConstId] {
    match &program.consts[id].kind {
        ConstKind::Aggregate(elements) => elements,
        _ => &[],
    }
}
