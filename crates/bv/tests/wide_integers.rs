//! Limb arithmetic against big integers, at random widths on both sides of the native 128 bits.

use num_bigint::{BigInt, BigUint, Sign};
use proptest::prelude::*;
use spelunk_bv::{BinOp, CmpOp, FunnelOp, OverflowOp, SatOp, UnOp, wide};

fn to_big(a: &[u64]) -> BigInt {
    BigInt::from_biguint(Sign::Plus, a.iter().rev().fold(BigUint::ZERO, |high, &limb| (high << 64) + limb))
}

fn modulus(w: u32) -> BigInt {
    BigInt::from(1) << w
}

fn signed(w: u32, a: &[u64]) -> BigInt {
    let value = to_big(a);
    if value >= modulus(w - 1) { value - modulus(w) } else { value }
}

fn wrap(w: u32, exact: BigInt) -> Vec<u64> {
    let modulus = modulus(w);
    let value: BigInt = ((exact % &modulus) + &modulus) % modulus;
    let mut limbs = value.to_u64_digits().1;
    limbs.resize(wide::n_limbs(w), 0);
    limbs
}

fn small(a: &[u64], limit: u32) -> u32 {
    to_big(a).min(BigInt::from(limit)).try_into().expect("limited")
}

fn expected_binop(op: BinOp, w: u32, a: &[u64], b: &[u64]) -> Vec<u64> {
    let (x, y, sx, sy) = (to_big(a), to_big(b), signed(w, a), signed(w, b));
    let by_zero = b.iter().all(|&limb| limb == 0);
    wrap(
        w,
        match op {
            BinOp::Add => x + y,
            BinOp::Sub => x - y,
            BinOp::Mul => x * y,
            BinOp::UDiv if by_zero => BigInt::from(-1),
            BinOp::SDiv if by_zero => BigInt::from(if sx < BigInt::ZERO { 1 } else { -1 }),
            BinOp::URem | BinOp::SRem if by_zero => x,
            BinOp::UDiv => x / y,
            BinOp::SDiv => sx / sy,
            BinOp::URem => x % y,
            BinOp::SRem => sx % sy,
            BinOp::Shl => x << small(b, w),
            BinOp::LShr => x >> small(b, w),
            BinOp::AShr => sx >> small(b, w),
            BinOp::And => x & y,
            BinOp::Or => x | y,
            BinOp::Xor => x ^ y,
        },
    )
}

fn expected_order(op: CmpOp, w: u32, a: &[u64], b: &[u64]) -> bool {
    let (unsigned, signed) = (to_big(a).cmp(&to_big(b)), signed(w, a).cmp(&signed(w, b)));
    match op {
        CmpOp::Eq => unsigned.is_eq(),
        CmpOp::Ne => unsigned.is_ne(),
        CmpOp::Ugt => unsigned.is_gt(),
        CmpOp::Uge => unsigned.is_ge(),
        CmpOp::Ult => unsigned.is_lt(),
        CmpOp::Ule => unsigned.is_le(),
        CmpOp::Sgt => signed.is_gt(),
        CmpOp::Sge => signed.is_ge(),
        CmpOp::Slt => signed.is_lt(),
        CmpOp::Sle => signed.is_le(),
    }
}

fn clamp_signed(w: u32, exact: BigInt) -> BigInt {
    exact.clamp(-modulus(w - 1), modulus(w - 1) - 1)
}

fn clamp_unsigned(w: u32, exact: BigInt) -> BigInt {
    exact.clamp(BigInt::ZERO, modulus(w) - 1)
}

fn expected_overflow(op: OverflowOp, w: u32, a: &[u64], b: &[u64]) -> bool {
    let (x, y, sx, sy) = (to_big(a), to_big(b), signed(w, a), signed(w, b));
    match op {
        OverflowOp::UAdd => clamp_unsigned(w, &x + &y) != x + y,
        OverflowOp::USub => clamp_unsigned(w, &x - &y) != x - y,
        OverflowOp::UMul => clamp_unsigned(w, &x * &y) != x * y,
        OverflowOp::SAdd => clamp_signed(w, &sx + &sy) != sx + sy,
        OverflowOp::SSub => clamp_signed(w, &sx - &sy) != sx - sy,
        OverflowOp::SMul => clamp_signed(w, &sx * &sy) != sx * sy,
    }
}

fn expected_sat(op: SatOp, w: u32, a: &[u64], b: &[u64]) -> Vec<u64> {
    let (x, y, sx, sy) = (to_big(a), to_big(b), signed(w, a), signed(w, b));
    wrap(
        w,
        match op {
            SatOp::UAddSat => clamp_unsigned(w, x + y),
            SatOp::SAddSat => clamp_signed(w, sx + sy),
            SatOp::USubSat => clamp_unsigned(w, x - y),
            SatOp::SSubSat => clamp_signed(w, sx - sy),
            SatOp::UShlSat => clamp_unsigned(w, x << small(b, w)),
            SatOp::SShlSat => clamp_signed(w, sx << small(b, w)),
            SatOp::UMin => x.min(y),
            SatOp::UMax => x.max(y),
            SatOp::SMin => sx.min(sy),
            SatOp::SMax => sx.max(sy),
        },
    )
}

