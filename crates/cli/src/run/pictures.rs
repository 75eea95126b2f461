//! What the tests that show bugs are given, as pictures.

use super::watcher::Watcher;
use spelunk_report::picture::{Picture, svg};
use spelunk_report::suite::{StoreError, Types};
use std::collections::BTreeMap;

/// Writes a picture for each test that shows a bug and is given more than bytes. Returns them by the tests' numbers.
pub fn write(watcher: &Watcher<'_>, types: &Types) -> Result<BTreeMap<u64, Picture>, StoreError> {
    let mut pictures = BTreeMap::new();
    for record in watcher.bugs.iter().filter(|record| record.test > 0) {
        let test = watcher.store.read_test(record.test)?;
        if test.unit.is_some() {
            let picture = Picture::new(&test, types);
            watcher.store.write_picture(record.test, &svg(&picture))?;
            pictures.insert(record.test, picture);
        }
    }
    Ok(pictures)
}
