//! What became of what was to be reached, for a person.

use spelunk_report::suite::Summary;
use spelunk_report::suite::summary::{LedgerLine, TargetEntry, TargetStatus};
use spelunk_report::suite::test_case::Place;

/// Of more, those that were reached are only counted.
const MAX_LISTED: usize = 20;

pub fn show(summary: &Summary) {
    let about = |target: &TargetEntry| (target.clone(), about(target));
    list(&summary.targets.iter().map(about).collect::<Vec<_>>());
}

/// The same for those of several functions.
pub fn show_all(targets: &[(TargetEntry, String)]) {
    let about = |(target, function): &(TargetEntry, String)| {
        let about = match target.status {
            TargetStatus::Reached => format!("{function}, {}", about(target)),
            TargetStatus::Unreachable => "no input of any function leads there".to_owned(),
            TargetStatus::Open => format!("{function}, {}", about(target)),
        };
        (target.clone(), about)
    };
    list(&targets.iter().map(about).collect::<Vec<_>>());
}

/// Whether one function has come further than another.
pub fn is_better(status: TargetStatus, than: TargetStatus) -> bool {
    let rank = |status| match status {
        TargetStatus::Unreachable => 0,
        TargetStatus::Open => 1,
        TargetStatus::Reached => 2,
    };
    rank(status) > rank(than)
}

/// Targets, with what there is to say of each.
fn list(targets: &[(TargetEntry, String)]) {
    if targets.is_empty() {
        return;
    }
    let count = |status: TargetStatus| targets.iter().filter(|(target, _)| target.status == status).count();
    let [reached, unreachable, open] =
        [TargetStatus::Reached, TargetStatus::Unreachable, TargetStatus::Open].map(count);
    anstream::println!("{:<14}{reached} reached, {unreachable} unreachable, {open} open", "targets");
    let is_listed =
        |(target, _): &&(TargetEntry, String)| targets.len() <= MAX_LISTED || target.status != TargetStatus::Reached;
    let listed: Vec<&(TargetEntry, String)> = targets.iter().filter(is_listed).collect();
    let width = listed.iter().take(MAX_LISTED).map(|(target, _)| target.target.len()).max().unwrap_or(0);
    for (target, about) in listed.iter().take(MAX_LISTED) {
        anstream::println!("  {:<width$}  {:<11}  {about}", target.target, target.status.name());
    }
    if let Some(more) = listed.len().checked_sub(MAX_LISTED).filter(|&more| more > 0) {
        anstream::println!("  and {more} more in the summary");
    }
}

fn about(target: &TargetEntry) -> String {
    match target.status {
        TargetStatus::Reached => target.test.map(|test| format!("test {test}")).unwrap_or_default(),
        TargetStatus::Unreachable => match lines(&target.relies_on) {
            relies_on if relies_on.is_empty() => "no input leads there".to_owned(),
            relies_on => format!("no input leads there; relies on {relies_on}"),
        },
        TargetStatus::Open => {
            let nearest = target.nearest.as_ref().map(|it| format!("nearest: {} is {}", place(&it.place), it.never));
            let hidden = lines(&target.hidden_by);
            let hidden = (!hidden.is_empty()).then(|| format!("may be hidden by {hidden}"));
            nearest.into_iter().chain(hidden).collect::<Vec<_>>().join("; ")
        }
    }
}

fn place(place: &Place) -> String {
    match place.file.is_empty() {
        true => format!("a branch in `{}`", place.function),
        false => format!("{}:{}", place.file, place.line),
    }
}

fn lines(lines: &[LedgerLine]) -> String {
    let line = |line: &LedgerLine| match (line.place.file.is_empty(), line.detail.is_empty()) {
        (true, true) => line.kind.clone(),
        (true, false) => format!("{}: {}", line.kind, line.detail),
        (false, _) => format!("{} at {}", line.kind, place(&line.place)),
    };
    lines.iter().map(line).collect::<Vec<_>>().join(", ")
}
