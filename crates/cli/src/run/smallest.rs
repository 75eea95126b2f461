//! Smaller inputs for the bugs of a campaign that has ended.

use super::watcher::Watcher;
use spelunk_concolic::{Options, Runner};
use spelunk_explore::bugs;
use spelunk_explore::campaign::StopFlag;
use spelunk_explore::shrink::shrink;
use spelunk_report::suite::StoreError;
use std::time::{Duration, Instant};

/// What is tried for one bug.
const MAX_RUNS: usize = 400;

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
    let tests: Vec<_> = watcher.bugs.tests().into_iter().filter(|&(_, test)| test != 0).collect();
    let options = Options { snapshots: None, interrupt: stop.for_runs(), ..options.clone() };
    let image = watcher.image();
    let mut runner = Runner::new(image, options);
    let end = Instant::now() + time_left.unwrap_or(MOST).clamp(LEAST, MOST);
    for (number, &(bug, test)) in tests.iter().enumerate() {
        // Each may take its share of what is left.
        let left = end.saturating_duration_since(Instant::now()) / (tests.len() - number) as u32;
        let (end, mut n_left) = (Instant::now() + left, MAX_RUNS);
        let known = watcher.store.read_test(test)?.input();
        let smallest = shrink(&known, &mut |input| {
            if n_left == 0 || stop.is_raised() || Instant::now() >= end {
                return None;
            }
            n_left -= 1;
            let run = runner.run(input, &[]).ok()?;
            (bugs::key(image, &run.stop) == Some(bug)).then_some(run.input)
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
