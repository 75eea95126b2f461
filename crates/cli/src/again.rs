//! Tests run again in the VM, each as if it were the first: what they say of their path, end and effects is what happens.

use crate::too_large::too_large;
use bytesize::ByteSize;
use spelunk_concolic::graph::unit::Unit;
use spelunk_concolic::{Options, Run, Runner};
use spelunk_driver::Loaded;
use spelunk_report::Reporter;
use spelunk_report::suite::TestCase;
use spelunk_report::suite::convert::{self, Tested};
use spelunk_report::suite::types::NamedTypes;
use spelunk_vm::Stop;
use std::path::PathBuf;
use std::sync::Arc;

pub struct Again<'a> {
    loaded: &'a Loaded,
    unit: Option<&'a Arc<Unit>>,
    types: NamedTypes,
    reporter: Reporter<'a>,
}

impl<'a> Again<'a> {
    pub fn new(loaded: &'a Loaded, unit: Option<&'a Arc<Unit>>, sources: &[PathBuf]) -> Self {
        let current_dir = std::env::current_dir().unwrap_or_default();
        let reporter = Reporter::new(&loaded.program, &loaded.image, current_dir, sources);
        let types = unit.map(|unit| NamedTypes::new(unit)).unwrap_or_default();
        Self { loaded, unit, types, reporter }
    }

    pub fn reporter(&self) -> &Reporter<'a> {
        &self.reporter
    }

    /// Runs a test. Says how it ended, and in words what happened otherwise than the test says.
    pub fn run(&self, options: Options, test: &TestCase) -> Result<(Stop, Option<String>), String> {
        let max_memory = options.limits.memory;
        let options = Options { observes: test.observed.is_some(), places: test.places(), ..options };
        let mut runner = Runner::new(&self.loaded.image, options);
        if test.is_unfinished() {
            runner.set_patience(0);
        }
        let run = runner.run(&test.input(), &test.expected());
        let mut run = run.map_err(|_| too_large(&self.loaded.image, ByteSize(max_memory)))?;
        runner.observe(&mut run);
        let difference = self.difference(test, &run);
        Ok((run.stop, difference))
    }

    fn difference(&self, test: &TestCase, run: &Run) -> Option<String> {
        if let Some(divergence) = &run.divergence {
            let place = self.reporter.place_of(&[divergence.expected.0]);
            return Some(format!("decision {} at {}:{} is another", divergence.index + 1, place.file, place.line));
        }
        if run.path.len() != test.decisions.len() {
            return Some(format!("{} decisions instead of {}", run.path.len(), test.decisions.len()));
        }
        let end = convert::end(&self.reporter, &run.stop);
        if end != test.end {
            return Some(format!("it ends with {end:?} instead of {:?}", test.end));
        }
        let graph = self.unit.map(|unit| (unit, &self.types));
        let tested = Tested { entry: &test.entry, graph, unit: test.unit.as_ref(), setup: &test.setup };
        let observed = convert::observed(&tested, run).unwrap_or_default();
        observed.difference(test.observed.as_ref()?)
    }
}
