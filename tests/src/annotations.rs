//! What a C program in `ui/` says about itself: the options in its header (module `header`) and the `//~` annotations
//! on its lines. Anything that cannot be understood is an error of the test, so that a typing error never weakens one.
//!
//! An annotation is `//~ BUG(kind)` or `//~ NOTE(text)`, several on a line separated by spaces.

use std::path::{Path, PathBuf};

use crate::config::{CONFIGS, Config};
use crate::header::Header;
use crate::report::{KINDS, Position};

#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{}:{line}: {what}", path.display())]
    Line { path: PathBuf, line: usize, what: String },
    #[error("{}: {what}", path.display())]
    Whole { path: PathBuf, what: String },
}

/// One program and everything expected of it.
#[derive(Clone, Debug)]
pub struct Case {
    /// The program, then the files its header links in.
    pub files: Vec<PathBuf>,
    pub header: Header,
    pub expected: Expected,
}

#[derive(Clone, Debug)]
pub enum Expected {
    /// The VM agrees with the native run, whose exit status is this.
    Clean { exit: i32 },
    /// The VM stops with exactly these reports, which carry at least these notes.
    Bugs { bugs: Vec<ExpectedBug>, notes: Vec<ExpectedNote> },
    /// The VM stops and names this construct as unsupported.
    Unsupported(String),
}

#[derive(Clone, Debug)]
pub struct ExpectedBug {
    pub position: Position,
    pub kind: String,
}

#[derive(Clone, Debug)]
pub struct ExpectedNote {
    pub position: Position,
    pub text: String,
}

impl Case {
    pub fn load(path: &Path) -> Result<Case, CaseError> {
        let text = read(path)?;
        let header = Header::parse(&text).map_err(|error| CaseError::Line {
            path: path.to_owned(),
            line: error.line,
            what: error.what,
        })?;
        let dir = path.parent().unwrap_or(Path::new("."));
        let files: Vec<PathBuf> =
            std::iter::once(path.to_owned()).chain(header.files.iter().map(|file| dir.join(file))).collect();
        let mut bugs = Vec::new();
        let mut notes = Vec::new();
        for file in &files {
            parse_annotations(file, &read(file)?, &mut bugs, &mut notes)?;
        }
        let expected = expectation(&header, bugs, notes)
            .map_err(|what| CaseError::Whole { path: path.to_owned(), what: what.to_owned() })?;
        Ok(Case { files, header, expected })
    }

    /// The configurations to run under: the header's, or all for a clean program and the unoptimised ones for a
    /// faulty one, since an optimiser may remove undefined behaviour.
    pub fn configs(&self) -> Vec<Config> {
        if let Some(configs) = &self.header.configs {
            return configs.clone();
        }
        let wanted = |config: &&Config| matches!(self.expected, Expected::Clean { .. }) || config.is_unoptimised();
        CONFIGS.iter().filter(wanted).copied().collect()
    }
}

fn read(path: &Path) -> Result<String, CaseError> {
    std::fs::read_to_string(path).map_err(|source| CaseError::Read { path: path.to_owned(), source })
}

fn expectation(header: &Header, bugs: Vec<ExpectedBug>, notes: Vec<ExpectedNote>) -> Result<Expected, &'static str> {
    if !bugs.is_empty() {
        if header.unsupported.is_some() || header.exit.is_some() {
            return Err("a program with a BUG has no `exit` or `unsupported`");
        }
        return Ok(Expected::Bugs { bugs, notes });
    }
    if !notes.is_empty() {
        return Err("a NOTE without a BUG");
    }
    match (&header.unsupported, header.exit) {
        (Some(_), Some(_)) => Err("`exit` and `unsupported` exclude each other"),
        (Some(name), None) => Ok(Expected::Unsupported(name.clone())),
        (None, exit) => Ok(Expected::Clean { exit: exit.unwrap_or(0) }),
    }
}

