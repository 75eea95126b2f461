//! Loops that tests never leave: how they tell of their rounds where the tests are built, and the sets of states that these are compared with.
//!
//! When a project is built, a script for `sed` puts a call into the line that has the loop's condition. So it is the user's source that is
//! tested, as it is then. A line that is not what it was is left alone, and the test has nothing but its time limit; so it is from the
//! start where the condition is not all of it in one line that comes once, where a variable can't be named there, or where
//! the compiler objects.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::ops::Range;
use std::path::Path;

use spelunk_ir::model::FuncId;
use spelunk_native::heads::{Heads, PRELUDE};
use spelunk_native::{Numbered, source_of};
use spelunk_report::suite::test_case::{Place, SetVariable};

use super::context::Context;
use crate::ExportError;

const DECLARATION: &str = "void spelunk_at_loop(int loop, int n_variables, ...);";

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Loops {
    /// By the number of a source: lines as they are, and as they are compiled.
    edits: BTreeMap<usize, Vec<(String, String)>>,
    /// The tests with a set, and what the runtime has to know of each.
    rows: BTreeMap<u64, String>,
    /// The sets as functions.
    functions: String,
}

impl Loops {
    pub fn of(context: &Context<'_>, tests: &[Numbered<'_>]) -> Result<Self, ExportError> {
        let heads = Heads::of(tests);
        let mut found = Self::default();
        let mut numbers: Vec<&Place> = Vec::new();
        for (place, variables) in heads.places().filter(|(_, variables)| !variables.is_empty()) {
            let Some((source, edit)) = edit(context, place, variables, numbers.len()) else { continue };
            let mut edits = found.edits.get(&source).cloned().unwrap_or_default();
            edits.push(edit);
            if compiles(context, source, &edits)? {
                found.edits.insert(source, edits);
                numbers.push(place);
            }
        }
        for (test, place, set, function) in heads.sets() {
            let Some(number) = numbers.iter().position(|&other| other == place) else { continue };
            let (every, condition) = (set.every, &set.condition);
            let row = format!(
                "{{{test}, {number}, {every}, set_{test}, \"{}:{}\", \"{condition}\"}}",
                place.file, place.line
            );
            found.rows.insert(test, row);
            found.functions += &function;
        }
        Ok(found)
    }

    pub fn has(&self, test: u64) -> bool {
        self.rows.contains_key(&test)
    }

    /// The numbers of sources that are compiled with calls in them.
    pub fn sources(&self) -> Vec<usize> {
        self.edits.keys().copied().collect()
    }

    /// What a project needs for it, by path. `shown` is what a source is called in messages.
    pub fn files(&self, shown: impl Fn(usize) -> String) -> Vec<(String, String)> {
        if self.rows.is_empty() {
            return Vec::new();
        }
        let rows: String = self.rows.values().map(|row| format!("  {row},\n")).collect();
        let table = format!(
            "/* Sets of states at the heads of loops: a run that is in one is in it again whenever it comes back. */\n\n\
             #include \"spelunk_test.h\"\n\n#include <stdint.h>\n\n{PRELUDE}{}\n\
             const struct spelunk_loop spelunk_loops[] = {{\n{rows}  {{0, 0, 0, NULL, NULL, NULL}},\n}};\n",
            self.functions
        );
        let scripts = self.edits.iter().map(|(source, edits)| (script_path(*source), script(edits, &shown(*source))));
        std::iter::once(("support/loops.c".to_owned(), table)).chain(scripts).collect()
    }
}

/// The script for a source, in the project.
pub fn script_path(source: usize) -> String {
    format!("support/loops{source}.sed")
}

/// The source with the calls in it.
pub fn told_name(source: usize) -> String {
    format!("told{source}.c")
}

