//! Floating-point values to and from text: printf's digits, strtod's reading, LLVM's constants.

use proptest::prelude::*;
use spelunk_bv::float::{self, DecimalStyle, FBits, FloatKind, ParseFloatError, Range};

const DOUBLE: FloatKind = FloatKind::Double;
const X87: FloatKind = FloatKind::X86Fp80;

fn scientific(kind: FloatKind, a: FBits, precision: usize) -> String {
    let decimal = float::to_decimal(kind, a, DecimalStyle::Significant(precision + 1)).expect("finite");
    let (leading, rest) = decimal.digits.split_at(1);
    let point = if rest.is_empty() { "" } else { "." };
    format!("{leading}{point}{rest}e{}", decimal.exponent)
}

fn fixed(kind: FloatKind, a: FBits, precision: usize) -> String {
    let decimal = float::to_decimal(kind, a, DecimalStyle::Fraction(precision)).expect("finite");
    let (whole, fraction) = decimal.digits.split_at(decimal.exponent as usize + 1);
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{whole}{point}{fraction}")
}

fn hexadecimal(kind: FloatKind, a: FBits, precision: Option<usize>) -> String {
    let hex = float::to_hex(kind, a, precision).expect("finite");
    let point = if hex.digits.is_empty() { "" } else { "." };
    format!("0x{}{point}{}p{:+}", hex.leading, hex.digits, hex.exponent)
}

fn finite() -> impl Strategy<Value = f64> {
    let near_integers = (any::<i32>(), 0u32..20).prop_map(|(x, shift)| x as f64 / (1u64 << shift) as f64);
    let any_finite = any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |x| x.is_finite());
    prop_oneof![any_finite, near_integers].prop_map(f64::abs)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn digits_are_those_of_the_standard_library(x in finite(), precision in 0usize..40) {
        prop_assert_eq!(scientific(DOUBLE, x.to_bits() as FBits, precision), format!("{x:.precision$e}"));
        prop_assert_eq!(fixed(DOUBLE, x.to_bits() as FBits, precision), format!("{x:.precision$}"));
        let wider = float::convert(DOUBLE, X87, x.to_bits() as FBits);
        prop_assert_eq!(scientific(X87, wider, precision), format!("{x:.precision$e}"));
    }

    #[test]
    fn decimals_are_read_like_the_standard_library_does(
        digits in "[0-9]{1,30}(\\.[0-9]{0,30})?", exponent in -340i32..320
    ) {
        let text = format!("{digits}e{exponent}");
        let expected: f64 = text.parse().expect("a number");
        let scanned = float::scan(DOUBLE, text.as_bytes()).expect("a number");
        prop_assert_eq!((scanned.bits as u64, scanned.len), (expected.to_bits(), text.len()));
        // The formats without host arithmetic take the other way; a double has at most 17 digits.
        let wider = float::parse(FloatKind::Fp128, &format!("{expected:e}")).expect("a number or inf");
        prop_assert_eq!(float::convert(FloatKind::Fp128, DOUBLE, wider) as u64, expected.to_bits());
    }

    #[test]
    fn enough_digits_lead_back(significand in any::<u64>(), field in 0u128..0x7fff) {
        let integer_bit = if field == 0 { 0 } else { 1u64 << 63 };
        let a = field << 64 | (significand >> 1 | integer_bit) as FBits;
        prop_assert_eq!(float::parse(X87, &scientific(X87, a, 20)), Ok(a));
        prop_assert_eq!(float::parse(X87, &hexadecimal(X87, a, None)), Ok(a));
    }

    #[test]
    fn llvm_constants_lead_back(bits in any::<u128>()) {
        for kind in FloatKind::ALL {
            let a = if kind.bits() == 128 { bits } else { bits & ((1 << kind.bits()) - 1) };
            let text = float::to_llvm_literal(kind, a);
            prop_assert_eq!(float::from_llvm_literal(kind, &text), Ok(a), "{} {}", kind, text);
        }
    }
}

