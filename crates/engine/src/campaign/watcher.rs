//! Takes down what a campaign finds: tests on disk as they come, and how far it is.

use super::targets;
use crate::observer::{Observer, SoFar};
use crate::plan::{Keep, Plan};
use rustc_hash::{FxHashMap, FxHasher};
use spelunk_concolic::marks::Marks;
use spelunk_concolic::{Audit, Run};
use spelunk_deadline::Deadline;
use spelunk_explore::bugs::{BugKey, Bugs, Cause};
use spelunk_explore::campaign::{self, Outcome, Progress, Stopped};
use spelunk_explore::coverage;
use spelunk_explore::program::ProgramFlow;
use spelunk_explore::spent::Cost;
use spelunk_explore::targets::Targets;
use spelunk_ir::code::CheckedImage;
use spelunk_report::Reporter;
use spelunk_report::suite::convert::{self, Tested};
use spelunk_report::suite::recorder::Reached;
use spelunk_report::suite::summary::{AuditSummary, TargetEntry};
use spelunk_report::suite::{Profile, Recorder, Store, StoreError, Summary, TestCase, UnitSetup, unfinished};
use spelunk_vm::Stop;
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::time::{Duration, Instant};

pub struct Watcher<'a> {
    tested: Tested<'a>,
    reporter: &'a Reporter<'a>,
    program: &'a ProgramFlow<'a>,
    pub lines: coverage::Lines,
    pub store: Store,
    pub recorder: Recorder,
    /// Tests that a campaign which is continued had already.
    n_known: u64,
    /// Whether all of these were run again.
    has_run_known: bool,
    pub bugs: Bugs,
    /// Which tests were the first to reach something.
    news: BTreeSet<u64>,
    keep: Keep,
    /// The first paths as [samples](sample), if something may come of comparing them.
    pub samples: Vec<TestCase>,
    /// The tests of paths that end in bugs, by the decisions of these.
    failing: FxHashMap<u64, u64>,
    /// What paths were judged to be.
    pub audit: Option<AuditSummary>,
    /// By target, the test that was the first to reach it; zero if none was.
    pub target_tests: Vec<u64>,
    /// Why tests can't be written any more.
    pub error: Option<StoreError>,
    /// Of exploring.
    deadline: Deadline,
    /// Whether any path asked for input.
    pub has_input: bool,
    writes_tests: bool,
    sources: Vec<String>,
    observer: &'a dyn Observer,
    /// When to write down next how far it is.
    next_checkpoint: Instant,
}

/// How often it is written down how far a campaign is, at most; and what part of the time that may take.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(1);
const CHECKPOINT_SHARE: u32 = 30;

/// So many paths are compared.
const MAX_SAMPLES: usize = 4000;

/// A test with what matters when tests are compared: no decisions, and what the run has not looked at is undecided.
fn sample(mut test: TestCase, run: &Run) -> TestCase {
    test.decisions.clear();
    for (object, written) in run.input.objects.iter().zip(&mut test.input) {
        written.undecided.extend(run.unseen.iter().filter(|(key, _)| *key == object.key).map(|&(_, at)| at));
    }
    test
}

impl<'a> Watcher<'a> {
    pub fn new(
        plan: &Plan,
        tested: Tested<'a>,
        reporter: &'a Reporter<'a>,
        program: &'a ProgramFlow<'a>,
        store: Store,
        deadline: Deadline,
        observer: &'a dyn Observer,
    ) -> Self {
        Self {
            tested,
            reporter,
            program,
            lines: coverage::Lines::new(program, reporter.debug()),
            deadline,
            has_input: false,
            n_known: store.n_tests(),
            has_run_known: store.n_tests() == 0,
            store,
            recorder: Recorder::new(program.image.ops.len()),
            bugs: Bugs::default(),
            news: BTreeSet::new(),
            keep: plan.tests.keep,
            samples: Vec::new(),
            failing: FxHashMap::default(),
            audit: None,
            target_tests: Vec::new(),
            error: None,
            writes_tests: plan.tests.are_written,
            sources: plan.compile.source_names(),
            observer,
            next_checkpoint: Instant::now() + CHECKPOINT_INTERVAL,
        }
    }

    /// The number of the test that shows a path; zero if none is written.
    fn keep(&mut self, run: &Run, seed: Option<usize>) -> u64 {
        let is_sample = self.is_sampled() && self.samples.len() < MAX_SAMPLES;
        let known = seed.map(|seed| seed as u64 + 1).filter(|&number| number <= self.n_known);
        // The tests of a continued campaign are the first seeds, in the order of their numbers.
        let is_written = known.is_none() && self.writes_tests && self.error.is_none() && self.is_kept(run);
        let test = (is_sample || is_written).then(|| convert::test_case(self.reporter, &self.tested, run));
        let number = match &test {
            Some(test) if is_written => self.add_test(test),
            _ => known.unwrap_or(0),
        };
        if number != 0 && (run.reaches_new || known.is_some()) {
            self.news.insert(number);
        }
        self.samples.extend(test.filter(|_| is_sample).map(|test| sample(test, run)));
        number
    }

    /// Whether a path is worth a test.
    fn is_kept(&self, run: &Run) -> bool {
        let is_finding = || self.bugs.wants(self.program.image, run) || !run.targets.is_empty();
        match self.keep {
            Keep::Coverage => run.reaches_new || is_finding(),
            Keep::Findings => is_finding(),
            // They are chosen in the end.
            Keep::Paths | Keep::Branches | Keep::Mcdc | Keep::Lines => true,
        }
    }

