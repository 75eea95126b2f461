//! Native integers against their textbook definitions over unbounded (here: `i128`) integers: every pair of operands at
//! small widths, boundary values at the widths programs use.

use spelunk_bv::{BinOp, CmpOp, FunnelOp, OverflowOp, SatOp, UnOp, int, int128};

/// One width's reading of bit patterns as mathematical integers.
#[derive(Clone, Copy)]
struct Width(u32);

impl Width {
    fn modulus(self) -> i128 {
        1 << self.0
    }

    fn signed(self, a: i128) -> i128 {
        if a >= self.modulus() / 2 { a - self.modulus() } else { a }
    }

    fn wrap(self, exact: i128) -> i128 {
        exact.rem_euclid(self.modulus())
    }

    fn least(self) -> i128 {
        -(self.modulus() / 2)
    }

    fn clamp_signed(self, exact: i128) -> i128 {
        self.wrap(exact.clamp(self.least(), -self.least() - 1))
    }

    fn clamp_unsigned(self, exact: i128) -> i128 {
        exact.clamp(0, self.modulus() - 1)
    }

    /// Floor of `a / 2^b`, by halving.
    fn halved(self, a: i128, b: i128) -> i128 {
        (0..b.min(self.0 as i128)).fold(a, |a, _| a.div_euclid(2))
    }

    fn doubled(self, a: i128, b: i128) -> i128 {
        (0..b.min(self.0 as i128)).fold(a, |a, _| a * 2)
    }

    fn binop(self, op: BinOp, a: i128, b: i128) -> i128 {
        let (sa, sb) = (self.signed(a), self.signed(b));
        let bitwise = |f: fn(bool, bool) -> bool| {
            (0..self.0).map(|at| (f(a >> at & 1 == 1, b >> at & 1 == 1) as i128) << at).sum()
        };
        match op {
            BinOp::Add => self.wrap(a + b),
            BinOp::Sub => self.wrap(a - b),
            // By halves, as the product of two 64-bit numbers may not fit an `i128`.
            BinOp::Mul => self.wrap(self.wrap((a >> 32) * b) * (1 << 32) + (a & 0xffff_ffff) * b),
            BinOp::UDiv if b == 0 => self.modulus() - 1,
            BinOp::UDiv => a / b,
            BinOp::URem if b == 0 => a,
            BinOp::URem => a % b,
            BinOp::SDiv if b == 0 => self.wrap(if sa < 0 { 1 } else { -1 }),
            BinOp::SDiv => self.wrap(sa / sb),
            BinOp::SRem if b == 0 => a,
            BinOp::SRem => self.wrap(sa % sb),
            BinOp::Shl if b >= self.0 as i128 => 0,
            BinOp::Shl => self.wrap(a * (1 << (b / 2)) % self.modulus() * (1 << (b - b / 2))),
            BinOp::LShr => self.halved(a, b),
            BinOp::AShr => self.wrap(self.halved(sa, b)),
            BinOp::And => bitwise(|x, y| x && y),
            BinOp::Or => bitwise(|x, y| x || y),
            BinOp::Xor => bitwise(|x, y| x != y),
        }
    }

    fn icmp(self, op: CmpOp, a: i128, b: i128) -> bool {
        let (sa, sb) = (self.signed(a), self.signed(b));
        match op {
            CmpOp::Eq => a == b,
            CmpOp::Ne => a != b,
            CmpOp::Ugt => a > b,
            CmpOp::Uge => a >= b,
            CmpOp::Ult => a < b,
            CmpOp::Ule => a <= b,
            CmpOp::Sgt => sa > sb,
            CmpOp::Sge => sa >= sb,
            CmpOp::Slt => sa < sb,
            CmpOp::Sle => sa <= sb,
        }
    }

    fn overflows(self, op: OverflowOp, a: i128, b: i128) -> bool {
        let (sa, sb) = (self.signed(a), self.signed(b));
        let outside_unsigned = |exact: Option<i128>| exact.is_none_or(|exact| exact != self.clamp_unsigned(exact));
        let outside_signed = |exact: i128| exact < self.least() || exact >= -self.least();
        match op {
            OverflowOp::UAdd => outside_unsigned(Some(a + b)),
            OverflowOp::USub => outside_unsigned(Some(a - b)),
            OverflowOp::UMul => outside_unsigned(a.checked_mul(b)),
            OverflowOp::SAdd => outside_signed(sa + sb),
            OverflowOp::SSub => outside_signed(sa - sb),
            OverflowOp::SMul => outside_signed(sa * sb),
        }
    }

    fn sat(self, op: SatOp, a: i128, b: i128) -> i128 {
        let (sa, sb) = (self.signed(a), self.signed(b));
        match op {
            SatOp::UAddSat => self.clamp_unsigned(a + b),
            SatOp::SAddSat => self.clamp_signed(sa + sb),
            SatOp::USubSat => self.clamp_unsigned(a - b),
            SatOp::SSubSat => self.clamp_signed(sa - sb),
            SatOp::UShlSat => self.clamp_unsigned(self.doubled(a, b)),
            SatOp::SShlSat => self.clamp_signed(self.doubled(sa, b)),
            SatOp::UMin => a.min(b),
            SatOp::UMax => a.max(b),
            SatOp::SMin => self.wrap(sa.min(sb)),
            SatOp::SMax => self.wrap(sa.max(sb)),
        }
    }

