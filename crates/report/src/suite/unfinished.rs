//! The account of a campaign that was killed: what its tests say.

use super::class::Class;
use super::summary::{BugEntry, Status, Summary};
use super::test_case::{End, TestCase, VERSION};
use super::{Store, StoreError};

/// Why a campaign ended that has not.
pub const UNFINISHED: &str = "unfinished";

/// What a campaign does in the beginning.
pub const EXPLORING: &str = "exploring";

/// Of a directory that has no summary.
pub fn summary(store: &Store) -> Result<Summary, StoreError> {
    let recipe = store.read_recipe()?;
    let first = store.numbers()?.first().map(|&number| store.read_test(number)).transpose()?;
    Ok(Summary {
        loops: None,
        version: VERSION,
        entry: first.map(|test| test.entry).unwrap_or_default(),
        sources: recipe.sources.iter().map(|source| source.display().to_string()).collect(),
        stopped: UNFINISHED.to_owned(),
        unfinished: Some(EXPLORING.to_owned()),
        ..Summary::default()
    })
}

/// Makes the account one of the tests that are there: it was written before the last of them, and they may have other
/// numbers now.
pub fn recount(store: &Store, summary: &mut Summary) -> Result<(), StoreError> {
    let known = std::mem::take(&mut summary.bugs);
    let mut sizes = Vec::new();
    let numbers = store.numbers()?;
    for &number in &numbers {
        let test = store.read_test(number)?;
        let End::Bug { bug: kind, message, place } = &test.end else { continue };
        let is_it = |bug: &BugEntry| bug.kind == *kind && bug.place == *place;
        let size = size_of(&test);
        if let Some(at) = summary.bugs.iter().position(is_it) {
            let bug = &mut summary.bugs[at];
            bug.hits += 1;
            if size < sizes[at] {
                (bug.test, sizes[at]) = (number, size);
            }
            continue;
        }
        let told = known.iter().find(|bug| is_it(bug));
        summary.bugs.push(BugEntry {
            kind: kind.clone(),
            class: told.map_or_else(|| Class::of_kind(kind), |bug| bug.class),
            place: place.clone(),
            message: message.clone(),
            status: Status::Unconfirmed,
            reason: None,
            precondition: told.and_then(|bug| bug.precondition.clone()),
            precondition_rules: told.and_then(|bug| bug.precondition_rules.clone()),
            precondition_param: told.and_then(|bug| bug.precondition_param.clone()),
            calls: told.and_then(|bug| bug.calls.clone()),
            cause: None,
            test: number,
            hits: 1,
            stack: told.map_or_else(|| vec![place.clone()], |bug| bug.stack.clone()),
            notes: told.map(|bug| bug.notes.clone()).unwrap_or_default(),
        });
        sizes.push(size);
    }
    if numbers.is_empty() {
        // Tests may not be wanted.
        summary.bugs = known;
    }
    summary.count_classes();
    summary.tests = numbers.len() as u64;
    summary.paths = summary.paths.max(summary.tests);
    summary.replay = None;
    summary.kept = None;
    Ok(())
}

fn size_of(test: &TestCase) -> usize {
    test.input.iter().map(|object| object.bytes.len()).sum()
}
