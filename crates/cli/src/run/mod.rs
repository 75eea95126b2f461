//! `spelunk run`: explore the paths of a program.
//!
//! `args` is the command line, `subject` what is explored, `watcher` takes down what the campaign finds, `figures` and
//! `bugs` are the account for a person, `interruption` what Ctrl-C does, `hints` what may be missing as a precondition,
//! `pictures` what the tests of bugs look like, `smallest` smaller inputs for these, `progress` the line on a terminal.

mod args;
mod bugs;
mod figures;
mod hints;
mod interruption;
mod pictures;
mod progress;
mod smallest;
mod subject;
mod watcher;

pub use args::RunArgs;
pub use subject::{flow, subject};

use crate::args::{Check, CompileArgs};
use crate::minimise::{self, Keep, Measured};
use crate::replay::confirm;
use crate::smt::solver_options;
use crate::{compile, exit};
use args::Format;
use clap::ValueEnum;
use hints::Hints;
use interruption::Interruption;
use spelunk_concolic::{Input, SnapshotPolicy};
use spelunk_driver::{DriverError, Loaded, Purpose, undefined_variables};
use spelunk_explore::campaign::{self, Budget, Stopped};
use spelunk_explore::explorer;
use spelunk_explore::ledger::{Loss, NOWHERE};
use spelunk_native::Subject as NativeSubject;
use spelunk_report::Reporter;
use spelunk_report::annotations::annotations;
use spelunk_report::suite::convert::{self, Tested};
use spelunk_report::suite::types::NamedTypes;
use spelunk_report::suite::{Recipe, Setup, Store, StoreError, VERSION};
use spelunk_solver::Limits as QueryLimits;
use spelunk_vm::Limits;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use subject::Subject;
use watcher::Watcher;

/// What a query may take unless the user says otherwise: one that is too hard must not stop everything else.
const QUERY_TIME: Duration = Duration::from_secs(30);

/// How many operations are worth a snapshot.
const SNAPSHOT_INTERVAL: u64 = 200;

pub fn run(args: &RunArgs) -> u8 {
    let setup = match args.setup() {
        Ok(setup) => setup,
        Err(what) => {
            anstream::eprintln!("error: {what}");
            return exit::USAGE;
        }
    };
    let mut loaded = match compile::load(&args.compile, Purpose::Explore, setup.uninitialised(), &args.clang_args) {
        Ok(loaded) => loaded,
        Err(code) => return code,
    };
    let undefined = undefined_variables(&loaded.program);
    if args.no_stubs && !undefined.is_empty() {
        anstream::eprintln!("error: {}", DriverError::UndefinedVariables { names: undefined });
        return exit::USAGE;
    }
    let interruption = Interruption::default();
    let on_signal = interruption.clone();
    // Without a handler a signal ends us at once; what was found is on disk.
    let _ = ctrlc::set_handler(move || on_signal.raise());
    let subjects = match subject::choose(args, &mut loaded) {
        Ok(subjects) => subjects,
        Err(code) => return code,
    };
    let out = args.out.clone().unwrap_or_else(free_dir);
    let campaign = Campaign { args, setup: &setup, loaded: &loaded, recipe: recipe(args), out, interruption };
    let several = subjects.len() > 1;
    let codes = subjects.iter().map(|subject| {
        if several && args.format == Format::Human {
            anstream::println!("== {}", subject.entry);
        }
        campaign.run(subject, several)
    });
    codes.max().unwrap_or(0)
}

/// What all campaigns of one command have in common.
struct Campaign<'a> {
    args: &'a RunArgs,
    setup: &'a Setup,
    loaded: &'a Loaded,
    recipe: Recipe,
    out: PathBuf,
    interruption: Interruption,
}

