//! SAT solvers behind one interface, and which of them to use.

mod cadical;

use cadical::{Cadical, Suggestions};

use super::budget::{Budget, Stop};
use super::cdcl::Cdcl;
use crate::names::named;

named! {
    /// The SAT solver underneath.
    ///
    /// Measured with `examples/blast_queries.rs` in processor time: on sequences of flipped branches our own solver
    /// takes a third to a half of CaDiCaL's time, as it looks at the cone of the query only. On hard single queries
    /// neither is ahead for long (one factors small semiprimes sooner, the other finds small factors of large numbers),
    /// so that both in turn are the default.
    #[derive(Default)]
    SatKind {
        /// Our own, in turn with CaDiCaL when a query takes many conflicts.
        #[default]
        Both = "auto",
        /// Our own: see [`super::cdcl`].
        Own = "own",
        Cadical = "cadical",
    }
}

/// A solver to ask.
#[derive(Clone, Copy)]
pub(crate) struct StageKind {
    pub make: fn() -> Box<dyn SatSolver>,
    /// After how many conflicts it is another one's turn, in the first round. No limit if it is alone.
    pub first_turn: Option<u64>,
}

const FIRST_TURN: u64 = 2000;

const OWN: fn() -> Box<dyn SatSolver> = || Box::new(Cdcl::new());
const CADICAL: fn() -> Box<dyn SatSolver> = || Box::new(Cadical::new(Suggestions::Take));
const CADICAL_FOR_HARD: fn() -> Box<dyn SatSolver> = || Box::new(Cadical::new(Suggestions::Ignore));

impl SatKind {
    /// The solvers to ask in turn.
    pub(crate) const fn stages(self) -> &'static [StageKind] {
        const OWN_FIRST: StageKind = StageKind { make: OWN, first_turn: Some(FIRST_TURN) };
        const OWN_ALONE: StageKind = StageKind { make: OWN, first_turn: None };
        const CADICAL_NEXT: StageKind = StageKind { make: CADICAL_FOR_HARD, first_turn: Some(2 * FIRST_TURN) };
        const CADICAL_ALONE: StageKind = StageKind { make: CADICAL, first_turn: None };
        match self {
            SatKind::Both => &[OWN_FIRST, CADICAL_NEXT],
            SatKind::Own => &[OWN_ALONE],
            SatKind::Cadical => &[CADICAL_ALONE],
        }
    }
}

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub(crate) struct Lit(u32);

impl Lit {
    pub const fn new(var: u32, is_negated: bool) -> Self {
        Lit(var << 1 | is_negated as u32)
    }

    pub const fn from_index(index: u32) -> Self {
        Lit(index)
    }

    pub const fn var(self) -> u32 {
        self.0 >> 1
    }

    pub const fn is_negated(self) -> bool {
        self.0 & 1 != 0
    }

    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// A satisfying assignment was found, or there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    Sat,
    Unsat,
}

pub(crate) trait SatSolver {
    /// Variables are numbered from zero on.
    fn new_var(&mut self) -> u32;

    fn add_clause(&mut self, clause: &[Lit]);

    /// Which value of a variable to try first.
    fn suggest(&mut self, lit: Lit);

    /// Whether the clauses can be satisfied together with the assumptions.
    ///
    /// Variables out of `scope` need no value: whatever satisfies the clauses among those in scope can be extended.
    fn solve(&mut self, assumptions: &[Lit], scope: &[u32], budget: &Budget) -> Result<Verdict, Stop>;

    /// The value of a variable in scope, after [`Verdict::Sat`].
    fn value(&self, var: u32) -> bool;

    /// Whether an assumption is part of the contradiction, after [`Verdict::Unsat`].
    fn is_failed(&self, assumption: Lit) -> bool;

    /// Of all calls.
    fn n_conflicts(&self) -> u64;

    /// How many variables the last call gave a value.
    fn n_assigned(&self) -> usize;
}
