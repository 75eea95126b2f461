//! Explores every C program of `explore/` in every way: one trial per pair, named `FILE@WAY`. The first way is the real binary's
//! with its defaults, whose tests are run again, natively and not; the others are the library's.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Failed, Trial};
use spelunk_tests::annotations::Case;
use spelunk_tests::explore;
use spelunk_tests::spelunk::Spelunk;
use spelunk_tests::ways::{Explored, WAYS, Way};
use spelunk_tests::{explored_programs, run_trials};

fn main() -> ExitCode {
    run_trials(|spelunk| explored_programs().iter().flat_map(|path| trials_of(path, spelunk)).collect())
}

fn trials_of(path: &Path, spelunk: &Arc<Spelunk>) -> Vec<Trial> {
    let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
    let explored = match Case::load(path) {
        Ok(case) => Arc::new(Explored::new(case)),
        Err(error) => {
            let message = error.to_string();
            return vec![Trial::test(name, move || Err(Failed::from(message)))];
        }
    };
    let (of_binary, spelunk) = (Arc::clone(&explored), Arc::clone(spelunk));
    let binary = Trial::test(format!("{name}@default"), move || Ok(by_binary(&spelunk, of_binary.case())?));
    let trial = |way: &'static Way| {
        let explored = Arc::clone(&explored);
        Trial::test(format!("{name}@{}", way.0), move || Ok(by_library(&explored, way)?))
    };
    std::iter::once(binary).chain(WAYS.iter().map(trial)).collect()
}

fn by_binary(spelunk: &Spelunk, case: &Case) -> Result<(), String> {
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    explore::explore(spelunk, case, &[], dir.path())?;
    explore::run_again(spelunk, &dir.path().join("out"))
}

fn by_library(explored: &Explored, way: &Way) -> Result<(), String> {
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    explored.explore(way, dir.path())
}
