//! What was found out about heaps, by the decisions that made them: a heap is a function of these, and so is all that is asked of it. Runs come
//! to the same few heaps again and again.

use crate::backbones::Violation;
use crate::heap::{Choice, ObjIx};
use rustc_hash::FxHashMap;
use std::sync::Mutex;

/// Heaps that are kept in mind.
const MAX_HEAPS: usize = 1 << 14;

/// What a heap is made by.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Made {
    /// A result was added, by the number of its root.
    Result(usize),
    Decided(ObjIx, usize, Choice),
}

/// Answers that would be the same again.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    /// Whether all orders keep the rules, where no budget has cut that off.
    pub backbones: Table<Result<(), Violation>>,
    /// Whether nothing that keeps the rules can come of it, as far as a search has told, which has the same budget each time.
    pub dead_ends: Table<bool>,
}

#[derive(Debug)]
pub(crate) struct Table<T>(Mutex<FxHashMap<Box<[Made]>, T>>);

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Copy> Table<T> {
    /// What is known; else what `find` says, which is kept if it may be.
    pub fn get(&self, made: &[Made], find: impl FnOnce() -> T, may_be_kept: impl FnOnce(&T) -> bool) -> T {
        let table = || self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(known) = table().get(made) {
            return *known;
        }
        let found = find();
        let mut table = table();
        if table.len() < MAX_HEAPS && may_be_kept(&found) {
            table.insert(made.into(), found);
        }
        found
    }
}

/// A copy of a specification may be changed, and starts anew.
impl Clone for Memo {
    fn clone(&self) -> Self {
        Self::default()
    }
}
