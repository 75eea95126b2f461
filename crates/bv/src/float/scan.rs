//! Reading C's floating-point texts (`strtod`, `scanf`): decimal, hexadecimal, `inf` and `nan`, correctly rounded.
//!
//! Leading white space is the caller's; so are locales.

use num_bigint::BigUint;

use super::ParseFloatError;
use super::format::{FBits, FloatKind, infinity, is_subnormal, is_zero, quiet_nan};
use super::pack::{Exact, Rounded};

/// What [`scan`] found at the beginning of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scanned {
    pub bits: FBits,
    /// How many bytes belong to the number.
    pub len: usize,
    pub range: Range,
}

/// Whether the text's value is in the range of the format; if not, C sets `errno` to `ERANGE`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Range {
    Normal,
    Overflow,
    /// Rounded to a subnormal or to zero.
    Underflow,
}

/// Reads a text that is a number as a whole.
pub fn parse(kind: FloatKind, text: &str) -> Result<FBits, ParseFloatError> {
    match scan(kind, text.as_bytes()) {
        Some(scanned) if scanned.len == text.len() => Ok(scanned.bits),
        _ => Err(ParseFloatError::Syntax(text.to_owned())),
    }
}

/// Reads the longest number that `text` begins with.
pub fn scan(kind: FloatKind, text: &[u8]) -> Option<Scanned> {
    let sign_len = matches!(text.first(), Some(b'+' | b'-')) as usize;
    let body = &text[sign_len..];
    let unsigned =
        scan_hexadecimal(kind, body).or_else(|| scan_decimal(kind, body)).or_else(|| scan_word(kind, body))?;
    let sign = if text[0] == b'-' { kind.sign_bit() } else { 0 };
    Some(Scanned { bits: sign | unsigned.bits, len: sign_len + unsigned.len, ..unsigned })
}

fn scan_word(kind: FloatKind, text: &[u8]) -> Option<Scanned> {
    let begins_with = |word: &str| text.len() >= word.len() && text[..word.len()].eq_ignore_ascii_case(word.as_bytes());
    let found = |bits, len| Some(Scanned { bits, len, range: Range::Normal });
    if let Some(word) = ["infinity", "inf"].into_iter().find(|word| begins_with(word)) {
        return found(infinity(kind), word.len());
    }
    if !begins_with("nan") {
        return None;
    }
    let (payload, payload_len) = scan_nan_payload(&text[3..]).unwrap_or((0, 0));
    found(quiet_nan(kind, payload), 3 + payload_len)
}

/// The `(…)` after `nan`, whose content counts if it is an integer in C's notation.
fn scan_nan_payload(text: &[u8]) -> Option<(u128, usize)> {
    let inner = text.strip_prefix(b"(")?;
    let inner_len = inner.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    if inner.get(inner_len) != Some(&b')') {
        return None;
    }
    let digits = std::str::from_utf8(&inner[..inner_len]).ok()?;
    let payload = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hexadecimal) => u64::from_str_radix(hexadecimal, 16),
        None if digits.starts_with('0') => u64::from_str_radix(digits, 8),
        None => digits.parse(),
    };
    Some((payload.unwrap_or(0) as u128, inner_len + 2))
}

/// The digits of a number around its point: `digits` without the point, of which `fraction_len` stand after it.
struct Digits {
    digits: Vec<u8>,
    fraction_len: usize,
    len: usize,
}

fn scan_digits(text: &[u8], is_digit: fn(&u8) -> bool) -> Option<Digits> {
    let n_digits = |text: &[u8]| text.iter().take_while(|byte| is_digit(byte)).count();
    let whole_len = n_digits(text);
    let mut digits = text[..whole_len].to_vec();
    let mut len = whole_len;
    if let Some(b'.') = text.get(len) {
        let fraction_len = n_digits(&text[len + 1..]);
        digits.extend_from_slice(&text[len + 1..len + 1 + fraction_len]);
        len += 1 + fraction_len;
    }
    let fraction_len = digits.len() - whole_len;
    (!digits.is_empty()).then_some(Digits { digits, fraction_len, len })
}

/// The exponent after a letter, and the length of both; nothing if no digits follow. Huge ones are cut to a value that
/// is still far out of every range, however long the digits before it are.
fn scan_exponent(text: &[u8], letter: u8) -> (i64, usize) {
    const HUGE: i64 = 1 << 40;
    if !text.first().is_some_and(|byte| byte.eq_ignore_ascii_case(&letter)) {
        return (0, 0);
    }
    let sign_len = matches!(text.get(1), Some(b'+' | b'-')) as usize;
    let digits = &text[1 + sign_len..];
    let n_digits = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if n_digits == 0 {
        return (0, 0);
    }
    let add_digit = |value: i64, digit: &u8| (value * 10 + (digit - b'0') as i64).min(HUGE);
    let magnitude = digits[..n_digits].iter().fold(0, add_digit);
    let exponent = if text[1] == b'-' { -magnitude } else { magnitude };
    (exponent, 1 + sign_len + n_digits)
}

