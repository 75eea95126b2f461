//! `spelunk replay`, and what `spelunk run` does of it: run tests natively and enter what they show, or in the VM again.

use std::collections::{BTreeMap, BTreeSet};

use crate::args::ReplayArgs;
use crate::exit;
use crate::reload::{Failed, Reloaded, read_tests, tell_unfinished};
use crate::run::why_over;
use spelunk_deadline::{Deadline, Over};
use spelunk_driver::DriverError;
use spelunk_native::{Covered, NativeError, Numbered, Replay, Subject, enter, enter_problem};
use spelunk_report::suite::summary::{CoverageDifference, Status};
use spelunk_report::suite::{Campaign, Profile, Store, StoreError, Summary, TestCase};
use spelunk_vm::Stop;

/// How many lines of a sort are named.
const SHOWN_DIFFERENCES: usize = 5;

/// How many tests are run at the end of a campaign: those of bugs first, then others at even distances.
const TESTS_AT_THE_END: usize = 1000;

/// How many are run between looks at the time.
const BATCH: usize = 100;

pub fn replay(args: &ReplayArgs) -> u8 {
    try_replay(args).unwrap_or_else(Failed::tell)
}

fn try_replay(args: &ReplayArgs) -> Result<u8, Failed> {
    let told = |error: StoreError| Failed::Message(error.to_string());
    // Reading the program changes the current directory.
    let dir = std::path::absolute(&args.dir).unwrap_or_else(|_| args.dir.clone());
    let store = Store::existing(&dir).map_err(told)?;
    let recipe = store.read_recipe().map_err(told)?;
    let tests = read_tests(&store, &args.test).map_err(Failed::Message)?;
    let reloaded = Reloaded::new(recipe, &tests[0].1)?;
    if args.vm {
        return run_again(&reloaded, &tests);
    }
    let subject = reloaded.subject(args.native.replay);

    let numbered: Vec<Numbered<'_>> = tests.iter().map(|(number, test)| (*number, test)).collect();
    let Campaign { mut summary, profile, .. } = Campaign::open(&dir).map_err(told)?;
    let whole = Whole { subject: &subject, profile: &profile, deadline: &Deadline::default(), tell: &|_, _| {} };
    let ran = whole.run(&numbered, &args.test, &mut summary);
    let ran = ran.map_err(|error| Failed::Message(error.to_string()))?;
    // What is said of a campaign that was killed is made of its tests whenever someone asks.
    if args.test.is_empty() && summary.unfinished.is_none() {
        ran.lcov.map_or(Ok(()), |lcov| store.write_lcov(&lcov)).map_err(told)?;
        store.write_summary(&summary).map_err(told)?;
    }
    tell_unfinished(&args.dir, &summary);
    show(&summary);
    Ok(code(&summary))
}

/// Runs tests in the VM instead. Nothing is entered: what they show there, they have shown already.
fn run_again(reloaded: &Reloaded, tests: &[(u64, TestCase)]) -> Result<u8, Failed> {
    let again = reloaded.again();
    let (mut n_otherwise, mut n_bugs) = (0, 0);
    for (number, test) in tests {
        let (stop, difference) = again.run(reloaded.options(test), test).map_err(Failed::Message)?;
        n_bugs += usize::from(matches!(stop, Stop::Bug(_)));
        if let Some(difference) = difference {
            n_otherwise += 1;
            anstream::eprintln!("error: test {number} is not what happens: {difference}");
        }
    }
    let n_as_written = tests.len() - n_otherwise;
    anstream::println!(
        "{} tests: {n_as_written} as written, {n_bugs} show a bug, {n_otherwise} otherwise",
        tests.len()
    );
    Ok(match (n_otherwise, n_bugs) {
        (0, 0) => 0,
        (0, _) => exit::FOUND,
        _ => exit::INTERNAL,
    })
}

