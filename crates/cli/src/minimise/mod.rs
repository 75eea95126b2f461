//! `spelunk minimise`, and `spelunk run --keep`: only as many tests as it takes to cover the same, and one for each bug.
//!
//! `measure` says what each test covers.

mod measure;

pub use measure::Measured;

use crate::args::MinimiseArgs;
use crate::reload::{Failed, Reloaded, read_tests};
use crate::replay::confirm;
use clap::ValueEnum;
use spelunk_deadline::Deadline;
use spelunk_explore::cover;
use spelunk_report::suite::summary::Kept;
use spelunk_report::suite::{Campaign, Profile, Store, StoreError, Summary, TestCase};
use std::path::Path;

/// What a choice of tests must keep.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// Every path: all tests
    Paths,
    /// Lines, and both ways of every branch
    Branches,
    /// The same, and MC/DC by clang's account: every combination of conditions that a decision was met with
    Mcdc,
    /// Lines
    Lines,
}

impl Keep {
    fn name(self) -> &'static str {
        match self {
            Self::Paths => "paths",
            Self::Branches => "branches",
            Self::Mcdc => "mcdc",
            Self::Lines => "lines",
        }
    }
}

pub fn minimise(args: &MinimiseArgs) -> u8 {
    match try_minimise(args) {
        Ok(summary) => {
            let kept = summary.kept.as_ref().map_or(summary.tests, |kept| kept.of);
            anstream::println!("{} of {kept} tests kept for {}", summary.tests, args.keep.name());
            0
        }
        Err(failed) => failed.tell(),
    }
}

fn try_minimise(args: &MinimiseArgs) -> Result<Summary, Failed> {
    let told = |error: StoreError| Failed::Message(error.to_string());
    // Reading the program changes the current directory.
    let absolute = |dir: &Path| std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned());
    let out = args.out.as_deref().map(absolute);
    let Campaign { mut store, mut summary, mut profile, .. } = Campaign::open(&absolute(&args.dir)).map_err(told)?;
    if summary.unfinished.is_some() {
        return Err(told(StoreError::Unfinished { path: args.dir.clone() }));
    }
    let tests = read_tests(&store, &[]).map_err(Failed::Message)?;
    let reloaded = Reloaded::new(store.read_recipe().map_err(told)?, &tests[0].1)?;
    let program = reloaded.program();
    let lines = reloaded.lines(&program);
    let (options, native) = (reloaded.options(&tests[0].1), reloaded.subject(args.native.replay));
    let deadline = Deadline::default();
    let measured = Measured {
        program: &program,
        lines: &lines,
        options: &options,
        native: &native,
        deadline: &deadline,
        tell: &|_, _| {},
    };
    let choice = choose(&store, &summary, &measured, args.keep).map_err(Failed::Message)?;
    match out {
        None => {
            // Until everything is there again that this says.
            summary.unfinished = Some("keeping".to_owned());
            store.write_summary(&summary).and_then(|()| store.retain(&choice.kept)).map_err(told)?;
            summary.unfinished = None;
        }
        Some(out) => {
            let mut copy = store.begin_copy(&out).map_err(told)?;
            for (_, test) in tests.iter().filter(|(number, _)| choice.kept.binary_search(number).is_ok()) {
                copy.add_test(test).map_err(told)?;
            }
            store = copy;
        }
    }
    choice.enter(&mut summary, &mut profile);
    confirm(&store, &native, &profile, &mut summary, &deadline, &|_, _| {});
    store.write_profile(&profile).and_then(|()| store.write_summary(&summary)).map_err(told)?;
    Ok(summary)
}

/// Removes the tests that are not needed from a campaign whose account is not written yet.
pub fn keep(
    store: &mut Store,
    summary: &mut Summary,
    profile: &mut Profile,
    measured: &Measured<'_>,
    keep: Keep,
) -> Result<(), String> {
    let choice = choose(store, summary, measured, keep)?;
    store.retain(&choice.kept).map_err(|error| error.to_string())?;
    choice.enter(summary, profile);
    Ok(())
}

struct Choice {
    /// The numbers of tests, in order.
    kept: Vec<u64>,
    /// What is said of them, unless they are all.
    account: Option<Kept>,
}

/// Chooses tests. An error if they cover less than all do.
fn choose(store: &Store, summary: &Summary, measured: &Measured<'_>, keep: Keep) -> Result<Choice, String> {
    let told = |error: StoreError| error.to_string();
    let numbers = store.numbers().map_err(told)?;
    if keep == Keep::Paths || numbers.is_empty() {
        return Ok(Choice { kept: numbers, account: None });
    }
    let read = |&number: &u64| Ok((number, store.read_test(number)?));
    let mut tests = numbers.iter().map(read).collect::<Result<Vec<(u64, TestCase)>, StoreError>>().map_err(told)?;
    // Of tests that add the same, the smallest is chosen.
    tests.sort_by_key(|(number, test)| (size_of(test), *number));
    let all = measured.measure(&tests, keep)?;
    let shows_bug = |(number, _): &(u64, TestCase)| summary.bugs.iter().any(|bug| bug.test == *number);
    let required: Vec<usize> = (0..tests.len()).filter(|&at| shows_bug(&tests[at])).collect();
    let mut chosen = cover::choose(&all.by_test, &required);
    if chosen.is_empty() {
        chosen.push(0);
    }
    let kept: Vec<(u64, TestCase)> = chosen.iter().map(|&at| tests[at].clone()).collect();
    let after = measured.measure(&kept, keep)?;
    if let Some(lost) = all.lost(&after, keep) {
        return Err(format!("the chosen tests cover less than all did ({lost}): this is a bug in spelunk"));
    }
    let mut kept: Vec<u64> = kept.iter().map(|&(number, _)| number).collect();
    kept.sort_unstable();
    let of = numbers.len() as u64;
    let account = Kept { what: keep.name().to_owned(), of, lines: after.lines, branches: after.branches };
    Ok(Choice { kept, account: Some(account) })
}

impl Choice {
    /// Makes an account one of the chosen tests, which have new numbers.
    fn enter(self, summary: &mut Summary, profile: &mut Profile) {
        let place = |number: u64| self.kept.binary_search(&number).map_or(0, |at| at as u64 + 1);
        summary.bugs.iter_mut().for_each(|bug| bug.test = place(bug.test));
        let cost = |&number: &u64| profile.tests.get(number as usize - 1).copied().unwrap_or_default();
        profile.tests = self.kept.iter().map(cost).collect();
        summary.tests = self.kept.len() as u64;
        summary.kept = self.account.or(summary.kept.take());
    }
}

/// How large a test's input is, and how long its path.
fn size_of(test: &TestCase) -> (usize, usize, usize) {
    let bytes = || test.input.iter().flat_map(|object| &object.bytes);
    (bytes().count(), bytes().filter(|&&byte| byte != 0).count(), test.decisions.len())
}
