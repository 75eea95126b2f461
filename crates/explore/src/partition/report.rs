//! The partition for those who read it: which inputs belong together, and what tied them.

use super::Partition;
use super::ties::Why;
use rustc_hash::FxHashMap;
use spelunk_concolic::theories::flow::Atom;
use spelunk_ir::code::OpIdx;

/// Inputs that belong together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Block {
    pub inputs: Vec<Atom>,
    pub ties: Vec<TieReport>,
}

/// What made two blocks one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TieReport {
    /// Two inputs of the block, by number in it.
    pub inputs: [usize; 2],
    pub site: OpIdx,
    pub why: Why,
}

/// What a campaign has found about its inputs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PartitionReport {
    pub blocks: Vec<Block>,
    /// Alternatives that were not explored since others stand for them.
    pub n_left_out: u64,
    /// Executions that were repeated to look again at what depends on what.
    pub n_again: u64,
    /// Where and why everything was explored from some moment on.
    pub given_up: Option<(OpIdx, String)>,
}

impl Why {
    /// The stable name in reports.
    pub fn slug(self) -> &'static str {
        match self {
            Self::Bytes => "same-bytes",
            Self::Rules => "rules",
            Self::Condition => "condition",
            Self::Control => "control",
        }
    }

    pub fn text(self) -> &'static str {
        match self {
            Self::Bytes => "they share memory",
            Self::Rules => "rules for heaps speak of both",
            Self::Condition => "a condition depends on both",
            Self::Control => "one decides whether a condition on the other is reached",
        }
    }
}

impl Partition {
    /// The account, once.
    pub fn report(&mut self) -> Option<PartitionReport> {
        if std::mem::replace(&mut self.is_reported, true) {
            return None;
        }
        let mut numbers: FxHashMap<u32, usize> = FxHashMap::default();
        let mut blocks: Vec<Block> = Vec::new();
        let mut places: Vec<usize> = Vec::new();
        for atom in 0..self.atoms.len() as u32 {
            let next = blocks.len();
            let number = *numbers.entry(self.ties.find(atom)).or_insert(next);
            if number == next {
                blocks.push(Block::default());
            }
            places.push(blocks[number].inputs.len());
            blocks[number].inputs.push(self.atoms[atom as usize].clone());
        }
        for idx in 0..self.ties.reasons.len() {
            let (a, b, site, why) = self.ties.reasons[idx];
            let number = numbers[&self.ties.find(a)];
            let inputs = [places[a as usize], places[b as usize]];
            blocks[number].ties.push(TieReport { inputs, site, why });
        }
        let n_left_out = self.runs.iter().map(|kept| kept.parked.len() as u64).sum();
        Some(PartitionReport { blocks, n_left_out, n_again: self.n_again, given_up: self.given_up.clone() })
    }
}
