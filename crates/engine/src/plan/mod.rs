//! Everything that a campaign is told, as one value that can be written down.
//!
//! `derived` makes of it what the other crates want to know, `named` writes what has a name by that, `digest` tells plans
//! apart by the paths that they have.

mod derived;
mod digest;
mod named;

pub(crate) use derived::directory_of;
pub use named::{Check, Keep};

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use spelunk_explore::strategy::Kind;
use spelunk_native::Confinement;
use spelunk_report::suite::{Setup, UnitSetup};
use spelunk_solver::blast::SatKind;
use spelunk_solver::chain::{Backend, Layer};
use spelunk_vm::Limits;

use crate::targets::ChangedLines;

/// What a user says of a campaign. The defaults are those of the command line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Plan {
    pub compile: Compile,
    /// The function to test, or `all` for each in turn; without one, the whole program.
    pub entry: Option<String>,
    /// How that function is tested, or those of a sequence.
    pub unit: UnitSetup,
    /// How the program is started, and what a run may take.
    pub setup: Setup,
    /// How many bytes the program's stack may have.
    pub stack: u64,
    pub search: Search,
    /// What is to be reached (docs/targets.md): if anything is, nothing else is explored.
    pub targets: Vec<String>,
    /// The same for lines that were changed, as far as they have code.
    pub changed: Option<Vec<ChangedLines>>,
    pub budget: Budget,
    pub tests: Tests,
    /// Directories of campaigns whose tests are run first.
    pub seed_dirs: Vec<PathBuf>,
    /// What the user has said, by the names of arguments: stored with the campaign, for whoever goes on with it.
    /// If nothing was, the plan is stored as a whole.
    pub settings: BTreeMap<String, Vec<String>>,
}

/// What is compiled, and how.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Compile {
    /// Where relative paths start; the current directory if it is empty. Files that the program itself opens are looked for
    /// in the current directory in any case.
    pub directory: PathBuf,
    /// C or LLVM IR, linked together.
    pub sources: Vec<PathBuf>,
    /// Name or path of the compiler, if it is not to be the newest well-tested one.
    pub clang: Option<String>,
    pub cflags: Vec<String>,
    /// What each source has of its own, before these; nothing for those beyond the end.
    pub file_flags: Vec<Vec<String>>,
    /// Only functions of so many of the sources, from the first on, are meant by `all`; of every source without it.
    pub n_tested: Option<usize>,
    /// Further errors to look for.
    pub checks: Vec<Check>,
    /// Whether what clang says has colours. Says nothing about the program.
    #[serde(skip)]
    pub colour: spelunk_driver::Colour,
}

/// In which order paths are explored and how, which decides how fast they are found but not which there are.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Search {
    #[serde(with = "named::one")]
    pub strategy: Kind,
    pub seed: u64,
    pub jobs: usize,
    /// A path that makes so many decisions in a row without reaching anything new is put aside for a while.
    pub patience: usize,
    /// Once a thread has so many expressions, those that nothing needs any more are dropped.
    pub collect_at: usize,
    /// Whether paths go on from where they part from others.
    pub snapshots: bool,
    /// Whether inputs that have nothing to do with each other are explored together.
    pub partition: Partition,
    /// Whether calls of functions of which only the result matters are answered by one expression, where there are targets.
    pub summaries: bool,
    #[serde(with = "named::one")]
    pub backend: Backend,
    #[serde(with = "named::one")]
    pub sat: SatKind,
    /// Layers of the solver to leave out.
    #[serde(with = "named::several")]
    pub without: Vec<Layer>,
    /// What one query may take.
    pub query_time: Duration,
    /// Where queries are written.
    pub log: Option<QueryLog>,
}

/// Whether inputs that have nothing to do with each other are explored together.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Partition {
    /// All inputs are.
    #[default]
    Off,
    /// Those that belong together, which is found out.
    Auto,
    /// The same, and what comes of it is compared with what a file says.
    Stated(PathBuf),
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct QueryLog {
    pub dir: PathBuf,
    /// The layer that they reach; the backends without it.
    #[serde(default, with = "named::optional")]
    pub before: Option<Layer>,
}