/// What came of it for a person.
fn show(summary: &Summary) {
    let Some(replay) = &summary.replay else { return };
    for bug in &summary.bugs {
        let place = format!("{}:{}", bug.place.file, bug.place.line);
        match (bug.status, &bug.reason) {
            (Status::Confirmed, _) => anstream::println!("{place}: {} confirmed by test {}", bug.kind, bug.test),
            (Status::Conditional, reason) => {
                let reason = reason.as_deref().unwrap_or_default();
                anstream::println!("{place}: {} conditional, test {}: {reason}", bug.kind, bug.test);
            }
            (Status::Unconfirmed, reason) => {
                let reason = reason.as_deref().unwrap_or("no native run has shown it");
                anstream::println!("{place}: {} unconfirmed: {reason}", bug.kind);
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

/// Runs the tests of a campaign that has just ended. Whatever goes wrong is entered too. Says what there was no time for.
pub fn confirm(
    store: &Store,
    subject: &Subject<'_>,
    profile: &Profile,
    summary: &mut Summary,
    deadline: &Deadline,
    tell: &dyn Fn(usize, usize),
) -> Option<String> {
    let whole = Whole { subject, profile, deadline, tell };
    try_confirm(store, &whole, summary).unwrap_or_else(|problem| {
        enter_problem(summary, &problem);
        None
    })
}

fn try_confirm(store: &Store, whole: &Whole<'_>, summary: &mut Summary) -> Result<Option<String>, String> {
    let told = |error: StoreError| error.to_string();
    let numbers = store.numbers().map_err(told)?;
    let step = numbers.len().div_ceil(TESTS_AT_THE_END).max(1);
    let of_bugs = summary.bugs.iter().map(|bug| bug.test).filter(|&test| test != 0);
    let chosen: BTreeSet<u64> = of_bugs.chain(numbers.iter().copied().step_by(step)).collect();
    if chosen.is_empty() {
        return Ok(None);
    }
    let tests = read_tests(store, &chosen.into_iter().collect::<Vec<_>>())?;
    let numbered: Vec<Numbered<'_>> = tests.iter().map(|(number, test)| (*number, test)).collect();
    let Ran { lcov, n_tests, over } = whole.run(&numbered, &[], summary).map_err(|error| error.to_string())?;
    lcov.map_or(Ok(()), |lcov| store.write_lcov(&lcov)).map_err(told)?;
    Ok(over.map(|over| format!("native runs: {n_tests} of {} tests, {}", numbered.len(), why_over(over))))
}

/// What it takes to run the tests of a campaign, and how long that may take.
struct Whole<'a> {
    subject: &'a Subject<'a>,
    profile: &'a Profile,
    deadline: &'a Deadline,
    /// Is told how many tests of how many were run.
    tell: &'a dyn Fn(usize, usize),
}

/// What came of it.
struct Ran {
    /// What the tests cover, in lcov's format.
    lcov: Option<String>,
    n_tests: usize,
    /// Why it is not all of them.
    over: Option<Over>,
}

impl Whole<'_> {
    /// Runs tests, those of bugs first, and enters what they show and cover. Some were `chosen` by name.
    fn run(&self, tests: &[Numbered<'_>], chosen: &[u64], summary: &mut Summary) -> Result<Ran, NativeError> {
        let shown: BTreeSet<u64> = summary.bugs.iter().map(|bug| bug.test).chain(chosen.iter().copied()).collect();
        let (of_bugs, others): (Vec<_>, Vec<_>) = tests.iter().copied().partition(|(number, _)| shown.contains(number));
        let batches = of_bugs.chunks(of_bugs.len().max(1)).chain(others.chunks(BATCH));
        let (mut ran, mut verdicts, mut over) = (Vec::new(), BTreeMap::new(), None);
        let mut replay = match Replay::new(self.subject, self.deadline) {
            Err(error) if is_over(&error) => return Ok(self.nothing(summary)),
            other => other?,
        };
        for batch in batches {
            (self.tell)(ran.len(), tests.len());
            match replay.run(batch, &summary.bugs, &shown) {
                Ok(of_batch) => verdicts.extend(of_batch),
                Err(error) if is_over(&error) => {
                    over = Some(self.over());
                    break;
                }
                Err(error) => return Err(error),
            }
            ran.extend_from_slice(batch);
        }
        if ran.is_empty() && over.is_some() {
            return Ok(self.nothing(summary));
        }
        enter(summary, &ran, &verdicts);
        summary.coverage.problem = None;
        // What the tests have shown stays shown if their coverage can't be read.
        let covered = covered(&mut replay, &ran, self.profile, summary).unwrap_or_else(|error| {
            summary.coverage.problem = Some(error.to_string());
            None
        });
        let lcov = covered.map(|covered| {
            summary.coverage.native = Some(covered.account);
            covered.lcov
        });
        Ok(Ran { lcov, n_tests: ran.len(), over })
    }

    fn over(&self) -> Over {
        self.deadline.over().unwrap_or(Over::Time)
    }

    /// There was no time for any.
    fn nothing(&self, summary: &mut Summary) -> Ran {
        enter_problem(summary, why_over(self.over()));
        Ran { lcov: None, n_tests: 0, over: Some(self.over()) }
    }
}

fn is_over(error: &NativeError) -> bool {
    matches!(error, NativeError::Driver(DriverError::Over(_)))
}

/// What tests that were run cover, beside what they covered in the VM.
fn covered(
    replay: &mut Replay<'_>,
    tests: &[Numbered<'_>],
    profile: &Profile,
    summary: &Summary,
) -> Result<Option<Covered>, NativeError> {
    let Some(mut covered) = replay.covered()? else { return Ok(None) };
    covered.compare(profile, summary);
    let is_unexplained = |difference: &CoverageDifference| difference.only_in_vm && difference.cause.is_none();
    // Programs may do different things with the same result, as objects are in this order in memory or in that.
    if covered.account.differences.iter().any(is_unexplained) && replay.run_at_addresses(tests)? {
        let Some(again) = replay.covered()? else { return Ok(None) };
        covered = again;
        covered.compare(profile, summary);
    }
    Ok(Some(covered))
}
