//! What bytes of memory depend on beyond their expressions, which of them were written lately, and how places are named across runs.

use super::knowledge::Effects;
use super::labels::{Label, Labels};
use crate::graph::heap::Heap;
use rustc_hash::FxHashMap;
use spelunk_ir::code::{OBJECT_SHIFT, OpIdx};
use spelunk_ir::model::FuncId;
use spelunk_vm::memory::{Life, Memory, ObjectId, object_of};
use std::collections::BTreeMap;

/// Longer writes count as writes of the whole object.
const MAX_EXACT: u64 = 4096;

/// Something that a run may change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wrote {
    Bytes {
        addr: u64,
        len: u64,
    },
    /// Some bytes of the object.
    Object(ObjectId),
    /// Whether it lives, or how large it is.
    Life(ObjectId),
    /// Files, and how often the program asked for input.
    World,
}

/// The same in the terms of all runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Affected {
    Bytes {
        home: Home,
        offset: u32,
        len: u32,
    },
    Object(Home),
    Life(Home),
    World,
    /// No place: control leaps to where this function has called `setjmp`.
    Leap(FuncId),
}

/// An object that is the same in all runs, one of the input, or any that was made by one operation: which of these, is not told apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Home {
    Fixed(ObjectId),
    Input(u32),
    Made(OpIdx),
}

#[derive(Debug, Default)]
pub(super) struct Places {
    bytes: BTreeMap<u64, Label>,
    objects: FxHashMap<ObjectId, Label>,
    lives: FxHashMap<ObjectId, Label>,
    world: Label,
    made_by: FxHashMap<ObjectId, OpIdx>,
    made: FxHashMap<OpIdx, Vec<ObjectId>>,
    /// By number: whether something is known of the object.
    known: Vec<bool>,
}

impl Places {
    /// An operation has made objects.
    pub fn add_objects(&mut self, from: u32, to: u32, by: OpIdx) {
        for id in (from..to).map(ObjectId) {
            self.made_by.insert(id, by);
            self.made.entry(by).or_default().push(id);
        }
    }

    /// Whether something is known of an object.
    #[inline]
    pub fn knows(&self, id: ObjectId) -> bool {
        self.known.get(id.0 as usize).is_some_and(|&is_known| is_known)
    }

    fn note(&mut self, id: ObjectId) {
        let number = id.0 as usize;
        if number >= self.known.len() {
            self.known.resize(number + 1, false);
        }
        self.known[number] = true;
    }

    pub fn world(&self) -> Label {
        self.world
    }

    pub fn life(&self, addr: u64) -> Label {
        if self.lives.is_empty() { Label::NONE } else { self.lives.get(&object_of(addr)).copied().unwrap_or_default() }
    }

    /// What some bytes depend on.
    pub fn label_of(&self, labels: &mut Labels, addr: u64, len: u64) -> Label {
        let mut label = match self.objects.is_empty() {
            true => Label::NONE,
            false => self.objects.get(&object_of(addr)).copied().unwrap_or_default(),
        };
        if !self.bytes.is_empty() {
            for (_, &of_byte) in self.bytes.range(addr..addr.saturating_add(len)) {
                label = labels.union(label, of_byte);
            }
        }
        label
    }

    /// What some byte of an object depends on.
    pub fn label_of_object(&self, labels: &mut Labels, addr: u64) -> Label {
        let first = u64::from(object_of(addr).0) << OBJECT_SHIFT;
        self.label_of(labels, first, 1 << OBJECT_SHIFT)
    }

    /// Bytes were given new values that depend on this.
    pub fn set(&mut self, addr: u64, len: u64, label: Label) {
        if !self.bytes.is_empty() {
            let old: Vec<u64> = self.bytes.range(addr..addr.saturating_add(len)).map(|it| *it.0).collect();
            old.iter().for_each(|at| {
                self.bytes.remove(at);
            });
        }
        if !label.is_none() {
            self.note(object_of(addr));
            self.bytes.extend((addr..addr.saturating_add(len)).map(|at| (at, label)));
        }
    }

