//! The shadow: what is known of bytes that are not plain. Sparse, because such bytes are few.

use crate::value::Carried;
use rustc_hash::FxHashMap;

/// A byte that is partly uninitialised, or carries a byte of an expression, or both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShadowByte {
    /// Uninitialised bits.
    pub undef: u8,
    /// Which byte of the expression this is.
    pub index: u8,
    pub expr: Carried,
}

impl ShadowByte {
    /// A byte that nobody ever wrote.
    pub const UNWRITTEN: Self = Self { undef: 0xff, index: 0, expr: Carried::NONE };
}

/// By offset. A byte that is not plain and has no entry is wholly uninitialised.
#[derive(Clone, Debug, Default)]
pub struct Shadow {
    bytes: FxHashMap<u32, ShadowByte>,
    /// Whether a byte ever carried an expression.
    has_exprs: bool,
}

impl Shadow {
    pub fn get(&self, offset: u32) -> ShadowByte {
        self.bytes.get(&offset).copied().unwrap_or(ShadowByte::UNWRITTEN)
    }

    pub fn set(&mut self, offset: u32, byte: ShadowByte) {
        if byte == ShadowByte::UNWRITTEN {
            self.bytes.remove(&offset);
        } else {
            self.has_exprs |= byte.expr.is_some();
            self.bytes.insert(offset, byte);
        }
    }

    /// Forgets the bytes from `size` on.
    pub fn truncate(&mut self, size: u32) {
        self.bytes.retain(|&offset, _| offset < size);
    }

    pub fn has_exprs(&self) -> bool {
        self.has_exprs
    }

    /// All entries with an expression. Those of bytes that are plain by now are of no account.
    pub fn exprs(&self) -> impl Iterator<Item = (u32, ShadowByte)> + '_ {
        self.bytes.iter().filter(|(_, byte)| byte.expr.is_some()).map(|(&offset, &byte)| (offset, byte))
    }

    /// The memory that it takes.
    pub fn footprint(&self) -> u64 {
        (size_of::<Self>() + self.bytes.capacity() * (size_of::<(u32, ShadowByte)>() + 1)) as u64
    }
}
