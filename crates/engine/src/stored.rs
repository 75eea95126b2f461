//! The tests that a directory holds. A path of a million decisions takes megabytes, so reading looks at the time, and keeps the
//! decisions only where someone asks for them.

use crate::EngineError;
use spelunk_concolic::Input;
use spelunk_deadline::Deadline;
use spelunk_report::suite::{Store, StoreError, TestCase};

/// The tests of a campaign that were chosen, all if none was.
pub fn read_tests(store: &Store, chosen: &[u64], deadline: &Deadline) -> Result<Vec<(u64, TestCase)>, EngineError> {
    read(store, chosen, deadline, |test| test)
}

/// The same without the decisions on their paths, which native runs know nothing of.
pub(crate) fn read_without_decisions(
    store: &Store,
    chosen: &[u64],
    deadline: &Deadline,
) -> Result<Vec<(u64, TestCase)>, EngineError> {
    read(store, chosen, deadline, |test| TestCase { decisions: Vec::new(), ..test })
}

fn read(
    store: &Store,
    chosen: &[u64],
    deadline: &Deadline,
    part: impl Fn(TestCase) -> TestCase,
) -> Result<Vec<(u64, TestCase)>, EngineError> {
    let numbers = store.numbers()?;
    if let Some(&number) = chosen.iter().find(|number| !numbers.contains(number)) {
        return Err(EngineError::NoSuchTest { dir: store.dir().to_owned(), number });
    }
    if numbers.is_empty() {
        return Err(EngineError::NoTests { dir: store.dir().to_owned() });
    }
    let chosen = if chosen.is_empty() { &numbers } else { chosen };
    let read = |&number: &u64| match deadline.over() {
        Some(over) => Err(EngineError::Over(over)),
        None => Ok((number, part(store.read_test(number)?))),
    };
    chosen.iter().map(read).collect()
}

/// What all tests of a campaign are given; of as many as there is time for.
pub(crate) fn read_inputs(store: &Store, deadline: &Deadline) -> Result<Vec<Input>, StoreError> {
    let numbers = store.numbers()?.into_iter().take_while(|_| !deadline.is_over());
    numbers.map(|number| Ok(store.read_test(number)?.input())).collect()
}
