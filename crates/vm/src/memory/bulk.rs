//! Ranges: copies, fills and views, with everything that the bytes carry.

use super::shadow::{NumberRun, ShadowByte};
use super::{Fault, Memory, ObjectId};
use crate::value::Carried;
use std::ops::Range;

/// A range whose bytes were asked for as plain data, but the one at this index is not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotPlain {
    pub at: u64,
    pub byte: ShadowByte,
}

/// So many bytes are copied at a time: what they carry takes more room than they do.
const PIECE: usize = 1 << 16;

/// What the bytes of a range carry.
enum Shadows {
    Plain,
    Unwritten,
    Mixed(Vec<Option<ShadowByte>>),
}

impl Memory {
    /// The bytes themselves, whether plain or not.
    pub fn bytes(&self, addr: u64, len: u64) -> Result<&[u8], Fault> {
        let (id, offset) = self.resolve(addr, len)?;
        Ok(&self.objects[id.0 as usize].data()[offset as usize..(offset + len) as usize])
    }

    /// All bytes from `addr` to the end of its object.
    pub fn bytes_to_end(&self, addr: u64) -> Result<&[u8], Fault> {
        let (id, offset) = self.resolve(addr, 0)?;
        Ok(&self.objects[id.0 as usize].data()[offset as usize..])
    }

    /// The first byte of a valid range that is not plain.
    pub fn first_not_plain(&self, addr: u64, len: u64) -> Result<Option<NotPlain>, Fault> {
        let (id, offset) = self.resolve(addr, len)?;
        let object = &self.objects[id.0 as usize];
        let first = object.plain_bits().first_clear(offset as usize..(offset + len) as usize);
        Ok(first.map(|at| NotPlain { at: at as u64 - offset, byte: object.shadow_at(at) }))
    }

    /// Whether a byte of an object may carry an expression.
    pub fn may_carry_exprs(&self, id: ObjectId) -> bool {
        self.objects.get(id.0 as usize).is_some_and(|object| object.has_exprs())
    }

    /// Whether a byte from `addr` to the end of its object carries an expression.
    pub fn carries_exprs_from(&self, addr: u64) -> bool {
        let (Ok((id, offset)) | Err(Fault::Unsettled { object: id, offset, .. })) = self.resolve(addr, 0) else {
            return false;
        };
        let object = &self.objects[id.0 as usize];
        if !object.has_exprs() {
            return false;
        }
        let (mut at, end) = (offset as usize, object.full_size as usize);
        while let Some(found) = object.plain_bits().first_clear(at..end) {
            if object.shadow_at(found).expr.is_some() {
                return true;
            }
            at = found + 1;
        }
        false
    }

    /// Whether a byte from `addr` to the end of its object is not initialised.
    pub fn has_undefined_from(&self, addr: u64) -> bool {
        let Ok((id, offset)) = self.resolve(addr, 0) else { return false };
        let object = &self.objects[id.0 as usize];
        let (mut at, end) = (offset as usize, object.size as usize);
        while let Some(found) = object.plain_bits().first_clear(at..end) {
            if object.shadow_at(found).undef != 0 {
                return true;
            }
            at = found + 1;
        }
        false
    }

    /// Writes plain bytes.
    pub fn write(&mut self, addr: u64, bytes: &[u8]) -> Result<(), Fault> {
        let (id, offset) = self.resolve_mut(addr, bytes.len() as u64)?;
        let range = offset as usize..offset as usize + bytes.len();
        let object = &mut self.objects[id.0 as usize];
        object.data_mut()[range.clone()].copy_from_slice(bytes);
        object.plain_bits_mut().set_range(range, true);
        self.clear_types(id, offset..offset + bytes.len() as u64);
        Ok(())
    }

