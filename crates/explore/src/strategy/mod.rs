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

/// What strategies look at.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub tree: &'a Tree,
    pub program: &'a ProgramFlow<'a>,
    pub marks: &'a Marks,
    /// Changes whenever a run reaches something new.
    pub coverage_version: u64,
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
}

pub fn build(kind: Kind, seed: u64) -> Box<dyn Strategy> {
    match kind {
        Kind::DepthFirst => Box::new(depth_first::DepthFirst::new()),
        Kind::BreadthFirst => Box::new(queued::Queued::new(|tree, ticket, _| -i64::from(tree.features(ticket).depth))),
        Kind::RandomPath => Box::new(random_path::RandomPath::new(seed)),
        Kind::Generational => Box::new(queued::Queued::new(|_, _, gain| i64::from(gain.n_new_marks))),
        Kind::Coverage => Box::new(Nearest::<ToUncovered>::default()),
        Kind::Fair => Box::new(fair::Fair::default()),
        Kind::Interleaved => {
            let deepening: Box<dyn Strategy> = Box::new(depth_first::DepthFirst::deepening());
            let others = [Kind::Coverage, Kind::RandomPath, Kind::Fair].map(|kind| build(kind, seed));
            Box::new(interleaved::Interleaved::new(std::iter::once(deepening).chain(others).collect()))
        }
        Kind::Target => {
            // What is near may be far for reasons that no distance knows: half of the time is for those who look elsewhere.
            let nearest = || Box::new(Nearest::<ToTarget>::default()) as Box<dyn Strategy>;
            let strategies = vec![nearest(), build(Kind::Coverage, seed), nearest(), build(Kind::Fair, seed)];
            Box::new(interleaved::Interleaved::new(strategies))
        }
    }
}
