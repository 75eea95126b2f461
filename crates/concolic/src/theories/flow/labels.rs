//! Labels: sets of what a run has met, by number, that a value depends on beyond its expression. Equal sets are one number.

use rustc_hash::FxHashMap;
use std::sync::Arc;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Label(u32);

impl Label {
    pub const NONE: Self = Self(0);

    #[inline]
    pub fn is_none(self) -> bool {
        self == Self::NONE
    }

    #[inline]
    pub fn number(self) -> u32 {
        self.0
    }
}

/// The sets of one run.
#[derive(Debug)]
pub(super) struct Labels {
    sets: Vec<Arc<[u32]>>,
    numbers: FxHashMap<Arc<[u32]>, Label>,
    unions: FxHashMap<(Label, Label), Label>,
}

impl Default for Labels {
    fn default() -> Self {
        Self { sets: vec![Arc::default()], numbers: FxHashMap::default(), unions: FxHashMap::default() }
    }
}

impl Labels {
    pub fn get(&self, label: Label) -> &Arc<[u32]> {
        &self.sets[label.0 as usize]
    }

    /// The set of these numbers, which are in order.
    pub fn mk(&mut self, sorted: Vec<u32>) -> Label {
        if sorted.is_empty() {
            return Label::NONE;
        }
        let set: Arc<[u32]> = sorted.into();
        if let Some(&known) = self.numbers.get(&set) {
            return known;
        }
        let label = Label(self.sets.len() as u32);
        self.sets.push(Arc::clone(&set));
        self.numbers.insert(set, label);
        label
    }

    #[inline]
    pub fn union(&mut self, a: Label, b: Label) -> Label {
        if a == b || b.is_none() {
            return a;
        }
        if a.is_none() { b } else { self.union_of_some(a, b) }
    }

    /// With those of neighbouring bytes, which are mostly the same.
    #[inline]
    pub fn union_of(&mut self, first: Label, bytes: &[Label]) -> Label {
        let (mut all, mut last) = (first, Label::NONE);
        for &label in bytes.iter() {
            if label != last {
                (all, last) = (self.union(all, label), label);
            }
        }
        all
    }

    fn union_of_some(&mut self, a: Label, b: Label) -> Label {
        let pair = (a.min_of(b), a.max_of(b));
        if let Some(&known) = self.unions.get(&pair) {
            return known;
        }
        let mut all: Vec<u32> = self.get(a).iter().chain(&**self.get(b)).copied().collect();
        all.sort_unstable();
        all.dedup();
        let union = self.mk(all);
        self.unions.insert(pair, union);
        union
    }
}

impl Label {
    fn min_of(self, other: Self) -> Self {
        Self(self.0.min(other.0))
    }

    fn max_of(self, other: Self) -> Self {
        Self(self.0.max(other.0))
    }
}
