//! What is known of the loops of a program.

use crate::ranking::{self, Ranks};
use spelunk_ir::code::{CheckedImage, OpIdx};
use std::collections::BTreeMap;

/// What one loop was seen to do, over all runs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Seen {
    /// A run is known never to leave it.
    pub never_ends: bool,
    /// What falls on the ways round that were looked at, each once.
    ways: Vec<Ranks>,
    /// How often a way round could not be followed.
    pub n_refused: u32,
}

/// What can be said of a loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum LoopFate {
    /// For some input.
    NeverEnds,
    /// Values fall that can't fall for ever, whichever way round is taken of those that were seen.
    Ends,
    Unknown,
}

/// A loop that would never be left if signed integers wrapped around. By C, a run of it is over at an overflow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wraps {
    /// What keeps control in it.
    pub text: String,
    /// Where they overflow.
    pub overflows: Vec<OpIdx>,
    /// Whether control comes to an overflow in fact: a value falls in rounds without one.
    pub is_sure: bool,
}

/// By the operation that a loop starts at.
#[derive(Clone, Debug, Default)]
pub struct Account {
    loops: BTreeMap<OpIdx, Seen>,
    /// Loops that would never be left if integers had no bounds, and the set that they would stay in.
    unbounded: BTreeMap<OpIdx, String>,
    wrapping: BTreeMap<OpIdx, Wraps>,
}

impl Account {
    pub fn at(&mut self, head: OpIdx) -> &mut Seen {
        self.loops.entry(head).or_default()
    }

    /// A run was cut short at an operation: loops that it lies in were not seen to end.
    pub fn cut_short(&mut self, image: &CheckedImage, at: OpIdx) {
        let Some(function) = image.function_id_at(at) else { return };
        let flow = image.flow(function);
        let around = flow.loops().iter().filter(|(_, it)| it.blocks.contains(&flow.blocks.of(at)));
        let heads = around.map(|(_, it)| flow.blocks.ops(it.header).start);
        heads.for_each(|head| {
            self.loops.entry(head).and_modify(|seen| seen.n_refused += 1);
        });
    }

    /// A run was seen to go round for ever.
    pub fn never_ends(&mut self, head: OpIdx) {
        self.at(head).never_ends = true;
    }

    pub fn never_ends_unbounded(&mut self, head: OpIdx, set: String) {
        self.unbounded.entry(head).or_insert(set);
    }

    pub fn wraps(&mut self, head: OpIdx, wraps: Wraps) {
        self.wrapping.entry(head).or_insert(wraps);
    }

    pub fn surely_overflows(&mut self, head: OpIdx) {
        self.wrapping.entry(head).and_modify(|wraps| wraps.is_sure = true);
    }

    /// Whether it is known of a loop that it never ends, at least if values wrap around.
    pub fn is_told_of(&self, head: OpIdx) -> bool {
        self.wrapping.contains_key(&head) || self.loops.get(&head).is_some_and(|seen| seen.never_ends)
    }

    /// Loops that end for no other reason than signed overflow. Nothing if the loop never ends as C has it, for some input.
    pub fn wrapping(&self) -> impl Iterator<Item = (OpIdx, &Wraps)> + '_ {
        let is_apart = |head: &OpIdx| self.loops.get(head).is_none_or(|seen| !seen.never_ends);
        self.wrapping.iter().filter(move |(head, _)| is_apart(head)).map(|(&head, wraps)| (head, wraps))
    }

    pub fn unbounded(&self) -> impl Iterator<Item = (OpIdx, &str)> + '_ {
        self.unbounded.iter().map(|(&head, set)| (head, &**set))
    }

    /// The loops that runs came to, in the order of the code.
    pub fn fates(&self) -> impl Iterator<Item = (OpIdx, LoopFate)> + '_ {
        let fate = |head, seen: &Seen| match seen.fate() {
            LoopFate::Ends if self.wrapping.contains_key(&head) => LoopFate::Unknown,
            fate => fate,
        };
        self.loops.iter().map(move |(&head, seen)| (head, fate(head, seen)))
    }

    pub fn count(&self, fate: LoopFate) -> usize {
        self.fates().filter(|&(_, other)| other == fate).count()
    }
}

impl Seen {
    pub fn went(&mut self, way: Ranks) {
        if !self.ways.contains(&way) {
            self.ways.push(way);
        }
    }

    fn fate(&self) -> LoopFate {
        match self {
            Self { never_ends: true, .. } => LoopFate::NeverEnds,
            Self { ways, n_refused: 0, .. } if !ways.is_empty() && ranking::fall_together(ways) => LoopFate::Ends,
            _ => LoopFate::Unknown,
        }
    }
}
