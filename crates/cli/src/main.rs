//! The `spelunk` binary: the only crate that prints or exits.
//!
//! `args` is the command line, `exec`, `run`, `hex`, `show`, `replay`, `report`, `export` and `smt` are the commands, which build a plan for the
//! engine and show what comes of it; `compile` is what they have in common for that, `config` what a project's file adds to the command line, `interrupt` and `signals` what Ctrl-C does. Exit codes are an interface: see [`exit`].
#![forbid(unsafe_code)]

mod args;
mod campaign_dir;
mod compile;
mod config;
mod exec;
mod exec_test;
mod exit;
mod export;
mod grammar;
mod headings;
mod hex;
mod interrupt;
mod list_libc;
mod minimise;
mod output;
mod reference;
mod replay;
mod report;
mod run;
mod show;
mod signals;
mod smt;
mod stats;

use args::{Cli, Command};
use clap::{ArgMatches, FromArgMatches};
use spelunk_concolic::failure;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::collections::BTreeSet;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Types, constants and scopes nest as deep as the source does; the work that follows them is recursive.
const STACK_SIZE: usize = 256 << 20;

fn main() -> ExitCode {
    let matches = config::matches(std::env::args_os().collect()).unwrap_or_else(|error| {
        anstream::eprintln!("error: {error}");
        std::process::exit(exit::USAGE.into())
    });
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    std::panic::set_hook(Box::new(|info| {
        let what = failure::note(info);
        // A campaign goes on, and may meet the same again and again.
        static TOLD: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
        if !TOLD.lock().unwrap_or_else(PoisonError::into_inner).insert(what.clone()) {
            return;
        }
        let backtrace = Backtrace::capture();
        anstream::eprintln!("internal error: {what}");
        if backtrace.status() == BacktraceStatus::Captured {
            anstream::eprintln!("{backtrace}");
        }
        anstream::eprintln!("This is a bug in spelunk: please report it with the program at hand.");
    }));
    let worker = thread::Builder::new().stack_size(STACK_SIZE).spawn(move || dispatch(cli, &matches));
    match worker.map(thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        // The hook has told about it.
        Ok(Err(_)) => exit::INTERNAL.into(),
        Err(error) => {
            anstream::eprintln!("error: cannot start a thread: {error}");
            exit::INTERNAL.into()
        }
    }
}

fn dispatch(cli: Cli, matches: &ArgMatches) -> ExitCode {
    let of_command = matches.subcommand().map(|(_, matches)| matches);
    match cli.command {
        Command::Exec(args) if args.list_libc => list_libc::list_libc(),
        Command::Exec(args) => exec::exec(args),
        Command::Run(args) => run::run(&args, of_command.expect("it is a command")).into(),
        Command::Hex(args) => hex::hex(&args).into(),
        Command::Grammar(args) => grammar::grammar(&args).into(),
        Command::Show(args) => show::show(&args).into(),
        Command::Report(args) => report::report(&args).into(),
        Command::Reference => {
            anstream::print!("{}", reference::reference());
            ExitCode::SUCCESS
        }
        Command::Replay(args) => replay::replay(&args).into(),
        Command::Minimise(args) => minimise::minimise(&args).into(),
        Command::Export(args) => export::run_export(&args).into(),
        Command::Smt(args) => smt::smt(&args),
    }
}
