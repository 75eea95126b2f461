//! Smaller inputs for the bugs of a campaign that has ended.

use super::budget;
use super::watcher::Watcher;
use crate::Observer;
use spelunk_concolic::graph::allowed::is_allowed;
use spelunk_concolic::{Options, Runner};
use spelunk_deadline::{Alarm, Deadline, Over};
use spelunk_explore::bugs::{self, BugKey};
use spelunk_explore::shrink::shrink;
use spelunk_report::suite::StoreError;
use spelunk_vm::{BugKind, Limits};
use std::sync::Arc;

/// What is tried for one bug.
const MAX_RUNS: usize = 400;

/// A smaller input may take so many times the operations of the known one: others never end.
const MAX_SLOWDOWN: u64 = 10;
const LEAST_OPERATIONS: u64 = 100_000;

/// Looks for a smaller input for each bug that has a test, which becomes its test. Says which bugs there was no time for.
pub fn find(
    watcher: &mut Watcher<'_>,
    options: &Options,
    deadline: &Deadline,
    observer: &dyn Observer,
) -> Result<Option<String>, StoreError> {
    // How little is just too much memory says nothing about a program.
    let is_shrunk = |&((_, kind), test): &(BugKey, u64)| test != 0 && kind != BugKind::MemoryLimit;
    let tests: Vec<_> = watcher.bugs.tests().into_iter().filter(is_shrunk).collect();
    let (image, unit) = (watcher.image(), options.unit.clone());
    let alarm = Alarm::new(deadline);
    let mut n_done = 0;
    for (number, &(bug, test)) in tests.iter().enumerate() {
        if deadline.is_over() {
            break;
        }
        observer.count("shrinking", number, tests.len());
        // Each may take its share of what is left.
        let share = deadline.left().map(|left| left / (tests.len() - number) as u32);
        let share = share.map_or_else(|| deadline.clone(), |share| deadline.within(share));
        let mut n_left = MAX_RUNS;
        let known = watcher.store.read_test(test)?;
        let mut runner = Runner::new(image, limited(options, &alarm, known.instructions));
        let known = known.input();
        let smallest = shrink(&known, &mut |input| {
            if n_left == 0 || share.is_over() {
                return None;
            }
            n_left -= 1;
            let run = runner.run(input, &[]).ok()?;
            let is_allowed = unit.as_ref().is_none_or(|unit| is_allowed(unit, &run.input));
            (is_allowed && bugs::key(image, &run.stop) == Some(bug)).then(|| Arc::unwrap_or_clone(run.input))
        });
        n_done += usize::from(n_left == 0 || !share.is_over());
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
    // A share that was used up says nothing without the reason.
    let over = deadline.over().unwrap_or(Over::Time);
    Ok((n_done < tests.len()).then(|| format!("shrinking: {n_done} of {} bugs, {}", tests.len(), budget::why(over))))
}

/// How inputs are tried for a bug that a run of so many operations has shown.
fn limited(options: &Options, alarm: &Alarm, n_operations: u64) -> Options {
    let most = n_operations.saturating_mul(MAX_SLOWDOWN).max(LEAST_OPERATIONS);
    let limits = Limits { instructions: options.limits.instructions.min(most), ..options.limits.clone() };
    Options { limits, snapshots: None, interrupt: alarm.flag(), ..options.clone() }
}
