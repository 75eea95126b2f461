//! Exact rational numbers, as models of reals have them.

use std::fmt;

use num_bigint::{BigInt, Sign};

/// In lowest terms, with a positive denominator.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Rational {
    numerator: BigInt,
    denominator: BigInt,
}

impl Rational {
    /// `None` if the denominator is zero.
    pub fn new(numerator: impl Into<BigInt>, denominator: impl Into<BigInt>) -> Option<Self> {
        let (numerator, denominator) = (numerator.into(), denominator.into());
        let divisor = gcd(&numerator, &denominator);
        match denominator.sign() {
            Sign::NoSign => None,
            Sign::Plus => Some(Rational { numerator: numerator / &divisor, denominator: denominator / divisor }),
            Sign::Minus => Some(Rational { numerator: -numerator / &divisor, denominator: -denominator / divisor }),
        }
    }

    pub fn from_int(value: BigInt) -> Self {
        Rational { numerator: value, denominator: BigInt::from(1) }
    }

    pub fn numerator(&self) -> &BigInt {
        &self.numerator
    }

    pub fn denominator(&self) -> &BigInt {
        &self.denominator
    }

    /// The integer that it is.
    pub fn as_int(&self) -> Option<&BigInt> {
        (self.denominator == BigInt::from(1)).then_some(&self.numerator)
    }

    /// From digits, with a sign and a denominator after a slash where there are such.
    pub fn parse(text: &str) -> Option<Self> {
        let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
        let number = |text: &str| text.trim().parse::<BigInt>().ok();
        Rational::new(number(numerator)?, number(denominator)?)
    }
}

/// Positive, unless both numbers are zero.
fn gcd(a: &BigInt, b: &BigInt) -> BigInt {
    let (mut a, mut b) = (a.clone(), b.clone());
    while b.sign() != Sign::NoSign {
        (a, b) = (b.clone(), a % b);
    }
    if a.sign() == Sign::Minus { -a } else { a }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_int() {
            Some(int) => write!(f, "{int}"),
            None => write!(f, "{}/{}", self.numerator, self.denominator),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_in_lowest_terms() {
        let show = |numerator: i64, denominator: i64| Rational::new(numerator, denominator).map(|r| r.to_string());
        assert_eq!(show(6, 4).as_deref(), Some("3/2"));
        assert_eq!(show(6, -4).as_deref(), Some("-3/2"));
        assert_eq!(show(-6, -3).as_deref(), Some("2"));
        assert_eq!(show(0, -5).as_deref(), Some("0"));
        assert_eq!(show(1, 0), None);
    }

    #[test]
    fn text_is_read_back() {
        for text in ["0", "-17", "123456789012345678901234567890/11"] {
            assert_eq!(Rational::parse(text).map(|number| number.to_string()).as_deref(), Some(text));
        }
        assert_eq!(Rational::parse("6/-8").map(|number| number.to_string()).as_deref(), Some("-3/4"));
        assert_eq!(Rational::parse("1/0"), None);
        assert_eq!(Rational::parse("x"), None);
    }
}
