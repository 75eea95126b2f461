//! Which inputs belong together, and why.

use rustc_hash::FxHashSet;
use spelunk_concolic::theories::flow::Shared;
use spelunk_ir::code::OpIdx;

/// Why inputs belong together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Why {
    /// They share bytes, or memory that pointers lead to.
    Bytes,
    /// A condition depends on both.
    Condition,
    /// Rules for heaps speak of both.
    Rules,
    /// One decides whether a condition on the other is met, which something before depends on too.
    Control,
}

impl From<Shared> for Why {
    fn from(shared: Shared) -> Self {
        match shared {
            Shared::Memory => Self::Bytes,
            Shared::Rules => Self::Rules,
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Ties {
    parents: Vec<u32>,
    has_changed: bool,
    /// What united inputs: one entry for each that made two blocks one.
    pub reasons: Vec<(u32, u32, OpIdx, Why)>,
    seen: FxHashSet<(u32, u32)>,
}

impl Ties {
    pub fn resize(&mut self, n_atoms: usize) {
        let known = self.parents.len() as u32;
        self.parents.extend(known..n_atoms as u32);
    }

    /// The block of an input, as one of its members.
    pub fn find(&mut self, atom: u32) -> u32 {
        let mut top = atom;
        while self.parents[top as usize] != top {
            top = self.parents[top as usize];
        }
        let mut at = atom;
        while self.parents[at as usize] != top {
            at = std::mem::replace(&mut self.parents[at as usize], top);
        }
        top
    }

    pub fn unite(&mut self, a: u32, b: u32, (site, why): (OpIdx, Why)) {
        let (top_a, top_b) = (self.find(a), self.find(b));
        if top_a == top_b {
            return;
        }
        self.parents[top_a.max(top_b) as usize] = top_a.min(top_b);
        self.has_changed = true;
        if self.seen.insert((a, b)) {
            self.reasons.push((a, b, site, why));
        }
    }

    /// Whether blocks were united since the last time.
    pub fn take_change(&mut self) -> bool {
        std::mem::take(&mut self.has_changed)
    }
}
