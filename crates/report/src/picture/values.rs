//! Single values as text.

use crate::suite::types::{Field, Format};

/// Longer texts are cut.
const MAX_CHARS: usize = 40;

/// The value of a field of an object that starts at `start` in these bytes.
pub fn field(bytes: &[u8], start: u32, field: &Field) -> String {
    let value = bits(bytes, 8 * start + field.bit_offset, field.n_bits.min(64));
    let first = (start + field.bit_offset / 8) as usize;
    match &field.format {
        Format::Signed | Format::Unsigned if field.n_bits > 64 => {
            wide(bytes.get(first..first + (field.n_bits / 8) as usize).unwrap_or_default(), &field.format)
        }
        Format::Signed => signed(value, field.n_bits).to_string(),
        Format::Unsigned => value.to_string(),
        Format::Bool if value < 2 => ["false", "true"][value as usize].to_owned(),
        Format::Bool => value.to_string(),
        Format::Char => character(value),
        Format::Float => float(bytes, start + field.bit_offset / 8, field.n_bits),
        Format::Pointer if value == 0 => "null".to_owned(),
        Format::Pointer => format!("{value:#x}"),
        Format::Enum(constants) => {
            let mask = u64::MAX >> (64 - field.n_bits.clamp(1, 64));
            let named = constants.iter().find(|(_, constant)| constant & mask == value);
            named.map_or_else(|| value.to_string(), |(name, _)| name.clone())
        }
        Format::Bytes => digits(bytes.get(first..first + (field.n_bits / 8) as usize).unwrap_or_default()),
    }
}

/// Bytes of no type: a number, a string or digits.
pub fn untyped(bytes: &[u8]) -> String {
    match bytes.len() {
        1 => character(u64::from(bytes[0])),
        2 | 4 | 8 => signed(bits(bytes, 0, 8 * bytes.len() as u32), 8 * bytes.len() as u32).to_string(),
        _ => string(bytes).unwrap_or_else(|| digits(bytes)),
    }
}

/// Characters as a string of C, if they are a text that ends with zeros or not at all.
pub fn string(bytes: &[u8]) -> Option<String> {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let is_text = |&byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    let (text, rest) = bytes.split_at(end);
    (text.iter().all(is_text) && rest.iter().all(|&byte| byte == 0)).then(|| c_string(text))
}

/// The string of C that a pointer to these characters is. What comes after its end is part of it, unless it is all zeros: a
/// program may go there.
pub fn c_string(bytes: &[u8]) -> String {
    let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    let text = &bytes[..end];
    let whole = escaped(text);
    if whole.chars().count() <= MAX_CHARS {
        return format!("\"{whole}\"");
    }
    match compact(text) {
        Some(compact) => compact,
        None => format!("\"{}\"", cut(&whole)),
    }
}

fn escaped(text: &[u8]) -> String {
    text.iter().flat_map(|&byte| std::ascii::escape_default(byte)).map(char::from).collect()
}

/// A long text in which the same comes again and again, as `"ab" + 1000 × 'x'`; nothing if that is no shorter than what is cut.
fn compact(text: &[u8]) -> Option<String> {
    const MAX_PERIOD: usize = 4;
    const MIN_REPEATED: usize = 16;
    let mut pieces: Vec<String> = Vec::new();
    let mut literal = 0..0;
    while literal.end < text.len() {
        let rest = &text[literal.end..];
        let repeated = |&period: &usize| {
            let n = rest.chunks_exact(period).take_while(|chunk| *chunk == &rest[..period]).count();
            n > 1 && n * period >= MIN_REPEATED
        };
        let Some(period) = (1..=MAX_PERIOD.min(rest.len())).find(repeated) else {
            literal.end += 1;
            continue;
        };
        let unit = &rest[..period];
        let n = rest.chunks_exact(period).take_while(|chunk| *chunk == unit).count();
        if !literal.is_empty() {
            pieces.push(format!("\"{}\"", escaped(&text[literal.clone()])));
        }
        let quote = if period == 1 { '\'' } else { '"' };
        pieces.push(format!("{n} × {quote}{}{quote}", escaped(unit)));
        literal = literal.end + n * period..literal.end + n * period;
    }
    if !literal.is_empty() {
        pieces.push(format!("\"{}\"", escaped(&text[literal])));
    }
    Some(pieces.join(" + ")).filter(|text| text.chars().count() <= MAX_CHARS)
}

pub fn digits(bytes: &[u8]) -> String {
    if bytes.len() > MAX_CHARS / 3
        && let Some(runs) = runs(bytes)
    {
        return runs;
    }
    let pairs: Vec<String> = bytes.iter().take(MAX_CHARS).map(|byte| format!("{byte:02x}")).collect();
    cut(&pairs.join(" "))
}

/// Bytes of which most are the same, as `1018 × 01, 00 02`; nothing if that is too long.
fn runs(bytes: &[u8]) -> Option<String> {
    const MIN_REPEATED: usize = 8;
    let mut pieces: Vec<String> = Vec::new();
    let mut goes_on = false;
    for run in bytes.chunk_by(|a, b| a == b) {
        let pair = format!("{:02x}", run[0]);
        let is_long = run.len() >= MIN_REPEATED;
        match pieces.last_mut().filter(|_| goes_on && !is_long) {
            Some(last) => *last += &format!(" {pair}").repeat(run.len()),
            None if is_long => pieces.push(format!("{} × {pair}", run.len())),
            None => pieces.push(vec![pair; run.len()].join(" ")),
        }
        goes_on = !is_long;
        if pieces.len() > MAX_CHARS {
            return None;
        }
    }
    Some(pieces.join(", ")).filter(|text| text.chars().count() <= MAX_CHARS)
}

