//! Bytes, relative to a pointer.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Extent {
    pub first: i64,
    pub last: i64,
}

impl Extent {
    /// Any that there may be.
    pub const ALL: Self = Self { first: i64::MIN / 4, last: i64::MAX / 4 };

    pub fn new(first: i64, len: u64) -> Self {
        Self { first, last: first.saturating_add(len as i64 - 1) }
    }

    pub fn meets(self, other: Self) -> bool {
        self.first <= other.last && other.first <= self.last
    }

    pub fn contains(self, other: Self) -> bool {
        self.first <= other.first && other.last <= self.last
    }

    pub fn moved(self, by: i64) -> Self {
        Self { first: self.first.saturating_add(by), last: self.last.saturating_add(by) }
    }

    /// By how much another pointer may be above this one's, for bytes relative to it to meet these.
    pub fn meeting(self, other: Self) -> std::ops::RangeInclusive<i64> {
        self.first.saturating_sub(other.last)..=self.last.saturating_sub(other.first)
    }
}
