//! `spelunk replay`: run tests natively and enter what they show, or in the VM again.

use crate::args::ReplayArgs;
use crate::campaign_dir::{enter, tell_unfinished};
use crate::compile::{Warnings, colour, tell};
use crate::{exit, signals};
use spelunk_engine::EngineError;
use spelunk_engine::replay::{RanAgain, Replayed, Request, replay as run_natively, replay_in_vm};
use spelunk_report::suite::Summary;
use spelunk_report::suite::summary::{CoverageDifference, Status};
use spelunk_vm::Stop;

/// How many lines of a sort are named.
const SHOWN_DIFFERENCES: usize = 5;

pub fn replay(args: &ReplayArgs) -> u8 {
    try_replay(args).unwrap_or_else(|error| tell(&error))
}

fn try_replay(args: &ReplayArgs) -> Result<u8, EngineError> {
    let dir = enter(&args.dir)?;
    let request = Request { dir: &dir, tests: &args.test, confinement: args.native.replay, colour: colour() };
    let deadline = signals::deadline(args.limit);
    if args.vm {
        return Ok(show_again(&replay_in_vm(&request, &deadline, &Warnings)?));
    }
    let Replayed { summary, not_done } = run_natively(&request, &deadline, &Warnings)?;
    tell_unfinished(&args.dir, &summary);
    show(&summary);
    if let Some(not_done) = not_done {
        anstream::eprintln!("note: {not_done}: the account in {} is as it was", args.dir.display());
        if deadline.is_raised() {
            return Ok(exit::of_signal(exit::SIGINT));
        }
    }
    Ok(code(&summary))
}

/// What came of tests in the VM, and the exit code.
fn show_again(tests: &[RanAgain]) -> u8 {
    let otherwise = tests.iter().filter_map(|test| Some((test.number, test.difference.as_ref()?)));
    for (number, difference) in otherwise.clone() {
        anstream::eprintln!("error: test {number} is not what happens: {difference}");
    }
    let n_otherwise = otherwise.count();
    let n_bugs = tests.iter().filter(|test| matches!(test.stop, Stop::Bug(_))).count();
    let n_as_written = tests.len() - n_otherwise;
    anstream::println!(
        "{} tests: {n_as_written} as written, {n_bugs} show a bug, {n_otherwise} otherwise",
        tests.len()
    );
    match (n_otherwise, n_bugs) {
        (0, 0) => 0,
        (0, _) => exit::FOUND,
        _ => exit::INTERNAL,
    }
}

/// What came of it for a person.
fn show(summary: &Summary) {
    let Some(replay) = &summary.replay else { return };
    for bug in &summary.bugs {
        let place = format!("{}:{}", bug.place.file, bug.place.line);
        match (bug.status, &bug.reason) {
            (Status::Confirmed, how) => {
                let how = how.as_ref().map(|how| format!(": {how}")).unwrap_or_default();
                anstream::println!("{place}: {} confirmed by test {}{how}", bug.kind, bug.test);
            }
            (Status::Conditional, reason) => {
                let reason = reason.as_deref().unwrap_or_default();
                anstream::println!("{place}: {} conditional, test {}: {reason}", bug.kind, bug.test);
            }
            (Status::Unconfirmed, reason) => {
                let reason = reason.as_deref().unwrap_or("no native run has shown it");
                anstream::println!("{place}: {} not reproduced natively: {reason}", bug.kind);
            }
        }
    }
    show_mismatches(summary);
    anstream::println!(
        "{} tests: {} as predicted, {} confirm a bug, {} don't, {} not comparable, {} otherwise",
        replay.tests,
        replay.as_predicted,
        replay.confirmed,
        replay.unconfirmed,
        replay.not_compared,
        replay.mismatches.len(),
    );
}

/// Tests that ended otherwise than predicted, and lines that only native runs or only the VM executed, for no known reason.
pub fn show_mismatches(summary: &Summary) {
    let unexplained = summary.coverage.native.iter().flat_map(|native| &native.differences);
    let unexplained: Vec<_> = unexplained.filter(|difference| difference.cause.is_none()).collect();
    for CoverageDifference { file, line, only_in_vm, .. } in unexplained.iter().take(SHOWN_DIFFERENCES) {
        let by = if *only_in_vm { "the VM" } else { "native runs" };
        anstream::eprintln!("warning: {file}:{line} was executed only by {by}; this is a bug in spelunk");
    }
    if let Some(more) = unexplained.len().checked_sub(SHOWN_DIFFERENCES).filter(|&more| more > 0) {
        anstream::eprintln!("warning: so were {more} more lines: coverage.native.differences in summary.json");
    }
    if let Some(problem) = &summary.coverage.problem {
        anstream::eprintln!("note: what the tests cover natively is not known: {problem}");
    }
    for (reason, count) in summary.replay.iter().flat_map(|replay| &replay.known_differences) {
        anstream::eprintln!("note: {count} tests end natively otherwise and are not compared: {reason}");
    }
    for mismatch in summary.replay.iter().flat_map(|replay| &replay.mismatches) {
        anstream::eprintln!(
            "error: test {} ends natively with {} instead of {}; if the program depends on nothing but its input, this is a bug in spelunk",
            mismatch.test,
            mismatch.native,
            mismatch.predicted
        );
    }
}

fn code(summary: &Summary) -> u8 {
    let replay = summary.replay.iter();
    match replay.map(|replay| (replay.mismatches.len(), replay.confirmed)).next() {
        Some((0, 0)) | None => 0,
        Some((0, _)) => exit::FOUND,
        Some(_) => exit::INTERNAL,
    }
}
