//! A plan that tests several functions: each has a campaign and its share of the time.

use std::path::Path;
use std::time::Duration;

use spelunk_concolic::failure;
use spelunk_deadline::Deadline;
use spelunk_report::suite::store::write_recipe_in;
use spelunk_report::suite::{Campaign as OnDisk, Class, Index, IndexEntry, StoreError, Summary, unfinished};

use super::budget::Budget;
use super::calls::Calls;
use super::{Beginning, Campaign, NativeRuns};
use crate::plan::directory_of;
use crate::replay::{PHASE as NATIVE_RUNS, confirm};
use crate::subject::Subject;
use crate::targets::TargetError;
use crate::{Ended, EngineError};

/// Findings of all functions are confirmed in at most this part of the time, one of so many.
const CONFIRMING_PARTS: u32 = 4;

/// The calls of a structure's functions have as much to explore as several functions.
const SHARES_OF_CALLS: usize = 3;

/// What comes of campaigns for several functions.
#[derive(Debug)]
pub struct Several {
    pub index: Index,
    /// Those that could not be, by the function: others were none the less.
    pub refused: Vec<(String, EngineError)>,
    /// How many have findings that there was no time to run natively.
    pub unconfirmed: usize,
    /// Whether an error of our own was met.
    pub has_failed: bool,
}

