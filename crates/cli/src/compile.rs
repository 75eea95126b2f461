//! From the command line to what is compiled, and what is said if that fails.

use crate::args::CompileArgs;
use crate::exit;
use crate::output::show_raw;
use anstream::{AutoStream, ColorChoice};
use spelunk_deadline::Over;
use spelunk_driver::{Colour, DriverError};
use spelunk_engine::{Compile, EngineError, Observer};
use spelunk_ir::parse::ParseError;
use std::io;

/// What is compiled; `more_flags` come after those of the arguments.
pub fn compile(args: &CompileArgs, more_flags: &[String]) -> Compile {
    Compile {
        directory: std::env::current_dir().unwrap_or_default(),
        sources: args.sources.clone(),
        clang: args.clang.clone(),
        cflags: args.cflags.iter().chain(more_flags).cloned().collect(),
        checks: args.checks.clone(),
        colour: colour(),
    }
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
            anstream::eprintln!("error: {error} while compiling: --time includes it, and nothing else was done");
        }
        _ => anstream::eprintln!("error: {error}"),
    }
    match error.over() {
        Some(Over::Stopped) => exit::of_signal(exit::SIGINT),
        _ => exit::USAGE,
    }
}