impl Campaign<'_> {
    /// Explores one function, or the whole program. The directory is one of several if there are more.
    fn run(&self, subject: &Subject, is_one_of_several: bool) -> u8 {
        let Self { args, setup, loaded, recipe, out, interruption } = self;
        let stop = &interruption.begin();
        let dir = if is_one_of_several { out.join(&subject.entry) } else { out.clone() };
        let (store, seeds) = match open_store(args, &dir) {
            Ok(opened) => opened,
            Err(error) => return refuse(&error),
        };
        if let Err(error) = store.write_recipe(recipe) {
            return refuse(&error);
        }
        let current_dir = recipe.directory.clone();
        let reporter = Reporter::new(&loaded.program, &loaded.image, current_dir, &args.compile.sources);
        let program = flow(loaded, subject.unit.as_deref());
        let types = subject.unit.as_ref().map(|unit| NamedTypes::new(unit)).unwrap_or_default();
        let graph = subject.unit.as_ref().map(|unit| (unit, &types));
        if let Err(error) = store.write_types(&types.types) {
            return refuse(&error);
        }
        let tested = Tested { entry: &subject.entry, graph, unit: subject.setup.as_ref(), setup };
        let mut watcher = Watcher::new(args, tested, &reporter, &program, store, stop.clone());
        let options = options(args, setup, subject, seeds);
        let run_options = options.run.clone();
        let mut outcome = match campaign::explore(&program, options, stop, &mut watcher) {
            Ok(outcome) => outcome,
            Err(_) => {
                anstream::eprintln!("error: the program's variables alone take more than {}", args.max_memory);
                return exit::USAGE;
            }
        };
        watcher.clear_line();
        let undefined = undefined_variables(&loaded.program);
        outcome.ledger.add_with(Loss::UndefinedVariable, NOWHERE, undefined.len() as u64, || {
            format!("{} not defined, and taken to be zero", undefined.join(", "))
        });
        if let Some(error) = &watcher.error {
            return refuse(error);
        }
        let hints = match Hints::gather(&watcher) {
            Ok(hints) => hints,
            Err(error) => return refuse(&error),
        };
        if outcome.stopped != Stopped::Interrupted {
            let time_left = args.time.map(|time| time.saturating_sub(outcome.time));
            if let Err(error) = smallest::find(&mut watcher, &run_options, time_left, &interruption.begin()) {
                return refuse(&error);
            }
        }
        let about = convert::Subject {
            entry: &subject.entry,
            sources: args.compile.sources.iter().map(|source| source.display().to_string()).collect(),
            n_tests: watcher.store.n_tests(),
            lines: &watcher.lines,
        };
        let mut summary = convert::summary(about, &reporter, &program, &outcome, &watcher.bugs);
        let mut profile = watcher.recorder.profile(&reporter, &program, &watcher.lines, &outcome);
        if let Err(error) = hints.add(&mut summary, &watcher, &types.types) {
            return refuse(&error);
        }
        let native = NativeSubject {
            program: &loaded.program,
            image: &loaded.image,
            unit: subject.unit.as_ref(),
            recipe,
            confinement: args.native.replay,
        };
        if args.keep != Keep::Paths && outcome.stopped != Stopped::Interrupted {
            let measured =
                Measured { program: &program, lines: &watcher.lines, options: &run_options, native: &native };
            if let Err(problem) = minimise::keep(&mut watcher.store, &mut summary, &mut profile, &measured, args.keep) {
                anstream::eprintln!("error: {problem}");
                return exit::USAGE;
            }
            watcher.bugs.renumber(summary.bugs.iter().map(|bug| bug.test));
        }
        if !args.no_replay && !args.no_tests && outcome.stopped != Stopped::Interrupted {
            confirm(&watcher.store, &native, &profile, &mut summary);
        }
        // A directory with a summary has everything.
        let written = pictures::write(&watcher.store, &summary.bugs, &types.types).and_then(|pictures| {
            watcher.store.write_profile(&profile)?;
            watcher.store.write_summary(&summary)?;
            Ok(pictures)
        });
        let pictures = match written {
            Ok(pictures) => pictures,
            Err(error) => return refuse(&error),
        };
        match args.format {
            Format::Human => figures::show(&reporter, &watcher, &outcome, &summary, &pictures),
            Format::Json => match serde_json::to_string_pretty(&summary) {
                Ok(text) => anstream::println!("{text}"),
                Err(error) => anstream::eprintln!("error: {error}"),
            },
            Format::Github => anstream::print!("{}", annotations(&summary)),
        }
        if watcher.bugs.is_empty() { 0 } else { exit::FOUND }
    }
}

/// How the program is compiled, for whoever does it again.
fn recipe(args: &RunArgs) -> Recipe {
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
    };
    recipe.note_sources();
    recipe
}

fn refuse(error: &StoreError) -> u8 {
    anstream::eprintln!("error: {error}");
    exit::USAGE
}

fn options(args: &RunArgs, setup: &Setup, subject: &Subject, seeds: Vec<Input>) -> campaign::Options {
    campaign::Options {
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
            ..Default::default()
        },
        solver: solver_options(&args.solver),
        budget: Budget {
            time: args.time,
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

/// Where the campaign is kept, and the inputs to start with.
fn open_store(args: &RunArgs, out: &Path) -> Result<(Store, Vec<Input>), StoreError> {
    let mut seeds = Vec::new();
    let store = match &args.resume {
        Some(dir) => {
            let (store, tests) = Store::open(dir)?;
            seeds.extend(tests.iter().map(|test| test.input()));
            store
        }
        None => Store::create(out)?,
    };
    for dir in &args.seed_dir {
        seeds.extend(Store::open(dir)?.1.iter().map(|test| test.input()));
    }
    Ok((store, seeds))
}

/// The first of `spelunk-out`, `spelunk-out-2`, … that does not exist.
fn free_dir() -> PathBuf {
    let name = |number| match number {
        1 => PathBuf::from("spelunk-out"),
        _ => PathBuf::from(format!("spelunk-out-{number}")),
    };
    (1..).map(name).find(|dir: &PathBuf| !Path::exists(dir)).expect("numbers don't end")
}
