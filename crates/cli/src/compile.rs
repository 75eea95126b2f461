//! From the command line to what is compiled, and what is said if that fails.

use crate::args::CompileArgs;
use crate::exit;
use crate::output::show_raw;
use anstream::{AutoStream, ColorChoice};
use spelunk_deadline::{Deadline, Over};
use spelunk_driver::{Clang, Colour, DriverError};
use spelunk_engine::{Compile, EngineError, Observer};
use spelunk_ir::parse::ParseError;
use spelunk_project::{Build, ProjectError, Scope, Selection, Wanted};
use spelunk_report::suite::UnitSetup;
use std::io;
use std::path::Path;

/// What is compiled; `more_flags` come after those of the arguments. Of a build, it is what the tested functions need.
pub fn compile(
    args: &CompileArgs,
    more_flags: &[String],
    tested: Tested,
    deadline: &Deadline,
) -> Result<Compile, String> {
    let given = Compile {
        directory: std::env::current_dir().unwrap_or_default(),
        sources: args.sources.clone(),
        clang: args.clang.clone(),
        cflags: args.cflags.iter().chain(more_flags).cloned().collect(),
        checks: args.checks.clone(),
        colour: colour(),
        ..Compile::default()
    };
    let Some(build) = &args.build else { return Ok(given) };
    let selected = select(build, args, &given, tested, deadline).map_err(|error| {
        if let ProjectError::NoHeader { diagnostics, .. } | ProjectError::Compile { diagnostics, .. } = &error {
            show_raw(diagnostics);
        }
        match error {
            ProjectError::Driver(DriverError::Over(Over::Time)) => while_compiling(&error),
            _ => error.to_string(),
        }
    })?;
    let Selection { sources, flags: file_flags, n_asked, notes } = selected;
    notes.iter().for_each(|note| anstream::eprintln!("note: {note}"));
    let n_tested = (n_asked > 0).then_some(n_asked);
    Ok(Compile { sources, file_flags, n_tested, ..given })
}

/// What of a build is tested.
#[derive(Default)]
pub struct Tested {
    pub scope: Scope,
    /// Functions that are called beside.
    pub also: Vec<String>,
}

impl Tested {
    /// What a function or a sequence is tested with.
    pub fn of_unit(entry: Option<&str>, unit: &UnitSetup) -> Self {
        let scope = match entry {
            // `init:push,pop` says which comes first.
            _ if !unit.sequence.is_empty() => {
                let names = unit.sequence.iter().flat_map(|name| name.split(':'));
                Scope::Functions(names.filter(|name| !name.is_empty()).map(str::to_owned).collect())
            }
            None | Some("main") => Scope::Program,
            Some("all") => Scope::Files,
            Some(entries) => Scope::Functions(entries.split(',').map(str::to_owned).collect()),
        };
        // Callbacks that were chosen are functions of the program too; whatever else a setting says is none.
        let named = unit.params.iter().filter_map(|setting| setting.split_once('=')).map(|(_, what)| what);
        let conditions = unit.assume.iter().chain(&unit.ensure).chain(&unit.heap.audit).map(String::as_str);
        Self { scope, also: conditions.chain(named).map(str::to_owned).collect() }
    }
}

fn select(
    build: &Path,
    args: &CompileArgs,
    given: &Compile,
    tested: Tested,
    deadline: &Deadline,
) -> Result<Selection, ProjectError> {
    let wanted = Wanted {
        scope: tested.scope,
        also: tested.also,
        files: args.sources.iter().map(|source| source.display().to_string()).collect(),
        exclude: args.exclude.clone(),
        cflags: given.cflags.clone(),
    };
    let clang = Clang::find(args.clang.as_deref())?.until(deadline);
    Build::read(build)?.select(&wanted, &clang, &given.directory)
}

/// Whether clang is to use colours: it can't see the terminal.
pub fn colour() -> Colour {
    match AutoStream::choice(&io::stderr()) {
        ColorChoice::Never => Colour::Never,
        _ => Colour::Always,
    }
}

/// Shows what the compiler says, and nothing else.
pub struct Warnings;

impl Observer for Warnings {
    fn warnings(&self, text: &[u8]) {
        show_raw(text);
    }
}

fn while_compiling(error: &dyn std::error::Error) -> String {
    format!("{error} while compiling: --time includes it, and nothing else was done")
}

/// Says what is wrong with what was asked for.
pub fn refuse(message: &str) -> u8 {
    anstream::eprintln!("error: {message}");
    exit::USAGE
}

/// Says what went wrong, and gives the exit code.
pub fn tell(error: &EngineError) -> u8 {
    match error {
        EngineError::Driver(DriverError::Parse(ParseError { file, line, column, message })) => {
            anstream::eprintln!("{file}:{line}:{column}: error: {message}");
        }
        EngineError::Driver(DriverError::Compile { diagnostics, .. }) => {
            show_raw(diagnostics);
            anstream::eprintln!("error: {error}");
        }
        EngineError::Driver(DriverError::Over(Over::Time)) => {
            anstream::eprintln!("error: {}", while_compiling(error));
        }
        // Its text says what kind of message it is, behind the place where there is one.
        EngineError::Grammar(_) => anstream::eprintln!("{error}"),
        _ => anstream::eprintln!("error: {error}"),
    }
    match error.over() {
        Some(Over::Stopped) => exit::of_signal(exit::SIGINT),
        _ if matches!(error, EngineError::Internal(_)) => exit::INTERNAL,
        _ => exit::USAGE,
    }
}
