//! Whether a path costs the same however many were explored before: a campaign of 200 000 paths in this process, with the
//! rate, the memory and the number of expressions after every 10 000.

use std::fmt;
use std::path::Path;

use serde::Serialize;
use spelunk_concolic::marks::Marks;
use spelunk_concolic::{Run, SnapshotPolicy};
use spelunk_explore::campaign::{self, Budget, Deadline, Observer, Options, Progress};
use spelunk_explore::program::ProgramFlow;
use spelunk_explore::spent::Cost;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::error::BenchError;

const MAX_PATHS: u64 = 200_000;
const INTERVAL: u64 = 10_000;

/// Of the whole process.
pub const MAX_MEMORY_MB: f64 = 1024.0;

/// The length of the plot's longest bar.
const MAX_BAR: f64 = 40.0;

/// More bytes than the program has by itself, so that there are enough paths.
const LENGTH: &str = "-DLENGTH=12";

#[derive(Serialize)]
pub struct Long {
    pub points: Vec<Point>,
    pub max_memory_mb: f64,
}

#[derive(Clone, Copy, Serialize)]
pub struct Point {
    pub paths: u64,
    /// Since the last point.
    pub paths_a_second: f64,
    pub memory_mb: f64,
    pub expressions: u64,
    pub open: u64,
}

impl Long {
    pub fn meets_its_bar(&self) -> bool {
        self.points.iter().all(|point| point.memory_mb <= self.max_memory_mb)
    }
}

pub fn measure() -> Result<Long, BenchError> {
    let loaded = spelunk_driver::load(&spelunk_driver::Options {
        sources: vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("explore/tokenizer.c")],
        cflags: vec![LENGTH.to_owned()],
        headers: spelunk_concolic::harness::HEADERS,
        purpose: spelunk_driver::Purpose::Explore,
        ..Default::default()
    })?;
    let mut options = Options { n_workers: 1, ..Options::default() };
    options.budget = Budget { paths: Some(MAX_PATHS), ..Budget::default() };
    options.run.args = vec![b"tokenizer".to_vec()];
    options.run.snapshots = Some(SnapshotPolicy { min_steps: 200 });
    let mut plotter = Plotter { points: Vec::new(), last: Instant::now(), n_paths: 0, progress: Progress::default() };
    // Workers share the program, and may outlive a campaign.
    let image = &Box::leak(Box::new(loaded)).image;
    campaign::explore(&Arc::new(ProgramFlow::new(image)), options, &Deadline::default(), &mut plotter)
        .map_err(|_| BenchError::NoMemory)?;
    Ok(Long { points: plotter.points, max_memory_mb: MAX_MEMORY_MB })
}

struct Plotter {
    points: Vec<Point>,
    last: Instant,
    n_paths: u64,
    progress: Progress,
}

impl Observer for Plotter {
    fn path(&mut self, _run: &Run, _seed: Option<usize>, _cost: Cost) {
        self.n_paths += 1;
        if !self.n_paths.is_multiple_of(INTERVAL) {
            return;
        }
        let elapsed = self.last.elapsed().max(Duration::from_micros(1));
        self.last = Instant::now();
        self.points.push(Point {
            paths: self.n_paths,
            paths_a_second: INTERVAL as f64 / elapsed.as_secs_f64(),
            memory_mb: campaign::resident_memory().unwrap_or_default() as f64 / f64::from(1 << 20),
            expressions: self.progress.n_expressions,
            open: self.progress.n_open,
        });
    }

    fn progress(&mut self, progress: &Progress, _marks: &Marks) {
        self.progress = progress.clone();
    }
}

impl fmt::Display for Long {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:>9}{:>10}{:>9}{:>13}{:>9}", "paths", "paths/s", "MiB", "expressions", "open")?;
        let fastest = self.points.iter().map(|point| point.paths_a_second).fold(1.0, f64::max);
        for point in &self.points {
            let bar = "#".repeat((MAX_BAR * point.paths_a_second / fastest) as usize);
            let Point { paths, paths_a_second, memory_mb, expressions, open } = point;
            writeln!(f, "{paths:>9}{paths_a_second:>10.0}{memory_mb:>9.0}{expressions:>13}{open:>9}  {bar}")?;
        }
        Ok(())
    }
}
