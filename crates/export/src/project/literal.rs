//! Numbers and bytes as C writes them, exactly, for any compiler.

use std::fmt::Write;

pub use spelunk_report::literal::character;
use spelunk_report::literal::escaped;

/// Bytes of a line of a string literal before the next begins.
const LINE_LEN: usize = 64;

/// The most times that a macro of the header of tests repeats a literal.
const MOST_TIMES: usize = 10_000;

/// A number of `n_bits` bits, at most 64.
pub fn signed(value: u64, n_bits: u32) -> String {
    let unused = 64 - n_bits.clamp(1, 64);
    let value = (value << unused) as i64 >> unused;
    match value {
        // The number without its sign has no type.
        i64::MIN => format!("(-{}LL - 1)", i64::MAX),
        _ if value == i64::from(i32::MIN) => format!("(-{} - 1)", i32::MAX),
        _ if i32::try_from(value).is_ok() => value.to_string(),
        _ => format!("{value}LL"),
    }
}

pub fn unsigned(value: u64) -> String {
    match value {
        _ if i32::try_from(value).is_ok() => value.to_string(),
        _ if u32::try_from(value).is_ok() => format!("{value}u"),
        _ => format!("{value}uLL"),
    }
}

/// A number of more than 64 bits.
pub fn wide(low: u64, high: u64) -> String {
    format!("((unsigned __int128){high}uLL << 64 | {low}uLL)")
}

/// A literal of these bytes; a zero follows, as always. Long ones are several lines, and long runs of one byte are counted.
pub fn string(bytes: &[u8]) -> String {
    let mut lines = Vec::new();
    let mut plain = 0;
    let mut at = 0;
    for run in bytes.chunk_by(|a, b| a == b) {
        if run.len() > LINE_LEN {
            lines.extend(bytes[plain..at].chunks(LINE_LEN).map(quoted));
            lines.push(repeated(run));
            plain = at + run.len();
        }
        at += run.len();
    }
    lines.extend(bytes[plain..].chunks(LINE_LEN).map(quoted));
    if lines.is_empty() { quoted(b"") } else { lines.join("\n      ") }
}

fn quoted(bytes: &[u8]) -> String {
    format!("\"{}\"", bytes.iter().map(|&byte| escaped(byte)).collect::<String>())
}

/// A run of one byte by the digits of its length: 1 019 are `spelunk_x1000("x") spelunk_x10("x") "xxxxxxxxx"`.
fn repeated(run: &[u8]) -> String {
    let part = |times: usize| {
        let count = if times == MOST_TIMES { run.len() / times } else { run.len() / times % 10 };
        let part = quoted(&run[..count]);
        (count > 0).then(|| if times == 1 { part } else { format!("spelunk_x{times}({part})") })
    };
    [MOST_TIMES, 1_000, 100, 10, 1].into_iter().filter_map(part).collect::<Vec<_>>().join(" ")
}

/// A literal of these bytes but for the zeros at their end.
pub fn start(bytes: &[u8]) -> String {
    string(&bytes[..bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1)])
}

/// A float of a width that C has; the bits of a `long double` are the lowest 80.
pub fn float(bits: u128, n_bits: u32) -> Option<String> {
    match n_bits {
        32 => {
            let value = f32::from_bits(bits as u32);
            let special = || format!("spelunk_float_of(0x{:08x}u)", bits as u32);
            Some(if value.is_finite() {
                format!("{}f", finite(f64::from(value), &format!("{value:?}")))
            } else {
                special()
            })
        }
        64 => {
            let value = f64::from_bits(bits as u64);
            let special = || format!("spelunk_double_of(0x{:016x}uLL)", bits as u64);
            Some(if value.is_finite() { finite(value, &format!("{value:?}")) } else { special() })
        }
        80 | 96 | 128 => long_double(bits),
        _ => None,
    }
}

