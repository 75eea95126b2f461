//! An open-addressing hash table of ids, for interning: it finds the id of something by key and comparison.
//!
//! A slot is eight bytes: an id, zero if the slot is empty, and 32 bits of hash. So a probe that meets a stranger is
//! over without a look at what the id stands for.
//!
//! A search in a table beyond the caches costs one memory access, and that is most of what making a node costs. So a
//! key also says what it is *near* to: things made one after the other have near keys, and are kept together in
//! buckets of one cache line. A bucket may be full, as nothing keeps keys from being all near; then the hash says where
//! to look on, and in which steps: buckets that are full lie side by side, and slot by slot one would meet all of them.
//! Ids are never removed one by one; whoever collects garbage fills the table anew.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Key {
    pub hash: u32,
    pub near: u32,
}

impl Key {
    /// For things in no particular order.
    pub fn of_hash(hash: u32) -> Self {
        Key { hash, near: hash }
    }
}

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

const BUCKET: usize = 64 / size_of::<Slot>();

/// How many near keys share a bucket: as many as it can have when the table is as full as it gets.
const NEAR_A_BUCKET: u32 = 4;

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
    pub fn find(&self, key: Key, is_same: impl Fn(u32) -> bool) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let start = self.bucket(key.near);
        for slot in &self.slots[start..start + BUCKET] {
            if slot.id == 0 {
                return None;
            }
            if slot.hash == key.hash && is_same(slot.id) {
                return Some(slot.id);
            }
        }
        self.find_beyond(key.hash, is_same)
    }

    fn find_beyond(&self, hash: u32, is_same: impl Fn(u32) -> bool) -> Option<u32> {
        for at in self.beyond(hash) {
            let slot = self.slots[at];
            if slot.id == 0 {
                return None;
            }
            if slot.hash == hash && is_same(slot.id) {
                return Some(slot.id);
            }
        }
        unreachable!("a table is never full")
    }

    /// All slots, in the order in which those are looked at that are not in the bucket. The step is odd, the number of
    /// slots a power of two: none is left out.
    #[inline(always)]
    fn beyond(&self, hash: u32) -> impl Iterator<Item = usize> + use<> {
        let last = self.slots.len() - 1;
        let step = (hash.rotate_right(16) | 1) as usize;
        (0..=last).map(move |i| (hash as usize).wrapping_add(i.wrapping_mul(step)) & last)
    }

    #[inline(always)]
    fn bucket(&self, near: u32) -> usize {
        ((near / NEAR_A_BUCKET) as usize * BUCKET) & (self.slots.len() - 1)
    }

    pub fn is_full(&self) -> bool {
        self.len * 8 >= self.slots.len() * 5
    }

    /// Adds an id that [`Self::find`] did not find, to a table that is not full.
    #[inline]
    pub fn insert(&mut self, key: Key, id: u32) {
        debug_assert!(id != 0 && !self.is_full());
        self.place(key, id);
        self.len += 1;
    }

    /// Twice the room. `key_of` tells the keys of the ids in the table.
    #[cold]
    pub fn grow(&mut self, key_of: impl Fn(u32) -> Key) {
        let capacity = (self.slots.len() * 2).max(8 * BUCKET);
        let old = std::mem::replace(&mut self.slots, vec![Slot::default(); capacity]);
        for slot in old.into_iter().filter(|slot| slot.id != 0) {
            self.place(key_of(slot.id), slot.id);
        }
    }

    fn place(&mut self, key: Key, id: u32) {
        let slot = Slot { id, hash: key.hash };
        let start = self.bucket(key.near);
        if let Some(free) = self.slots[start..start + BUCKET].iter_mut().find(|slot| slot.id == 0) {
            *free = slot;
            return;
        }
        let at = self.beyond(key.hash).find(|&at| self.slots[at].id == 0).expect("a table is never full");
        self.slots[at] = slot;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(n_ids: u32, key_of: impl Fn(u32) -> Key) -> IdTable {
        let mut table = IdTable::default();
        for id in 1..=n_ids {
            if table.is_full() {
                table.grow(&key_of);
            }
            table.insert(key_of(id), id);
        }
        table
    }

    fn check(key_of: impl Fn(u32) -> Key) {
        assert_eq!(IdTable::default().find(key_of(7), |_| true), None);
        let mut table = filled(1999, &key_of);
        for id in 1..2000 {
            assert_eq!(table.find(key_of(id), |candidate| candidate == id), Some(id));
        }
        assert_eq!(table.find(key_of(3), |_| false), None);
        assert_eq!(table.len(), 1999);
        table.clear();
        assert_eq!(table.find(key_of(3), |_| true), None);
    }

    #[test]
    fn finds_what_was_inserted_whatever_the_keys() {
        check(|id| Key { hash: id.wrapping_mul(0x9e37_79b9), near: id });
        check(|id| Key { hash: id % 10, near: id });
        check(|id| Key { hash: id.wrapping_mul(0x9e37_79b9), near: 5 });
        check(|_| Key { hash: 3, near: 3 });
    }

    /// Every slot is looked at once, and two searches that begin at one slot part.
    #[test]
    fn beyond_its_bucket_a_hash_goes_ways_of_its_own() {
        let table = filled(100, Key::of_hash);
        let n_slots = table.slots.len();
        for hash in [0, 1, 0x0001_0000, 0x8000_0005, u32::MAX] {
            let mut slots: Vec<usize> = table.beyond(hash).collect();
            slots.sort_unstable();
            assert!(slots.into_iter().eq(0..n_slots), "{hash:#x}");
        }
        let [one, other] = [0x0002_0003, 0x0004_0003].map(|hash| table.beyond(hash).take(2).collect::<Vec<_>>());
        assert_eq!(one[0], other[0]);
        assert_ne!(one[1], other[1]);
    }

    /// More near keys than buckets hold: what is over is not sought in the full buckets beside.
    #[test]
    fn full_buckets_side_by_side_make_no_long_searches() {
        let key_of = |id: u32| Key { hash: id.wrapping_mul(0x9e37_79b9).rotate_left(11), near: id / 16 };
        let table = filled(20_000, key_of);
        let n_looks = |id: u32| {
            let (key, slots) = (key_of(id), &table.slots);
            let start = table.bucket(key.near);
            match slots[start..start + BUCKET].iter().any(|slot| slot.id == id) {
                true => 1,
                false => 1 + table.beyond(key.hash).position(|at| slots[at].id == id).expect("it was inserted"),
            }
        };
        let n_all: usize = (1..=20_000).map(n_looks).sum();
        assert!(n_all < 20_000 * 4, "{} looks a search", n_all / 20_000);
    }
}