fn scan_hexadecimal(kind: FloatKind, text: &[u8]) -> Option<Scanned> {
    // Out of every format's range, with any significand.
    const FAR: i64 = 1 << 16;
    let body = text.strip_prefix(b"0x").or_else(|| text.strip_prefix(b"0X"))?;
    let Digits { digits, fraction_len, len } = scan_digits(body, u8::is_ascii_hexdigit)?;
    let (exponent, exponent_len) = scan_exponent(&body[len..], b'p');
    let len = 2 + len + exponent_len;
    let mut exponent = exponent - 4 * fraction_len as i64;
    let (mut significand, mut sticky) = (0u128, false);
    for digit in digits.iter().filter_map(|&digit| (digit as char).to_digit(16)) {
        if significand.leading_zeros() >= 4 {
            significand = significand << 4 | digit as u128;
        } else {
            sticky |= digit != 0;
            exponent += 4;
        }
    }
    let exact = Exact { significand, exponent: exponent.clamp(-FAR, FAR) as i32, sticky };
    Some(ranged(kind, exact.round(kind), len))
}

fn scan_decimal(kind: FloatKind, text: &[u8]) -> Option<Scanned> {
    let Digits { digits, fraction_len, len } = scan_digits(text, u8::is_ascii_digit)?;
    let (exponent, exponent_len) = scan_exponent(&text[len..], b'e');
    let len = len + exponent_len;
    if let Some(bits) = host_decimal(kind, &text[..len]) {
        return Some(Scanned { bits, len, range: Range::Normal });
    }
    let leading_zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    let rounded = round_decimal(kind, &digits[leading_zeros..], exponent - fraction_len as i64);
    Some(ranged(kind, rounded, len))
}

/// The standard library's reading, which is correctly rounded too, where it is in the formats' normal range.
fn host_decimal(kind: FloatKind, text: &[u8]) -> Option<FBits> {
    let text = std::str::from_utf8(text).ok()?;
    match kind {
        FloatKind::Float => text.parse::<f32>().ok().filter(|x| x.is_normal()).map(|x| x.to_bits() as FBits),
        FloatKind::Double => text.parse::<f64>().ok().filter(|x| x.is_normal()).map(|x| x.to_bits() as FBits),
        _ => None,
    }
}

/// `digits * 10^exponent`, without leading zeros.
fn round_decimal(kind: FloatKind, digits: &[u8], exponent: i64) -> Rounded {
    // No value halfway between two of any format has this many digits, so more only say on which side they are.
    const ENOUGH_DIGITS: usize = 20_000;
    // The formats range from about 10^-4966 to 10^4932.
    const FAR: i64 = 5_000;
    let magnitude = digits.len() as i64 + exponent;
    if digits.is_empty() || magnitude < -FAR {
        return Rounded { bits: 0, inexact: !digits.is_empty() };
    }
    if magnitude > FAR {
        return Rounded { bits: infinity(kind), inexact: true };
    }
    let (kept, cut) = digits.split_at(digits.len().min(ENOUGH_DIGITS));
    let mut value = BigUint::parse_bytes(kept, 10).unwrap_or_default();
    let mut exponent = exponent + cut.len() as i64;
    if cut.iter().any(|&digit| digit != b'0') {
        value = value * 10u32 + 1u32;
        exponent -= 1;
    }
    let scale = BigUint::from(10u32).pow(exponent.unsigned_abs() as u32);
    if exponent >= 0 {
        return Exact::from_big(&(value * scale), 0).round(kind);
    }
    // Scaled so that the quotient has more bits than any format's significand.
    let shift = (128 + scale.bits()).saturating_sub(value.bits());
    let scaled = value << shift;
    let quotient = &scaled / &scale;
    let mut exact = Exact::from_big(&quotient, -(shift as i32));
    exact.sticky |= quotient * scale != scaled;
    exact.round(kind)
}

fn ranged(kind: FloatKind, Rounded { bits, inexact }: Rounded, len: usize) -> Scanned {
    let range = if bits == infinity(kind) {
        Range::Overflow
    } else if inexact && (is_zero(kind, bits) || is_subnormal(kind, bits)) {
        Range::Underflow
    } else {
        Range::Normal
    };
    Scanned { bits, len, range }
}
