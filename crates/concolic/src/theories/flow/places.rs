//! What bytes of memory depend on beyond their expressions, which of them were written lately, and how places are named across runs.

use super::knowledge::Effects;
use super::labels::{Label, Labels};
use crate::graph::heap::Heap;
use rustc_hash::FxHashMap;
use spelunk_ir::code::OpIdx;
use spelunk_ir::model::FuncId;
use spelunk_vm::memory::{Life, Memory, ObjectId, object_of};
use std::ops::Range;

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
    /// By number: what is known of an object, if anything is.
    objects: Vec<Option<Box<ObjectLabels>>>,
    world: Label,
    made_by: FxHashMap<ObjectId, OpIdx>,
    made: FxHashMap<OpIdx, Vec<ObjectId>>,
}

/// What an object depends on.
#[derive(Debug, Default)]
struct ObjectLabels {
    /// Some of its bytes, it is not known which.
    some: Label,
    life: Label,
    bytes: FxHashMap<u32, Box<[Label; PAGE]>>,
}

/// So many bytes of an object are kept together.
const PAGE: usize = 64;

impl ObjectLabels {
    fn byte(&self, offset: u32) -> Label {
        self.bytes.get(&(offset / PAGE as u32)).map_or(Label::NONE, |page| page[offset as usize % PAGE])
    }

    fn set(&mut self, offsets: Range<u32>, label: Label) {
        if label.is_none() && offsets.len() > PAGE * self.bytes.len() {
            for (number, page) in &mut self.bytes {
                let first = number * PAGE as u32;
                let is_meant = |at: &(u32, &mut Label)| offsets.contains(&(first + at.0));
                (0..).zip(page.iter_mut()).filter(is_meant).for_each(|(_, of_byte)| *of_byte = label);
            }
        } else {
            offsets.for_each(|offset| self.set_byte(offset, label));
        }
    }

    fn set_byte(&mut self, offset: u32, label: Label) {
        let number = offset / PAGE as u32;
        let page = match label.is_none() {
            true => self.bytes.get_mut(&number),
            false => Some(self.bytes.entry(number).or_insert_with(|| Box::new([Label::NONE; PAGE]))),
        };
        if let Some(page) = page {
            page[offset as usize % PAGE] = label;
        }
    }
}

/// The bytes of an object that are meant, as offsets from where its addresses begin.
fn offsets(addr: u64, len: u64) -> Range<u32> {
    let first = addr as u32;
    first..first.saturating_add(u32::try_from(len).unwrap_or(u32::MAX))
}

impl Places {
    /// An operation has made objects.
    pub fn add_objects(&mut self, from: u32, to: u32, by: OpIdx) {
        for id in (from..to).map(ObjectId) {
            self.made_by.insert(id, by);
            self.made.entry(by).or_default().push(id);
        }
    }

    /// Whether nothing is known of any object.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    #[inline]
    fn of(&self, id: ObjectId) -> Option<&ObjectLabels> {
        self.objects.get(id.0 as usize)?.as_deref()
    }

    fn of_mut(&mut self, id: ObjectId) -> &mut ObjectLabels {
        let number = id.0 as usize;
        if number >= self.objects.len() {
            self.objects.resize_with(number + 1, || None);
        }
        self.objects[number].get_or_insert_default()
    }

    pub fn world(&self) -> Label {
        self.world
    }

    #[inline]
    pub fn life(&self, addr: u64) -> Label {
        self.of(object_of(addr)).map_or(Label::NONE, |object| object.life)
    }

    /// What some bytes depend on.
    #[inline]
    pub fn label_of(&self, labels: &mut Labels, addr: u64, len: u64) -> Label {
        let Some(object) = self.of(object_of(addr)) else { return Label::NONE };
        offsets(addr, len).fold(object.some, |all, offset| labels.union(all, object.byte(offset)))
    }

    /// What some byte of an object depends on.
    pub fn label_of_object(&self, labels: &mut Labels, addr: u64) -> Label {
        let Some(object) = self.of(object_of(addr)) else { return Label::NONE };
        let bytes = object.bytes.values().flat_map(|page| page.iter());
        bytes.fold(object.some, |all, &of_byte| labels.union(all, of_byte))
    }

    /// Bytes were given new values that depend on this.
    #[inline]
    pub fn set(&mut self, addr: u64, len: u64, label: Label) {
        let id = object_of(addr);
        if !(label.is_none() && self.of(id).is_none()) {
            self.of_mut(id).set(offsets(addr, len), label);
        }
    }

    /// Moves what bytes depend on with them, and adds to it.
    pub fn copy(&mut self, labels: &mut Labels, to: u64, from: u64, len: u64, more: Label) {
        let read = self.of(object_of(from));
        if read.is_none() && more.is_none() {
            return self.set(to, len, Label::NONE);
        }
        let more = labels.union(more, read.map_or(Label::NONE, |object| object.some));
        if len > MAX_EXACT {
            let all = self.label_of(labels, from, len);
            let all = labels.union(more, all);
            return self.add(labels, Wrote::Object(object_of(to)), all);
        }
        let moved = offsets(from, len).map(|offset| read.map_or(Label::NONE, |object| object.byte(offset)));
        let moved: Vec<Label> = moved.map(|label| labels.union(label, more)).collect();
        let written = self.of_mut(object_of(to));
        offsets(to, len).zip(moved).for_each(|(offset, label)| written.set_byte(offset, label));
    }

    /// Something depends on this too.
    pub fn add(&mut self, labels: &mut Labels, what: Wrote, label: Label) {
        if label.is_none() {
            return;
        }
        match what {
            Wrote::Bytes { addr, len } if len <= MAX_EXACT => {
                let object = self.of_mut(object_of(addr));
                for offset in offsets(addr, len) {
                    let all = labels.union(object.byte(offset), label);
                    object.set_byte(offset, all);
                }
            }
            Wrote::Bytes { addr, .. } => self.add(labels, Wrote::Object(object_of(addr)), label),
            Wrote::Object(id) => {
                let object = self.of_mut(id);
                object.some = labels.union(object.some, label);
            }
            Wrote::Life(id) => {
                let object = self.of_mut(id);
                object.life = labels.union(object.life, label);
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
