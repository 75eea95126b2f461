//! What can be wrong with a script, and where.

/// Something wrong at a place of the text at hand.
#[derive(Clone, Debug)]
pub struct Error {
    /// Where in the text that the reader holds.
    pub offset: usize,
    pub problem: Problem,
}

pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub fn new(offset: usize, problem: Problem) -> Self {
        Error { offset, problem }
    }

    pub fn unsupported(offset: usize, what: impl Into<String>) -> Self {
        Error::new(offset, Problem::Unsupported(what.into()))
    }
}

/// A position in the input, counted from 1; columns are bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    pub line: u32,
    pub column: u32,
    /// The line itself.
    pub line_text: String,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Problem {
    #[error("`{0}` cannot stand here")]
    NoWord(String),
    #[error("this {0} is never closed")]
    Unclosed(&'static str),
    #[error("`)` without `(`")]
    StrayClose,
    #[error("a command of more than 4 GiB")]
    TooLong,
    #[error("expected {0}")]
    Expected(&'static str),
    #[error("expected {wanted}, this has sort {given}")]
    Sort { wanted: String, given: String },
    #[error("`{name}` takes {wanted}, not {given}")]
    Count { name: String, wanted: String, given: usize },
    #[error("unknown command `{0}`")]
    UnknownCommand(String),
    #[error("unknown {kind} `{name}`")]
    Unknown { kind: &'static str, name: String },
    #[error("`{0}` is declared already")]
    Declared(String),
    #[error("`{0}` belongs to the theories and can't be declared")]
    Builtin(String),
    #[error("`{0}` is bound twice")]
    BoundTwice(String),
    #[error("bits {high} to {low} of a bit-vector of {width}")]
    NoSuchBits { high: u32, low: u32, width: u32 },
    #[error("no bit-vector has {0} bits")]
    Width(u64),
    #[error("only {0} levels to pop")]
    Levels(usize),
    /// Not an error of the script: it is beyond us.
    #[error("{0} are not supported")]
    Unsupported(String),
}
