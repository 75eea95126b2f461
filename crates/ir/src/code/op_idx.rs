//! Operations by index.

use crate::model::define_id;

define_id!(
    /// An operation of an image: its place among [`Image::ops`](super::Image).
    OpIdx
);

impl OpIdx {
    /// No operation, where one may be missing.
    pub const NOWHERE: Self = Self(u32::MAX);

    /// The one behind it; behind none is the first.
    pub const fn next(self) -> Self {
        Self(self.0.wrapping_add(1))
    }

    /// The one before it.
    pub const fn previous(self) -> Self {
        Self(self.0 - 1)
    }

    /// Those from here on, up to `end`.
    pub fn up_to(self, end: Self) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + use<> {
        (self.0..end.0).map(Self)
    }
}
