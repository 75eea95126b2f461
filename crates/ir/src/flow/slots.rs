//! Sets of slots of one frame.

/// A set of slot numbers below a bound that all sets of a function share.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SlotSet {
    words: Box<[u64]>,
}

impl SlotSet {
    /// The empty set of a frame of that many slots.
    pub fn new(n_slots: usize) -> Self {
        Self { words: vec![0; n_slots.div_ceil(64)].into() }
    }

    pub fn insert(&mut self, slot: usize) {
        self.words[slot / 64] |= 1 << (slot % 64);
    }

    pub fn contains(&self, slot: usize) -> bool {
        self.words.get(slot / 64).is_some_and(|word| word >> (slot % 64) & 1 != 0)
    }

    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.words.len() * 64).filter(|&slot| self.contains(slot))
    }

    /// Adds the members of another set; says whether there were new ones.
    pub fn add_all(&mut self, other: &Self) -> bool {
        let mut has_grown = false;
        for (word, &more) in self.words.iter_mut().zip(&other.words) {
            has_grown |= more & !*word != 0;
            *word |= more;
        }
        has_grown
    }

    pub fn remove_all(&mut self, other: &Self) {
        for (word, &less) in self.words.iter_mut().zip(&other.words) {
            *word &= !less;
        }
    }
}