fn parse_annotations(
    path: &Path,
    text: &str,
    bugs: &mut Vec<ExpectedBug>,
    notes: &mut Vec<ExpectedNote>,
) -> Result<(), CaseError> {
    for (idx, line) in text.lines().enumerate() {
        let Some((_, mut rest)) = line.split_once("//~") else { continue };
        let position = Position { file: path.to_owned(), line: idx + 1 };
        let wrong = |what: String| CaseError::Line { path: path.to_owned(), line: idx + 1, what };
        loop {
            let (name, tail) =
                rest.trim_start().split_once('(').ok_or_else(|| wrong("an annotation is NAME(TEXT)".to_owned()))?;
            let (text, tail) = tail.split_once(')').ok_or_else(|| wrong("`)` is missing".to_owned()))?;
            match name {
                "BUG" if KINDS.contains(&text) => {
                    bugs.push(ExpectedBug { position: position.clone(), kind: text.to_owned() });
                }
                "BUG" => return Err(wrong(format!("unknown kind `{text}`"))),
                "NOTE" => notes.push(ExpectedNote { position: position.clone(), text: text.to_owned() }),
                _ => return Err(wrong(format!("unknown annotation `{name}`"))),
            }
            rest = tail;
            if rest.trim().is_empty() {
                break;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn load(text: &str) -> Result<Case, CaseError> {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let path = dir.path().join("case.c");
        std::fs::write(&path, text).expect("a writable file");
        Case::load(&path)
    }

    #[test]
    fn an_unannotated_program_is_clean_everywhere() {
        let case = load("int main(void) { return 0; }\n").expect("a valid case");
        assert!(matches!(case.expected, Expected::Clean { exit: 0 }));
        assert_eq!(case.configs(), CONFIGS);
    }

    #[test]
    fn the_header_sets_status_and_configurations() {
        let case = load("// exit: 3\n// configs: O0,O2\nint x;\n").expect("a valid case");
        assert!(matches!(case.expected, Expected::Clean { exit: 3 }));
        assert_eq!(case.configs().iter().map(|c| c.name).collect::<Vec<_>>(), ["O0", "O2"]);
    }

    #[test]
    fn a_faulty_program_runs_unoptimised_and_keeps_its_notes() {
        let case = load("int x; //~ NOTE(allocated here)\nint y; //~ BUG(null-deref) NOTE(in main)\n");
        let case = case.expect("a valid case");
        assert!(case.configs().iter().all(Config::is_unoptimised));
        let Expected::Bugs { bugs, notes } = &case.expected else { panic!("expected a bug") };
        assert_eq!((bugs[0].position.line, bugs[0].kind.as_str()), (2, "null-deref"));
        assert_eq!(notes.iter().map(|n| n.position.line).collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn whatever_is_not_understood_is_refused() {
        for text in [
            "// argz: a\n",
            "int x; //~ BUG(no-such-kind)\n",
            "int x; //~ BUG(null-deref\n",
            "int x; //~ null-deref\n",
            "int x; //~ ERROR(null-deref)\n",
            "int x; //~ NOTE(alone)\n",
            "// exit: 1\nint x; //~ BUG(abort)\n",
            "// files: absent.c\n",
        ] {
            assert!(load(text).is_err(), "accepted: {text}");
        }
    }

    #[test]
    fn every_kind_has_a_faulty_program() {
        let mut found = BTreeSet::new();
        for path in crate::programs().into_iter().chain(crate::explored_programs()) {
            match Case::load(&path).unwrap_or_else(|error| panic!("{error}")).expected {
                Expected::Clean { .. } => {}
                Expected::Bugs { bugs, .. } => found.extend(bugs.into_iter().map(|bug| bug.kind)),
                Expected::Unsupported(_) => _ = found.insert("unsupported".to_owned()),
            }
        }
        let missing: Vec<_> = KINDS.iter().filter(|kind| !found.contains(**kind)).collect();
        assert!(missing.is_empty(), "no program for {missing:?}");
    }
}
