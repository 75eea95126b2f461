//! `spelunk exec --test`: run a generated test, and hold the run against what the test says about it.

use crate::again::Again;
use crate::args::{Check, ExecArgs};
use crate::output::show;
use crate::run::{program_args, subject};
use crate::{compile, exit};
use spelunk_deadline::Deadline;
use spelunk_driver::Purpose;
use spelunk_inputs::Functions;
use spelunk_report::suite::store::read_test;
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
    let mut loaded =
        match compile::load(&args.compile, Purpose::Explore, test.setup.uninitialised(), &[], &Deadline::default()) {
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
        leaks: args.compile.checks.contains(&Check::Leak),
        memory: args.compile.checks.contains(&Check::MemoryLimit),
        args: program_args(&args.compile, &test.setup),
        inputs: test.setup.inputs(),
        undefined: test.setup.undefined(),
        uninitialised: test.setup.uninitialised(),
        ..Default::default()
    };
    let again = Again::new(&loaded, unit.as_ref(), &args.compile.sources);
    let (stop, difference) = match again.run(options, &test) {
        Ok(ended) => ended,
        Err(error) => {
            anstream::eprintln!("error: {error}");
            return exit::USAGE;
        }
    };
    if let Some(difference) = difference {
        anstream::eprintln!("error: {} is not what happens: {difference}", path.display());
        return exit::INTERNAL;
    }
    let reporter = again.reporter();
    match &stop {
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
