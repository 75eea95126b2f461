//! A line of source and the mark below it.

use std::borrow::Cow;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use unicode_width::UnicodeWidthChar;

/// How many bytes of a line are shown on either side of the mark.
const MAX_BESIDE: usize = 200;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Snippet {
    pub line: String,
    /// What stands before the mark: tabs where the line has tabs, so that both are indented alike. `None`: no mark.
    pub indent: Option<String>,
}

impl Snippet {
    /// The line of a file. `None` if there is no such file or line: the source may have moved since.
    pub fn read(path: &Path, line: u32, column: u32) -> Option<Self> {
        let text = fs::read(path).ok()?;
        let idx = usize::try_from(line).ok()?.checked_sub(1)?;
        let line = text.split(|&byte| byte == b'\n').nth(idx)?;
        Some(Self::new(line.strip_suffix(b"\r").unwrap_or(line), column))
    }

    /// `column` counts bytes from 1, as clang does; 0 is unknown.
    pub fn new(line: &[u8], column: u32) -> Self {
        let mark = (column as usize).checked_sub(1).filter(|&mark| mark <= line.len());
        let (start, end) = shown(line, mark.unwrap_or(0));
        let [before, after] = [start > 0, end < line.len()].map(|is_cut| if is_cut { "…" } else { "" });
        let indent = mark.map(|mark| format!("{before}{}", printable(&line[start..mark])).chars().map(blank).collect());
        Self { line: format!("{before}{}{after}", printable(&line[start..end])), indent }
    }

    /// The lines as clang lays them out, the mark in a style of its own.
    pub fn render(&self, number: u32, mark: anstyle::Style) -> String {
        let number = format!("{number:>5}");
        let mut text = format!("{number} | {}\n", self.line);
        if let Some(indent) = &self.indent {
            writeln!(text, "{:1$} | {indent}{mark}^{mark:#}", "", number.len()).expect("strings take any text");
        }
        text
    }
}

/// The part of a line that is shown: what is near the mark, of whole characters.
fn shown(line: &[u8], mark: usize) -> (usize, usize) {
    let is_inside = |at: &usize| line.get(*at).is_some_and(|byte| byte & 0xc0 == 0x80);
    let start = mark.saturating_sub(MAX_BESIDE);
    let start = (start..mark).find(|at| !is_inside(at)).unwrap_or(mark);
    let end = line.len().min(mark + MAX_BESIDE);
    let end = (mark..=end).rev().find(|at| !is_inside(at)).unwrap_or(end);
    (start, end)
}

/// Control characters would do things to the terminal.
fn printable(line: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(line);
    if text.chars().any(|c| c.is_control() && c != '\t') {
        return text.replace(|c: char| c.is_control() && c != '\t', "\u{fffd}").into();
    }
    text
}

fn blank(c: char) -> String {
    match c {
        '\t' => "\t".to_owned(),
        _ => " ".repeat(c.width().unwrap_or(0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(line: &[u8], column: u32) -> String {
        Snippet::new(line, column).render(7, anstyle::Style::new())
    }

    #[test]
    fn the_mark_is_below_the_column() {
        assert_eq!(rendered(b"  p[i] = 0;", 3), "    7 |   p[i] = 0;\n      |   ^\n");
        assert_eq!(rendered(b"p;", 1), "    7 | p;\n      | ^\n");
    }

    #[test]
    fn tabs_and_wide_characters_take_their_room() {
        assert_eq!(rendered(b"\tx = y;", 6), "    7 | \tx = y;\n      | \t    ^\n");
        assert_eq!(rendered("\"日本\", p".as_bytes(), 11), "    7 | \"日本\", p\n      |         ^\n");
        assert_eq!(rendered(b"\"\xe9\", p", 6), "    7 | \"\u{fffd}\", p\n      |      ^\n");
    }

    #[test]
    fn a_column_outside_the_line_has_no_mark() {
        assert_eq!(rendered(b"x;", 0), "    7 | x;\n");
        assert_eq!(rendered(b"x;", 40), "    7 | x;\n");
    }

    #[test]
    fn of_long_lines_only_what_is_near_is_shown() {
        let line = format!("{}x{}", "é".repeat(1000), "日".repeat(1000));
        let snippet = Snippet::new(line.as_bytes(), 2001);
        assert_eq!(snippet.line, format!("…{}x{}…", "é".repeat(100), "日".repeat(66)));
        assert_eq!(snippet.indent, Some(" ".repeat(101)));
        let snippet = Snippet::new(line.as_bytes(), 1);
        assert_eq!((snippet.line, snippet.indent), (format!("{}…", "é".repeat(100)), Some(String::new())));
    }

    #[test]
    fn large_line_numbers_move_the_mark_as_well() {
        let text = Snippet::new(b"x y", 3).render(1_234_567, anstyle::Style::new());
        assert_eq!(text, "1234567 | x y\n        |   ^\n");
    }

    #[test]
    fn control_characters_are_not_passed_on() {
        assert_eq!(rendered(b"a\x1b[2J", 1), "    7 | a\u{fffd}[2J\n      | ^\n");
    }

    #[test]
    fn lines_that_do_not_exist_are_left_out() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a.c");
        fs::write(&file, "one\r\ntwo\n").unwrap();
        assert_eq!(Snippet::read(&file, 1, 1).unwrap().line, "one");
        assert_eq!(Snippet::read(&file, 9, 1), None);
        assert_eq!(Snippet::read(&file, 0, 1), None);
        assert_eq!(Snippet::read(&dir.path().join("b.c"), 1, 1), None);
    }
}
