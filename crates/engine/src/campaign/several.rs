//! A plan that tests several functions: each has a campaign and its share of the time.

use std::path::Path;
use std::time::Duration;

use spelunk_deadline::Deadline;
use spelunk_report::suite::store::write_recipe_in;
use spelunk_report::suite::{Campaign as OnDisk, Index, IndexEntry, StoreError, Summary, unfinished};

use super::budget::Budget;
use super::{Beginning, Campaign, NativeRuns};
use crate::plan::directory_of;
use crate::replay::{PHASE as NATIVE_RUNS, confirm};
use crate::subject::Subject;
use crate::targets::TargetError;
use crate::{Ended, EngineError};

/// What comes of campaigns for several functions.
#[derive(Debug)]
pub struct Several {
    pub index: Index,
    /// Those that could not be, by the function: others were none the less.
    pub refused: Vec<(String, EngineError)>,
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
        let mut several = Several { index: self.begin_all(subjects, dir)?, refused: Vec::new(), has_failed: false };
        let (native_runs, exploring) = self.times(subjects.len());
        for (number, subject) in subjects.iter().enumerate() {
            let place = directory_of(&subject.entry);
            if exploring.is_over() {
                break;
            }
            if is_done(&several.index, place) {
                continue;
            }
            self.observer.subject(&subject.entry, number + 1, subjects.len());
            // What one leaves of its share is for those after it.
            let share = share(&exploring, subjects.len() - number);
            let entry = IndexEntry { entry: subject.entry.clone(), directory: place.into(), ..IndexEntry::default() };
            let entry = IndexEntry { stopped: unfinished::UNFINISHED.to_owned(), ..entry };
            let written = enter(&mut several.index, entry, dir).map_err(EngineError::from);
            let ended = written.and_then(|()| self.run_within(subject, &dir.join(place), &share, native_runs));
            self.observer.ended(ended.as_ref());
            match ended {
                Ok(Ended { summary, has_failed, .. }) => {
                    several.has_failed |= has_failed;
                    enter(&mut several.index, IndexEntry::new(place, &summary), dir)?;
                }
                Err(error) => several.refused.push((subject.entry.clone(), error)),
            }
        }
        if native_runs == NativeRuns::Later {
            self.confirm_all(subjects, &mut several.index, dir)?;
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
        let index = known.unwrap_or_else(|| Index::new(subjects.len() as u64));
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
        (NativeRuns::Later, Budget::new(deadline, Some(self.native_build)).exploring())
    }

    /// Runs the tests of functions that have bugs, as long as there is time.
    fn confirm_all(&self, subjects: &[Subject], index: &mut Index, dir: &Path) -> Result<(), StoreError> {
        let has_bugs = |subject: &&Subject| {
            let place = directory_of(&subject.entry);
            index.campaigns.iter().any(|entry| entry.directory == place && entry.bugs > entry.confirmed)
        };
        let chosen: Vec<&Subject> = subjects.iter().filter(has_bugs).collect();
        for (number, subject) in chosen.iter().enumerate() {
            if self.deadline.is_over() {
                break;
            }
            self.observer.confirming(&subject.entry);
            let place = directory_of(&subject.entry);
            // One with many tests must not take the time of those after it.
            let share = share(&self.deadline, chosen.len() - number);
            let summary = self.confirm_later(subject, &dir.join(place), &share)?;
            enter(index, IndexEntry::new(place, &summary), dir)?;
        }
        Ok(())
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

fn share(whole: &Deadline, n_left: usize) -> Deadline {
    whole.left().map_or_else(|| whole.clone(), |left| whole.within(left / n_left as u32))
}

fn enter(index: &mut Index, entry: IndexEntry, dir: &Path) -> Result<(), StoreError> {
    index.enter(entry);
    index.write(dir)
}
