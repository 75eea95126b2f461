//! From an exact value to the nearest floating-point value: the one place that rounds.

use num_bigint::BigUint;

use super::format::{FBits, FloatKind, assemble, infinity};

/// A magnitude to be rounded: `significand * 2^exponent`, plus something smaller than one unit of the significand's
/// last place if `sticky`. A sticky significand must have at least two bits more than the target's precision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exact {
    pub significand: u128,
    pub exponent: i32,
    pub sticky: bool,
}

pub(super) struct Rounded {
    pub bits: FBits,
    pub inexact: bool,
}

impl Exact {
    pub fn new(significand: u128, exponent: i32) -> Self {
        Exact { significand, exponent, sticky: false }
    }

    /// Keeps the high 128 bits of a large significand.
    pub fn from_big(significand: &BigUint, exponent: i32) -> Self {
        let excess = significand.bits().saturating_sub(128);
        let high = (significand >> excess).iter_u64_digits().rev().fold(0, |high, limb| high << 64 | limb as u128);
        let sticky = excess > 0 && significand.trailing_zeros().is_some_and(|zeros| zeros < excess);
        Exact { significand: high, exponent: exponent + excess as i32, sticky }
    }

    /// The positive value nearest to this, ties to even.
    pub fn round(self, kind: FloatKind) -> Rounded {
        let Exact { significand, exponent, sticky } = self;
        if significand == 0 {
            return Rounded { bits: 0, inexact: sticky };
        }
        let precision = kind.precision() as i32;
        let leading = exponent + significand.ilog2() as i32;
        let mut last_place = leading.max(kind.min_exponent()) - (precision - 1);
        let (mut kept, remainder, half) = split(significand, last_place - exponent);
        let up = remainder > half || remainder == half && (sticky || kept & 1 != 0);
        let inexact = sticky || remainder != 0;
        if up && half != 0 {
            kept += 1;
        }
        if kept >> precision != 0 {
            kept >>= 1;
            last_place += 1;
        }
        let leading = last_place + precision - 1;
        if leading > kind.max_exponent() {
            return Rounded { bits: infinity(kind), inexact: true };
        }
        let field = if kept & kind.integer_bit() == 0 { 0 } else { (leading + kind.max_exponent()) as u32 };
        Rounded { bits: assemble(kind, 0, field, kept), inexact }
    }
}

/// Drops `count` low bits (adds zeros if negative): what is left, what was dropped, and half a unit of what is left,
/// which is zero if nothing was dropped. A `count` beyond 128 leaves nothing and drops less than half.
fn split(significand: u128, count: i32) -> (u128, u128, u128) {
    match count {
        ..=0 => (significand << -count, 0, 0),
        1..128 => (significand >> count, significand & ((1 << count) - 1), 1 << (count - 1)),
        128 => (0, significand, 1 << 127),
        _ => (0, 1, u128::MAX),
    }
}

/// Rounds with a sign.
pub(super) fn round_signed(kind: FloatKind, sign: FBits, exact: Exact) -> FBits {
    sign | exact.round(kind).bits
}
