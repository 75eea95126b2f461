//! What a C program in `ui/` says about itself: the options in its header comment and the `//~` annotations on its
//! lines. Anything that cannot be understood is an error of the test, so that a typing error never weakens one.
//!
//! The header is the run of `//` lines at the top. A line `// NAME: VALUE` is an option (table in `Header::set`); other
//! comment lines are prose. An annotation is `//~ BUG(kind)` or `//~ NOTE(text)`, several on a line separated by spaces.

use std::path::{Path, PathBuf};

use crate::compare::Streams;
use crate::config::{CONFIGS, Config};
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

#[derive(Clone, Debug)]
pub struct Header {
    pub args: Vec<String>,
    pub stdin: Vec<u8>,
    pub cflags: Vec<String>,
    /// Further options of `spelunk exec`.
    pub options: Vec<String>,
    pub env: Vec<(String, String)>,
    pub streams: Streams,
    configs: Option<Vec<Config>>,
    files: Vec<String>,
    exit: Option<i32>,
    unsupported: Option<String>,
}

impl Case {
    pub fn load(path: &Path) -> Result<Case, CaseError> {
        let text = read(path)?;
        let header = parse_header(path, &text)?;
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

fn parse_header(path: &Path, text: &str) -> Result<Header, CaseError> {
    let mut header = Header {
        args: Vec::new(),
        stdin: Vec::new(),
        cflags: Vec::new(),
        options: Vec::new(),
        env: Vec::new(),
        streams: Streams::Stdout,
        configs: None,
        files: Vec::new(),
        exit: None,
        unsupported: None,
    };
    for (idx, line) in text.lines().enumerate() {
        let Some(comment) = line.strip_prefix("//") else { break };
        let Some((name, value)) = comment.trim_start().split_once(':') else { continue };
        // A colon inside prose follows a phrase or a capital; an option's name is one small word.
        if !name.bytes().all(|byte| byte.is_ascii_lowercase()) {
            continue;
        }
        header.set(name, value.trim()).map_err(|what| CaseError::Line {
            path: path.to_owned(),
            line: idx + 1,
            what,
        })?;
    }
    Ok(header)
}

impl Header {
    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        if value.is_empty() {
            return Err(format!("option `{name}` has no value"));
        }
        match name {
            "args" => self.args = words(value)?,
            "options" => self.options.extend(words(value)?),
            "cflags" => self.cflags = words(value)?,
            "files" => self.files = words(value)?,
            "stdin" => self.stdin.extend(unescape(value)?),
            "check" => self.options.push(format!("--check={value}")),
            "configs" => self.configs = Some(value.split(',').map(config).collect::<Result<_, _>>()?),
            "stderr" if value == "compare" => self.streams = Streams::StdoutAndStderr,
            "stderr" => return Err("the only value of `stderr` is `compare`".to_owned()),
            "exit" => self.exit = Some(value.parse().map_err(|_| format!("`{value}` is not an exit status"))?),
            "env" => {
                let (name, value) = value.split_once('=').ok_or("`env` wants NAME=VALUE")?;
                self.env.push((name.to_owned(), value.to_owned()));
            }
            "unsupported" => self.unsupported = Some(value.to_owned()),
            _ => return Err(format!("unknown option `{name}`")),
        }
        Ok(())
    }
}

fn words(value: &str) -> Result<Vec<String>, String> {
    shlex::split(value).ok_or_else(|| "unbalanced quotes".to_owned())
}

fn config(name: &str) -> Result<Config, String> {
    Config::by_name(name.trim()).ok_or_else(|| format!("unknown configuration `{name}`"))
}

/// The bytes of `text` with `\n`, `\t`, `\0`, `\\` and `\xHH` replaced.
fn unescape(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        bytes.push(match rest.next() {
            Some(b'n') => b'\n',
            Some(b't') => b'\t',
            Some(b'0') => 0,
            Some(b'\\') => b'\\',
            Some(b'x') => {
                let mut digit = || rest.next().and_then(|byte| char::from(byte).to_digit(16));
                let (high, low) = digit().zip(digit()).ok_or("`\\x` wants two hexadecimal digits")?;
                (high * 16 + low) as u8
            }
            _ => return Err("unknown escape in `stdin`".to_owned()),
        });
    }
    Ok(bytes)
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
    fn options_are_read_and_prose_is_skipped() {
        let case = load(
            "// Reads a line: then stops.\n// args: a 'b c'\n// stdin: x\\n\\x41\n// exit: 3\n// configs: O0,O2\nint x;\n",
        )
        .expect("a valid case");
        assert_eq!(case.header.args, ["a", "b c"]);
        assert_eq!(case.header.stdin, b"x\nA");
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
            "// args:\n",
            "// stderr: ignore\n",
            "// configs: O9\n",
            "// stdin: \\q\n",
            "// env: NAME\n",
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
        for path in crate::programs() {
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
