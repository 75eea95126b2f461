//! Programs with symbolic input: what a campaign has found is what their lines say.

use std::path::Path;
use std::process::Command;

use serde::Deserialize;

use crate::annotations::{Case, Expected};
use crate::spelunk::Spelunk;

/// What a campaign says of itself, as far as it is compared.
#[derive(Debug, Deserialize)]
pub(crate) struct Summary {
    stopped: String,
    ledger: Vec<Loss>,
    pub(crate) paths: u64,
    pub(crate) tests: u64,
    pub divergences: u64,
    pub bugs: Vec<Bug>,
    pub coverage: Coverage,
    pub audit: Option<Audit>,
    replay: Option<Replay>,
}

/// How many paths have a valid input.
#[derive(Debug, Deserialize)]
#[allow(dead_code, reason = "shown when a trial fails")]
pub(crate) struct Audit {
    valid: u64,
    pub invalid: u64,
    pub unknown: u64,
    false_alarms: u64,
}

#[derive(Debug, Deserialize)]
struct Loss {
    #[serde(default)]
    detail: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Coverage {
    pub branches: Ratio,
    native: Option<NativeCoverage>,
}

#[derive(Debug, Deserialize)]
struct NativeCoverage {
    differences: Vec<Difference>,
}

/// A line that only native runs or only the VM executed.
#[derive(Debug, Deserialize)]
#[allow(dead_code, reason = "shown when a trial fails")]
struct Difference {
    line: u32,
    only_in_vm: bool,
    cause: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Ratio {
    pub covered: u64,
    pub total: u64,
}

#[derive(Debug, Deserialize)]
struct Replay {
    tests: u64,
    mismatches: Vec<serde_json::Value>,
    problem: Option<String>,
}

impl Summary {
    /// What native runs of the tests contradict, if they were made.
    pub fn contradicted(&self) -> Option<String> {
        let replay = self.replay.as_ref()?;
        if replay.problem.is_some() || !replay.mismatches.is_empty() || replay.tests < self.tests.min(1) {
            return Some(format!("native runs: {replay:?}"));
        }
        let mut differences = self.coverage.native.iter().flat_map(|native| &native.differences);
        if let Some(difference) = differences.find(|difference| difference.cause.is_none()) {
            return Some(format!("coverage: {difference:?}"));
        }
        // What depends on functions without a definition is shown natively too, and called conditional.
        // No sanitizer of native runs knows types.
        let is_unconfirmed = |bug: &&Bug| bug.status == "unconfirmed" && bug.kind != "effective-type";
        let unconfirmed = self.bugs.iter().find(is_unconfirmed);
        unconfirmed.map(|bug| format!("unconfirmed: {bug:?}, {replay:?}"))
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct Bug {
    pub kind: String,
    class: String,
    pub line: usize,
    /// The number of the test that shows it.
    pub(crate) test: u64,
    status: String,
    #[allow(dead_code, reason = "shown when a trial fails")]
    reason: Option<String>,
}

/// Explores a program with the real binary and compares the outcome with what its lines say. Says what is wrong.
pub fn explore(spelunk: &Spelunk, case: &Case, options: &[&str], dir: &Path) -> Result<u64, String> {
    let out = dir.join("out");
    let mut command = spelunk.command();
    command.arg("run").args(&case.files).args(options).args(&case.header.options).arg("--out").arg(&out);
    let (status, text) = run(&mut command)?;
    let Judged { n_tests, code, .. } = judge(case, &out).map_err(|what| format!("{what}\n{text}"))?;
    if status == code { Ok(n_tests) } else { Err(format!("exit status {status}\n{text}")) }
}

/// A campaign that went as its program's lines say.
pub(crate) struct Judged {
    pub n_tests: u64,
    pub has_bugs: bool,
    /// The exit code that belongs to the classes of what was found.
    code: i32,
}

/// Compares what a campaign has left with what the program's lines say. Says what is wrong.
pub(crate) fn judge(case: &Case, out: &Path) -> Result<Judged, String> {
    let json = std::fs::read(out.join("summary.json")).map_err(|error| format!("no summary: {error}"))?;
    let summary: Summary = serde_json::from_slice(&json).map_err(|error| error.to_string())?;

    let expected = match &case.expected {
        Expected::Bugs { bugs, .. } => bugs.iter().map(|bug| (bug.position.line, bug.kind.clone())).collect(),
        Expected::Clean { .. } => Vec::new(),
        Expected::Unsupported(_) => return Err("programs to explore have no `unsupported`".to_owned()),
    };
    let mut found: Vec<_> = summary.bugs.iter().map(|bug| (bug.line, bug.kind.clone())).collect();
    found.sort_unstable();
    let mut sorted = expected;
    sorted.sort_unstable();
    if found != sorted {
        return Err(format!("bugs {found:?} instead of {sorted:?}"));
    }
    let stopped = case.header.stopped.as_deref().unwrap_or("exhausted");
    if summary.stopped != stopped || summary.divergences > 0 {
        return Err(format!("stopped: {}, divergences: {}", summary.stopped, summary.divergences));
    }
    let is_told = |loss: &&String| summary.ledger.iter().any(|told| told.detail.contains(loss.as_str()));
    if let Some(silent) = case.header.ledger.iter().find(|loss| !is_told(loss)) {
        return Err(format!("the ledger says nothing of `{silent}`: {:?}", summary.ledger));
    }
    if let Some(contradiction) = summary.contradicted() {
        return Err(contradiction);
    }
    // Outcomes that split no path have tests of their own.
    if case.header.paths.is_some_and(|paths| paths != summary.paths) || summary.tests < summary.paths {
        return Err(format!("{} paths and {} tests", summary.paths, summary.tests));
    }
    let codes = [("bug", 1), ("may-not-end", 5), ("resource", 6), ("needs-precondition", 4)];
    let of_class = |class: &str| summary.bugs.iter().any(|bug| bug.class == class);
    let code = codes.iter().find(|(class, _)| of_class(class)).map_or(0, |(_, code)| *code);
    Ok(Judged { n_tests: summary.tests, has_bugs: !summary.bugs.is_empty(), code })
}

/// Runs all tests that a campaign has left in its directory again: each takes its path to its end, with the same effects.
pub fn run_again(spelunk: &Spelunk, out: &Path) -> Result<(), String> {
    let (status, text) = run(spelunk.command().arg("replay").arg(out).arg("--vm"))?;
    match status {
        0 | 1 => Ok(()),
        _ => Err(format!("run again, the tests end with {status}\n{text}")),
    }
}

/// The exit status, and everything that was written.
fn run(command: &mut Command) -> Result<(i32, String), String> {
    let output = command.output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    let status = output.status.code().ok_or_else(|| format!("killed: {}\n{text}", output.status))?;
    Ok((status, text.into_owned()))
}
