//! The values that a variable may have: exactly, as a set if there are at most 256, otherwise as ranges.

use smallvec::{SmallVec, smallvec};
use spelunk_bv::int;

use super::span::Span;

/// Widths up to which domains are sets of single values.
pub const SET_WIDTH: u32 = 8;

/// A set of numbers below 256.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ByteSet(pub [u64; 4]);

impl ByteSet {
    pub fn all(width: u32) -> Self {
        ByteSet::of_range(0, int::mask(width.min(SET_WIDTH)))
    }

    fn of_range(first: u64, last: u64) -> Self {
        ByteSet(std::array::from_fn(|at| {
            let base = 64 * at as u64;
            if last < base || first > base + 63 {
                return 0;
            }
            let (from, to) = (first.max(base) - base, last.min(base + 63) - base);
            u64::MAX >> (63 - to) & u64::MAX << from
        }))
    }

    pub fn of_span(span: &Span) -> Self {
        let (ranges, n) = span.ranges();
        let sets = ranges[..n].iter().map(|&(first, last)| ByteSet::of_range(first, last));
        sets.fold(ByteSet([0; 4]), |all, one| ByteSet(std::array::from_fn(|at| all.0[at] | one.0[at])))
    }

    #[inline]
    fn intersect(&mut self, other: &ByteSet) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word &= other;
        }
    }

    fn contains(&self, value: u64) -> bool {
        self.0[value as usize / 64] >> (value % 64) & 1 != 0
    }

    /// The least member that is not below a number.
    fn next(&self, from: u64) -> Option<u64> {
        let above = ByteSet::of_range(from, u8::MAX as u64);
        (0..4).find_map(|at| {
            let word = self.0[at] & above.0[at];
            (word != 0).then(|| 64 * at as u64 + word.trailing_zeros() as u64)
        })
    }

    /// The greatest member that is not above a number.
    fn previous(&self, from: u64) -> Option<u64> {
        let below = ByteSet::of_range(0, from);
        (0..4).rev().find_map(|at| {
            let word = self.0[at] & below.0[at];
            (word != 0).then(|| 64 * at as u64 + 63 - word.leading_zeros() as u64)
        })
    }
}

/// What is allowed so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Domain {
    Set(ByteSet),
    /// Disjoint, in order; first and last value of each.
    Ranges(SmallVec<[(u64, u64); 4]>),
}

impl Domain {
    pub fn all(width: u32) -> Self {
        match width {
            ..=SET_WIDTH => Domain::Set(ByteSet::all(width)),
            _ => Domain::Ranges(smallvec![(0, int::mask(width))]),
        }
    }

    pub fn intersect_set(&mut self, other: &ByteSet) {
        if let Domain::Set(set) = self {
            set.intersect(other);
        }
    }

    pub fn intersect_span(&mut self, span: &Span) {
        match self {
            Domain::Set(set) => set.intersect(&ByteSet::of_span(span)),
            Domain::Ranges(ranges) => {
                let (allowed, n) = span.ranges();
                if let ([(first, last)], 1) = (&mut ranges[..], n)
                    && *first <= allowed[0].1
                    && allowed[0].0 <= *last
                {
                    (*first, *last) = ((*first).max(allowed[0].0), (*last).min(allowed[0].1));
                    return;
                }
                *ranges = ranges
                    .iter()
                    .flat_map(|&(first, last)| allowed[..n].iter().map(move |a| (first.max(a.0), last.min(a.1))))
                    .filter(|&(first, last)| first <= last)
                    .collect();
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        match self {
            Domain::Set(set) => set.0 == [0; 4],
            Domain::Ranges(ranges) => ranges.is_empty(),
        }
    }

    pub fn contains(&self, value: u64) -> bool {
        match self {
            Domain::Set(set) => set.contains(value),
            Domain::Ranges(ranges) => ranges.iter().any(|&(first, last)| (first..=last).contains(&value)),
        }
    }

    /// How many values are allowed; fewer than there are if they don't fit the type.
    pub fn size(&self) -> u64 {
        match self {
            Domain::Set(set) => set.0.iter().map(|word| word.count_ones() as u64).sum(),
            Domain::Ranges(ranges) => {
                ranges.iter().fold(0u64, |size, (first, last)| size.saturating_add((last - first).saturating_add(1)))
            }
        }
    }

    /// The allowed value that is nearest to this one; of two, the smaller.
    pub fn nearest(&self, value: u64) -> Option<u64> {
        let (below, above) = match self {
            Domain::Set(set) => (set.previous(value), set.next(value)),
            Domain::Ranges(ranges) => {
                let n_before = ranges.partition_point(|range| range.0 <= value);
                let below = n_before.checked_sub(1).map(|at| ranges[at].1.min(value));
                (below, ranges.get(n_before).map(|range| range.0))
            }
        };
        match (below, above) {
            (Some(below), Some(above)) => Some(if above - value < value - below { above } else { below }),
            (below, above) => below.or(above),
        }
    }

    /// The least ranges that the allowed values are, in order.
    pub fn ranges(&self) -> SmallVec<[(u64, u64); 4]> {
        let set = match self {
            Domain::Ranges(ranges) => return ranges.clone(),
            Domain::Set(set) => set,
        };
        let mut ranges: SmallVec<[(u64, u64); 4]> = SmallVec::new();
        for value in (0..256).filter(|&value| set.contains(value)) {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == value => *last = value,
                _ => ranges.push((value, value)),
            }
        }
        ranges
    }

    /// All allowed values, in order.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        let (set, ranges): (_, &[(u64, u64)]) = match self {
            Domain::Set(set) => (Some(*set), &[]),
            Domain::Ranges(ranges) => (None, ranges),
        };
        let of_set = set.into_iter().flat_map(|set| (0..256).filter(move |&value| set.contains(value)));
        of_set.chain(ranges.iter().flat_map(|&(first, last)| first..=last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(width: u32) -> impl Iterator<Item = Span> {
        let values = [0, 1, 5, 100, 127, 128, 200, 254, 255].map(|value| int::trunc(width, value * 0x101));
        values.into_iter().flat_map(move |first| values.map(|last| Span { width, first, last }))
    }

    /// Sets and ranges agree with membership in each span.
    #[test]
    fn intersections_hold_what_all_spans_hold() {
        for width in [8, 10] {
            for (a, b) in spans(width).flat_map(|a| spans(width).map(move |b| (a, b))) {
                let mut domain = Domain::all(width);
                domain.intersect_span(&a);
                domain.intersect_span(&b);
                let interesting = spans(width).flat_map(|span| [span.first, span.first.wrapping_sub(1)]);
                for value in interesting.map(|value| int::trunc(width, value)) {
                    assert_eq!(domain.contains(value), a.contains(value) && b.contains(value), "{value} {a:?} {b:?}");
                }
                let expected: Vec<u64> =
                    (0..1 << width).filter(|&value| a.contains(value) && b.contains(value)).collect();
                assert_eq!(domain.size(), expected.len() as u64);
                assert_eq!(domain.is_empty(), expected.is_empty());
                assert!(domain.iter().eq(expected.iter().copied()));
                let near = expected.iter().copied().min_by_key(|value| (value.abs_diff(150), *value));
                assert_eq!(domain.nearest(150), near, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn all_values_of_a_width() {
        assert_eq!(Domain::all(3).size(), 8);
        assert_eq!(Domain::all(64).size(), u64::MAX);
        assert!(Domain::all(1).iter().eq([0, 1]));
        assert_eq!(Domain::all(64).nearest(7), Some(7));
    }
}
