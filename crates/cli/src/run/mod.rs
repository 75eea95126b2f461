//! `spelunk run`: explore the paths of a program.
//!
//! `args` is the command line, `settings` what a directory keeps of it, `subject` what is explored, `budget` how the time is
//! divided, `campaign` the phases of a campaign, `several` campaigns for one function each, `watcher` takes down what a campaign
//! finds, `figures` and `bugs` are the account for a person, `signals` what Ctrl-C does, `failures` errors of our own, `hints`
//! what may be missing as a precondition, `pictures` what the tests of bugs look like, `smallest` smaller inputs for these,
//! `progress` the line on a terminal.

mod args;
mod budget;
mod bugs;
mod campaign;
mod failures;
mod figures;
mod hints;
mod pictures;
mod progress;
mod settings;
mod several;
mod signals;
mod smallest;
mod subject;
mod watcher;

pub use args::RunArgs;
pub use budget::why as why_over;
pub use subject::{flow, subject};

use crate::args::{Check, CompileArgs};
use crate::smt::solver_options;
use crate::{compile, exit};
use campaign::Campaign;
use clap::{ArgMatches, ValueEnum};
use progress::Line;
use settings::Settings;
use spelunk_concolic::{Input, SnapshotPolicy, failure};
use spelunk_deadline::Deadline;
use spelunk_driver::{DriverError, Loaded, Purpose, undefined_variables};
use spelunk_explore::campaign::{Budget, Options};
use spelunk_explore::explorer;
use spelunk_report::suite::{Recipe, Setup, StoreError, VERSION};
use spelunk_solver::Limits as QueryLimits;
use spelunk_vm::Limits;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use subject::Subject;

/// What a query may take unless the user says otherwise: one that is too hard must not stop everything else.
const QUERY_TIME: Duration = Duration::from_secs(30);

/// How many operations are worth a snapshot.
const SNAPSHOT_INTERVAL: u64 = 200;

/// Begins a campaign, or goes on with one.
pub fn run(args: &RunArgs, matches: &ArgMatches) -> u8 {
    if let Some((place, nth)) = args.fail_at.as_ref().and_then(|planned| planned.split_once(':')) {
        failure::plan(place, nth.parse().unwrap_or(1));
    }
    let settings = settings::given(matches);
    let Some(dir) = &args.resume else { return explore(args, settings) };
    match settings::resume(dir, settings) {
        Ok((args, settings)) => explore(&args, settings),
        Err(message) => {
            anstream::eprintln!("error: {message}");
            exit::USAGE
        }
    }
}

fn explore(args: &RunArgs, settings: Settings) -> u8 {
    let deadline = Deadline::default();
    signals::raise_on_signal(&deadline);
    let deadline = args.time.map_or_else(|| deadline.clone(), |time| deadline.within(time));
    let setup = match args.setup() {
        Ok(setup) => setup,
        Err(what) => {
            anstream::eprintln!("error: {what}");
            return exit::USAGE;
        }
    };
    let line = Line::new(args.format);
    line.begin("compiling");
    let loaded = compile::load(&args.compile, Purpose::Explore, setup.uninitialised(), &args.clang_args, &deadline);
    line.clear();
    let mut loaded = match loaded {
        Ok(loaded) => loaded,
        Err(code) => return code,
    };
    let undefined = undefined_variables(&loaded.program);
    if args.no_stubs && !undefined.is_empty() {
        anstream::eprintln!("error: {}", DriverError::UndefinedVariables { names: undefined });
        return exit::USAGE;
    }
    let subjects = match subject::choose(args, &mut loaded) {
        Ok(subjects) => subjects,
        Err(code) => return code,
    };
    // A thread that does not notice the end of a campaign is left behind with the program.
    let loaded: &'static Loaded = Box::leak(Box::new(loaded));
    let dir = args.resume.clone().or_else(|| args.out.clone()).unwrap_or_else(free_dir);
    let recipe = recipe(args, settings);
    let native_build = budget::native_build(loaded.phases.compile);
    let campaign = Campaign { args, setup: &setup, loaded, recipe: &recipe, deadline, native_build, line: &line };
    match &subjects[..] {
        [] => 0,
        [subject] => {
            let ran = campaign.run(subject, &dir, campaign.deadline.clone(), campaign.native_runs());
            ran.map_or_else(|code| code, |ran| ran.code)
        }
        _ => several::run(&campaign, &subjects, &dir),
    }
}

/// How the program is compiled, for whoever does it again.
fn recipe(args: &RunArgs, settings: Settings) -> Recipe {
    let compile = &args.compile;
    let check = |check: &Check| check.to_possible_value().map(|value| value.get_name().to_owned());
    let mut recipe = Recipe {
        version: VERSION,
        directory: std::env::current_dir().unwrap_or_default(),
        sources: compile.sources.clone(),
        clang: compile.clang.clone(),
        cflags: compile.cflags.iter().chain(&args.clang_args).cloned().collect(),
        checks: compile.checks.iter().filter_map(check).collect(),
        max_memory: args.max_memory.as_u64(),
        digests: Vec::new(),
        settings: settings::kept(settings),
    };
    recipe.note_sources();
    recipe
}

fn refuse(error: &StoreError) -> u8 {
    anstream::eprintln!("error: {error}");
    exit::USAGE
}

fn options(args: &RunArgs, setup: &Setup, subject: &Subject, seeds: Vec<Input>) -> Options {
    Options {
        explorer: explorer::Options {
            strategy: args.strategy,
            seed: args.seed,
            max_depth: args.depth.unwrap_or(u32::MAX),
            patience: args.patience,
            collect_at: args.collect_at,
            query_limits: QueryLimits { time: args.solver.time_limit.or(Some(QUERY_TIME)), ..QueryLimits::default() },
            ..Default::default()
        },
        run: spelunk_concolic::Options {
            limits: Limits { memory: args.max_memory.as_u64(), instructions: args.max_steps, ..Limits::default() },
            snapshots: (!args.no_snapshots).then_some(SnapshotPolicy { min_steps: SNAPSHOT_INTERVAL }),
            args: program_args(&args.compile, setup),
            inputs: setup.inputs(),
            undefined: setup.undefined(),
            uninitialised: setup.uninitialised(),
            unit: subject.unit.clone(),
            observes: !args.no_tests,
            leaks: args.compile.checks.contains(&Check::Leak),
            memory: args.compile.checks.contains(&Check::MemoryLimit),
            ..Default::default()
        },
        solver: solver_options(&args.solver),
        budget: Budget {
            paths: args.max_paths,
            instructions: args.max_instructions,
            memory: Some(args.memory.as_u64()),
        },
        seeds,
        n_workers: args.jobs,
    }
}

/// What the program finds in `argv` before what is symbolic: its name is that of the first source without the extension.
pub fn program_args(compile: &CompileArgs, setup: &Setup) -> Vec<Vec<u8>> {
    let name = compile.sources.first().map(|source| source.with_extension("")).unwrap_or_default();
    let args = setup.args.iter().map(|arg| arg.clone().into_bytes());
    std::iter::once(name.into_os_string().into_vec()).chain(args).collect()
}

/// The first of `spelunk-out`, `spelunk-out-2`, … that does not exist.
fn free_dir() -> PathBuf {
    let name = |number| match number {
        1 => PathBuf::from("spelunk-out"),
        _ => PathBuf::from(format!("spelunk-out-{number}")),
    };
    (1..).map(name).find(|dir: &PathBuf| !Path::exists(dir)).expect("numbers don't end")
}
