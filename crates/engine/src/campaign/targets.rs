//! What became of what was to be reached.

use spelunk_explore::campaign::Outcome;
use spelunk_explore::ledger::Entry;
use spelunk_explore::program::ProgramFlow;
use spelunk_explore::targets::{Event, Missing, Nearest, Target, Targets, Verdict, verdicts};
use spelunk_report::Reporter;
use spelunk_report::suite::convert;
use spelunk_report::suite::summary::{NearestEntry, TargetEntry, TargetStatus};

/// In the order of the targets. Of each, the test that was the first to reach it.
pub fn entries(
    reporter: &Reporter<'_>,
    program: &ProgramFlow<'_>,
    targets: &Targets,
    tests: &[u64],
    outcome: &Outcome,
) -> Vec<TargetEntry> {
    let verdicts = verdicts(program, targets, outcome);
    let entry = |((target, verdict), &test): ((&Target, Verdict), &u64)| {
        let lines = |entries: Vec<Entry>| convert::ledger_lines(reporter, entries);
        let place = reporter.site(target.at[0]);
        let target = match target.event {
            Event::Executed | Event::Bug(_) => target.name.clone(),
            Event::Outcome(_) => format!("{}:{} {}", place.file, place.line, target.name),
        };
        let known = TargetEntry { target, place, ..TargetEntry::default() };
        match verdict {
            Verdict::Reached => {
                TargetEntry { status: TargetStatus::Reached, test: Some(test).filter(|&it| it > 0), ..known }
            }
            Verdict::Unreachable { relies_on } => {
                TargetEntry { status: TargetStatus::Unreachable, relies_on: lines(relies_on), ..known }
            }
            Verdict::Open { why, nearest } => {
                let hidden = match why {
                    Missing::Budget => Vec::new(),
                    Missing::Hidden(entries) => lines(entries),
                };
                let nearest = nearest.map(|nearest| nearest_entry(reporter, nearest));
                TargetEntry { status: TargetStatus::Open, hidden_by: hidden, nearest, ..known }
            }
        }
    };
    targets.all().iter().zip(verdicts).zip(tests).map(entry).collect()
}

fn nearest_entry(reporter: &Reporter<'_>, nearest: Nearest) -> NearestEntry {
    let place = reporter.site(nearest.branch);
    let never = match nearest.outcome {
        Some(true) => "never true",
        Some(false) => "never false",
        None => "a case that was never taken",
    };
    NearestEntry { place, never: never.to_owned(), distance: nearest.distance }
}
