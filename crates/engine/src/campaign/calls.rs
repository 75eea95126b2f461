//! What calls of a structure's own functions have shown. The input of one function is made up, and may be in a state that none of them
//! ever makes: then a finding says nothing against the function.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use spelunk_report::suite::summary::BugEntry;
use spelunk_report::suite::test_case::Place;
use spelunk_report::suite::{Campaign as OnDisk, Class, StoreError};

use crate::subject::Subject;

/// Fewer sequences than these have seen little of what a structure can be, unless they are all.
const MIN_SEQUENCES: u64 = 50;

/// What came of a campaign whose paths are sequences of calls.
pub struct Calls {
    structure: String,
    functions: Vec<String>,
    n_sequences: u64,
    length: u32,
    has_seen_enough: bool,
    /// Each with a test that shows it.
    bugs: Vec<(BugEntry, PathBuf)>,
    /// Lines that were executed, by file.
    lines: BTreeSet<(String, u32)>,
}

impl Calls {
    /// What a subject's campaign has left in a directory; nothing if it was not one of sequences.
    pub fn read(dir: &Path, subject: &Subject) -> Result<Option<Self>, StoreError> {
        let (Some(structure), Some(setup)) = (&subject.structure, &subject.setup) else { return Ok(None) };
        let OnDisk { store, summary, profile, .. } = OnDisk::open(dir)?;
        let lines = profile.files.into_iter().flat_map(|file| {
            let executed = file.lines.into_iter().filter(|(_, is_executed)| *is_executed);
            executed.map(move |(line, _)| (file.path.clone(), line))
        });
        let with_test = |bug: BugEntry| {
            let test = store.test_path(bug.test);
            (bug, test)
        };
        Ok(Some(Self {
            structure: structure.clone(),
            functions: setup.sequence.clone(),
            n_sequences: summary.paths,
            has_seen_enough: summary.paths >= MIN_SEQUENCES || matches!(&*summary.stopped, "exhausted" | "bounded"),
            length: setup.length,
            bugs: summary.bugs.into_iter().map(with_test).collect(),
            lines: lines.collect(),
        }))
    }

    pub fn has(&self, function: &str) -> bool {
        self.functions.iter().any(|name| name == function)
    }

    /// Says of a finding in one of the functions what the calls have to say of it. What needs a precondition on a parameter itself, they know
    /// nothing of: they pass no null pointers.
    pub fn judge(&self, bug: &mut BugEntry) {
        let Self { structure, n_sequences, length, .. } = self;
        let is_same = |(other, _): &&(BugEntry, PathBuf)| other.kind == bug.kind && other.place == bug.place;
        if let Some((_, test)) = self.bugs.iter().find(is_same)
            && bug.precondition_param.is_none()
        {
            bug.class = Class::of_kind(&bug.kind);
            (bug.precondition, bug.precondition_rules, bug.precondition_param) = (None, None, None);
            bug.calls = Some(format!("calls that make their `{structure}` themselves show it too: {}", test.display()));
            return;
        }
        let Place { file, line, .. } = &bug.place;
        let was_there = self.lines.contains(&(file.clone(), *line));
        if matches!(bug.class, Class::Bug | Class::MayNotEnd) && was_there && self.has_seen_enough {
            bug.class = Class::NeedsPrecondition;
            let (first, n_others) = (&self.functions[0], self.functions.len() - 1);
            bug.calls = Some(format!(
                "{n_sequences} sequences of up to {length} calls of `{first}` and {n_others} other functions came to this line without it: \
                 they may never make such a `{structure}`"
            ));
        }
    }
}
