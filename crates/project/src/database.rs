//! `compile_commands.json`: which files there are, and the command for each.

use crate::error::ProjectError;
use crate::flags::{self, Command};
use crate::paths::normal;
use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

const NAME: &str = "compile_commands.json";

/// Where builds put it, seen from the project.
const USUAL_PLACES: &[&str] = &["build", "builddir", "out", "_build"];

/// The C files of a build.
#[derive(Clone, Debug)]
pub struct Build {
    /// The database.
    pub path: PathBuf,
    /// One for each file, in the order of the database.
    pub entries: Vec<Entry>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Absolute.
    pub source: PathBuf,
    /// For clang, in any working directory.
    pub flags: Vec<String>,
    /// Whether the build compiles it again with other flags.
    pub has_others: bool,
    /// The library or program that it is compiled for, if its output says so.
    pub group: Option<String>,
}

/// As the file has it.
#[derive(Deserialize)]
struct Stored {
    directory: PathBuf,
    file: PathBuf,
    command: Option<String>,
    arguments: Option<Vec<String>>,
    output: Option<String>,
}

impl Build {
    /// Reads a database, or that of a directory.
    pub fn read(given: &Path) -> Result<Self, ProjectError> {
        let path = locate(given).ok_or_else(|| ProjectError::NoDatabase(given.to_owned()))?;
        let text = fs::read(&path).map_err(|source| ProjectError::Read { path: path.clone(), source })?;
        let stored: Vec<Stored> = serde_json::from_slice(&text).map_err(|error| ProjectError::Json {
            path: path.clone(),
            line: error.line(),
            column: error.column(),
            message: error.to_string(),
        })?;
        let base = std::path::absolute(path.parent().unwrap_or(Path::new("."))).unwrap_or_default();
        let mut build = Self { path, entries: Vec::new() };
        let mut known: FxHashMap<PathBuf, usize> = FxHashMap::default();
        let mut n_others = 0;
        for (number, stored) in stored.into_iter().enumerate() {
            let file = stored.file.display().to_string();
            let wrong = |message| ProjectError::Entry { path: build.path.clone(), number: number + 1, file, message };
            let Some(entry) = entry(stored, &base).map_err(wrong)? else {
                n_others += 1;
                continue;
            };
            match known.get(&entry.source) {
                None => {
                    known.insert(entry.source.clone(), build.entries.len());
                    build.entries.push(entry);
                }
                Some(&first) => build.entries[first].has_others |= build.entries[first].flags != entry.flags,
            }
        }
        if build.entries.is_empty() {
            return Err(ProjectError::NoSources { path: build.path, n_others });
        }
        Ok(build)
    }
}

/// The database that is meant.
fn locate(given: &Path) -> Option<PathBuf> {
    if given.is_file() {
        return Some(given.to_owned());
    }
    let below = USUAL_PLACES.iter().map(|place| given.join(place).join(NAME));
    std::iter::once(given.join(NAME)).chain(below).find(|path| path.is_file())
}

/// What an entry says; nothing if it is about another language.
fn entry(stored: Stored, base: &Path) -> Result<Option<Entry>, String> {
    let words = match (stored.arguments, stored.command) {
        (Some(arguments), _) if !arguments.is_empty() => arguments,
        (_, Some(command)) => shlex::split(&command).ok_or("a quote in `command` does not end")?,
        _ => return Err("neither `command` nor `arguments` is there".to_owned()),
    };
    let directory = normal(&base.join(stored.directory));
    let source = normal(&directory.join(stored.file));
    Ok(match flags::read(&words, &directory, &source)? {
        Command::Other => None,
        Command::C { flags, output } => {
            let group = stored.output.or(output).and_then(|output| group(&output));
            Some(Entry { source, flags, has_others: false, group })
        }
    })
}

/// CMake and Meson have a directory for the objects of each target: `CMakeFiles/NAME.dir`, `NAME.p`.
fn group(output: &str) -> Option<String> {
    let mut parts: Vec<&str> = output.split('/').collect();
    let last = parts.iter().rposition(|part| part.ends_with(".dir") || part.ends_with(".p"))?;
    parts.truncate(last + 1);
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Build, ProjectError> {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(NAME), json).unwrap();
        Build::read(dir.path())
    }

    #[test]
    fn both_forms_are_read_and_duplicates_merged() {
        let build = read(
            r#"[{"directory": "/b", "file": "../s/a.c", "command": "gcc -DN='1 2' -o CMakeFiles/x.dir/a.c.o -c ../s/a.c"},
                {"directory": "/b", "file": "/s/b.c", "arguments": ["clang", "-I", "inc", "-c", "/s/b.c"], "output": "lib.p/b.o"},
                {"directory": "/b", "file": "/s/a.c", "command": "gcc -fPIC '-DN=1 2' -c /s/a.c"},
                {"directory": "/b", "file": "/s/c.cpp", "command": "g++ -c /s/c.cpp"},
                {"directory": "/b", "file": "/s/b.c", "command": "gcc -DOTHER -c /s/b.c"}]"#,
        )
        .unwrap();
        let entry = |source: &str, flags: &[&str], has_others: bool, group: &str| Entry {
            source: source.into(),
            has_others,
            flags: flags.iter().map(|&flag| flag.to_owned()).collect(),
            group: Some(group.to_owned()),
        };
        // A shared library needs other flags, but none that matter; the second one of b.c is another.
        assert_eq!(
            build.entries,
            [entry("/s/a.c", &["-DN=1 2"], false, "CMakeFiles/x.dir"), entry("/s/b.c", &["-I/b/inc"], true, "lib.p")]
        );
    }

    #[test]
    fn what_is_wrong_is_told() {
        let said = |json: &str| read(json).unwrap_err().to_string();
        assert!(said("{").contains("compile_commands.json:1:"), "{}", said("{"));
        assert!(said("[]").contains("no C source"));
        assert!(said(r#"[{"directory": "/", "file": "a.c"}]"#).contains("entry 1 (a.c): neither `command`"));
        assert!(said(r#"[{"directory": "/", "file": "a.c", "command": "cc '-D"}]"#).contains("a quote in `command`"));
        assert!(said(r#"[{"directory": "/", "file": "a.cc", "command": "c++ -c a.cc"}]"#).contains("one file is in"));
        let none = tempfile::tempdir().unwrap();
        assert!(Build::read(none.path()).unwrap_err().to_string().contains("bear -- make"));
    }
}
