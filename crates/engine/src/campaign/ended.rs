//! What comes of a campaign.

use std::collections::BTreeMap;

use spelunk_report::Diagnostic;
use spelunk_report::suite::{Store, Summary};

use super::Shown;

/// A campaign that has ended. All of it but the words is also in its directory.
#[derive(Debug)]
pub struct Ended {
    pub store: Store,
    pub summary: Summary,
    /// In the order of the summary's.
    pub bugs: Vec<FoundBug>,
    /// What the tests of bugs are given, by their numbers.
    pub pictures: BTreeMap<u64, Shown>,
    /// Whether any path asked for input.
    pub has_input: bool,
    /// Whether an error of our own was met. The ledger says which.
    pub has_failed: bool,
}

/// A bug in the words of a compiler.
#[derive(Clone, Debug)]
pub struct FoundBug {
    pub diagnostic: Diagnostic,
    /// How many paths end with it.
    pub n_paths: u64,
}
