//! How the program of a campaign was compiled, so that its tests can be run again later.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

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
    /// Checks that were switched on, by their names.
    pub checks: Vec<String>,
    /// What each path may allocate.
    pub max_memory: u64,
}

impl Recipe {
    /// What programs find as their name: the first source without its extension.
    pub fn program_name(&self) -> PathBuf {
        self.sources.first().map(|source| source.with_extension("")).unwrap_or_default()
    }
}
