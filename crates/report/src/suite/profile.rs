//! How a campaign went, as a file: where it decided, what it reached, and where its time went.
//!
//! What there are many of is written as arrays, with numbers for files and functions.

use serde::{Deserialize, Serialize};

use super::truth::Truth;

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Profile {
    pub version: u32,
    pub files: Vec<SourceText>,
    pub functions: Vec<String>,
    /// The operations that decisions of tests and queries name, in order.
    pub sites: Vec<Site>,
    /// Outcomes of the branches in the code that counts, by operation.
    pub branches: Vec<BranchOutcome>,
    /// What was spent on alternatives of decisions, by operation.
    pub spent: Vec<SpentAt>,
    pub samples: Vec<Sample>,
    /// Microseconds that the solver took for each test and that its run took, in the order of their numbers.
    pub tests: Vec<(u64, u64)>,
}

/// A source file as it was explored.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SourceText {
    /// As it is shown.
    pub path: String,
    /// Where it was.
    pub full_path: String,
    /// Nothing if it could not be read.
    pub text: Option<String>,
    /// Lines with code that counts, and whether one of their instructions was executed.
    pub lines: Vec<(u32, bool)>,
}

/// An operation and its place, as `[operation, file, line, column, function, truth]`. A file of -1: none is known.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "SiteTuple", into = "SiteTuple")]
pub struct Site {
    pub op: u32,
    pub file: Option<u32>,
    pub line: u32,
    pub column: u32,
    pub function: u32,
    /// What a branch decision's alternative 1 says of the condition of the source.
    pub truth: Truth,
}

type SiteTuple = (u32, i64, u32, u32, u32, Truth);

impl From<SiteTuple> for Site {
    fn from((op, file, line, column, function, truth): SiteTuple) -> Self {
        Self { op, file: u32::try_from(file).ok(), line, column, function, truth }
    }
}

impl From<Site> for SiteTuple {
    fn from(site: Site) -> Self {
        let file = site.file.map_or(-1, i64::from);
        (site.op, file, site.line, site.column, site.function, site.truth)
    }
}

/// An outcome of a branch as `[operation, outcome, line, covered, case]`: 0 is false, 1 is true, and for a switch it is the
/// operation and the line that it goes to, and for which value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BranchOutcome(pub u32, pub u32, pub u32, pub bool, #[serde(default)] pub String);

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SpentAt {
    pub op: u32,
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
    pub solver_us: u64,
    pub run_us: u64,
}

/// How far the campaign was at some time.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Sample {
    pub time_ms: f64,
    pub paths: u64,
    pub open: u64,
    pub lines: u64,
    pub branches: u64,
    pub bugs: u64,
    pub instructions: u64,
    pub solver_ms: f64,
    pub run_ms: f64,
}
