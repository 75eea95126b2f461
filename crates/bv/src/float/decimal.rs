//! The digits that C's `%e`, `%f`, `%g` and `%a` print, from the exact value, rounded to nearest even.
//!
//! Signs, points, padding and the words for infinities and NaNs belong to whoever formats.

use num_bigint::BigUint;

use super::format::{FBits, FloatKind, Magnitude, unpack};

/// Which digits to give.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecimalStyle {
    /// This many, at least one, from the first that isn't zero: `%.{n-1}e`.
    Significant(usize),
    /// All before the point, at least one, and this many after it: `%.{n}f`.
    Fraction(usize),
}

/// A magnitude `d.ddd… * 10^exponent`, the `d`s being `digits`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decimal {
    /// ASCII digits. The first is zero only for zero, or for less than one in the style [`DecimalStyle::Fraction`].
    pub digits: String,
    pub exponent: i32,
}

/// The decimal digits of the magnitude; `None` for infinities and NaNs.
pub fn to_decimal(kind: FloatKind, a: FBits, style: DecimalStyle) -> Option<Decimal> {
    let (significand, exponent) = match unpack(kind, a) {
        Magnitude::Nan | Magnitude::Infinite => return None,
        Magnitude::Zero => (0, 0),
        Magnitude::Finite { significand, exponent } => (significand, exponent),
    };
    Some(match style {
        DecimalStyle::Fraction(n_after_point) => fixed_digits(significand, exponent, n_after_point),
        DecimalStyle::Significant(n_digits) => significant_digits(significand, exponent, n_digits.max(1)),
    })
}

fn fixed_digits(significand: u128, exponent: i32, n_after_point: usize) -> Decimal {
    let digits = scaled_digits(significand, exponent, n_after_point as i64);
    let digits = format!("{digits:0>width$}", width = n_after_point + 1);
    let exponent = (digits.len() - n_after_point - 1) as i32;
    Decimal { digits, exponent }
}

fn significant_digits(significand: u128, exponent: i32, n_digits: usize) -> Decimal {
    if significand == 0 {
        return Decimal { digits: "0".repeat(n_digits), exponent: 0 };
    }
    let leading_bit = exponent + significand.ilog2() as i32;
    let mut decimal_exponent = (leading_bit as f64 * std::f64::consts::LOG10_2).floor() as i32;
    loop {
        let digits = scaled_digits(significand, exponent, n_digits as i64 - 1 - decimal_exponent as i64);
        if digits.len() <= n_digits {
            return Decimal { digits, exponent: decimal_exponent };
        }
        // The estimate is never too large. It is one too small if the bits after the leading one, or rounding, reach
        // the next power of ten.
        decimal_exponent += 1;
    }
}

/// The digits of `significand * 2^exponent * 10^scale`, rounded to an integer.
fn scaled_digits(significand: u128, exponent: i32, scale: i64) -> String {
    // A dyadic fraction of n bits has n decimal digits; what a larger scale adds is zeros.
    let n_exact = (-exponent).max(0) as i64;
    let n_zeros = if significand == 0 { 0 } else { (scale - n_exact).max(0) as usize };
    let scale = scale.min(n_exact) as i32;
    let power_of_ten = BigUint::from(10u32).pow(scale.unsigned_abs());
    let mut numerator = BigUint::from(significand) << exponent.max(0);
    let mut denominator = BigUint::from(1u32) << (-exponent).max(0);
    if scale >= 0 {
        numerator *= power_of_ten;
    } else {
        denominator *= power_of_ten;
    }
    let mut digits = divide_to_nearest(&numerator, &denominator).to_string();
    digits.extend(std::iter::repeat_n('0', n_zeros));
    digits
}

/// The quotient rounded to nearest, ties to even.
fn divide_to_nearest(numerator: &BigUint, denominator: &BigUint) -> BigUint {
    let quotient = numerator / denominator;
    let twice_remainder = (numerator - &quotient * denominator) << 1;
    let up = twice_remainder > *denominator || twice_remainder == *denominator && quotient.bit(0);
    quotient + up as u32
}

/// A magnitude `leading.digits * 2^exponent`, `leading` and `digits` being hexadecimal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HexFloat {
    pub leading: char,
    /// Lower-case ASCII digits.
    pub digits: String,
    pub exponent: i32,
}

/// The digits of `%a`: as many as the value has, or as many as `precision` says. `None` for infinities and NaNs.
///
/// Where C leaves the first digit open, this is glibc's choice: x86_fp80 puts four bits before the point, the other
/// formats the leading bit, which is zero for subnormal values.
pub fn to_hex(kind: FloatKind, a: FBits, precision: Option<usize>) -> Option<HexFloat> {
    let (significand, exponent) = match unpack(kind, a) {
        Magnitude::Nan | Magnitude::Infinite => return None,
        Magnitude::Zero => {
            let digits = "0".repeat(precision.unwrap_or(0));
            return Some(HexFloat { leading: '0', digits, exponent: 0 });
        }
        Magnitude::Finite { significand, exponent } => (significand, exponent),
    };
    let n_leading_bits = if kind == FloatKind::X86Fp80 { 4 } else { 1 };
    let n_fraction_bits = kind.precision() - n_leading_bits;
    let mut exponent = exponent + n_fraction_bits as i32;

    let n_digits = n_fraction_bits.div_ceil(4) as usize;
    let mut value = BigUint::from(significand) << (4 * n_digits as u32 - n_fraction_bits);
    let n_kept = precision.unwrap_or(n_digits).min(n_digits);
    value = divide_to_nearest(&value, &(BigUint::from(1u32) << (4 * (n_digits - n_kept))));

    let mut text = format!("{value:0>width$x}", width = n_kept + 1);
    if text.len() > n_kept + 1 {
        // Rounding carried out of the leading digit; the last one is a zero now.
        text.pop();
        exponent += 4;
    }
    let mut digits = text.split_off(1);
    match precision {
        Some(precision) => digits.extend(std::iter::repeat_n('0', precision - n_kept)),
        None => digits.truncate(digits.trim_end_matches('0').len()),
    }
    Some(HexFloat { leading: text.chars().next().unwrap_or('0'), digits, exponent })
}
