//! What native runs mean for the account of a campaign.

use std::collections::BTreeMap;

use spelunk_report::suite::Summary;
use spelunk_report::suite::summary::{BugEntry, Mismatch, Replay as Account, Status};
use spelunk_report::suite::test_case::End;

use crate::encode::Numbered;
use crate::verdict::Verdict;

/// Enters how the tests went.
pub fn enter(summary: &mut Summary, tests: &[Numbered<'_>], verdicts: &BTreeMap<u64, Verdict>) {
    let mut account = Account { tests: tests.len() as u64, ..Account::default() };
    for (number, test) in tests {
        match &verdicts[number] {
            Verdict::Confirmed(_) => account.confirmed += 1,
            Verdict::Unconfirmed(_) => account.unconfirmed += 1,
            Verdict::AsPredicted => account.as_predicted += 1,
            Verdict::NotCompared => account.not_compared += 1,
            Verdict::KnownDifference(reason) => {
                account.not_compared += 1;
                *account.known_differences.entry((*reason).to_owned()).or_default() += 1;
            }
            Verdict::Mismatch(native) => account.mismatches.push(Mismatch {
                test: *number,
                predicted: describe(&test.end),
                native: native.clone(),
            }),
        }
    }
    summary.replay = Some(account);
    for bug in &mut summary.bugs {
        judge(bug, tests, verdicts);
    }
}

/// Enters that nothing could be run.
pub fn enter_problem(summary: &mut Summary, problem: &str) {
    let first_line = problem.lines().next().unwrap_or_default();
    summary.replay = Some(Account { problem: Some(problem.to_owned()), ..Account::default() });
    for bug in &mut summary.bugs {
        bug.status = Status::Unconfirmed;
        bug.reason = Some(first_line.to_owned());
    }
}

/// One native run that shows a bug is enough: of the tests that end in it, its own comes first.
fn judge(bug: &mut BugEntry, tests: &[Numbered<'_>], verdicts: &BTreeMap<u64, Verdict>) {
    let is_it =
        |end: &End| matches!(end, End::Bug { bug: kind, place, .. } if *kind == bug.kind && *place == bug.place);
    let is_own = |&&(number, _): &&Numbered<'_>| number == bug.test;
    let others = tests.iter().filter(|(_, test)| is_it(&test.end));
    let of_bug = tests.iter().filter(is_own).chain(others);
    let shown = of_bug.filter_map(|(number, test)| match verdicts.get(number) {
        Some(Verdict::Confirmed(how)) => Some((number, test, how)),
        _ => None,
    });
    let shown: Vec<_> = shown.collect();
    // What a function returns that nobody defines confirms nothing.
    let best = shown.iter().find(|(_, test, _)| test.made_up.is_empty()).or(shown.first());
    if let Some((number, test, how)) = best {
        bug.test = **number;
        bug.status = if test.made_up.is_empty() { Status::Confirmed } else { Status::Conditional };
        bug.reason = if test.made_up.is_empty() { (*how).clone() } else { Some(condition(&test.made_up)) };
        return;
    }
    bug.status = Status::Unconfirmed;
    bug.reason = Some(match verdicts.get(&bug.test) {
        Some(Verdict::Unconfirmed(reason)) => reason.clone(),
        _ => "its test was not run natively".to_owned(),
    });
}

fn condition(made_up: &[String]) -> String {
    let names: Vec<String> = made_up.iter().map(|name| format!("`{name}`")).collect();
    match &names[..] {
        [name] => format!("the native run shows it with a made-up result of {name}, which is not defined"),
        names => format!("the native run shows it with made-up results of {}, which are not defined", names.join(", ")),
    }
}

fn describe(end: &End) -> String {
    match end {
        End::Exited { status } => format!("exit status {status}"),
        End::Killed { signal } => format!("signal {signal}"),
        End::Bug { bug, place, .. } => format!("{bug} at {}:{}", place.file, place.line),
        End::Unsupported { what, .. } => what.clone(),
        End::Limit { what } => format!("limit on {what}"),
        End::Infeasible => "excluded".to_owned(),
    }
}
