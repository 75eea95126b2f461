//! The bugs of a campaign: one for each kind of error and instruction, with the simplest input that shows it.

use std::collections::BTreeMap;

use spelunk_concolic::Run;
use spelunk_ir::code::Image;
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
    by_place: BTreeMap<(u32, BugKind), BugRecord>,
}

impl Bugs {
    /// Enters a path that has ended, if it ended in a bug. Says whether that was not known.
    pub fn add(&mut self, image: &Image, run: &Run, test: u64) -> bool {
        let Stop::Bug(bug) = &run.stop else { return false };
        let size = size_of(run);
        let place = (place_of(image, bug), bug.kind);
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

    pub fn len(&self) -> usize {
        self.by_place.len()
    }

    pub fn is_empty(&self) -> bool {
        self.by_place.is_empty()
    }

    /// In the order of the code.
    pub fn iter(&self) -> impl Iterator<Item = &BugRecord> {
        self.by_place.values()
    }
}

/// The innermost operation of the user's code; one in a library function is a bug of whoever called it.
fn place_of(image: &Image, bug: &Bug) -> u32 {
    bug.trace.iter().find(|&&op_idx| image.is_user_code(op_idx)).or(bug.trace.first()).copied().unwrap_or_default()
}

fn size_of(run: &Run) -> Size {
    let bytes = || run.input.objects.iter().flat_map(|object| &object.bytes);
    (bytes().count(), bytes().filter(|&&byte| byte != 0).count(), run.path.len())
}