    /// Writes bytes with what they carry: `carried` gives the expression of a byte, by its index, and which of its bytes it is.
    pub fn write_carrying(
        &mut self,
        addr: u64,
        bytes: &[u8],
        carried: impl Fn(usize) -> (Carried, u8),
    ) -> Result<(), Fault> {
        self.write(addr, bytes)?;
        let (id, offset) = self.resolve_mut(addr, bytes.len() as u64)?;
        let shadows = (0..bytes.len()).map(|i| match carried(i) {
            (Carried::NONE, _) => None,
            (expr, index) => Some(ShadowByte { undef: 0, index, expr }),
        });
        self.put_shadows(id, offset as usize, shadows);
        Ok(())
    }

    /// The bytes of a range that carry numbers one after another, also where its size is open. Some may be plain by now.
    pub fn number_runs(&self, id: ObjectId, range: Range<u64>) -> Vec<NumberRun> {
        let shadow = self.objects[id.0 as usize].shadow.as_ref();
        shadow.map_or_else(Vec::new, |shadow| shadow.runs_in(range.start as u32..range.end as u32))
    }

    /// The first byte of a range that is not plain.
    pub fn not_plain_from(&self, id: ObjectId, range: Range<u64>) -> Option<u64> {
        let bits = self.objects[id.0 as usize].plain_bits();
        bits.first_clear(range.start as usize..range.end as usize).map(|at| at as u64)
    }

    /// The same with the first one behind it that is; the range's end if there is none.
    pub fn next_not_plain(&self, id: ObjectId, range: Range<u64>) -> Option<Range<u64>> {
        let start = self.not_plain_from(id, range.clone())?;
        let bits = self.objects[id.0 as usize].plain_bits();
        let end = bits.first_set(start as usize..range.end as usize).unwrap_or(range.end as usize);
        Some(start..end as u64)
    }

    /// One byte of a live object, and its shadow if it is not plain; also where its size is open.
    pub fn byte_of(&self, id: ObjectId, offset: u64) -> (u8, Option<ShadowByte>) {
        self.byte(id, offset)
    }

    /// Makes a range of a live object carry numbers one after another, also where its size is open. Their bytes are as they
    /// are now, but for those that are given, from `at` on.
    pub fn carry_numbers(
        &mut self,
        id: ObjectId,
        range: Range<u64>,
        first: Carried,
        undef: u8,
        (at, bytes): (u64, &[u8]),
    ) {
        self.own(id);
        self.clear_types(id, range.clone());
        if !bytes.is_empty() {
            let object = &mut self.objects[id.0 as usize];
            object.data_mut()[at as usize..at as usize + bytes.len()].copy_from_slice(bytes);
        }
        self.set_run(id, NumberRun { start: range.start as u32, end: range.end as u32, first, undef });
    }

    /// Writes `len` times the same plain byte.
    pub fn fill(&mut self, addr: u64, byte: u8, len: u64) -> Result<(), Fault> {
        let (id, offset) = self.resolve_mut(addr, len)?;
        let range = offset as usize..(offset + len) as usize;
        let object = &mut self.objects[id.0 as usize];
        object.data_mut()[range.clone()].fill(byte);
        object.plain_bits_mut().set_range(range, true);
        self.clear_types(id, offset..offset + len);
        Ok(())
    }

    /// Initialises an object before it becomes constant: `bytes`, then zeros.
    pub fn init_object(&mut self, id: ObjectId, bytes: &[u8]) {
        let object = &mut self.objects[id.0 as usize];
        debug_assert!(object.epoch == self.epoch, "an object is initialised when it is made");
        let size = object.full_size as usize;
        object.data_mut()[..bytes.len()].copy_from_slice(bytes);
        object.plain_bits_mut().set_range(0..size, true);
    }

