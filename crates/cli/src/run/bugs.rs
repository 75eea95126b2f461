//! The findings of a campaign for a person, by class: those that a native run confirms first.

use crate::output;
use crate::replay::show_mismatches;
use spelunk_engine::Ended;
use spelunk_engine::campaign::{FoundBug, Shown};
use spelunk_report::picture::Picture;
use spelunk_report::suite::summary::{BugEntry, Status};
use spelunk_report::suite::{Class, Summary};

/// How many lines of a picture are shown.
const PICTURE_LINES: usize = 40;

/// From so many paths on it is worth a word that most end at one place.
const MANY_PATHS: u64 = 20;

pub fn show(ended: &Ended) {
    let Ended { summary, .. } = ended;
    let findings: Vec<(&FoundBug, &BugEntry)> = ended.bugs.iter().zip(&summary.bugs).collect();
    for class in Class::ALL {
        let of_class: Vec<_> = findings.iter().filter(|(_, entry)| entry.class == class).collect();
        // Where there are only bugs, nothing needs to be told apart.
        if !of_class.is_empty() && class != Class::Bug {
            anstream::println!("{}:", class.heading());
        }
        for status in [Status::Confirmed, Status::Conditional, Status::Unconfirmed] {
            for (found, entry) in of_class.iter().filter(|(_, entry)| entry.status == status) {
                show_finding(ended, found, entry);
            }
        }
    }
    show_mismatches(summary);
    if let Some(problem) = summary.replay.as_ref().and_then(|replay| replay.problem.as_ref()) {
        anstream::eprintln!("note: the tests were not run natively: {problem}");
    }
}

fn show_finding(ended: &Ended, found: &FoundBug, entry: &BugEntry) {
    let Ended { store, summary, pictures, .. } = ended;
    show_bug(ended, found, entry);
    match pictures.get(&entry.test) {
        Some(Shown::Picture(picture)) => {
            let more = format!("spelunk show {} --test {}", store.dir().display(), entry.test);
            show_picture(picture, &more);
        }
        Some(Shown::Code(lines)) => lines.iter().for_each(|line| anstream::println!("    {line}")),
        None => {}
    }
    if let Some(condition) = &entry.precondition {
        let rules = entry.precondition_rules.as_ref().map(|rules| format!("a --hex file with `{rules}`"));
        let ways: Vec<String> =
            ["--assume".to_owned()].into_iter().chain(entry.precondition_param.clone()).chain(rules).collect();
        let (last, others) = ways.split_last().expect("one at least");
        let others = if others.is_empty() { String::new() } else { format!("{} or ", others.join(", ")) };
        anstream::println!("  only inputs that violate `{condition}` show this;");
        anstream::println!("  if callers never pass such inputs, say so with {others}{last}");
    }
    entry.calls.iter().for_each(|calls| anstream::println!("  {calls}"));
    if let Some(note) = summary.of_callers() {
        anstream::println!("  {note}");
    }
}

fn show_bug(ended: &Ended, found: &FoundBug, entry: &BugEntry) {
    let Ended { store, summary, .. } = ended;
    let n_all_paths = summary.paths;
    output::show_finding(&found.diagnostic, entry.class);
    let paths = match found.n_paths {
        1 => String::new(),
        hits => format!("{hits} paths end here"),
    };
    match entry.test {
        0 if paths.is_empty() => {}
        0 => anstream::println!("  {paths}"),
        test => {
            let paths = if paths.is_empty() { paths } else { format!(" ({paths})") };
            anstream::println!("  shown by {}{paths}", store.test_path(test).display());
        }
    }
    if found.n_paths >= MANY_PATHS && 2 * found.n_paths > n_all_paths {
        anstream::println!(
            "  most paths ({} of {n_all_paths}) end here, and nothing behind it was explored on them:",
            found.n_paths
        );
        anstream::println!("  fix it, or exclude its inputs with --assume or --param, and run again");
    }
    if let Some(reason) = &entry.reason {
        let status = match entry.status {
            Status::Confirmed => "confirmed",
            Status::Conditional => "conditional",
            Status::Unconfirmed => unconfirmed(summary),
        };
        anstream::println!("  {status}: {reason}");
    }
}

/// Whether native runs were made.
pub fn were_run(summary: &Summary) -> bool {
    summary.replay.as_ref().is_some_and(|replay| replay.problem.is_none())
}

/// What is said of findings that no native run has shown.
pub fn unconfirmed(summary: &Summary) -> &'static str {
    if were_run(summary) { "not reproduced natively" } else { "not run natively" }
}

/// Draws a picture; what is too much of it is left to another command.
fn show_picture(picture: &Picture, more: &str) {
    let drawn = output::picture(picture, "    ");
    let lines: Vec<&str> = drawn.lines().collect();
    for line in &lines[..lines.len().min(PICTURE_LINES)] {
        anstream::println!("{line}");
    }
    if lines.len() > PICTURE_LINES {
        anstream::println!("    … {} more lines: {more}", lines.len() - PICTURE_LINES);
    }
}
