//! Independent inputs: exploring made programs with and without partitions comes to the same code and the same errors.
//!
//! More programs than by default: `PARTITION_PROGRAMS=2000 PARTITION_FROM=7 cargo test --release -p spelunk-explore --test flows`.

#[path = "../made/mod.rs"]
mod made;
mod programs;
mod ways;

use spelunk_concolic::Run;
use spelunk_concolic::marks::Marks;
use spelunk_concolic::theories::flow::Knowledge;
use spelunk_driver::Loaded;
use spelunk_explore::campaign::{Budget, Deadline, Observer, Options, Progress, Stopped, explore};
use spelunk_explore::coverage::reached_blocks;
use spelunk_explore::program::ProgramFlow;
use spelunk_explore::spent::Cost;
use spelunk_explore::strategy::Kind;
use spelunk_ir::code::OpIdx;
use spelunk_vm::{Limits, Stop};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// So many programs are compiled as one.
const N_TOGETHER: usize = 20;

/// A program with more paths is left out.
const MAX_PATHS: u64 = 300;
/// So is one with longer paths: some never end.
const MAX_INSTRUCTIONS: u64 = 20_000;

struct Programs {
    loaded: &'static Loaded,
    source: String,
    /// By operation; 0 if it is not the program's own.
    lines: Vec<u32>,
}

/// What a campaign has come to.
#[derive(Default)]
struct Found {
    /// By line and first operation.
    blocks: BTreeSet<(u32, OpIdx)>,
    errors: BTreeSet<(String, u32)>,
    n_paths: u64,
    is_complete: bool,
    /// How it ended.
    end: String,
    given_up: Option<String>,
}

struct Errors<'l> {
    lines: &'l [u32],
    found: BTreeSet<(String, u32)>,
    has_limit: bool,
}

impl Observer for Errors<'_> {
    fn path(&mut self, run: &Run, _seed: Option<usize>, _cost: Cost) {
        assert_eq!(run.failure, None);
        self.has_limit |= matches!(run.stop, Stop::Limit(_));
        if let Stop::Bug(bug) = &run.stop {
            let line = bug.trace.iter().map(|op: &OpIdx| self.lines[op.index()]).find(|&line| line != 0);
            self.found.insert((format!("{:?}", bug.kind), line.unwrap_or(0)));
        }
    }

    fn progress(&mut self, _progress: &Progress, _marks: &Marks) {}
}

impl Programs {
    fn new(seed: u64) -> Self {
        Self::of(programs::programs(seed, N_TOGETHER))
    }

    fn of(source: String) -> Self {
        let loaded = made::loaded(&source);
        let lines = made::lines(loaded);
        Self { loaded, source, lines }
    }

    fn explore(&self, number: usize, flow: Option<Arc<Knowledge>>, strategy: Kind, n_workers: usize) -> Found {
        let name = char::from(b'A' + number as u8).to_string();
        let run = spelunk_concolic::Options {
            args: vec![b"program".to_vec(), name.into_bytes()],
            flow,
            limits: Limits { instructions: MAX_INSTRUCTIONS, ..Limits::default() },
            ..Default::default()
        };
        let budget = Budget { paths: Some(MAX_PATHS), ..Budget::default() };
        let mut options = Options { run, n_workers, budget, ..Options::default() };
        options.explorer.strategy = strategy;
        let program = Arc::new(ProgramFlow::new(&self.loaded.image));
        let deadline = Deadline::default().within(Duration::from_secs(10));
        let mut errors = Errors { lines: &self.lines, found: BTreeSet::new(), has_limit: false };
        let outcome = explore(&program, options, &deadline, &mut errors).unwrap();
        let reached = reached_blocks(&program.flow, &outcome.marks);
        let starts = program.flow.blocks().zip(reached).filter(|it| it.1).map(|it| program.flow.ops(it.0).start);
        let starts = starts.map(|op| (self.lines[op.index()], op)).filter(|it| it.0 != 0);
        Found {
            blocks: starts.collect(),
            is_complete: outcome.stopped == Stopped::Exhausted && !errors.has_limit,
            end: format!("{:?}, limits met: {}, {:?}", outcome.stopped, errors.has_limit, outcome.ledger.entries()),
            errors: errors.found,
            n_paths: outcome.n_paths + outcome.n_excluded,
            given_up: outcome.partition.and_then(|found| found.given_up).map(|it| it.1),
        }
    }

    fn all_of(&self, number: usize) -> Option<Found> {
        Some(self.explore(number, None, Kind::DepthFirst, 1)).filter(|found| found.is_complete)
    }
}

fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().map_or(usual, |value| value.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

#[test]
fn made_programs_reach_the_same() {
    let (from, n) = (setting("PARTITION_FROM", 1), setting("PARTITION_PROGRAMS", 60) as usize);
    let (mut all, mut parts, mut n_compared, mut n_incomplete) = (0, 0, 0, 0);
    for batch in 0..n.div_ceil(N_TOGETHER) {
        let programs = Programs::new(from + batch as u64);
        for number in 0..N_TOGETHER {
            let Some(without) = programs.all_of(number) else { continue };
            let way = batch * N_TOGETHER + number;
            let strategy = Kind::ALL[way % Kind::ALL.len()];
            let n_workers = [1, 2, 1, 4][way % 4];
            let with = programs.explore(number, Some(Arc::default()), strategy, n_workers);
            let what = format!(
                "seed {}, test{number}, {}, {n_workers} workers: {:?} paths\n{}",
                from + batch as u64,
                strategy.name(),
                (with.n_paths, without.n_paths),
                programs.source
            );
            assert_eq!(with.given_up, None, "{what}");
            if !with.is_complete {
                // It says so; that must be rare.
                let paths = (with.n_paths, without.n_paths);
                eprintln!(
                    "seed {}, test{number}, {n_workers} workers: {paths:?} paths, {}",
                    from + batch as u64,
                    with.end
                );
                n_incomplete += 1;
                continue;
            }
            assert_eq!(with.blocks, without.blocks, "blocks: {what}");
            assert_eq!(with.errors, without.errors, "errors: {what}");
            assert!(n_workers > 1 || with.n_paths <= without.n_paths, "paths: {what}");
            all += without.n_paths;
            parts += with.n_paths;
            n_compared += 1;
        }
    }
    eprintln!("{n_compared} programs, {parts} paths instead of {all}; {n_incomplete} incomplete");
    assert!(n_incomplete <= n / 20, "{n_incomplete} programs of {n} were not explored to the end");
    assert!(n_compared >= n / 2, "{n_compared} programs of {n} have few paths");
    assert!(parts < all, "{parts} paths, {all} without");
}
