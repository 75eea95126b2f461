//! How the program of a campaign was compiled, so that its tests can be run again later.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::stable_hash;

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Recipe {
    pub version: u32,
    /// Where the command was given; other paths are relative to it.
    pub directory: PathBuf,
    pub sources: Vec<PathBuf>,
    /// Name or path of the compiler, if the user chose one.
    pub clang: Option<String>,
    /// The user's flags.
    pub cflags: Vec<String>,
    /// What each source has of its own, before these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub file_flags: Vec<Vec<String>>,
    /// Checks that were switched on, by their names.
    pub checks: Vec<String>,
    /// What each path may allocate.
    pub max_memory: u64,
    /// Of the sources as they were, in their order, to notice that one has changed; 0 for those that could not be read.
    #[serde(default)]
    pub digests: Vec<u64>,
    /// What was said on the command line, by the names of its arguments: what it takes to go on.
    #[serde(default)]
    pub settings: BTreeMap<String, Vec<String>>,
    /// The same for a campaign that no command line has begun: its plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<serde_json::Value>,
}

impl Recipe {
    /// Notes what the sources hold.
    pub fn note_sources(&mut self) {
        self.digests = self.sources.iter().map(|source| self.digest(source)).collect();
    }

    /// The first source that is not what it was.
    pub fn changed(&self) -> Option<&Path> {
        let mut sources = self.sources.iter().zip(&self.digests);
        sources.find(|(source, digest)| self.digest(source) != **digest).map(|(source, _)| source.as_path())
    }

    /// A hash of a file's content; 0 if there is none.
    fn digest(&self, source: &Path) -> u64 {
        let content = fs::read(self.directory.join(source)).unwrap_or_default();
        if content.is_empty() { 0 } else { stable_hash(content) }
    }

    /// What programs find as their name: the first source without its extension.
    pub fn program_name(&self) -> PathBuf {
        self.sources.first().map(|source| source.with_extension("")).unwrap_or_default()
    }
}