impl Campaign<'_> {
    /// Explores all subjects of the program one after another, each in a directory of its own in this one. The observer is
    /// told of each.
    pub fn run_all(&self, dir: &Path) -> Result<Several, EngineError> {
        let loaded = self.program.loaded();
        let leads_there = |subject: &&Subject| self.program.wanted().are_in_reach(loaded, subject);
        let subjects: Vec<Subject> = self.program.subjects().iter().filter(leads_there).cloned().collect();
        let subjects = &subjects[..];
        if subjects.is_empty() {
            return Err(TargetError::OutOfReach.into());
        }
        let mut several =
            Several { index: self.begin_all(subjects, dir)?, refused: Vec::new(), unconfirmed: 0, has_failed: false };
        let (native_runs, exploring) = self.times(subjects.len());
        let mut calls: Vec<Calls> = Vec::new();
        for (number, subject) in subjects.iter().enumerate() {
            let place = directory_of(&subject.entry);
            if exploring.is_over() {
                break;
            }
            if is_done(&several.index, place) {
                calls.extend(Calls::read(&dir.join(place), subject)?);
                continue;
            }
            self.observer.subject(&subject.entry, number + 1, subjects.len());
            // What one leaves of its share is for those after it.
            let weight = |subject: &Subject| if subject.structure.is_some() { SHARES_OF_CALLS } else { 1 };
            let n_left = subjects[number..].iter().map(weight).sum::<usize>();
            let share = share(&exploring, n_left as f64 / weight(subject) as f64, Duration::ZERO);
            let entry = IndexEntry { entry: subject.entry.clone(), directory: place.into(), ..IndexEntry::default() };
            let entry = IndexEntry { stopped: unfinished::UNFINISHED.to_owned(), ..entry };
            let written = enter(&mut several.index, entry, dir).map_err(EngineError::from);
            let run = || {
                failure::pass("campaign");
                self.run_within(subject, &dir.join(place), &share, native_runs, &calls)
            };
            // An error of ours costs this function, and not the others.
            let run = || failure::catch(run).unwrap_or_else(|what| Err(EngineError::Internal(what)));
            let ended = written.and_then(|()| run());
            self.observer.ended(ended.as_ref());
            match ended {
                Ok(Ended { summary, has_failed, .. }) => {
                    several.has_failed |= has_failed;
                    enter(&mut several.index, IndexEntry::new(place, &summary), dir)?;
                    calls.extend(Calls::read(&dir.join(place), subject)?);
                }
                Err(error) => {
                    several.has_failed |= matches!(error, EngineError::Internal(_));
                    several.refused.push((subject.entry.clone(), error));
                }
            }
        }
        if native_runs == NativeRuns::Later {
            several.unconfirmed = self.confirm_all(subjects, &mut several.index, dir)?;
        }
        several.index.unfinished = false;
        several.index.write(dir)?;
        Ok(several)
    }

    /// The index of campaigns that go on, or of those that begin.
    fn begin_all(&self, subjects: &[Subject], dir: &Path) -> Result<Index, StoreError> {
        let known = Index::read(dir)?;
        if self.beginning == Beginning::New && (known.is_some() || dir.join("tests").exists()) {
            return Err(StoreError::InUse { path: dir.to_owned() });
        }
        std::fs::create_dir_all(dir).map_err(|source| StoreError::Write { path: dir.to_owned(), source })?;
        write_recipe_in(dir, &self.recipe)?;
        let index = known.unwrap_or_else(|| {
            Index::new(subjects.iter().filter(|subject| subject.structure.is_none()).count() as u64)
        });
        let index = Index { unfinished: true, ..index };
        index.write(dir)?;
        Ok(index)
    }

    /// When tests are run natively, and until when functions are explored. If there is no time to build something for each, the
    /// bugs of all are confirmed after the last.
    fn times(&self, n_subjects: usize) -> (NativeRuns, Deadline) {
        let (native_runs, deadline) = (self.native_runs(), self.deadline.clone());
        let is_enough = |left: Duration| left / n_subjects as u32 >= 2 * self.native_build;
        if native_runs == NativeRuns::Never || deadline.left().is_none_or(is_enough) {
            return (native_runs, deadline);
        }
        let of_all = self.native_build * n_subjects as u32;
        let build = of_all.min(deadline.left().unwrap_or_default() / CONFIRMING_PARTS).max(self.native_build);
        (NativeRuns::Later, Budget::new(deadline, Some(build)).exploring())
    }

    /// Runs the tests of functions that have bugs, as long as there is time, those that are bugs for any caller first. Returns how many
    /// functions are left.
    fn confirm_all(&self, subjects: &[Subject], index: &mut Index, dir: &Path) -> Result<usize, StoreError> {
        let entry_of = |subject: &Subject| {
            let place = directory_of(&subject.entry);
            index.campaigns.iter().find(|entry| entry.directory == place)
        };
        let has_bug = |subject: &Subject| {
            entry_of(subject).is_some_and(|entry| entry.findings.get(Class::Bug.slug()).is_some_and(|&n| n > 0))
        };
        let has_findings = |subject: &&Subject| entry_of(subject).is_some_and(|entry| entry.bugs > entry.confirmed);
        let mut chosen: Vec<&Subject> = subjects.iter().filter(has_findings).collect();
        chosen.sort_by_key(|subject| !has_bug(subject));
        let mut n_left = 0;
        for (number, subject) in chosen.iter().enumerate() {
            if self.deadline.is_over() {
                n_left += 1;
                continue;
            }
            self.observer.confirming(&subject.entry);
            let place = directory_of(&subject.entry);
            // One with many tests must not take the time of those after it; but what is too short to build anything helps nobody.
            let share = share(&self.deadline, (chosen.len() - number) as f64, self.native_build);
            let summary = self.confirm_later(subject, &dir.join(place), &share)?;
            n_left += usize::from(summary.not_done.iter().any(|what| what.starts_with(NATIVE_RUNS)));
            enter(index, IndexEntry::new(place, &summary), dir)?;
        }
        Ok(n_left)
    }

    /// Runs the tests of a campaign natively that was to be later.
    fn confirm_later(&self, subject: &Subject, dir: &Path, deadline: &Deadline) -> Result<Summary, StoreError> {
        let OnDisk { store, mut summary, profile, .. } = OnDisk::open(dir)?;
        let recipe = store.read_recipe()?;
        let native = self.program.native(subject, &recipe, self.plan.tests.confinement);
        self.observer.phase(NATIVE_RUNS);
        let not_done = confirm(&store, &native, &profile, &mut summary, deadline, self.observer);
        summary.not_done.retain(|what| !what.starts_with(NATIVE_RUNS));
        summary.not_done.extend(not_done);
        store.write_summary(&summary)?;
        Ok(summary)
    }
}

/// Whether nothing more would come of exploring this one.
fn is_done(index: &Index, place: &Path) -> bool {
    let is_done = |entry: &IndexEntry| matches!(&*entry.stopped, "exhausted" | "bounded" | "incomplete" | "targets");
    index.campaigns.iter().any(|entry| entry.directory == place && is_done(entry))
}

/// What one of so many gets of the time that is left, but no less than `least`.
fn share(whole: &Deadline, n_left: f64, least: Duration) -> Deadline {
    whole.left().map_or_else(|| whole.clone(), |left| whole.within(left.div_f64(n_left).max(least)))
}

fn enter(index: &mut Index, entry: IndexEntry, dir: &Path) -> Result<(), StoreError> {
    index.enter(entry);
    index.write(dir)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_long_enough_to_build_something() {
        let whole = Deadline::default().within(Duration::from_secs(80));
        let left =
            |share: Deadline| share.left().expect("a limit").saturating_sub(Duration::from_millis(100)).as_secs() + 1;
        assert_eq!(left(share(&whole, 8.0, Duration::ZERO)), 10);
        assert_eq!(left(share(&whole, 8.0, Duration::from_secs(20))), 20);
        assert_eq!(left(share(&whole, 8.0, Duration::from_secs(200))), 80);
    }
}
