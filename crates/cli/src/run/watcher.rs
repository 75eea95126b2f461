//! Takes down what a campaign finds: tests on disk as they come, and how far it is.

use super::args::{Format, RunArgs};
use super::progress::ProgressLine;
use rustc_hash::{FxHashMap, FxHasher};
use spelunk_concolic::Run;
use spelunk_concolic::marks::Marks;
use spelunk_explore::bugs::Bugs;
use spelunk_explore::campaign::{Observer, Progress, StopFlag};
use spelunk_explore::coverage;
use spelunk_explore::program::ProgramFlow;
use spelunk_explore::spent::Cost;
use spelunk_ir::code::Image;
use spelunk_report::Reporter;
use spelunk_report::suite::convert::{self, Tested};
use spelunk_report::suite::recorder::Reached;
use spelunk_report::suite::{Recorder, Store, StoreError, UnitSetup};
use spelunk_vm::Stop;
use std::hash::{Hash, Hasher};
use std::io::{self, IsTerminal};

pub struct Watcher<'a> {
    tested: Tested<'a>,
    reporter: &'a Reporter<'a>,
    program: &'a ProgramFlow<'a>,
    pub lines: coverage::Lines,
    pub store: Store,
    pub recorder: Recorder,
    /// Tests that a campaign which is continued had already.
    n_known: u64,
    pub bugs: Bugs,
    /// The tests of paths that end in bugs, by the decisions of these.
    failing: FxHashMap<u64, u64>,
    /// Why tests can't be written any more.
    pub error: Option<StoreError>,
    stop: StopFlag,
    /// Whether any path asked for input.
    pub has_input: bool,
    writes_tests: bool,
    /// On a terminal.
    line: Option<ProgressLine>,
}

impl<'a> Watcher<'a> {
    pub fn new(
        args: &RunArgs,
        tested: Tested<'a>,
        reporter: &'a Reporter<'a>,
        program: &'a ProgramFlow<'a>,
        store: Store,
        stop: StopFlag,
    ) -> Self {
        Self {
            tested,
            reporter,
            program,
            lines: coverage::Lines::new(program, reporter.debug()),
            stop,
            has_input: false,
            n_known: store.n_tests(),
            store,
            recorder: Recorder::new(program.image.ops.len()),
            bugs: Bugs::default(),
            failing: FxHashMap::default(),
            error: None,
            writes_tests: !args.no_tests,
            line: (args.format == Format::Human && io::stderr().is_terminal()).then(ProgressLine::default),
        }
    }

    /// The number of the test that shows a path; zero if none is written.
    fn keep(&mut self, run: &Run, seed: Option<usize>) -> u64 {
        // The tests of a continued campaign are the first seeds, in the order of their numbers.
        if let Some(number) = seed.map(|seed| seed as u64 + 1).filter(|&number| number <= self.n_known) {
            return number;
        }
        if !self.writes_tests || self.error.is_some() {
            return 0;
        }
        match self.store.add_test(&convert::test_case(self.reporter, &self.tested, run)) {
            Ok(number) => number,
            // Whatever is found from here on would be lost.
            Err(error) => {
                self.error = Some(error);
                self.stop.raise();
                0
            }
        }
    }

    /// Takes another input for a bug that is known. It becomes the test of its path, and a new one only if that has none.
    pub fn replace(&mut self, run: &Run) -> Result<(), StoreError> {
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
        self.bugs.replace(self.program.image, run, number);
        Ok(())
    }

    pub fn image(&self) -> &'a Image {
        self.program.image
    }

    /// How the function is tested, unless it is the whole program.
    pub fn unit(&self) -> Option<&UnitSetup> {
        self.tested.unit
    }

    pub fn clear_line(&self) {
        if let Some(line) = &self.line {
            line.clear();
        }
    }
}

/// What tells paths apart.
fn hash_of(run: &Run) -> u64 {
    let mut hasher = FxHasher::default();
    run.path.iter().for_each(|decision| (decision.site, decision.taken).hash(&mut hasher));
    hasher.finish()
}

impl Observer for Watcher<'_> {
    fn path(&mut self, run: &Run, seed: Option<usize>, cost: Cost) {
        self.has_input |= !run.input.objects.is_empty();
        let test = self.keep(run, seed);
        if test != 0 && matches!(run.stop, Stop::Bug(_)) {
            self.failing.insert(hash_of(run), test);
        }
        self.recorder.path(run, test, cost);
        self.bugs.add(self.program.image, run, test);
    }

    fn progress(&mut self, progress: &Progress, marks: &Marks) {
        let lines = self.lines.ratio(&self.program.flow, marks);
        let branches = coverage::branches(self.program, marks);
        let reached = Reached { lines: lines.covered, branches: branches.covered, bugs: self.bugs.len() as u64 };
        self.recorder.sample(progress, reached);
        if let Some(line) = &mut self.line {
            line.show(progress, lines, branches, self.bugs.len());
        }
    }
}
