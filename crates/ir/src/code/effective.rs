//! The types that memory is accessed with, for the check of effective types (C11 6.5).
//!
//! A [`TypeTag`] is a scalar type by number, without sign and qualifiers; all pointers are one. Only images that were asked for have any.

use super::OpIdx;
use rustc_hash::FxHashMap;

/// What a byte of memory was stored as: the number of a scalar type, whether it is the first byte of that scalar, and whether a
/// declaration says so, which no store changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TypeTag(pub u16);

impl TypeTag {
    /// Nothing is known: never stored to, or as characters.
    pub const NONE: Self = Self(0);
    const NUMBER: u16 = 0x3fff;
    const FIRST: u16 = 0x4000;
    const DECLARED: u16 = 0x8000;
    /// Declared, and allowed to be anything: a union.
    pub const DECLARED_ANY: Self = Self(Self::DECLARED | Self::NUMBER);

    /// The byte of a scalar of this type.
    pub fn of(number: u16, byte: usize) -> Self {
        Self(number | if byte == 0 { Self::FIRST } else { 0 })
    }

    #[must_use]
    pub fn declared(self) -> Self {
        if self == Self::NONE { self } else { Self(self.0 | Self::DECLARED) }
    }

    pub fn is_declared(self) -> bool {
        self.0 & Self::DECLARED != 0
    }

    pub fn is_first(self) -> bool {
        self.0 & Self::FIRST != 0
    }

    pub fn number(self) -> u16 {
        self.0 & Self::NUMBER
    }

    /// Without what a declaration says: how it is copied elsewhere.
    #[must_use]
    pub fn copied(self) -> Self {
        if self == Self::DECLARED_ANY { Self::NONE } else { Self(self.0 & !Self::DECLARED) }
    }

    /// Whether it is inside of a scalar that began before.
    pub fn goes_on(self) -> bool {
        self != Self::NONE && self != Self::DECLARED_ANY && !self.is_first()
    }

    /// Whether a scalar of this type may be found here.
    pub fn allows(self, wanted: Self) -> bool {
        self == Self::NONE || self == Self::DECLARED_ANY || self.0 & !Self::DECLARED == wanted.0
    }
}

/// What the check needs to know of a program.
#[derive(Debug, Default)]
pub struct EffectiveTypes {
    /// By number, from 1 on.
    names: Vec<Box<str>>,
    by_name: FxHashMap<Box<str>, u16>,
    maps: Vec<Box<[TypeTag]>>,
    /// By the number of a static object, and by the operation that makes a local variable.
    pub statics: FxHashMap<usize, u32>,
    pub locals: FxHashMap<OpIdx, u32>,
}

impl EffectiveTypes {
    /// The number of a type. Types beyond what numbers there are for are not checked.
    pub fn number(&mut self, name: &str) -> u16 {
        if let Some(&known) = self.by_name.get(name) {
            return known;
        }
        let Ok(number) = u16::try_from(self.names.len() + 1) else { return 0 };
        if number >= TypeTag::NUMBER {
            return 0;
        }
        self.names.push(name.into());
        self.by_name.insert(name.into(), number);
        number
    }

    pub fn find(&self, name: &str) -> Option<u16> {
        self.by_name.get(name).copied()
    }

    /// As C spells it.
    pub fn name(&self, number: u16) -> &str {
        (number as usize).checked_sub(1).and_then(|at| self.names.get(at)).map_or("another type", |name| name)
    }

    pub fn add_map(&mut self, map: Box<[TypeTag]>) -> u32 {
        self.maps.push(map);
        self.maps.len() as u32 - 1
    }

    pub fn map(&self, number: u32) -> &[TypeTag] {
        &self.maps[number as usize]
    }
}