    /// Copies a range with its shadow; the areas may overlap.
    pub fn copy(&mut self, dst: u64, src: u64, len: u64) -> Result<(), Fault> {
        let (from, from_offset) = self.resolve(src, len)?;
        let (to, to_offset) = self.resolve_mut(dst, len)?;
        if self.has_types(from) || self.has_types(to) {
            self.copy_types((from, from_offset..from_offset + len), (to, to_offset));
        }
        let (from_offset, to_offset, len) = (from_offset as usize, to_offset as usize, len as usize);
        let n_pieces = len.div_ceil(PIECE);
        for number in 0..n_pieces {
            // No piece is written to before it is read.
            let start = PIECE * if dst > src { n_pieces - 1 - number } else { number };
            let end = len.min(start + PIECE);
            let source = from_offset + start..from_offset + end;
            self.copy_piece((from, source), (to, to_offset + start));
        }
        Ok(())
    }

    fn copy_piece(&mut self, (from, source): (ObjectId, Range<usize>), (to, at): (ObjectId, usize)) {
        let shadows = self.shadows(from, source.clone());
        let target = at..at + source.len();
        if from == to {
            self.objects[to.0 as usize].data_mut().copy_within(source, at);
        } else {
            let [source_object, target_object] =
                self.objects.get_disjoint_mut([from.0 as usize, to.0 as usize]).expect("both exist, and they differ");
            target_object.data_mut()[target.clone()].copy_from_slice(&source_object.data()[source]);
        }
        self.set_shadows(to, target, shadows);
    }

    fn shadows(&self, id: ObjectId, range: Range<usize>) -> Shadows {
        let object = &self.objects[id.0 as usize];
        if object.plain_bits().first_clear(range.clone()).is_none() {
            return Shadows::Plain;
        }
        if object.is_unwritten(range.clone()) {
            return Shadows::Unwritten;
        }
        let plain = object.plain_bits().copy_range(range.clone());
        Shadows::Mixed(range.zip(plain).map(|(at, plain)| (!plain).then(|| object.shadow_at(at))).collect())
    }

    fn set_shadows(&mut self, id: ObjectId, range: Range<usize>, shadows: Shadows) {
        let object = &mut self.objects[id.0 as usize];
        match shadows {
            Shadows::Plain => object.plain_bits_mut().set_range(range, true),
            Shadows::Unwritten if object.shadow.is_none() => object.plain_bits_mut().set_range(range, false),
            Shadows::Unwritten => range.for_each(|at| self.set_shadow(id, at, Some(ShadowByte::UNWRITTEN))),
            Shadows::Mixed(shadows) => self.put_shadows(id, range.start, shadows.into_iter()),
        }
    }

    /// Bytes one after another. Those that carry numbers one after another are a run, if there are enough of them.
    fn put_shadows(&mut self, id: ObjectId, start: usize, shadows: impl Iterator<Item = Option<ShadowByte>>) {
        const FEW: u32 = 4;
        let mut waiting: Option<NumberRun> = None;
        for (at, shadow) in (start..).zip(shadows) {
            if let (Some(run), Some(ShadowByte { undef, index: 0, expr })) = (&mut waiting, shadow)
                && expr.0.wrapping_sub(run.first.0) == run.end - run.start
                && undef == run.undef
            {
                run.end += 1;
                continue;
            }
            self.put_run(id, waiting.take(), FEW);
            match shadow {
                Some(ShadowByte { undef, index: 0, expr }) if expr.is_some() => {
                    waiting = Some(NumberRun { start: at as u32, end: at as u32 + 1, first: expr, undef });
                }
                shadow => self.set_shadow(id, at, shadow),
            }
        }
        self.put_run(id, waiting, FEW);
    }

    fn put_run(&mut self, id: ObjectId, run: Option<NumberRun>, few: u32) {
        match run {
            Some(run) if run.end - run.start > few => self.set_run(id, run),
            Some(run) => (run.start..run.end).zip(run.numbers()).for_each(|(at, expr)| {
                self.set_shadow(id, at as usize, Some(ShadowByte { undef: run.undef, index: 0, expr }));
            }),
            None => {}
        }
    }
}
