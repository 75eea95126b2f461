//! The bugs of a campaign: one for each kind of error, instruction and cause, with the simplest input that shows it.
//!
//! A cause is the last condition in the user's code that a path decided before the error: an unterminated comment and an
//! unterminated string may end at one read, but not by way of the same condition. Paths of one cause may still have several such conditions, so
//! a cause counts only if its input can't be made smaller to one of another cause (`Bugs::replace`, `Bugs::merge`): what is
//! left are ways to the error that have nothing to do with each other.

use std::collections::BTreeMap;

use spelunk_concolic::Run;
use spelunk_concolic::decision::DecisionKind;
use spelunk_ir::code::{Image, OpIdx};
use spelunk_vm::{Bug, BugKind, Note, Stop};

#[derive(Clone, Debug)]
pub struct BugRecord {
    pub bug: Bug,
    /// The condition that tells it from others at its place, if there are any.
    pub told_by: Option<OpIdx>,
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
    by_cause: BTreeMap<(BugKey, Cause), BugRecord>,
}

/// Where a bug shows: the operation and the kind.
pub type BugKey = (OpIdx, BugKind);

/// The last condition before an error, whichever way it went; nothing if the user's code has decided nothing.
pub type Cause = Option<OpIdx>;

/// More ways to one error are not told apart: it says more about the error than about the ways.
const MAX_CAUSES: usize = 4;

impl Bugs {
    /// Enters a path that has ended, if it ended in a bug.
    pub fn add(&mut self, image: &Image, run: &Run, test: u64) {
        let Stop::Bug(bug) = &run.stop else { return };
        let Some(at) = self.entry_of(image, run) else { return };
        let size = size_of(run);
        let hits = self.by_cause.get(&at).map_or(0, |known| known.hits) + 1;
        match self.by_cause.get_mut(&at) {
            Some(known) if known.size <= size => known.hits = hits,
            _ => drop(self.by_cause.insert(at, BugRecord { bug: (**bug).clone(), told_by: None, test, hits, size })),
        }
    }

    /// Whether a run would be the one that shows a bug.
    pub fn wants(&self, image: &Image, run: &Run) -> bool {
        let Some(at) = self.entry_of(image, run) else { return false };
        self.by_cause.get(&at).is_none_or(|known| size_of(run) < known.size)
    }

    /// Where a run that ended in a bug is entered. What has one cause too many goes to the first.
    fn entry_of(&self, image: &Image, run: &Run) -> Option<(BugKey, Cause)> {
        let (key, cause) = (key(image, &run.stop)?, cause(image, run));
        let mut known = self.causes(key);
        let is_known = known.clone().any(|other| other == cause);
        let cause = if is_known || known.clone().count() < MAX_CAUSES { cause } else { known.next()? };
        Some((key, cause))
    }

    fn causes(&self, key: BugKey) -> impl Iterator<Item = Cause> + Clone {
        self.by_cause.keys().filter(move |(other, _)| *other == key).map(|(_, cause)| *cause)
    }

    /// Enters a smaller run that shows a bug of a known place, in place of the one before. If it has another cause, that is
    /// the cause of both.
    pub fn replace(&mut self, image: &Image, run: &Run, test: u64, before: (BugKey, Cause)) {
        let (Some(key), Stop::Bug(bug)) = (key(image, &run.stop), &run.stop) else { return };
        let Some(old) = self.by_cause.remove(&before) else { return };
        let (size, cause) = (size_of(run), cause(image, run));
        let known = self.by_cause.get(&(key, cause));
        let hits = old.hits + known.map_or(0, |known| known.hits);
        let record = match known {
            Some(known) if known.size <= size => BugRecord { hits, ..known.clone() },
            _ => BugRecord { bug: (**bug).clone(), told_by: None, test, hits, size },
        };
        self.by_cause.insert((key, cause), record);
    }

