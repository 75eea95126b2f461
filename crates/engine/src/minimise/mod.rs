//! Only as many tests as it takes to cover the same, and one for each bug.
//!
//! `measure` says what each test covers.

mod measure;

pub use measure::Measured;

use crate::replay::{Request, confirm};
use crate::subject::flow;
use crate::{EngineError, Keep, Observer, Program, read_tests};
use spelunk_concolic::Options;
use spelunk_deadline::Deadline;
use spelunk_explore::cover;
use spelunk_explore::coverage::Lines;
use spelunk_ir::debug::DebugInfo;
use spelunk_report::suite::summary::Kept;
use spelunk_report::suite::{Campaign, Profile, Store, StoreError, Summary, TestCase};
use std::path::Path;

/// Chooses tests of a campaign that has ended, and removes the others; with `out`, the chosen go there instead and the campaign
/// stays as it is. Returns the account of what is left.
pub fn minimise(
    request: &Request<'_>,
    keep: Keep,
    out: Option<&Path>,
    deadline: &Deadline,
    observer: &dyn Observer,
) -> Result<Summary, EngineError> {
    let Campaign { mut store, mut summary, mut profile, .. } = Campaign::open(request.dir)?;
    if summary.unfinished.is_some() {
        return Err(StoreError::Unfinished { path: request.dir.to_owned() }.into());
    }
    let tests = read_tests(&store, &[], deadline)?;
    let recipe = store.read_recipe()?;
    let plan = request.plan(&recipe, &tests[0].1);
    let reloaded = Program::reload(&plan, deadline, observer)?;
    let loaded = reloaded.program.loaded();
    let program = flow(loaded, reloaded.subject.unit.as_deref());
    let lines = Lines::new(&program, &DebugInfo::new(&loaded.program));
    let native = reloaded.program.native(&reloaded.subject, &recipe, request.confinement);
    let theories = reloaded.program.theories().to_vec();
    let options = Options { theories, ..plan.run_options(&reloaded.subject) };
    let measured =
        Measured { program: &program, lines: &lines, options: &options, native: &native, deadline, observer };
    let choice = choose(&store, &summary, &measured, keep)?;
    match out {
        None => {
            // Until everything is there again that this says.
            summary.unfinished = Some("keeping".to_owned());
            store.write_summary(&summary).and_then(|()| store.retain(&choice.kept))?;
            summary.unfinished = None;
        }
        Some(out) => {
            let mut copy = store.begin_copy(out)?;
            for (_, test) in tests.iter().filter(|(number, _)| choice.kept.binary_search(number).is_ok()) {
                copy.add_test(test)?;
            }
            store = copy;
        }
    }
    choice.enter(&mut summary, &mut profile);
    confirm(&store, &native, &profile, &mut summary, deadline, observer);
    store.write_profile(&profile).and_then(|()| store.write_summary(&summary))?;
    Ok(summary)
}

/// Removes the tests that are not needed from a campaign whose account is not written yet.
pub(crate) fn keep(
    store: &mut Store,
    summary: &mut Summary,
    profile: &mut Profile,
    measured: &Measured<'_>,
    keep: Keep,
) -> Result<(), EngineError> {
    let choice = choose(store, summary, measured, keep)?;
    store.retain(&choice.kept)?;
    choice.enter(summary, profile);
    Ok(())
}

/// Removes all tests but these, which are in order, from such a campaign.
pub(crate) fn retain(
    store: &mut Store,
    summary: &mut Summary,
    profile: &mut Profile,
    kept: Vec<u64>,
) -> Result<(), StoreError> {
    store.retain(&kept)?;
    Choice { kept, account: None }.enter(summary, profile);
    Ok(())
}

struct Choice {
    /// The numbers of tests, in order.
    kept: Vec<u64>,
    /// What is said of them, unless they are all.
    account: Option<Kept>,
}

/// Chooses tests. An error if they cover less than all do.
fn choose(store: &Store, summary: &Summary, measured: &Measured<'_>, keep: Keep) -> Result<Choice, EngineError> {
    let numbers = store.numbers()?;
    if keep == Keep::Paths || numbers.is_empty() {
        return Ok(Choice { kept: numbers, account: None });
    }
    let mut tests = read_tests(store, &numbers, measured.deadline)?;
    // Of tests that add the same, the smallest is chosen.
    tests.sort_by_key(|(number, test)| (size_of(test), *number));
    let all = measured.measure(&tests, keep)?;
    let is_required = |(number, _): &(u64, TestCase)| {
        summary.bugs.iter().any(|bug| bug.test == *number)
            || summary.targets.iter().any(|target| target.test == Some(*number))
    };
    let required: Vec<usize> = (0..tests.len()).filter(|&at| is_required(&tests[at])).collect();
    let mut chosen = cover::choose(&all.by_test, &required);
    if chosen.is_empty() {
        chosen.push(0);
    }
    let kept: Vec<(u64, TestCase)> = chosen.iter().map(|&at| tests[at].clone()).collect();
    let after = measured.measure(&kept, keep)?;
    if let Some(lost) = all.lost(&after, keep) {
        return Err(EngineError::CoversLess { lost });
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
        summary.targets.iter_mut().filter_map(|target| target.test.as_mut()).for_each(|test| *test = place(*test));
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
