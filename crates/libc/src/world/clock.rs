//! The time that a program sees.

use rustix::thread::NanosleepRelativeResult;
use rustix::time::{ClockId, Timespec};

use super::Done;

#[derive(Clone, Copy, Debug, Default)]
pub enum Clock {
    #[default]
    Host,
    /// Goes on when it is looked at and when the program sleeps: the same in every run.
    Own { nanos: u64 },
}

/// When own time begins, in seconds since 1970: in September 2001.
const BEGINNING: i64 = 1_000_000_000;
const SECOND: u64 = 1_000_000_000;
/// How long a look takes.
const TICK: u64 = 1_000;

impl Clock {
    /// Seconds and nanoseconds.
    pub fn now(&mut self, clock: ClockId) -> (i64, i64) {
        match self {
            Self::Host => {
                let now = rustix::time::clock_gettime(clock);
                (now.tv_sec, now.tv_nsec)
            }
            Self::Own { nanos } => {
                *nanos = nanos.saturating_add(TICK);
                let since_1970 = matches!(clock, ClockId::Realtime | ClockId::RealtimeCoarse);
                let beginning = if since_1970 { BEGINNING } else { 0 };
                (beginning + (*nanos / SECOND) as i64, (*nanos % SECOND) as i64)
            }
        }
    }

    pub fn sleep(&mut self, seconds: i64, nanoseconds: i64) -> Done<()> {
        if let Self::Own { nanos } = self {
            let span = (seconds.max(0) as u64).saturating_mul(SECOND).saturating_add(nanoseconds.max(0) as u64);
            *nanos = nanos.saturating_add(span);
            return Ok(());
        }
        let mut left = Timespec { tv_sec: seconds, tv_nsec: nanoseconds };
        loop {
            match rustix::thread::nanosleep(&left) {
                NanosleepRelativeResult::Ok => return Ok(()),
                // The signal was not for the program.
                NanosleepRelativeResult::Interrupted(rest) => left = rest,
                NanosleepRelativeResult::Err(error) => return Err(error),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_time_goes_on_by_itself_and_in_sleep() {
        let mut clock = Clock::Own { nanos: 0 };
        let first = clock.now(ClockId::Monotonic);
        assert_eq!(clock.sleep(3, 5), Ok(()));
        let second = clock.now(ClockId::Monotonic);
        assert_eq!((first, second), ((0, 1_000), (3, 2_005)));
        assert_eq!(clock.now(ClockId::Realtime).0, BEGINNING + 3);
    }
}
