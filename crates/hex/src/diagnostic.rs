//! Where text comes from, and what is wrong with it, shown as a compiler would.

use std::fmt;

/// Text with rules: a file, or an attribute in a C source.
#[derive(Clone, Debug)]
pub struct Source {
    /// A file's name, or what else tells the user where to look: `attribute of struct node`.
    pub name: String,
    pub text: String,
    /// The number of the text's first line.
    pub first_line: u32,
}

impl Source {
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        Source { name: name.into(), text: text.into(), first_line: 1 }
    }
}

/// A piece of a source, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Span {
    pub source: u32,
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn to(self, last: Span) -> Span {
        Span { end: last.end.max(self.end), ..self }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    Error,
    Warning,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    pub severity: Severity,
    pub source: String,
    pub line: u32,
    /// Counts characters, from 1.
    pub column: u32,
    pub length: u32,
    /// The line of the source that it is about.
    pub excerpt: String,
    pub message: String,
    /// What to do about it, or what else is known.
    pub note: Option<String>,
}

impl Diagnostic {
    pub(crate) fn new(sources: &[Source], span: Span, severity: Severity, message: String) -> Diagnostic {
        let source = &sources[span.source as usize];
        let position = Position::of(source, span.start as usize);
        let piece =
            &source.text[span.start as usize..(span.end as usize).min(position.line_end).max(span.start as usize)];
        Diagnostic {
            severity,
            source: source.name.clone(),
            line: position.line,
            column: position.column,
            length: piece.chars().count().max(1) as u32,
            excerpt: source.text[position.line_start..position.line_end].to_string(),
            message,
            note: None,
        }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = if self.severity == Severity::Error { "error" } else { "warning" };
        writeln!(f, "{}:{}:{}: {severity}: {}", self.source, self.line, self.column, self.message)?;
        let number = self.line.to_string();
        let before: String =
            self.excerpt.chars().take(self.column as usize - 1).map(|c| if c == '\t' { c } else { ' ' }).collect();
        writeln!(f, " {number} | {}", self.excerpt)?;
        write!(f, " {:w$} | {before}{}", "", "^".repeat(self.length as usize), w = number.len())?;
        match &self.note {
            Some(note) => write!(f, " {note}"),
            None => Ok(()),
        }
    }
}

/// Where a byte of a source is, for people.
pub(crate) struct Position {
    pub line: u32,
    pub column: u32,
    line_start: usize,
    line_end: usize,
}

impl Position {
    pub fn of(source: &Source, at: usize) -> Position {
        let text = &source.text;
        let line_start = text[..at].rfind('\n').map_or(0, |i| i + 1);
        let line_end = text[at..].find('\n').map_or(text.len(), |i| at + i);
        Position {
            line: source.first_line + text[..at].matches('\n').count() as u32,
            column: text[line_start..at].chars().count() as u32 + 1,
            line_start,
            line_end,
        }
    }
}

/// What of `known` was probably meant by `word`.
pub(crate) fn suggest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (word.len() / 3).clamp(1, 3);
    known
        .into_iter()
        .map(|k| (strsim::osa_distance(word, k), k))
        .filter(|(d, _)| *d <= limit)
        .min_by_key(|(d, _)| *d)
        .map(|(_, k)| k)
}
