//! Takes down what a campaign finds: tests on disk as they come, and how far it is.

use super::args::{Format, RunArgs};
use super::progress::ProgressLine;
use spelunk_concolic::Run;
use spelunk_concolic::marks::Marks;
use spelunk_explore::bugs::Bugs;
use spelunk_explore::campaign::{Observer, Progress, StopFlag};
use spelunk_explore::coverage;
use spelunk_explore::program::ProgramFlow;
use spelunk_explore::spent::Cost;
use spelunk_report::Reporter;
use spelunk_report::suite::convert::{self, Tested};
use spelunk_report::suite::recorder::Reached;
use spelunk_report::suite::{Recorder, Store, StoreError, UnitSetup};
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

impl Observer for Watcher<'_> {
    fn path(&mut self, run: &Run, seed: Option<usize>, cost: Cost) {
        self.has_input |= !run.input.objects.is_empty();
        let test = self.keep(run, seed);
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
