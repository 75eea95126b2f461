//! Reading the reports that `spelunk exec` prints to stderr, between whatever the program itself printed there.

use std::fmt;
use std::path::PathBuf;

/// Every kind of path end that is reported, by slug.
pub const KINDS: &[&str] = &[
    "null-deref",
    "out-of-bounds",
    "wild-pointer",
    "use-after-free",
    "use-after-return",
    "double-free",
    "bad-free",
    "write-to-constant",
    "uninitialised",
    "div-by-zero",
    "div-overflow",
    "oversized-shift",
    "signed-overflow",
    "member-bounds",
    "effective-type",
    "overlap",
    "bad-call",
    "unreachable",
    "reach-error",
    "reported-error",
    "assert",
    "abort",
    "endless-loop",
    "stack-exhausted",
    "memory-limit",
    "step-limit",
    "leak",
    "unsupported",
];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    pub file: PathBuf,
    pub line: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file.display(), self.line)
    }
}

/// One `PATH:LINE:COL: error: MESSAGE [KIND]` line and the notes below it.
#[derive(Clone, Debug)]
pub struct Report {
    /// Absent for an end with no source line, such as a program without debug information.
    pub position: Option<Position>,
    pub kind: String,
    pub message: String,
    pub notes: Vec<Note>,
}

/// One `PATH:LINE:COL: note: TEXT` line.
#[derive(Clone, Debug)]
pub struct Note {
    pub position: Option<Position>,
    pub text: String,
}

pub fn parse_reports(stderr: &str) -> Vec<Report> {
    let mut reports: Vec<Report> = Vec::new();
    for line in stderr.lines() {
        if let Some((place, rest)) = split_label(line, "error: ") {
            if let Some((message, kind)) = split_kind(rest) {
                reports.push(Report {
                    position: parse_position(place),
                    kind: kind.to_owned(),
                    message: message.to_owned(),
                    notes: Vec::new(),
                });
            }
        } else if let (Some((place, text)), Some(report)) = (split_label(line, "note: "), reports.last_mut()) {
            report.notes.push(Note { position: parse_position(place), text: text.to_owned() });
        }
    }
    reports
}

/// Splits `PLACE: error: REST` at the label; the place may be missing.
fn split_label<'a>(line: &'a str, label: &str) -> Option<(&'a str, &'a str)> {
    if let Some(rest) = line.strip_prefix(label) {
        return Some(("", rest));
    }
    let at = line.find(&format!(": {label}"))?;
    Some((&line[..at], &line[at + 2 + label.len()..]))
}

fn split_kind(rest: &str) -> Option<(&str, &str)> {
    let (message, kind) = rest.strip_suffix(']')?.rsplit_once(" [")?;
    KINDS.contains(&kind).then_some((message, kind))
}

fn parse_position(place: &str) -> Option<Position> {
    let mut parts = place.rsplitn(3, ':');
    let _column: usize = parts.next()?.parse().ok()?;
    let line = parts.next()?.parse().ok()?;
    Some(Position { file: PathBuf::from(parts.next()?), line })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_report_and_its_notes_between_other_output() {
        let stderr = "the program speaks\n\
                      dir/a.c:12:5: error: heap buffer overflow [of 4 bytes] [out-of-bounds]\n\
                      dir/a.c:9:12: note: allocated here\n\
                      dir/a.c:20:1: error: not a kind [whatever]\n";
        let reports = parse_reports(stderr);
        assert_eq!(reports.len(), 1);
        assert_eq!(reports[0].kind, "out-of-bounds");
        assert_eq!(reports[0].message, "heap buffer overflow [of 4 bytes]");
        assert_eq!(reports[0].position, Some(Position { file: "dir/a.c".into(), line: 12 }));
        assert_eq!(reports[0].notes.len(), 1);
        assert_eq!(reports[0].notes[0].text, "allocated here");
        assert_eq!(reports[0].notes[0].position.as_ref().map(|p| p.line), Some(9));
    }

    #[test]
    fn a_report_may_lack_a_position() {
        let reports = parse_reports("error: unsupported: fork [unsupported]\n");
        assert_eq!(reports.len(), 1);
        assert!(reports[0].position.is_none());
    }
}
