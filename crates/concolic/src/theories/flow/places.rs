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
    pages: Pages,
}

/// So many bytes of an object are kept together.
const PAGE: u32 = 64;

type Page = [Label; PAGE as usize];

/// What each byte of an object depends on.
#[derive(Debug, Default)]
struct Pages {
    /// The number of the first page that is there.
    first: u32,
    pages: Vec<Option<Box<Page>>>,
}

impl Pages {
    #[inline]
    fn page(&self, number: u32) -> Option<&Page> {
        self.pages.get(number.wrapping_sub(self.first) as usize)?.as_deref()
    }

    fn page_mut(&mut self, number: u32) -> &mut Page {
        if self.pages.is_empty() {
            self.first = number;
        }
        if number < self.first {
            // Those who write downwards go on doing so.
            let n_more = (self.first - number).max(self.pages.len() as u32).min(self.first);
            self.pages.splice(..0, (0..n_more).map(|_| None));
            self.first -= n_more;
        }
        let at = (number - self.first) as usize;
        if at >= self.pages.len() {
            self.pages.resize_with(at + 1, || None);
        }
        self.pages[at].get_or_insert_with(|| Box::new([Label::NONE; PAGE as usize]))
    }

    /// Calls back with the bytes of each page that there is.
    #[inline]
    fn visit(&self, offsets: Range<u32>, mut visit: impl FnMut(&[Label])) {
        let end = (self.first + self.pages.len() as u32).saturating_mul(PAGE);
        each_page(offsets.start.max(self.first * PAGE)..offsets.end.min(end), |number, bytes| {
            if let Some(page) = self.page(number) {
                visit(&page[bytes]);
            }
        });
    }

    fn byte(&self, offset: u32) -> Label {
        self.page(offset / PAGE).map_or(Label::NONE, |page| page[(offset % PAGE) as usize])
    }

    fn set(&mut self, offsets: Range<u32>, label: Label) {
        if !label.is_none() {
            return each_page(offsets, |number, bytes| self.page_mut(number)[bytes].fill(label));
        }
        let end = (self.first + self.pages.len() as u32).saturating_mul(PAGE);
        each_page(offsets.start.max(self.first * PAGE)..offsets.end.min(end), |number, bytes| {
            if let Some(page) = &mut self.pages[(number - self.first) as usize] {
                page[bytes].fill(Label::NONE);
            }
        });
    }
}

/// Calls back with the number of each page and those of its bytes that are meant.
#[inline]
fn each_page(offsets: Range<u32>, mut visit: impl FnMut(u32, Range<usize>)) {
    let mut at = offsets.start;
    while at < offsets.end {
        let (number, first) = (at / PAGE, at % PAGE);
        let n = (PAGE - first).min(offsets.end - at);
        visit(number, first as usize..(first + n) as usize);
        at += n;
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
        let mut all = object.some;
        object.pages.visit(offsets(addr, len), |bytes| all = labels.union_of(all, bytes));
        all
    }

    /// The objects that operations have made, and what they depend on.
    pub fn made(&self) -> impl Iterator<Item = ObjectId> {
        self.made_by.keys().copied()
    }

    /// Calls back with each object of which anything is known, what some of its bytes depend on, and each byte that depends on
    /// something, by the low half of its address.
    pub fn visit(&self, mut visit: impl FnMut(ObjectId, Label, &mut dyn Iterator<Item = (u32, Label)>)) {
        for (number, object) in (0..).zip(&self.objects) {
            let Some(object) = object else { continue };
            let pages = (object.pages.first..).zip(&object.pages.pages);
            let pages = pages.filter_map(|(number, page)| Some((number * PAGE, page.as_deref()?)));
            let bytes = pages.flat_map(|(first, page)| (first..).zip(page.iter().copied()));
            visit(ObjectId(number), object.some, &mut bytes.filter(|it| !it.1.is_none()));
        }
    }

    /// What some byte of an object depends on.
    pub fn label_of_object(&self, labels: &mut Labels, addr: u64) -> Label {
        let Some(object) = self.of(object_of(addr)) else { return Label::NONE };
        let pages = object.pages.pages.iter().flatten();
        pages.fold(object.some, |all, page| labels.union_of(all, &page[..]))
    }

    /// Bytes were given new values that depend on this.
    #[inline]
    pub fn set(&mut self, addr: u64, len: u64, label: Label) {
        let id = object_of(addr);
        if !(label.is_none() && self.of(id).is_none()) {
            self.of_mut(id).pages.set(offsets(addr, len), label);
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
        let moved = offsets(from, len).map(|offset| read.map_or(Label::NONE, |object| object.pages.byte(offset)));
        let moved: Vec<Label> = moved.map(|label| labels.union(label, more)).collect();
        let pages = &mut self.of_mut(object_of(to)).pages;
        offsets(to, len).zip(moved).for_each(|(offset, label)| pages.set(offset..offset + 1, label));
    }

    /// Something depends on this too.
    pub fn add(&mut self, labels: &mut Labels, what: Wrote, label: Label) {
        if label.is_none() {
            return;
        }
        match what {
            Wrote::Bytes { addr, len } if len <= MAX_EXACT => {
                let pages = &mut self.of_mut(object_of(addr)).pages;
                each_page(offsets(addr, len), |number, bytes| {
                    let page = pages.page_mut(number);
                    bytes.for_each(|at| page[at] = labels.union(page[at], label));
                });
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
