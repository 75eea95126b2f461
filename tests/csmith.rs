//! Fifty random programs, one trial per seed: the VM prints the checksum that the native run prints. The seeds are
//! fixed; for thousands of others run the `campaign` binary.

use std::ops::RangeInclusive;
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Failed, Trial};
use spelunk_tests::config::CONFIGS;
use spelunk_tests::csmith::{self, Outcome};
use spelunk_tests::run_trials;
use spelunk_tests::spelunk::Spelunk;

/// The programs of all these end quickly.
const SEEDS: RangeInclusive<u64> = 1..=50;

fn main() -> ExitCode {
    run_trials(|spelunk| SEEDS.map(|seed| trial(seed, Arc::clone(spelunk))).collect())
}

fn trial(seed: u64, spelunk: Arc<Spelunk>) -> Trial {
    Trial::test(format!("seed{seed}"), move || match csmith::compare_seed(&spelunk, seed, CONFIGS[0]) {
        Ok(Outcome::Same) => Ok(()),
        Ok(Outcome::Endless) => Err(Failed::from("the native run did not end: choose another seed")),
        Ok(Outcome::Faulty) => Err(Failed::from("the program itself is faulty: choose another seed")),
        Ok(Outcome::Differs(difference)) => Err(Failed::from(difference)),
        Err(error) => Err(Failed::from(error.to_string())),
    })
}
