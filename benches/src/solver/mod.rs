//! How fast queries are answered: those that exploring programs asks, one after the other, and hard single ones; and
//! what expressions take.

mod explorer;
mod hard;
mod nodes;
mod programs;
mod report;
mod sequences;

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;
use spelunk_solver::chain::{Backend, Layer, Options};

use crate::error::BenchError;
use hard::HardQuery;
use nodes::Nodes;
use sequences::Sequences;

#[derive(Serialize)]
pub struct Report {
    pub nodes: Nodes,
    pub sequences: Sequences,
    pub hard: Vec<HardQuery>,
}

pub fn measure(repetitions: u32) -> Result<Report, BenchError> {
    // First, while the process is small.
    let nodes = nodes::measure()?;
    let sequences = sequences::measure(repetitions)?;
    Ok(Report { nodes, sequences, hard: hard::measure(repetitions)? })
}

impl Report {
    pub fn meets_every_bar(&self) -> bool {
        self.nodes.bytes_a_node <= self.nodes.max_bytes
            && self.sequences.chain_speedup >= self.sequences.min_chain_speedup
            && self.sequences.blaster_speedup >= self.sequences.min_blaster_speedup
            && self.hard.iter().all(HardQuery::is_within_bar)
    }
}

fn blaster() -> Options {
    Options { backend: Backend::Blast, without: Layer::ALL.to_vec(), ..Options::default() }
}

/// Single queries get the layers as well: what caches remember does not matter to them.
fn blaster_with_layers() -> Options {
    Options { backend: Backend::Blast, ..Options::default() }
}

fn z3() -> Options {
    Options { backend: Backend::Z3, without: Layer::ALL.to_vec(), ..Options::default() }
}

/// Of all threads: solvers may have some.
fn cpu_time() -> Duration {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}
