//! An open-addressing hash table of ids, for interning: it finds the id of something by hash and comparison.
//!
//! A slot is eight bytes: an id, zero if the slot is empty, and the 32 bits of hash that place it. So a probe that
//! meets a stranger is over without a look at what the id stands for, and growing needs nothing but the slots. Ids are
//! never removed one by one; whoever collects garbage fills the table anew.

#[derive(Default)]
pub(crate) struct IdTable {
    /// A power of two many, or none.
    slots: Vec<Slot>,
    len: usize,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    id: u32,
    hash: u32,
}

impl IdTable {
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn n_bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>()
    }

    pub fn clear(&mut self) {
        self.slots.fill(Slot::default());
        self.len = 0;
    }

    #[inline(always)]
    pub fn find(&self, hash: u32, is_same: impl Fn(u32) -> bool) -> Option<u32> {
        let last = self.slots.len().wrapping_sub(1);
        let mut at = hash as usize & last;
        while let Some(slot) = self.slots.get(at) {
            if slot.id == 0 {
                return None;
            }
            if slot.hash == hash && is_same(slot.id) {
                return Some(slot.id);
            }
            at = (at + 1) & last;
        }
        None
    }

    /// Adds an id that [`Self::find`] did not find.
    pub fn insert(&mut self, hash: u32, id: u32) {
        debug_assert_ne!(id, 0);
        if self.len * 4 >= self.slots.len() * 3 {
            self.grow();
        }
        self.place(Slot { id, hash });
        self.len += 1;
    }

    fn place(&mut self, slot: Slot) {
        let last = self.slots.len() - 1;
        let mut at = slot.hash as usize & last;
        while self.slots[at].id != 0 {
            at = (at + 1) & last;
        }
        self.slots[at] = slot;
    }

    #[cold]
    fn grow(&mut self) {
        let capacity = (self.slots.len() * 2).max(64);
        let old = std::mem::replace(&mut self.slots, vec![Slot::default(); capacity]);
        for slot in old.into_iter().filter(|slot| slot.id != 0) {
            self.place(slot);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_inserted_in_spite_of_equal_hashes() {
        let mut table = IdTable::default();
        assert_eq!(table.find(7, |_| true), None);
        for id in 1..1000 {
            table.insert(id % 10, id);
        }
        for id in 1..1000 {
            assert_eq!(table.find(id % 10, |candidate| candidate == id), Some(id));
        }
        assert_eq!(table.find(3, |_| false), None);
        assert_eq!(table.len(), 999);
        table.clear();
        assert_eq!(table.find(3, |_| true), None);
    }
}
