//! What a campaign is to reach: operations, outcomes of conditions, bugs at a place.
//!
//! Workers share one [`Targets`]. `notes` marks operations that are targets when they are executed, `reach` tells how far it is from an
//! open alternative to a target, or that no way leads there; `verdict` is what can be said of each target in the end. Without targets
//! nothing of this is asked.

mod notes;
mod reach;
mod roots;
mod verdict;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rustc_hash::FxHashSet;
use spelunk_concolic::Run;
use spelunk_concolic::marks::Marks;
use spelunk_ir::code::{Image, OpIdx};
use spelunk_vm::{BugKind, Mark, Stop};

use crate::bugs;

pub use crate::distance::UNREACHABLE;
pub use notes::Noted;
pub use reach::{Reach, Towards};
pub use roots::Roots;
pub use verdict::{Missing, Nearest, Verdict, verdicts};

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

    /// What marks it as reached, unless it is how a path ends.
    fn mark(&self) -> Option<Mark> {
        match self.event {
            Event::Executed => Some(Mark::Reached),
            Event::Outcome(mark) => Some(mark),
            Event::Bug(_) => None,
        }
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
        self.all.iter().enumerate().filter(|(number, _)| !self.reached[*number].load(Ordering::Relaxed))
    }

    /// How many were reached, which only grows.
    pub fn n_reached(&self) -> usize {
        self.n_reached.load(Ordering::Relaxed)
    }

    /// Whether there were some, and none is left.
    pub fn are_all_reached(&self) -> bool {
        !self.is_empty() && self.n_reached() == self.all.len()
    }

    /// The targets that a run has reached as the first one. A run of an input that is none reaches nothing, whatever it has marked.
    pub fn take(&self, image: &Image, marks: &mut Marks, run: &Run) -> Vec<usize> {
        if matches!(run.stop, Stop::Infeasible) {
            self.forget(marks);
            return Vec::new();
        }
        let end = bugs::key(image, &run.stop);
        if end.is_none() && marks.n_new() == 0 {
            return Vec::new();
        }
        let is_reached = |target: &Target| match target.event {
            Event::Bug(kind) => end.is_some_and(|(place, found)| found == kind && target.has(place)),
            Event::Executed | Event::Outcome(_) => target.is_marked(marks),
        };
        let found: Vec<usize> =
            self.open().filter(|(_, target)| is_reached(target)).map(|(number, _)| number).collect();
        found.into_iter().filter(|&number| self.claim(number)).collect()
    }

    /// Whether to look for an error at a place: for one that is a target, and for all where targets are executed.
    pub fn wants_error(&self, kind: BugKind, place: Option<OpIdx>) -> bool {
        let Some(place) = place else { return true };
        let is_wanted = |(_, target): (usize, &Target)| target.event == Event::Bug(kind) && target.has(place);
        self.executed.contains(&place) || self.open().any(is_wanted)
    }

    /// Whether an outcome that no path depends on is a target.
    pub fn wants_outcome(&self, op_idx: OpIdx, mark: Mark) -> bool {
        self.open().any(|(_, target)| target.mark() == Some(mark) && target.has(op_idx))
    }

    /// Takes back marks of targets that no run has reached.
    pub fn forget(&self, marks: &mut Marks) {
        for (_, target) in self.open() {
            let Some(mark) = target.mark() else { continue };
            target.at.iter().for_each(|&op_idx| marks.clear(op_idx, mark));
        }
    }

    /// Whether nobody has claimed it before.
    fn claim(&self, number: usize) -> bool {
        let is_first = !self.reached[number].swap(true, Ordering::Relaxed);
        self.n_reached.fetch_add(usize::from(is_first), Ordering::Relaxed);
        is_first
    }
}

impl Target {
    fn is_marked(&self, marks: &Marks) -> bool {
        self.mark().is_some_and(|mark| self.at.iter().any(|&op_idx| marks.has(op_idx, mark)))
    }
}
