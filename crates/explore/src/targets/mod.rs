//! What a campaign is to reach: operations, outcomes of conditions, bugs at a place.
//!
//! Workers share one [`Targets`]. `notes` marks operations that are targets when they are executed, `reach` tells how far it is from an
//! open alternative to a target, or that no way leads there; `values` says of which functions only what they return and write matters, `verdict` is what can be said of each target in the end. Without targets
//! nothing of this is asked.

mod notes;
mod reach;
mod roots;
mod values;
mod verdict;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rustc_hash::FxHashSet;
use spelunk_concolic::marks::Marks;
use spelunk_ir::code::{Image, OpIdx};
use spelunk_vm::{BugKind, Mark, Stop};

use crate::bugs;

pub use crate::distance::UNREACHABLE;
pub use notes::Noted;
pub use reach::{Reach, Towards};
pub use roots::Roots;
pub use values::{beside_targets, summarisable};
pub use verdict::{Missing, Nearest, Proof, Verdict, verdicts};

/// What is to happen at the operations of a target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// One of them is executed.
    Executed,
    /// A condition has an outcome.
    Outcome(Mark),
    /// A path ends there, in a bug of this kind.
    Bug(BugKind),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// As the user has said it.
    pub name: String,
    pub event: Event,
    /// In order; at least one.
    pub at: Vec<OpIdx>,
}

impl Target {
    fn has(&self, op_idx: OpIdx) -> bool {
        self.at.binary_search(&op_idx).is_ok()
    }

    fn is_marked(&self, marks: &Marks, mark: Mark) -> bool {
        self.at.iter().any(|&op_idx| marks.has(op_idx, mark))
    }
}

/// The targets of a campaign, and which of them were reached.
#[derive(Debug, Default)]
pub struct Targets {
    all: Vec<Target>,
    reached: Vec<AtomicBool>,
    n_reached: AtomicUsize,
    /// The operations of targets that are to be executed.
    executed: FxHashSet<OpIdx>,
    pub roots: Roots,
}

impl Targets {
    pub fn new(all: Vec<Target>, roots: Roots) -> Self {
        let reached = all.iter().map(|_| AtomicBool::new(false)).collect();
        let executed = all.iter().filter(|target| target.event == Event::Executed);
        let executed = executed.flat_map(|target| target.at.iter().copied()).collect();
        Self { all, reached, n_reached: AtomicUsize::new(0), executed, roots }
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub fn all(&self) -> &[Target] {
        &self.all
    }

    pub fn open(&self) -> impl Iterator<Item = (usize, &Target)> {
        self.all.iter().enumerate().filter(|(number, _)| self.is_open(*number))
    }

    /// How many were reached, which only grows.
    pub fn n_reached(&self) -> usize {
        self.n_reached.load(Ordering::Relaxed)
    }

    /// Whether there were some, and none is left.
    pub fn are_all_reached(&self) -> bool {
        !self.is_empty() && self.n_reached() == self.all.len()
    }

    /// The targets that a run has reached as the first one. A run of an input that is none executes nothing; outcomes of conditions count
    /// as coverage does.
    pub fn take(&self, image: &Image, marks: &Marks, stop: &Stop) -> Vec<usize> {
        let end = bugs::key(image, stop);
        if end.is_none() && marks.n_new() == 0 {
            return Vec::new();
        }
        let is_input = !matches!(stop, Stop::Infeasible);
        let is_reached = |target: &Target| match target.event {
            Event::Bug(kind) => end.is_some_and(|(place, found)| found == kind && target.has(place)),
            Event::Executed => is_input && target.is_marked(marks, Mark::Reached),
            Event::Outcome(mark) => target.is_marked(marks, mark),
        };
        let reached: Vec<usize> =
            self.open().filter(|(_, target)| is_reached(target)).map(|(number, _)| number).collect();
        reached.into_iter().filter(|&number| self.claim(number)).collect()
    }

    /// A target that was executed, but by no run that counts. Takes back the marks of all such.
    pub fn forget(&self, marks: &mut Marks) -> Option<usize> {
        let mut passed = None;
        for (number, target) in self.open().filter(|(_, target)| target.event == Event::Executed) {
            if target.is_marked(marks, Mark::Reached) {
                passed = Some(number);
                target.at.iter().for_each(|&op_idx| marks.clear(op_idx, Mark::Reached));
            }
        }
        passed
    }

    pub fn is_open(&self, number: usize) -> bool {
        !self.reached[number].load(Ordering::Relaxed)
    }

    /// Whether to look for an error at a place: for one that is a target, and for all where targets are executed.
    pub fn wants_error(&self, kind: BugKind, place: Option<OpIdx>) -> bool {
        let Some(place) = place else { return true };
        let is_wanted = |(_, target): (usize, &Target)| target.event == Event::Bug(kind) && target.has(place);
        self.executed.contains(&place) || self.open().any(is_wanted)
    }

    /// Whether an outcome that no path depends on is a target.
    pub fn wants_outcome(&self, op_idx: OpIdx, mark: Mark) -> bool {
        let is_it = |event: Event| event == Event::Outcome(mark) || (event, mark) == (Event::Executed, Mark::Reached);
        self.open().any(|(_, target)| is_it(target.event) && target.has(op_idx))
    }

    /// Whether nobody has claimed it before.
    fn claim(&self, number: usize) -> bool {
        let is_first = !self.reached[number].swap(true, Ordering::Relaxed);
        self.n_reached.fetch_add(usize::from(is_first), Ordering::Relaxed);
        is_first
    }
}
