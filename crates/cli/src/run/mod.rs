//! `spelunk run`: explore the paths of a program.
//!
//! `args` is the command line and how a plan for the engine is made of it, `settings` what a directory keeps of it; `show` is
//! told what goes on, `progress` is the line on a terminal, `figures`, `bugs` and `targets` are the account for a person,
//! `several` that of many functions; `changed` reads what a patch changes.

mod args;
mod bugs;
mod changed;
mod figures;
mod functions;
mod partition;
mod progress;
mod settings;
mod several;
mod show;
mod targets;

pub use args::RunArgs;

use crate::compile::tell;
use crate::{exit, signals};
use clap::ArgMatches;
use settings::Resumed;
use show::{Detail, Show};
use spelunk_concolic::failure;
use spelunk_engine::campaign::Beginning;
use spelunk_engine::targets::TargetError;
use spelunk_engine::{Campaign, EngineError, Plan, Program};
use std::path::{Path, PathBuf};

/// Begins a campaign, or goes on with one.
pub fn run(args: &RunArgs, matches: &ArgMatches) -> u8 {
    if let Some((place, nth)) = args.fail_at.as_ref().and_then(|planned| planned.split_once(':')) {
        failure::plan(place, nth.parse().unwrap_or(1));
    }
    let settings = settings::given(matches);
    let detail = if args.verbose { Detail::Full } else { Detail::Brief };
    let planned = match &args.resume {
        None => args.plan(settings).map(|plan| {
            let dir = args.out.clone().unwrap_or_else(free_dir);
            explore(&plan, &dir, Beginning::New, Show::new(args.format, detail))
        }),
        Some(dir) => settings::resume(dir, args, settings)
            .map(|Resumed { plan, dir, format }| explore(&plan, &dir, Beginning::Resumed, Show::new(format, detail))),
    };
    match planned {
        Ok(Err(EngineError::Target(nothing @ TargetError::NothingChanged))) => {
            anstream::eprintln!("note: {nothing}: there is nothing to do");
            0
        }
        Ok(explored) => explored.unwrap_or_else(|error| tell(&error)),
        Err(message) => {
            anstream::eprintln!("error: {message}");
            exit::USAGE
        }
    }
}

fn explore(plan: &Plan, dir: &Path, beginning: Beginning, show: Show) -> Result<u8, EngineError> {
    let deadline = plan.deadline();
    signals::raise_on_signal(&deadline);
    let program = Program::load(plan, &deadline, &show);
    show.line.clear();
    let program = program?;
    let campaign = Campaign::new(plan, &program, &deadline, &show).beginning(beginning);
    match program.subjects() {
        [] => {
            functions::list(&program, plan);
            Ok(0)
        }
        [subject] => {
            let ended = campaign.run(subject, dir);
            show.line.clear();
            Ok(show.account(&ended?))
        }
        _ => {
            let several = campaign.run_all(dir);
            show.line.clear();
            let entered = functions::entered(&program, plan);
            Ok(several::account(&show, &several?, &entered, &deadline, dir))
        }
    }
}

/// The first of `spelunk-out`, `spelunk-out-2`, … that does not exist.
fn free_dir() -> PathBuf {
    let name = |number| match number {
        1 => PathBuf::from("spelunk-out"),
        _ => PathBuf::from(format!("spelunk-out-{number}")),
    };
    (1..).map(name).find(|dir: &PathBuf| !Path::exists(dir)).expect("numbers don't end")
}
