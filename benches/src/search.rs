//! Branches of programs that each strategy covers, and AFL++ for those who have it, by the processor time that it has taken.
//!
//! The programs read standard input, and a file names them. All get the same number of bytes and the same time on one thread; ours includes
//! compiling. What counts is llvm-cov's account of native runs of the inputs that were there at a time.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clap::Args;
use serde::{Deserialize, Serialize};
use spelunk_explore::strategy::Kind;

use crate::Bench;
use crate::child;
use crate::covered::{self, Covered, Native};
use crate::error::BenchError;

#[derive(Args)]
#[group(id = "search")]
pub struct Options {
    /// Programs to explore in `search`: see benches/README.md
    #[arg(long, value_name = "FILE")]
    search_programs: Option<PathBuf>,

    /// Processor time for each way and program in `search`
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    search_seconds: u64,

    /// Strategies beside the default that `search` compares; `none` for none, all by default
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    strategies: Vec<String>,

    /// The program `afl-fuzz`, with `afl-clang-fast` beside it, to measure against in `search`
    #[arg(long, value_name = "PROGRAM")]
    afl: Option<PathBuf>,

    /// Where `search` leaves what was explored, with the profiles of the native runs
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

/// A program as the file names it; paths are relative to its directory.
#[derive(Deserialize)]
struct Program {
    name: String,
    dir: PathBuf,
    sources: Vec<String>,
    #[serde(default)]
    flags: Vec<String>,
    #[serde(default)]
    arguments: Vec<String>,
    /// How many bytes it reads.
    bytes: u32,
}

/// So much of the time has passed when it is looked at what is covered.
const POINTS: [f64; 6] = [0.025, 0.05, 0.1, 0.25, 0.5, 1.0];

const DEFAULT: &str = "default";
const AFL: &str = "AFL++";

/// What AFL++ begins with, since it can't begin with nothing.
const SEED: &str = "a\n";

#[derive(Serialize)]
pub struct Search {
    seconds: u64,
    rows: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    program: String,
    branches: u64,
    ways: Vec<Way>,
}

#[derive(Serialize)]
struct Way {
    name: String,
    inputs: usize,
    /// At each point in time.
    covered: Vec<u64>,
}

impl Way {
    fn last(&self) -> u64 {
        self.covered.last().copied().unwrap_or(0)
    }
}

pub fn measure(bench: &Bench, options: &Options) -> Result<Search, BenchError> {
    let Some(file) = &options.search_programs else {
        return Ok(Search { seconds: options.search_seconds, rows: Vec::new() });
    };
    let programs: Vec<Program> = serde_json::from_slice(&std::fs::read(file)?)?;
    let dir = options.keep.as_deref().unwrap_or(bench.dir.path());
    let rows = programs.iter().map(|program| program.compare(bench, options, &dir.join(&program.name)));
    Ok(Search { seconds: options.search_seconds, rows: rows.collect::<Result<_, _>>()? })
}

fn strategies(options: &Options) -> Vec<&str> {
    let singles = Kind::ALL.iter().filter(|kind| !matches!(kind, Kind::Interleaved | Kind::Target | Kind::Texts));
    match options.strategies.as_slice() {
        [] => singles.map(|kind| kind.name()).collect(),
        names => names.iter().map(String::as_str).filter(|&name| name != "none").collect(),
    }
}

impl Program {
    fn compare(&self, bench: &Bench, options: &Options, dir: &Path) -> Result<Row, BenchError> {
        std::fs::create_dir_all(dir)?;
        let native = Native::build(&self.dir, &self.sources, &self.flags, &dir.join("native"))?;
        let time = Duration::from_secs(options.search_seconds);
        let mut row = Row { program: self.name.clone(), branches: 0, ways: Vec::new() };
        let names = std::iter::once(DEFAULT).chain(strategies(options)).chain(options.afl.is_some().then_some(AFL));
        for name in names {
            let to = dir.join(name);
            std::fs::create_dir_all(&to)?;
            let (inputs, by_point) = match &options.afl {
                Some(afl) if name == AFL => self.fuzz(afl, &to, time)?,
                _ => self.explore(bench, name, &to, time)?,
            };
            let mut runs = native.runs(&self.arguments, &to.join("profiles"))?;
            let mut way = Way { name: name.to_owned(), inputs: inputs.len(), covered: Vec::new() };
            let mut n_run = 0;
            for n_inputs in by_point {
                let n_inputs = n_inputs.min(inputs.len()).max(n_run);
                runs.add(&inputs[n_run..n_inputs], Duration::MAX)?;
                n_run = n_inputs;
                let Covered { covered, count } = runs.covered()?;
                row.branches = row.branches.max(count);
                way.covered.push(covered);
            }
            eprintln!("{:<14}{name:<14}{:>6} of {}", self.name, way.last(), row.branches);
            row.ways.push(way);
        }
        Ok(row)
    }

