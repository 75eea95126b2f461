//! Sorts of the script, and what stands for their values in expressions.
//!
//! Expressions know bit-vectors and arrays of bit-vectors. A truth value is one bit, a float its pattern, an element of
//! a declared sort a number: quantifier-free formulas can't tell a sort from a larger one, so any width will do that
//! has more values than a formula has terms.

use spelunk_bv::float::FloatKind;
use spelunk_expr::Sort as ExprSort;

/// How many bits stand for an element of a declared sort.
const FREE_WIDTH: u32 = 20;

/// How many bits number the rounding modes.
pub const ROUNDING_WIDTH: u32 = 3;

/// A sort without parts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scalar {
    Bool,
    Bits(u32),
    Float(FloatKind),
    Rounding,
    /// By number of declaration.
    Free(u32),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    Scalar(Scalar),
    Array { index: Scalar, elem: Scalar },
}

impl Scalar {
    pub fn width(self) -> u32 {
        match self {
            Scalar::Bool => 1,
            Scalar::Bits(width) => width,
            Scalar::Float(kind) => kind.bits(),
            Scalar::Rounding => ROUNDING_WIDTH,
            Scalar::Free(_) => FREE_WIDTH,
        }
    }
}

impl Sort {
    pub const BOOL: Sort = Sort::Scalar(Scalar::Bool);

    pub const fn bits(width: u32) -> Sort {
        Sort::Scalar(Scalar::Bits(width))
    }

    pub const fn float(kind: FloatKind) -> Sort {
        Sort::Scalar(Scalar::Float(kind))
    }

    pub fn to_expr(self) -> ExprSort {
        match self {
            Sort::Scalar(scalar) => ExprSort::Bv(scalar.width()),
            Sort::Array { index, elem } => ExprSort::Array { index_width: index.width(), elem_width: elem.width() },
        }
    }

    pub fn as_scalar(self) -> Option<Scalar> {
        match self {
            Sort::Scalar(scalar) => Some(scalar),
            Sort::Array { .. } => None,
        }
    }
}

/// The widths of exponent and significand, the latter with its leading bit.
pub fn format_of(kind: FloatKind) -> (u32, u32) {
    let exponent = u32::BITS - (kind.max_exponent() as u32).leading_zeros() + 1;
    (exponent, kind.precision())
}

/// The format with these widths.
pub fn kind_of_format(exponent: u32, significand: u32) -> Option<FloatKind> {
    FloatKind::ALL.into_iter().find(|&kind| format_of(kind) == (exponent, significand))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_those_of_the_standard() {
        let formats = FloatKind::ALL.map(format_of);
        assert_eq!(formats, [(5, 11), (8, 8), (8, 24), (11, 53), (15, 64), (15, 113)]);
        for kind in FloatKind::ALL {
            let (exponent, significand) = format_of(kind);
            assert_eq!(kind_of_format(exponent, significand), Some(kind));
        }
        assert_eq!(kind_of_format(3, 5), None);
    }
}