    fn unop(self, op: UnOp, a: i128) -> i128 {
        let w = self.0;
        let bit = |at: u32| a >> at & 1;
        match op {
            UnOp::Ctpop => (0..w).map(bit).sum(),
            UnOp::Ctlz => (0..w).rev().take_while(|&at| bit(at) == 0).count() as i128,
            UnOp::Cttz => (0..w).take_while(|&at| bit(at) == 0).count() as i128,
            UnOp::Bswap => (0..w / 8).map(|byte| (a >> (8 * byte) & 0xff) << (w - 8 - 8 * byte)).sum(),
            UnOp::Bitreverse => (0..w).map(|at| bit(at) << (w - 1 - at)).sum(),
            UnOp::Abs => self.wrap(self.signed(a).abs()),
        }
    }

    /// Bit by bit from the concatenation.
    fn funnel(self, op: FunnelOp, a: i128, b: i128, c: i128) -> i128 {
        let w = self.0;
        let amount = (c % w as i128) as u32;
        let concatenated = |at: u32| if at < w { b >> at & 1 } else { a >> (at - w) & 1 };
        let lowest = match op {
            FunnelOp::Fshl => w - amount,
            FunnelOp::Fshr => amount,
        };
        (0..w).map(|at| concatenated(lowest + at) << at).sum()
    }
}

fn check_pair(w: u32, a: u64, b: u64) {
    let width = Width(w);
    let (x, y) = (a as i128, b as i128);
    let (wide_a, wide_b) = (a as u128, b as u128);
    for &op in BinOp::ALL {
        let expected = width.binop(op, x, y);
        assert_eq!(int::binop(op, w, a, b) as i128, expected, "{op} i{w} {a}, {b}");
        assert_eq!(int128::binop(op, w, wide_a, wide_b) as i128, expected, "{op} i{w} {a}, {b} in 128");
    }
    for &op in CmpOp::ALL {
        assert_eq!(int::icmp(op, w, a, b), width.icmp(op, x, y), "icmp {op} i{w} {a}, {b}");
        assert_eq!(int128::icmp(op, w, wide_a, wide_b), width.icmp(op, x, y), "icmp {op} i{w} {a}, {b} in 128");
    }
    for &op in OverflowOp::ALL {
        let expected = width.overflows(op, x, y);
        assert_eq!(int::overflows(op, w, a, b), expected, "{op} overflow i{w} {a}, {b}");
        assert_eq!(int128::overflows(op, w, wide_a, wide_b), expected, "{op} overflow i{w} {a}, {b} in 128");
    }
    for &op in SatOp::ALL {
        // The definition by doubling would leave an i128.
        if matches!(op, SatOp::UShlSat | SatOp::SShlSat) && w > 62 {
            continue;
        }
        assert_eq!(int::sat(op, w, a, b) as i128, width.sat(op, x, y), "{op} i{w} {a}, {b}");
    }
    for &op in FunnelOp::ALL {
        for c in [0, 1, b, w as u64 - 1, int::trunc(w, w as u64 + 1)] {
            let expected = width.funnel(op, x, y, c as i128);
            assert_eq!(int::funnel(op, w, a, b, c) as i128, expected, "{op} i{w} {a}, {b}, {c}");
        }
    }
}

fn check_one(w: u32, a: u64) {
    let width = Width(w);
    for &op in UnOp::ALL {
        if op != UnOp::Bswap || w.is_multiple_of(8) {
            assert_eq!(int::unop(op, w, a) as i128, width.unop(op, a as i128), "{op} i{w} {a}");
        }
    }
    assert_eq!(int::sext(w, a) as i128, width.signed(a as i128), "sext i{w} {a}");
    for to in w..=64 {
        assert_eq!(int::sext_to(w, to, a) as i128, Width(to).wrap(width.signed(a as i128)), "sext i{w} {a} to i{to}");
    }
    for to in 1..=w {
        assert_eq!(int::trunc(to, a) as i128, Width(to).wrap(a as i128), "trunc i{w} {a} to i{to}");
    }
}

#[test]
fn every_pair_at_small_widths() {
    for w in 1..=6 {
        for a in 0..1 << w {
            check_one(w, a);
            for b in 0..1 << w {
                check_pair(w, a, b);
            }
        }
    }
}

#[test]
fn boundaries_at_larger_widths() {
    for w in [7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 47, 48, 62, 63, 64] {
        let mut values: Vec<u64> = [0, 1, w as u64 - 1, w as u64, w as u64 + 1, w as u64 / 2, w as u64 / 2 + 1]
            .into_iter()
            .chain([int::mask(w) >> 1, int::sign_bit(w), 0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210])
            .flat_map(|value| [value, value.wrapping_sub(1), value.wrapping_neg()])
            .map(|value| int::trunc(w, value))
            .collect();
        values.sort_unstable();
        values.dedup();
        for &a in &values {
            check_one(w, a);
            for &b in &values {
                check_pair(w, a, b);
            }
        }
    }
}

#[test]
fn shl_sat_at_native_width() {
    assert_eq!(int::ushl_sat(64, 1, 63), 1 << 63);
    assert_eq!(int::ushl_sat(64, 3, 63), u64::MAX);
    assert_eq!(int::ushl_sat(64, 1, 64), u64::MAX);
    assert_eq!(int::ushl_sat(64, 0, 64), 0);
    assert_eq!(int::sshl_sat(64, 1, 63), i64::MAX as u64);
    assert_eq!(int::sshl_sat(64, 1, 62), 1 << 62);
    assert_eq!(int::sshl_sat(64, u64::MAX, 63), 1 << 63);
    assert_eq!(int::sshl_sat(64, u64::MAX, 64), 1 << 63);
}
