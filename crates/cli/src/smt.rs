//! `spelunk smt`: answer an SMT-LIB 2 script.

use crate::args::{SmtArgs, SolverArgs};
use crate::exit;
use anstream::AutoStream;
use spelunk_report::{Diagnostic, Message, Position};
use spelunk_smt::{Note, Outcome, RunError, Session};
use spelunk_solver::chain::{self, LogOptions};
use spelunk_solver::{Deadline, LayerStats, Limits};
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

/// How long a check may take to notice an interrupt. Where none is under way, none will.
const PATIENCE: Duration = Duration::from_secs(1);

pub fn smt(args: &SmtArgs) -> ExitCode {
    let (input, path): (Box<dyn BufRead>, PathBuf) = if args.script == Path::new("-") {
        (Box::new(BufReader::new(io::stdin())), "<stdin>".into())
    } else {
        match File::open(&args.script) {
            Ok(file) => (Box::new(BufReader::new(file)), args.script.clone()),
            Err(error) => {
                anstream::eprintln!("error: cannot read {}: {error}", args.script.display());
                return exit::USAGE.into();
            }
        }
    };
    let limits = Limits { time: args.solver.time_limit, ..Limits::default() };
    stop_on_interrupt(limits.deadline.clone());
    let mut session = Session::new(chain::build(&solver_options(&args.solver)), limits);
    let mut tell = |note: &Note| {
        let Note { place, text } = note;
        // There is nowhere to tell that standard error can't be written to.
        let _ = message(&path, place, text.clone()).write_note(&mut AutoStream::auto(io::stderr().lock()));
    };
    let end = session.run(input, &mut io::stdout().lock(), &mut tell);
    if args.stats {
        show_stats(&session.stats());
    }
    if let Some(error) = session.log_error() {
        anstream::eprintln!("error: {error}");
        return exit::USAGE.into();
    }
    match end {
        Ok(Outcome::Answered) => ExitCode::SUCCESS,
        Ok(Outcome::Unanswered) => exit::FOUND.into(),
        Err(error) => refuse(&path, &error),
    }
}

pub fn solver_options(args: &SolverArgs) -> chain::Options {
    chain::Options {
        backend: args.solver,
        sat: args.sat,
        without: args.without.clone(),
        log: args.log_queries.clone().map(|dir| LogOptions { dir, before: args.log_before }),
    }
}

/// The check under way is answered `unknown`; if there is none, or it does not end, we do.
fn stop_on_interrupt(interrupt: Deadline) {
    let handler = move || {
        interrupt.raise();
        thread::sleep(PATIENCE);
        if interrupt.is_raised() {
            std::process::exit(exit::of_signal(exit::SIGINT).into());
        }
    };
    // Without a handler the signal ends us at once: less polite, and good enough.
    let _ = ctrlc::set_handler(handler);
}

fn message(path: &Path, place: &spelunk_smt::Position, text: String) -> Message {
    let spelunk_smt::Position { line, column, ref line_text } = *place;
    Message::at_line(Position { path: path.to_owned(), line, column }, text, line_text)
}

fn refuse(path: &Path, error: &RunError) -> ExitCode {
    match error {
        RunError::Script { place, problem } => {
            let diagnostic = Diagnostic { error: message(path, place, problem.to_string()), notes: Vec::new() };
            let _ = diagnostic.write(&mut AutoStream::auto(io::stderr().lock()));
        }
        // The reader has seen enough.
        RunError::Write(cause) if cause.kind() == ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
        RunError::Read(_) | RunError::Write(_) => anstream::eprintln!("error: {error}"),
    }
    exit::USAGE.into()
}

fn show_stats(layers: &[LayerStats]) {
    let mut out = io::stderr().lock();
    // There is nowhere to tell that standard error can't be written to.
    let _ =
        writeln!(out, "{:<16}{:>10}{:>10}{:>10}{:>10}{:>14}", "layer", "queries", "sat", "unsat", "unknown", "time");
    for LayerStats { layer, n_queries, n_sat, n_unsat, n_unknown, time, .. } in layers {
        let time = format!("{:.3} ms", time.as_secs_f64() * 1e3);
        let _ = writeln!(out, "{layer:<16}{n_queries:>10}{n_sat:>10}{n_unsat:>10}{n_unknown:>10}{time:>14}");
    }
}
