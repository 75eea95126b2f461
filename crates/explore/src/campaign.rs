//! A campaign: workers that explore one program until it is exhausted or the budget is.
//!
//! Each worker has an explorer of its own and tells what it found through a channel; a worker with nothing left to do gets
//! part of what another has open. Which paths are explored in the end does not depend on how many workers there are.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use spelunk_concolic::marks::Marks;
use spelunk_concolic::{Input, Run, Runner};
use spelunk_ir::code::Image;
use spelunk_solver::{Interrupt, LayerStats, chain};
use spelunk_vm::memory::Fault;
use spelunk_vm::{Limit, Stop};

use crate::explorer::{Counters, Explorer, Options as ExplorerOptions, Step, Work};
use crate::ledger::Ledger;
use crate::program::ProgramFlow;

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
    pub time: Option<Duration>,
    pub paths: Option<u64>,
    pub instructions: Option<u64>,
}

/// Why a campaign ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// Nothing is open any more.
    Exhausted,
    Time,
    Paths,
    Instructions,
    Interrupted,
}

impl Stopped {
    /// The stable name in reports.
    pub fn slug(self) -> &'static str {
        match self {
            Self::Exhausted => "exhausted",
            Self::Time => "time",
            Self::Paths => "paths",
            Self::Instructions => "instructions",
            Self::Interrupted => "interrupted",
        }
    }
}

/// What goes on in a campaign, for those who watch it.
pub trait Observer {
    /// A path that was not met before has ended.
    fn path(&mut self, run: &Run);

    /// Called several times a second, with what was reached so far.
    fn progress(&mut self, progress: &Progress, marks: &Marks);
}

#[derive(Clone, Debug, Default)]
pub struct Progress {
    pub time: Duration,
    pub n_paths: u64,
    pub n_open: u64,
    pub instructions: u64,
    pub solver_time: Duration,
    pub run_time: Duration,
}

/// What came of a campaign.
#[derive(Debug)]
pub struct Outcome {
    pub stopped: Stopped,
    pub time: Duration,
    pub n_paths: u64,
    /// Paths that an assumption of the harness excludes.
    pub n_excluded: u64,
    pub counters: Counters,
    pub ledger: Ledger,
    pub marks: Marks,
    pub solver: Vec<LayerStats>,
}

/// Ends a campaign from outside, soon.
#[derive(Clone, Debug, Default)]
pub struct StopFlag {
    queries: Interrupt,
    runs: Arc<AtomicBool>,
}

impl StopFlag {
    pub fn raise(&self) {
        self.queries.raise();
        self.runs.store(true, Ordering::Relaxed);
    }

    fn is_raised(&self) -> bool {
        self.queries.is_raised()
    }
}

/// What workers share.
struct Shared {
    options: Options,
    start: Instant,
    n_paths: AtomicU64,
    n_excluded: AtomicU64,
    instructions: AtomicU64,
    n_open: Vec<AtomicU64>,
    solver_nanos: AtomicU64,
    run_nanos: AtomicU64,
    stop: StopFlag,
    stopped: Mutex<Option<Stopped>>,
    has_stopped: AtomicBool,
    pool: Mutex<WorkPool>,
    n_idle: AtomicUsize,
    work_or_end: Condvar,
}

#[derive(Default)]
struct WorkPool {
    work: VecDeque<Work>,
    n_waiting: usize,
}

enum Event {
    Path(Box<Run>),
    /// What a worker has reached so far.
    Reached(Box<Marks>),
    Done(Box<Report>),
}

/// A worker's account at its end.
struct Report {
    counters: Counters,
    ledger: Ledger,
    marks: Marks,
    solver: Vec<LayerStats>,
}

