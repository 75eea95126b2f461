//! What is wrong with a grammar, shown as a compiler would.

use std::fmt;
use std::ops::Range;

/// A text with rules, and its name.
#[derive(Clone, Copy, Debug)]
pub struct Source<'s> {
    pub name: &'s str,
    pub text: &'s str,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    Error,
    Warning,
    /// Something that was left out or assumed.
    Note,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    pub severity: Severity,
    pub message: String,
    /// Where, if it is about a place.
    pub place: Option<Excerpt>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excerpt {
    pub file: String,
    /// Both count from 1.
    pub line: usize,
    pub column: usize,
    pub length: usize,
    pub excerpt: String,
}

impl Source<'_> {
    pub fn error(&self, at: Range<usize>, message: impl Into<String>) -> Diagnostic {
        self.diagnose(Severity::Error, at, message)
    }

    pub fn diagnose(&self, severity: Severity, at: Range<usize>, message: impl Into<String>) -> Diagnostic {
        let start = at.start.min(self.text.len());
        let line_start = self.text[..start].rfind('\n').map_or(0, |i| i + 1);
        let line_end = self.text[start..].find('\n').map_or(self.text.len(), |i| start + i);
        let place = Excerpt {
            file: self.name.to_owned(),
            line: self.line(start),
            column: self.text[line_start..start].chars().count() + 1,
            length: self.text[start..at.end.clamp(start, line_end)].chars().count().max(1),
            excerpt: self.text[line_start..line_end].to_owned(),
        };
        Diagnostic { severity, message: message.into(), place: Some(place) }
    }

    pub fn line(&self, at: usize) -> usize {
        self.text[..at.min(self.text.len())].matches('\n').count() + 1
    }
}

impl Diagnostic {
    pub fn new(severity: Severity, message: impl Into<String>) -> Self {
        Self { severity, message: message.into(), place: None }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        let Some(place) = &self.place else { return write!(f, "{severity}: {}", self.message) };
        writeln!(f, "{}:{}:{}: {severity}: {}", place.file, place.line, place.column, self.message)?;
        let number = place.line.to_string();
        let before: String =
            place.excerpt.chars().take(place.column - 1).map(|c| if c == '\t' { c } else { ' ' }).collect();
        writeln!(f, " {number} | {}", place.excerpt)?;
        write!(f, " {:w$} | {before}{}", "", "^".repeat(place.length), w = number.len())
    }
}

impl std::error::Error for Diagnostic {}