    /// Moves what bytes depend on with them, and adds to it.
    pub fn copy(&mut self, labels: &mut Labels, to: u64, from: u64, len: u64, more: Label) {
        let of_object = self.objects.get(&object_of(from)).copied().unwrap_or_default();
        let more = labels.union(more, of_object);
        let moved: Vec<(u64, Label)> =
            self.bytes.range(from..from.saturating_add(len)).map(|(at, label)| (at - from, *label)).collect();
        if len > MAX_EXACT && !(more.is_none() && moved.is_empty()) {
            let all = moved.iter().fold(more, |all, it| labels.union(all, it.1));
            return self.add(labels, Wrote::Object(object_of(to)), all);
        }
        self.set(to, len, more);
        if !moved.is_empty() {
            self.note(object_of(to));
        }
        for (at, label) in moved {
            let label = labels.union(label, more);
            self.bytes.insert(to + at, label);
        }
    }

    /// Something depends on this too.
    pub fn add(&mut self, labels: &mut Labels, what: Wrote, label: Label) {
        if label.is_none() {
            return;
        }
        if let Wrote::Bytes { addr, .. } = what {
            self.note(object_of(addr));
        }
        if let Wrote::Object(id) | Wrote::Life(id) = what {
            self.note(id);
        }
        match what {
            Wrote::Bytes { addr, len } if len <= MAX_EXACT => {
                for at in addr..addr.saturating_add(len) {
                    let of_byte = self.bytes.entry(at).or_default();
                    *of_byte = labels.union(*of_byte, label);
                }
            }
            Wrote::Bytes { addr, .. } => self.add(labels, Wrote::Object(object_of(addr)), label),
            Wrote::Object(id) => {
                let of_object = self.objects.entry(id).or_default();
                *of_object = labels.union(*of_object, label);
            }
            Wrote::Life(id) => {
                let of_life = self.lives.entry(id).or_default();
                *of_life = labels.union(*of_life, label);
            }
            Wrote::World => self.world = labels.union(self.world, label),
        }
    }

    /// What a place is called in all runs. Objects that are gone have no name: nobody can read them.
    pub fn name(&self, (memory, heap): (&Memory, &Heap), effects: &mut Effects, what: Wrote) -> Option<Affected> {
        let mut home = |id: ObjectId| match (self.made_by.get(&id), heap.key_of(id)) {
            (Some(&by), _) => Home::Made(by),
            (None, Some(key)) => Home::Input(effects.object(key)),
            (None, None) => Home::Fixed(id),
        };
        Some(match what {
            Wrote::World => Affected::World,
            Wrote::Life(id) => Affected::Life(home(id)),
            Wrote::Object(id) => Affected::Object(home(is_live(memory, id).then_some(id)?)),
            Wrote::Bytes { addr, len } => {
                let id = object_of(addr);
                is_live(memory, id).then_some(())?;
                let offset = addr.wrapping_sub(memory.object(id).base()) as u32;
                match len <= MAX_EXACT {
                    true => Affected::Bytes { home: home(id), offset, len: len as u32 },
                    false => Affected::Object(home(id)),
                }
            }
        })
    }

    /// The places of this run that have a name.
    pub fn find(
        &self,
        (memory, heap): (&Memory, &Heap),
        effects: &Effects,
        place: Affected,
        mut visit: impl FnMut(Wrote),
    ) {
        let each = |home: Home, visit: &mut dyn FnMut(ObjectId)| match home {
            Home::Fixed(id) if id.0 < memory.n_objects() => visit(id),
            Home::Fixed(_) => {}
            Home::Input(object) => {
                let id = heap.find(effects.key(object)).map(|node| heap.object_id(node));
                id.filter(|id| id.0 < memory.n_objects()).into_iter().for_each(visit);
            }
            Home::Made(by) => self.made.get(&by).into_iter().flatten().for_each(|&id| visit(id)),
        };
        match place {
            Affected::Leap(_) => {}
            Affected::World => visit(Wrote::World),
            Affected::Life(home) => each(home, &mut |id| visit(Wrote::Life(id))),
            Affected::Object(home) => each(home, &mut |id| visit(Wrote::Object(id))),
            Affected::Bytes { home, offset, len } => each(home, &mut |id| {
                if is_live(memory, id) {
                    let addr = memory.object(id).base().wrapping_add(u64::from(offset));
                    visit(Wrote::Bytes { addr, len: u64::from(len) });
                }
            }),
        }
    }
}

fn is_live(memory: &Memory, id: ObjectId) -> bool {
    id.0 != 0 && id.0 < memory.n_objects() && memory.object(id).life() == Life::Live
}
