//! What each test of a campaign covers: its run in the VM, and for MC/DC its native run.

use crate::again::too_large;
use crate::{EngineError, Keep, Observer};
use rustc_hash::FxHashMap;
use spelunk_concolic::marks::Marks;
use spelunk_concolic::{Options, Runner};
use spelunk_deadline::{Alarm, Deadline};
use spelunk_explore::coverage::{self, Lines};
use spelunk_explore::program::ProgramFlow;
use spelunk_native::{Numbered, Replay, Subject, Vector};
use spelunk_report::suite::TestCase;
use spelunk_report::suite::summary::Ratio;

/// What it takes to measure.
pub struct Measured<'a> {
    pub program: &'a ProgramFlow<'a>,
    pub lines: &'a Lines,
    pub options: &'a Options,
    pub native: &'a Subject<'a>,
    pub deadline: &'a Deadline,
    pub observer: &'a dyn Observer,
}

/// What tests cover.
pub struct Account {
    /// By test, the numbers of what it covers.
    pub by_test: Vec<Vec<u32>>,
    pub lines: Ratio,
    pub branches: Ratio,
    n_vectors: usize,
}

impl Account {
    /// What others cover less of that must be kept, in words.
    pub fn lost(&self, others: &Account, keep: Keep) -> Option<String> {
        let less = |what: &str, all: u64, kept: u64| (kept < all).then(|| format!("{kept} of {all} {what}"));
        let branches = || less("branches", self.branches.covered, others.branches.covered);
        let vectors = || less("combinations of conditions", self.n_vectors as u64, others.n_vectors as u64);
        let lines = less("lines", self.lines.covered, others.lines.covered);
        match keep {
            Keep::Paths | Keep::Coverage | Keep::Findings => None,
            Keep::Lines => lines,
            Keep::Branches => lines.or_else(branches),
            Keep::Mcdc => lines.or_else(branches).or_else(vectors),
        }
    }
}

impl Measured<'_> {
    pub fn measure(&self, tests: &[(u64, TestCase)], keep: Keep) -> Result<Account, EngineError> {
        let n_ops = self.program.image.ops.len();
        let mut all = Marks::new(n_ops);
        let mut by_test = Vec::new();
        let alarm = Alarm::new(self.deadline);
        for (at, (number, test)) in tests.iter().enumerate() {
            self.observer.count("keeping", at, tests.len());
            let places = test.places();
            let options =
                Options { snapshots: None, observes: false, places, interrupt: alarm.flag(), ..self.options.clone() };
            let mut runner = Runner::new(self.program.image, options);
            let run = runner.run(&test.input(), &test.expected());
            let run = run.map_err(|_| too_large(self.program.image, self.options.limits.memory))?;
            if let Some(over) = self.deadline.over() {
                return Err(EngineError::Over(over));
            }
            if run.divergence.is_some() {
                return Err(EngineError::OtherProgram { number: *number });
            }
            let marks = &runner.machine().marks;
            all.merge(marks);
            by_test.push(self.covered(marks, keep));
        }
        let mut n_vectors = 0;
        if keep == Keep::Mcdc {
            n_vectors = self.add_vectors(tests, &mut by_test)?;
        }
        let ratio = |ratio: coverage::Ratio| Ratio { covered: ratio.covered, total: ratio.total };
        let lines = ratio(self.lines.ratio(&self.program.flow, &all));
        Ok(Account { by_test, lines, branches: ratio(coverage::branches(self.program, &all)), n_vectors })
    }

    /// Numbers of lines, and behind them of branch outcomes.
    fn covered(&self, marks: &Marks, keep: Keep) -> Vec<u32> {
        let mut is_covered = self.lines.covered(&self.program.flow, marks);
        if keep != Keep::Lines {
            coverage::visit_branches(self.program, marks, |_, _, covered| is_covered.push(covered));
        }
        (0..).zip(is_covered).filter(|(_, is_covered)| *is_covered).map(|(number, _)| number).collect()
    }

    /// Adds combinations of conditions; returns how many there are.
    fn add_vectors(&self, tests: &[(u64, TestCase)], by_test: &mut [Vec<u32>]) -> Result<usize, EngineError> {
        let numbered: Vec<Numbered<'_>> = tests.iter().map(|(number, test)| (*number, test)).collect();
        let vectors = Replay::new(self.native, self.deadline)?.vectors(&numbered)?;
        let first = by_test.iter().flatten().max().map_or(0, |&last| last + 1);
        let mut numbers: FxHashMap<&Vector, u32> = FxHashMap::default();
        for ((number, _), covered) in tests.iter().zip(by_test) {
            for vector in &vectors[number] {
                let next = first + numbers.len() as u32;
                covered.push(*numbers.entry(vector).or_insert(next));
            }
        }
        Ok(numbers.len())
    }
}
