//! What the test runners share: reading a C program's expectations, building and running it natively, running it under
//! `spelunk exec`, and comparing the two; exploring one with `spelunk run`, or in this process. The programs themselves live in `ui/`,
//! `explore/` and `structures/`; the runners are the files beside `src/`, and `src/bin/`.
#![forbid(unsafe_code)]

pub mod annotations;
pub mod calls;
pub mod compare;
pub mod config;
pub mod csmith;
pub mod explore;
pub mod header;
pub mod loops;
pub mod native;
pub mod page;
pub mod process;
pub mod realcode;
pub mod report;
pub mod scene;
pub mod spelunk;
pub mod structures;
pub mod verdict;
pub mod ways;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Trial};

use crate::spelunk::Spelunk;

/// The `main` of a runner: finds spelunk, and runs the trials that are made for it.
pub fn run_trials(trials: impl FnOnce(&Arc<Spelunk>) -> Vec<Trial>) -> ExitCode {
    let args = Arguments::from_args();
    match Spelunk::locate() {
        Ok(spelunk) => libtest_mimic::run(&args, trials(&Arc::new(spelunk))).exit_code(),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// The directory of C programs, one sub-directory per area.
pub fn ui_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("ui")
}

/// The programs of every area, sorted.
pub fn programs() -> Vec<PathBuf> {
    entries(&ui_dir()).iter().filter(|area| area.is_dir()).flat_map(|area| programs_in(area)).collect()
}

/// The programs with symbolic input, sorted.
pub fn explored_programs() -> Vec<PathBuf> {
    programs_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("explore"))
}

/// The data structures, the functions with other inputs, and models of servers, sorted.
pub fn structure_files() -> Vec<PathBuf> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    ["structures", "units", "../benches/zitser"].iter().flat_map(|dir| programs_in(&tests.join(dir))).collect()
}

/// The programs whose inputs are all enumerated, sorted.
pub fn shape_files() -> Vec<PathBuf> {
    programs_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("shapes"))
}

fn programs_in(dir: &Path) -> Vec<PathBuf> {
    let mut programs = entries(dir);
    programs.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    programs
}

/// What is in a directory, sorted. Panics when it cannot be listed: there is nothing to test then.
fn entries(dir: &Path) -> Vec<PathBuf> {
    let listing = std::fs::read_dir(dir).unwrap_or_else(|error| panic!("cannot list {}: {error}", dir.display()));
    let mut entries: Vec<PathBuf> = listing.map(|entry| entry.expect("a readable directory entry").path()).collect();
    entries.sort();
    entries
}
