//! Runs every C program of `ui/` under every configuration it asks for: one trial per pair, named `AREA/FILE@CONFIG`.
//! A file that only serves as another's `files:` lies in a sub-directory of its area and is no trial of its own.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Failed, Trial};
use spelunk_tests::annotations::Case;
use spelunk_tests::spelunk::Spelunk;
use spelunk_tests::{programs, run_trials, ui_dir, verdict};

fn main() -> ExitCode {
    run_trials(|spelunk| programs().iter().flat_map(|path| trials_of(path, spelunk)).collect())
}

fn trials_of(path: &Path, spelunk: &Arc<Spelunk>) -> Vec<Trial> {
    let name = path.strip_prefix(ui_dir()).expect("programs lie in the ui directory").display().to_string();
    let case = match Case::load(path) {
        Ok(case) => Arc::new(case),
        Err(error) => {
            let message = error.to_string();
            return vec![Trial::test(name, move || Err(Failed::from(message)))];
        }
    };
    case.configs()
        .into_iter()
        .map(|config| {
            let (case, spelunk) = (Arc::clone(&case), Arc::clone(spelunk));
            Trial::test(format!("{name}@{}", config.name), move || {
                verdict::judge(&spelunk, &case, config).map_err(|failure| Failed::from(failure.to_string()))
            })
        })
        .collect()
}