/// In decimal if that is short, which is exact too since it is the shortest that means this number.
fn finite(value: f64, decimal: &str) -> String {
    const SHORT: usize = 8;
    if decimal.len() <= SHORT {
        return decimal.to_owned();
    }
    let bits = value.to_bits();
    let (sign, exponent, fraction) = (bits >> 63, (bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    let (lead, exponent) = if exponent == 0 { (0, -1022) } else { (1, exponent - 1023) };
    let mut text = format!("{}0x{lead}", if sign == 1 { "-" } else { "" });
    if fraction != 0 {
        let digits = format!("{fraction:013x}");
        write!(text, ".{}", digits.trim_end_matches('0')).expect("a string grows");
    }
    format!("{text}p{exponent}")
}

/// x87's format has the leading bit of its fraction written out.
fn long_double(bits: u128) -> Option<String> {
    let (fraction, exponent) = (bits as u64, (bits >> 64) as i32 & 0x7fff);
    let sign = if bits >> 79 & 1 == 1 { "-" } else { "" };
    match exponent {
        0x7fff => None,
        _ if fraction == 0 => Some(format!("{sign}0.0L")),
        _ => Some(format!("{sign}0x{fraction:x}p{}L", exponent.max(1) - 16383 - 63)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_numbers_are_differences() {
        assert_eq!(signed(0x8000_0000, 32), "(-2147483647 - 1)");
        assert_eq!(signed(1 << 63, 64), "(-9223372036854775807LL - 1)");
        assert_eq!(signed(0xff, 8), "-1");
        assert_eq!(signed(5, 3), "-3");
        assert_eq!(signed(1 << 40, 64), "1099511627776LL");
        assert_eq!(unsigned(0xffff_ffff), "4294967295u");
        assert_eq!(unsigned(u64::MAX), "18446744073709551615uLL");
    }

    #[test]
    fn floats_are_exact() {
        assert_eq!(float(0.5f64.to_bits().into(), 64).unwrap(), "0.5");
        assert_eq!(float((-0.0f64).to_bits().into(), 64).unwrap(), "-0.0");
        assert_eq!(float((1.0f64 / 3.0).to_bits().into(), 64).unwrap(), "0x1.5555555555555p-2");
        assert_eq!(float(1, 64).unwrap(), "5e-324");
        assert_eq!(float(0x000f_ffff_ffff_ffff, 64).unwrap(), "0x0.fffffffffffffp-1022");
        assert_eq!(float(u128::from((1.0f32 / 3.0).to_bits()), 32).unwrap(), "0x1.555556p-2f");
        assert_eq!(float(f64::INFINITY.to_bits().into(), 64).unwrap(), "spelunk_double_of(0x7ff0000000000000uLL)");
        assert_eq!(float(u128::from(f32::NAN.to_bits()), 32).unwrap(), "spelunk_float_of(0x7fc00000u)");
        assert_eq!(float(0x3fff_8000_0000_0000_0000, 128).unwrap(), "0x8000000000000000p-63L");
        assert_eq!(float(0x7fff_8000_0000_0000_0000, 128), None);
    }

    #[test]
    fn long_runs_are_counted() {
        let text = [&b"ab"[..], &[b'x'; 1019], b"c"].concat();
        assert_eq!(string(&text), "\"ab\"\n      spelunk_x1000(\"x\") spelunk_x10(\"x\") \"xxxxxxxxx\"\n      \"c\"");
        assert_eq!(string(&[b'x'; 120_000]), "spelunk_x10000(\"xxxxxxxxxxxx\")");
    }

    #[test]
    fn characters_that_mean_something_else_are_escaped() {
        assert_eq!(string(b"a\"\\\n?\x01\xff7"), "\"a\\\"\\\\\\n\\?\\001\\3777\"");
        assert_eq!(string(b""), "\"\"");
        assert_eq!(string(&b"ab".repeat(33)).lines().count(), 2);
    }
}
