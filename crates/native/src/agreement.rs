//! Whether the VM and native runs executed the same lines, and how it can be where they did not.
//!
//! A difference without a cause is an error of ours.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use spelunk_report::suite::Profile;
use spelunk_report::suite::profile::SourceText;
use spelunk_report::suite::summary::{CoverageDifference, Summary};

use crate::coverage::{Covered, functions, lines};

/// What a campaign did besides running tests that end as predicted.
#[derive(Clone, Copy, Debug, Default)]
struct Circumstances {
    /// Paths became no tests, since an assumption excludes their inputs.
    has_excluded: bool,
    /// Not every path was run natively to its end.
    has_unseen: bool,
    has_bugs: bool,
    has_unmeasured: bool,
    returns_twice: bool,
}

impl Circumstances {
    fn of(covered: &Covered, summary: &Summary) -> Self {
        let replay = summary.replay.as_ref();
        let is_unseen = |it: &spelunk_report::suite::summary::Replay| {
            it.tests < summary.paths || it.not_compared + it.unconfirmed > 0
        };
        Self {
            has_excluded: summary.excluded > 0,
            has_unseen: replay.is_none_or(is_unseen),
            has_bugs: !summary.bugs.is_empty(),
            has_unmeasured: covered.has_unmeasured,
            returns_twice: covered.returns_twice,
        }
    }
}

impl Covered {
    /// Compares with the lines that the VM covered in the campaign of this account.
    pub fn compare(&mut self, profile: &Profile, summary: &Summary) {
        let circumstances = Circumstances::of(self, summary);
        let native = lines(&self.lcov);
        let functions = functions(&self.lcov);
        for file in &profile.files {
            let path = fs::canonicalize(&file.full_path).unwrap_or_else(|_| PathBuf::from(&file.full_path));
            let Some(counts) = native.get(&path) else { continue };
            for (idx, &(line, is_covered_in_vm)) in file.lines.iter().enumerate() {
                let Some(&count) = counts.get(&line) else { continue };
                let agreed = &mut self.account.agreed;
                agreed.total += 1;
                if is_covered_in_vm == (count > 0) {
                    agreed.covered += 1;
                    continue;
                }
                let function = functions.get(&path).and_then(|all| all.range(..=line).next_back());
                let cause = match is_covered_in_vm {
                    true => cause_in_vm(file, line, circumstances),
                    false if function.is_some_and(|(_, name)| is_called_by_compilers(name)) => Some(
                        "the compiler calls this function where memory is copied or filled, which the VM does itself",
                    ),
                    false => cause_natively(file, idx, counts, circumstances),
                };
                self.account.differences.push(CoverageDifference {
                    file: file.path.clone(),
                    line,
                    only_in_vm: is_covered_in_vm,
                    cause: cause.map(str::to_owned),
                });
            }
        }
    }
}

/// Why only the VM executed a line.
fn cause_in_vm(file: &SourceText, line: u32, circumstances: Circumstances) -> Option<&'static str> {
    if is_brace(file, line) {
        return Some("all returns of a function meet at its end, which the compiler's coverage does not count");
    }
    if circumstances.has_excluded {
        return Some("inputs reach it that an assumption excludes, so that they are no tests");
    }
    if circumstances.has_unmeasured {
        return Some("a process that is killed leaves no account of what it has executed");
    }
    if circumstances.has_unseen {
        return Some("not all paths were run natively to the end that they have in the VM");
    }
    circumstances
        .returns_twice
        .then_some("the compiler's coverage is wrong about functions that `longjmp` comes back to")
}

/// Functions that compilers call by themselves. A program may define them.
fn is_called_by_compilers(name: &str) -> bool {
    matches!(name, "memcpy" | "memmove" | "memset" | "memcmp" | "bcmp" | "mempcpy" | "strlen")
}

/// Why only native runs executed a line.
fn cause_natively(
    file: &SourceText,
    idx: usize,
    counts: &BTreeMap<u32, u64>,
    circumstances: Circumstances,
) -> Option<&'static str> {
    if is_behind_the_last(file, idx, counts) {
        return Some("the compiler's coverage counts it with the line before, from which no run comes back");
    }
    circumstances.has_bugs.then_some("native runs may go on behind an error that ends paths in the VM")
}

/// Whether a line comes after one from which no run in the VM came back: coverage counts what is behind a call like the call.
fn is_behind_the_last(file: &SourceText, idx: usize, counts: &BTreeMap<u32, u64>) -> bool {
    let count = |at: usize| counts.get(&file.lines[at].0).copied().unwrap_or_default();
    let Some(last) = (0..idx).rev().find(|&at| file.lines[at].1 && count(at) > 0) else { return false };
    // A loop is executed more often than what is before it, but what only some runs reach less often.
    let next = (last + 1..=idx).find(|&at| count(at) > 0).unwrap_or(idx);
    count(next) >= count(last)
}

fn is_brace(file: &SourceText, line: u32) -> bool {
    let text = file.text.as_deref().unwrap_or_default();
    text.lines().nth((line as usize).saturating_sub(1)).is_some_and(|text| text.trim() == "}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use spelunk_report::suite::summary::{NativeCoverage, Ratio, Replay};

    const TEXT: &str = "int f(void) {\n  g();\n  h();\n  return 1;\n}\n";

    fn compare(lcov: &str, lines: &[(u32, bool)], summary: &Summary) -> NativeCoverage {
        let lcov = format!("SF:/nowhere/a.c\n{lcov}end_of_record\n");
        let account = NativeCoverage::default();
        let mut covered = Covered { lcov, account, has_unmeasured: false, returns_twice: false };
        let file = SourceText {
            path: "a.c".to_owned(),
            full_path: "/nowhere/a.c".to_owned(),
            text: Some(TEXT.to_owned()),
            lines: lines.to_vec(),
        };
        covered.compare(&Profile { files: vec![file], ..Profile::default() }, summary);
        covered.account
    }

    fn complete() -> Summary {
        let replay = Replay { tests: 3, as_predicted: 3, ..Replay::default() };
        Summary { paths: 3, tests: 3, replay: Some(replay), ..Summary::default() }
    }

    #[test]
    fn differences_are_told_by_line() {
        let lcov = "DA:1,5\nDA:2,0\nDA:3,1\n";
        let account = compare(lcov, &[(1, true), (2, true), (3, false), (9, true)], &complete());
        assert_eq!(account.agreed, Ratio { covered: 1, total: 3 });
        let told: Vec<_> = account.differences.iter().map(|it| (it.line, it.only_in_vm, &it.cause)).collect();
        assert_eq!(told, [(2, true, &None), (3, false, &None)]);
    }

    #[test]
    fn what_is_excluded_not_run_or_cut_short_is_a_cause() {
        let only_vm = |summary: &Summary| compare("DA:3,0\n", &[(3, true)], summary).differences[0].cause.clone();
        assert!(only_vm(&Summary { excluded: 1, ..complete() }).is_some_and(|cause| cause.contains("excludes")));
        assert!(only_vm(&Summary { paths: 4, ..complete() }).is_some_and(|cause| cause.contains("not all paths")));
        let brace = compare("DA:5,0\n", &[(5, true)], &complete());
        assert!(brace.differences[0].cause.is_some());
        // A call that does not come back: the line behind it counts with it.
        let behind = compare("DA:2,4\nDA:3,4\n", &[(2, true), (3, false)], &complete());
        assert!(behind.differences[0].cause.as_ref().is_some_and(|cause| cause.contains("comes back")));
    }
}
