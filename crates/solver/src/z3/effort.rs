//! Running Z3 within limits.
//!
//! Z3 stops at a limit on its own resource count, which costs nothing and is the same on every machine, or when another
//! thread interrupts it. A thread costs more than an easy query; so a first attempt is short and goes unwatched, and
//! only what it leaves is watched for the time limit and for interrupts.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use z3::{Context, ContextHandle, Params, SatResult, Solver};

use crate::query::{Limits, Unknown};

/// In Z3's resource count: some ten to twenty milliseconds.
const BRIEF: u32 = 20_000;

/// How long an interrupt may go unnoticed.
const WATCH_INTERVAL: Duration = Duration::from_millis(5);
const SHORTEST_PAUSE: Duration = Duration::from_micros(100);

/// How a check may end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    Sat,
    Unsat,
    /// A brief attempt was not enough.
    TooHard,
    Unknown(Unknown),
}

/// What is left of the limits of one query.
pub(super) struct Effort<'q> {
    limits: &'q Limits,
    deadline: Option<Instant>,
}

impl<'q> Effort<'q> {
    pub fn new(limits: &'q Limits) -> Self {
        // A limit beyond what the clock can say is none.
        Effort { limits, deadline: limits.time.and_then(|time| Instant::now().checked_add(time)) }
    }

    pub fn exhausted(&self) -> Option<Unknown> {
        if self.limits.deadline.is_over() {
            return Some(Unknown::Interrupted);
        }
        self.deadline.filter(|&deadline| Instant::now() >= deadline).map(|_| Unknown::Time)
    }

    /// How many conflicts Z3 may have; it counts no further than this.
    fn max_conflicts(&self) -> u32 {
        self.limits.conflicts.map_or(u32::MAX, |conflicts| conflicts.try_into().unwrap_or(u32::MAX))
    }

    /// Runs a check until it ends or one of the limits is reached.
    fn watched(&self, check: impl FnOnce() -> SatResult) -> Result<SatResult, Unknown> {
        let context = Context::thread_local();
        let handle = context.handle();
        let is_done = AtomicBool::new(false);
        thread::scope(|scope| {
            let watcher = scope.spawn(|| self.watch(&handle, &is_done));
            let result = check();
            is_done.store(true, Ordering::Release);
            watcher.thread().unpark();
            match watcher.join().expect("watching does not fail") {
                Some(why) if result == SatResult::Unknown => Err(why),
                _ => Ok(result),
            }
        })
    }

    /// Interrupts a check at the deadline, or when it is asked to, and says why.
    fn watch(&self, check: &ContextHandle<'_>, is_done: &AtomicBool) -> Option<Unknown> {
        let mut why = None;
        while !is_done.load(Ordering::Acquire) {
            why = why.or_else(|| self.exhausted());
            if why.is_some() {
                // Again and again, as Z3 takes no notice before it has begun.
                check.interrupt();
            }
            let left = self.deadline.map_or(WATCH_INTERVAL, |deadline| deadline.duration_since(Instant::now()));
            thread::park_timeout(left.clamp(SHORTEST_PAUSE, WATCH_INTERVAL));
        }
        why
    }
}

/// A solver of Z3 with the parameters that it has: setting them takes as long as ten easy queries.
pub(super) struct LimitedSolver {
    pub solver: Solver,
    is_brief: bool,
    max_conflicts: u32,
}

impl LimitedSolver {
    pub fn new(solver: Solver) -> Self {
        LimitedSolver { solver, is_brief: false, max_conflicts: u32::MAX }
    }

    /// A solver that makes only short attempts.
    pub fn brief(solver: Solver) -> Self {
        let mut limited = LimitedSolver { solver, is_brief: true, max_conflicts: u32::MAX };
        limited.set_params(u32::MAX);
        limited
    }

    fn set_params(&mut self, max_conflicts: u32) {
        let mut params = Params::new();
        params.set_u32("max_conflicts", max_conflicts);
        if self.is_brief {
            params.set_u32("rlimit", BRIEF);
        }
        self.solver.set_params(&params);
        self.max_conflicts = max_conflicts;
    }

    pub fn check(&mut self, effort: &Effort<'_>, check: impl FnOnce(&Solver) -> SatResult) -> Verdict {
        if self.max_conflicts != effort.max_conflicts() {
            self.set_params(effort.max_conflicts());
        }
        let result = if self.is_brief {
            check(&self.solver)
        } else {
            match effort.watched(|| check(&self.solver)) {
                Ok(result) => result,
                Err(why) => return Verdict::Unknown(why),
            }
        };
        match result {
            SatResult::Sat => Verdict::Sat,
            SatResult::Unsat => Verdict::Unsat,
            SatResult::Unknown => self.why_unknown(),
        }
    }

    fn why_unknown(&self) -> Verdict {
        let reason = self.solver.get_reason_unknown().unwrap_or_default();
        match &*reason {
            "incomplete" if self.max_conflicts != u32::MAX => Verdict::Unknown(Unknown::Conflicts),
            // Z3 has many words for a resource limit.
            _ if self.is_brief => Verdict::TooHard,
            _ => Verdict::Unknown(Unknown::GaveUp(reason)),
        }
    }
}
