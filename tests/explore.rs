//! Explores every C program of `explore/` in every way: one trial per pair, named `FILE@WAY`.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Failed, Trial};
use spelunk_tests::annotations::Case;
use spelunk_tests::explore::{self, WAYS};
use spelunk_tests::spelunk::Spelunk;
use spelunk_tests::{explored_programs, run_trials};

fn main() -> ExitCode {
    run_trials(|spelunk| explored_programs().iter().flat_map(|path| trials_of(path, spelunk)).collect())
}

fn trials_of(path: &Path, spelunk: &Arc<Spelunk>) -> Vec<Trial> {
    let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
    let case = match Case::load(path) {
        Ok(case) => Arc::new(case),
        Err(error) => {
            let message = error.to_string();
            return vec![Trial::test(name, move || Err(Failed::from(message)))];
        }
    };
    (0..WAYS.len())
        .map(|idx| {
            let (case, spelunk) = (Arc::clone(&case), Arc::clone(spelunk));
            Trial::test(format!("{name}@{}", WAYS[idx].0), move || trial(&spelunk, &case, idx).map_err(Failed::from))
        })
        .collect()
}

fn trial(spelunk: &Spelunk, case: &Case, idx: usize) -> Result<(), String> {
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    explore::explore(spelunk, case, WAYS[idx].1, dir.path())?;
    match idx {
        0 => explore::run_again(spelunk, &dir.path().join("out")),
        _ => Ok(()),
    }
}
