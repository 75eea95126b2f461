//! The tests of a campaign run again: natively, with what they show entered into its account, or in the VM.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use spelunk_deadline::{Deadline, Over};
use spelunk_driver::{Colour, DriverError};
use spelunk_native::{Confinement, Covered, NativeError, Numbered, Replay, Subject, enter, enter_problem};
use spelunk_report::suite::summary::CoverageDifference;
use spelunk_report::suite::{Campaign, Profile, Recipe, Store, Summary, TestCase};
use spelunk_vm::Stop;

use crate::campaign::budget::why;
use crate::plan::Compile;
use crate::stored::read_without_decisions;
use crate::{Again, Difference, EngineError, Observer, Plan, Program, read_tests};

/// How many tests are run at the end of a campaign: those of bugs first, then others at even distances.
const TESTS_AT_THE_END: usize = 1000;

/// How many are run between looks at the time.
const BATCH: usize = 100;

/// How this phase is called.
pub(crate) const PHASE: &str = "native runs";

/// Whose tests are run again, and how.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The directory of a campaign.
    pub dir: &'a Path,
    /// The numbers of tests; all if there are none.
    pub tests: &'a [u64],
    pub confinement: Confinement,
    pub colour: Colour,
}

impl Request<'_> {
    /// How the tests of a campaign are run again.
    pub(crate) fn plan(&self, recipe: &Recipe, test: &TestCase) -> Plan {
        let plan = Plan::of_campaign(recipe, test);
        Plan { compile: Compile { colour: self.colour, ..plan.compile }, ..plan }
    }
}

/// What came of tests that were run natively.
#[derive(Debug)]
pub struct Replayed {
    /// The account of the campaign, with what they show.
    pub summary: Summary,
    /// What there was no time for, in words.
    pub not_done: Option<String>,
}

/// Runs tests natively. Their account is also written if they are all of a campaign that has ended: what is known of all is worth
/// more than what was seen of some.
pub fn replay(request: &Request<'_>, deadline: &Deadline, observer: &dyn Observer) -> Result<Replayed, EngineError> {
    let store = Store::existing(request.dir)?;
    let recipe = store.read_recipe()?;
    let tests = read_without_decisions(&store, request.tests, deadline)?;
    let plan = request.plan(&recipe, &tests[0].1);
    let reloaded = Program::reload(&plan, deadline, observer)?;
    let native = reloaded.program.native(&reloaded.subject, &recipe, request.confinement);
    let Campaign { mut summary, profile, .. } = Campaign::open(request.dir)?;
    let whole = Whole { subject: &native, profile: &profile, deadline, observer };
    let ran = whole.run(&numbered(&tests), request.tests, &mut summary)?;
    let not_done = ran.not_done(tests.len());
    // What is said of a campaign that was killed is made of its tests whenever someone asks.
    if request.tests.is_empty() && summary.unfinished.is_none() && not_done.is_none() {
        ran.lcov.map_or(Ok(()), |lcov| store.write_lcov(&lcov))?;
        store.write_summary(&summary)?;
    }
    Ok(Replayed { summary, not_done })
}

/// What came of a test in the VM.
#[derive(Debug)]
pub struct RanAgain {
    pub number: u64,
    pub stop: Stop,
    pub difference: Option<Difference>,
}

/// Runs tests in the VM instead. Nothing is entered: what they show there, they have shown already.
pub fn replay_in_vm(
    request: &Request<'_>,
    deadline: &Deadline,
    observer: &dyn Observer,
) -> Result<Vec<RanAgain>, EngineError> {
    let store = Store::existing(request.dir)?;
    let recipe = store.read_recipe()?;
    let tests = read_tests(&store, request.tests, deadline)?;
    let plan = request.plan(&recipe, &tests[0].1);
    let reloaded = Program::reload(&plan, deadline, observer)?;
    run_again(&Again::new(&plan, &reloaded), &tests, deadline)
}

/// Runs tests in the VM.
pub fn run_again(
    again: &Again<'_>,
    tests: &[(u64, TestCase)],
    deadline: &Deadline,
) -> Result<Vec<RanAgain>, EngineError> {
    let run = |(number, test): &(u64, TestCase)| {
        if let Some(over) = deadline.over() {
            return Err(EngineError::Over(over));
        }
        let (stop, difference) = again.run(test)?;
        Ok(RanAgain { number: *number, stop, difference })
    };
    tests.iter().map(run).collect()
}

fn numbered(tests: &[(u64, TestCase)]) -> Vec<Numbered<'_>> {
    tests.iter().map(|(number, test)| (*number, test)).collect()
}

/// Runs the tests of a campaign that has just ended. Whatever goes wrong is entered too. Says what there was no time for.
pub(crate) fn confirm(
    store: &Store,
    subject: &Subject<'_>,
    profile: &Profile,
    summary: &mut Summary,
    deadline: &Deadline,
    observer: &dyn Observer,
) -> Option<String> {
    let whole = Whole { subject, profile, deadline, observer };
    try_confirm(store, &whole, summary).unwrap_or_else(|problem| {
        enter_problem(summary, &problem.to_string());
        None
    })
}

fn try_confirm(store: &Store, whole: &Whole<'_>, summary: &mut Summary) -> Result<Option<String>, EngineError> {
    let numbers = store.numbers()?;
    let step = numbers.len().div_ceil(TESTS_AT_THE_END).max(1);
    let of_bugs = summary.bugs.iter().map(|bug| bug.test).filter(|&test| test != 0);
    let chosen: BTreeSet<u64> = of_bugs.chain(numbers.iter().copied().step_by(step)).collect();
    if chosen.is_empty() {
        return Ok(None);
    }
    let n_chosen = chosen.len();
    let ran = match read_without_decisions(store, &chosen.into_iter().collect::<Vec<_>>(), whole.deadline) {
        Ok(tests) => whole.run(&numbered(&tests), &[], summary)?,
        Err(EngineError::Over(_)) => whole.nothing(summary),
        Err(problem) => return Err(problem),
    };
    let not_done = ran.not_done(n_chosen);
    ran.lcov.map_or(Ok(()), |lcov| store.write_lcov(&lcov))?;
    Ok(not_done)
}

/// What it takes to run the tests of a campaign, and how long that may take.
struct Whole<'a> {
    subject: &'a Subject<'a>,
    profile: &'a Profile,
    deadline: &'a Deadline,
    observer: &'a dyn Observer,
}

/// What came of it.
struct Ran {
    /// What the tests cover, in lcov's format.
    lcov: Option<String>,
    n_tests: usize,
    /// Why it is not all of them.
    over: Option<Over>,
}

impl Ran {
    fn not_done(&self, of: usize) -> Option<String> {
        self.over.map(|over| format!("{PHASE}: {} of {of} tests, {}", self.n_tests, why(over)))
    }
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
            self.observer.count(PHASE, ran.len(), tests.len());
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
        enter_problem(summary, why(self.over()));
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
