//! Digits of floating-point numbers for printf and strtod.

use super::area;
use super::{Answer, words};
use spelunk_bv::float::{self, DecimalStyle, FBits, FloatKind};
use spelunk_vm::{Flow, Machine, Slot, Stop, Vm};

/// `(buffer, capacity, value, conversion, precision)`
pub fn format_double<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [buffer, capacity, bits, conversion, precision] = words(vm, args)?;
    let text = digits(FloatKind::Double, FBits::from(bits), conversion as u8, precision as i32);
    put(vm, buffer, capacity, &text)
}

/// The same for a long double, which takes two slots.
pub fn format_long_double<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [buffer, capacity, low, high, conversion, precision] = words(vm, args)?;
    let text = digits(FloatKind::X86Fp80, long_double(low, high), conversion as u8, precision as i32);
    put(vm, buffer, capacity, &text)
}

/// `(magnitude, base)`
pub fn count_digits<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [magnitude, base] = words(vm, args)?;
    let digits = std::iter::successors(Some(magnitude), |rest| Some(rest / (base & 0xff)));
    Ok(Flow::value(digits.skip(1).take_while(|&rest| rest != 0).count() as u64 + 1))
}

/// `(magnitude, base, place, ten)`
pub fn digit<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [magnitude, base, place, ten] = words(vm, args)?;
    let base = base & 0xff;
    let power = u32::try_from(place).ok().and_then(|place| base.checked_pow(place));
    let digit = power.map_or(0, |power| magnitude / power % base);
    Ok(Flow::value(if digit < 10 { u64::from(b'0') + digit } else { (ten & 0xff) + digit - 10 }))
}

/// Only where expressions are there it is known that a text was printed.
pub fn printed<M: Machine>(_vm: &mut Vm<'_, M>, _args: &[Slot]) -> Answer {
    Ok(Flow::value(0))
}

/// The bits of a long double from its slots.
pub(super) fn long_double(low: u64, high: u64) -> FBits {
    FBits::from(high as u16) << 64 | FBits::from(low)
}

/// Writes what fits; the result is the length of all.
fn put<M: Machine>(vm: &mut Vm<'_, M>, buffer: u64, capacity: u64, text: &str) -> Answer {
    let room = usize::try_from(capacity).unwrap_or(usize::MAX);
    area::write(vm, buffer, &text.as_bytes()[..text.len().min(room)])?;
    Ok(Flow::value(text.len() as u64))
}

/// The magnitude as `%e`, `%f` or `%a` prints it. A negative precision stands for the default.
fn digits(kind: FloatKind, bits: FBits, conversion: u8, precision: i32) -> String {
    if float::is_nan(kind, bits) {
        return "nan".to_owned();
    }
    let given = usize::try_from(precision).ok();
    let n_digits = given.unwrap_or(6);
    let text = match conversion {
        b'a' => float::to_hex(kind, bits, given)
            .map(|hex| format!("0x{}p{:+}", with_point(&hex.leading.to_string(), &hex.digits), hex.exponent)),
        b'e' => float::to_decimal(kind, bits, DecimalStyle::Significant(n_digits.saturating_add(1))).map(|decimal| {
            let (leading, rest) = decimal.digits.split_at(1);
            let sign = if decimal.exponent < 0 { '-' } else { '+' };
            format!("{}e{sign}{:02}", with_point(leading, rest), decimal.exponent.unsigned_abs())
        }),
        _ => float::to_decimal(kind, bits, DecimalStyle::Fraction(n_digits)).map(|decimal| {
            let (whole, fraction) = decimal.digits.split_at(decimal.digits.len() - n_digits);
            with_point(whole, fraction)
        }),
    };
    text.unwrap_or_else(|| "inf".to_owned())
}

fn with_point(whole: &str, fraction: &str) -> String {
    if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") }
}

/// `(text, length)`
pub fn parse_float<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    Ok(Flow::wide(parse(vm, args, FloatKind::Float)?))
}

pub fn parse_double<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    Ok(Flow::wide(parse(vm, args, FloatKind::Double)?))
}

pub fn parse_long_double<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    Ok(Flow::wide(parse(vm, args, FloatKind::X86Fp80)?))
}

fn parse<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot], kind: FloatKind) -> Result<FBits, Stop> {
    let [text, len] = words(vm, args)?;
    let text = area::read(vm, text, len, "the number")?;
    Ok(float::scan(kind, &text).map_or(float::zero(kind), |scanned| scanned.bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: f64, conversion: u8, precision: i32, expected: &str) {
        assert_eq!(digits(FloatKind::Double, FBits::from(value.to_bits()), conversion, precision), expected);
    }

    #[test]
    fn conversions() {
        check(0.0, b'e', 6, "0.000000e+00");
        check(1234.5678, b'e', 2, "1.23e+03");
        check(9.96e-101, b'e', 1, "1.0e-100");
        check(0.5, b'f', 0, "0");
        check(1.5, b'f', 0, "2");
        check(-2.675, b'f', 2, "2.67");
        check(1e22, b'f', -1, "10000000000000000000000.000000");
        check(1.0, b'a', -1, "0x1p+0");
        check(0.1, b'a', 3, "0x1.99ap-4");
        check(f64::NEG_INFINITY, b'e', 6, "inf");
        check(f64::NAN, b'a', 6, "nan");
    }
}