/// What a campaign may use. `None` is no limit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Budget {
    /// For everything, from the compiler to the last native run.
    pub time: Option<Duration>,
    pub paths: Option<u64>,
    pub instructions: Option<u64>,
    /// Of the whole process, in bytes.
    pub memory: Option<u64>,
    /// Decisions after so many others have their alternatives left alone.
    pub depth: Option<u32>,
}

/// What is left of a campaign.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Tests {
    /// Whether tests are written, and not only the account.
    pub are_written: bool,
    #[serde(with = "named::one")]
    pub keep: Keep,
    /// Whether they are run natively at the end.
    pub are_replayed: bool,
    #[serde(with = "named::one")]
    pub confinement: Confinement,
}

/// Lists that are longer show little that is new.
const MAX_NESTING: u32 = 16;

/// What a query may take unless the user says otherwise: one that is too hard must not stop everything else.
const QUERY_TIME: Duration = Duration::from_secs(30);

const RUN_STEPS: u64 = 10_000_000;
const RUN_MEMORY: u64 = 1 << 30;
const CAMPAIGN_MEMORY: u64 = 4 << 30;

impl Plan {
    /// Explores the whole program that is made of a source.
    pub fn of_source(source: impl Into<PathBuf>) -> Self {
        Self { compile: Compile { sources: vec![source.into()], ..Compile::default() }, ..Self::default() }
    }

    /// Whether something is to be reached.
    pub fn has_targets(&self) -> bool {
        !self.targets.is_empty() || self.changed.is_some()
    }

    /// Whether calls may be answered by what functions return.
    pub fn summarises(&self) -> bool {
        // An audit goes behind the path that a run has taken.
        // What flows through a summary is not known.
        let is_whole = self.search.partition == Partition::Off;
        self.search.summaries && self.has_targets() && is_whole && self.unit.heap.audit.is_none()
    }

    /// What a plan says that can't be had together with a partition of the inputs.
    pub(crate) fn conflict_with_partition(&self) -> Option<&'static str> {
        if self.search.partition == Partition::Off {
            return None;
        }
        let Self { compile, unit, .. } = self;
        let has = |check: Check| compile.checks.contains(&check);
        Some(match () {
            () if has(Check::MemoryLimit) => "--check memory-limit",
            () if has(Check::Termination) || has(Check::TerminationUnbounded) => "--check termination",
            () if unit.heap.audit.is_some() => "--audit",
            () => return None,
        })
    }

    /// How many objects of one type may lie behind each other, if nothing was said of it: a limit of decisions is one of these.
    pub fn usual_nesting(depth: Option<u32>) -> Option<u32> {
        depth.is_none().then_some(MAX_NESTING)
    }
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            compile: Compile::default(),
            entry: None,
            unit: UnitSetup { nesting: Self::usual_nesting(None), ..UnitSetup::default() },
            setup: Setup { max_memory: Some(RUN_MEMORY), max_steps: Some(RUN_STEPS), ..Setup::default() },
            stack: Limits::default().stack,
            search: Search::default(),
            targets: Vec::new(),
            changed: None,
            budget: Budget::default(),
            tests: Tests::default(),
            seed_dirs: Vec::new(),
            settings: BTreeMap::new(),
        }
    }
}

impl Default for Search {
    fn default() -> Self {
        Self {
            strategy: Kind::Interleaved,
            seed: 0,
            jobs: 1,
            patience: 1000,
            collect_at: 1 << 18,
            snapshots: true,
            partition: Partition::Off,
            summaries: true,
            backend: Backend::Both,
            sat: SatKind::default(),
            without: Vec::new(),
            query_time: QUERY_TIME,
            log: None,
        }
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self { time: None, paths: None, instructions: None, memory: Some(CAMPAIGN_MEMORY), depth: None }
    }
}

impl Default for Tests {
    fn default() -> Self {
        Self { are_written: true, keep: Keep::Coverage, are_replayed: true, confinement: Confinement::default() }
    }
}
