//! What the bytes of objects were stored as, for the check of effective types.
//!
//! The tags of an object are an object themselves, of a kind that the program can't reach ([`ObjectKind::Record`]): two bytes for each
//! byte, kept by versions like all others. An object gets one when it is first needed; without the check none has any, and all that
//! is left of it is a field that writes of ranges look at.

use super::object::{Life, ObjectId, ObjectKind};
use super::{Memory, object_of};
use crate::trace::TraceId;
use spelunk_ir::code::TypeTag;
use std::ops::Range;

impl Memory {
    /// Whether an object has tags.
    pub fn has_types(&self, id: ObjectId) -> bool {
        self.tags_of(id).is_some()
    }

    /// Says what the bytes of an object are, from its start on.
    pub fn set_types(&mut self, id: ObjectId, types: &[TypeTag]) {
        let n_bytes = types.len().min(self.objects[id.0 as usize].full_size as usize);
        if let Some(tags) = self.own_tags(id) {
            self.put_tags(tags, 0, &types[..n_bytes]);
        }
    }

    /// The tag that keeps a scalar of a type from being read from an object, if there is one.
    pub fn check_types(&self, id: ObjectId, range: Range<u64>, number: u16) -> Option<TypeTag> {
        let tags = self.tags_of(id)?;
        let wanted = |at: u64| TypeTag::of(number, (at - range.start) as usize);
        range.clone().map(|at| (at, self.tag(tags, at))).find(|&(at, tag)| !tag.allows(wanted(at))).map(|(_, tag)| tag)
    }

    /// A scalar of a type was written to an object. The declared type that forbids it, if one does.
    pub fn write_types(&mut self, id: ObjectId, range: Range<u64>, number: u16) -> Option<TypeTag> {
        if number == 0 {
            self.clear_types(id, range);
            return None;
        }
        let tags = self.own_tags(id)?;
        let wanted = |at: u64| TypeTag::of(number, (at - range.start) as usize);
        let forbids = |&(at, tag): &(u64, TypeTag)| tag.is_declared() && !tag.allows(wanted(at));
        if let Some((_, tag)) = range.clone().map(|at| (at, self.tag(tags, at))).find(forbids) {
            return Some(tag);
        }
        if range.clone().all(|at| self.tag(tags, at).is_declared() || self.tag(tags, at) == wanted(at)) {
            return None;
        }
        self.clear_types(id, range.clone());
        let new: Vec<TypeTag> = range
            .clone()
            .map(|at| Some(self.tag(tags, at)).filter(|tag| tag.is_declared()).unwrap_or_else(|| wanted(at)))
            .collect();
        self.put_tags(tags, range.start, &new);
        None
    }

    /// Bytes were written of which nobody says what they are. What is left of scalars around them is nothing either.
    pub(super) fn clear_types(&mut self, id: ObjectId, range: Range<u64>) {
        let Some(tags) = self.tags_of(id).filter(|_| !range.is_empty()) else { return };
        let size = u64::from(self.objects[id.0 as usize].full_size);
        let (mut start, mut end) = (range.start, range.end.min(size));
        while start > 0 && self.tag(tags, start).goes_on() {
            start -= 1;
        }
        while end < size && self.tag(tags, end).goes_on() {
            end += 1;
        }
        let old: Vec<TypeTag> = (start..end).map(|at| self.tag(tags, at)).collect();
        let new: Vec<TypeTag> = old.iter().map(|tag| if tag.is_declared() { *tag } else { TypeTag::NONE }).collect();
        if new != old {
            self.put_tags(tags, start, &new);
        }
    }

    /// What the bytes of a range were stored as goes where they are copied to.
    pub(super) fn copy_types(&mut self, (from, source): (ObjectId, Range<u64>), (to, target): (ObjectId, u64)) {
        let len = source.end - source.start;
        // A variable gets the types of its declaration when it is first accessed, and keeps those.
        if !self.has_types(to) && self.objects[to.0 as usize].kind != ObjectKind::Heap {
            return;
        }
        let Some(copied) = self.copied_types(from, source) else { return self.clear_types(to, target..target + len) };
        let Some(tags) = self.own_tags(to) else { return };
        self.clear_types(to, target..target + len);
        let new: Vec<TypeTag> = (target..)
            .zip(copied)
            .map(|(at, copied)| Some(self.tag(tags, at)).filter(|tag| tag.is_declared()).unwrap_or(copied))
            .collect();
        self.put_tags(tags, target, &new);
    }

