//! `spelunk minimise`: only as many tests as it takes to cover the same, and one for each bug.

use crate::args::MinimiseArgs;
use crate::campaign_dir::enter;
use crate::compile::{Warnings, colour, tell};
use crate::signals;
use spelunk_engine::EngineError;
use spelunk_engine::minimise::minimise as choose_tests;
use spelunk_engine::replay::Request;
use spelunk_report::suite::{StoreError, Summary};
use std::path::Path;

pub fn minimise(args: &MinimiseArgs) -> u8 {
    match try_minimise(args) {
        Ok(summary) => {
            let kept = summary.kept.as_ref().map_or(summary.tests, |kept| kept.of);
            anstream::println!("{} of {kept} tests kept for {}", summary.tests, args.keep.name());
            0
        }
        // It is called as the user did.
        Err(EngineError::Store(StoreError::Unfinished { .. })) => {
            tell(&StoreError::Unfinished { path: args.dir.clone() }.into())
        }
        Err(error) => tell(&error),
    }
}

fn try_minimise(args: &MinimiseArgs) -> Result<Summary, EngineError> {
    let out = args.out.as_deref().map(|out| std::path::absolute(out).unwrap_or_else(|_| out.to_owned()));
    let dir = enter(&args.dir)?;
    let request = Request { dir: &dir, tests: &[], confinement: args.native.replay, colour: colour() };
    choose_tests(&request, args.keep, out.as_deref().map(Path::new), &signals::deadline(args.limit), &Warnings)
}