fn script(edits: &[(String, String)], shown: &str) -> String {
    let escaped = |text: &str, special: &str| -> String {
        text.chars()
            .flat_map(|character| special.contains(character).then_some('\\').into_iter().chain([character]))
            .collect()
    };
    let mut text = format!(
        "# Lets loops that tests never leave tell of their rounds. Lines that have changed are left alone.\n\
         1i\\\n{DECLARATION}\\\n#line 1 \"{shown}\"\n"
    );
    for (line, told) in edits {
        writeln!(text, "s/^{}$/{}/", escaped(line, "/\\[]*.^$"), escaped(told, "/\\&")).expect("a string grows");
    }
    text
}

/// The line with the condition of a loop, and the same with a call in it.
fn edit(
    context: &Context<'_>,
    place: &Place,
    variables: &[SetVariable],
    number: usize,
) -> Option<(usize, (String, String))> {
    let recipe = context.subject.recipe;
    let source = recipe.sources.iter().position(|source| source == Path::new(&place.file))?;
    let addresses: String =
        variables.iter().map(|variable| address(context, source, place, variable)).collect::<Option<_>>()?;
    let text = fs::read_to_string(recipe.directory.join(&recipe.sources[source])).ok()?;
    let line = text.lines().nth((place.line as usize).checked_sub(1)?)?;
    let is_alone = text.lines().filter(|other| *other == line).count() == 1;
    if !is_alone || line.ends_with(['\\', '\r']) {
        return None;
    }
    let Range { start, end } = condition(line, (place.column as usize).checked_sub(1)?)?;
    let condition = match line[start..end].trim() {
        "" => "1",
        condition => condition,
    };
    let n_variables = variables.len();
    let call = format!("(spelunk_at_loop({number}, {n_variables}{addresses}), {condition})");
    // What was there may touch what is around it.
    let before = if line[..start].ends_with(';') { " " } else { "" };
    Some((source, (line.to_owned(), format!("{}{before}{call}{}", &line[..start], &line[end..]))))
}

/// A variable, as one more argument: only if its name means no other there.
fn address(context: &Context<'_>, source: usize, place: &Place, variable: &SetVariable) -> Option<String> {
    let program = context.subject.program;
    let ids = (0..program.functions.len()).map(FuncId::new).filter(|&id| source_of(program, id) == source);
    let named = |id: &FuncId| context.debug.function(*id).is_some_and(|function| function.name == place.function);
    let locals = context.debug.local_variables(ids.into_iter().find(named)?);
    let name = variable.name.as_str();
    let lines: Vec<u32> = locals.iter().filter(|it| it.name == Some(name)).map(|it| it.line).collect();
    let is_it = match variable.line {
        Some(line) => lines == [line],
        None => lines.is_empty() && !name.contains('.'),
    };
    (is_it && !context.macros.contains(name)).then(|| format!(", &{name}"))
}

fn compiles(context: &Context<'_>, source: usize, edits: &[(String, String)]) -> Result<bool, ExportError> {
    let recipe = context.subject.recipe;
    let path = recipe.directory.join(&recipe.sources[source]);
    let io = |path: &Path| {
        let path = path.to_owned();
        move |source| ExportError::Io { path, source }
    };
    let text = fs::read_to_string(&path).map_err(io(&path))?;
    let told = text.lines().map(|line| edits.iter().find(|(old, _)| old == line).map_or(line, |(_, new)| new));
    let told = format!("{DECLARATION}\n{}\n", told.collect::<Vec<_>>().join("\n"));
    let dir = tempfile::tempdir().map_err(io(&std::env::temp_dir()))?;
    super::write(dir.path(), &[(told_name(source), told)])?;
    let mut command = context.clang_for(source);
    command.arg("-fsyntax-only").arg("-iquote").arg(path.parent().unwrap_or(&recipe.directory));
    Ok(context.clang.run(command.arg(dir.path().join(told_name(source))))?.status.success())
}

