//! How memory keeps earlier states: what is recorded when an object changes, and how a state comes back.
//!
//! Without a version nothing is recorded. With one, the first change of an object that the version has too keeps the
//! object as it was; its epoch says whether that was done. So the paths of plain reads and writes know nothing of it.

use super::log::Kept;
use super::object::{Life, NEVER, Object, ObjectId, ObjectKind};
use super::versions::{Census, Version};
use super::{FIRST_EPOCH, Memory};
use std::ops::Range;

/// Which objects may have come to life since a version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Newcomers {
    None,
    /// Those of calls that are under way.
    Stack,
}

impl Newcomers {
    pub(super) fn allow(self, object: &Object) -> bool {
        self == Self::Stack && object.kind() == ObjectKind::Stack
    }
}

impl Memory {
    /// Keeps the current state.
    pub fn snapshot(&mut self) -> Version {
        self.collect_released();
        let census = self.census();
        let unchanged = |&head: &_| self.versions.log.delta().len() == 0 && self.versions.census(head) == census;
        let id = match self.versions.head.filter(unchanged) {
            Some(head) => head,
            None => {
                self.begin_epoch();
                self.versions.add(census, &self.objects)
            }
        };
        self.versions.pin(id)
    }

    /// Brings a state back. What has changed since the last snapshot is lost.
    pub fn restore(&mut self, version: &Version) {
        assert!(self.versions.owns(version), "a version of this memory");
        self.collect_released();
        let head = self.versions.head.expect("where there is a version, there is one that we came from");
        let log = std::mem::take(&mut self.versions.log);
        log.into_delta().apply_for_good(&mut self.objects, self.versions.census(head).n_objects, &mut self.symbolic);
        self.versions
            .go_to(version.id, |delta, census| delta.apply(&mut self.objects, census.n_objects, &mut self.symbolic));
        let census = self.versions.census(version.id);
        self.used = census.used;
        self.dead_heap = census.dead_heap;
        self.dead_stack = census.dead_stack;
    }

    /// Whether all that lives is as it was in a version, but for newcomers, provided that there is no later one.
    pub fn is_as_in(&self, version: &Version, newcomers: Newcomers) -> bool {
        self.versions.head == Some(version.id)
            && self.versions.log.delta().is_undone(&self.objects, newcomers)
            && self.allows_new(version, newcomers)
    }

    /// The addresses of all bytes that are not what they were in a version, or carry something else, provided that there is no
    /// later one. Nothing if objects have come or gone since then, but for newcomers, or a large one was written to.
    pub fn changes_since(&self, version: &Version, newcomers: Newcomers) -> Option<Vec<u64>> {
        assert!(self.versions.head == Some(version.id), "the last version");
        if !self.allows_new(version, newcomers) {
            return None;
        }
        let differences = self.versions.log.delta().differences(&self.objects, newcomers)?;
        Some(differences.into_iter().map(|(id, at)| self.object(id).base() + at as u64).collect())
    }

    /// The objects that may not be as they were in a version, each once; among them those that have come since then.
    pub fn touched_since(&self, version: &Version) -> Vec<ObjectId> {
        assert!(self.versions.owns(version), "a version of this memory");
        let new = self.versions.census(version.id).n_objects as u32..self.n_objects();
        let mut touched: Vec<ObjectId> = new.map(ObjectId).collect();
        touched.extend(self.versions.deltas_since(version.id).flat_map(|delta| delta.ids()));
        touched.sort_unstable();
        touched.dedup();
        touched
    }

    /// Whether the objects that have numbers which a version has none for may be there.
    fn allows_new(&self, version: &Version, newcomers: Newcomers) -> bool {
        let n_shared = self.versions.census(version.id).n_objects;
        self.objects[n_shared..].iter().all(|object| object.life() == Life::Dead || newcomers.allow(object))
    }

    /// The bytes that versions take, beside the current state.
    pub fn snapshot_bytes(&mut self) -> u64 {
        self.collect_released();
        self.versions.footprint()
    }

    fn census(&self) -> Census {
        Census {
            n_objects: self.objects.len(),
            used: self.used,
            dead_heap: self.dead_heap,
            dead_stack: self.dead_stack,
        }
    }

    fn collect_released(&mut self) {
        let (objects, epoch) = (&mut self.objects, self.epoch);
        self.versions.collect_released(|delta| {
            for id in delta.wholes() {
                // A constant keeps the epoch that refuses writes.
                if let Some(object) = objects.get_mut(id.0 as usize).filter(|it| it.kind != ObjectKind::Constant) {
                    object.epoch = epoch;
                }
            }
        });
    }

    /// From here on all objects are shared.
    fn begin_epoch(&mut self) {
        self.epoch = self.epoch.checked_add(1).unwrap_or_else(|| {
            self.objects.iter_mut().for_each(|object| object.epoch = NEVER);
            FIRST_EPOCH
        });
    }

    /// The object, to be changed.
    #[inline]
    pub(super) fn own(&mut self, id: ObjectId) -> &mut Object {
        if self.objects[id.0 as usize].epoch != self.epoch {
            self.record(id);
        }
        &mut self.objects[id.0 as usize]
    }

    #[cold]
    fn record(&mut self, id: ObjectId) {
        let object = &mut self.objects[id.0 as usize];
        if self.versions.shares(id.0 as usize) {
            self.versions.log.keep(id, object.duplicate());
        }
        object.epoch = self.epoch;
    }

    /// Prepares a write to an object of another epoch.
    #[cold]
    pub(super) fn record_write(&mut self, id: ObjectId, range: Range<u64>) {
        let object = &mut self.objects[id.0 as usize];
        let is_shared = self.versions.shares(id.0 as usize);
        if !is_shared || self.versions.log.keep_range(id, object, range) == Kept::Whole {
            object.epoch = self.epoch;
        }
    }

    /// Ends the life of an object that a version may share: its content goes there instead of being freed.
    #[cold]
    pub(super) fn part_with(&mut self, id: ObjectId) {
        let object = &mut self.objects[id.0 as usize];
        let remains = object.remains(self.epoch);
        let content = std::mem::replace(object, remains);
        if self.versions.shares(id.0 as usize) {
            self.versions.log.keep(id, content);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{Word, object_of};
    use crate::trace::TraceId;

    #[test]
    fn epochs_start_over() {
        let mut memory = Memory::new(1 << 20);
        let addr = memory.alloc(ObjectKind::Heap, 8, 8, TraceId::EMPTY).unwrap();
        memory.epoch = u32::MAX;
        memory.own(object_of(addr));
        assert!(memory.store::<8>(addr, 1));
        let version = memory.snapshot();
        assert_eq!(memory.epoch, FIRST_EPOCH);
        assert!(!memory.store::<8>(addr, 2), "the version shares it");
        memory.store_word(addr, 8, &Word::plain(2)).unwrap();
        memory.restore(&version);
        assert_eq!(memory.load::<8>(addr), Some(1));
    }
}
