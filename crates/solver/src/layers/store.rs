//! A bounded store of entries that are found by any of their keys. The oldest make room for new ones.

use std::hash::Hash;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

pub struct Store<K, E> {
    slots: Vec<Option<Entry<K, E>>>,
    /// Where the next entry goes once there are as many as may be.
    next: usize,
    max_entries: usize,
    /// How many entries are found by one key.
    max_found: usize,
    /// The slots by key, newest last. An entry that had to make room in one of these may still be in others.
    by_key: FxHashMap<K, SmallVec<[u32; 4]>>,
}

struct Entry<K, E> {
    keys: Box<[K]>,
    content: E,
}

impl<K: Copy + Eq + Hash, E> Store<K, E> {
    pub fn new(max_entries: usize, max_found: usize) -> Self {
        Store { slots: Vec::new(), next: 0, max_entries, max_found, by_key: FxHashMap::default() }
    }

    pub fn insert(&mut self, keys: Box<[K]>, content: E) {
        let slot = self.next;
        self.next = (self.next + 1) % self.max_entries;
        if slot == self.slots.len() {
            self.slots.push(None);
        }
        self.remove(slot);
        for &key in &keys {
            let found = self.by_key.entry(key).or_default();
            if found.len() == self.max_found {
                found.remove(0);
            }
            found.push(slot as u32);
        }
        self.slots[slot] = Some(Entry { keys, content });
    }

    fn remove(&mut self, slot: usize) {
        let Some(old) = self.slots[slot].take() else { return };
        for key in &old.keys {
            if let Some(found) = self.by_key.get_mut(key) {
                found.retain(|at| *at != slot as u32);
                if found.is_empty() {
                    self.by_key.remove(key);
                }
            }
        }
    }

    /// The entries with a key, the newest first.
    pub fn find(&self, key: K) -> impl Iterator<Item = &E> + '_ {
        let slots = self.by_key.get(&key).map_or(&[][..], |slots| slots);
        slots.iter().rev().filter_map(|&slot| self.slots[slot as usize].as_ref()).map(|entry| &entry.content)
    }

    pub fn retain(&mut self, keeps: impl Fn(&[K], &E) -> bool) {
        for slot in 0..self.slots.len() {
            if self.slots[slot].as_ref().is_some_and(|entry| !keeps(&entry.keys, &entry.content)) {
                self.remove(slot);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(store: &Store<u32, &'static str>, key: u32) -> Vec<&'static str> {
        store.find(key).copied().collect()
    }

    #[test]
    fn entries_are_found_by_their_keys_until_they_make_room() {
        let mut store = Store::new(3, 2);
        store.insert([1, 2].into(), "a");
        store.insert([2, 3].into(), "b");
        assert_eq!(find(&store, 2), ["b", "a"]);
        store.insert([2].into(), "c");
        assert_eq!(find(&store, 2), ["c", "b"], "two are found by one key");
        assert_eq!(find(&store, 1), ["a"]);
        store.insert([3].into(), "d");
        assert_eq!(find(&store, 1), [""; 0], "there are three entries");
        assert_eq!(find(&store, 3), ["d", "b"]);
        store.retain(|_, content| *content != "b");
        assert_eq!(find(&store, 3), ["d"]);
        assert_eq!(find(&store, 2), ["c"]);
        store.retain(|keys, _| keys != [3]);
        assert_eq!(find(&store, 3), [""; 0]);
    }
}
