//! Arithmetic on little-endian limbs of equal count, modulo the limbs' capacity: callers cut results to the width.
//!
//! Nothing here knows of signs, except [`ashr`], which needs the width to find the sign bit.

use std::cmp::Ordering;

/// Zeroes the bits from `w` on.
pub(crate) fn clear_unused(w: u32, out: &mut [u64]) {
    let first = (w / 64) as usize;
    if let Some(limb) = out.get_mut(first) {
        *limb &= (1 << (w % 64)) - 1;
        out[first + 1..].fill(0);
    }
}

/// Sets the bits from `w` on.
pub(crate) fn set_from(w: u32, out: &mut [u64]) {
    let first = (w / 64) as usize;
    if let Some(limb) = out.get_mut(first) {
        *limb |= u64::MAX << (w % 64);
        out[first + 1..].fill(u64::MAX);
    }
}

pub(crate) fn bit(a: &[u64], at: u32) -> bool {
    a[(at / 64) as usize] >> (at % 64) & 1 != 0
}

pub(crate) fn bit_length(a: &[u64]) -> u32 {
    match a.iter().rposition(|&limb| limb != 0) {
        Some(top) => 64 * (top as u32 + 1) - a[top].leading_zeros(),
        None => 0,
    }
}

pub(crate) fn trailing_zeros(a: &[u64]) -> Option<u32> {
    let lowest = a.iter().position(|&limb| limb != 0)?;
    Some(64 * lowest as u32 + a[lowest].trailing_zeros())
}

pub(crate) fn compare(a: &[u64], b: &[u64]) -> Ordering {
    a.iter().rev().cmp(b.iter().rev())
}

pub(crate) fn zip(a: &[u64], b: &[u64], out: &mut [u64], f: impl Fn(u64, u64) -> u64) {
    for ((out, &x), &y) in out.iter_mut().zip(a).zip(b) {
        *out = f(x, y);
    }
}

pub(crate) fn add(a: &[u64], b: &[u64], out: &mut [u64]) {
    let mut carry = 0;
    for ((out, &x), &y) in out.iter_mut().zip(a).zip(b) {
        let sum = x as u128 + y as u128 + carry;
        *out = sum as u64;
        carry = sum >> 64;
    }
}

pub(crate) fn sub(a: &[u64], b: &[u64], out: &mut [u64]) {
    out.copy_from_slice(a);
    sub_assign(out, b);
}

fn sub_assign(a: &mut [u64], b: &[u64]) {
    let mut borrow = false;
    for (x, &y) in a.iter_mut().zip(b) {
        let (difference, below) = x.overflowing_sub(y);
        let (difference, below_by_borrow) = difference.overflowing_sub(borrow as u64);
        *x = difference;
        borrow = below | below_by_borrow;
    }
}

pub(crate) fn mul(a: &[u64], b: &[u64], out: &mut [u64]) {
    out.fill(0);
    for (i, &x) in a.iter().enumerate() {
        let mut carry = 0;
        for (out, &y) in out[i..].iter_mut().zip(b) {
            let sum = x as u128 * y as u128 + *out as u128 + carry;
            *out = sum as u64;
            carry = sum >> 64;
        }
    }
}

/// Long division, one bit a step. A zero divisor yields all ones and the dividend.
pub(crate) fn divide(a: &[u64], b: &[u64], quotient: &mut [u64], remainder: &mut [u64]) {
    quotient.fill(0);
    remainder.fill(0);
    if b.iter().all(|&limb| limb == 0) {
        quotient.fill(u64::MAX);
        remainder.copy_from_slice(a);
        return;
    }
    for at in (0..bit_length(a)).rev() {
        let mut carry = bit(a, at) as u64;
        for limb in remainder.iter_mut() {
            let shifted_out = *limb >> 63;
            *limb = *limb << 1 | carry;
            carry = shifted_out;
        }
        // A set carry is the remainder's bit beyond the limbs, so it exceeds any divisor.
        if carry != 0 || compare(remainder, b).is_ge() {
            sub_assign(remainder, b);
            quotient[(at / 64) as usize] |= 1 << (at % 64);
        }
    }
}

/// The remainder by a small divisor.
pub(crate) fn remainder(a: &[u64], divisor: u32) -> u32 {
    let fold = |high: u128, &limb: &u64| (high << 64 | limb as u128) % divisor as u128;
    a.iter().rev().fold(0, fold) as u32
}

pub(crate) fn shl(a: &[u64], amount: u32, out: &mut [u64]) {
    let (whole, part) = ((amount / 64) as usize, amount % 64);
    let limb_below = |i: usize, below: usize| i.checked_sub(whole + below).map_or(0, |from| a[from]);
    for (i, out) in out.iter_mut().enumerate() {
        *out = funnel_left(limb_below(i, 0), limb_below(i, 1), part);
    }
}

pub(crate) fn lshr(a: &[u64], amount: u32, out: &mut [u64]) {
    let (whole, part) = ((amount / 64) as usize, amount % 64);
    let limb_at = |i: usize| a.get(i).copied().unwrap_or(0);
    for (i, out) in out.iter_mut().enumerate() {
        let (high, low) = (limb_at(i + whole + 1), limb_at(i + whole));
        *out = if part == 0 { low } else { funnel_left(high, low, 64 - part) };
    }
}

/// The high limb of `high:low` shifted left by less than a limb.
fn funnel_left(high: u64, low: u64, amount: u32) -> u64 {
    (((high as u128) << 64 | low as u128) << amount >> 64) as u64
}

pub(crate) fn ashr(w: u32, a: &[u64], amount: u32, out: &mut [u64]) {
    lshr(a, amount, out);
    if bit(a, w - 1) {
        set_from(w.saturating_sub(amount), out);
    }
}

/// Turns `a` around: the last limb first, each turned by `turn`, and moved down to bit 0.
pub(crate) fn reverse(w: u32, a: &[u64], turn: impl Fn(u64) -> u64, out: &mut [u64]) {
    let turned: Vec<u64> = a.iter().rev().map(|&limb| turn(limb)).collect();
    lshr(&turned, 64 * a.len() as u32 - w, out);
}
