//! How fast programs are explored: paths, instructions and queries a second, and where the time goes.
//!
//! The programs are in `explore/`, written for KLEE too, so that they can be measured against it where it is installed.
//! The times are those that `spelunk run` reports itself, without compiling and loading.

use std::fmt;
use std::path::Path;
use std::process::Command;

use serde::Serialize;

use crate::Bench;
use crate::child;
use crate::error::BenchError;
use crate::klee::{ByKlee, Klee};
use crate::summary::Summary;

/// Programs that are explored to exhaustion.
const PROGRAMS: [&str; 4] = ["regex", "quicksort", "tokenizer", "tree"];

/// Enough for a rate, where exhaustion would take long.
const MAX_PATHS: &str = "50000";

#[derive(Serialize)]
pub struct Explore {
    pub programs: Vec<Explored>,
}

#[derive(Serialize)]
pub struct Explored {
    pub name: &'static str,
    pub paths: u64,
    pub seconds: f64,
    pub paths_a_second: f64,
    pub instructions_a_second: f64,
    pub queries_a_second: f64,
    pub solver_share: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub klee: Option<ByKlee>,
}

pub fn measure(bench: &Bench, klee: &Klee) -> Result<Explore, BenchError> {
    Ok(Explore { programs: PROGRAMS.iter().map(|name| explore(bench, klee, name)).collect::<Result<_, _>>()? })
}

fn explore(bench: &Bench, klee: &Klee, name: &'static str) -> Result<Explored, BenchError> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("explore/{name}.c"));
    let mut best: Option<Explored> = None;
    for repetition in 0..bench.repetitions {
        let out = bench.dir.path().join(format!("{name}-{repetition}"));
        let mut command = bench.spelunk.command();
        command.arg("run").arg(&source).args(["--strategy", "dfs", "--no-tests", "--max-paths", MAX_PATHS]);
        let explored = figures(name, command.arg("--format").arg("json").arg("--out").arg(out))?;
        if best.as_ref().is_none_or(|best| best.seconds > explored.seconds) {
            best = Some(explored);
        }
    }
    let best = best.expect("there is at least one repetition");
    Ok(Explored { klee: klee.explore(bench, &source)?, ..best })
}

fn figures(name: &'static str, command: &mut Command) -> Result<Explored, BenchError> {
    let finished = child::run(command)?;
    let summary: Summary = serde_json::from_str(&finished.stdout)?;
    let seconds = (summary.time_ms as f64 / 1000.0).max(1e-3);
    Ok(Explored {
        name,
        paths: summary.paths,
        seconds,
        paths_a_second: summary.paths as f64 / seconds,
        instructions_a_second: summary.instructions as f64 / seconds,
        queries_a_second: summary.solver.queries as f64 / seconds,
        solver_share: summary.solver.time_ms / 1000.0 / seconds,
        klee: None,
    })
}

impl fmt::Display for Explore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "explored       paths  seconds   paths/s  instr./s  queries/s  solver")?;
        for program in &self.programs {
            writeln!(
                f,
                "{:<12}{:>8}{:>9.3}{:>10.0}{:>10.0}{:>11.0}{:>7.0}%",
                program.name,
                program.paths,
                program.seconds,
                program.paths_a_second,
                program.instructions_a_second,
                program.queries_a_second,
                100.0 * program.solver_share,
            )?;
            if let Some(klee) = &program.klee {
                let ratio = program.paths_a_second / klee.paths_a_second;
                writeln!(
                    f,
                    "  KLEE      {:>8}{:>19.0}   we are {ratio:.1} times as fast",
                    klee.paths, klee.paths_a_second
                )?;
            }
        }
        Ok(())
    }
}
