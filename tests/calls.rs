//! Library functions against glibc: random arguments, and those that exploring them finds. The seeds are fixed; for others run the
//! `campaign` binary.

use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Failed, Trial};
use spelunk_tests::config::CONFIGS;
use spelunk_tests::{calls, run_trials};

/// Calls of each function.
const ROUNDS: u64 = 60;

/// Explored paths, of all functions together.
const PATHS: u64 = 600;

fn main() -> ExitCode {
    run_trials(|spelunk| {
        let random = CONFIGS[..2].iter().map(|&config| {
            let spelunk = Arc::clone(spelunk);
            Trial::test(format!("random {}", config.name), move || {
                calls::compare_random(&spelunk, config, 1, ROUNDS).map_err(Failed::from)
            })
        });
        let spelunk = Arc::clone(spelunk);
        let explored =
            Trial::test("explored", move || calls::compare_explored(&spelunk, 0, PATHS).map_err(Failed::from));
        random.chain([explored]).collect()
    })
}
