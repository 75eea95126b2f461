//! The bugs of a campaign for a person: those that a native run confirms, and apart from them the others.

use crate::output;
use crate::replay::show_mismatches;
use spelunk_engine::Ended;
use spelunk_engine::campaign::{FoundBug, Shown};
use spelunk_report::picture::Picture;
use spelunk_report::suite::Store;
use spelunk_report::suite::precondition::as_rules;
use spelunk_report::suite::summary::{BugEntry, Status};

/// How many lines of a picture are shown.
const PICTURE_LINES: usize = 40;

pub fn show(ended: &Ended) {
    let Ended { store, summary, bugs, pictures, .. } = ended;
    let show_all = |status: Status| {
        let all = bugs.iter().zip(&summary.bugs);
        for (found, entry) in all.filter(|(_, entry)| entry.status == status) {
            show_bug(store, found, entry);
            match pictures.get(&entry.test) {
                Some(Shown::Picture(picture)) => {
                    let more = format!("spelunk show {} --test {}", store.dir().display(), entry.test);
                    show_picture(picture, &more);
                }
                Some(Shown::Code(lines)) => lines.iter().for_each(|line| anstream::eprintln!("    {line}")),
                None => {}
            }
            if let Some(condition) = &entry.precondition {
                anstream::eprintln!(
                    "  note: every input that shows it violates `{condition}`, which all that show no bug satisfy;"
                );
                let rules = as_rules(condition).map(|rules| format!(", or in a file for --hex: `{rules}`"));
                let rules = rules.unwrap_or_default();
                anstream::eprintln!("  if the function may expect that, write it down with --assume{rules}");
            }
        }
    };
    show_all(Status::Confirmed);
    if summary.bugs.iter().any(|bug| bug.status == Status::Conditional) {
        anstream::eprintln!("Conditional, since they depend on functions that are not defined:");
    }
    show_all(Status::Conditional);
    if summary.replay.is_some() && summary.bugs.iter().any(|bug| bug.status == Status::Unconfirmed) {
        anstream::eprintln!("Unconfirmed, since no native run shows them:");
    }
    show_all(Status::Unconfirmed);
    show_mismatches(summary);
    if let Some(problem) = summary.replay.as_ref().and_then(|replay| replay.problem.as_ref()) {
        anstream::eprintln!("note: the tests were not run natively: {problem}");
    }
}

fn show_bug(store: &Store, found: &FoundBug, entry: &BugEntry) {
    output::show(std::slice::from_ref(&found.diagnostic));
    let paths = match found.n_paths {
        1 => String::new(),
        hits => format!("{hits} paths end here"),
    };
    match entry.test {
        0 if paths.is_empty() => {}
        0 => anstream::eprintln!("  {paths}"),
        test => {
            let paths = if paths.is_empty() { paths } else { format!(" ({paths})") };
            anstream::eprintln!("  shown by {}{paths}", store.test_path(test).display());
        }
    }
    if let Some(reason) = &entry.reason {
        let status = if entry.status == Status::Conditional { "conditional" } else { "unconfirmed" };
        anstream::eprintln!("  {status}: {reason}");
    }
}

/// Draws a picture; what is too much of it is left to another command.
fn show_picture(picture: &Picture, more: &str) {
    let drawn = output::picture(picture, "    ");
    let lines: Vec<&str> = drawn.lines().collect();
    for line in &lines[..lines.len().min(PICTURE_LINES)] {
        anstream::eprintln!("{line}");
    }
    if lines.len() > PICTURE_LINES {
        anstream::eprintln!("    … {} more lines: {more}", lines.len() - PICTURE_LINES);
    }
}
