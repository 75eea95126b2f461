//! Whether the VM and native runs executed the same lines, and how it can be where they did not.
//!
//! A difference without a cause is an error of ours.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use spelunk_report::suite::Profile;
use spelunk_report::suite::profile::SourceText;
use spelunk_report::suite::summary::{CoverageDifference, Summary};

use crate::coverage::{Covered, lines};

/// What a campaign did besides running tests that end as predicted.
#[derive(Clone, Copy, Debug, Default)]
struct Circumstances {
    /// Paths became no tests, since an assumption excludes their inputs.
    has_excluded: bool,
    /// Not every path was run natively to its end.
    has_unseen: bool,
    has_bugs: bool,
}

impl Circumstances {
    fn of(summary: &Summary) -> Self {
        let replay = summary.replay.as_ref();
        let is_unseen = |it: &spelunk_report::suite::summary::Replay| {
            it.tests < summary.paths || it.not_compared + it.unconfirmed > 0
        };
        Self {
            has_excluded: summary.excluded > 0,
            has_unseen: replay.is_none_or(is_unseen),
            has_bugs: !summary.bugs.is_empty(),
        }
    }
}

impl Covered {
    /// Compares with the lines that the VM covered in the campaign of this account.
    pub fn compare(&mut self, profile: &Profile, summary: &Summary) {
        let circumstances = Circumstances::of(summary);
        let native = lines(&self.lcov);
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
                let cause = match is_covered_in_vm {
                    true => cause_in_vm(file, line, circumstances),
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
    circumstances.has_unseen.then_some("not all paths were run natively to the end that they have in the VM")
}

/// Why only native runs executed a line.
fn cause_natively(
    file: &SourceText,
    idx: usize,
    counts: &BTreeMap<u32, u64>,
    circumstances: Circumstances,
) -> Option<&'static str> {
    let (line, _) = file.lines[idx];
    // What is behind a call counts like the call.
    let before = file.lines[..idx].last();
    let is_with_what_is_before =
        before.is_some_and(|&(before, is_covered)| is_covered && counts.get(&before) == counts.get(&line));
    if is_with_what_is_before {
        return Some("the compiler's coverage counts it with the line before, from which no run comes back");
    }
    circumstances.has_bugs.then_some("native runs may go on behind an error that ends paths in the VM")
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
        let mut covered = Covered { lcov, account: NativeCoverage::default() };
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
