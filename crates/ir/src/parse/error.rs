//! What the parser says when a file is not what it should be, and where.

use super::lexer::line_and_column;

/// Why a `.ll` file could not be read. Lines and columns count from 1, columns in characters.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{file}:{line}:{column}: {message}")]
pub struct ParseError {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub message: String,
}

/// A parse error before its byte offset is turned into a line and column. Boxed, so that the `Result` of every
/// parsing function stays small.
#[derive(Debug)]
pub(super) struct Fault {
    pub offset: usize,
    pub message: String,
}

pub(super) type Parsed<T> = Result<T, Box<Fault>>;

impl Fault {
    pub fn new(offset: usize, message: impl Into<String>) -> Box<Self> {
        Box::new(Self { offset, message: message.into() })
    }

    pub fn into_error(self, file: &str, text: &str) -> ParseError {
        let (line, column) = line_and_column(text, self.offset);
        ParseError { file: file.to_owned(), line, column, message: self.message }
    }
}
