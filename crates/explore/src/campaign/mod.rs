//! A campaign: workers that explore one program until it is exhausted or the budget is.
//!
//! Each worker has an explorer of its own and tells what it found through a mailbox; one with nothing left to do gets part of
//! what another has open. Which paths are explored in the end does not depend on how many workers there are.

mod mailbox;
mod memory;
mod shared;
mod worker;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use spelunk_concolic::ledger::Bound;
use spelunk_concolic::marks::Marks;
use spelunk_concolic::{Input, Run, failure};
use spelunk_solver::{LayerStats, chain};
use spelunk_vm::memory::Fault;

use crate::bounds;
use crate::explorer::{Counters, News, Options as ExplorerOptions, brief};
use crate::ledger::{Effect, Ledger, Loss, NOWHERE};
use crate::partition::PartitionReport;
use crate::program::ProgramFlow;
use crate::spent::{Cost, Spent};
use crate::targets::Noted;
use mailbox::{Event, Mailbox, Receiver};
use memory::Gauge;
use shared::Shared;
use worker::Worker;

pub use memory::resident as resident_memory;
pub use spelunk_deadline::Deadline;

#[derive(Clone, Debug, Default)]
pub struct Options {
    pub explorer: ExplorerOptions,
    pub run: spelunk_concolic::Options,
    pub solver: chain::Options,
    pub budget: Budget,
    /// Run first.
    pub seeds: Vec<Input>,
    pub n_workers: usize,
}

/// What a campaign may use. No limit by default.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget {
    pub paths: Option<u64>,
    pub instructions: Option<u64>,
    /// Of the whole process, in bytes.
    pub memory: Option<u64>,
}

/// Why a campaign ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// Every path was explored.
    Exhausted,
    /// Every path within the bounds was explored.
    Bounded,
    /// Nothing is open any more, but not every path was explored: the ledger says why.
    Incomplete,
    /// Every target was reached.
    Targets,
    Time,
    Paths,
    Instructions,
    Memory,
    Interrupted,
}

impl Stopped {
    /// The stable name in reports.
    pub fn slug(self) -> &'static str {
        match self {
            Self::Exhausted => "exhausted",
            Self::Bounded => "bounded",
            Self::Incomplete => "incomplete",
            Self::Targets => "targets",
            Self::Time => "time",
            Self::Paths => "paths",
            Self::Instructions => "instructions",
            Self::Memory => "memory",
            Self::Interrupted => "interrupted",
        }
    }
}

/// What goes on in a campaign, for those who watch it.
pub trait Observer {
    /// A path that was not met before has ended, or one that was with an outcome that was not. `seed` is the number of the seed that took it, if one did.
    fn path(&mut self, run: &Run, seed: Option<usize>, cost: Cost);

    /// Called several times a second, more often at first, with what was reached so far.
    fn progress(&mut self, progress: &Progress, marks: &Marks);
}

#[derive(Clone, Debug, Default)]
pub struct Progress {
    pub time: Duration,
    pub n_paths: u64,
    pub n_open: u64,
    /// In the pools of all workers.
    pub n_expressions: u64,
    pub instructions: u64,
    pub solver_time: Duration,
    pub run_time: Duration,
}

/// What came of a campaign.
#[derive(Debug)]
pub struct Outcome {
    pub stopped: Stopped,
    /// What limits the paths that were explored, apart from the budget.
    pub bounds: Vec<Bound>,
    /// Whether all workers have said what they left open.
    pub is_accounted: bool,
    pub time: Duration,
    pub n_paths: u64,
    /// Paths that an assumption of the harness excludes.
    pub n_excluded: u64,
    pub counters: Counters,
    pub ledger: Ledger,
    pub spent: Spent,
    pub marks: Marks,
    pub solver: Vec<LayerStats>,
    /// Which inputs belong together, if that was asked for.
    pub partition: Option<PartitionReport>,
}

impl Outcome {
    /// What is known while a campaign goes on.
    pub fn so_far(progress: &Progress, marks: &Marks) -> Self {
        let Progress { time, n_paths, instructions, solver_time, run_time, .. } = *progress;
        let counters = Counters { instructions, solver_time, run_time, ..Counters::default() };
        Self { time, n_paths, counters, marks: marks.clone(), ..Self::new(0) }
    }

    fn new(n_ops: usize) -> Self {
        Self {
            bounds: Vec::new(),
            is_accounted: false,
            stopped: Stopped::Interrupted,
            time: Duration::ZERO,
            n_paths: 0,
            n_excluded: 0,
            counters: Counters::default(),
            ledger: Ledger::default(),
            spent: Spent::default(),
            marks: Marks::new(n_ops),
            solver: Vec::new(),
            partition: None,
        }
    }
}

/// How long a worker may take to notice that the campaign has ended. A query or a run may be where it does not look.
const GRACE: Duration = Duration::from_millis(300);

