//! `spelunk exec --test`: run a generated test, and hold the run against what the test says about it.

use crate::args::{Check, ExecArgs};
use crate::output::show;
use crate::run::{program_args, subject};
use crate::{compile, exit};
use spelunk_concolic::{Run, Runner};
use spelunk_driver::Purpose;
use spelunk_inputs::Functions;
use spelunk_report::Reporter;
use spelunk_report::suite::TestCase;
use spelunk_report::suite::convert::{self, Tested};
use spelunk_report::suite::store::read_test;
use spelunk_report::suite::types::NamedTypes;
use spelunk_vm::{Limits, Stop};
use std::path::Path;

pub fn exec_test(args: &ExecArgs, path: &Path) -> u8 {
    let test = match read_test(path) {
        Ok(test) => test,
        Err(error) => {
            anstream::eprintln!("error: {error}");
            return exit::USAGE;
        }
    };
    let mut loaded = match compile::load(&args.compile, Purpose::Explore, test.setup.uninitialised(), &[]) {
        Ok(loaded) => loaded,
        Err(code) => return code,
    };
    let limits = Limits {
        memory: test.setup.max_memory.unwrap_or(args.max_memory.as_u64()),
        stack: args.stack_size.as_u64(),
        instructions: test.setup.max_steps.or(args.max_steps).unwrap_or(u64::MAX),
    };
    let functions = Functions::new(&loaded.program, &loaded.image);
    let unit = match test.unit.as_ref().map(|setup| subject(&functions, &test.entry, setup)).transpose() {
        Ok(subject) => subject.and_then(|subject| subject.unit),
        Err(error) => {
            anstream::eprintln!("error: {}: {error}", path.display());
            return exit::USAGE;
        }
    };
    let stubs = functions.into_stubs();
    stubs.iter().for_each(|name| loaded.image.add_undefined(name));
    let options = spelunk_concolic::Options {
        limits,
        unit: unit.clone(),
        observes: test.observed.is_some(),
        leaks: args.compile.checks.contains(&Check::Leak),
        args: program_args(&args.compile, &test.setup),
        inputs: test.setup.inputs(),
        undefined: test.setup.undefined(),
        uninitialised: test.setup.uninitialised(),
        ..Default::default()
    };
    let mut runner = Runner::new(&loaded.image, options);
    if test.is_unfinished() {
        runner.set_patience(0);
    }
    let Ok(mut run) = runner.run(&test.input(), &test.expected()) else {
        anstream::eprintln!("error: the program's variables alone take more than {}", args.max_memory);
        return exit::USAGE;
    };
    runner.observe(&mut run);
    let current_dir = std::env::current_dir().unwrap_or_default();
    let reporter = Reporter::new(&loaded.program, &loaded.image, current_dir, &args.compile.sources);
    let types = unit.as_deref().map(NamedTypes::new).unwrap_or_default();
    let graph = unit.as_ref().map(|unit| (unit, &types));
    let tested = Tested { entry: &test.entry, graph, unit: test.unit.as_ref(), setup: &test.setup };
    if let Some(difference) = difference(&reporter, &tested, &test, &run) {
        anstream::eprintln!("error: {} is not what happens: {difference}", path.display());
        return exit::INTERNAL;
    }
    match &run.stop {
        Stop::Exited(status) => *status as u8,
        Stop::Killed(signal) => exit::of_signal(*signal),
        Stop::Bug(bug) => {
            show(&[reporter.bug(bug)]);
            exit::FOUND
        }
        Stop::Unsupported(what) => {
            show(&[reporter.unsupported(what)]);
            exit::FOUND
        }
        Stop::Limit(_) | Stop::Infeasible => exit::FOUND,
    }
}

/// What the run did otherwise than the test says, in words.
fn difference(reporter: &Reporter<'_>, tested: &Tested<'_>, test: &TestCase, run: &Run) -> Option<String> {
    if let Some(divergence) = &run.divergence {
        let place = reporter.place_of(&[divergence.expected.0]);
        return Some(format!("decision {} at {}:{} is another", divergence.index + 1, place.file, place.line));
    }
    if run.path.len() != test.decisions.len() {
        return Some(format!("{} decisions instead of {}", run.path.len(), test.decisions.len()));
    }
    let end = convert::end(reporter, &run.stop);
    if end != test.end {
        return Some(format!("it ends with {end:?} instead of {:?}", test.end));
    }
    let expected = test.observed.as_ref()?;
    let observed = convert::observed(tested, run).unwrap_or_default();
    observed.difference(expected)
}
