//! A command that tests several functions: each has a campaign and its share of the time.

use super::args::Format;
use super::budget::Budget;
use super::campaign::{Campaign, NativeRuns, Ran};
use super::settings::directory_of;
use super::subject::Subject;
use super::{budget, figures, refuse};
use crate::exit;
use spelunk_deadline::Deadline;
use spelunk_report::suite::store::write_recipe_in;
use spelunk_report::suite::{Index, IndexEntry, StoreError};
use std::path::Path;
use std::time::Duration;

pub fn run(campaign: &Campaign<'_>, subjects: &[Subject], dir: &Path) -> u8 {
    let mut index = match begin(campaign, subjects, dir) {
        Ok(index) => index,
        Err(error) => return refuse(&error),
    };
    let (native_runs, exploring) = plan(campaign, subjects.len());
    let mut code = 0;
    for (number, subject) in subjects.iter().enumerate() {
        let place = directory_of(&subject.entry);
        if exploring.is_over() {
            break;
        }
        if is_done(&index, &place) {
            continue;
        }
        if campaign.args.format == Format::Human {
            anstream::println!("== {} ({} of {})", subject.entry, number + 1, subjects.len());
        }
        campaign.line.name(format!("{} of {}, {}: ", number + 1, subjects.len(), subject.entry));
        // What one leaves of its share is for those after it.
        let share = share(&exploring, subjects.len() - number);
        let entry = IndexEntry { entry: subject.entry.clone(), directory: place.clone(), ..IndexEntry::default() };
        let entry = IndexEntry { stopped: "unfinished".to_owned(), ..entry };
        let written = enter(&mut index, entry, dir);
        let ran = written
            .map_err(|error| refuse(&error))
            .and_then(|()| campaign.run(subject, &dir.join(&place), share, native_runs));
        match ran {
            Ok(Ran { summary, code: of_one }) => {
                code = code.max(of_one);
                if let Err(error) = enter(&mut index, IndexEntry::new(&place, &summary), dir) {
                    return refuse(&error);
                }
            }
            Err(of_one) => code = code.max(of_one),
        }
    }
    if native_runs == NativeRuns::Later
        && let Err(error) = confirm(campaign, subjects, &mut index, dir)
    {
        return refuse(&error);
    }
    index.unfinished = false;
    if let Err(error) = index.write(dir) {
        return refuse(&error);
    }
    if campaign.args.format == Format::Human {
        show(&index, campaign.deadline.over().map(budget::why), dir);
    }
    if index.campaigns.iter().any(|entry| entry.bugs > 0) { code.max(exit::FOUND) } else { code }
}

/// The index of a command that goes on, or of one that begins.
fn begin(campaign: &Campaign<'_>, subjects: &[Subject], dir: &Path) -> Result<Index, StoreError> {
    let known = Index::read(dir)?;
    if campaign.args.resume.is_none() && (known.is_some() || dir.join("tests").exists()) {
        return Err(StoreError::InUse { path: dir.to_owned() });
    }
    std::fs::create_dir_all(dir).map_err(|source| StoreError::Write { path: dir.to_owned(), source })?;
    write_recipe_in(dir, campaign.recipe)?;
    let index = known.unwrap_or_else(|| Index::new(subjects.len() as u64));
    let index = Index { unfinished: true, ..index };
    index.write(dir)?;
    Ok(index)
}

/// When tests are run natively, and until when functions are explored. If there is no time to build something for each, the bugs
/// of all are confirmed after the last.
fn plan(campaign: &Campaign<'_>, n_subjects: usize) -> (NativeRuns, Deadline) {
    let (native_runs, deadline) = (campaign.native_runs(), campaign.deadline.clone());
    let is_enough = |left: Duration| left / n_subjects as u32 >= 2 * campaign.native_build;
    if native_runs == NativeRuns::Never || deadline.left().is_none_or(is_enough) {
        return (native_runs, deadline);
    }
    (NativeRuns::Later, Budget::new(deadline, Some(campaign.native_build)).exploring())
}

/// Runs the tests of functions that have bugs, as long as there is time.
fn confirm(campaign: &Campaign<'_>, subjects: &[Subject], index: &mut Index, dir: &Path) -> Result<(), StoreError> {
    for subject in subjects {
        let place = directory_of(&subject.entry);
        let has_bugs = |entry: &IndexEntry| entry.directory == place && entry.bugs > entry.confirmed;
        if campaign.deadline.is_over() || !index.campaigns.iter().any(has_bugs) {
            continue;
        }
        campaign.line.name(format!("{}: ", subject.entry));
        let summary = campaign.confirm_later(subject, &dir.join(&place))?;
        enter(index, IndexEntry::new(&place, &summary), dir)?;
    }
    Ok(())
}

/// Whether nothing more would come of exploring this one.
fn is_done(index: &Index, place: &Path) -> bool {
    let is_done = |entry: &IndexEntry| matches!(&*entry.stopped, "exhausted" | "bounded" | "incomplete");
    index.campaigns.iter().any(|entry| entry.directory == place && is_done(entry))
}

fn share(whole: &Deadline, n_left: usize) -> Deadline {
    whole.left().map_or_else(|| whole.clone(), |left| whole.within(left / n_left as u32))
}

fn enter(index: &mut Index, entry: IndexEntry, dir: &Path) -> Result<(), StoreError> {
    index.enter(entry);
    index.write(dir)
}

fn show(index: &Index, over: Option<&str>, dir: &Path) {
    let width = index.campaigns.iter().map(|entry| entry.entry.len()).max().unwrap_or(0).max("function".len());
    anstream::println!(
        "\n{:<width$} {:>8} {:>5} {:>10} {:>8} {:>9}  stopped",
        "function",
        "paths",
        "bugs",
        "confirmed",
        "lines",
        "branches"
    );
    for entry in &index.campaigns {
        let IndexEntry { entry, paths, bugs, confirmed, lines, branches, stopped, .. } = entry;
        let [lines, branches] = [lines, branches].map(|ratio| figures::percent(*ratio));
        anstream::println!(
            "{entry:<width$} {paths:>8} {bugs:>5} {confirmed:>10} {lines:>8} {branches:>9}  {}",
            figures::why_stopped(stopped)
        );
    }
    let n_tested = index.campaigns.len() as u64;
    match index.functions.saturating_sub(n_tested) {
        0 => anstream::println!("{n_tested} functions tested, in {}", dir.display()),
        n_left => anstream::println!(
            "{n_tested} of {} functions tested, in {}; {n_left} were not: {}; go on with spelunk run --resume {}",
            index.functions,
            dir.display(),
            over.unwrap_or("an error ended the command"),
            dir.display()
        ),
    }
}
