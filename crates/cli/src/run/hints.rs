//! What may be missing as a precondition where a bug shows only for inputs of certain shapes.

use super::watcher::Watcher;
use spelunk_report::suite::{StoreError, Summary, TestCase, Types, precondition};

/// So many tests are looked at.
const MAX_TESTS: u64 = 4000;

/// Says it for each bug of a function that is tested without any condition on its input.
pub fn add(summary: &mut Summary, watcher: &Watcher<'_>, types: &Types) -> Result<(), StoreError> {
    let is_free = |setup: &spelunk_report::suite::UnitSetup| setup.assume.is_empty() && setup.sequence.is_empty();
    if summary.bugs.is_empty() || !watcher.unit().is_some_and(is_free) {
        return Ok(());
    }
    let numbers = (1..=watcher.store.n_tests()).take(MAX_TESTS as usize);
    let tests = numbers.map(|number| watcher.store.read_test(number)).collect::<Result<Vec<TestCase>, _>>()?;
    for bug in &mut summary.bugs {
        bug.precondition = precondition::missing(&tests, types, bug);
    }
    Ok(())
}
