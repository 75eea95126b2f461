//! Runs that ended early: what other inputs would have done behind the end was not seen. If they have come to the end in a
//! way in which no run has passed it, one has to.

use super::hang::Keys;
use super::{Alternative, Partition, hash, work};
use rustc_hash::{FxHashMap, FxHashSet};
use spelunk_concolic::decision::Choice;
use spelunk_concolic::theories::flow::{NONE, Way};

impl Partition {
    /// Opens what runs need that no run has passed yet.
    pub(super) fn find_cuts(&mut self) {
        if self.runs.iter().all(|kept| kept.blamed.is_empty()) || !self.known_flow.follows(Way::Cuts) {
            return;
        }
        let all: Vec<Keys> = self.runs.iter().map(|kept| Keys::of(&mut self.ties, &kept.hung)).collect();
        let mut needed: FxHashMap<u64, (usize, Alternative)> = FxHashMap::default();
        let mut blamed: FxHashSet<u64> = FxHashSet::default();
        for (number, keys) in all.iter().enumerate() {
            for at in 0..self.runs[number].blamed.len() {
                let met = self.runs[number].blamed[at].0;
                let key = keys.0[met as usize];
                blamed.insert(key);
                for before in self.last_of_others(number, keys, met) {
                    for &way in &self.runs[number].blamed[at].1 {
                        needed.entry(hash(&(before, key, way.choice))).or_insert((number, way));
                    }
                }
            }
        }
        for (number, keys) in all.iter().enumerate() {
            self.passed(number, keys, &blamed, |pair| {
                needed.remove(&pair);
            });
        }
        let mut needed: Vec<(u64, (usize, Alternative))> = needed.into_iter().collect();
        needed.sort_unstable_by_key(|(pair, (number, way))| (*number, way.decision, *pair));
        for (pair, (number, way)) in needed {
            if self.asked.insert(pair) && self.tried.insert(hash(&(way.path, way.choice))) {
                self.waiting.push_back(work(&self.runs[number].input, way));
            }
        }
    }

    /// For each block but that of `met`: what of it was met last before, and how it went.
    fn last_of_others(&mut self, number: usize, keys: &Keys, met: u32) -> Vec<u64> {
        let mut last: FxHashMap<u32, u64> = FxHashMap::default();
        let hung = &self.runs[number].hung;
        for (met, &key) in hung[..met as usize].iter().zip(&keys.0).filter(|it| it.0.atom != NONE) {
            last.insert(self.ties.find(met.atom), hash(&(key, met.way)));
        }
        let own = hung[met as usize].atom;
        if own != NONE {
            last.remove(&self.ties.find(own));
        }
        last.into_values().collect()
    }

    /// Calls `visit` with each pair of how another block came to a decision that is to blame somewhere, and how that went.
    fn passed(&mut self, number: usize, keys: &Keys, blamed: &FxHashSet<u64>, mut visit: impl FnMut(u64)) {
        let mut last: FxHashMap<u32, u64> = FxHashMap::default();
        for (met, &key) in self.runs[number].hung.iter().zip(&keys.0) {
            if met.decision != NONE && blamed.contains(&key) {
                last.values().for_each(|&before| visit(hash(&(before, key, Choice::Key(met.way)))));
            }
            if met.atom != NONE {
                last.insert(self.ties.find(met.atom), hash(&(key, met.way)));
            }
        }
    }
}
