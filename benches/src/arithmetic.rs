//! What the layers for arithmetic are worth: programs that compute with their input, explored with them and without.
//!
//! Each campaign gets the same processor time. Both take turns; what counts is the best of each.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use crate::Bench;
use crate::child;
use crate::error::BenchError;
use crate::klee::{ByKlee, Klee};
use crate::summary::Summary;

const PROGRAMS: [&str; 8] = ["gcd", "parity", "collatz", "incdec", "byte", "short", "checksum", "product"];

/// Layers that are left out for comparison.
const LAYERS: [&str; 4] = ["tabulate", "rounds", "boxes", "search"];

/// Processor time of one campaign.
const TIME: Duration = Duration::from_secs(10);

#[derive(Serialize)]
pub struct Arithmetic {
    pub programs: Vec<Compared>,
}

#[derive(Serialize)]
pub struct Compared {
    pub name: &'static str,
    pub with: Explored,
    pub without: Explored,
    /// Paths in the same time.
    pub ratio: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub klee: Option<ByKlee>,
}

#[derive(Clone, Copy, Serialize)]
pub struct Explored {
    pub paths: u64,
    /// Including compilation.
    pub cpu_seconds: f64,
    pub is_exhausted: bool,
}

impl Explored {
    fn paths_a_second(&self) -> f64 {
        self.paths as f64 / self.cpu_seconds
    }
}

pub fn measure(bench: &Bench, klee: &Klee) -> Result<Arithmetic, BenchError> {
    Ok(Arithmetic { programs: PROGRAMS.iter().map(|name| compare(bench, klee, name)).collect::<Result<_, _>>()? })
}

fn compare(bench: &Bench, klee: &Klee, name: &'static str) -> Result<Compared, BenchError> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("arithmetic/{name}.c"));
    let mut best: [Option<Explored>; 2] = [None; 2];
    for repetition in 0..bench.repetitions {
        for (at, without) in [&[][..], &LAYERS].into_iter().enumerate() {
            let out = bench.dir.path().join(format!("{name}-{repetition}-{at}"));
            let explored = explore(bench, &source, without, &out)?;
            if best[at].is_none_or(|best| best.paths_a_second() < explored.paths_a_second()) {
                best[at] = Some(explored);
            }
        }
    }
    let [with, without] = best.map(|best| best.expect("there is at least one repetition"));
    let ratio = with.paths_a_second() / without.paths_a_second();
    Ok(Compared { name, with, without, ratio, klee: klee.explore(bench, &source)? })
}

fn explore(bench: &Bench, source: &Path, without: &[&str], out: &Path) -> Result<Explored, BenchError> {
    let mut command = bench.spelunk.command();
    command.arg("run").arg(source).args(["--no-tests", "--jobs", "1", "--format", "json", "--out"]).arg(out);
    for layer in without {
        command.args(["--without", layer]);
    }
    let finished = child::run_with_findings_for(&mut command, TIME)?;
    let summary: Summary = serde_json::from_str(&finished.stdout)?;
    Ok(Explored { paths: summary.paths, cpu_seconds: finished.cpu.as_secs_f64(), is_exhausted: summary.exhausted })
}

impl fmt::Display for Arithmetic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "arithmetic     paths  CPU s   without: paths  CPU s      ratio")?;
        for Compared { name, with, without, ratio, klee } in &self.programs {
            let seconds = |of: &Explored| format!("{:.2}{}", of.cpu_seconds, if of.is_exhausted { "" } else { "+" });
            writeln!(
                f,
                "{name:<12}{:>8}{:>7}{:>17}{:>7}{ratio:>10.1}x",
                with.paths,
                seconds(with),
                without.paths,
                seconds(without),
            )?;
            if let Some(klee) = klee {
                let ratio = with.paths_a_second() / klee.paths_a_second;
                writeln!(f, "  KLEE      {:>8}   we are {ratio:.1} times as fast", klee.paths)?;
            }
        }
        writeln!(f, "+ until the time was up")
    }
}