/// Where the condition of the loop is that has a column in its keyword or its parentheses; of those within each other the innermost.
fn condition(line: &str, column: usize) -> Option<Range<usize>> {
    let is_code = code(line);
    let bytes = line.as_bytes();
    let at = |idx: usize| if is_code[idx] { bytes[idx] } else { b' ' };
    let is_name = |idx: usize| at(idx).is_ascii_alphanumeric() || at(idx) == b'_';
    let mut found = None;
    for start in (0..=column.min(bytes.len().saturating_sub(1))).filter(|&idx| idx == 0 || !is_name(idx - 1)) {
        let n = (start..bytes.len()).take_while(|&idx| is_name(idx)).count();
        let is_for = match &bytes[start..start + n] {
            b"while" => false,
            b"for" => true,
            _ => continue,
        };
        let Some(open) = (start + n..bytes.len()).find(|&idx| at(idx) != b' ') else { continue };
        let mut depth = 0usize;
        let mut ends = vec![open];
        for idx in open..bytes.len() {
            match at(idx) {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                b';' if depth == 1 => ends.push(idx),
                _ => {}
            }
            if depth == 0 {
                ends.push(idx);
                break;
            }
        }
        let is_whole = at(open) == b'(' && depth == 0 && ends.last() >= Some(&column);
        found = match (is_for, &ends[..]) {
            (false, &[open, close]) if is_whole => Some(open + 1..close),
            (true, &[_, first, second, _]) if is_whole => Some(first + 1..second),
            _ => found,
        };
    }
    found
}

/// Which bytes of a line are neither in literals nor in comments.
fn code(line: &str) -> Vec<bool> {
    let bytes = line.as_bytes();
    let mut is_code = vec![true; bytes.len()];
    let mut until: Option<&[u8]> = None;
    let mut idx = 0;
    while idx < bytes.len() {
        let rest = &bytes[idx..];
        let n = match until {
            Some(end) if rest.starts_with(end) => {
                until = None;
                end.len()
            }
            Some(b"*/") => 1,
            Some(_) if rest[0] == b'\\' => 2.min(rest.len()),
            Some(_) => 1,
            None => {
                until = match rest {
                    [b'"', ..] => Some(b"\""),
                    [b'\'', ..] => Some(b"'"),
                    [b'/', b'*', ..] => Some(b"*/"),
                    [b'/', b'/', ..] => Some(b"\n"),
                    _ => None,
                };
                if until.is_none() {
                    idx += 1;
                    continue;
                }
                if until == Some(b"*/") { 2 } else { 1 }
            }
        };
        is_code[idx..idx + n].fill(false);
        idx += n;
    }
    is_code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn found(line: &str, column: usize, expected: Option<&str>) {
        assert_eq!(condition(line, column).map(|range| line[range].trim()), expected, "{line}");
    }

    #[test]
    fn conditions_are_found() {
        found("  while (x != 0)", 2, Some("x != 0"));
        found("  while (x != 0)", 9, Some("x != 0"));
        found("  for (int i = 0; i <= n; i++) {", 18, Some("i <= n"));
        found("  for (;;) {", 2, Some(""));
        found("  while (f(a, \")\") /* ) */ && c != ')') x++;", 10, Some("f(a, \")\") /* ) */ && c != ')'"));
        found("for (;;) while (x) y();", 16, Some("x"));
        found("for (; a; ) while (x) y();", 7, Some("a"));
    }

    #[test]
    fn what_is_no_loop_or_not_all_of_one_is_left_alone() {
        found("  while (x != 0) y = 3;", 18, None);
        found("  while (x != 0 &&", 9, None);
        found("  meanwhile (x);", 13, None);
        found("  x = 3; // while (x)", 18, None);
        found("  while x", 8, None);
        found("  x = \"\u{e4}\"; y", 7, None);
        found("", 0, None);
    }

    #[test]
    fn scripts_are_for_sed() {
        let edits = [("  while (a[i] & 1)".to_owned(), "  while ((f(&i), a[i] & 1))".to_owned())];
        let text = script(&edits, "p.c");
        assert!(
            text.ends_with("#line 1 \"p.c\"\ns/^  while (a\\[i\\] & 1)$/  while ((f(\\&i), a[i] \\& 1))/\n"),
            "{text}"
        );
    }
}
