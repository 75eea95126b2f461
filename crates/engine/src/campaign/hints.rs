//! What may be missing as a precondition where a bug shows only for inputs of certain shapes.

use super::budget;
use super::watcher::Watcher;
use spelunk_deadline::{Deadline, Over};
use spelunk_report::suite::{StoreError, Summary, TestCase, Types, UnitSetup, precondition};

/// So many tests are looked at.
const MAX_TESTS: u64 = 4000;

/// The tests of a function that is tested without any condition on its input. They are taken down before smaller inputs are
/// looked for: these differ from the inputs of other tests in more than what matters.
pub struct Hints {
    tests: Vec<TestCase>,
    /// Whether there was time to read them all.
    is_complete: bool,
}

impl Hints {
    pub fn gather(watcher: &Watcher<'_>, deadline: &Deadline) -> Result<Self, StoreError> {
        let is_free = |setup: &UnitSetup| setup.assume.is_empty() && setup.sequence.is_empty();
        let n_tests = match watcher.unit().is_some_and(is_free) && !watcher.bugs.is_empty() {
            true => watcher.store.n_tests().min(MAX_TESTS),
            false => 0,
        };
        let numbers = (1..=n_tests).take_while(|_| !deadline.is_over());
        let tests: Vec<_> = numbers.map(|number| watcher.store.read_test(number)).collect::<Result<_, _>>()?;
        Ok(Self { is_complete: tests.len() as u64 == n_tests, tests })
    }

    /// Says it for each bug, whose smallest input has to be of the same shape. Returns whether there was no time for it.
    pub fn add(
        &self,
        summary: &mut Summary,
        watcher: &Watcher<'_>,
        types: &Types,
        deadline: &Deadline,
    ) -> Result<Option<String>, StoreError> {
        let mut is_complete = self.is_complete;
        for bug in summary.bugs.iter_mut().filter(|bug| bug.test != 0 && !self.tests.is_empty()) {
            is_complete &= !deadline.is_over();
            if !is_complete {
                break;
            }
            let smallest = watcher.store.read_test(bug.test)?;
            bug.precondition = precondition::missing(self.tests.iter().chain([&smallest]), types, bug);
        }
        let over = deadline.over().unwrap_or(Over::Time);
        Ok((!is_complete).then(|| format!("looking for preconditions: {}", budget::why(over))))
    }
}
