//! Views of an object's bytes and plain bits as slices.

use super::object::{Life, Object};
use super::shadow::{NumberRun, ShadowByte};

impl Object {
    /// All bytes; empty if the object is dead.
    pub fn data(&self) -> &[u8] {
        match self.life {
            // SAFETY: a live object owns `full_size` initialised bytes.
            Life::Live => unsafe { std::slice::from_raw_parts(self.bytes.data(), self.full_size as usize) },
            Life::Dead => &[],
        }
    }

    /// The bytes of which bits are not initialised, in order, with those bits.
    pub fn undefined(&self) -> impl Iterator<Item = (usize, u8)> + '_ {
        let n_bytes = self.data().len();
        let next = move |after: usize| self.plain_bits().first_clear(after..n_bytes);
        let not_plain = std::iter::successors(next(0), move |&at| next(at + 1));
        not_plain.map(|at| (at, self.shadow_at(at).undef)).filter(|&(_, undef)| undef != 0)
    }

    pub(super) fn data_mut(&mut self) -> &mut [u8] {
        match self.life {
            // SAFETY: as in `data`, and `self` is borrowed mutably.
            Life::Live => unsafe { std::slice::from_raw_parts_mut(self.bytes.data(), self.full_size as usize) },
            Life::Dead => &mut [],
        }
    }

    pub(super) fn plain_bits(&self) -> PlainBits<'_> {
        match self.life {
            // SAFETY: a live object owns a plain bit for each byte.
            Life::Live => PlainBits(unsafe {
                std::slice::from_raw_parts(self.bytes.plain(), (self.full_size as usize).div_ceil(8))
            }),
            Life::Dead => PlainBits(&[]),
        }
    }

    pub(super) fn plain_bits_mut(&mut self) -> PlainBitsMut<'_> {
        match self.life {
            // SAFETY: as in `plain_bits`, and `self` is borrowed mutably.
            Life::Live => PlainBitsMut(unsafe {
                std::slice::from_raw_parts_mut(self.bytes.plain(), (self.full_size as usize).div_ceil(8))
            }),
            Life::Dead => PlainBitsMut(&mut []),
        }
    }

    /// What is known of a byte: nothing if it is plain.
    pub(super) fn set_shadow(&mut self, at: usize, shadow: Option<ShadowByte>) {
        self.plain_bits_mut().set(at, shadow.is_none());
        if let Some(shadow) = shadow
            && (shadow != ShadowByte::UNWRITTEN || self.shadow.is_some())
        {
            self.shadow.get_or_insert_default().set(at as u32, shadow);
        }
    }

    /// Makes bytes carry numbers one after another.
    pub(super) fn set_run(&mut self, run: NumberRun) {
        self.plain_bits_mut().set_range(run.start as usize..run.end as usize, false);
        self.shadow.get_or_insert_default().set_run(run);
    }

    /// Whether nobody ever wrote to a range, and nothing else is remembered of the object either.
    pub(super) fn is_unwritten(&self, range: std::ops::Range<usize>) -> bool {
        self.shadow.is_none() && self.plain_bits().is_clear(range)
    }

    pub(super) fn has_exprs(&self) -> bool {
        self.shadow.as_ref().is_some_and(|shadow| shadow.has_exprs())
    }

    pub(super) fn shadow_at(&self, at: usize) -> ShadowByte {
        self.shadow.as_ref().map_or(ShadowByte::UNWRITTEN, |shadow| shadow.get(at as u32))
    }

    /// Shows the same for each byte of a range. Of those that are plain, it means nothing.
    pub(super) fn visit_shadow(&self, range: std::ops::Range<usize>, mut visit: impl FnMut(usize, ShadowByte)) {
        match &self.shadow {
            Some(shadow) => {
                shadow.visit(range.start as u32..range.end as u32, |at, byte| visit(at as usize, byte));
            }
            None => range.for_each(|at| visit(at, ShadowByte::UNWRITTEN)),
        }
    }
}

pub(super) struct PlainBits<'a>(&'a [u8]);

impl<'a> PlainBits<'a> {
    /// Eight bits each.
    pub fn bytes(&self) -> &'a [u8] {
        self.0
    }

    pub fn get(&self, at: usize) -> bool {
        self.0[at / 8] >> (at % 8) & 1 != 0
    }

    /// The first position in the range that is not plain.
    pub fn first_clear(&self, range: std::ops::Range<usize>) -> Option<usize> {
        let mut at = range.start;
        while at < range.end {
            if at.is_multiple_of(8) && self.0[at / 8] == 0xff {
                at += 8;
            } else if self.get(at) {
                at += 1;
            } else {
                return Some(at);
            }
        }
        None
    }

    /// The first position in the range that is plain.
    pub fn first_set(&self, range: std::ops::Range<usize>) -> Option<usize> {
        let mut at = range.start;
        while at < range.end {
            if at.is_multiple_of(8) && self.0[at / 8] == 0 {
                at += 8;
            } else if self.get(at) {
                return Some(at);
            } else {
                at += 1;
            }
        }
        None
    }

    /// Whether no position in the range is plain.
    pub fn is_clear(&self, range: std::ops::Range<usize>) -> bool {
        let (first, last) = (range.start.next_multiple_of(8).min(range.end), range.end / 8 * 8);
        let whole = first / 8..(last / 8).max(first / 8);
        let edges = (range.start..first).chain(last.max(first)..range.end);
        edges.into_iter().all(|at| !self.get(at)) && self.0[whole].iter().all(|&bits| bits == 0)
    }

    pub fn copy_range(&self, range: std::ops::Range<usize>) -> Vec<bool> {
        range.map(|at| self.get(at)).collect()
    }
}

pub(super) struct PlainBitsMut<'a>(&'a mut [u8]);

impl<'a> PlainBitsMut<'a> {
    pub fn bytes_mut(self) -> &'a mut [u8] {
        self.0
    }

    pub fn set(&mut self, at: usize, plain: bool) {
        let bit = 1 << (at % 8);
        if plain {
            self.0[at / 8] |= bit;
        } else {
            self.0[at / 8] &= !bit;
        }
    }

    pub fn set_range(&mut self, range: std::ops::Range<usize>, plain: bool) {
        let mut at = range.start;
        while at < range.end {
            if at.is_multiple_of(8) && at + 8 <= range.end {
                let whole = (range.end - at) / 8;
                self.0[at / 8..at / 8 + whole].fill(if plain { 0xff } else { 0 });
                at += whole * 8;
            } else {
                self.set(at, plain);
                at += 1;
            }
        }
    }
}
