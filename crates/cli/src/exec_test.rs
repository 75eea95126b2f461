//! `spelunk exec --test`: run a generated test, and hold the run against what the test says about it.

use crate::args::ExecArgs;
use crate::compile::{Tested, Warnings, compile, refuse, tell};
use crate::exit;
use crate::output::show;
use spelunk_engine::{Again, Deadline, EngineError, Plan, Program};
use spelunk_report::suite::Setup;
use spelunk_report::suite::store::read_test;
use spelunk_vm::Stop;
use std::path::Path;

pub fn exec_test(args: &ExecArgs, path: &Path) -> u8 {
    try_exec_test(args, path).unwrap_or_else(|error| match error {
        EngineError::Unit(error) => {
            anstream::eprintln!("error: {}: {error}", path.display());
            exit::USAGE
        }
        other => tell(&other),
    })
}

fn try_exec_test(args: &ExecArgs, path: &Path) -> Result<u8, EngineError> {
    let test = read_test(path)?;
    let tested = match &test.unit {
        Some(unit) => Tested::of_unit(Some(&test.entry), unit),
        None => Tested::default(),
    };
    let compile = match compile(&args.compile, &[], tested, &Deadline::default()) {
        Ok(compile) => compile,
        Err(message) => return Ok(refuse(&message)),
    };
    let plan = Plan::of_test(compile, &test);
    let setup = Setup {
        max_memory: test.setup.max_memory.or(Some(args.max_memory.as_u64())),
        max_steps: test.setup.max_steps.or(args.max_steps),
        ..plan.setup
    };
    let plan = Plan { setup, stack: args.stack_size.as_u64(), ..plan };
    let reloaded = Program::reload(&plan, &Deadline::default(), &Warnings)?;
    let again = Again::new(&plan, &reloaded);
    let (stop, difference) = again.run(&test)?;
    if let Some(difference) = difference {
        anstream::eprintln!("error: {} is not what happens: {difference}", path.display());
        return Ok(exit::INTERNAL);
    }
    let reporter = again.reporter();
    Ok(match &stop {
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
    })
}
