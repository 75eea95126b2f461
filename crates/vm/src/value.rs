//! A register slot: a concrete word, and a tag that says whether there is more to know about it.

use rustc_hash::FxHashMap;

/// 64 bits of a value. The usual tag is zero; every operation tests for that first and does only the concrete work.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C)]
pub struct Slot {
    pub val: u64,
    pub tag: Tag,
}

/// What is known of a word beyond its concrete value: the expression that the machine attached, and which bits are
/// uninitialised. Zero: nothing, the word is plain. One integer, so that the test for that is one instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(transparent)]
pub struct Tag(u64);

/// What a machine attached to a word or byte. What the number means is the machine's business; zero is nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(transparent)]
pub struct Carried(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(transparent)]
pub struct UndefId(u32);

impl Carried {
    pub const NONE: Self = Self(0);

    pub fn is_some(self) -> bool {
        self != Self::NONE
    }
}

impl UndefId {
    pub const NONE: Self = Self(0);

    /// All bits of a word of that width.
    pub const fn all(width: u32) -> Self {
        Self(if width < 64 { width } else { 64 })
    }
}

impl Tag {
    pub const PLAIN: Self = Self(0);

    pub const fn new(expr: Carried, undef: UndefId) -> Self {
        Self(expr.0 as u64 | (undef.0 as u64) << 32)
    }

    pub const fn expr(self) -> Carried {
        Carried(self.0 as u32)
    }

    pub const fn undef(self) -> UndefId {
        UndefId((self.0 >> 32) as u32)
    }

    #[inline(always)]
    pub const fn is_plain(self) -> bool {
        self.0 == 0
    }

    /// Whether both are plain.
    #[inline(always)]
    pub const fn both_plain(self, other: Self) -> bool {
        self.0 | other.0 == 0
    }
}

impl Slot {
    /// A word of which no bit is initialised.
    pub const fn undef(width: u32) -> Self {
        Self { val: 0, tag: Tag::new(Carried::NONE, UndefId::all(width)) }
    }

    /// Reads a slot word by word. Slots are written that way, and one wide read of two fresh writes would make the
    /// processor wait for both to reach the cache.
    ///
    /// # Safety
    /// `slot` points to a slot that may be read.
    #[inline(always)]
    pub(crate) unsafe fn read_by_words(slot: *const Self) -> Self {
        // SAFETY: both words are inside the slot. They are volatile only so that they are not read as one.
        unsafe { Self { val: (&raw const (*slot).val).read_volatile(), tag: (&raw const (*slot).tag).read_volatile() } }
    }

    #[inline(always)]
    pub const fn plain(val: u64) -> Self {
        Self { val, tag: Tag::PLAIN }
    }
}

impl From<u64> for Slot {
    fn from(val: u64) -> Self {
        Self::plain(val)
    }
}

/// The masks of uninitialised bits that occur in a run. There are few distinct ones, so a tag holds a number.
#[derive(Debug)]
pub struct UndefMasks {
    masks: Vec<u64>,
    ids: FxHashMap<u64, UndefId>,
}

impl Default for UndefMasks {
    fn default() -> Self {
        // The first ones are those of whole words, so that `UndefId::all` needs no look-up.
        let masks: Vec<u64> = (0..=64).map(|width| if width == 0 { 0 } else { spelunk_bv::int::mask(width) }).collect();
        let ids = (0..).map(UndefId).zip(&masks).map(|(id, &mask)| (mask, id)).collect();
        Self { masks, ids }
    }
}

impl UndefMasks {
    pub fn mask(&self, id: UndefId) -> u64 {
        self.masks[id.0 as usize]
    }

    pub fn mk(&mut self, mask: u64) -> UndefId {
        *self.ids.entry(mask).or_insert_with(|| {
            self.masks.push(mask);
            UndefId(u32::try_from(self.masks.len() - 1).expect("fewer masks than instructions executed"))
        })
    }
}
