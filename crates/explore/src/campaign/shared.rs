//! What the workers of a campaign share: budget, counts, and work for those who have none.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock};
use std::time::{Duration, Instant};

use spelunk_deadline::{Alarm, Deadline, Over};

use super::memory::{self, Gauge, Relief, Verdict};
use super::{Options, Progress, Stopped};
use crate::explorer::{SharedPartition, Work};
use crate::partition::Partition;

/// What workers share.
pub struct Shared {
    pub options: Options,
    pub start: Instant,
    pub n_paths: AtomicU64,
    pub n_excluded: AtomicU64,
    pub instructions: AtomicU64,
    /// By worker.
    pub n_open: Vec<AtomicU64>,
    /// By worker.
    pub n_expressions: Vec<AtomicU64>,
    pub solver_nanos: AtomicU64,
    pub run_nanos: AtomicU64,
    pub relief: Relief,
    pub partition: Option<SharedPartition>,
    /// Of the campaign, and of its queries, which end with it.
    deadline: Deadline,
    queries: Deadline,
    /// Ends runs.
    alarm: Alarm,
    stopped: OnceLock<(Stopped, Instant)>,
    pool: Mutex<WorkPool>,
    n_idle: AtomicUsize,
    work_or_end: Condvar,
}

#[derive(Default)]
struct WorkPool {
    work: VecDeque<Work>,
    n_waiting: usize,
}

impl Shared {
    pub fn new(mut options: Options, n_workers: usize, deadline: &Deadline) -> Self {
        let (queries, alarm) = (deadline.part(), Alarm::new(deadline));
        options.explorer.query_limits.deadline = queries.clone();
        options.run.interrupt = alarm.flag();
        let partition = options.run.flow.as_ref().map(|known| Arc::new(Mutex::new(Partition::new(known))));
        Self {
            options,
            start: Instant::now(),
            n_paths: AtomicU64::new(0),
            n_excluded: AtomicU64::new(0),
            instructions: AtomicU64::new(0),
            n_open: (0..n_workers).map(|_| AtomicU64::new(0)).collect(),
            n_expressions: (0..n_workers).map(|_| AtomicU64::new(0)).collect(),
            solver_nanos: AtomicU64::new(0),
            run_nanos: AtomicU64::new(0),
            relief: Relief::default(),
            partition,
            deadline: deadline.clone(),
            queries,
            alarm,
            stopped: OnceLock::new(),
            pool: Mutex::default(),
            n_idle: AtomicUsize::new(0),
            work_or_end: Condvar::new(),
        }
    }

    /// Why the campaign was ended. Nothing if it went on until nothing was open.
    pub fn stopped(&self) -> Option<Stopped> {
        self.stopped.get().map(|&(why, _)| why)
    }

    /// When that was.
    pub fn ended_since(&self) -> Option<Instant> {
        self.stopped.get().map(|&(_, since)| since)
    }

    pub fn progress(&self) -> Progress {
        let nanos = |counter: &AtomicU64| Duration::from_nanos(counter.load(Ordering::Relaxed));
        let sum = |counters: &[AtomicU64]| counters.iter().map(|counter| counter.load(Ordering::Relaxed)).sum();
        Progress {
            time: self.start.elapsed(),
            n_paths: self.n_paths.load(Ordering::Relaxed),
            n_open: sum(&self.n_open),
            n_expressions: sum(&self.n_expressions),
            instructions: self.instructions.load(Ordering::Relaxed),
            solver_time: nanos(&self.solver_nanos),
            run_time: nanos(&self.run_nanos),
        }
    }

    /// Ends the campaign for this reason, unless it has ended for another.
    pub fn end(&self, why: Stopped) {
        // The first reason counts.
        let _ = self.stopped.set((why, Instant::now()));
        self.queries.raise();
        self.alarm.flag().store(true, Ordering::Relaxed);
        // Those who wait look at the flag under the lock.
        let _pool = self.pool.lock().expect("no worker panicked");
        self.work_or_end.notify_all();
    }

    pub fn has_ended(&self) -> bool {
        self.check_budget();
        self.stopped.get().is_some()
    }

    pub fn check_budget(&self) {
        if self.stopped.get().is_some() {
            return;
        }
        let budget = &self.options.budget;
        if let Some(over) = self.deadline.over() {
            self.end(match over {
                Over::Stopped => Stopped::Interrupted,
                Over::Time => Stopped::Time,
            });
        } else if budget.paths.is_some_and(|limit| self.n_paths.load(Ordering::Relaxed) >= limit) {
            self.end(Stopped::Paths);
        } else if budget.instructions.is_some_and(|limit| self.instructions.load(Ordering::Relaxed) >= limit) {
            self.end(Stopped::Instructions);
        }
    }

    /// Looks at the memory in use: workers give up what they can do without, and if that is not enough, the campaign ends.
    pub fn check_memory(&self, gauge: &mut Gauge) {
        let Some(used) = memory::resident() else { return };
        let n_busy = self.n_open.len() - self.n_idle.load(Ordering::Relaxed);
        let verdict = match self.relief.is_going_on(n_busy) {
            // Whoever is late may be in a query that takes all the memory.
            true if gauge.is_far_beyond(used) => Verdict::Stop,
            true => Verdict::Fine,
            false => gauge.judge(used),
        };
        match verdict {
            Verdict::Fine => {}
            Verdict::Relieve => self.relief.begin_round(),
            Verdict::Stop => self.end(Stopped::Memory),
        }
    }

    /// Work that nobody has taken.
    pub fn take_work(&self) -> Vec<Work> {
        self.pool.lock().expect("no worker panicked").work.drain(..).collect()
    }

    /// Work for a worker that has none left. Nothing once all have none, or the campaign ends.
    pub fn wait_for_work(&self) -> Option<Work> {
        let mut pool = self.pool.lock().expect("no worker panicked");
        pool.n_waiting += 1;
        self.n_idle.store(pool.n_waiting, Ordering::Relaxed);
        loop {
            if self.stopped.get().is_some() {
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

    /// A worker has failed for good: nobody is to wait for its work.
    pub fn lose_worker(&self) {
        let mut pool = self.pool.lock().expect("no worker panicked");
        pool.n_waiting += 1;
        self.n_idle.store(pool.n_waiting, Ordering::Relaxed);
        self.work_or_end.notify_all();
    }

    pub fn wants_work(&self) -> bool {
        self.n_idle.load(Ordering::Relaxed) > 0
    }

    pub fn give(&self, work: Work) {
        let mut pool = self.pool.lock().expect("no worker panicked");
        pool.work.push_back(work);
        self.work_or_end.notify_one();
    }
}
