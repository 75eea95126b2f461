//! A query for an input, as theories and whoever asks a solver see it.

use crate::graph::heap::NodeId;
use spelunk_expr::{ExprId, Model};

/// How much theories leave to the solver: from level to level more, until they know.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Level(pub u8);

impl Level {
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

/// The conditions that an input has to satisfy.
#[derive(Debug)]
pub struct Constraints<'q> {
    /// Those of the path, with what is to be otherwise last.
    pub asked: &'q [ExprId],
    /// How many of them the hint satisfies.
    pub n_satisfied: usize,
    /// Values of the input that the path comes from.
    pub hint: &'q Model,
    /// Which of those that are asked for a theory solves itself; empty if none.
    claimed: Vec<bool>,
    /// What theories add, and whether the hint satisfies it.
    further: Vec<(ExprId, bool)>,
    /// Objects that are part of others in the input that comes of it.
    homes: Vec<Home>,
    /// Whether they are not, where that is up to the solver.
    elsewhere: Option<ExprId>,
}

/// An object that is part of another, or the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Home {
    pub object: NodeId,
    pub within: NodeId,
    pub at: u32,
}

impl<'q> Constraints<'q> {
    pub fn new(asked: &'q [ExprId], n_satisfied: usize, hint: &'q Model) -> Self {
        Self { asked, n_satisfied, hint, claimed: Vec::new(), further: Vec::new(), homes: Vec::new(), elsewhere: None }
    }

    /// Takes a condition, by number, out of what the solver is asked for.
    pub fn claim(&mut self, number: usize) {
        self.claimed.resize(self.asked.len(), false);
        self.claimed[number] = true;
    }

    /// Adds a condition; `holds` says whether the hint is known to satisfy it.
    pub fn add(&mut self, cond: ExprId, holds: bool) {
        self.further.push((cond, holds));
    }

    /// Says which objects are part of others; unless a condition holds, if that is up to the solver.
    pub(crate) fn set_homes(&mut self, homes: Vec<Home>, elsewhere: Option<ExprId>) {
        (self.homes, self.elsewhere) = (homes, elsewhere);
    }

    pub(crate) fn elsewhere(&self) -> Option<ExprId> {
        self.elsewhere
    }

    /// The object that one is part of, or itself, and where in it.
    pub(crate) fn home_of(&self, object: NodeId) -> (NodeId, u32) {
        let home = self.homes.iter().find(|home| home.object == object);
        home.map_or((object, 0), |home| (home.within, home.at))
    }

    /// Before another level: nothing is claimed or added.
    pub fn reset(&mut self) {
        self.claimed.clear();
        self.further.clear();
        self.homes.clear();
        self.elsewhere = None;
    }

    /// Whether the solver is asked for just what is asked.
    pub fn is_untouched(&self) -> bool {
        self.claimed.is_empty() && self.further.is_empty()
    }

    /// All that the solver is asked for; returns how much of it the hint satisfies.
    pub fn assemble(&self, out: &mut Vec<ExprId>) -> usize {
        out.clear();
        let mut n_satisfied = 0;
        for (holds, range) in [(true, 0..self.n_satisfied), (false, self.n_satisfied..self.asked.len())] {
            let is_left = |number: &usize| !self.claimed.get(*number).copied().unwrap_or(false);
            out.extend(range.filter(is_left).map(|number| self.asked[number]));
            out.extend(self.further.iter().filter(|further| further.1 == holds).map(|further| further.0));
            if holds {
                n_satisfied = out.len();
            }
        }
        n_satisfied
    }
}

/// What a theory says to values that a solver found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judgement {
    Accept,
    /// This must hold too.
    Lemma(ExprId),
    /// More must be left to the solver.
    Higher,
    Unknown(&'static str),
}

/// Why a solver has found no values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failed {
    Unsat,
    Unknown,
}

/// What a theory says to that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refuted {
    /// It stays so.
    Final,
    /// The level claimed or asked for too much.
    Higher,
    /// It wished for more than it needs: it asks for less at the same level.
    Again,
}
