//! What it costs to find independent inputs: time a path on the same paths, with and without; and how much time the programs of figure 5.1 take as they
//! grow.

use std::fmt;
use std::path::Path;

use serde::Serialize;

use crate::Bench;
use crate::child;
use crate::error::BenchError;
use crate::report::relation;
use crate::summary::Summary;

/// Programs that have the same paths with and without, and how much longer a path may take.
const PROGRAMS: [(&str, f64); 4] = [("none", 1.5), ("few", 1.5), ("many", 2.0), ("values", 2.0)];

/// Without partitions, the same without snapshots, and with them.
const MODES: [&[&str]; 3] = [&[], &["--no-snapshots"], &["--partition", "auto"]];

/// Figure 5.1 (a) and (b), a page map of so many headers, and their options.
const GROWING: [(&str, &[&str]); 3] = [
    ("fig51a", &["--entry", "test", "--global", "a"]),
    ("fig51b", &["--entry", "release", "--global", "A", "--global", "count"]),
    ("pmap", &["--entry", "check_pages", "--global", "pages"]),
];

const SIZES: [u64; 3] = [10, 100, 1000];

#[derive(Serialize)]
pub struct Partitions {
    pub costs: Vec<Cost>,
    pub growth: Vec<Growth>,
}

/// Microseconds a path.
#[derive(Serialize)]
pub struct Cost {
    pub program: &'static str,
    pub paths: u64,
    pub is_same: bool,
    pub off: f64,
    pub off_without_snapshots: f64,
    pub on: f64,
    pub max_ratio: f64,
}

#[derive(Serialize)]
pub struct Growth {
    pub program: &'static str,
    pub n: u64,
    pub paths: u64,
    pub is_exhausted: bool,
    pub cpu_ms: f64,
}

pub fn measure(bench: &Bench) -> Result<Partitions, BenchError> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    let costs = PROGRAMS.into_iter().map(|(program, max_ratio)| {
        let source = dir.join(format!("partitions/{program}.c"));
        let [off, without, on] = costs(bench, &source)?;
        let is_same = off.0 == on.0 && off.0 == without.0;
        let (paths, off, off_without_snapshots, on) = (on.0, off.1, without.1, on.1);
        Ok(Cost { program, paths, is_same, off, off_without_snapshots, on, max_ratio })
    });
    let costs = costs.collect::<Result<_, BenchError>>()?;
    let mut growth = Vec::new();
    for (program, options) in GROWING {
        let source = dir.join(format!("../tests/partition/{program}.c"));
        for n in SIZES {
            let size = format!("--cflag=-DN={n}");
            let options: Vec<&str> = options.iter().copied().chain(["--partition", "auto", &size]).collect();
            let (summary, cpu_ms) = explore(bench, &source, &options)?;
            growth.push(Growth { program, n, paths: summary.paths, is_exhausted: summary.exhausted, cpu_ms });
        }
    }
    Ok(Partitions { costs, growth })
}

/// Paths, and microseconds that each takes: compiling and starting are left out. The least of each, measured in turn.
fn costs(bench: &Bench, source: &Path) -> Result<[(u64, f64); 3], BenchError> {
    let mut paths = [0; 3];
    let mut least = [[f64::INFINITY; 2]; 3];
    for _ in 0..bench.repetitions {
        for (number, mode) in MODES.into_iter().enumerate() {
            for (part, limit) in [&[][..], &["--max-paths", "1"]].into_iter().enumerate() {
                let options = [&["--entry", "test", "--global", "a"], mode, limit].concat();
                let (summary, cpu_ms) = explore(bench, source, &options)?;
                paths[number] = summary.paths.max(paths[number]);
                least[number][part] = least[number][part].min(cpu_ms);
            }
        }
    }
    let cost = |number: usize| {
        let [all, one] = least[number];
        (paths[number], (all - one) * 1e3 / (paths[number].max(2) - 1) as f64)
    };
    Ok([0, 1, 2].map(cost))
}

fn explore(bench: &Bench, source: &Path, options: &[&str]) -> Result<(Summary, f64), BenchError> {
    let mut command = bench.spelunk.command();
    command.arg("run").arg(source).args(["--no-tests", "--no-replay", "--jobs", "1", "--format", "json"]).args(options);
    command.arg("--out").arg(bench.output());
    let finished = child::run_with_findings(&mut command)?;
    Ok((serde_json::from_str(&finished.stdout)?, finished.cpu.as_secs_f64() * 1e3))
}

impl Cost {
    fn ratio(&self) -> f64 {
        self.on / self.off_without_snapshots
    }
}

impl Partitions {
    pub fn meets_its_bar(&self) -> bool {
        self.costs.iter().all(|cost| cost.is_same && cost.ratio() <= cost.max_ratio)
            && self.growth.iter().all(|growth| growth.is_exhausted && growth.paths <= 2 * growth.n + 1)
    }
}

impl fmt::Display for Partitions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<10}{:>8}{:>12}{:>16}{:>12}", "us a path", "paths", "off", "no snapshots", "on")?;
        for cost in &self.costs {
            let Cost { program, paths, off, off_without_snapshots, on, max_ratio, .. } = cost;
            let (ratio, mark) = (cost.ratio(), if cost.is_same { "" } else { "  other paths!" });
            let bar = relation(ratio, *max_ratio);
            writeln!(
                f,
                "{program:<10}{paths:>8}{off:>12.0}{off_without_snapshots:>16.0}{on:>12.0}{ratio:>8.2}x  ({bar} {max_ratio}x){mark}"
            )?;
        }
        writeln!(f, "{:<10}{:>8}{:>12}{:>16}", "", "n", "paths", "CPU")?;
        for Growth { program, n, paths, is_exhausted, cpu_ms } in &self.growth {
            let mark = if *is_exhausted { "" } else { "+" };
            writeln!(f, "{program:<10}{n:>8}{:>12}{cpu_ms:>13.0} ms", format!("{paths}{mark}"))?;
        }
        Ok(())
    }
}