/// Explores until nothing is open, the budget is used up or the deadline passes. Workers that don't notice in time are left
/// behind, which is why they share the program.
pub fn explore(
    program: &Arc<ProgramFlow<'static>>,
    mut options: Options,
    deadline: &Deadline,
    observer: &mut dyn Observer,
) -> Result<Outcome, Fault> {
    let n_workers = options.n_workers.max(1);
    let targets = Arc::clone(&options.explorer.targets);
    // Before others, which may end the path where a target is.
    options.run.theories.splice(0..0, Noted::of(&targets));
    let shared = Arc::new(Shared::new(options, n_workers, deadline));
    let mut outcome = Outcome::new(program.image.ops.len());
    let mailbox = Arc::new(Mailbox::default());
    let receiver = mailbox.receiver();
    let workers: Vec<_> = (0..n_workers)
        .map(|number| {
            let (shared, program) = (Arc::clone(&shared), Arc::clone(program));
            let worker = Worker { number, shared, program, events: mailbox.sender() };
            thread::spawn(move || worker.work())
        })
        .collect();
    let is_all = watch(&shared, &receiver, observer, &mut outcome);
    drop(receiver);
    for worker in workers.into_iter().filter(|worker| is_all || worker.is_finished()) {
        match worker.join() {
            Ok(result) => result?,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
    outcome.time = shared.start.elapsed();
    outcome.n_excluded = shared.n_excluded.load(Ordering::Relaxed);
    let Options { explorer, run, .. } = &shared.options;
    bounds::enter_given(&mut outcome.ledger, run);
    outcome.is_accounted = is_all;
    let max_nesting = run.unit.as_ref().and_then(|unit| unit.max_nesting);
    outcome.bounds = bounds::of(&outcome.ledger, max_nesting, explorer.max_depth);
    let nothing_left = || if targets.are_all_reached() { Stopped::Targets } else { nothing_open(&outcome.ledger) };
    outcome.stopped = shared.stopped().unwrap_or_else(nothing_left);
    Ok(outcome)
}

/// How a campaign ended in which nothing is left to do.
fn nothing_open(ledger: &Ledger) -> Stopped {
    match ledger.effect() {
        Some(Effect::Unexplored) => Stopped::Incomplete,
        Some(Effect::BeyondBound) => Stopped::Bounded,
        Some(
            Effect::Assumed | Effect::OneByOne | Effect::LeftOut | Effect::Slower | Effect::Implied | Effect::Given,
        )
        | None => Stopped::Exhausted,
    }
}

/// How often the observer hears of the progress, at first and later.
const SHORTEST_INTERVAL: Duration = Duration::from_millis(2);
const LONGEST_INTERVAL: Duration = Duration::from_millis(200);

/// When progress is next worth telling: in the beginning, more of it is new.
fn interval(start: Instant) -> Duration {
    (start.elapsed() / 16).clamp(SHORTEST_INTERVAL, LONGEST_INTERVAL)
}

/// Tells the observer what workers have found, until all have ended. If one does not in time, that is false.
fn watch(shared: &Shared, receiver: &Receiver, observer: &mut dyn Observer, outcome: &mut Outcome) -> bool {
    let mut gauge = shared.options.budget.memory.map(Gauge::new);
    let (mut next_progress, mut next_check) = (Duration::ZERO, LONGEST_INTERVAL);
    let mut events = Vec::new();
    let mut may_go_on = true;
    while may_go_on {
        may_go_on = receiver.receive(&mut events);
        if may_go_on && events.is_empty() && shared.ended_since().is_some_and(|since| since.elapsed() > GRACE) {
            let Progress { instructions, solver_time, run_time, .. } = shared.progress();
            outcome.counters = Counters { instructions, solver_time, run_time, ..outcome.counters.clone() };
            return false;
        }
        for event in events.drain(..) {
            match event {
                Event::Path { run, news, seed, cost } => {
                    outcome.n_paths += u64::from(news == News::Path);
                    let told = failure::catch(|| {
                        failure::pass("observer");
                        observer.path(&run, seed, cost);
                    });
                    if let Err(what) = told {
                        let detail = || format!("{what}, after a run with {}", brief(&run.input));
                        outcome.ledger.add_with(Loss::Internal, run.last_op, 1, detail);
                    }
                }
                Event::Reached(marks) => outcome.marks.merge(&marks),
                Event::Done(report) => {
                    outcome.counters.add(&report.counters);
                    outcome.ledger.merge(&report.ledger);
                    outcome.spent.merge(&report.spent);
                    outcome.marks.merge(&report.marks);
                    add_stats(&mut outcome.solver, &report.solver);
                    outcome.partition = outcome.partition.take().or(report.partition);
                }
            }
        }
        let elapsed = shared.start.elapsed();
        if may_go_on {
            shared.check_budget();
        }
        if may_go_on && elapsed >= next_check {
            // Workers need time to make room.
            next_check = elapsed + LONGEST_INTERVAL;
            gauge.iter_mut().for_each(|gauge| shared.check_memory(gauge));
        }
        if !may_go_on || elapsed >= next_progress {
            next_progress = elapsed + interval(shared.start);
            if let Err(what) = failure::catch(|| observer.progress(&shared.progress(), &outcome.marks)) {
                outcome.ledger.add_with(Loss::Internal, NOWHERE, 1, || what);
            }
        }
    }
    true
}

fn add_stats(all: &mut Vec<LayerStats>, of_worker: &[LayerStats]) {
    for stats in of_worker {
        match all.iter_mut().find(|known| known.layer == stats.layer) {
            Some(known) => known.add(stats),
            None => all.push(stats.clone()),
        }
    }
}
