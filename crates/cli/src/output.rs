//! What is written to a terminal.

use anstream::AutoStream;
use spelunk_report::Diagnostic;
use spelunk_report::picture::{Charset, Picture, text};
use spelunk_report::suite::Class;
use std::io::{self, Write};

/// There is nowhere to tell that standard error can't be written to.
pub fn show(diagnostics: &[Diagnostic]) {
    let mut out = AutoStream::auto(io::stderr().lock());
    for diagnostic in diagnostics {
        let _ = diagnostic.write(&mut out);
    }
}

/// A finding of a campaign, which goes where the figures go.
pub fn show_finding(diagnostic: &Diagnostic, class: Class) {
    let mut out = AutoStream::auto(io::stdout().lock());
    let _ = match class {
        Class::Bug => diagnostic.write(&mut out),
        _ => diagnostic.write_warning(&mut out),
    };
}

/// A number of things, with an `s` if there is not one.
pub fn counted(n: u64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// What clang said, with the colours that it was told to use.
pub fn show_raw(text: &[u8]) {
    let _ = io::stderr().write_all(text);
}

/// Characters in a line where nothing says how many there are.
const USUAL_WIDTH: usize = 100;

/// A picture as lines that start with an indent, as wide as `COLUMNS` or the terminal says, of characters that the locale has.
pub fn picture(picture: &Picture, indent: &str) -> String {
    let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let seen = || terminal_size::terminal_size().map(|(width, _)| width.0.into());
    let width = told.or_else(seen).unwrap_or(USUAL_WIDTH);
    let drawn = text(picture, width.saturating_sub(indent.len()), charset());
    drawn.lines().map(|line| format!("{indent}{line}").trim_end().to_owned() + "\n").collect()
}

/// By what the environment says of the locale: the first that is set decides.
fn charset() -> Charset {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(|name| std::env::var(name).ok());
    match set.into_iter().find(|value| !value.is_empty()) {
        Some(locale) if !locale.to_ascii_lowercase().replace('-', "").contains("utf8") => Charset::Ascii,
        _ => Charset::Unicode,
    }
}