    /// Whether something may come of comparing the inputs of paths: a function is tested without any condition on its input.
    fn is_sampled(&self) -> bool {
        self.unit().is_some_and(|setup| setup.assume.is_empty() && setup.sequence.is_empty())
    }

    /// The tests that stay: those that were the first to reach something, and those of findings and targets.
    pub fn kept(&self, summary: &Summary) -> Vec<u64> {
        let found = summary.bugs.iter().map(|bug| bug.test);
        let found = found.chain(summary.targets.iter().filter_map(|target| target.test));
        let news = self.news.iter().copied().filter(|_| self.keep == Keep::Coverage);
        let kept: BTreeSet<u64> = news.chain(found).filter(|&number| number != 0).collect();
        kept.into_iter().collect()
    }

    fn add_test(&mut self, test: &TestCase) -> u64 {
        match self.store.add_test(test) {
            Ok(number) => number,
            // Whatever is found from here on would be lost.
            Err(error) => {
                self.error = Some(error);
                self.deadline.raise();
                0
            }
        }
    }

    /// Takes another input for a bug that is known. It becomes the test of its path, and a new one only if that has none.
    pub fn replace(&mut self, run: &Run, before: (BugKey, Cause)) -> Result<(), StoreError> {
        let test = convert::test_case(self.reporter, &self.tested, run);
        let number = match self.failing.get(&hash_of(run)) {
            Some(&number) => {
                self.store.replace_test(number, &test)?;
                number
            }
            None => {
                let number = self.store.add_test(&test)?;
                self.recorder.path(run, number, Cost::default());
                number
            }
        };
        self.bugs.replace(self.program.image, run, number, before);
        Ok(())
    }

    pub fn image(&self) -> &'a CheckedImage {
        self.program.image
    }

    /// Whether the campaign ended before all tests that it had already were run again.
    pub fn lacks_known(&self, outcome: &Outcome) -> bool {
        let has_ended =
            matches!(outcome.stopped, Stopped::Exhausted | Stopped::Bounded | Stopped::Incomplete | Stopped::Targets);
        !self.has_run_known && !has_ended
    }

    /// How the function is tested, unless it is the whole program.
    pub fn unit(&self) -> Option<&UnitSetup> {
        self.tested.unit
    }

    /// The account of what was found.
    pub fn summary(&self, outcome: &Outcome) -> Summary {
        let about = convert::Subject {
            entry: self.tested.entry,
            sources: self.sources.clone(),
            n_tests: self.store.n_tests(),
            lines: &self.lines,
        };
        convert::summary(about, self.reporter, self.program, outcome, &self.bugs)
    }

    /// What became of each target.
    pub fn targets(&self, targets: &Targets, outcome: &Outcome) -> Vec<TargetEntry> {
        let preconditions = targets::preconditions(self.tested.unit, self.tested.setup);
        targets::entries(self.reporter, self.program, targets, &self.target_tests, outcome, &preconditions)
    }

    pub fn profile(&self, outcome: &Outcome) -> Profile {
        self.recorder.profile(self.reporter, self.program, &self.lines, outcome)
    }

    /// Writes down how far it is, for whoever finds the directory if we are killed. What can't be written now can't be written
    /// at the end either, which is when it is told.
    fn checkpoint(&mut self, progress: &Progress, marks: &Marks) {
        let start = Instant::now();
        if start < self.next_checkpoint {
            return;
        }
        let outcome = Outcome::so_far(progress, marks);
        let mut summary = self.summary(&outcome);
        summary.stopped = unfinished::UNFINISHED.to_owned();
        summary.unfinished = Some(unfinished::EXPLORING.to_owned());
        let _ = self.store.write_profile(&self.profile(&outcome)).and_then(|()| self.store.write_summary(&summary));
        self.next_checkpoint = Instant::now() + CHECKPOINT_INTERVAL.max(CHECKPOINT_SHARE * start.elapsed());
    }
}

/// What tells paths apart.
fn hash_of(run: &Run) -> u64 {
    let mut hasher = FxHasher::default();
    run.path.iter().for_each(|decision| (decision.site, decision.taken).hash(&mut hasher));
    hasher.finish()
}

impl campaign::Observer for Watcher<'_> {
    fn path(&mut self, run: &Run, seed: Option<usize>, cost: Cost) {
        self.has_input |= !run.input.objects.is_empty();
        self.observer.path(run);
        // They are run first, in order.
        self.has_run_known |= seed.is_none_or(|seed| seed as u64 + 1 >= self.n_known);
        let test = self.keep(run, seed);
        if test != 0 && matches!(run.stop, Stop::Bug(_)) {
            self.failing.insert(hash_of(run), test);
        }
        if let Some(verdict) = run.audit {
            let audit = self.audit.get_or_insert_default();
            match verdict {
                Audit::Valid => audit.valid += 1,
                Audit::Invalid => audit.invalid += 1,
                Audit::Unknown => audit.unknown += 1,
            }
            audit.false_alarms += u64::from(verdict == Audit::Invalid && matches!(run.stop, Stop::Bug(_)));
        }
        run.targets.iter().for_each(|&number| self.target_tests[number] = test);
        self.recorder.path(run, test, cost);
        self.bugs.add(self.program.image, run, test);
    }

    fn progress(&mut self, progress: &Progress, marks: &Marks) {
        let lines = self.lines.ratio(&self.program.flow, marks);
        let branches = coverage::branches(self.program, marks);
        let reached = Reached { lines: lines.covered, branches: branches.covered, bugs: self.bugs.len() as u64 };
        self.recorder.sample(progress, reached);
        self.observer.exploring(&SoFar { progress, lines, branches, n_bugs: self.bugs.len() });
        self.checkpoint(progress, marks);
    }
}
