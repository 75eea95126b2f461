//! How fast functions with pointer inputs are tested: runs of a red-black tree's insertion with its invariant before and
//! after, and how many queries doubly linked lists take by their length.
//!
//! Rates are by CPU time of the whole process, compiling included, so that other work on the machine matters little.

use std::fmt;
use std::path::Path;

use serde::Serialize;

use crate::Bench;
use crate::child;
use crate::error::BenchError;
use crate::summary::Summary;

/// Bounds on the decisions of a path. CUTE's figures are for 50; ten more are about six times as many runs, and the last is
/// for far more than half a million.
const DEPTHS: [u32; 3] = [50, 60, 70];

/// Elements of the longest list.
const LENGTHS: [u32; 7] = [1, 2, 4, 8, 16, 32, 64];

const MIN_RUNS_A_SECOND: f64 = 20_000.0;
const MAX_MEMORY_MB: f64 = 1024.0;

#[derive(Serialize)]
pub struct Units {
    pub trees: Vec<Trees>,
    pub lists: Vec<Lists>,
    pub min_runs_a_second: f64,
    pub max_memory_mb: f64,
}

#[derive(Serialize)]
pub struct Trees {
    pub depth: u32,
    pub runs: u64,
    pub seconds: f64,
    pub runs_a_second: f64,
    pub solver_share: f64,
    pub memory_mb: f64,
}

#[derive(Serialize)]
pub struct Lists {
    pub length: u32,
    pub runs: u64,
    pub queries: u64,
}

impl Units {
    pub fn meets_its_bars(&self) -> bool {
        let is_good =
            |trees: &Trees| trees.runs_a_second >= self.min_runs_a_second && trees.memory_mb <= self.max_memory_mb;
        self.trees.last().is_none_or(is_good) && self.lists.windows(3).all(is_linear)
    }
}

/// Whether the queries of three lengths lie on a line.
fn is_linear(lists: &[Lists]) -> bool {
    let slope = |from: &Lists, to: &Lists| (to.queries - from.queries) * 1000 / u64::from(to.length - from.length);
    slope(&lists[0], &lists[1]) == slope(&lists[1], &lists[2])
}

pub fn measure(bench: &Bench) -> Result<Units, BenchError> {
    Ok(Units {
        trees: DEPTHS.iter().map(|&depth| trees(bench, depth)).collect::<Result<_, _>>()?,
        lists: LENGTHS.iter().map(|&length| lists(bench, length)).collect::<Result<_, _>>()?,
        min_runs_a_second: MIN_RUNS_A_SECOND,
        max_memory_mb: MAX_MEMORY_MB,
    })
}

fn trees(bench: &Bench, depth: u32) -> Result<Trees, BenchError> {
    let depth_text = depth.to_string();
    let options = ["--entry", "rb_insert", "--assume", "rb_ok", "--ensure", "rb_ok", "--depth", &depth_text];
    let (summary, finished) = run(bench, "rbtree", &format!("depth-{depth}"), &options)?;
    let (runs, seconds) = (summary.paths + summary.excluded, finished.cpu.as_secs_f64());
    Ok(Trees {
        depth,
        runs,
        seconds,
        runs_a_second: runs as f64 / seconds,
        solver_share: summary.solver.time_ms / summary.time_ms.max(1) as f64,
        memory_mb: finished.peak_bytes as f64 / f64::from(1 << 20),
    })
}

fn lists(bench: &Bench, length: u32) -> Result<Lists, BenchError> {
    let limit = format!("-DLIMIT={length}");
    let nesting = (length + 1).to_string();
    let checks = ["--entry", "dlist_push_front", "--assume", "dlist_small", "--ensure", "dlist_ok"];
    let options = [&checks[..], &["--nesting", &nesting, "--", &limit]].concat();
    let (summary, _) = run(bench, "dlist", &format!("length-{length}"), &options)?;
    Ok(Lists { length, runs: summary.paths + summary.excluded, queries: summary.solver.queries })
}

fn run(bench: &Bench, structure: &str, name: &str, options: &[&str]) -> Result<(Summary, child::Finished), BenchError> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../tests/structures/{structure}.c"));
    let mut command = bench.spelunk.command();
    command.arg("run").arg(source).arg("--out").arg(bench.dir.path().join(name));
    command.args(["--strategy", "dfs", "--no-tests", "--jobs", "1", "--format", "json"]).args(options);
    let finished = child::run(&mut command)?;
    Ok((serde_json::from_str(&finished.stdout)?, finished))
}

impl fmt::Display for Units {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let titles = ["depth", "runs", "CPU s", "runs/s", "solver", "MiB"];
        writeln!(f, "red-black tree, insertion with its invariant before and after")?;
        writeln!(
            f,
            "{:>7}{:>10}{:>9}{:>10}{:>9}{:>8}",
            titles[0], titles[1], titles[2], titles[3], titles[4], titles[5]
        )?;
        for Trees { depth, runs, seconds, runs_a_second, solver_share, memory_mb } in &self.trees {
            let share = 100.0 * solver_share;
            writeln!(f, "{depth:>7}{runs:>10}{seconds:>9.1}{runs_a_second:>10.0}{share:>8.0}%{memory_mb:>8.0}")?;
        }
        writeln!(f, "doubly linked list, insertion at the front, by the longest list")?;
        writeln!(f, "{:>7}{:>10}{:>9}", "length", "runs", "queries")?;
        for Lists { length, runs, queries } in &self.lists {
            writeln!(f, "{length:>7}{runs:>10}{queries:>9}")?;
        }
        Ok(())
    }
}
