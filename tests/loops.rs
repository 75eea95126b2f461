//! Random loops and recursions, one trial per seed: none is said to go on for ever that does not, and none to end that does not. The
//! seeds are fixed; for thousands of others run the `campaign` binary.

use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Failed, Trial};
use spelunk_tests::{loops, run_trials};

const SEEDS: std::ops::RangeInclusive<u64> = 1..=20;

fn main() -> ExitCode {
    run_trials(|spelunk| {
        let trial = |seed| {
            let spelunk = Arc::clone(spelunk);
            Trial::test(format!("seed{seed}"), move || {
                loops::compare_seed(&spelunk, seed).map(drop).map_err(Failed::from)
            })
        };
        SEEDS.map(trial).collect()
    })
}