/// A text of bearable length.
pub fn cut(text: &str) -> String {
    if text.chars().count() <= MAX_CHARS {
        return text.to_owned();
    }
    text.chars().take(MAX_CHARS - 1).chain(['…']).collect()
}

/// Up to 64 bits from a place on, the lowest first.
fn bits(bytes: &[u8], first: u32, n_bits: u32) -> u64 {
    let bit = |at: u32| bytes.get((at / 8) as usize).is_some_and(|byte| byte >> (at % 8) & 1 == 1);
    (0..n_bits).fold(0, |value, number| value | u64::from(bit(first + number)) << number)
}

/// A whole number of more than a word; of more than two, its bytes.
fn wide(bytes: &[u8], format: &Format) -> String {
    let Ok(value) = bytes.try_into().map(i128::from_le_bytes) else { return digits(bytes) };
    if *format == Format::Signed { value.to_string() } else { (value as u128).to_string() }
}

fn signed(value: u64, n_bits: u32) -> i64 {
    let unused = 64 - n_bits.clamp(1, 64);
    (value << unused) as i64 >> unused
}

fn character(value: u64) -> String {
    match u8::try_from(value) {
        Ok(byte) if byte.is_ascii_graphic() || byte == b' ' => format!("{value} '{}'", char::from(byte)),
        _ => value.to_string(),
    }
}

fn float(bytes: &[u8], first: u32, n_bits: u32) -> String {
    let word = |at: u32, n_bits: u32| bits(bytes, 8 * (first + at), n_bits);
    match n_bits {
        32 => f32::from_bits(word(0, 32) as u32).to_string(),
        64 => f64::from_bits(word(0, 64)).to_string(),
        // The format of x87, which has its leading one written out.
        80.. => {
            let (fraction, top) = (word(0, 64), word(8, 16));
            let sign = if top & 0x8000 == 0 { 1.0 } else { -1.0 };
            let exponent = (top & 0x7fff) as i32 - 16383 - 63;
            (sign * fraction as f64 * 2f64.powi(exponent)).to_string()
        }
        _ => digits(bytes.get(first as usize..(first + n_bits / 8) as usize).unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(bytes: &[u8], bit_offset: u32, n_bits: u32, format: Format) -> String {
        field(bytes, 0, &Field { path: String::new(), bit_offset, n_bits, format })
    }

    #[test]
    fn values_look_as_in_c() {
        assert_eq!(shown(&[0xff, 0xff, 0xff, 0xff], 0, 32, Format::Signed), "-1");
        assert_eq!(shown(&[0xff, 0xff, 0xff, 0xff], 0, 32, Format::Unsigned), "4294967295");
        assert_eq!(shown(&[0b0110_1000], 3, 3, Format::Signed), "-3");
        assert_eq!(shown(&[0b0110_1000], 3, 3, Format::Unsigned), "5");
        assert_eq!(shown(&1.5f64.to_le_bytes(), 0, 64, Format::Float), "1.5");
        assert_eq!(shown(&[0, 0, 0, 0, 0, 0, 0, 0xc0, 0, 0xc0], 0, 128, Format::Float), "-3");
        let mut large = [0; 16];
        large[8] = 1;
        assert_eq!(shown(&large, 0, 128, Format::Signed), "18446744073709551616");
        assert_eq!(shown(&[0xff; 16], 0, 128, Format::Signed), "-1");
        assert_eq!(shown(&[0xff; 16], 0, 128, Format::Unsigned), u128::MAX.to_string());
        assert_eq!(shown(b"a", 0, 8, Format::Char), "97 'a'");
        let colours = Format::Enum(vec![("RED".to_owned(), 1), ("NONE".to_owned(), u64::MAX)]);
        assert_eq!(shown(&[1, 0, 0, 0], 0, 32, colours.clone()), "RED");
        assert_eq!(shown(&[0xff; 4], 0, 32, colours.clone()), "NONE");
        assert_eq!(shown(&[7, 0, 0, 0], 0, 32, colours), "7");
    }

    #[test]
    fn bytes_of_no_type_are_what_they_look_like() {
        assert_eq!(untyped(&[0xfe, 0xff]), "-2");
        assert_eq!(untyped(b"abc\n\0\0"), "\"abc\\n\"");
        assert_eq!(untyped(&[1, 2, 3]), "01 02 03");
        assert_eq!(untyped(&[b'x'; 100]), "100 × 'x'");
        assert_eq!(untyped(&[&[7, 7][..], &[1; 1018], &[0; 3180]].concat()), "07 07, 1018 × 01, 3180 × 00");
        let varied: Vec<u8> = (0..100).map(|i| b'a' + i % 26).collect();
        assert_eq!(untyped(&varied).chars().count(), 42);
    }

    #[test]
    fn what_comes_after_the_end_of_a_string_is_shown() {
        assert_eq!(c_string(b"a\0\0\0"), "\"a\"");
        assert_eq!(c_string(b"a\0b\0"), "\"a\\x00b\"");
        assert_eq!(c_string(b"\0\0"), "\"\"");
    }

    #[test]
    fn long_texts_are_what_they_repeat() {
        assert_eq!(c_string(&[&b"a1weq"[..], &[b'x'; 1014]].concat()), "\"a1weq\" + 1014 × 'x'");
        assert_eq!(c_string(&[&b"<>".repeat(40)[..], b"\n"].concat()), "40 × \"<>\" + \"\\n\"");
        assert_eq!(c_string(&[b'x'; 40]), format!("\"{}\"", "x".repeat(40)));
    }
}