    /// Takes a bug for one of the same cause as the simplest at its place.
    pub fn merge(&mut self, at: (BugKey, Cause)) {
        let others = self.by_cause.iter().filter(|(other, _)| other.0 == at.0 && **other != at);
        let Some(simplest) = others.min_by_key(|(_, record)| record.size).map(|(other, _)| *other) else { return };
        let Some(record) = self.by_cause.remove(&at) else { return };
        let known = self.by_cause.get_mut(&simplest).expect("it is another");
        known.hits += record.hits;
    }

    /// Gives their tests other numbers, in the order of the code.
    pub fn renumber(&mut self, tests: impl Iterator<Item = u64>) {
        self.by_cause.values_mut().zip(tests).for_each(|(record, test)| record.test = test);
    }

    pub fn len(&self) -> usize {
        self.by_cause.len()
    }

    pub fn is_empty(&self) -> bool {
        self.by_cause.is_empty()
    }

    /// Which ones there are, and their tests: the simplest of each place first.
    pub fn tests(&self) -> Vec<((BugKey, Cause), u64)> {
        let n_simpler = |(key, _): (BugKey, Cause), record: &BugRecord| {
            self.by_cause.iter().filter(|(at, other)| at.0 == key && other.size < record.size).count()
        };
        let mut all: Vec<_> = self.by_cause.iter().collect();
        all.sort_by_key(|(at, record)| (n_simpler(**at, record), **at));
        all.into_iter().map(|(at, record)| (*at, record.test)).collect()
    }

    /// In the order of the code, with the place of each.
    pub fn entries(&self) -> impl Iterator<Item = ((BugKey, Cause), &BugRecord)> {
        self.by_cause.iter().map(|(at, record)| (*at, record))
    }

    /// In the order of the code.
    pub fn iter(&self) -> impl Iterator<Item = &BugRecord> {
        self.by_cause.values()
    }

    /// In the order of the code, each with what tells it from others at its place as one more note.
    pub fn told(&self) -> Vec<BugRecord> {
        let told = |((key, cause), record): (&(BugKey, Cause), &BugRecord)| {
            let mut record = record.clone();
            if let Some(site) = cause.filter(|_| self.causes(*key).count() > 1) {
                record.told_by = Some(site);
                let message = "the last condition before the error is here".to_owned();
                record.bug.notes.push(Note { message, trace: vec![site] });
            }
            record
        };
        self.by_cause.iter().map(told).collect()
    }

    /// Takes all bugs at a place for one.
    pub fn merge_all_at(&mut self, key: BugKey) {
        let at = |bugs: &Self| {
            let here = bugs.by_cause.iter().filter(|(at, _)| at.0 == key);
            here.max_by_key(|(_, record)| record.size).map(|(at, _)| *at)
        };
        while self.causes(key).count() > 1 {
            let Some(largest) = at(self) else { return };
            self.merge(largest);
        }
    }
}

/// Which bug a path ended in.
pub fn key(image: &Image, stop: &Stop) -> Option<BugKey> {
    match stop {
        Stop::Bug(bug) => Some((place_of(image, bug), bug.kind)),
        _ => None,
    }
}

/// What a run decided last.
pub fn cause(image: &Image, run: &Run) -> Cause {
    let decides = |kind: DecisionKind| matches!(kind, DecisionKind::Branch | DecisionKind::Switch);
    let decided = run.path.iter().rev().filter(|decision| decides(decision.kind));
    let mut sites = decided.map(|decision| decision.site);
    sites.find(|&site| image.is_user_code(site))
}

/// The innermost operation of the user's code; one in a library function is a bug of whoever called it.
fn place_of(image: &Image, bug: &Bug) -> OpIdx {
    bug.trace.iter().find(|&&op_idx| image.is_user_code(op_idx)).or(bug.trace.first()).copied().unwrap_or_default()
}

fn size_of(run: &Run) -> Size {
    let bytes = || run.input.objects.iter().flat_map(|object| &object.bytes);
    (bytes().count(), bytes().filter(|&&byte| byte != 0).count(), run.path.len())
}
