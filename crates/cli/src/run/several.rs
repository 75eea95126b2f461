//! The account of campaigns for one function each.

use super::args::Format;
use super::show::Show;
use super::{figures, targets};
use crate::exit;
use crate::output::counted;
use spelunk_engine::Deadline;
use spelunk_engine::campaign::{Several, budget};
use spelunk_report::suite::summary::TargetEntry;
use spelunk_report::suite::summary::few;
use spelunk_report::suite::{Campaign, Class, Index, IndexEntry};
use std::path::Path;

/// Shows what came of all, and returns the exit code. `entered` are functions that were tested through others only.
pub fn account(show: &Show, several: &Several, entered: &[String], deadline: &Deadline, dir: &Path) -> u8 {
    if show.format == Format::Human {
        table(&several.index, entered, deadline.over().map(budget::why), dir);
        if several.unconfirmed > 0 {
            let n = counted(several.unconfirmed as u64, "function");
            let why = deadline.over().map_or("not done", budget::why);
            anstream::println!(
                "findings of {n} were not all run natively: {why}; run spelunk replay {}/FUNCTION",
                dir.display()
            );
        }
        targets::show_all(&targets_of(&several.index, dir));
    }
    // A command that goes on has findings of functions that it does not test again.
    let has = |class: Class| {
        several.index.campaigns.iter().any(|entry| entry.findings.get(class.slug()).is_some_and(|&n| n > 0))
    };
    exit::worse(show.code.get(), exit::of_findings(has))
}

/// What became of the targets of all functions together, each with the function that leads there.
fn targets_of(index: &Index, dir: &Path) -> Vec<(TargetEntry, String)> {
    let mut all: Vec<(TargetEntry, String)> = Vec::new();
    for IndexEntry { entry, directory, .. } in &index.campaigns {
        let Ok(campaign) = Campaign::open(&dir.join(directory)) else { continue };
        for target in campaign.summary.targets {
            match all.iter_mut().find(|(known, _)| known.target == target.target && known.place == target.place) {
                Some(known) if targets::is_better(target.status, known.0.status) => *known = (target, entry.clone()),
                Some(_) => {}
                None => all.push((target, entry.clone())),
            }
        }
    }
    all
}

fn table(index: &Index, entered: &[String], over: Option<&str>, dir: &Path) {
    let width = index.campaigns.iter().map(|entry| entry.entry.len()).max().unwrap_or(0).max("function".len());
    anstream::println!(
        "\n{:<width$} {:>8} {:>5} {:>6} {:>10} {:>8} {:>9}  stopped",
        "function",
        "paths",
        "bugs",
        "others",
        "confirmed",
        "lines",
        "branches"
    );
    for entry in &index.campaigns {
        let IndexEntry { entry, paths, bugs: n_findings, confirmed, findings, lines, branches, stopped, .. } = entry;
        let bugs = findings.get(Class::Bug.slug()).copied().unwrap_or(0);
        let others = n_findings.saturating_sub(bugs);
        let [lines, branches] = [lines, branches].map(|ratio| figures::percent(*ratio));
        anstream::println!(
            "{entry:<width$} {paths:>8} {bugs:>5} {others:>6} {confirmed:>10} {lines:>8} {branches:>9}  {}",
            figures::why_stopped(stopped)
        );
    }
    if !entered.is_empty() {
        let n = counted(entered.len() as u64, "static function");
        anstream::println!("{n} tested only through callers: {}", few(entered));
        anstream::println!("test one by itself with --entry {}", entered[0]);
    }
    let n_tested = index.n_tested();
    match index.functions.saturating_sub(n_tested) {
        0 => anstream::println!("{} tested, in {}", counted(n_tested, "function"), dir.display()),
        n_left => anstream::println!(
            "{n_tested} of {} functions tested, in {}; {n_left} were not: {}; go on with spelunk run --resume {}",
            index.functions,
            dir.display(),
            over.unwrap_or("an error ended the command"),
            dir.display()
        ),
    }
}
