//! `spelunk replay`, and what `spelunk run` does of it: run tests natively and enter what they show.

use std::collections::BTreeSet;

use crate::args::{CompileArgs, ReplayArgs};
use crate::run::subject;
use crate::{compile, exit};
use clap::ValueEnum;
use spelunk_driver::Purpose;
use spelunk_inputs::Functions;
use spelunk_native::{NativeError, Numbered, Replay, Subject, enter, enter_problem};
use spelunk_report::suite::summary::Status;
use spelunk_report::suite::{Profile, Recipe, Store, StoreError, Summary, TestCase};

/// How many tests are run at the end of a campaign: those of bugs first, then others at even distances.
const TESTS_AT_THE_END: usize = 1000;

pub fn replay(args: &ReplayArgs) -> u8 {
    match try_replay(args) {
        Ok(code) => code,
        Err(message) => {
            anstream::eprintln!("error: {message}");
            exit::USAGE
        }
    }
}

fn try_replay(args: &ReplayArgs) -> Result<u8, String> {
    let told = |error: StoreError| error.to_string();
    let store = Store::existing(&args.dir).map_err(told)?;
    let numbers = store.numbers().map_err(told)?;
    let recipe = store.read_recipe().map_err(told)?;
    if let Some(missing) = args.test.iter().find(|number| !numbers.contains(number)) {
        return Err(format!("{} has no test {missing}", args.dir.display()));
    }
    let chosen = if args.test.is_empty() { &numbers } else { &args.test };
    let tests = read(&store, chosen).map_err(told)?;
    let Some((_, first)) = tests.first() else { return Err(format!("{} has no tests", args.dir.display())) };

    std::env::set_current_dir(&recipe.directory)
        .map_err(|error| format!("cannot go to {}: {error}", recipe.directory.display()))?;
    let uninitialised = first.setup.uninitialised();
    let loaded = compile::load(&compile_args(&recipe), Purpose::Explore, uninitialised, &[]);
    let Ok(mut loaded) = loaded else { return Ok(exit::USAGE) };
    let functions = Functions::new(&loaded.program, &loaded.image);
    let unit = first.unit.as_ref().map(|setup| subject(&functions, &first.entry, setup)).transpose();
    let unit = unit.map_err(|error| error.to_string())?.and_then(|subject| subject.unit);
    let stubs = functions.into_stubs();
    stubs.iter().for_each(|name| loaded.image.add_undefined(name));
    let subject = Subject { program: &loaded.program, image: &loaded.image, unit: unit.as_ref(), recipe: &recipe };

    let numbered: Vec<Numbered<'_>> = tests.iter().map(|(number, test)| (*number, test)).collect();
    let verdicts =
        Replay::new(&subject).and_then(|mut replay| replay.run(&numbered)).map_err(|error| error.to_string())?;
    let mut summary = store.read_summary().map_err(told)?;
    enter(&mut summary, &numbered, &verdicts);
    if args.test.is_empty() {
        store.write_summary(&summary).map_err(told)?;
    }
    show(&summary);
    Ok(code(&summary))
}

fn read(store: &Store, numbers: &[u64]) -> Result<Vec<(u64, TestCase)>, StoreError> {
    numbers.iter().map(|&number| Ok((number, store.read_test(number)?))).collect()
}

fn compile_args(recipe: &Recipe) -> CompileArgs {
    CompileArgs {
        sources: recipe.sources.clone(),
        clang: recipe.clang.clone(),
        cflags: recipe.cflags.clone(),
        checks: recipe.checks.iter().filter_map(|name| ValueEnum::from_str(name, false).ok()).collect(),
    }
}

/// What came of it for a person.
fn show(summary: &Summary) {
    let Some(replay) = &summary.replay else { return };
    for bug in &summary.bugs {
        let place = format!("{}:{}", bug.place.file, bug.place.line);
        match (bug.status, &bug.reason) {
            (Status::Confirmed, _) => anstream::println!("{place}: {} confirmed by test {}", bug.kind, bug.test),
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

/// Tests that ended otherwise than predicted.
pub fn show_mismatches(summary: &Summary) {
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

/// Runs the tests of a campaign that has just ended. Whatever goes wrong is entered too.
pub fn confirm(store: &Store, subject: &Subject<'_>, profile: &Profile, summary: &mut Summary) {
    if let Err(problem) = try_confirm(store, subject, profile, summary) {
        enter_problem(summary, &problem);
    }
}

fn try_confirm(store: &Store, subject: &Subject<'_>, profile: &Profile, summary: &mut Summary) -> Result<(), String> {
    let told = |error: StoreError| error.to_string();
    let numbers = store.numbers().map_err(told)?;
    let step = numbers.len().div_ceil(TESTS_AT_THE_END).max(1);
    let of_bugs = summary.bugs.iter().map(|bug| bug.test).filter(|&test| test != 0);
    let chosen: BTreeSet<u64> = of_bugs.chain(numbers.iter().copied().step_by(step)).collect();
    if chosen.is_empty() {
        return Ok(());
    }
    let tests = read(store, &chosen.into_iter().collect::<Vec<_>>()).map_err(told)?;
    let numbered: Vec<Numbered<'_>> = tests.iter().map(|(number, test)| (*number, test)).collect();
    let lcov = run_tests(subject, &numbered, profile, summary).map_err(|error| error.to_string())?;
    lcov.map_or(Ok(()), |lcov| store.write_lcov(&lcov)).map_err(told)
}

/// Runs tests, enters what they show and cover, and returns the latter in lcov's format.
fn run_tests(
    subject: &Subject<'_>,
    tests: &[Numbered<'_>],
    profile: &Profile,
    summary: &mut Summary,
) -> Result<Option<String>, NativeError> {
    let mut replay = Replay::new(subject)?;
    let verdicts = replay.run(tests)?;
    enter(summary, tests, &verdicts);
    let Some(mut covered) = replay.covered()? else { return Ok(None) };
    covered.compare(profile);
    summary.coverage.native = Some(covered.account);
    Ok(Some(covered.lcov))
}
