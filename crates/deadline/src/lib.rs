//! When work has to end: a point in time, and a flag that others raise.
//!
//! Everything that may take long is given a [`Deadline`] and looks at it now and then: queries, compilers, native runs. What is
//! not done by then is left undone; to say so is up to whoever gave it.
#![forbid(unsafe_code)]

mod alarm;
mod process;

pub use alarm::Alarm;
pub use process::{Ended, answer, output};

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Cheap to clone; clones share the flag. None by default: no time, and a flag that nobody knows.
#[derive(Clone, Debug, Default)]
pub struct Deadline {
    at: Option<Instant>,
    flag: Arc<Flag>,
}

#[derive(Debug, Default)]
struct Flag {
    is_raised: AtomicBool,
    /// Whoever ends that ends this too.
    outer: Option<Arc<Flag>>,
}

impl Flag {
    fn is_raised(&self) -> bool {
        self.is_raised.load(Ordering::Relaxed) || self.outer.as_ref().is_some_and(|outer| outer.is_raised())
    }
}

/// Why work ends before it is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Over {
    /// Someone has raised the flag.
    Stopped,
    Time,
}

impl Deadline {
    /// The same, but not later than after this time.
    pub fn within(&self, time: Duration) -> Self {
        // A time beyond what the clock can say is none.
        let at = Instant::now().checked_add(time);
        Self { at: self.at.into_iter().chain(at).min(), flag: Arc::clone(&self.flag) }
    }

    /// The same, but earlier by this time.
    pub fn earlier(&self, by: Duration) -> Self {
        Self { at: self.at.map(|at| at.checked_sub(by).unwrap_or(at)), flag: Arc::clone(&self.flag) }
    }

    /// The same with a flag of its own, for a part that may end without the rest.
    pub fn part(&self) -> Self {
        let outer = Some(Arc::clone(&self.flag));
        Self { at: self.at, flag: Arc::new(Flag { is_raised: AtomicBool::new(false), outer }) }
    }

    pub fn raise(&self) {
        self.flag.is_raised.store(true, Ordering::Relaxed);
    }

    pub fn lower(&self) {
        self.flag.is_raised.store(false, Ordering::Relaxed);
    }

    /// Whether the flag is raised. Does not look at the clock, which takes longer.
    #[inline]
    pub fn is_raised(&self) -> bool {
        self.flag.is_raised()
    }

    pub fn over(&self) -> Option<Over> {
        if self.is_raised() {
            return Some(Over::Stopped);
        }
        self.at.filter(|&at| Instant::now() >= at).map(|_| Over::Time)
    }

    pub fn is_over(&self) -> bool {
        self.over().is_some()
    }

    /// The time that is left; nothing if there is no limit.
    pub fn left(&self) -> Option<Duration> {
        self.at.map(|at| at.saturating_duration_since(Instant::now()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_the_whole_ends_its_parts_but_not_the_other_way_around() {
        let whole = Deadline::default();
        let (one, other) = (whole.part(), whole.part().within(Duration::MAX));
        one.raise();
        assert_eq!((one.over(), other.over(), whole.over()), (Some(Over::Stopped), None, None));
        whole.raise();
        assert_eq!(other.over(), Some(Over::Stopped));
    }

    #[test]
    fn the_earlier_time_counts() {
        let soon = Deadline::default().within(Duration::ZERO);
        assert_eq!((soon.over(), soon.left()), (Some(Over::Time), Some(Duration::ZERO)));
        assert!(soon.within(Duration::from_secs(60)).is_over());
        let later = Deadline::default().within(Duration::from_secs(60));
        assert!(!later.is_over() && later.earlier(Duration::from_secs(61)).is_over());
        assert_eq!(Deadline::default().left(), None);
    }
}
