//! What is known about a value without a model: bits that never change, and the range it lies in, read either way.
//!
//! Facts are an over-approximation: every value that an expression can take satisfies them. They are made when a node
//! is added (in `transfer`), from the facts of its operands, for bit-vectors of at most 64 bits; about wider ones nothing
//! is known. Most nodes have no facts or the same as many others, so a node holds the number of its facts in a table
//! where equal facts are stored once.

mod transfer;

use spelunk_bv::int;

use crate::id_table::{IdTable, Key};
use crate::node::hash_words;

/// What is known about a value of `width` bits. Never contradictory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts {
    pub width: u32,
    /// Bits that are zero.
    pub zeros: u64,
    /// Bits that are one.
    pub ones: u64,
    pub umin: u64,
    pub umax: u64,
    pub smin: i64,
    pub smax: i64,
}

impl Facts {
    pub fn unknown(width: u32) -> Self {
        let (mask, sign) = (int::mask(width), int::sign_bit(width));
        let (smin, smax) = (int::sext(width, sign), (mask ^ sign) as i64);
        Facts { width, zeros: 0, ones: 0, umin: 0, umax: mask, smin, smax }
    }

    pub fn constant(width: u32, value: u64) -> Self {
        let (mask, signed) = (int::mask(width), int::sext(width, value));
        Facts { width, zeros: !value & mask, ones: value, umin: value, umax: value, smin: signed, smax: signed }
    }

    fn from_bits(width: u32, zeros: u64, ones: u64) -> Self {
        Facts { zeros: zeros & int::mask(width), ones: ones & int::mask(width), ..Facts::unknown(width) }.refined()
    }

    pub fn is_unknown(&self) -> bool {
        *self == Facts::unknown(self.width)
    }

    /// The value, if only one is possible.
    pub fn as_constant(&self) -> Option<u64> {
        (self.umin == self.umax).then_some(self.umin)
    }

    pub fn is_non_negative(&self) -> bool {
        self.smin >= 0
    }

    pub fn is_negative(&self) -> bool {
        self.smax < 0
    }

    /// Whether a value satisfies the facts.
    pub fn admits(&self, value: u64) -> bool {
        let signed = int::sext(self.width, value);
        value & self.zeros == 0
            && !value & self.ones == 0
            && (self.umin..=self.umax).contains(&value)
            && (self.smin..=self.smax).contains(&signed)
    }

    /// Whether no value satisfies both.
    pub fn is_disjoint(&self, other: &Facts) -> bool {
        self.zeros & other.ones != 0
            || self.ones & other.zeros != 0
            || self.umax < other.umin
            || other.umax < self.umin
            || self.smax < other.smin
            || other.smax < self.smin
    }

    /// What holds if one of the two holds.
    fn join(&self, other: &Facts) -> Self {
        Facts {
            width: self.width,
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
            umin: self.umin.min(other.umin),
            umax: self.umax.max(other.umax),
            smin: self.smin.min(other.smin),
            smax: self.smax.max(other.smax),
        }
    }

    /// Carries what each part says over to the others.
    pub fn refined(mut self) -> Self {
        let (mask, sign) = (int::mask(self.width), int::sign_bit(self.width));
        if (self.smin < 0) == (self.smax < 0) {
            self.umin = self.umin.max(int::trunc(self.width, self.smin as u64));
            self.umax = self.umax.min(int::trunc(self.width, self.smax as u64));
        }
        let differing = self.umin ^ self.umax;
        let common_prefix = if differing == 0 { mask } else { mask & !(u64::MAX >> differing.leading_zeros()) };
        self.zeros |= !self.umin & common_prefix;
        self.ones |= self.umin & common_prefix;
        let greatest = mask & !self.zeros;
        self.umin = self.umin.max(self.ones);
        self.umax = self.umax.min(greatest);
        let sign_if_free = sign & !self.zeros;
        self.smin = self.smin.max(int::sext(self.width, self.ones | sign_if_free));
        self.smax = self.smax.min(int::sext(self.width, greatest & (!sign | self.ones)));
        if (self.umin ^ self.umax) & sign == 0 {
            self.smin = self.smin.max(int::sext(self.width, self.umin));
            self.smax = self.smax.min(int::sext(self.width, self.umax));
        }
        self
    }

    fn key(&self) -> Key {
        let hash =
            hash_words(self.width, &[self.zeros, self.ones, self.umin, self.umax, self.smin as u64, self.smax as u64]);
        Key::of_hash(hash)
    }
}

/// Facts in a [`FactsTable`]. Zero: nothing is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub(crate) struct FactsId(u32);

impl FactsId {
    pub const NOTHING: FactsId = FactsId(0);

    #[inline(always)]
    pub fn is_nothing(self) -> bool {
        self == Self::NOTHING
    }
}

#[derive(Default)]
pub(crate) struct FactsTable {
    entries: Vec<Facts>,
    unique: IdTable,
}

impl FactsTable {
    /// Knowing nothing is always right, so the table may be full.
    const MAX_ENTRIES: usize = 1 << 18;

    pub fn get(&self, id: FactsId, width: u32) -> Facts {
        match id {
            FactsId::NOTHING => Facts::unknown(width),
            FactsId(id) => self.entries[id as usize - 1],
        }
    }

    pub fn intern(&mut self, facts: Facts) -> FactsId {
        if facts.is_unknown() {
            return FactsId::NOTHING;
        }
        let key = facts.key();
        if let Some(id) = self.unique.find(key, |id| self.entries[id as usize - 1] == facts) {
            return FactsId(id);
        }
        if self.entries.len() == Self::MAX_ENTRIES {
            return FactsId::NOTHING;
        }
        self.entries.push(facts);
        let id = self.entries.len() as u32;
        if self.unique.is_full() {
            self.unique.grow(|id| self.entries[id as usize - 1].key());
        }
        self.unique.insert(key, id);
        FactsId(id)
    }

    pub fn n_bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Facts>() + self.unique.n_bytes()
    }
}
