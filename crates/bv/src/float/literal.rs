//! Floating-point constants as LLVM IR text writes them.
//!
//! `float` and `double` are a decimal that is exact, or the bits of a `double`; the other formats are their own bits
//! after a letter.

use super::ParseFloatError;
use super::convert::{convert, transfer_nan};
use super::decimal::{DecimalStyle, to_decimal};
use super::format::{FBits, FloatKind, is_nan, is_sign_negative};
use super::scan::parse;

/// The letter after `0x` that announces the bits of a kind.
const fn bits_letter(kind: FloatKind) -> Option<char> {
    match kind {
        FloatKind::Half => Some('H'),
        FloatKind::BFloat => Some('R'),
        FloatKind::Float | FloatKind::Double => None,
        FloatKind::X86Fp80 => Some('K'),
        FloatKind::Fp128 => Some('L'),
    }
}

/// fp128 is written low word first.
const fn swap_words(kind: FloatKind, bits: FBits) -> FBits {
    match kind {
        FloatKind::Fp128 => bits.rotate_left(64),
        _ => bits,
    }
}

pub fn from_llvm_literal(kind: FloatKind, text: &str) -> Result<FBits, ParseFloatError> {
    let syntax_error = || ParseFloatError::Syntax(text.to_owned());
    let wrong_kind = || ParseFloatError::WrongKind { text: text.to_owned(), kind };
    let parse_bits = |digits: &str, kind: FloatKind| {
        let fits = !digits.is_empty() && digits.len() <= kind.bits() as usize / 4;
        let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        if fits && is_hex { FBits::from_str_radix(digits, 16).map_err(|_| syntax_error()) } else { Err(syntax_error()) }
    };
    let double = match text.strip_prefix("0x") {
        Some(rest) => {
            let letter = rest.chars().next().ok_or_else(syntax_error)?;
            let announced = FloatKind::ALL.into_iter().find(|&announced| bits_letter(announced) == Some(letter));
            match announced {
                Some(announced) if announced != kind => return Err(wrong_kind()),
                Some(_) => return Ok(swap_words(kind, parse_bits(&rest[1..], kind)?)),
                None => parse_bits(rest, FloatKind::Double)?,
            }
        }
        None => parse(FloatKind::Double, text)?,
    };
    match kind {
        FloatKind::Double => Ok(double),
        FloatKind::X86Fp80 | FloatKind::Fp128 => Err(wrong_kind()),
        _ => narrow_exactly(kind, double).ok_or_else(|| ParseFloatError::Inexact { text: text.to_owned(), kind }),
    }
}

/// A `double` that stands for a value of a smaller format; signaling NaNs stay as they are.
fn narrow_exactly(kind: FloatKind, double: FBits) -> Option<FBits> {
    let through = if is_nan(FloatKind::Double, double) { transfer_nan } else { convert };
    let narrow = through(FloatKind::Double, kind, double);
    (through(kind, FloatKind::Double, narrow) == double).then_some(narrow)
}

/// The text that LLVM writes for a constant.
pub fn to_llvm_literal(kind: FloatKind, a: FBits) -> String {
    if let Some(letter) = bits_letter(kind) {
        let n_digits = kind.bits() as usize / 4;
        return format!("0x{letter}{:0n_digits$X}", swap_words(kind, a));
    }
    let double = match kind {
        FloatKind::Double => a,
        _ if is_nan(kind, a) => transfer_nan(kind, FloatKind::Double, a),
        _ => convert(kind, FloatKind::Double, a),
    };
    let short = short_decimal(double);
    match short.filter(|text| parse(FloatKind::Double, text) == Ok(double)) {
        Some(text) => text,
        None => format!("0x{double:X}"),
    }
}

/// Like `%e`, but with only the first six digits rounded from the value, which is LLVM's habit.
fn short_decimal(double: FBits) -> Option<String> {
    let decimal = to_decimal(FloatKind::Double, double, DecimalStyle::Significant(6))?;
    let (leading, rest) = decimal.digits.split_at(1);
    let sign = if is_sign_negative(FloatKind::Double, double) { "-" } else { "" };
    let exponent_sign = if decimal.exponent < 0 { '-' } else { '+' };
    Some(format!("{sign}{leading}.{rest}0e{exponent_sign}{:02}", decimal.exponent.abs()))
}
