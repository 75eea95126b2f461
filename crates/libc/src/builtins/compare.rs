//! Comparisons of <string.h> and <strings.h>. Their results are differences of bytes, as glibc's are on x86-64.

use super::area::{self, UNBOUNDED};
use super::{Answer, words};
use spelunk_vm::{Flow, Machine, Slot, Stop, Vm};
use std::cmp::Ordering;

/// What a function that returns `int` returns.
fn int(value: i32) -> Answer {
    Ok(Flow::value(u64::from(value as u32)))
}

fn difference(a: u8, b: u8) -> i32 {
    i32::from(a) - i32::from(b)
}

pub fn memcmp<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [a, b, n] = words(vm, args)?;
    if n == 0 {
        return int(0);
    }
    let left = vm.checked(vm.memory.bytes(a, n), "read")?;
    let right = vm.checked(vm.memory.bytes(b, n), "read")?;
    let at = if left == right { None } else { left.iter().zip(right).position(|(x, y)| x != y) };
    let result = at.map_or(0, |at| difference(left[at], right[at]));
    check_compared(vm, a, b, at.map_or(n, |at| at as u64 + 1))?;
    int(result)
}

fn check_compared<M: Machine>(vm: &mut Vm<'_, M>, a: u64, b: u64, n: u64) -> Result<(), Stop> {
    vm.use_bytes(a, n, "the first data compared")?;
    vm.use_bytes(b, n, "the second data compared")
}

pub fn strcmp<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [a, b] = words(vm, args)?;
    compare_strings(vm, a, b, UNBOUNDED, |byte| byte)
}

pub fn strncmp<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [a, b, n] = words(vm, args)?;
    compare_strings(vm, a, b, n, |byte| byte)
}

pub fn strcasecmp<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [a, b] = words(vm, args)?;
    compare_strings(vm, a, b, UNBOUNDED, |byte| byte.to_ascii_lowercase())
}

pub fn strncasecmp<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [a, b, n] = words(vm, args)?;
    compare_strings(vm, a, b, n, |byte| byte.to_ascii_lowercase())
}

/// Compares up to the end of a string, the first difference, or `max` bytes, whichever comes first.
fn compare_strings<M: Machine>(vm: &mut Vm<'_, M>, a: u64, b: u64, max: u64, fold: impl Fn(u8) -> u8) -> Answer {
    if max == 0 {
        return int(0);
    }
    area::check_read(vm, a, 1)?;
    area::check_read(vm, b, 1)?;
    let left = vm.checked(vm.memory.bytes_to_end(a), "read")?;
    let right = vm.checked(vm.memory.bytes_to_end(b), "read")?;
    let n_there = left.len().min(right.len()).min(usize::try_from(max).unwrap_or(usize::MAX));
    let mut pairs = left[..n_there].iter().zip(&right[..n_there]).map(|(&x, &y)| (fold(x), fold(y)));
    let Some(at) = pairs.position(|(x, y)| x != y || x == 0) else {
        let n_there = n_there as u64;
        check_compared(vm, a, b, n_there)?;
        if n_there < max {
            area::check_read(vm, a.wrapping_add(n_there), 1)?;
            area::check_read(vm, b.wrapping_add(n_there), 1)?;
        }
        return int(0);
    };
    let result = difference(fold(left[at]), fold(right[at]));
    check_compared(vm, a, b, at as u64 + 1)?;
    int(result)
}

/// In the C locale, a string is its own transformation.
pub fn strxfrm<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [dst, src, size] = words(vm, args)?;
    let len = area::string_len(vm, src)?;
    area::copy(vm, dst, src, size.min(len + 1))?;
    Ok(Flow::value(len))
}

pub fn strverscmp<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [a, b] = words(vm, args)?;
    let (left, right) = (area::string(vm, a)?, area::string(vm, b)?);
    int(compare_versions(&left, &right))
}

/// Numbers inside the names compare by value; those that begin with a zero are fractions and compare digit by digit.
fn compare_versions(a: &[u8], b: &[u8]) -> i32 {
    let byte_at = |text: &[u8], at: usize| text.get(at).copied().unwrap_or(0);
    let Some(at) = (0..a.len().max(b.len())).find(|&i| byte_at(a, i) != byte_at(b, i)) else { return 0 };
    let (x, y) = (byte_at(a, at), byte_at(b, at));
    let by_byte = difference(x, y);
    let number_start = a[..at].iter().rposition(|byte| !byte.is_ascii_digit()).map_or(0, |before| before + 1);
    let common_digits = &a[number_start..at];
    let is_fraction = match common_digits.first() {
        Some(&first) => first == b'0',
        None => x == b'0' || y == b'0',
    };
    if is_fraction {
        // Only zeros so far: more zeros make it smaller, and a digit that follows them makes it smaller than none.
        let only_zeros = common_digits.iter().all(|&byte| byte == b'0');
        return match (x.is_ascii_digit(), y.is_ascii_digit()) {
            (true, false) if only_zeros && !common_digits.is_empty() => -1,
            (false, true) if only_zeros && !common_digits.is_empty() => 1,
            _ => by_byte,
        };
    }
    if common_digits.is_empty() && !(x.is_ascii_digit() && y.is_ascii_digit()) {
        return by_byte;
    }
    let n_digits = |text: &[u8]| text[at.min(text.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    match n_digits(a).cmp(&n_digits(b)) {
        Ordering::Less => -1,
        Ordering::Greater => 1,
        Ordering::Equal => by_byte,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions() {
        let cases: [(&str, &str, Ordering); 12] = [
            ("no digit", "no digit", Ordering::Equal),
            ("item#99", "item#100", Ordering::Less),
            ("alpha1", "alpha001", Ordering::Greater),
            ("part1_f012", "part1_f01", Ordering::Greater),
            ("foo.009", "foo.0", Ordering::Less),
            ("000", "00", Ordering::Less),
            ("00", "01", Ordering::Less),
            ("01", "010", Ordering::Less),
            ("010", "09", Ordering::Less),
            ("09", "0", Ordering::Less),
            ("0", "1", Ordering::Less),
            ("9", "10", Ordering::Less),
        ];
        for (a, b, expected) in cases {
            assert_eq!(compare_versions(a.as_bytes(), b.as_bytes()).cmp(&0), expected, "{a} {b}");
            assert_eq!(compare_versions(b.as_bytes(), a.as_bytes()).cmp(&0), expected.reverse(), "{b} {a}");
        }
    }
}
