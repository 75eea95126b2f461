//! Smaller inputs for the bugs of a campaign that has ended.

use super::budget;
use super::watcher::Watcher;
use crate::Observer;
use spelunk_concolic::graph::allowed::is_allowed;
use spelunk_concolic::{Options, Run, Runner};
use spelunk_deadline::{Alarm, Deadline, Over};
use spelunk_explore::bugs::{self, BugKey, Cause};
use spelunk_explore::shrink::{Tried, shrink};
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
    let is_shrunk = |&(((_, kind), _), test): &((BugKey, Cause), u64)| test != 0 && kind != BugKind::MemoryLimit;
    let (tests, others): (Vec<_>, Vec<_>) = watcher.bugs.tests().into_iter().partition(is_shrunk);
    let mut unsettled: Vec<(BugKey, Cause)> = others.into_iter().map(|(at, _)| at).collect();
    let (image, unit) = (watcher.image(), options.unit.clone());
    let has_rules = unit.as_ref().is_some_and(|unit| unit.shapes.is_some());
    let alarm = Alarm::new(deadline);
    let mut n_done = 0;
    for (number, &(at, test)) in tests.iter().enumerate() {
        let (bug, _) = at;
        if deadline.is_over() {
            unsettled.extend(tests[number..].iter().map(|(at, _)| *at));
            break;
        }
        observer.count("shrinking", number, tests.len());
        // Each may take its share of what is left.
        let share = deadline.left().map(|left| left / (tests.len() - number) as u32);
        let share = share.map_or_else(|| deadline.clone(), |share| deadline.within(share));
        let mut n_left = MAX_RUNS;
        let known = watcher.store.read_test(test)?;
        let limited = limited(options, &alarm, known.instructions);
        let most = limited.limits.instructions;
        let mut runner = Runner::new(image, limited.clone());
        let texts = known.texts();
        let known = known.input();
        let shows = |run: &Run| bugs::key(image, &run.stop) == Some(bug);
        // A run without expressions is many times as fast, where it shows the bug at all.
        let can_probe = runner.is_free() && runner.probe(&known, most).is_ok_and(|run| shows(&run));
        let smallest = shrink(&known, &|name| texts.contains(name), &mut |input| {
            if n_left == 0 || share.is_over() {
                return Tried::Enough;
            }
            n_left -= 1;
            let run = if can_probe {
                runner.probe(input, most)
            } else if has_rules {
                // What the run does not look at is to keep the rules as well.
                runner.completed(input).and_then(|input| runner.run(&input, &[]))
            } else {
                runner.run(input, &[])
            };
            let Ok(run) = run else { return Tried::Different };
            let is_allowed = unit.as_ref().is_none_or(|unit| is_allowed(unit, &run.input));
            if is_allowed && shows(&run) { Tried::Same(Arc::unwrap_or_clone(run.input)) } else { Tried::Different }
        });
        let is_done = n_left == 0 || !share.is_over();
        n_done += usize::from(is_done);
        unsettled.extend((!is_done).then_some(at));
        if smallest == known {
            continue;
        }
        // What is written is what a run has shown, by a machine that has tried nothing else.
        let mut runner = Runner::new(image, limited);
        match runner.run(&smallest, &[]) {
            Ok(mut run) if shows(&run) => {
                runner.observe(&mut run);
                watcher.replace(&run, at)?;
            }
            _ => {}
        }
    }
    // Whether an input could be made smaller to one of another cause, nobody knows.
    unsettled.into_iter().for_each(|at| watcher.bugs.merge(at));
    // A share that was used up says nothing without the reason.
    let over = deadline.over().unwrap_or(Over::Time);
    Ok((n_done < tests.len())
        .then(|| format!("shrinking: {n_done} of {} findings, {}", tests.len(), budget::why(over))))
}

/// How inputs are tried for a bug that a run of so many operations has shown.
fn limited(options: &Options, alarm: &Alarm, n_operations: u64) -> Options {
    let most = n_operations.saturating_mul(MAX_SLOWDOWN).max(LEAST_OPERATIONS);
    let limits = Limits { instructions: options.limits.instructions.min(most), ..options.limits.clone() };
    Options { limits, snapshots: None, interrupt: alarm.flag(), ..options.clone() }
}