/// Explores until nothing is open or the budget is used up.
pub fn explore(
    program: &ProgramFlow<'_>,
    options: Options,
    stop: &StopFlag,
    observer: &mut dyn Observer,
) -> Result<Outcome, Fault> {
    let n_workers = options.n_workers.max(1);
    let mut options = options;
    options.explorer.query_limits.interrupt = stop.queries.clone();
    options.run.interrupt = Arc::clone(&stop.runs);
    let shared = Shared {
        options,
        start: Instant::now(),
        n_paths: AtomicU64::new(0),
        n_excluded: AtomicU64::new(0),
        instructions: AtomicU64::new(0),
        n_open: (0..n_workers).map(|_| AtomicU64::new(0)).collect(),
        solver_nanos: AtomicU64::new(0),
        run_nanos: AtomicU64::new(0),
        stop: stop.clone(),
        stopped: Mutex::new(None),
        has_stopped: AtomicBool::new(false),
        pool: Mutex::default(),
        n_idle: AtomicUsize::new(0),
        work_or_end: Condvar::new(),
    };
    let mut outcome = Outcome {
        stopped: Stopped::Exhausted,
        time: Duration::ZERO,
        n_paths: 0,
        n_excluded: 0,
        counters: Counters::default(),
        ledger: Ledger::default(),
        marks: Marks::new(program.image.ops.len()),
        solver: Vec::new(),
    };
    thread::scope(|scope| {
        let (sender, events) = mpsc::sync_channel(MAX_EVENTS);
        let workers: Vec<_> = (0..n_workers)
            .map(|number| {
                let (sender, shared) = (sender.clone(), &shared);
                scope.spawn(move || Worker { number, shared, program, events: sender }.work())
            })
            .collect();
        drop(sender);
        watch(&shared, &events, observer, &mut outcome);
        for worker in workers {
            match worker.join() {
                Ok(result) => result?,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(())
    })?;
    outcome.time = shared.start.elapsed();
    outcome.n_excluded = shared.n_excluded.load(Ordering::Relaxed);
    outcome.stopped = shared.stopped.into_inner().expect("no worker panicked").unwrap_or(Stopped::Exhausted);
    Ok(outcome)
}

/// Events that may wait for the observer before workers do.
const MAX_EVENTS: usize = 1024;

/// How often the observer hears of the progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

fn watch(shared: &Shared, events: &mpsc::Receiver<Event>, observer: &mut dyn Observer, outcome: &mut Outcome) {
    let mut next_progress = PROGRESS_INTERVAL;
    loop {
        let wait = next_progress.saturating_sub(shared.start.elapsed());
        match events.recv_timeout(wait) {
            Ok(Event::Path(run)) => {
                outcome.n_paths += 1;
                observer.path(&run);
            }
            Ok(Event::Reached(marks)) => outcome.marks.merge(&marks),
            Ok(Event::Done(report)) => {
                outcome.counters.add(&report.counters);
                outcome.ledger.merge(&report.ledger);
                outcome.marks.merge(&report.marks);
                add_stats(&mut outcome.solver, &report.solver);
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => return,
        }
        if shared.start.elapsed() >= next_progress {
            next_progress = shared.start.elapsed() + PROGRESS_INTERVAL;
            shared.check_budget();
            observer.progress(&shared.progress(), &outcome.marks);
        }
    }
}

fn add_stats(all: &mut Vec<LayerStats>, of_worker: &[LayerStats]) {
    for stats in of_worker {
        match all.iter_mut().find(|known| known.layer == stats.layer) {
            Some(known) => known.add(stats),
            None => all.push(stats.clone()),
        }
    }
}

impl Shared {
    fn progress(&self) -> Progress {
        let nanos = |counter: &AtomicU64| Duration::from_nanos(counter.load(Ordering::Relaxed));
        Progress {
            time: self.start.elapsed(),
            n_paths: self.n_paths.load(Ordering::Relaxed),
            n_open: self.n_open.iter().map(|n_open| n_open.load(Ordering::Relaxed)).sum(),
            instructions: self.instructions.load(Ordering::Relaxed),
            solver_time: nanos(&self.solver_nanos),
            run_time: nanos(&self.run_nanos),
        }
    }

    /// Ends the campaign for this reason, unless it has ended for another.
    fn end(&self, why: Stopped) {
        self.stopped.lock().expect("no worker panicked").get_or_insert(why);
        self.has_stopped.store(true, Ordering::Relaxed);
        self.stop.raise();
        // Those who wait look at the flag under the lock.
        let _pool = self.pool.lock().expect("no worker panicked");
        self.work_or_end.notify_all();
    }

    fn has_ended(&self) -> bool {
        if self.has_stopped.load(Ordering::Relaxed) {
            return true;
        }
        self.check_budget();
        self.has_stopped.load(Ordering::Relaxed)
    }

    fn check_budget(&self) {
        if self.has_stopped.load(Ordering::Relaxed) {
            return;
        }
        let budget = &self.options.budget;
        if self.stop.is_raised() {
            self.end(Stopped::Interrupted);
        } else if budget.time.is_some_and(|limit| self.start.elapsed() >= limit) {
            self.end(Stopped::Time);
        } else if budget.paths.is_some_and(|limit| self.n_paths.load(Ordering::Relaxed) >= limit) {
            self.end(Stopped::Paths);
        } else if budget.instructions.is_some_and(|limit| self.instructions.load(Ordering::Relaxed) >= limit) {
            self.end(Stopped::Instructions);
        }
    }

    /// Work for a worker that has none left. Nothing once all have none, or the campaign ends.
    fn wait_for_work(&self) -> Option<Work> {
        let mut pool = self.pool.lock().expect("no worker panicked");
        pool.n_waiting += 1;
        self.n_idle.store(pool.n_waiting, Ordering::Relaxed);
        loop {
            if self.has_stopped.load(Ordering::Relaxed) {
                return None;
            }
            if let Some(work) = pool.work.pop_front() {
                pool.n_waiting -= 1;
                self.n_idle.store(pool.n_waiting, Ordering::Relaxed);
                return Some(work);
            }
            if pool.n_waiting == self.n_open.len() {
                self.work_or_end.notify_all();
                return None;
            }
            pool = self.work_or_end.wait(pool).expect("no worker panicked");
        }
    }

    fn wants_work(&self) -> bool {
        self.n_idle.load(Ordering::Relaxed) > 0
    }

    fn give(&self, work: Work) {
        let mut pool = self.pool.lock().expect("no worker panicked");
        pool.work.push_back(work);
        self.work_or_end.notify_one();
    }
}

struct Worker<'a> {
    number: usize,
    shared: &'a Shared,
    program: &'a ProgramFlow<'a>,
    events: mpsc::SyncSender<Event>,
}

impl Worker<'_> {
    fn work(self) -> Result<(), Fault> {
        let Options { explorer, run, solver, seeds, .. } = &self.shared.options;
        let image: &Image = self.program.image;
        let runner = Runner::new(image, run.clone());
        // The first worker begins, at last with an input of zeros; the others wait until it has something for them.
        let seeds = match self.number {
            0 => seeds.iter().cloned().chain([Input::new()]).collect(),
            _ => Vec::new(),
        };
        let mut options = explorer.clone();
        options.seed = options.seed.wrapping_add(self.number as u64);
        let mut explorer = Explorer::new(self.program, runner, chain::build(solver), options, seeds);
        let result = self.explore(&mut explorer);
        if result.is_err() {
            self.shared.end(Stopped::Interrupted);
        }
        let report = Report {
            counters: explorer.counters.clone(),
            ledger: explorer.ledger.clone(),
            marks: explorer.runner().machine().marks.clone(),
            solver: explorer.solver_stats(),
        };
        // Nobody listens only if the observer has panicked.
        let _ = self.events.send(Event::Done(Box::new(report)));
        result
    }

    fn explore(&self, explorer: &mut Explorer<'_>) -> Result<(), Fault> {
        let mut told = (Instant::now(), explorer.coverage_version());
        while !self.shared.has_ended() {
            let before = explorer.counters.clone();
            match explorer.step()? {
                // Not a path of the program but one that was cut off by the end of the campaign.
                Step::Ran { run, .. } if matches!(run.stop, Stop::Limit(Limit::Interrupted)) => {}
                Step::Ran { run, is_new: true } if matches!(run.stop, Stop::Infeasible) => {
                    self.shared.n_excluded.fetch_add(1, Ordering::Relaxed);
                }
                Step::Ran { run, is_new: true } => {
                    self.shared.n_paths.fetch_add(1, Ordering::Relaxed);
                    if self.events.send(Event::Path(run)).is_err() {
                        return Ok(());
                    }
                }
                Step::Ran { is_new: false, .. } | Step::Closed => {}
                Step::Exhausted => match self.shared.wait_for_work() {
                    Some(work) => explorer.adopt(&work)?,
                    None => return Ok(()),
                },
            }
            self.account(&before, explorer);
            if told.1 != explorer.coverage_version() && told.0.elapsed() >= PROGRESS_INTERVAL {
                told = (Instant::now(), explorer.coverage_version());
                let marks = explorer.runner().machine().marks.clone();
                if self.events.send(Event::Reached(Box::new(marks))).is_err() {
                    return Ok(());
                }
            }
            if self.shared.wants_work()
                && let Some(work) = explorer.give_away()
            {
                self.shared.give(work);
            }
        }
        Ok(())
    }

    fn account(&self, before: &Counters, explorer: &Explorer<'_>) {
        let now = &explorer.counters;
        let add = |counter: &AtomicU64, by: u64| counter.fetch_add(by, Ordering::Relaxed);
        add(&self.shared.instructions, now.instructions - before.instructions);
        add(&self.shared.solver_nanos, (now.solver_time - before.solver_time).as_nanos() as u64);
        add(&self.shared.run_nanos, (now.run_time - before.run_time).as_nanos() as u64);
        self.shared.n_open[self.number].store(explorer.n_open() as u64, Ordering::Relaxed);
    }
}
