//! The shadow: what is known of bytes that are not plain. Sparse, because such bytes are few.

use crate::value::ExprId;
use rustc_hash::FxHashMap;

/// A byte that is partly uninitialised, or carries a byte of an expression, or both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShadowByte {
    /// Uninitialised bits.
    pub undef: u8,
    /// Which byte of the expression this is.
    pub index: u8,
    pub expr: ExprId,
}

impl ShadowByte {
    /// A byte that nobody ever wrote.
    pub const UNWRITTEN: Self = Self { undef: 0xff, index: 0, expr: ExprId::NONE };
}

/// By offset. A byte that is not plain and has no entry is wholly uninitialised.
#[derive(Clone, Debug, Default)]
pub struct Shadow {
    bytes: FxHashMap<u32, ShadowByte>,
}

impl Shadow {
    pub fn get(&self, offset: u32) -> ShadowByte {
        self.bytes.get(&offset).copied().unwrap_or(ShadowByte::UNWRITTEN)
    }

    pub fn set(&mut self, offset: u32, byte: ShadowByte) {
        if byte == ShadowByte::UNWRITTEN {
            self.bytes.remove(&offset);
        } else {
            self.bytes.insert(offset, byte);
        }
    }
}
