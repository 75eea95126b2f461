//! Constants: bit-vectors in three notations, and the numbers that floats are made from.

use num_bigint::BigUint;
use spelunk_bv::float::{self, FBits, FloatKind};
use spelunk_expr::MAX_WIDTH;

use crate::context::Context;
use crate::error::{Error, Problem, Result};
use crate::read::{Kind, Sexp};
use crate::scope::Term;
use crate::sort::Sort;

/// How deep fractions of fractions may nest.
const MAX_DEPTH: usize = 8;

/// A constant that is a word.
pub(super) fn literal(context: &mut Context, sexp: Sexp<'_>) -> Result<Term> {
    let (radix_bits, radix) = match sexp.kind() {
        Kind::Hexadecimal => (4, 16),
        Kind::Binary => (1, 2),
        Kind::Numeral | Kind::Decimal => return Err(Error::unsupported(sexp.offset(), "integers and reals")),
        Kind::Text => return Err(Error::unsupported(sexp.offset(), "strings")),
        _ => return Err(Error::new(sexp.offset(), Problem::Expected("a term"))),
    };
    let digits = &sexp.source()[2..];
    let value = BigUint::parse_bytes(digits.as_bytes(), radix).unwrap_or_default();
    bits(context, sexp, digits.len() as u64 * radix_bits, &value)
}

/// `(_ bv13 32)`; `None` if it is something else.
pub(super) fn decimal_bits(context: &mut Context, sexp: Sexp<'_>) -> Result<Option<Term>> {
    let mut parts = sexp.children();
    let (Some(keyword), Some(name), Some(width), None) = (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Ok(None);
    };
    let digits = name.symbol().and_then(|name| name.strip_prefix("bv")).unwrap_or_default();
    if !keyword.is_symbol("_") || digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(None);
    }
    let value = BigUint::parse_bytes(digits.as_bytes(), 10).unwrap_or_default();
    let width = width.numeral().ok_or(Error::new(width.offset(), Problem::Expected("a width")))?;
    bits(context, sexp, width as u64, &value).map(Some)
}

/// The low bits of a number.
fn bits(context: &mut Context, sexp: Sexp<'_>, width: u64, value: &BigUint) -> Result<Term> {
    let Ok(width @ 1..=MAX_WIDTH) = u32::try_from(width) else {
        return Err(Error::new(sexp.offset(), Problem::Width(width)));
    };
    let mut limbs = value.to_u64_digits();
    if limbs.is_empty() {
        limbs.push(0);
    }
    Ok(Term { id: context.pool.mk_const_limbs(width, &limbs), sort: Sort::bits(width) })
}

/// A number that a script spells out.
#[derive(Clone, Debug)]
pub(super) struct Real {
    is_negative: bool,
    numerator: BigUint,
    denominator: BigUint,
}

/// Numerals, decimals, and `-` and `/` of them; `None` for everything else.
pub(super) fn real(sexp: Sexp<'_>) -> Option<Real> {
    real_within(sexp, MAX_DEPTH)
}

fn real_within(sexp: Sexp<'_>, depth: usize) -> Option<Real> {
    match sexp.kind() {
        Kind::Numeral | Kind::Decimal => {
            let (whole, fraction) = sexp.source().split_once('.').unwrap_or((sexp.source(), ""));
            let numerator = BigUint::parse_bytes(format!("{whole}{fraction}").as_bytes(), 10)?;
            let denominator = BigUint::from(10u32).pow(u32::try_from(fraction.len()).ok()?);
            Some(Real { is_negative: false, numerator, denominator })
        }
        Kind::List if depth > 0 => {
            let mut parts = sexp.children();
            let (function, first) = (parts.next()?, real_within(parts.next()?, depth - 1)?);
            let second = parts.next().map(|second| real_within(second, depth - 1));
            match (function.symbol()?, second, parts.next()) {
                ("-", None, None) => Some(Real { is_negative: !first.is_negative, ..first }),
                ("/", Some(second), None) => {
                    let second = second.filter(|second| second.numerator != BigUint::ZERO)?;
                    Some(Real {
                        is_negative: first.is_negative != second.is_negative,
                        numerator: first.numerator * second.denominator,
                        denominator: first.denominator * second.numerator,
                    })
                }
                _ => None,
            }
        }
        _ => None,
    }
}

impl Real {
    /// The nearest value of a format, ties to even.
    pub fn to_float(&self, kind: FloatKind) -> FBits {
        // No value halfway between two of a format has more digits behind the point. A digit after those says on which
        // side of such a value the number is.
        let n_digits = (kind.precision() as i32 + 1 - kind.min_exponent()) as u32;
        let scaled = &self.numerator * BigUint::from(10u32).pow(n_digits);
        let digits = &scaled / &self.denominator;
        let is_more = &digits * &self.denominator != scaled;
        let text = format!("{digits}{}e-{}", is_more as u8, n_digits + 1);
        let magnitude = float::parse(kind, &text).expect("digits are a number");
        if self.is_negative { float::neg(kind, magnitude) } else { magnitude }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::Reader;

    fn double(text: &str) -> f64 {
        let mut reader = Reader::new(text.as_bytes());
        let number = real(reader.next_command().unwrap().unwrap().root()).expect("a number");
        f64::from_bits(number.to_float(FloatKind::Double) as u64)
    }

    #[test]
    fn numbers_are_rounded_to_nearest() {
        assert_eq!(double("0.1"), 0.1);
        assert_eq!(double("(- 12)"), -12.0);
        assert_eq!(double("(/ 1 3)"), 1.0 / 3.0);
        assert_eq!(double("(/ (- 2.0) (- 3.0))"), 2.0 / 3.0);
        assert_eq!(double("(/ 9007199254740993 1)"), 9007199254740992.0);
        assert_eq!(double("9007199254740993.000000000000000000000000000001"), 9007199254740994.0);
        assert_eq!(double("0.0"), 0.0);
        let huge = format!("1{}", "0".repeat(400));
        assert_eq!(double(&huge), f64::INFINITY);
        let tiny = format!("0.{}1", "0".repeat(323));
        assert_eq!(double(&tiny), 0.0);
        let subnormal = format!("0.{}3", "0".repeat(323));
        assert_eq!(double(&subnormal).to_bits(), 1);
    }

    #[test]
    fn other_terms_are_no_numbers() {
        for text in ["x", "(+ 1 2)", "(/ 1 0)", "(/ 1 2 3)", "(-)", "#x00"] {
            let mut reader = Reader::new(text.as_bytes());
            assert!(real(reader.next_command().unwrap().unwrap().root()).is_none(), "{text}");
        }
    }
}
