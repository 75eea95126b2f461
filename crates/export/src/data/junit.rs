//! How tests went, as JUnit's XML: most tools that show test results read it.

use std::fmt::Write;

use spelunk_report::markup::escaped;
use spelunk_report::suite::summary::{BugEntry, Status};
use spelunk_report::suite::test_case::{End, Place};
use spelunk_report::suite::{Summary, TestCase};

use super::{make_dir, write};
use crate::{ExportError, Exported, Suite, Target};

const FILE: &str = "junit.xml";

pub fn export(suite: &Suite<'_>, target: &Target<'_>) -> Result<Exported, ExportError> {
    make_dir(target.dir)?;
    write(target.dir, FILE, document(suite).as_bytes())?;
    Ok(Exported {
        n_tests: suite.tests.len(),
        left_out: Vec::new(),
        next: Some(target.dir.join(FILE).display().to_string()),
    })
}

/// What came of a test: `type`, `message` and what else there is to say.
enum Went {
    /// As predicted, or not contradicted if it was not run natively.
    Passed,
    Failed(Report),
    /// It ended otherwise than predicted, which is an error of ours.
    Error(Report),
    Skipped(String),
}

struct Report {
    kind: String,
    message: String,
    text: String,
}

fn document(suite: &Suite<'_>) -> String {
    let summary = &suite.campaign.summary;
    let results: Vec<Went> = suite.tests.iter().map(|(number, test)| result(summary, *number, test)).collect();
    let count = |is_it: fn(&Went) -> bool| results.iter().filter(|result| is_it(result)).count();
    let counts = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"",
        results.len(),
        count(|result| matches!(result, Went::Failed(_))),
        count(|result| matches!(result, Went::Error(_))),
        count(|result| matches!(result, Went::Skipped(_))),
    );
    let time = summary.time_ms as f64 / 1000.0;
    let name = escaped(&summary.entry);
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    add(&mut text, &format!("<testsuites name=\"spelunk\" {counts} time=\"{time:.3}\">"));
    add(&mut text, &format!("  <testsuite name=\"{name}\" {counts} time=\"{time:.3}\">"));
    add(&mut text, "    <properties>");
    for (property, value) in properties(summary) {
        add(&mut text, &format!("      <property name=\"{property}\" value=\"{}\"/>", escaped(&value)));
    }
    add(&mut text, "    </properties>");
    for (&(number, test), result) in suite.tests.iter().zip(&results) {
        let idx = (number as usize).checked_sub(1);
        let run_us = idx.and_then(|idx| suite.campaign.profile.tests.get(idx)).map_or(0, |&(_, run_us)| run_us);
        let time = run_us as f64 / 1e6;
        let start =
            format!("    <testcase name=\"test {number}\" classname=\"{}\" time=\"{time:.6}\"", escaped(&test.entry));
        add_testcase(&mut text, &start, result);
    }
    add(&mut text, "  </testsuite>");
    add(&mut text, "</testsuites>");
    text
}

fn add(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

fn add_testcase(text: &mut String, start: &str, result: &Went) {
    let (element, report) = match result {
        Went::Passed => return add(text, &format!("{start}/>")),
        Went::Failed(report) => ("failure", report),
        Went::Error(report) => ("error", report),
        Went::Skipped(reason) => {
            add(text, &format!("{start}>\n      <skipped message=\"{}\"/>\n    </testcase>", escaped(reason)));
            return;
        }
    };
    let [kind, message, body] = [&report.kind, &report.message, &report.text].map(|part| escaped(part));
    add(
        text,
        &format!(
            "{start}>\n      <{element} type=\"{kind}\" message=\"{message}\">{body}</{element}>\n    </testcase>"
        ),
    );
}

fn properties(summary: &Summary) -> Vec<(&'static str, String)> {
    let mut properties = vec![
        ("sources", summary.sources.join(" ")),
        ("stopped", summary.stopped.clone()),
        ("paths", summary.paths.to_string()),
        ("lines", format!("{} of {}", summary.coverage.lines.covered, summary.coverage.lines.total)),
        ("branches", format!("{} of {}", summary.coverage.branches.covered, summary.coverage.branches.total)),
    ];
    let replay = match &summary.replay {
        None => "the tests were not run natively".to_owned(),
        Some(replay) => replay.problem.clone().unwrap_or_else(|| format!("{} tests were run natively", replay.tests)),
    };
    properties.push(("replay", replay));
    properties
}

fn result(summary: &Summary, number: u64, test: &TestCase) -> Went {
    let mut mismatches = summary.replay.iter().flat_map(|replay| &replay.mismatches);
    if let Some(mismatch) = mismatches.find(|mismatch| mismatch.test == number) {
        let message = format!("ends natively with {} instead of {}", mismatch.native, mismatch.predicted);
        return Went::Error(Report { kind: "mismatch".to_owned(), text: message.clone(), message });
    }
    match &test.end {
        End::Exited { .. } | End::Killed { .. } => Went::Passed,
        End::Unsupported { what, .. } => Went::Skipped(format!("unsupported: {what}")),
        End::Limit { what } => Went::Skipped(format!("it ended at the limit on {what}")),
        End::Infeasible => Went::Skipped("the harness excludes its input".to_owned()),
        End::Bug { bug, message, place } => Went::Failed(failure(summary, bug, message, place)),
    }
}

fn failure(summary: &Summary, kind: &str, message: &str, place: &Place) -> Report {
    let bug = summary.bugs.iter().find(|bug| bug.kind == kind && bug.place == *place);
    let title = bug.map_or(kind, BugEntry::title);
    let at = format!("{}:{}", place.file, place.line);
    let message = if message.is_empty() { format!("{at}: {title}") } else { format!("{at}: {title}: {message}") };
    let mut text = format!("{at} in {}\n", place.function);
    for caller in bug.iter().flat_map(|bug| bug.stack.iter().skip(1)) {
        writeln!(text, "{}:{} in {}", caller.file, caller.line, caller.function).expect("a string grows");
    }
    match bug.map(|bug| (bug.status, &bug.reason)) {
        Some((Status::Confirmed, _)) => text.push_str("confirmed by a native run"),
        Some((Status::Conditional, Some(reason))) => {
            write!(text, "conditional: {reason}").expect("a string grows");
        }
        Some((Status::Unconfirmed, Some(reason))) => {
            write!(text, "unconfirmed: {reason}").expect("a string grows");
        }
        _ => text.push_str("unconfirmed"),
    }
    Report { kind: kind.to_owned(), message, text }
}
