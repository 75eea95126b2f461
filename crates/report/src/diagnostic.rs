//! An error with its notes, and how it is written.

use crate::snippet::Snippet;
use anstyle::{AnsiColor, Style};
use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;

/// A position as it is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    pub path: PathBuf,
    pub line: u32,
    /// 0 if unknown.
    pub column: u32,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.path.display(), self.line, self.column)
    }
}

/// One statement about a place.
#[derive(Clone, Debug)]
pub struct Message {
    pub place: Option<Position>,
    pub text: String,
    pub(crate) snippet: Option<Snippet>,
}

#[derive(Clone, Debug)]
pub struct Diagnostic {
    pub error: Message,
    pub notes: Vec<Message>,
}

const BOLD: Style = Style::new().bold();
const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Magenta.on_default().bold();
const NOTE: Style = AnsiColor::Cyan.on_default().bold();
const MARK: Style = AnsiColor::Green.on_default().bold();

impl Diagnostic {
    /// Writes all of it with colours; strip them where they are not wanted.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write_labelled(out, "error", ERROR)
    }

    /// Writes it as something that need not be wrong.
    pub fn write_warning(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write_labelled(out, "warning", WARNING)
    }

    fn write_labelled(&self, out: &mut dyn Write, label: &str, style: Style) -> io::Result<()> {
        self.error.write(out, label, style, BOLD)?;
        self.notes.iter().try_for_each(|note| note.write(out, "note", NOTE, Style::new()))
    }
}

impl Message {
    /// A statement about a place whose line is at hand.
    pub fn at_line(place: Position, text: String, line: &str) -> Self {
        let snippet = Some(Snippet::new(line.as_bytes(), place.column));
        Self { place: Some(place), text, snippet }
    }

    /// Writes it as a note on its own.
    pub fn write_note(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write(out, "note", NOTE, Style::new())
    }

    pub(crate) fn without_place(text: String) -> Self {
        Self { place: None, text, snippet: None }
    }

    fn write(&self, out: &mut dyn Write, label: &str, label_style: Style, text_style: Style) -> io::Result<()> {
        if let Some(place) = &self.place {
            write!(out, "{BOLD}{place}: {BOLD:#}")?;
        }
        let text = &self.text;
        writeln!(out, "{label_style}{label}: {label_style:#}{text_style}{text}{text_style:#}")?;
        match (&self.place, &self.snippet) {
            (Some(place), Some(snippet)) => out.write_all(snippet.render(place.line, MARK).as_bytes()),
            _ => Ok(()),
        }
    }
}
