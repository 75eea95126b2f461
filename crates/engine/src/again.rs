//! Tests run again in the VM, each as if it were the first: what they say of their path, end and effects is what happens.

use std::fmt;

use bytesize::ByteSize;
use spelunk_concolic::{Options, Run, Runner};
use spelunk_ir::code::Image;
use spelunk_report::Reporter;
use spelunk_report::suite::TestCase;
use spelunk_report::suite::convert::{self, Tested};
use spelunk_report::suite::test_case::{End, Place};
use spelunk_report::suite::types::NamedTypes;
use spelunk_vm::{BugKind, Stop};

use crate::program::Reloaded;
use crate::{EngineError, Plan};

/// A program whose tests are run.
pub struct Again<'a> {
    plan: &'a Plan,
    reloaded: &'a Reloaded,
    types: NamedTypes,
    reporter: Reporter<'a>,
}

/// What happened otherwise than a test says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Difference {
    /// Another decision was made, the first of number `number`.
    Decision {
        number: usize,
        place: Place,
    },
    Decisions {
        made: usize,
        expected: usize,
    },
    End {
        is: End,
        expected: End,
    },
    /// In words.
    Effect(String),
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decision { number, place } => {
                write!(f, "decision {number} at {}:{} is another", place.file, place.line)
            }
            Self::Decisions { made, expected } => write!(f, "{made} decisions instead of {expected}"),
            Self::End { is, expected } => write!(f, "it ends with {is:?} instead of {expected:?}"),
            Self::Effect(what) => f.write_str(what),
        }
    }
}

impl<'a> Again<'a> {
    /// The plan is the one that the program was loaded by.
    pub fn new(plan: &'a Plan, reloaded: &'a Reloaded) -> Self {
        let types = reloaded.subject.unit.as_ref().map(|unit| NamedTypes::new(unit)).unwrap_or_default();
        Self { plan, reloaded, types, reporter: reloaded.program.reporter(&plan.compile) }
    }

    pub fn reporter(&self) -> &Reporter<'a> {
        &self.reporter
    }

    /// Runs a test. Says how it ended, and what happened otherwise than the test says.
    pub fn run(&self, test: &TestCase) -> Result<(Stop, Option<Difference>), EngineError> {
        let options = Options {
            observes: test.observed.is_some(),
            places: test.places(),
            snapshots: None,
            theories: self.reloaded.program.theories().to_vec(),
            ..self.plan.run_options(&self.reloaded.subject)
        };
        let max_memory = options.limits.memory;
        let image = &self.reloaded.program.loaded().image;
        let mut runner = Runner::new(image, options);
        if test.is_unfinished() {
            runner.set_patience(0);
        }
        let run = runner.run(&test.input(), &test.expected());
        let mut run = run.map_err(|_| too_large(image, max_memory))?;
        runner.observe(&mut run);
        let difference = self.difference(test, &run);
        Ok((run.stop, difference))
    }

    fn difference(&self, test: &TestCase, run: &Run) -> Option<Difference> {
        if let Some(divergence) = &run.divergence {
            let place = self.reporter.place_of(&[divergence.expected.0]);
            return Some(Difference::Decision { number: divergence.index + 1, place });
        }
        let end = convert::end(&self.reporter, &run.stop);
        let (made, expected) = (run.path.len(), test.decisions.len());
        if made < expected || made > expected && !(goes_on(&end) && is_same_end(&end, &test.end)) {
            return Some(Difference::Decisions { made, expected });
        }
        if !is_same_end(&end, &test.end) {
            return Some(Difference::End { is: end, expected: test.end.clone() });
        }
        let graph = self.reloaded.subject.unit.as_ref().map(|unit| (unit, &self.types));
        let tested = Tested { entry: &test.entry, graph, unit: test.unit.as_ref(), setup: &test.setup, texts: &[] };
        let observed = convert::observed(&tested, run).unwrap_or_default();
        observed.difference(test.observed.as_ref()?).map(Difference::Effect)
    }
}

/// Whether the run would have gone on for ever. That may be noticed sooner or later, and in more than one way, depending on where
/// the run began.
fn goes_on(end: &End) -> bool {
    let kinds = [BugKind::EndlessLoop.slug(), BugKind::StackExhausted.slug()];
    matches!(end, End::Bug { bug, .. } if kinds.contains(&bug.as_str()))
}

fn is_same_end(end: &End, expected: &End) -> bool {
    match (end, expected) {
        (End::Bug { bug, place, .. }, End::Bug { bug: other, place: at, .. }) if goes_on(end) => {
            // Which call of a ring is the last depends on where it was noticed.
            bug == other && (place == at || bug == BugKind::StackExhausted.slug())
        }
        _ => end == expected,
    }
}

/// Says what takes more memory than there is, and which option allows more.
pub fn too_large(image: &Image, max_memory: u64) -> EngineError {
    let (total, max_memory) = (image.statics.iter().map(|object| object.size).sum::<u64>(), ByteSize(max_memory));
    let largest = image.statics.iter().max_by_key(|object| object.size);
    EngineError::TooLarge(match largest {
        Some(largest) if total > max_memory.as_u64() / 2 => format!(
            "the program's variables take {}, of which `{}` takes {}: more than --max-memory {max_memory} allows",
            ByteSize(total),
            largest.name,
            ByteSize(largest.size)
        ),
        _ => format!("the program's variables and inputs take more than --max-memory {max_memory} allows"),
    })
}