/// As glibc's printf has them.
#[test]
fn known_digits() {
    let smallest: FBits = 1;
    assert_eq!(scientific(X87, smallest, 20), "3.64519953188247460253e-4951");
    let largest: FBits = 0x7ffe_ffff_ffff_ffff_ffff;
    assert_eq!(scientific(X87, largest, 5), "1.18973e4932");
    assert_eq!(fixed(X87, largest, 0).len(), 4933);
    let double = |x: f64| x.to_bits() as FBits;
    assert_eq!(fixed(DOUBLE, double(0.5), 0), "0");
    assert_eq!(fixed(DOUBLE, double(1.5), 0), "2");
    assert_eq!(fixed(DOUBLE, double(2.5), 0), "2");
    assert_eq!(scientific(DOUBLE, double(9.5), 0), "1e1");
    assert_eq!(scientific(DOUBLE, double(0.0), 3), "0.000e0");
    let long = fixed(DOUBLE, double(0.1), 3000);
    assert!(long.starts_with("0.1000000000000000055511151231257827") && long.len() == 3002 && long.ends_with("000"));
    assert_eq!(float::to_decimal(DOUBLE, double(f64::NAN), DecimalStyle::Significant(3)), None);
    assert_eq!(float::to_hex(X87, float::infinity(X87), None), None);
}

/// As glibc's `%a` and `%La` have them.
#[test]
fn known_hexadecimal_digits() {
    let double = |x: f64| x.to_bits() as FBits;
    assert_eq!(hexadecimal(DOUBLE, double(1.0), None), "0x1p+0");
    assert_eq!(hexadecimal(DOUBLE, double(0.1), None), "0x1.999999999999ap-4");
    assert_eq!(hexadecimal(DOUBLE, double(0.1), Some(2)), "0x1.9ap-4");
    assert_eq!(hexadecimal(DOUBLE, double(1.5), Some(0)), "0x2p+0");
    assert_eq!(hexadecimal(DOUBLE, double(2.5), Some(0)), "0x1p+1");
    assert_eq!(hexadecimal(DOUBLE, double(f64::from_bits(1)), None), "0x0.0000000000001p-1022");
    assert_eq!(hexadecimal(DOUBLE, 0, Some(3)), "0x0.000p+0");
    assert_eq!(hexadecimal(DOUBLE, double(1.0), Some(15)), "0x1.000000000000000p+0");
    assert_eq!(hexadecimal(X87, float::convert(DOUBLE, X87, double(1.0)), None), "0x8p-3");
    assert_eq!(hexadecimal(X87, 0x7ffe_ffff_ffff_ffff_ffff, Some(0)), "0x1p+16384");
    assert_eq!(hexadecimal(X87, 1, None), "0x0.000000000000001p-16385");
}

#[test]
fn scanning_stops_where_strtod_stops() {
    let len = |text: &str| float::scan(DOUBLE, text.as_bytes()).map(|scanned| scanned.len);
    for (text, expected) in [
        ("0x", 1),
        ("0x.", 1),
        ("0x.8", 4),
        ("0x1p", 3),
        ("0x1p+", 3),
        ("0x1p+3z", 6),
        ("1e", 1),
        ("1e+", 1),
        ("-.5", 3),
        ("+5.", 3),
        ("1.5.2", 3),
        ("infinit", 3),
        ("-Infinity!", 9),
        ("nan(", 3),
        ("nan(_1a)", 8),
        ("nan(-)", 3),
    ] {
        assert_eq!(len(text), Some(expected), "{text}");
    }
    for text in ["", "-", "+", ".", "e5", "++1", "in", "x", "- 1"] {
        assert_eq!(len(text), None, "{text}");
    }
    assert_eq!(float::parse(DOUBLE, "1 "), Err(ParseFloatError::Syntax("1 ".to_owned())));
    assert_eq!(float::parse(DOUBLE, "-nan(0x12)"), Ok(0xfff8_0000_0000_0012));
}

