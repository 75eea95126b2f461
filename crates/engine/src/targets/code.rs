//! Which operations stand on which lines of the user's source.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use spelunk_explore::targets::{Event, Target};
use spelunk_ir::code::{Image, OpCode, OpIdx};
use spelunk_report::Reporter;

use super::request::{TargetError, TargetPlace};
use super::{ChangedLines, is_code};

/// Columns and operations of a line.
type Line = Vec<(u32, OpIdx)>;

struct File {
    /// Where it is.
    path: PathBuf,
    /// As the user spells it.
    name: String,
    lines: BTreeMap<u32, Line>,
}

pub struct Code<'p> {
    image: &'p Image,
    files: Vec<File>,
}

impl<'p> Code<'p> {
    pub fn new(image: &'p Image, reporter: &Reporter<'_>) -> Self {
        let debug = reporter.debug();
        let mut numbers: FxHashMap<PathBuf, usize> = FxHashMap::default();
        let mut files: Vec<File> = Vec::new();
        let functions = image.functions.iter().filter(|code| is_code(code));
        for op_idx in functions.flat_map(|code| code.entry.up_to(code.end)) {
            // Operands of others are never executed.
            let Some(loc) = image.loc(op_idx).filter(|_| image.op(op_idx).code != OpCode::Ext) else { continue };
            for place in debug.inline_chain(loc).filter(|place| place.line != 0) {
                let Some(file) = place.file else { continue };
                let number = *numbers.entry(file.path()).or_insert_with_key(|path| {
                    let (name, path) = reporter.source_path(path);
                    files.push(File { path, name: name.display().to_string(), lines: BTreeMap::new() });
                    files.len() - 1
                });
                files[number].lines.entry(place.line).or_default().push((place.column, op_idx));
            }
        }
        Self { image, files }
    }

    /// The operations at a place: of a function, the first.
    pub fn find(&self, place: &TargetPlace) -> Result<Vec<OpIdx>, TargetError> {
        match place {
            TargetPlace::Line { file, line, column } => self.line(file, *line, *column),
            TargetPlace::Named(name) => match self.functions(name) {
                found if found.is_empty() => Err(TargetError::UnknownFunction { name: name.clone() }),
                found => Ok(found.iter().map(|range| range.0).collect()),
            },
        }
    }

    /// All operations of a place, in order.
    pub fn within(&self, place: &TargetPlace) -> Result<Vec<OpIdx>, TargetError> {
        let TargetPlace::Named(name) = place else { return self.find(place) };
        let mut found: Vec<OpIdx> =
            self.functions(name).into_iter().flat_map(|(entry, end)| entry.up_to(end)).collect();
        if found.is_empty() {
            let files = self.files.iter().filter(|known| is_spelt(known, Path::new(name)));
            found.extend(files.flat_map(|file| file.lines.values().flatten()).map(|&(_, op_idx)| op_idx));
        }
        if found.is_empty() {
            return Err(TargetError::UnknownFunction { name: name.clone() });
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    fn functions(&self, name: &str) -> Vec<(OpIdx, OpIdx)> {
        let found = self.image.functions.iter().filter(|code| is_code(code) && &*code.name == name);
        found.map(|code| (code.entry, code.end)).collect()
    }

    fn line(&self, file: &Path, line: u32, column: Option<u32>) -> Result<Vec<OpIdx>, TargetError> {
        let files: Vec<&File> = self.files.iter().filter(|known| is_spelt(known, file)).collect();
        let Some(one) = files.first() else {
            let known = self.files.iter().map(|file| file.name.clone()).collect();
            return Err(TargetError::UnknownFile { file: file.to_owned(), known });
        };
        let here: Vec<(u32, OpIdx)> =
            files.iter().filter_map(|file| file.lines.get(&line)).flatten().copied().collect();
        if here.is_empty() {
            let nearest = one.lines.keys().copied().min_by_key(|known| known.abs_diff(line)).unwrap_or(0);
            return Err(TargetError::NoCode { file: one.name.clone(), line, nearest });
        }
        let is_meant = |&&(at, _): &&(u32, OpIdx)| column.is_none_or(|column| column == at);
        let mut found: Vec<OpIdx> = here.iter().filter(is_meant).map(|&(_, op_idx)| op_idx).collect();
        if found.is_empty() {
            let mut columns: Vec<u32> = here.iter().map(|&(at, _)| at).filter(|&at| at != 0).collect();
            columns.sort_unstable();
            columns.dedup();
            let (file, column) = (one.name.clone(), column.unwrap_or(0));
            return Err(TargetError::NoColumn { file, line, column, columns });
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// Each changed line that has code; where something was removed, the next line that has.
    pub fn changed(&self, lines: &ChangedLines) -> Vec<Target> {
        let files = self.files.iter().filter(|known| is_spelt(known, &lines.file));
        let of_file = |file: &File| {
            let behind = file.lines.range(lines.first..).take(usize::from(lines.is_removal));
            let added = file.lines.range(lines.first..=lines.last).take_while(|_| !lines.is_removal);
            let target = |(number, line): (&u32, &Line)| Target {
                name: format!("{}:{number}", file.name),
                event: Event::Executed,
                at: sorted(line),
            };
            behind.chain(added).map(target).collect::<Vec<_>>()
        };
        files.flat_map(of_file).collect()
    }
}

fn sorted(line: &Line) -> Vec<OpIdx> {
    let mut at: Vec<OpIdx> = line.iter().map(|&(_, op_idx)| op_idx).collect();
    at.sort_unstable();
    at.dedup();
    at
}

/// Whether a path, or the end of one, is that of a file.
fn is_spelt(file: &File, path: &Path) -> bool {
    let path: PathBuf = path.components().collect();
    file.path.ends_with(&path) || Path::new(&file.name) == path
}

/// Calls by which assertions fail.
pub fn assertions(image: &Image, within: &[OpIdx]) -> Vec<OpIdx> {
    let callee = |op_idx: OpIdx| {
        let op = image.op(op_idx);
        match op.code {
            OpCode::CallExternal => Some(&*image.externals[op.a as usize]),
            OpCode::Call | OpCode::CallVar => Some(&*image.functions[op.a as usize].name),
            _ => None,
        }
    };
    within.iter().copied().filter(|&op_idx| callee(op_idx).is_some_and(|name| name.contains("assert"))).collect()
}
