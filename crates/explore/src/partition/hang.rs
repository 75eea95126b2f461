//! Under what each thing hangs that a run has met: the last earlier one of its own block, or the innermost branch around it, whichever
//! is later. All that matters to it is that one and what matters to that one, so one number stands for its past.

use super::hash;
use super::ties::{Ties, Why};
use rustc_hash::FxHashMap;
use spelunk_concolic::theories::flow::{Met, NONE};
use spelunk_ir::code::OpIdx;

/// What is kept of something that a run has met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Hung {
    /// What it is, whatever was before.
    pub what: u64,
    pub way: u64,
    /// One input of its block.
    pub atom: u32,
    pub region: u32,
    pub decision: u32,
    pub site: OpIdx,
}

/// Unites the inputs that each condition depends on.
pub(super) fn hung(ties: &mut Ties, all: &[Met]) -> Vec<Hung> {
    let mut hung: Vec<Hung> = Vec::with_capacity(all.len());
    for met in all {
        let why = (met.site, Why::Condition);
        let others = met.extra.iter().map(|&it| hung[it as usize].atom);
        let mut atoms = met.atoms.iter().copied().chain(others).filter(|&atom| atom != NONE);
        let atom = atoms.next().unwrap_or(NONE);
        atoms.for_each(|other| ties.unite(atom, other, why));
        hung.push(Hung {
            what: hash(&(met.site, met.stack, &met.atoms)),
            way: met.way,
            atom,
            region: met.region,
            decision: met.decision,
            site: met.site,
        });
    }
    hung
}

/// Unites what is met under a branch with the branch, if something of its block was met before the branch.
pub(super) fn tie_regions(ties: &mut Ties, all: &[Hung]) {
    let mut first: FxHashMap<u32, u32> = FxHashMap::default();
    loop {
        let before = ties.reasons.len();
        first.clear();
        for (number, met) in (0..).zip(all).filter(|it| it.1.atom != NONE) {
            let earliest = *first.entry(ties.find(met.atom)).or_insert(number);
            let mut region = met.region;
            while region != NONE && region > earliest {
                let around = &all[region as usize];
                if around.atom != NONE {
                    ties.unite(around.atom, met.atom, (met.site, Why::Control));
                }
                region = around.region;
            }
            let block = ties.find(met.atom);
            let earliest = earliest.min(first.get(&block).copied().unwrap_or(number));
            first.insert(block, earliest);
        }
        if ties.reasons.len() == before {
            return;
        }
    }
}

/// The past of each thing that a run has met, as a number; and under what it hangs, or [`NONE`].
pub(super) struct Keys {
    pub keys: Vec<u64>,
    pub under: Vec<u32>,
}

impl Keys {
    pub fn of(ties: &mut Ties, all: &[Hung]) -> Self {
        let mut keys: Vec<u64> = Vec::with_capacity(all.len());
        let mut unders = Vec::with_capacity(all.len());
        let mut last: FxHashMap<u32, u32> = FxHashMap::default();
        for (number, met) in (0..).zip(all) {
            let block = if met.atom == NONE { NONE } else { ties.find(met.atom) };
            let before = last.insert(block, number);
            let region = Some(met.region).filter(|&region| region != NONE);
            let under = before.max(region);
            unders.push(under.unwrap_or(NONE));
            let under = under.map(|it| (keys[it as usize], all[it as usize].way));
            keys.push(hash(&(under, met.what)));
        }
        Self { keys, under: unders }
    }
}
