//! Running one case under one configuration and judging the result.

use std::time::Duration;

use crate::annotations::{Case, Expected, ExpectedBug, ExpectedNote};
use crate::compare;
use crate::config::Config;
use crate::native::{self, Invocation, NativeError, Sources};
use crate::process::{End, Output};
use crate::report::{Position, Report, parse_reports};
use crate::spelunk::Spelunk;

/// No program of the suite runs longer than an instant natively.
const NATIVE_LIMIT: Duration = Duration::from_secs(10);
/// Generous: a loaded machine, compilation included.
const VM_LIMIT: Duration = Duration::from_secs(120);

#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error(transparent)]
    Native(#[from] NativeError),
    #[error("cannot make a temporary directory: {0}")]
    Dir(#[from] std::io::Error),
    #[error("the test itself is wrong: the native run ended with {end}, expected exit status {expected}\n{stderr}")]
    NativeEnd { end: End, expected: i32, stderr: String },
    #[error("spelunk differs from the native run\n{difference}spelunk's stderr:\n{stderr}")]
    Differs { difference: String, stderr: String },
    #[error("{what}\nspelunk's stderr:\n{stderr}")]
    Report { what: String, stderr: String },
}

pub fn judge(spelunk: &Spelunk, case: &Case, config: Config) -> Result<(), Failure> {
    let sources = Sources { files: &case.files, cflags: &case.header.cflags };
    let dir = tempfile::tempdir()?;
    let vm = spelunk.exec(&sources, config, &case.header.options, &invocation(case, &dir, VM_LIMIT))?;
    match &case.expected {
        Expected::Clean { exit } => judge_clean(case, config, *exit, &vm),
        Expected::Bugs { bugs, notes } => {
            judge_stop(&vm, |reports| match_bugs(bugs, reports).and_then(|()| match_notes(notes, reports)))
        }
        Expected::Unsupported(name) => judge_stop(&vm, |reports| match_unsupported(name, reports)),
    }
}

fn invocation<'a>(case: &'a Case, dir: &'a tempfile::TempDir, limit: Duration) -> Invocation<'a> {
    let header = &case.header;
    Invocation { args: &header.args, stdin: &header.stdin, env: &header.env, dir: dir.path(), limit }
}

fn judge_clean(case: &Case, config: Config, exit: i32, vm: &Output) -> Result<(), Failure> {
    let native = run_native(case, config, &[])?;
    if native.end != End::Exited(exit) {
        return Err(Failure::NativeEnd { end: native.end, expected: exit, stderr: native.stderr_text() });
    }
    if let Some(difference) = compare::difference(&native, vm, case.header.streams) {
        return Err(Failure::Differs { difference, stderr: vm.stderr_text() });
    }
    match parse_reports(&vm.stderr_text()).first() {
        Some(report) => Err(complaint(vm, format!("a clean program was reported: {}", describe(report)))),
        None => Ok(()),
    }
}

/// Builds the case with `extra_cflags` and runs it natively in a fresh directory.
pub fn run_native(case: &Case, config: Config, extra_cflags: &[&str]) -> Result<Output, Failure> {
    let cflags: Vec<String> =
        case.header.cflags.iter().cloned().chain(extra_cflags.iter().map(|flag| (*flag).to_owned())).collect();
    let build_dir = tempfile::tempdir()?;
    let exe = build_dir.path().join("program");
    native::build(&Sources { files: &case.files, cflags: &cflags }, config, &exe)?;
    let dir = tempfile::tempdir()?;
    Ok(native::run(&exe, &invocation(case, &dir, NATIVE_LIMIT))?)
}

fn judge_stop(vm: &Output, matches: impl FnOnce(&[Report]) -> Result<(), String>) -> Result<(), Failure> {
    if vm.end != End::Exited(1) {
        return Err(complaint(vm, format!("expected exit status 1 and a report, got {}", vm.end)));
    }
    matches(&parse_reports(&vm.stderr_text())).map_err(|what| complaint(vm, what))
}

fn match_bugs(bugs: &[ExpectedBug], reports: &[Report]) -> Result<(), String> {
    let is_for = |bug: &ExpectedBug, report: &Report| {
        report.kind == bug.kind && report.position.as_ref().is_some_and(|at| same_place(at, &bug.position))
    };
    for bug in bugs {
        if !reports.iter().any(|report| is_for(bug, report)) {
            return Err(format!("no report at {} of kind {}", bug.position, bug.kind));
        }
    }
    match reports.iter().find(|report| !bugs.iter().any(|bug| is_for(bug, report))) {
        Some(report) => Err(format!("unexpected report: {}", describe(report))),
        None => Ok(()),
    }
}

fn match_notes(notes: &[ExpectedNote], reports: &[Report]) -> Result<(), String> {
    for note in notes {
        let found = reports.iter().flat_map(|report| &report.notes).any(|given| {
            given.text.contains(&note.text) && given.position.as_ref().is_some_and(|at| same_place(at, &note.position))
        });
        if !found {
            return Err(format!("no note `{}` at {}", note.text, note.position));
        }
    }
    Ok(())
}

fn match_unsupported(name: &str, reports: &[Report]) -> Result<(), String> {
    match reports {
        [report] if report.kind == "unsupported" && report.message.contains(name) => Ok(()),
        [] => Err(format!("nothing was reported, expected `{name}` as unsupported")),
        [report, ..] => Err(format!("expected `{name}` as unsupported, got: {}", describe(report))),
    }
}

/// Reports may shorten a path, so the shorter one must be a tail of the expected one.
fn same_place(given: &Position, expected: &Position) -> bool {
    given.line == expected.line && expected.file.ends_with(&given.file)
}

fn describe(report: &Report) -> String {
    let place = report.position.as_ref().map_or_else(|| "no position".to_owned(), Position::to_string);
    format!("{place}: {} [{}]", report.message, report.kind)
}

fn complaint(vm: &Output, what: String) -> Failure {
    Failure::Report { what, stderr: vm.stderr_text() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bug(line: usize, kind: &str) -> ExpectedBug {
        ExpectedBug { position: Position { file: "/ui/a.c".into(), line }, kind: kind.to_owned() }
    }

    #[test]
    fn reports_must_match_the_annotations_exactly() {
        let reports = parse_reports("/ui/a.c:3:1: error: x [null-deref]\n");
        assert!(match_bugs(&[bug(3, "null-deref")], &reports).is_ok());
        assert!(match_bugs(&[bug(4, "null-deref")], &reports).is_err());
        assert!(match_bugs(&[bug(3, "out-of-bounds")], &reports).is_err());
        let two = parse_reports("/ui/a.c:3:1: error: x [null-deref]\n/ui/a.c:9:1: error: y [leak]\n");
        assert!(match_bugs(&[bug(3, "null-deref")], &two).is_err());
    }

    #[test]
    fn unsupported_must_be_named() {
        let reports = parse_reports("a.c:1:1: error: unsupported: inline assembly [unsupported]\n");
        assert!(match_unsupported("inline assembly", &reports).is_ok());
        assert!(match_unsupported("fork", &reports).is_err());
        assert!(match_unsupported("fork", &[]).is_err());
    }
}
