//! The bugs of a campaign: one for each kind of error and instruction, with the simplest input that shows it.

use std::collections::BTreeMap;

use spelunk_concolic::Run;
use spelunk_ir::code::{Image, OpIdx};
use spelunk_vm::{Bug, BugKind, Stop};

#[derive(Clone, Debug)]
pub struct BugRecord {
    pub bug: Bug,
    /// The test that shows it.
    pub test: u64,
    /// How many paths end in it.
    pub hits: u64,
    size: Size,
}

/// How large an input is, and how long its path.
type Size = (usize, usize, usize);

#[derive(Clone, Debug, Default)]
pub struct Bugs {
    by_place: BTreeMap<BugKey, BugRecord>,
}

/// What makes two errors the same bug: the operation and the kind.
pub type BugKey = (OpIdx, BugKind);

impl Bugs {
    /// Enters a path that has ended, if it ended in a bug. Says whether that was not known.
    pub fn add(&mut self, image: &Image, run: &Run, test: u64) -> bool {
        let Stop::Bug(bug) = &run.stop else { return false };
        let size = size_of(run);
        let Some(place) = key(image, &run.stop) else { return false };
        let Some(known) = self.by_place.get_mut(&place) else {
            self.by_place.insert(place, BugRecord { bug: (**bug).clone(), test, hits: 1, size });
            return true;
        };
        known.hits += 1;
        if size < known.size {
            *known = BugRecord { bug: (**bug).clone(), test, hits: known.hits, size };
        }
        false
    }

    /// Enters another run that shows a bug which is known, in place of the one before.
    pub fn replace(&mut self, image: &Image, run: &Run, test: u64) {
        if let (Some(key), Stop::Bug(bug)) = (key(image, &run.stop), &run.stop)
            && let Some(known) = self.by_place.get_mut(&key)
        {
            *known = BugRecord { bug: (**bug).clone(), test, hits: known.hits, size: size_of(run) };
        }
    }

    /// Gives their tests other numbers, in the order of the code.
    pub fn renumber(&mut self, tests: impl Iterator<Item = u64>) {
        self.by_place.values_mut().zip(tests).for_each(|(record, test)| record.test = test);
    }

    pub fn len(&self) -> usize {
        self.by_place.len()
    }

    pub fn is_empty(&self) -> bool {
        self.by_place.is_empty()
    }

    /// Which ones there are, and their tests.
    pub fn tests(&self) -> Vec<(BugKey, u64)> {
        self.by_place.iter().map(|(&key, record)| (key, record.test)).collect()
    }

    /// In the order of the code.
    pub fn iter(&self) -> impl Iterator<Item = &BugRecord> {
        self.by_place.values()
    }
}

/// Which bug a path ended in.
pub fn key(image: &Image, stop: &Stop) -> Option<BugKey> {
    match stop {
        Stop::Bug(bug) => Some((place_of(image, bug), bug.kind)),
        _ => None,
    }
}

/// The innermost operation of the user's code; one in a library function is a bug of whoever called it.
fn place_of(image: &Image, bug: &Bug) -> OpIdx {
    bug.trace.iter().find(|&&op_idx| image.is_user_code(op_idx)).or(bug.trace.first()).copied().unwrap_or_default()
}

fn size_of(run: &Run) -> Size {
    let bytes = || run.input.objects.iter().flat_map(|object| &object.bytes);
    (bytes().count(), bytes().filter(|&&byte| byte != 0).count(), run.path.len())
}
