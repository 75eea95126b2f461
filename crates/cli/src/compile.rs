//! From the command line to a program that can be run.

use crate::args::{Check, CompileArgs};
use crate::exit;
use crate::output::show_raw;
use anstream::{AutoStream, ColorChoice};
use spelunk_deadline::{Deadline, Over};
use spelunk_driver::{Colour, DriverError, Loaded, Options, Purpose};
use spelunk_ir::lower::{Checks, Uninitialised};
use spelunk_ir::parse::ParseError;
use std::io;

/// Compiles and loads; `more_flags` come after those of the arguments. What went wrong has been told already.
pub fn load(
    args: &CompileArgs,
    purpose: Purpose,
    uninitialised: Uninitialised,
    more_flags: &[String],
    deadline: &Deadline,
) -> Result<Loaded, u8> {
    let checks = Checks { signed_overflow: args.checks.contains(&Check::SignedOverflow), uninitialised };
    match spelunk_driver::load(&Options { deadline: deadline.clone(), ..options(args, purpose, checks, more_flags) }) {
        Ok(loaded) => {
            show_raw(&loaded.diagnostics);
            Ok(loaded)
        }
        Err(error) => {
            tell(&error);
            match error {
                DriverError::Over(Over::Stopped) => Err(exit::of_signal(exit::SIGINT)),
                _ => Err(exit::USAGE),
            }
        }
    }
}

fn options(args: &CompileArgs, purpose: Purpose, checks: Checks, more_flags: &[String]) -> Options {
    let colour = match AutoStream::choice(&io::stderr()) {
        ColorChoice::Never => Colour::Never,
        _ => Colour::Always,
    };
    Options {
        sources: args.sources.clone(),
        clang: args.clang.clone(),
        cflags: args.cflags.iter().chain(more_flags).cloned().collect(),
        headers: spelunk_concolic::harness::HEADERS,
        purpose,
        checks,
        colour,
        ..Options::default()
    }
}

fn tell(error: &DriverError) {
    match error {
        DriverError::Parse(ParseError { file, line, column, message }) => {
            anstream::eprintln!("{file}:{line}:{column}: error: {message}");
        }
        DriverError::Compile { diagnostics, .. } => {
            show_raw(diagnostics);
            anstream::eprintln!("error: {error}");
        }
        DriverError::Over(Over::Time) => {
            anstream::eprintln!("error: {error} while compiling: --time includes it, and nothing was explored");
        }
        _ => anstream::eprintln!("error: {error}"),
    }
}
