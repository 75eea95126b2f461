//! What is known of the loops of a program.

use spelunk_ir::code::OpIdx;
use std::collections::BTreeMap;

/// What one loop was seen to do, over all runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    /// A run is known never to leave it.
    pub never_ends: bool,
    /// Ways round for which a value was proved to fall, and others.
    pub n_ranked: u32,
    pub n_unranked: u32,
    /// Ways round that can't be followed.
    pub n_refused: u32,
}

/// What can be said of a loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum LoopFate {
    /// For some input.
    NeverEnds,
    /// On every way round that was seen, a value falls that can't fall for ever.
    Ends,
    Unknown,
}

/// By the operation that a loop starts at.
#[derive(Clone, Debug, Default)]
pub struct Account {
    loops: BTreeMap<OpIdx, Seen>,
    /// Loops that would never be left if integers had no bounds, and the set that they would stay in.
    unbounded: BTreeMap<OpIdx, String>,
}

impl Account {
    pub fn at(&mut self, head: OpIdx) -> &mut Seen {
        self.loops.entry(head).or_default()
    }

    /// A run was seen to go round for ever.
    pub fn never_ends(&mut self, head: OpIdx) {
        self.at(head).never_ends = true;
    }

    pub fn never_ends_unbounded(&mut self, head: OpIdx, set: String) {
        self.unbounded.entry(head).or_insert(set);
    }

    pub fn unbounded(&self) -> impl Iterator<Item = (OpIdx, &str)> + '_ {
        self.unbounded.iter().map(|(&head, set)| (head, &**set))
    }

    /// The loops that runs came to, in the order of the code.
    pub fn fates(&self) -> impl Iterator<Item = (OpIdx, LoopFate)> + '_ {
        self.loops.iter().map(|(&head, seen)| (head, seen.fate()))
    }

    pub fn count(&self, fate: LoopFate) -> usize {
        self.fates().filter(|&(_, other)| other == fate).count()
    }
}

impl Seen {
    fn fate(&self) -> LoopFate {
        match self {
            Self { never_ends: true, .. } => LoopFate::NeverEnds,
            Self { n_ranked: 1.., n_unranked: 0, n_refused: 0, .. } => LoopFate::Ends,
            _ => LoopFate::Unknown,
        }
    }
}
