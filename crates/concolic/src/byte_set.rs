//! Sets of byte values.

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct ByteSet([u64; 4]);

impl ByteSet {
    pub const ALL: Self = Self([u64::MAX; 4]);

    pub fn contains(&self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] >> (byte & 63) & 1 != 0
    }

    pub fn with(mut self, byte: u8) -> Self {
        self.0[usize::from(byte >> 6)] |= 1 << (byte & 63);
        self
    }

    pub fn and(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(mine, other)| *mine &= other);
        self
    }

    pub fn without(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(mine, other)| *mine &= !other);
        self
    }

    pub fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }

    pub fn iter(&self) -> impl Iterator<Item = u8> + '_ {
        (0..=u8::MAX).filter(|&byte| self.contains(byte))
    }
}

impl FromIterator<u8> for ByteSet {
    fn from_iter<I: IntoIterator<Item = u8>>(bytes: I) -> Self {
        bytes.into_iter().fold(Self::default(), Self::with)
    }
}