    /// The tags of a range without scalars that are only partly in it; nothing if there are none.
    fn copied_types(&self, id: ObjectId, range: Range<u64>) -> Option<Vec<TypeTag>> {
        let tags = self.tags_of(id).filter(|_| !range.is_empty())?;
        let mut copied: Vec<TypeTag> = range.clone().map(|at| self.tag(tags, at).copied()).collect();
        copied.iter_mut().take_while(|tag| tag.goes_on()).for_each(|tag| *tag = TypeTag::NONE);
        let is_cut =
            range.end < u64::from(self.objects[id.0 as usize].full_size) && self.tag(tags, range.end).goes_on();
        if is_cut && let Some(first) = copied.iter().rposition(|tag| tag.is_first()) {
            copied[first..].fill(TypeTag::NONE);
        }
        copied.iter().any(|&tag| tag != TypeTag::NONE).then_some(copied)
    }

    fn tags_of(&self, id: ObjectId) -> Option<ObjectId> {
        let object = &self.objects[id.0 as usize];
        (object.life == Life::Live && object.link != ObjectId(0)).then_some(object.link)
    }

    /// The tags of an object, which gets some if it has none. Constants have none, as they don't change.
    fn own_tags(&mut self, id: ObjectId) -> Option<ObjectId> {
        let object = &self.objects[id.0 as usize];
        if let Some(tags) = self.tags_of(id) {
            return Some(tags);
        }
        if matches!(object.kind, ObjectKind::Constant | ObjectKind::Function | ObjectKind::Record) {
            return None;
        }
        let size = 2 * u64::from(object.full_size);
        let tags = object_of(self.alloc(ObjectKind::Record, size, 8, TraceId::EMPTY).ok()?);
        self.init_object(tags, &[]);
        self.own(id).link = tags;
        Some(tags)
    }

    fn tag(&self, tags: ObjectId, at: u64) -> TypeTag {
        let bytes = self.objects[tags.0 as usize].data();
        let at = 2 * at as usize;
        TypeTag(u16::from_le_bytes([bytes[at], bytes[at + 1]]))
    }

