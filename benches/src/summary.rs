//! What the suites read of the summary that `spelunk run --format json` prints.

use serde::Deserialize;

#[derive(Default, Deserialize)]
pub struct Summary {
    pub paths: u64,
    pub exhausted: bool,
    pub excluded: u64,
    pub instructions: u64,
    pub time_ms: u64,
    pub solver: Solver,
}

#[derive(Default, Deserialize)]
pub struct Solver {
    pub queries: u64,
    pub time_ms: f64,
}