fn expected_unop(op: UnOp, w: u32, a: &[u64]) -> Vec<u64> {
    let x = to_big(a);
    let bits: Vec<bool> = (0..w as u64).map(|at| x.bit(at)).collect();
    let from_bits = |bits: &mut dyn Iterator<Item = bool>| {
        bits.enumerate().fold(BigInt::ZERO, |sum, (at, bit)| sum + (BigInt::from(bit as u8) << at))
    };
    wrap(
        w,
        match op {
            UnOp::Ctpop => BigInt::from(bits.iter().filter(|&&bit| bit).count()),
            UnOp::Ctlz => BigInt::from(bits.iter().rev().take_while(|&&bit| !bit).count()),
            UnOp::Cttz => BigInt::from(bits.iter().take_while(|&&bit| !bit).count()),
            UnOp::Bswap => from_bits(&mut bits.chunks(8).rev().flatten().copied()),
            UnOp::Bitreverse => from_bits(&mut bits.iter().rev().copied()),
            UnOp::Abs => BigInt::from_biguint(Sign::Plus, signed(w, a).magnitude().clone()),
        },
    )
}

fn expected_funnel(op: FunnelOp, w: u32, a: &[u64], b: &[u64], c: &[u64]) -> Vec<u64> {
    let amount: u32 = (to_big(c) % BigInt::from(w)).try_into().expect("less than the width");
    let concatenated = (to_big(a) << w) + to_big(b);
    wrap(
        w,
        match op {
            FunnelOp::Fshl => concatenated << amount >> w,
            FunnelOp::Fshr => concatenated >> amount,
        },
    )
}

/// Widths below, at and above the native one, on and off limb boundaries.
fn any_width() -> impl Strategy<Value = u32> {
    prop_oneof![65u32..=128, Just(128), 129u32..=320, Just(192), Just(256), Just(129)]
}

/// Values with an eye to carries: random ones, few bits, nearly all ones, near the sign bit.
fn value_of(w: u32) -> impl Strategy<Value = Vec<u64>> {
    let n_limbs = wide::n_limbs(w);
    let random = proptest::collection::vec(any::<u64>(), n_limbs).prop_map(move |limbs| wrap(w, to_big(&limbs)));
    let near_power = (0..=w, -3i32..=3, any::<bool>()).prop_map(move |(at, offset, negate)| {
        let value = modulus(at) + offset;
        wrap(w, if negate { -value } else { value })
    });
    let small = (0..2 * w as u64).prop_map(move |value| wrap(w, BigInt::from(value)));
    prop_oneof![random, near_power, small]
}

fn width_and_three() -> impl Strategy<Value = (u32, Vec<u64>, Vec<u64>, Vec<u64>)> {
    any_width().prop_flat_map(|w| (Just(w), value_of(w), value_of(w), value_of(w)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn operations_agree_with_big_integers((w, a, b, c) in width_and_three()) {
        let mut out = vec![u64::MAX; wide::n_limbs(w)];
        for &op in BinOp::ALL {
            wide::binop(op, w, &a, &b, &mut out);
            prop_assert_eq!(&out, &expected_binop(op, w, &a, &b), "{} i{}", op, w);
        }
        for &op in CmpOp::ALL {
            prop_assert_eq!(wide::icmp(op, w, &a, &b), expected_order(op, w, &a, &b), "icmp {} i{}", op, w);
        }
        for &op in OverflowOp::ALL {
            prop_assert_eq!(wide::overflows(op, w, &a, &b), expected_overflow(op, w, &a, &b), "{} i{}", op, w);
        }
        for &op in SatOp::ALL {
            wide::sat(op, w, &a, &b, &mut out);
            prop_assert_eq!(&out, &expected_sat(op, w, &a, &b), "{} i{}", op, w);
        }
        for &op in UnOp::ALL {
            if op != UnOp::Bswap || w.is_multiple_of(8) {
                wide::unop(op, w, &a, &mut out);
                prop_assert_eq!(&out, &expected_unop(op, w, &a), "{} i{}", op, w);
            }
        }
        for &op in FunnelOp::ALL {
            wide::funnel(op, w, &a, &b, &c, &mut out);
            prop_assert_eq!(&out, &expected_funnel(op, w, &a, &b, &c), "{} i{}", op, w);
        }
    }

    #[test]
    fn casts_agree_with_big_integers(
        (from, to, a) in (1u32..300, 1u32..300).prop_flat_map(|(from, to)| (Just(from), Just(to), value_of(from)))
    ) {
        let mut out = vec![u64::MAX; wide::n_limbs(to)];
        if to <= from {
            wide::trunc(to, &a, &mut out);
            prop_assert_eq!(&out, &wrap(to, to_big(&a)));
        } else {
            wide::zext(&a, &mut out);
            prop_assert_eq!(&out, &wrap(to, to_big(&a)));
            wide::sext_to(from, to, &a, &mut out);
            prop_assert_eq!(&out, &wrap(to, signed(from, &a)));
        }
    }
}
