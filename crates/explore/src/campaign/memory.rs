//! How much memory the campaign takes, and when something has to be done about it.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Rounds in which every worker gives up what it can do without: snapshots, and expressions that nothing needs.
#[derive(Default)]
pub struct Relief {
    n_rounds: AtomicUsize,
    /// Workers that have done their part in the present round.
    n_done: AtomicUsize,
}

/// What to do about the memory in use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Fine,
    /// Give up what can be done without.
    Relieve,
    /// Nothing is left to give up.
    Stop,
}

/// Decides what is to be done, given what was done before.
#[derive(Debug)]
pub struct Gauge {
    limit: u64,
    /// Relief begins here, and comes nearer to the limit with each round.
    mark: u64,
    was_relieved: bool,
}

impl Gauge {
    pub fn new(limit: u64) -> Self {
        Self { limit, mark: limit / 4 * 3, was_relieved: false }
    }

    pub fn is_far_beyond(&self, used: u64) -> bool {
        used > self.limit + self.limit / 4
    }

    /// To be asked when no round of relief is going on.
    pub fn judge(&mut self, used: u64) -> Verdict {
        if used > self.limit && self.was_relieved {
            return Verdict::Stop;
        }
        if used <= self.mark {
            return Verdict::Fine;
        }
        self.was_relieved = true;
        self.mark = self.limit - self.limit.saturating_sub(used) / 2;
        Verdict::Relieve
    }
}

impl Relief {
    pub fn begin_round(&self) {
        self.n_done.store(0, Ordering::Relaxed);
        self.n_rounds.fetch_add(1, Ordering::Release);
    }

    /// Whether a worker that took part in `n_seen` rounds has to take part in another; it then counts as seen.
    pub fn is_wanted(&self, n_seen: &mut usize) -> bool {
        let n_rounds = self.n_rounds.load(Ordering::Acquire);
        std::mem::replace(n_seen, n_rounds) != n_rounds
    }

    pub fn is_done(&self) {
        self.n_done.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether fewer than `n_workers` have done their part.
    pub fn is_going_on(&self, n_workers: usize) -> bool {
        self.n_rounds.load(Ordering::Relaxed) > 0 && self.n_done.load(Ordering::Relaxed) < n_workers
    }
}

/// The physical memory of this process, in bytes, where the system tells.
pub fn resident() -> Option<u64> {
    const PAGE: u64 = 4096;
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    text.split(' ').nth(1)?.parse::<u64>().ok().map(|n_pages| n_pages * PAGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relief_comes_before_the_end() {
        let mut gauge = Gauge::new(1000);
        assert_eq!(gauge.judge(700), Verdict::Fine);
        assert_eq!(gauge.judge(800), Verdict::Relieve);
        assert_eq!(gauge.judge(850), Verdict::Fine);
        assert_eq!(gauge.judge(950), Verdict::Relieve);
        assert_eq!(gauge.judge(1001), Verdict::Stop);
        assert_eq!(Gauge::new(1000).judge(2000), Verdict::Relieve);
    }

    #[test]
    fn a_round_ends_when_all_have_taken_part() {
        let relief = Relief::default();
        let mut n_seen = 0;
        assert!(!relief.is_wanted(&mut n_seen) && !relief.is_going_on(1));
        relief.begin_round();
        assert!(relief.is_going_on(1) && relief.is_wanted(&mut n_seen) && !relief.is_wanted(&mut n_seen));
        relief.is_done();
        assert!(!relief.is_going_on(1));
    }
}
