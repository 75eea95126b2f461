//! Which open alternative comes next.
//!
//! Steps to add a strategy: a file with a type that implements [`Strategy`], a line in the table of [`Kind`] and in
//! [`build`]. A strategy never decides what is explored in the end, only in which order; every alternative that it is told
//! of must come out of it some time.

mod depth_first;
mod fair;
mod interleaved;
mod nearest;
mod queued;
mod random_path;

use spelunk_concolic::marks::Marks;

use crate::explorer::Aims;
use crate::program::ProgramFlow;
use crate::tree::{Ticket, Tree};
use nearest::{Nearest, ToTarget, ToUncovered};
use queued::{Equals, Queued};

/// What strategies look at.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub tree: &'a Tree,
    pub program: &'a ProgramFlow<'a>,
    pub marks: &'a Marks,
    /// Changes whenever a run reaches something new.
    pub coverage_version: u64,
    /// By alternative that is being opened, in their order: what comes first, as theories see it; empty if the strategy has not asked.
    pub ranks: &'a [u64],
    /// If there are targets.
    pub aim: Option<Aims<'a>>,
}

/// What a run brought.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Gain {
    /// Branches and blocks that no run had reached before.
    pub n_new_marks: u32,
}

pub trait Strategy {
    /// A run has opened alternatives; they come in the order of its decisions.
    fn add(&mut self, view: View<'_>, opened: &[Ticket], gain: Gain);

    /// An alternative that is open, if there is one.
    fn pick(&mut self, view: View<'_>) -> Option<Ticket>;

    /// Forgets what is no longer open, which is more than what is.
    fn tidy(&mut self, tree: &Tree);
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal),+ $(,)?) => {
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Kind { $($(#[$doc])* $kind),+ }

        impl Kind {
            pub const ALL: &[Kind] = &[$(Kind::$kind),+];

            pub const fn name(self) -> &'static str {
                match self { $(Kind::$kind => $name),+ }
            }

            pub fn from_name(name: &str) -> Option<Kind> {
                Kind::ALL.iter().copied().find(|kind| kind.name() == name)
            }
        }
    };
}

kinds! {
    /// The deepest first: what CUTE does.
    DepthFirst = "dfs",
    /// The shallowest first.
    BreadthFirst = "bfs",
    /// A random walk down the tree, where every fork is a coin.
    RandomPath = "random-path",
    /// All alternatives of the run that reached most that was new.
    Generational = "generational",
    /// The one closest to a branch that has not gone both ways.
    Coverage = "coverage",
    /// The one whose place, call stack or depth was chosen least often: what Pex does.
    Fair = "fair",
    /// Several of the others in turn.
    Interleaved = "interleaved",
    /// The one closest to a target, in turn with others.
    Target = "target",
    /// The smallest text of a grammar, among those the one with the fewest holes, then that with most productions that no run had.
    Texts = "texts",
}

impl Kind {
    /// Whether it wants to know what theories say comes first.
    pub fn asks_for_ranks(self) -> bool {
        self == Self::Texts
    }
}

pub fn build(kind: Kind, seed: u64) -> Box<dyn Strategy> {
    match kind {
        Kind::DepthFirst => Box::new(depth_first::DepthFirst::new()),
        Kind::BreadthFirst => Box::new(Queued::new(Equals::OldestFirst, |view, _, ticket, _| {
            -i64::from(view.tree.features(ticket).depth)
        })),
        Kind::RandomPath => Box::new(random_path::RandomPath::new(seed)),
        Kind::Generational => Box::new(Queued::new(Equals::OldestFirst, |_, _, _, gain| i64::from(gain.n_new_marks))),
        Kind::Coverage => Box::new(Nearest::<ToUncovered>::default()),
        Kind::Fair => Box::new(fair::Fair::default()),
        Kind::Interleaved => {
            let deepening: Box<dyn Strategy> = Box::new(depth_first::DepthFirst::deepening());
            let others = [Kind::Coverage, Kind::RandomPath, Kind::Fair].map(|kind| build(kind, seed));
            Box::new(interleaved::Interleaved::new(std::iter::once(deepening).chain(others).collect()))
        }
        Kind::Texts => Box::new(Queued::new(Equals::NewestFirst, |view, number, _, _| {
            let rank = view.ranks.get(number).copied().unwrap_or(0);
            -i64::try_from(rank).unwrap_or(i64::MAX)
        })),
        Kind::Target => {
            // What is near may be far for reasons that no distance knows: half of the time is for those who look elsewhere.
            let nearest = || Box::new(Nearest::<ToTarget>::default()) as Box<dyn Strategy>;
            let strategies = vec![nearest(), build(Kind::Coverage, seed), nearest(), build(Kind::Fair, seed)];
            Box::new(interleaved::Interleaved::new(strategies))
        }
    }
}
