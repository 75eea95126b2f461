//! Measures the VM against the machine it runs on, and the solver against Z3: `cargo run --release -p spelunk-benches -- [SUITE] [--json]`.
//!
//! Every figure is a ratio or a difference of two things measured in the same run, so that it says something on any
//! machine. A suite is one module with a `measure` function and a report; `report` puts the reports together.
#![forbid(unsafe_code)]

mod arithmetic;
mod child;
mod compile;
mod covered;
mod deadline;
mod error;
mod explore;
mod grammars;
mod hex;
mod kernels;
mod klee;
mod lengths;
mod load;
mod long;
mod memory;
mod partitions;
mod replay;
mod report;
mod search;
mod solver;
mod summary;
mod units;

use std::cell::Cell;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use spelunk_tests::realcode::Packages;
use spelunk_tests::spelunk::Spelunk;
use tempfile::TempDir;

use crate::error::BenchError;
use crate::report::Report;

#[derive(Parser)]
#[command(
    about = "Measures how fast the VM runs and loads programs, what memory they take, and how fast queries are answered"
)]
struct Cli {
    #[arg(value_enum, default_value = "all")]
    suite: Suite,

    /// Print one JSON object instead of tables
    #[arg(long)]
    json: bool,

    /// How often everything is measured; the smallest time counts
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    repetitions: u32,

    #[command(flatten)]
    klee: klee::Klee,

    #[command(flatten)]
    hex: hex::Options,

    #[command(flatten)]
    grammars: grammars::Options,

    #[command(flatten)]
    search: search::Options,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Suite {
    /// The run time of C programs, against native builds without optimisation
    Kernels,
    /// The time to load SQLite, against LLVM's assembler
    Load,
    /// The memory that small heap objects take
    Memory,
    /// The speed at which programs are explored
    Explore,
    /// What the solver's layers for arithmetic are worth; not among all, because it takes minutes
    Arithmetic,
    /// What the size of a buffer costs, where only the length of a string matters; not among all
    Lengths,
    /// What it costs to find independent inputs, and how that grows; not among all
    Partitions,
    /// The speed of a path after many others; not among all, because other work on the machine disturbs it
    Long,
    /// The speed at which functions with pointer inputs are tested; not among all, because it takes minutes
    Units,
    /// Four ways to keep lazy heaps valid; not among all, because it takes minutes
    Hex,
    /// Valid red-black trees a second, by rules for heaps and by a precondition; not among all, because it takes minutes
    HexRbtree,
    /// Programs behind a parser, with and without their grammar; not among all, because it takes minutes
    Grammars,
    /// Branches of programs that a file names, by strategy and beside AFL++; not among all, because it takes minutes
    Search,
    /// The time that native runs of a thousand tests take, against compiling their source
    Replay,
    /// By how much campaigns go on beyond `--time`; not among all, because other work on the machine disturbs it
    Deadline,
    /// The time that queries take, against Z3, and the memory that expressions take
    Solver,
    All,
}

/// What the suites about C programs share.
struct Bench {
    spelunk: Spelunk,
    packages: Packages,
    dir: TempDir,
    repetitions: u32,
    n_outputs: Cell<u32>,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    match measure(&cli) {
        Ok(report) => {
            if cli.json {
                println!("{}", report.to_json());
            } else {
                print!("{report}");
            }
            if report.meets_every_bar() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn measure(cli: &Cli) -> Result<Report, BenchError> {
    let bench = !matches!(cli.suite, Suite::Solver | Suite::Long);
    let bench = bench.then(|| Bench::new(cli.repetitions)).transpose()?;
    let is_wanted = |suite| cli.suite == Suite::All || cli.suite == suite;
    let bench_for = |suite| bench.as_ref().filter(|_| is_wanted(suite));
    let bench_only = |suite| bench.as_ref().filter(|_| cli.suite == suite);
    Ok(Report {
        kernels: bench_for(Suite::Kernels).map(kernels::measure).transpose()?,
        load: bench_for(Suite::Load).map(load::measure).transpose()?,
        memory: bench_for(Suite::Memory).map(memory::measure).transpose()?,
        explore: bench_for(Suite::Explore).map(|bench| explore::measure(bench, &cli.klee)).transpose()?,
        arithmetic: bench_only(Suite::Arithmetic).map(|bench| arithmetic::measure(bench, &cli.klee)).transpose()?,
        units: bench_only(Suite::Units).map(units::measure).transpose()?,
        hex: bench_only(Suite::Hex).map(|bench| hex::measure(bench, &cli.hex)).transpose()?,
        hex_rbtree: bench_only(Suite::HexRbtree).map(|bench| hex::measure_rbtree(bench, &cli.hex)).transpose()?,
        grammars: bench_only(Suite::Grammars).map(|bench| grammars::measure(bench, &cli.grammars)).transpose()?,
        search: bench_only(Suite::Search).map(|bench| search::measure(bench, &cli.search)).transpose()?,
        lengths: bench_only(Suite::Lengths).map(lengths::measure).transpose()?,
        partitions: bench_only(Suite::Partitions).map(partitions::measure).transpose()?,
        replay: bench_for(Suite::Replay).map(replay::measure).transpose()?,
        long: (cli.suite == Suite::Long).then(long::measure).transpose()?,
        deadline: bench_only(Suite::Deadline).map(deadline::measure).transpose()?,
        solver: is_wanted(Suite::Solver).then(|| solver::measure(cli.repetitions)).transpose()?,
    })
}

impl Bench {
    fn new(repetitions: u32) -> Result<Bench, BenchError> {
        let (spelunk, packages, dir) = (Spelunk::locate()?, Packages::locate()?, tempfile::tempdir()?);
        Ok(Bench { spelunk, packages, dir, repetitions, n_outputs: Cell::default() })
    }

    /// Where a campaign writes that nobody looks at.
    fn output(&self) -> PathBuf {
        let number = self.n_outputs.replace(self.n_outputs.get() + 1);
        self.dir.path().join(format!("output-{number}"))
    }
}
