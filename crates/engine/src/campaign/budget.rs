//! How the time of a campaign is divided: what comes after exploring must have some left.

use spelunk_deadline::{Deadline, Over};
use std::time::Duration;

/// What is kept for the end, of the whole time: one part of so many, but not more than that.
const PARTS: u32 = 5;
const MOST_FOR_THE_END: Duration = Duration::from_secs(30);

/// Of what is kept for the end, so much is for smaller inputs at least, and of that so much for choosing, one part of so many.
const PARTS_FOR_SHRINKING: u32 = 2;
const PARTS_FOR_CHOOSING: u32 = 4;

/// Shrinking takes no longer than this, however much time there is.
const MOST_FOR_SHRINKING: Duration = Duration::from_secs(20);

/// What is built for native runs besides the program, and how many times as long as the front end clang takes with
/// sanitizers.
const BUILD_AT_LEAST: Duration = Duration::from_millis(2000);
const TIMES_THE_FRONT_END: u32 = 4;

/// How long it takes to build what runs natively, given what the front end took.
pub fn native_build(front_end: Duration) -> Duration {
    BUILD_AT_LEAST + TIMES_THE_FRONT_END * front_end
}

pub struct Budget {
    whole: Deadline,
    for_the_end: Duration,
    for_native_runs: Duration,
    for_choosing: Duration,
}

impl Budget {
    /// A native build takes so long; nothing if there is to be none.
    pub fn new(whole: Deadline, native_build: Option<Duration>) -> Self {
        let time = whole.left().unwrap_or(Duration::MAX);
        let share = (time / PARTS).min(MOST_FOR_THE_END);
        let for_shrinking = share / PARTS_FOR_SHRINKING;
        let native_build = native_build.unwrap_or_default();
        let for_the_end = share.max(for_shrinking.saturating_add(native_build)).min(time / 2);
        let most = for_the_end - for_shrinking;
        let for_native_runs = if native_build.is_zero() { native_build } else { most.min(native_build.max(share / 2)) };
        Self { whole, for_the_end, for_native_runs, for_choosing: for_shrinking / PARTS_FOR_CHOOSING }
    }

    pub fn exploring(&self) -> Deadline {
        self.whole.earlier(self.for_the_end)
    }

    pub fn shrinking(&self) -> Deadline {
        self.keeping().earlier(self.for_choosing).within(MOST_FOR_SHRINKING)
    }

    /// What a finding is called depends on it, and it takes little: it may take the time of native runs.
    pub fn classifying(&self) -> Deadline {
        self.whole.clone()
    }

    pub fn keeping(&self) -> Deadline {
        self.whole.earlier(self.for_native_runs)
    }

    pub fn native_runs(&self) -> Deadline {
        self.whole.clone()
    }
}

/// Why something was not done, in words.
pub fn why(over: Over) -> &'static str {
    match over {
        Over::Stopped => "interrupted",
        Over::Time => "time limit reached",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(deadline: Deadline) -> u64 {
        // The time that the test takes is little.
        deadline.left().expect("a limit").saturating_sub(Duration::from_millis(100)).as_secs() + 1
    }

    fn budget(secs: u64, build: Option<u64>) -> Budget {
        Budget::new(Deadline::default().within(Duration::from_secs(secs)), build.map(Duration::from_secs))
    }

    #[test]
    fn exploring_leaves_time_for_native_runs() {
        let of_a_minute = budget(60, Some(4));
        assert_eq!([of_a_minute.exploring(), of_a_minute.keeping(), of_a_minute.native_runs()].map(left), [48, 54, 60]);
        let of_an_hour = budget(3600, Some(4));
        assert_eq!([of_an_hour.exploring(), of_an_hour.keeping()].map(left), [3570, 3585]);
        // A build takes as long as it takes, but exploring comes first, and shrinking has its part.
        assert_eq!([20, 4].map(|secs| left(budget(secs, Some(8)).exploring())), [10, 2]);
        assert_eq!([20, 4].map(|secs| left(budget(secs, Some(8)).shrinking())), [12, 3]);
        assert_eq!([budget(60, None).exploring(), budget(60, None).keeping()].map(left), [48, 60]);
        assert_eq!(left(budget(60, None).shrinking()), 20);
        assert_eq!(left(budget(10, None).shrinking()), 10);
    }

    #[test]
    fn without_a_limit_only_shrinking_has_one() {
        let unlimited = Budget::new(Deadline::default(), Some(Duration::from_secs(3)));
        assert_eq!((unlimited.exploring().left(), unlimited.keeping().left()), (None, None));
        assert_eq!(left(unlimited.shrinking()), 20);
    }
}
