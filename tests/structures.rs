//! Unit tests of the data structures in `structures/`: one trial for each `// trial:` line, named `FILE ENTRY FAULT`.

use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Failed, Trial};
use spelunk_tests::structures::{self, Request};
use spelunk_tests::{run_trials, structure_files};

fn main() -> ExitCode {
    run_trials(|spelunk| {
        let requests = structure_files().into_iter().flat_map(|path| match structures::requests(&path) {
            Ok(requests) => requests,
            Err(error) => panic!("{}: {error}", path.display()),
        });
        let trial = |request: Request| {
            let spelunk = Arc::clone(spelunk);
            Trial::test(request.name(), move || structures::run(&spelunk, &request).map_err(Failed::from))
        };
        requests.map(trial).collect()
    })
}