#[test]
fn ranges() {
    let scan = |kind, text: &str| float::scan(kind, text.as_bytes()).map(|scanned| (scanned.bits, scanned.range));
    let inf = float::infinity(DOUBLE);
    assert_eq!(scan(DOUBLE, "1e99999999999999999999"), Some((inf, Range::Overflow)));
    assert_eq!(scan(DOUBLE, "1.7976931348623159e308"), Some((inf, Range::Overflow)));
    assert_eq!(scan(DOUBLE, "0x1.fffffffffffff7ffffp1023"), Some((inf - 1, Range::Normal)));
    assert_eq!(scan(DOUBLE, "inf"), Some((inf, Range::Normal)));
    assert_eq!(scan(DOUBLE, "2.4703282292062327e-324"), Some((0, Range::Underflow)));
    assert_eq!(scan(DOUBLE, "2.4703282292062328e-324"), Some((1, Range::Underflow)));
    assert_eq!(scan(DOUBLE, "0x1p-1074"), Some((1, Range::Normal)));
    assert_eq!(scan(DOUBLE, "0e-99999999999999"), Some((0, Range::Normal)));
    assert_eq!(scan(X87, "1e-99999"), Some((0, Range::Underflow)));
    let halfway = format!("1.{}1", "0".repeat(30_000));
    assert_eq!(scan(X87, &halfway), Some((0x3fff_8000_0000_0000_0000, Range::Normal)));
    let above_halfway = format!("0x1.00000000000000010{}1", "0".repeat(1000));
    assert_eq!(scan(X87, &above_halfway), Some((0x3fff_8000_0000_0000_0001, Range::Normal)));
    let at_halfway = "0x1.0000000000000001";
    assert_eq!(scan(X87, at_halfway), Some((0x3fff_8000_0000_0000_0000, Range::Normal)));
}

#[test]
fn llvm_constants() {
    let read = float::from_llvm_literal;
    assert_eq!(read(DOUBLE, "1.000000e+00"), Ok(1f64.to_bits() as FBits));
    assert_eq!(read(DOUBLE, "-0.000000e+00"), Ok((-0f64).to_bits() as FBits));
    assert_eq!(read(FloatKind::Float, "0x3FB99999A0000000"), Ok(0.1f32.to_bits() as FBits));
    assert_eq!(read(FloatKind::Float, "0x7FF0000020000000"), Ok(0x7f80_0001), "a signaling NaN stays one");
    assert_eq!(read(FloatKind::Half, "1.500000e+00"), Ok(0x3e00));
    assert_eq!(read(FloatKind::Half, "0xH3C01"), Ok(0x3c01));
    assert_eq!(read(FloatKind::BFloat, "0xR3F81"), Ok(0x3f81));
    assert_eq!(read(X87, "0xK3FFF8000000000000000"), Ok(0x3fff_8000_0000_0000_0000));
    let two_and_a_bit = read(FloatKind::Fp128, "0xL00000000000000014000000000000000");
    assert_eq!(two_and_a_bit, Ok(0x4000_0000_0000_0000_0000_0000_0000_0001));
    assert_eq!(float::to_llvm_literal(DOUBLE, 1e22f64.to_bits() as FBits), "1.000000e+22");
    assert_eq!(float::to_llvm_literal(DOUBLE, 123456.7f64.to_bits() as FBits), "0x40FE240B33333333");
    assert_eq!(float::to_llvm_literal(DOUBLE, 1), "4.940660e-324");
    assert_eq!(float::to_llvm_literal(FloatKind::Float, 0.1f32.to_bits() as FBits), "0x3FB99999A0000000");

    assert!(matches!(read(FloatKind::Float, "0.1"), Err(ParseFloatError::Inexact { .. })));
    assert!(matches!(read(X87, "1.0"), Err(ParseFloatError::WrongKind { .. })));
    assert!(matches!(read(DOUBLE, "0xH3C00"), Err(ParseFloatError::WrongKind { .. })));
    for text in ["", "0x", "0xK", "0xé", "0x12345678901234567", "0x+1", "one"] {
        assert!(read(DOUBLE, text).is_err(), "{text}");
    }
}
