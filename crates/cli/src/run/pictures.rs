//! What the tests that show bugs are given, as pictures.

use super::watcher::Watcher;
use spelunk_report::picture::{Picture, svg};
use spelunk_report::suite::{StoreError, Types};
use std::collections::BTreeMap;

/// How a test is shown.
pub enum Shown {
    Picture(Picture),
    /// A sequence of calls is clearer as such.
    Code(Vec<String>),
}

/// Writes a picture for each test that shows a bug and is given more than bytes. Returns them by the tests' numbers.
pub fn write(watcher: &Watcher<'_>, types: &Types) -> Result<BTreeMap<u64, Shown>, StoreError> {
    let mut pictures = BTreeMap::new();
    for record in watcher.bugs.iter().filter(|record| record.test > 0) {
        let test = watcher.store.read_test(record.test)?;
        if test.unit.is_some() {
            let picture = Picture::new(&test, types);
            watcher.store.write_picture(record.test, &svg(&picture))?;
            pictures.insert(
                record.test,
                if test.code.is_empty() { Shown::Picture(picture) } else { Shown::Code(test.code) },
            );
        }
    }
    Ok(pictures)
}
