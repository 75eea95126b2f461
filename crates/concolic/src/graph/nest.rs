//! Which types occur inside of which others, and where: what pointers of the input may lead to.
//!
//! After "Pex for unsafe code" (section 6), with exact offsets instead of levels of embedding, and with arrays. What occurs where is
//! built from debug info (`inputs/nesting`); this is the table itself, which [`super::parts`] asks about objects.

use smallvec::SmallVec;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A C type, by number, without typedefs, qualifiers and signs: types that are one here may alias (C11 6.2.7, 6.5).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Cell(pub u32);

/// How large a step it is from a type to the one around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grain {
    /// A `struct` as a whole.
    Record,
    /// Any other type: a number, a pointer, an array, a union.
    Fine,
}

/// Places at regular distances: an `int` of `struct { … } a[50]` is one run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    start: u32,
    /// Bytes from one to the next and how many there are, the outermost first.
    dims: SmallVec<[(u32, u32); 2]>,
    /// The same for elements of one array, which are side by side.
    row: (u32, u32),
}

/// A type that occurs inside of another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nested {
    pub cell: Cell,
    pub grain: Grain,
    pub at: Run,
}

impl Run {
    pub fn at(start: u32) -> Self {
        Self::row(start, 1, 1)
    }

    /// The elements of an array.
    pub fn row(start: u32, size: u32, count: u32) -> Self {
        Self { start, dims: SmallVec::new(), row: (size, count) }
    }

    /// The same in each of so many elements around it.
    #[must_use]
    pub fn repeated(&self, step: u32, count: u32) -> Self {
        let mut dims = SmallVec::from_elem((step, count), 1);
        dims.extend_from_slice(&self.dims);
        Self { dims, ..self.clone() }
    }

    /// The elements of an array of which this is the first.
    #[must_use]
    pub fn in_row(&self, size: u32, count: u32) -> Self {
        Self { row: (size, count), ..self.clone() }
    }

    /// The places at which so many in a row begin, if they fit.
    pub fn of_many(&self, n: u32) -> Option<Self> {
        let (size, count) = self.row;
        let count = (count + 1).checked_sub(n).filter(|&count| count > 0)?;
        Some(Self { row: (size, count), ..self.clone() })
    }

    /// A number whose trailing zeros all places have.
    pub fn low_bits(&self) -> u32 {
        let steps = self.dims.iter().chain([&self.row]).filter(|(_, count)| *count > 1);
        steps.fold(self.start, |all, (step, _)| all | step)
    }

    /// Visits the places in a range, in order. Takes as long as there are such.
    pub fn visit(&self, range: RangeInclusive<i64>, visit: &mut impl FnMut(i64)) {
        let mut dims = self.dims.clone();
        dims.push(self.row);
        visit_dims(i64::from(self.start), &dims, &range, visit);
    }

    #[cfg(test)]
    pub fn contains(&self, at: i64) -> bool {
        let mut found = false;
        self.visit(at..=at, &mut |_| found = true);
        found
    }
}

fn visit_dims(start: i64, dims: &[(u32, u32)], range: &RangeInclusive<i64>, visit: &mut impl FnMut(i64)) {
    let Some((&(step, count), inner)) = dims.split_first() else {
        if range.contains(&start) {
            visit(start);
        }
        return;
    };
    let reach: i64 = inner.iter().map(|&(step, count)| i64::from(step) * (i64::from(count) - 1).max(0)).sum();
    let step = i64::from(step.max(1));
    let first = (range.start().saturating_sub(start + reach)).max(0).saturating_add(step - 1) / step;
    let last = range.end().saturating_sub(start).div_euclid(step).min(i64::from(count) - 1);
    for number in first..=last {
        visit_dims(start + number * step, inner, range, visit);
    }
}

/// Where pointers of the input may overlap.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Overlap {
    pub by: OverlapBy,
    pub chars: Chars,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OverlapBy {
    /// Only where both lead to elements of one type.
    Same,
    /// Also structures inside of others.
    Records,
    /// Wherever one's type occurs in the other's.
    #[default]
    Typed,
    /// At any distance that alignment allows, whatever the types: an adversary's memory.
    Any,
}

/// Where arrays of characters and of bytes without a type may lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Chars {
    /// Where their type occurs.
    #[default]
    Typed,
    /// At any byte, as C allows.
    Anywhere,
}

impl Overlap {
    /// Whether a type that occurs in another may be led to there.
    pub fn allows(self, grain: Grain) -> bool {
        match self.by {
            OverlapBy::Same => false,
            OverlapBy::Records => grain == Grain::Record,
            OverlapBy::Typed | OverlapBy::Any => true,
        }
    }
}

impl std::fmt::Display for Overlap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self.by {
            OverlapBy::Same => "same",
            OverlapBy::Records => "records",
            OverlapBy::Typed => "typed",
            OverlapBy::Any => "any",
        })?;
        f.write_str(if self.chars == Chars::Anywhere { ",char" } else { "" })
    }
}

impl FromStr for Overlap {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (by, chars) = match text.strip_suffix(",char") {
            Some(by) => (by, Chars::Anywhere),
            None => (text, Chars::Typed),
        };
        let by = match by {
            "same" => OverlapBy::Same,
            "records" => OverlapBy::Records,
            "typed" => OverlapBy::Typed,
            "any" if chars == Chars::Typed => OverlapBy::Any,
            _ => {
                return Err(format!(
                    "`{text}` is not one of same, records, typed and any; all but any may be followed by `,char`"
                ));
            }
        };
        Ok(Self { by, chars })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_visited_by_ranges() {
        let run = Run::row(4, 8, 2).repeated(100, 3);
        let all: Vec<i64> = (0..3).flat_map(|i| (0..2).map(move |j| 4 + 100 * i + 8 * j)).collect();
        for first in -5..300 {
            for last in [first, first + 3, first + 90, first + 400] {
                let mut found = Vec::new();
                run.visit(first..=last, &mut |at| found.push(at));
                let expected: Vec<i64> = all.iter().copied().filter(|at| (first..=last).contains(at)).collect();
                assert_eq!(found, expected, "{first}..={last}");
            }
        }
    }

    #[test]
    fn several_in_a_row_fit_where_they_are_side_by_side() {
        let row = Run::row(0, 4, 5).repeated(100, 2);
        let three = row.of_many(3).expect("they are side by side");
        assert!(three.contains(8) && three.contains(108) && !three.contains(12));
        assert_eq!(row.of_many(6), None);
        assert_eq!(Run::at(0).repeated(4, 5).of_many(2), None);
    }

    #[test]
    fn overlap_is_read_and_written() {
        for text in ["same", "records", "typed", "typed,char", "same,char", "any"] {
            assert_eq!(text.parse::<Overlap>().map(|it| it.to_string()), Ok(text.to_owned()));
        }
        assert!("char".parse::<Overlap>().is_err() && "any,char".parse::<Overlap>().is_err());
    }
}
