//! How a target is said: `FILE:LINE[:COLUMN]`, a function, `KIND@` and one of these or a file, `uncovered`.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use spelunk_vm::BugKind;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Request {
    /// All outcomes of branches.
    Uncovered,
    At(TargetPlace),
    Bug(BugKind, TargetPlace),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TargetPlace {
    Line {
        file: PathBuf,
        line: u32,
        column: Option<u32>,
    },
    /// A function, or all of a file.
    Named(String),
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TargetError {
    #[error("`{name}` is no kind of bug: there are {}", kinds())]
    UnknownKind { name: String },
    #[error("the program has no function `{name}`; a line is said as FILE:LINE")]
    UnknownFunction { name: String },
    #[error("no code of the program comes from {}: its files are {}", file.display(), known.join(", "))]
    UnknownFile { file: PathBuf, known: Vec<String> },
    #[error("there is no code on line {line} of {file}: the nearest line with code is {nearest}")]
    NoCode { file: String, line: u32, nearest: u32 },
    #[error("no code starts at column {column} of {file}:{line}: columns with code are {}", list(columns))]
    NoColumn { file: String, line: u32, column: u32, columns: Vec<u32> },
    #[error("there is no assertion in {place}")]
    NoAssertion { place: String },
    #[error("no line that was changed has code of the program")]
    NothingChanged,
    #[error("no function that can be tested leads to a target")]
    OutOfReach,
}

fn kinds() -> String {
    BugKind::ALL.iter().map(|kind| kind.slug()).collect::<Vec<_>>().join(", ")
}

fn list(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

impl FromStr for Request {
    type Err = TargetError;

    fn from_str(text: &str) -> Result<Self, TargetError> {
        match text.split_once('@') {
            None if text == "uncovered" => Ok(Self::Uncovered),
            None => Ok(Self::At(place(text))),
            Some((kind, at)) => match BugKind::from_slug(kind) {
                Some(kind) => Ok(Self::Bug(kind, place(at))),
                None => Err(TargetError::UnknownKind { name: kind.to_owned() }),
            },
        }
    }
}

fn place(text: &str) -> TargetPlace {
    let named = || TargetPlace::Named(text.to_owned());
    let Some((before, last)) = text.rsplit_once(':') else { return named() };
    let Ok(number) = last.parse() else { return named() };
    let with_column = before.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
    let (file, line, column) = match with_column {
        Some((file, line)) => (file, line, Some(number)),
        None => (before, number, None),
    };
    TargetPlace::Line { file: file.into(), line, column }
}

impl fmt::Display for TargetPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line { file, line, .. } => write!(f, "{}:{line}", file.display()),
            Self::Named(name) => f.write_str(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(file: &str, line: u32, column: Option<u32>) -> TargetPlace {
        TargetPlace::Line { file: file.into(), line, column }
    }

    #[test]
    fn targets_are_read_as_they_are_said() {
        assert_eq!("a.c:12".parse(), Ok(Request::At(at("a.c", 12, None))));
        assert_eq!("src/a.c:12:5".parse(), Ok(Request::At(at("src/a.c", 12, Some(5)))));
        assert_eq!("trim".parse(), Ok(Request::At(TargetPlace::Named("trim".into()))));
        assert_eq!("uncovered".parse(), Ok(Request::Uncovered));
        assert_eq!("assert@a.c".parse(), Ok(Request::Bug(BugKind::Assert, TargetPlace::Named("a.c".into()))));
        assert_eq!("null-deref@a.c:3".parse(), Ok(Request::Bug(BugKind::NullDeref, at("a.c", 3, None))));
        let error = "overrun@a.c:3".parse::<Request>().unwrap_err().to_string();
        assert!(error.contains("`overrun`") && error.contains("out-of-bounds"), "{error}");
    }
}
