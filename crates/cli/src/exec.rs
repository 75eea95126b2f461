//! `spelunk exec`: run a program concretely, and say what went wrong.

use crate::args::ExecArgs;
use crate::compile::{Tested, Warnings, compile, refuse, tell};
use crate::exec_test::exec_test;
use crate::output::show;
use crate::stats::Stats;
use crate::{exit, interrupt};
use spelunk_driver::{Invocation, Loaded, Purpose};
use spelunk_engine::{Check, Deadline, load, too_large};
use spelunk_ir::lower::Uninitialised;
use spelunk_libc::{Library, World};
use spelunk_project::Scope;
use spelunk_report::{Diagnostic, Reporter};
use spelunk_vm::{Concrete, Limit, Limits, Machine, Stop, Vm};
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

pub fn exec(args: ExecArgs) -> ExitCode {
    if let Some(test) = &args.test {
        return exec_test(&args, test).into();
    }
    let tested = Tested { scope: Scope::WholeProgram, ..Tested::default() };
    let compile = match compile(&args.compile, &[], tested, &Deadline::default()) {
        Ok(compile) => compile,
        Err(message) => return refuse(&message).into(),
    };
    match load(&compile, Purpose::Run, Uninitialised::IsError, &Deadline::default(), &Warnings) {
        Ok(loaded) => run(&args, &compile.sources, &loaded).into(),
        Err(error) => tell(&error).into(),
    }
}

fn run(args: &ExecArgs, sources: &[PathBuf], loaded: &Loaded) -> u8 {
    let limits = Limits {
        memory: args.max_memory.as_u64(),
        stack: args.stack_size.as_u64(),
        instructions: args.max_steps.unwrap_or(u64::MAX),
    };
    let machine = Concrete::new(World::default());
    let mut vm = match Vm::new(&loaded.image, machine, &Library, limits) {
        Ok(vm) => vm,
        Err(_) => {
            return tell(&too_large(&loaded.image, args.max_memory.as_u64()));
        }
    };
    interrupt::raise_on_interrupt(vm.interrupt_flag());
    let start = Instant::now();
    let stop = spelunk_driver::start(&mut vm, &invocation(args, sources));
    let run = start.elapsed();
    let stats = Stats { phases: loaded.phases, run, steps: vm.steps(), memory: vm.memory.used() };

    let current_dir = std::env::current_dir().unwrap_or_default();
    let reporter = Reporter::new(&loaded.program, &loaded.image, current_dir, sources);
    let (diagnostics, code) = verdict(args, &reporter, &vm, &stop);
    if !matches!(stop, Stop::Exited(_) | Stop::Killed(_)) {
        spelunk_driver::flush_streams(&mut vm);
    }
    show(&diagnostics);
    if args.stats {
        anstream::eprint!("{stats}");
    }
    code
}

/// What there is to say about how the program ended, and the exit code.
fn verdict<M: Machine>(args: &ExecArgs, reporter: &Reporter, vm: &Vm<M>, stop: &Stop) -> (Vec<Diagnostic>, u8) {
    match stop {
        Stop::Exited(status) => {
            let leaks = if args.compile.checks.contains(&Check::Leak) { vm.leaks() } else { Vec::new() };
            let code = if leaks.is_empty() { *status as u8 } else { exit::FOUND };
            (leaks.iter().map(|leak| reporter.bug(leak)).collect(), code)
        }
        Stop::Killed(signal) => (Vec::new(), exit::of_signal(*signal)),
        Stop::Bug(bug) => (vec![reporter.bug(bug)], exit::FOUND),
        Stop::Unsupported(what) => (vec![reporter.unsupported(what)], exit::FOUND),
        Stop::Infeasible => (vec![reporter.stopped("an assumption does not hold", "infeasible", &vm.trace())], 0),
        Stop::Limit(Limit::Instructions) => {
            let why = format!("{} operations were executed", vm.steps());
            (vec![reporter.stopped(&why, "step-limit", &vm.trace())], exit::FOUND)
        }
        Stop::Limit(Limit::Memory) => {
            let why = format!("more than {} of memory were needed", args.max_memory);
            (vec![reporter.stopped(&why, "memory-limit", &vm.trace())], exit::FOUND)
        }
        Stop::Limit(Limit::Interrupted | Limit::PutAside) => {
            let code = exit::of_signal(exit::SIGINT);
            (vec![reporter.stopped("interrupted", "interrupted", &vm.trace())], code)
        }
    }
}

/// What the program finds in `argv`: its name is that of the first source without the extension.
fn program_args(args: &ExecArgs, sources: &[PathBuf]) -> Vec<Vec<u8>> {
    let name = sources.first().map(|source| source.with_extension("")).unwrap_or_default();
    std::iter::once(name.into_os_string()).chain(args.args.iter().cloned()).map(OsString::into_vec).collect()
}

/// The program gets our environment.
fn invocation(args: &ExecArgs, sources: &[PathBuf]) -> Invocation {
    let env = std::env::vars_os().map(|(name, value)| {
        let mut entry = name.into_vec();
        entry.push(b'=');
        entry.extend(value.into_vec());
        entry
    });
    Invocation { args: program_args(args, sources), env: env.collect() }
}
