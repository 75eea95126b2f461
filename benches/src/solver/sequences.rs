//! The queries that exploring programs asks, against the whole chain, the bit-blaster alone, and Z3 alone.
//!
//! Each contestant starts empty, with a pool of its own in which the recorded queries were rebuilt, and is then asked
//! all of them in order. Building expressions does not count. All must agree on every query.

use std::time::Duration;

use serde::Serialize;
use spelunk_solver::chain::{Options, build};
use spelunk_solver::{Answer, LayerStats, Limits, Query};

use super::explorer::{Recording, record};
use super::{blaster, cpu_time, programs, z3};
use crate::error::BenchError;

/// How many times faster than Z3 alone the whole chain must be, in the geometric mean of all programs.
const MIN_CHAIN_SPEEDUP: f64 = 20.0;
/// The same of the bit-blaster alone.
const MIN_BLASTER_SPEEDUP: f64 = 5.0;

/// For one query, so that the suite comes to an end. What a solver does not answer in time counts as answered then.
const PATIENCE: Duration = Duration::from_secs(1);

#[derive(Serialize)]
pub struct Sequences {
    pub programs: Vec<Sequence>,
    /// What the layers of the chain did, on all programs together.
    pub layers: Vec<LayerShare>,
    /// Geometric means over the programs: one program with long queries must not speak for all.
    pub chain_speedup: f64,
    pub blaster_speedup: f64,
    pub min_chain_speedup: f64,
    pub min_blaster_speedup: f64,
}

#[derive(Serialize)]
pub struct Sequence {
    pub name: &'static str,
    pub n_queries: usize,
    pub n_sat: usize,
    pub n_unsat: usize,
    /// Queries that one contestant or another did not answer.
    pub n_unknown: usize,
    /// Microseconds a query.
    pub chain_us: f64,
    pub blaster_us: f64,
    pub z3_us: f64,
}

#[derive(Serialize)]
pub struct LayerShare {
    pub name: &'static str,
    pub n_queries: u64,
    pub n_sat: u64,
    pub n_unsat: u64,
    pub n_unknown: u64,
    /// Of the time of all layers.
    pub time_share: f64,
}

pub fn measure(repetitions: u32) -> Result<Sequences, BenchError> {
    let mut programs = Vec::new();
    let mut stats: Vec<LayerStats> = Vec::new();
    for program in programs::ALL {
        let recording = record(program, &mut *build(&Options::default()))?;
        let mut contestants = [Options::default(), blaster(), z3()].map(Contestant::new);
        for _ in 0..repetitions {
            for contestant in &mut contestants {
                contestant.replay(&recording);
            }
        }
        programs.push(Sequence::new(&recording, &contestants)?);
        let [chain, ..] = contestants;
        add_stats(&mut stats, chain.stats);
    }
    let mean = |speedup: fn(&Sequence) -> f64| {
        let log_sum: f64 = programs.iter().map(|program| speedup(program).ln()).sum();
        (log_sum / programs.len() as f64).exp()
    };
    Ok(Sequences {
        layers: shares(&stats),
        chain_speedup: mean(|program| program.z3_us / program.chain_us),
        blaster_speedup: mean(|program| program.z3_us / program.blaster_us),
        min_chain_speedup: MIN_CHAIN_SPEEDUP,
        min_blaster_speedup: MIN_BLASTER_SPEEDUP,
        programs,
    })
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Sat,
    Unsat,
    Unknown,
}

/// A solver, with its best time so far.
struct Contestant {
    options: Options,
    cpu: Duration,
    verdicts: Vec<Verdict>,
    stats: Vec<LayerStats>,
}

impl Contestant {
    fn new(options: Options) -> Self {
        Contestant { options, cpu: Duration::MAX, verdicts: Vec::new(), stats: Vec::new() }
    }

    fn replay(&mut self, recording: &Recording) {
        let mut script = recording.rebuild();
        let limits = Limits { time: Some(PATIENCE), ..Limits::default() };
        let mut solver = build(&self.options);
        self.verdicts.clear();
        let start = cpu_time();
        for flip in &script.queries {
            let query = Query {
                constraints: &flip.constraints,
                n_satisfied: flip.constraints.len() - 1,
                hint: &script.inputs[flip.run],
                limits: &limits,
            };
            self.verdicts.push(match solver.check(&mut script.pool, &query) {
                Answer::Sat(_) => Verdict::Sat,
                Answer::Unsat(_) => Verdict::Unsat,
                Answer::Unknown(_) => Verdict::Unknown,
            });
        }
        self.cpu = self.cpu.min(cpu_time() - start);
        self.stats.clear();
        solver.stats(&mut self.stats);
    }
}

impl Sequence {
    fn new(recording: &Recording, contestants: &[Contestant; 3]) -> Result<Sequence, BenchError> {
        let n_queries = contestants[0].verdicts.len();
        let mut counts = [0; 3];
        for at in 0..n_queries {
            let mut verdict = Verdict::Unknown;
            for other in contestants.iter().map(|contestant| contestant.verdicts[at]) {
                if verdict != other && verdict != Verdict::Unknown && other != Verdict::Unknown {
                    return Err(BenchError::Disagree { program: recording.program.name, query: at });
                }
                verdict = if verdict == Verdict::Unknown { other } else { verdict };
            }
            let is_unknown = contestants.iter().any(|contestant| contestant.verdicts[at] == Verdict::Unknown);
            counts[if is_unknown { Verdict::Unknown } else { verdict } as usize] += 1;
        }
        let [chain_us, blaster_us, z3_us] =
            contestants.each_ref().map(|contestant| contestant.cpu.as_secs_f64() * 1e6 / n_queries as f64);
        let [n_sat, n_unsat, n_unknown] = counts;
        Ok(Sequence { name: recording.program.name, n_queries, n_sat, n_unsat, n_unknown, chain_us, blaster_us, z3_us })
    }
}

fn add_stats(sum: &mut Vec<LayerStats>, more: Vec<LayerStats>) {
    for layer in more {
        match sum.iter_mut().find(|known| known.layer == layer.layer) {
            None => sum.push(layer),
            Some(known) => {
                known.n_queries += layer.n_queries;
                known.n_sat += layer.n_sat;
                known.n_unsat += layer.n_unsat;
                known.n_unknown += layer.n_unknown;
                known.time += layer.time;
            }
        }
    }
}

fn shares(stats: &[LayerStats]) -> Vec<LayerShare> {
    let total: f64 = stats.iter().map(|layer| layer.time.as_secs_f64()).sum();
    let share = |layer: &LayerStats| LayerShare {
        name: layer.layer,
        n_queries: layer.n_queries,
        n_sat: layer.n_sat,
        n_unsat: layer.n_unsat,
        n_unknown: layer.n_unknown,
        time_share: layer.time.as_secs_f64() / total,
    };
    stats.iter().map(share).collect()
}