    /// Inputs, and how many of them were there at each point.
    fn explore(
        &self,
        bench: &Bench,
        strategy: &str,
        to: &Path,
        time: Duration,
    ) -> Result<(Vec<PathBuf>, Vec<usize>), BenchError> {
        let out = to.join("out");
        let mut command = bench.spelunk.command();
        command.arg("run").args(&self.sources).args(["--sym-stdin", &self.bytes.to_string()]);
        command.args(["--jobs", "1", "--keep", "coverage", "--no-replay", "--format", "json", "--out"]).arg(&out);
        if strategy != DEFAULT {
            command.args(["--strategy", strategy]);
        }
        command.args(self.arguments.iter().map(|argument| format!("--arg={argument}")));
        command.arg("--").args(&self.flags).arg("-w").current_dir(&self.dir);
        let by_point = counted(&mut command, time, &out.join("tests"))?;
        let corpus = to.join("corpus");
        let mut export = bench.spelunk.command();
        child::run(export.arg("export").arg(&out).args(["--format", "corpus", "--to"]).arg(&corpus))?;
        Ok((covered::files(&corpus)?, by_point))
    }

    fn fuzz(&self, afl: &Path, to: &Path, time: Duration) -> Result<(Vec<PathBuf>, Vec<usize>), BenchError> {
        let (program, seeds, out) = (to.join("program"), to.join("seeds"), to.join("out"));
        std::fs::create_dir_all(&seeds)?;
        std::fs::write(seeds.join("seed"), SEED)?;
        let mut compile = Command::new(afl.with_file_name("afl-clang-fast"));
        compile.args(["-w", "-O2"]).args(&self.flags).args(&self.sources).args(["-lm", "-o"]).arg(&program);
        child::run(compile.env("AFL_QUIET", "1").current_dir(&self.dir))?;
        let mut command = Command::new(afl);
        command.arg("-i").arg(&seeds).arg("-o").arg(&out).args(["-G", &self.bytes.to_string(), "--"]);
        command.arg(&program).args(&self.arguments);
        for name in ["NO_UI", "SKIP_CPUFREQ", "I_DONT_CARE_ABOUT_MISSING_CRASHES", "NO_AFFINITY"] {
            command.env(format!("AFL_{name}"), "1");
        }
        let queue = out.join("default/queue");
        let by_point = counted(&mut command, time, &queue)?;
        let inputs = covered::files(&queue)?.into_iter().filter(|path| path.is_file());
        Ok((inputs.collect(), by_point))
    }
}

/// Runs a command for so long. How many files there were in a directory at each point.
fn counted(command: &mut Command, time: Duration, dir: &Path) -> Result<Vec<usize>, BenchError> {
    let mut by_point = Vec::new();
    let mut watch = |cpu: Duration| {
        let n_passed = POINTS.iter().filter(|&&point| cpu >= time.mul_f64(point)).count();
        if n_passed > by_point.len() {
            let is_whole = |entry: &std::fs::DirEntry| !entry.file_name().to_string_lossy().starts_with('.');
            let n = std::fs::read_dir(dir).map_or(0, |entries| entries.flatten().filter(is_whole).count());
            by_point.resize(n_passed, n);
        }
    };
    child::run_watched(command, time, &mut watch)?;
    // What was under way is finished, and one that has explored everything ends before its time.
    by_point.truncate(POINTS.len() - 1);
    by_point.resize(POINTS.len(), usize::MAX);
    Ok(by_point)
}

/// The length of the plot's longest bar.
const MAX_BAR: f64 = 50.0;

impl Search {
    /// Percent of branches on average over the programs, at each point.
    fn means(&self, way: usize) -> Vec<f64> {
        let share = |row: &Row, point: usize| 100.0 * row.ways[way].covered[point] as f64 / row.branches.max(1) as f64;
        let mean = |point| self.rows.iter().map(|row| share(row, point)).sum::<f64>() / self.rows.len() as f64;
        (0..POINTS.len()).map(mean).collect()
    }
}

impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(first) = self.rows.first() else {
            return writeln!(f, "search: programs are named by --search-programs");
        };
        write!(f, "{:<14}{:>9}", "program", "branches")?;
        first.ways.iter().try_for_each(|way| write!(f, "{:>14}", way.name))?;
        writeln!(f)?;
        for row in &self.rows {
            write!(f, "{:<14}{:>9}", row.program, row.branches)?;
            for way in &row.ways {
                write!(f, "{:>14.1}", 100.0 * way.last() as f64 / row.branches.max(1) as f64)?;
            }
            writeln!(f)?;
        }
        writeln!(f, "\n{:<14}{:>9}{:>9}", "mean", "seconds", "percent")?;
        for (number, way) in first.ways.iter().enumerate() {
            for (point, mean) in POINTS.iter().zip(self.means(number)) {
                let bar = "#".repeat((MAX_BAR * mean / 100.0) as usize);
                writeln!(f, "{:<14}{:>9.1}{mean:>9.1}  {bar}", way.name, point * self.seconds as f64)?;
            }
        }
        Ok(())
    }
}
