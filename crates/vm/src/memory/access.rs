//! Words: reads and writes of 1 to 8 bytes.

use super::object::Object;
use super::shadow::{NumberRun, ShadowByte};
use super::{Fault, Memory, ObjectId, object_of};
use crate::value::Carried;

/// Up to eight bytes as they lie in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word {
    pub val: u64,
    pub undef: u64,
    /// Per byte, the expression byte that it carries.
    pub exprs: [(Carried, u8); 8],
}

impl Word {
    pub fn plain(val: u64) -> Self {
        Self { val, undef: 0, exprs: [(Carried::NONE, 0); 8] }
    }

    pub fn is_plain(&self) -> bool {
        self.undef == 0 && !self.has_expr()
    }

    pub fn has_expr(&self) -> bool {
        self.exprs.iter().any(|(expr, _)| expr.is_some())
    }
}

/// The plain bits of `n` bytes.
const fn all_plain(n: usize) -> u16 {
    (1u16 << n).wrapping_sub(1)
}

impl Memory {
    /// Reads `N` bytes, if that needs no thought: in bounds, and all plain.
    #[inline(always)]
    pub fn load<const N: usize>(&self, addr: u64) -> Option<u64> {
        const { assert!(matches!(N, 1 | 2 | 4 | 8)) };
        let object = self.objects.get(object_of(addr).0 as usize)?;
        let offset = in_bounds::<N>(object, addr)?;
        // SAFETY: `offset + N` is at most the size of a live object, whose bytes and plain bits are allocated; the plain
        // bits have two bytes to spare, so the 16-bit read at the last one is inside.
        unsafe {
            let plain = object.bytes.plain().add(offset >> 3).cast::<u16>().read_unaligned() >> (offset & 7);
            if plain & all_plain(N) != all_plain(N) {
                return None;
            }
            let at = object.bytes.data().add(offset);
            Some(match N {
                1 => u64::from(at.read()),
                2 => u64::from(at.cast::<u16>().read_unaligned()),
                4 => u64::from(at.cast::<u32>().read_unaligned()),
                _ => at.cast::<u64>().read_unaligned(),
            })
        }
    }

    /// Writes `N` plain bytes, if that needs no thought. Says whether it did.
    #[inline(always)]
    pub fn store<const N: usize>(&mut self, addr: u64, val: u64) -> bool {
        const { assert!(matches!(N, 1 | 2 | 4 | 8)) };
        let epoch = self.epoch;
        let Some(object) = self.objects.get(object_of(addr).0 as usize) else { return false };
        let Some(offset) = in_bounds::<N>(object, addr) else { return false };
        if object.epoch != epoch {
            return false;
        }
        // SAFETY: as in `load`; and the bytes belong to this memory alone, of which we hold the only reference.
        unsafe {
            let plain = object.bytes.plain().add(offset >> 3).cast::<u16>();
            plain.write_unaligned(plain.read_unaligned() | all_plain(N) << (offset & 7));
            let at = object.bytes.data().add(offset);
            match N {
                1 => at.write(val as u8),
                2 => at.cast::<u16>().write_unaligned(val as u16),
                4 => at.cast::<u32>().write_unaligned(val as u32),
                _ => at.cast::<u64>().write_unaligned(val),
            }
        }
        true
    }

    /// Reads `n` bytes of any kind.
    pub fn load_word(&self, addr: u64, n: u32) -> Result<Word, Fault> {
        let (id, offset) = self.resolve(addr, u64::from(n))?;
        Ok(self.word_in(id, offset, n))
    }

    /// As `load_word`, but of an object of open size all bytes that it may have belong to it.
    pub fn load_word_open(&self, addr: u64, n: u32) -> Result<Word, Fault> {
        let (id, offset) = self.resolve_open(addr, u64::from(n))?;
        Ok(self.word_in(id, offset, n))
    }

    fn word_in(&self, id: ObjectId, offset: u64, n: u32) -> Word {
        let object = &self.objects[id.0 as usize];
        let range = offset as usize..offset as usize + n as usize;
        let mut bytes = [0; 8];
        bytes[..n as usize].copy_from_slice(&object.data()[range.clone()]);
        let mut word = Word::plain(u64::from_le_bytes(bytes));
        let plain = object.plain_bits();
        object.visit_shadow(range.clone(), |at, shadow| {
            if !plain.get(at) {
                let i = at - range.start;
                word.undef |= u64::from(shadow.undef) << (8 * i);
                word.exprs[i] = (shadow.expr, shadow.index);
            }
        });
        word
    }

    /// Writes `n` bytes of any kind.
    pub fn store_word(&mut self, addr: u64, n: u32, word: &Word) -> Result<(), Fault> {
        let (id, offset) = self.resolve_mut(addr, u64::from(n))?;
        for i in 0..n {
            let (expr, index) = word.exprs[i as usize];
            let undef = (word.undef >> (8 * i)) as u8;
            let shadow = (undef != 0 || expr.is_some()).then_some(ShadowByte { undef, index, expr });
            self.set_byte(id, offset + u64::from(i), (word.val >> (8 * i)) as u8, shadow);
        }
        self.clear_types(id, offset..offset + u64::from(n));
        Ok(())
    }

    /// One byte of a live object, and its shadow if it is not plain.
    pub fn byte(&self, id: ObjectId, offset: u64) -> (u8, Option<ShadowByte>) {
        let object = &self.objects[id.0 as usize];
        let byte = object.data()[offset as usize];
        if object.plain_bits().get(offset as usize) {
            return (byte, None);
        }
        (byte, Some(object.shadow_at(offset as usize)))
    }

    pub(super) fn set_byte(&mut self, id: ObjectId, offset: u64, byte: u8, shadow: Option<ShadowByte>) {
        let object = &mut self.objects[id.0 as usize];
        object.data_mut()[offset as usize] = byte;
        self.set_shadow(id, offset as usize, shadow);
    }

    pub(super) fn set_shadow(&mut self, id: ObjectId, at: usize, shadow: Option<ShadowByte>) {
        let object = &mut self.objects[id.0 as usize];
        let had_exprs = object.has_exprs();
        object.set_shadow(at, shadow);
        self.note_exprs(id, had_exprs);
    }

    /// Makes bytes carry numbers one after another.
    pub(super) fn set_run(&mut self, id: ObjectId, run: NumberRun) {
        let object = &mut self.objects[id.0 as usize];
        let had_exprs = object.has_exprs();
        object.set_run(run);
        self.note_exprs(id, had_exprs);
    }

    fn note_exprs(&mut self, id: ObjectId, had_exprs: bool) {
        let object = &self.objects[id.0 as usize];
        if !had_exprs && object.has_exprs() {
            self.symbolic.insert(id);
        }
    }
}

#[inline(always)]
fn in_bounds<const N: usize>(object: &Object, addr: u64) -> Option<usize> {
    let offset = addr.wrapping_sub(object.base);
    let end = offset.wrapping_add(N as u64);
    (end <= object.size && end > offset).then_some(offset as usize)
}
