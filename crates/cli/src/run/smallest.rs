//! Smaller inputs for the bugs of a campaign that has ended.

use super::watcher::Watcher;
use spelunk_concolic::graph::allowed::is_allowed;
use spelunk_concolic::{Options, Runner};
use spelunk_explore::bugs::{self, BugKey};
use spelunk_explore::campaign::StopFlag;
use spelunk_explore::shrink::shrink;
use spelunk_report::suite::StoreError;
use spelunk_vm::{BugKind, Limits};
use std::time::{Duration, Instant};

/// What is tried for one bug.
const MAX_RUNS: usize = 400;

/// A smaller input may take so many times the operations of the known one: others never end.
const MAX_SLOWDOWN: u64 = 10;
const LEAST_OPERATIONS: u64 = 100_000;

/// How long it may take for all bugs: what is left of the campaign's time, but not more than the most, and in any case the
/// least.
const LEAST: Duration = Duration::from_secs(5);
const MOST: Duration = Duration::from_secs(20);

/// Looks for a smaller input for each bug that has a test, which becomes its test.
pub fn find(
    watcher: &mut Watcher<'_>,
    options: &Options,
    time_left: Option<Duration>,
    stop: &StopFlag,
) -> Result<(), StoreError> {
    // How little is just too much memory says nothing about a program.
    let is_shrunk = |&((_, kind), test): &(BugKey, u64)| test != 0 && kind != BugKind::MemoryLimit;
    let tests: Vec<_> = watcher.bugs.tests().into_iter().filter(is_shrunk).collect();
    let (image, unit) = (watcher.image(), options.unit.clone());
    let end = Instant::now() + time_left.unwrap_or(MOST).clamp(LEAST, MOST);
    for (number, &(bug, test)) in tests.iter().enumerate() {
        // Each may take its share of what is left.
        let left = end.saturating_duration_since(Instant::now()) / (tests.len() - number) as u32;
        let (end, mut n_left) = (Instant::now() + left, MAX_RUNS);
        let known = watcher.store.read_test(test)?;
        let mut runner = Runner::new(image, limited(options, stop, known.instructions));
        let known = known.input();
        let smallest = shrink(&known, &mut |input| {
            if n_left == 0 || stop.is_raised() || Instant::now() >= end {
                return None;
            }
            n_left -= 1;
            let run = runner.run(input, &[]).ok()?;
            let is_allowed = unit.as_ref().is_none_or(|unit| is_allowed(unit, &run.input));
            (is_allowed && bugs::key(image, &run.stop) == Some(bug)).then_some(run.input)
        });
        if smallest == known {
            continue;
        }
        // What is written is what a run has shown.
        match runner.run(&smallest, &[]) {
            Ok(mut run) if bugs::key(image, &run.stop) == Some(bug) => {
                runner.observe(&mut run);
                watcher.replace(&run)?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// How inputs are tried for a bug that a run of so many operations has shown.
fn limited(options: &Options, stop: &StopFlag, n_operations: u64) -> Options {
    let most = n_operations.saturating_mul(MAX_SLOWDOWN).max(LEAST_OPERATIONS);
    let limits = Limits { instructions: options.limits.instructions.min(most), ..options.limits.clone() };
    Options { limits, snapshots: None, interrupt: stop.for_runs(), ..options.clone() }
}
