//! Clauses of two and more literals, end to end in one vector.

use super::Lit;

/// Where a clause begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub(super) struct ClauseRef(u32);

impl ClauseRef {
    pub const NONE: ClauseRef = ClauseRef(u32::MAX);

    pub const fn from_raw(raw: u32) -> Self {
        ClauseRef(raw)
    }

    pub const fn raw(self) -> u32 {
        self.0
    }
}

/// A clause is its length, its glue (zero: given, not learned), and its literals.
#[derive(Default)]
pub(super) struct Clauses {
    words: Vec<u32>,
    pub learned: Vec<ClauseRef>,
    /// Words of clauses that were removed.
    n_wasted: usize,
}

const HEADER: usize = 2;
/// Set in the length of a removed clause.
const REMOVED: u32 = 1 << 31;

impl Clauses {
    /// `glue` as in [`Self::glue`].
    pub fn add(&mut self, lits: &[Lit], glue: u32) -> ClauseRef {
        let at = ClauseRef(u32::try_from(self.words.len()).expect("clauses take less than 16 GiB"));
        self.words.extend([lits.len() as u32, glue]);
        self.words.extend(lits.iter().map(|lit| lit.index() as u32));
        if glue != 0 {
            self.learned.push(at);
        }
        at
    }

    pub fn len(&self, at: ClauseRef) -> usize {
        (self.words[at.0 as usize] & !REMOVED) as usize
    }

    /// On how many decision levels its literals were when it was learned; zero if it was given.
    pub fn glue(&self, at: ClauseRef) -> u32 {
        self.words[at.0 as usize + 1]
    }

    pub fn lit(&self, at: ClauseRef, position: usize) -> Lit {
        Lit::from_index(self.words[at.0 as usize + HEADER + position])
    }

    /// The literals as words, to be changed in place.
    pub fn lit_words(&mut self, at: ClauseRef) -> &mut [u32] {
        let start = at.0 as usize + HEADER;
        let len = self.len(at);
        &mut self.words[start..start + len]
    }

    pub fn is_removed(&self, at: ClauseRef) -> bool {
        self.words[at.0 as usize] & REMOVED != 0
    }

    /// Marks a clause; it is gone after [`Self::compact`].
    pub fn remove(&mut self, at: ClauseRef) {
        self.n_wasted += HEADER + self.len(at);
        self.words[at.0 as usize] |= REMOVED;
    }

    pub fn is_mostly_wasted(&self) -> bool {
        self.n_wasted * 4 > self.words.len()
    }

    /// Moves clauses together. `moved` is told where each one that stays goes.
    pub fn compact(&mut self, mut moved: impl FnMut(ClauseRef, ClauseRef)) {
        let (mut from, mut to) = (0, 0);
        while from < self.words.len() {
            let at = ClauseRef(from as u32);
            let n_words = HEADER + self.len(at);
            if !self.is_removed(at) {
                self.words.copy_within(from..from + n_words, to);
                moved(at, ClauseRef(to as u32));
                to += n_words;
            }
            from += n_words;
        }
        self.words.truncate(to);
        self.n_wasted = 0;
    }
}
