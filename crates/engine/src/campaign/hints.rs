//! What may be missing as a precondition where a finding shows only for inputs of certain shapes.

use super::budget;
use super::watcher::Watcher;
use spelunk_deadline::{Deadline, Over};
use spelunk_explore::campaign::Outcome;
use spelunk_report::suite::precondition::{self, Compared, Precondition};
use spelunk_report::suite::summary::BugEntry;
use spelunk_report::suite::{StoreError, Summary, TestCase, Types};
use std::collections::BTreeSet;

/// Paths of a function that is tested without any condition on its input, as tests. They are taken down before smaller inputs
/// are looked for: these differ from the inputs of other tests in more than what matters.
pub struct Hints {
    tests: Vec<TestCase>,
}

impl Hints {
    pub fn gather(watcher: &mut Watcher<'_>) -> Self {
        Self { tests: std::mem::take(&mut watcher.samples) }
    }

    /// Says it for each finding, whose smallest input has to be of the same shape. Findings at one place that lack the same are
    /// one. Returns whether there was no time for it.
    pub fn add(
        &self,
        summary: &mut Summary,
        watcher: &mut Watcher<'_>,
        outcome: &Outcome,
        types: &Types,
        deadline: &Deadline,
    ) -> Result<Option<String>, StoreError> {
        let mut is_complete = true;
        if !self.tests.is_empty() {
            let shown = summary.bugs.iter().filter(|bug| bug.test != 0);
            let smallest = shown.map(|bug| watcher.store.read_test(bug.test)).collect::<Result<Vec<TestCase>, _>>()?;
            let tests = self.tests.iter().chain(&smallest);
            let compared = Compared::new(tests.clone(), types);
            for bug in summary.bugs.iter_mut().filter(|bug| bug.test != 0) {
                is_complete &= !deadline.is_over();
                if !is_complete {
                    break;
                }
                let of_size = precondition::of_size(tests.clone(), types, bug);
                bug.set_precondition(of_size.or_else(|| compared.missing(bug)));
            }
        }
        merge(summary, watcher, outcome);
        let over = deadline.over().unwrap_or(Over::Time);
        Ok((!is_complete).then(|| format!("looking for preconditions: {}", budget::why(over))))
    }
}

/// Makes one of findings at a place that all lack a precondition.
fn merge(summary: &mut Summary, watcher: &mut Watcher<'_>, outcome: &Outcome) {
    let places = watcher.bugs.entries().zip(&summary.bugs).filter(|(_, bug)| bug.precondition.is_some());
    let places: BTreeSet<_> = places.map(|(((key, _), _), _)| key).collect();
    let n_before = watcher.bugs.len();
    places.into_iter().for_each(|key| watcher.bugs.merge_all_at(key));
    if watcher.bugs.len() == n_before {
        return;
    }
    let before = std::mem::replace(&mut summary.bugs, watcher.summary(outcome).bugs);
    for bug in &mut summary.bugs {
        let same = before.iter().find(|other| other.test == bug.test && other.place == bug.place);
        let known = |same: &BugEntry| {
            let (rules, param) = (same.precondition_rules.clone(), same.precondition_param.clone());
            Some(Precondition { text: same.precondition.clone()?, rules, param })
        };
        bug.set_precondition(same.and_then(known));
    }
}
