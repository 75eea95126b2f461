//! The campaigns of one command that tests several functions, as a file beside their directories.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::StoreError;
use super::store::{read_json, write_json};
use super::summary::{Ratio, Status, Summary};
use super::test_case::VERSION;

/// What the calls of a structure's functions are called, with the structure behind it.
pub const CALLS: &str = "calls-on-";

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Index {
    pub version: u32,
    /// How many functions are to be tested by themselves.
    pub functions: u64,
    /// Those that were begun, in order.
    pub campaigns: Vec<IndexEntry>,
    /// Whether the command has not come to its end.
    pub unfinished: bool,
}

/// A campaign as its summary tells.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct IndexEntry {
    pub entry: String,
    /// Relative to that of the index.
    pub directory: PathBuf,
    pub paths: u64,
    pub tests: u64,
    /// All findings.
    pub bugs: u64,
    /// How many of them a native run has shown.
    pub confirmed: u64,
    /// How many there are of each class.
    #[serde(default)]
    pub findings: BTreeMap<String, u64>,
    pub lines: Ratio,
    pub branches: Ratio,
    /// Why it ended; `unfinished` if it has not.
    pub stopped: String,
    pub time_ms: u64,
}

impl IndexEntry {
    pub fn new(directory: &Path, summary: &Summary) -> Self {
        let is_confirmed = |bug: &&super::summary::BugEntry| bug.status == Status::Confirmed;
        Self {
            entry: summary.entry.clone(),
            directory: directory.to_owned(),
            paths: summary.paths,
            tests: summary.tests,
            bugs: summary.bugs.len() as u64,
            confirmed: summary.bugs.iter().filter(is_confirmed).count() as u64,
            findings: summary.findings.clone(),
            lines: summary.coverage.lines,
            branches: summary.coverage.branches,
            stopped: summary.stopped.clone(),
            time_ms: summary.time_ms,
        }
    }
}

impl Index {
    /// How many functions were tested by themselves.
    pub fn n_tested(&self) -> u64 {
        self.campaigns.iter().filter(|campaign| !campaign.entry.starts_with(CALLS)).count() as u64
    }

    pub fn new(functions: u64) -> Self {
        Self { version: VERSION, functions, campaigns: Vec::new(), unfinished: true }
    }

    /// Nothing if the directory has none.
    pub fn read(dir: &Path) -> Result<Option<Self>, StoreError> {
        let path = path_in(dir);
        if path.exists() { read_json(&path).map(Some) } else { Ok(None) }
    }

    pub fn write(&self, dir: &Path) -> Result<(), StoreError> {
        write_json(&path_in(dir), self)
    }

    /// Enters a campaign in place of what was said of it before.
    pub fn enter(&mut self, entry: IndexEntry) {
        match self.campaigns.iter_mut().find(|known| known.directory == entry.directory) {
            Some(known) => *known = entry,
            None => self.campaigns.push(entry),
        }
    }
}

fn path_in(dir: &Path) -> PathBuf {
    dir.join("index.json")
}
