//! A concrete bit-vector of any width, as evaluation yields and models hold it.

use std::fmt;

use smallvec::SmallVec;
use spelunk_bv::wide;

/// Little-endian limbs; bits beyond the width are zero.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Value {
    width: u32,
    limbs: SmallVec<[u64; 2]>,
}

impl Value {
    /// The low bits of a number.
    pub fn new(width: u32, value: u64) -> Self {
        Value::from_limbs(width, &[value])
    }

    /// The low bits of a number whose missing limbs are zero.
    pub fn from_limbs(width: u32, limbs: &[u64]) -> Self {
        let n_limbs = wide::n_limbs(width);
        let mut kept: SmallVec<[u64; 2]> = limbs.iter().copied().take(n_limbs).collect();
        kept.resize(n_limbs, 0);
        if !width.is_multiple_of(64) {
            kept[n_limbs - 1] &= (1 << (width % 64)) - 1;
        }
        Value { width, limbs: kept }
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    pub fn limbs(&self) -> &[u64] {
        &self.limbs
    }

    /// The number, if the width is at most 64 bits.
    pub fn as_u64(&self) -> Option<u64> {
        match self.limbs[..] {
            [only] => Some(only),
            _ => None,
        }
    }
}

/// The limbs as a number, low ones only.
pub(crate) fn low_u128(limbs: &[u64]) -> u128 {
    limbs[0] as u128 | (limbs.get(1).copied().unwrap_or(0) as u128) << 64
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x")?;
        for (i, limb) in self.limbs.iter().rev().enumerate() {
            if i == 0 { write!(f, "{limb:x}")? } else { write!(f, "{limb:016x}")? }
        }
        write!(f, ":{}", self.width)
    }
}
