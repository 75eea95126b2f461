//! What the tests that show bugs are given, as pictures.

use spelunk_report::picture::{Picture, svg};
use spelunk_report::suite::summary::BugEntry;
use spelunk_report::suite::{Store, StoreError, Types};
use std::collections::BTreeMap;

/// How a test is shown.
#[derive(Debug)]
pub enum Shown {
    Picture(Picture),
    /// A sequence of calls is clearer as such.
    Code(Vec<String>),
}

/// Writes a picture for each test that shows a bug and is given more than bytes. Returns them by the tests' numbers.
pub fn write(store: &Store, bugs: &[BugEntry], types: &Types) -> Result<BTreeMap<u64, Shown>, StoreError> {
    let mut pictures = BTreeMap::new();
    for bug in bugs.iter().filter(|bug| bug.test > 0) {
        let test = store.read_test(bug.test)?;
        if test.unit.is_some() {
            let picture = Picture::new(&test, types);
            store.write_picture(bug.test, &svg(&picture))?;
            pictures
                .insert(bug.test, if test.code.is_empty() { Shown::Picture(picture) } else { Shown::Code(test.code) });
        }
    }
    Ok(pictures)
}
