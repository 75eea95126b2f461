//! What the size of a buffer costs: a string that overflows it by one byte, explored to the end, from 64 bytes to a mebibyte.
//!
//! Compiling is part of each time, and much the same for all of them.

use std::fmt;
use std::path::Path;

use serde::Serialize;

use crate::Bench;
use crate::child;
use crate::error::BenchError;
use crate::report::relation;
use crate::summary::Summary;

const SIZES: [u64; 6] = [64, 1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 20];

/// The time of the largest buffer, against that of the smallest.
const MAX_RATIO: f64 = 2.0;

#[derive(Serialize)]
pub struct Lengths {
    pub buffers: Vec<Buffer>,
    pub ratio: f64,
    pub max_ratio: f64,
}

#[derive(Serialize)]
pub struct Buffer {
    pub size: u64,
    pub paths: u64,
    pub is_exhausted: bool,
    pub cpu_ms: f64,
}

pub fn measure(bench: &Bench) -> Result<Lengths, BenchError> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("zitser/fig42.c");
    let mut buffers: Vec<Buffer> = Vec::new();
    for _ in 0..bench.repetitions {
        for (at, size) in SIZES.into_iter().enumerate() {
            let mut command = bench.spelunk.command();
            command.arg("run").arg(&source).args(["--entry", "test", "--no-tests", "--jobs", "1", "--format", "json"]);
            command.arg(format!("--cflag=-DSIZE={size}")).arg("--out").arg(bench.output());
            let finished = child::run_with_findings(&mut command)?;
            let summary: Summary = serde_json::from_str(&finished.stdout)?;
            let cpu_ms = finished.cpu.as_secs_f64() * 1e3;
            let buffer = Buffer { size, paths: summary.paths, is_exhausted: summary.exhausted, cpu_ms };
            match buffers.get_mut(at) {
                Some(best) if best.cpu_ms <= cpu_ms => {}
                Some(best) => *best = buffer,
                None => buffers.push(buffer),
            }
        }
    }
    let ratio = buffers[buffers.len() - 1].cpu_ms / buffers[0].cpu_ms;
    Ok(Lengths { buffers, ratio, max_ratio: MAX_RATIO })
}

impl Lengths {
    pub fn meets_its_bar(&self) -> bool {
        let is_same = |buffer: &Buffer| buffer.is_exhausted && buffer.paths == self.buffers[0].paths;
        self.buffers.iter().all(is_same) && self.ratio <= self.max_ratio
    }
}

impl fmt::Display for Lengths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<20}{:>12}{:>12}", "buffer", "paths", "CPU")?;
        for Buffer { size, paths, is_exhausted, cpu_ms } in &self.buffers {
            let mark = if *is_exhausted { "" } else { "+" };
            writeln!(f, "{size:<20}{:>12}{cpu_ms:>9.0} ms", format!("{paths}{mark}"))?;
        }
        let (ratio, bar) = (self.ratio, self.max_ratio);
        writeln!(f, "{:<35}{ratio:>8.1}x  ({} {bar}x)", "largest against smallest", relation(ratio, bar))
    }
}
