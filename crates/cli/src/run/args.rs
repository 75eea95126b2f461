//! The command line of `spelunk run`.

use crate::args::{CompileArgs, SolverArgs, named};
use bytesize::ByteSize;
use clap::{Args, ValueEnum};
use spelunk_explore::strategy::Kind;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args, Debug)]
pub struct RunArgs {
    #[command(flatten)]
    pub compile: CompileArgs,

    /// Flags for clang
    #[arg(last = true, value_name = "CLANG-ARGS", allow_hyphen_values = true)]
    pub clang_args: Vec<String>,

    /// Where tests and summary go [default: spelunk-out, or spelunk-out-2, … if that is taken]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Go on with an interrupted campaign: its tests are run again first
    #[arg(long, value_name = "DIR", conflicts_with = "out")]
    pub resume: Option<PathBuf>,

    /// Tests of other campaigns to run first
    #[arg(long, value_name = "DIR")]
    pub seed_dir: Vec<PathBuf>,

    /// Stop after this time, such as 90s, 10m or 2h
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    pub time: Option<Duration>,

    /// Stop after so many paths
    #[arg(long, value_name = "N")]
    pub max_paths: Option<u64>,

    /// Leave alternatives alone that come after so many decisions
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,

    /// What to explore next
    #[arg(long, value_name = "STRATEGY", default_value = "interleaved", value_parser = named(Kind::ALL, Kind::name))]
    pub strategy: Kind,

    /// For whatever is chosen at random
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// How many threads explore
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub jobs: usize,

    /// End a path after so many operations
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    pub max_steps: u64,

    /// How much memory the program may use
    #[arg(long, value_name = "SIZE", default_value = "1GiB")]
    pub max_memory: ByteSize,

    /// An argument of the program; may be repeated
    #[arg(long = "arg", value_name = "ARG", allow_hyphen_values = true)]
    pub args: Vec<String>,

    #[command(flatten)]
    pub solver: SolverArgs,

    /// What to print
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: Format,

    /// Run every path from its start, which changes no result
    #[arg(long)]
    pub no_snapshots: bool,

    /// Write the summary but no tests
    #[arg(long)]
    pub no_tests: bool,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Progress, bugs and figures for a person
    Human,
    /// The summary
    Json,
}
