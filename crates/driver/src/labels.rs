//! The `case` labels of the sources, where the code does not say which values belong to one, or where an optimiser may have left
//! nothing of some: clang is asked again, for code in which each label has a block of its own.

use crate::clang::Clang;
use crate::error::DriverError;
use crate::parallel;
use crate::source::{self, Flags};
use rustc_hash::{FxHashMap, FxHashSet};
use spelunk_ir::debug::{DebugInfo, SourceFile};
use spelunk_ir::labels::SourceLabels;
use spelunk_ir::lower::is_optimised;
use spelunk_ir::model::{Inst, InstKind, ModuleId, Program};
use spelunk_ir::parse::parse_module;
use std::path::{Path, PathBuf};

const FLAGS: &[&str] = &["-fprofile-instr-generate", "-Xclang", "-disable-llvm-passes", "-w"];

/// The modules of the user's whose labels are to be asked for.
pub fn wanted(program: &Program, n_user: usize) -> Vec<ModuleId> {
    let debug = DebugInfo::new(program);
    let mut files: FxHashMap<SourceFile<'_>, Text> = FxHashMap::default();
    let mut wanted: FxHashSet<ModuleId> = FxHashSet::default();
    for function in &program.functions {
        let module = program.symbol(function.symbol).module;
        if module.index() >= n_user || wanted.contains(&module) {
            continue;
        }
        let is_optimised = is_optimised(program, module);
        // Of a switch that an optimiser has removed, something else has the position.
        let is_of_switch = |inst: &&Inst| is_optimised || matches!(inst.kind, InstKind::Switch { .. });
        let locations = function.insts.iter().filter(is_of_switch).filter_map(|inst| inst.loc);
        let used: FxHashSet<SourceFile<'_>> = locations.filter_map(|loc| debug.location(loc)?.file).collect();
        let is_wanted = used.into_iter().any(|file| {
            let text = files.entry(file).or_insert_with(|| Text::read(&file.path()));
            text.has_ranges || is_optimised && text.has_switches
        });
        if is_wanted {
            wanted.insert(module);
        }
    }
    let mut wanted: Vec<ModuleId> = wanted.into_iter().collect();
    wanted.sort_unstable();
    wanted
}

/// What is of interest in a source.
struct Text {
    has_switches: bool,
    has_ranges: bool,
}

impl Text {
    fn read(path: &Path) -> Self {
        let text = std::fs::read(path).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        Self { has_switches: text.contains("switch"), has_ranges: has_ranges(&text) }
    }
}

/// Whether some `case` has three dots before its colon. Comments don't matter: what is asked for in vain costs time only.
fn has_ranges(text: &str) -> bool {
    text.match_indices("case")
        .any(|(at, _)| text[at..].split([':', ';']).next().is_some_and(|label| label.contains("...")))
}

/// Asks for them. Of what clang does not compile like that, there are none.
pub fn read(
    clang: &Clang,
    sources: &[PathBuf],
    flags: Flags<'_>,
    wanted: &[ModuleId],
) -> Result<SourceLabels, DriverError> {
    let counted = parallel::map(wanted, |module| {
        let path = &sources[module.index()];
        if !source::is_c(path) {
            return Ok::<_, DriverError>(None);
        }
        let again = flags.for_c(module.index(), path).into_iter().chain(FLAGS.iter().map(|flag| flag.into()));
        let output = clang.emit_llvm(&again.collect::<Vec<_>>(), path)?;
        let mut program = Program::new();
        let is_read = output.succeeded && parse_module(&mut program, &path.to_string_lossy(), &output.text).is_ok();
        Ok(is_read.then_some(program))
    });
    let mut labels = SourceLabels::default();
    for program in counted {
        if let Some(program) = program? {
            labels.add_counted(&program);
        }
    }
    Ok(labels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_told_from_other_dots() {
        assert!(has_ranges("switch (c) { case 'a' ... 'z': break; }"));
        assert!(has_ranges("case LOW\n  ...\n  HIGH:"));
        assert!(!has_ranges("int printf(const char *, ...); switch (c) { case 1: f(\"...\"); }"));
    }
}
