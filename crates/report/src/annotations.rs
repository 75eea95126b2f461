//! The bugs of campaigns as workflow commands of GitHub Actions, which show them beside the lines of a pull request.

use std::fmt::Write;

use crate::suite::summary::{BugEntry, Status};
use crate::suite::{Class, Summary};

/// A line for each finding: errors for confirmed bugs, notices for what needs a precondition, warnings for others.
pub fn annotations(summary: &Summary) -> String {
    summary.bugs.iter().map(|bug| annotation(summary, bug)).collect()
}

fn annotation(summary: &Summary, bug: &BugEntry) -> String {
    let command = match (bug.class, bug.status) {
        (Class::NeedsPrecondition, _) => "notice",
        (Class::Bug, Status::Confirmed) => "error",
        _ => "warning",
    };
    let place = &bug.place;
    let mut line = format!("::{command} ");
    let mut property = |name: &str, value: &str| {
        write!(line, "{name}={},", escaped_property(value)).expect("strings take any text");
    };
    if place.line != 0 {
        property("file", place.file.trim_start_matches("./"));
        property("line", &place.line.to_string());
        if place.column != 0 {
            property("col", &place.column.to_string());
        }
    }
    line.push_str(&format!("title={}::", escaped_property(&format!("{} [{}]", bug.title(), bug.kind))));
    line.push_str(&escaped(&message(summary, bug)));
    line.push('\n');
    line
}

fn message(summary: &Summary, bug: &BugEntry) -> String {
    let mut text = bug.message.clone();
    if text.is_empty() {
        text.clone_from(&bug.kind);
    }
    for note in &bug.notes {
        write!(text, "\n{}:{}: {}", note.place.file, note.place.line, note.message).expect("strings take any text");
    }
    for caller in bug.stack.iter().skip(1) {
        write!(text, "\n{}:{}: called from {}", caller.file, caller.line, caller.function)
            .expect("strings take any text");
    }
    if let Some(condition) = &bug.precondition {
        write!(text, "\nonly inputs that violate `{condition}` show this").expect("strings take any text");
    }
    if let Some(calls) = &bug.calls {
        write!(text, "\n{calls}").expect("strings take any text");
    }
    if let Some(note) = summary.of_callers() {
        write!(text, "\n{note}").expect("strings take any text");
    }
    write!(text, "\nfound by testing {}", summary.entry).expect("strings take any text");
    if bug.test != 0 {
        write!(text, ", test {}", bug.test).expect("strings take any text");
    }
    text
}

fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn escaped_property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_part_is_escaped() {
        assert_eq!(escaped("100 %\r\nx: y, z"), "100 %25%0D%0Ax: y, z");
        assert_eq!(escaped_property("a,b:c%"), "a%2Cb%3Ac%25");
    }
}
