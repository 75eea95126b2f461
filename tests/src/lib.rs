//! What the test runners share: reading a C program's expectations, building and running it natively, running it under
//! `spelunk exec`, and comparing the two. The programs themselves live in `ui/`; the runners are `ui.rs`, `csmith.rs`,
//! `cli.rs` and `src/bin/`.
#![forbid(unsafe_code)]

pub mod annotations;
pub mod compare;
pub mod config;
pub mod csmith;
pub mod header;
pub mod native;
pub mod process;
pub mod realcode;
pub mod report;
pub mod spelunk;
pub mod verdict;

use std::path::{Path, PathBuf};

/// The directory of C programs, one sub-directory per area.
pub fn ui_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("ui")
}

/// The programs of every area, sorted. Panics when the directory cannot be listed: there is nothing to test then.
pub fn programs() -> Vec<PathBuf> {
    let entries = |dir: &Path| {
        let listing = std::fs::read_dir(dir).unwrap_or_else(|error| panic!("cannot list {}: {error}", dir.display()));
        listing.map(|entry| entry.expect("a readable directory entry").path()).collect::<Vec<_>>()
    };
    let areas = entries(&ui_dir());
    let mut programs: Vec<PathBuf> = areas
        .iter()
        .filter(|area| area.is_dir())
        .flat_map(|area| entries(area))
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    programs.sort();
    programs
}