    fn put_tags(&mut self, tags: ObjectId, at: u64, types: &[TypeTag]) {
        let bytes: Vec<u8> = types.iter().flat_map(|tag| tag.0.to_le_bytes()).collect();
        let addr = self.objects[tags.0 as usize].base + 2 * at;
        self.write(addr, &bytes).expect("tags live as long as their object");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: u16 = 1;
    const FLOAT: u16 = 2;

    fn block(memory: &mut Memory) -> (ObjectId, u64) {
        let addr = memory.alloc(ObjectKind::Heap, 32, 16, TraceId::EMPTY).expect("there is room");
        (object_of(addr), addr)
    }

    fn allowed(memory: &Memory, id: ObjectId, at: u64, number: u16) -> bool {
        memory.check_types(id, at..at + 4, number).is_none()
    }

    #[test]
    fn stores_say_what_reads_find() {
        let mut memory = Memory::new(1 << 20);
        let (id, addr) = block(&mut memory);
        assert!(allowed(&memory, id, 0, INT), "nothing was stored");
        assert_eq!(memory.write_types(id, 0..4, INT), None);
        assert!(allowed(&memory, id, 0, INT) && !allowed(&memory, id, 0, FLOAT));
        assert!(!allowed(&memory, id, 2, INT), "half of it");
        assert_eq!(memory.write_types(id, 2..6, FLOAT), None, "memory without a declaration takes any type");
        assert!(allowed(&memory, id, 0, FLOAT) || !allowed(&memory, id, 2, INT));
        memory.fill(addr, 0, 8).expect("inside");
        assert!(allowed(&memory, id, 0, INT) && allowed(&memory, id, 2, INT));
    }

    #[test]
    fn copies_take_whole_scalars_along() {
        let mut memory = Memory::new(1 << 20);
        let (one, from) = block(&mut memory);
        let (other, to) = block(&mut memory);
        memory.write_types(one, 0..4, INT);
        memory.write_types(one, 4..8, FLOAT);
        memory.fill(from + 8, 0, 8).and_then(|()| memory.fill(to, 0, 32)).expect("inside");
        memory.copy(to, from, 6).expect("inside");
        assert!(!allowed(&memory, other, 0, FLOAT));
        assert!(allowed(&memory, other, 4, INT), "half a float is none");
    }

    #[test]
    fn declarations_stay() {
        let mut memory = Memory::new(1 << 20);
        let (id, addr) = block(&mut memory);
        let declared: Vec<TypeTag> = (0..4).map(|at| TypeTag::of(INT, at).declared()).collect();
        memory.set_types(id, &declared);
        assert!(memory.write_types(id, 0..4, FLOAT).is_some());
        memory.fill(addr, 0, 4).expect("inside");
        assert!(!allowed(&memory, id, 0, FLOAT) && allowed(&memory, id, 0, INT));
    }

    #[test]
    fn versions_keep_them() {
        let mut memory = Memory::new(1 << 20);
        let (id, _) = block(&mut memory);
        let before = memory.snapshot();
        memory.write_types(id, 0..4, INT);
        let after = memory.snapshot();
        memory.write_types(id, 0..4, FLOAT);
        memory.restore(&before);
        assert!(allowed(&memory, id, 0, FLOAT) && allowed(&memory, id, 0, INT));
        memory.restore(&after);
        assert!(!allowed(&memory, id, 0, FLOAT) && allowed(&memory, id, 0, INT));
    }

    #[test]
    fn tags_end_with_their_object() {
        let mut memory = Memory::new(1 << 20);
        let (id, addr) = block(&mut memory);
        let used = memory.used();
        memory.write_types(id, 0..4, INT);
        memory.free_heap(addr, TraceId::EMPTY).expect("it lives");
        assert!(memory.used() < used);
        assert!(!memory.has_types(id));
    }

    /// What a byte is part of: a scalar by its own number, its type, its size, and which of its bytes it is.
    type Naive = Option<(u64, u16, u64, u64)>;

    fn size_of(number: u16) -> u64 {
        1 << number
    }

    /// Leaves nothing of scalars that are not there as a whole.
    fn drop_cut(bytes: &mut [Naive]) {
        for at in 0..bytes.len() {
            let Some((scalar, _, size, _)) = bytes[at] else { continue };
            if bytes.iter().flatten().filter(|it| it.0 == scalar).count() as u64 != size {
                bytes[at] = None;
            }
        }
    }

    #[test]
    fn tags_are_those_of_a_model_byte_by_byte() {
        let mut memory = Memory::new(1 << 20);
        let (id, addr) = block(&mut memory);
        memory.fill(addr, 0, 32).expect("inside");
        let mut model: Vec<Naive> = vec![None; 32];
        let mut state = 1u64;
        let mut below = move |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        for step in 0..if cfg!(miri) { 200 } else { 2000u64 } {
            let (at, other) = (below(24), below(24));
            match below(4) {
                0 => {
                    let len = below(8) + 1;
                    memory.fill(addr + at, 0, len).expect("inside");
                    model[at as usize..(at + len) as usize].fill(None);
                }
                1 => {
                    let len = below(8) + 1;
                    memory.copy(addr + at, addr + other, len).expect("inside");
                    let mut copied = model[other as usize..(other + len) as usize].to_vec();
                    drop_cut(&mut copied);
                    // A copy is another scalar, by where it begins.
                    for (place, byte) in (0..).zip(&mut copied) {
                        *byte = byte.map(|(_, of, size, i)| (1 << 40 | step << 8 | (place - i), of, size, i));
                    }
                    model[at as usize..(at + len) as usize].copy_from_slice(&copied);
                }
                _ => {
                    let number = 1 + below(3) as u16;
                    let size = size_of(number);
                    assert_eq!(memory.write_types(id, at..at + size, number), None);
                    (0..size).for_each(|i| model[(at + i) as usize] = Some((step, number, size, i)));
                }
            }
            drop_cut(&mut model);
            for (number, at) in (1..=3).flat_map(|number| (0..24).map(move |at| (number, at))) {
                let size = size_of(number);
                let fits = |i: u64| {
                    model[(at + i) as usize].is_none_or(|(_, of, _, byte)| of == number && (byte == 0) == (i == 0))
                };
                let expected = (0..size).all(fits);
                assert_eq!(
                    memory.check_types(id, at..at + size, number).is_none(),
                    expected,
                    "step {step}: {size} at {at}"
                );
            }
        }
    }
}
