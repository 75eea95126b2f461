//! Floating-point arithmetic against the host's, against `rustc_apfloat` where we don't use it, and against values that
//! an x87 gave.

use proptest::prelude::*;
use rustc_apfloat::{Float as _, FloatConvert, Round, ieee};
use spelunk_bv::float::{self, FBits, FloatKind};
use spelunk_bv::{FBinOp, FCmpOp, FMinMaxOp, RoundOp, Signedness};

const DOUBLE: FloatKind = FloatKind::Double;
const X87: FloatKind = FloatKind::X86Fp80;

fn double(x: f64) -> FBits {
    x.to_bits() as FBits
}

fn widened(kind: FloatKind, x: f64) -> FBits {
    float::convert(DOUBLE, kind, double(x))
}

/// Bit patterns of all classes, with exponents that often meet.
fn any_bits(kind: FloatKind) -> impl Strategy<Value = FBits> {
    let shift = kind.bits() - 1 - (32 - (2 * kind.max_exponent() as u32).leading_zeros());
    let field = prop_oneof![
        Just(0),
        Just(2 * kind.max_exponent() + 1),
        0..2 * kind.max_exponent(),
        kind.max_exponent() - 5..kind.max_exponent() + 6,
    ];
    let fraction = prop_oneof![Just(0u128), Just(1u128 << (kind.precision() - 2)), any::<u128>(), 0u128..8];
    (any::<bool>(), field, fraction).prop_map(move |(negative, field, fraction)| {
        let integer_bit = 1u128 << (kind.precision() - 1);
        let explicit = if kind == X87 && field != 0 { integer_bit } else { 0 };
        (negative as u128) << (kind.bits() - 1) | (field as u128) << shift | explicit | fraction & (integer_bit - 1)
    })
}

fn any_double() -> impl Strategy<Value = f64> {
    any_bits(DOUBLE).prop_map(|bits| f64::from_bits(bits as u64))
}

/// Equal, or both a NaN, whose bits the host doesn't promise.
fn same(kind: FloatKind, a: FBits, b: FBits) -> bool {
    a == b || float::is_nan(kind, a) && float::is_nan(kind, b)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5000))]

    #[test]
    fn double_arithmetic_is_ieee(a in any_bits(DOUBLE), b in any_bits(DOUBLE), c in any_bits(DOUBLE)) {
        let [x, y, z] = [a, b, c].map(ieee::Double::from_bits);
        let expected = [(x + y).value, (x - y).value, (x * y).value, (x / y).value, x.c_fmod(y).value];
        for (&op, expected) in FBinOp::ALL.iter().zip(expected) {
            prop_assert!(same(DOUBLE, float::binop(DOUBLE, op, a, b), expected.to_bits()), "{} {:x} {:x}", op, a, b);
        }
        prop_assert!(same(DOUBLE, float::fma(DOUBLE, a, b, c), x.mul_add(y, z).value.to_bits()));
    }

    /// Exact in both formats, so widening before or after makes no difference.
    #[test]
    fn remainders_of_doubles_in_wider_formats(x in any_double(), y in any_double()) {
        for kind in [X87, FloatKind::Fp128] {
            let remainder = float::binop(kind, FBinOp::FRem, widened(kind, x), widened(kind, y));
            prop_assert!(same(kind, remainder, widened(kind, x % y)), "{} % {}", x, y);
        }
    }

    /// The wider precision is more than twice the narrower, so rounding twice is rounding once.
    #[test]
    fn halves_are_singles_rounded(a in any_bits(FloatKind::Half), b in any_bits(FloatKind::Half)) {
        let single = |bits| float::convert(FloatKind::Half, FloatKind::Float, bits);
        let half = |bits| float::convert(FloatKind::Float, FloatKind::Half, bits);
        for &op in FBinOp::ALL {
            let through_single = half(float::binop(FloatKind::Float, op, single(a), single(b)));
            prop_assert_eq!(float::binop(FloatKind::Half, op, a, b), through_single, "{} {:x} {:x}", op, a, b);
        }
        prop_assert_eq!(float::sqrt(FloatKind::Half, a), half(float::sqrt(FloatKind::Float, single(a))));
    }

    #[test]
    fn quad_square_roots_of_exact_squares(x in any::<u64>(), exponent in -3000i32..3000) {
        let root = float::from_int(FloatKind::Fp128, &[x >> 8], 64, Signedness::Unsigned);
        let root = float::ldexp(FloatKind::Fp128, root, exponent);
        let square = float::binop(FloatKind::Fp128, FBinOp::FMul, root, root);
        prop_assert_eq!(float::sqrt(FloatKind::Fp128, square), root);
    }

    #[test]
    fn comparisons_are_the_hosts(x in any_double(), y in any_double()) {
        for &op in FCmpOp::ALL {
            let expected = op.accepts(x.partial_cmp(&y));
            prop_assert_eq!(float::fcmp(DOUBLE, op, double(x), double(y)), expected, "{} {} {}", x, op, y);
            prop_assert_eq!(float::f64_fcmp(op, x.to_bits(), y.to_bits()), expected);
            prop_assert_eq!(float::fcmp(X87, op, widened(X87, x), widened(X87, y)), expected);
        }
    }

    #[test]
    fn rounding_is_the_hosts(x in any_double()) {
        for &op in RoundOp::ALL {
            let expected = match op {
                RoundOp::Floor => x.floor(),
                RoundOp::Ceil => x.ceil(),
                RoundOp::Trunc => x.trunc(),
                RoundOp::Round => x.round(),
                RoundOp::Rint | RoundOp::Nearbyint | RoundOp::RoundEven => x.round_ties_even(),
            };
            prop_assert!(same(DOUBLE, float::round(DOUBLE, op, double(x)), double(expected)), "{} {}", op, x);
            let wider = float::round(FloatKind::Fp128, op, widened(FloatKind::Fp128, x));
            prop_assert!(same(FloatKind::Fp128, wider, widened(FloatKind::Fp128, expected)), "{} {}", op, x);
        }
    }

    #[test]
    fn conversions_between_formats(a in any_bits(FloatKind::Fp128), b in any_bits(X87), c in any_bits(DOUBLE)) {
        fn soft<F: FloatConvert<T>, T: rustc_apfloat::Float>(a: FBits) -> FBits {
            F::from_bits(a).convert_r(Round::NearestTiesToEven, &mut false).value.to_bits()
        }
        let quad = FloatKind::Fp128;
        prop_assert!(same(X87, float::convert(quad, X87, a), soft::<ieee::Quad, ieee::X87DoubleExtended>(a)));
        prop_assert!(same(DOUBLE, float::convert(quad, DOUBLE, a), soft::<ieee::Quad, ieee::Double>(a)));
        prop_assert!(same(quad, float::convert(X87, quad, b), soft::<ieee::X87DoubleExtended, ieee::Quad>(b)));
        prop_assert!(same(FloatKind::Half, float::convert(X87, FloatKind::Half, b), soft::<ieee::X87DoubleExtended, ieee::Half>(b)));
        prop_assert!(same(FloatKind::BFloat, float::convert(DOUBLE, FloatKind::BFloat, c), soft::<ieee::Double, ieee::BFloat>(c)));
        prop_assert_eq!(float::f64_to_f32(c as u64) as FBits, float::convert(DOUBLE, FloatKind::Float, c));
    }

    #[test]
    fn saturating_conversions_are_rusts_casts(x in any_double()) {
        let saturated = |w: u32, sign| {
            let mut out = [0; 2];
            float::to_int_sat(DOUBLE, double(x), w, sign, &mut out[..w.div_ceil(64) as usize]);
            out[0] as u128 | (out[1] as u128) << 64
        };
        prop_assert_eq!(saturated(8, Signedness::Signed), x as i8 as u8 as u128);
        prop_assert_eq!(saturated(8, Signedness::Unsigned), x as u8 as u128);
        prop_assert_eq!(saturated(32, Signedness::Signed), x as i32 as u32 as u128);
        prop_assert_eq!(saturated(64, Signedness::Signed), x as i64 as u64 as u128);
        prop_assert_eq!(saturated(64, Signedness::Unsigned), x as u64 as u128);
        prop_assert_eq!(saturated(128, Signedness::Signed), x as i128 as u128);
        prop_assert_eq!(saturated(128, Signedness::Unsigned), x as u128);
        prop_assert_eq!(float::fits_int(DOUBLE, double(x), 32, Signedness::Signed), x > -2147483649.0 && x < 2147483648.0);
    }

    #[test]
    fn plain_conversions_of_values_that_fit(x in any::<i64>(), w in 1u32..=64) {
        let x = x >> (64 - w);
        let bits = float::from_int_narrow(X87, x as u64 & spelunk_bv::int::mask(w), w, Signedness::Signed);
        prop_assert_eq!(float::to_int_narrow(X87, bits, w, Signedness::Signed), x as u64 & spelunk_bv::int::mask(w));
        let truncated = (x as f64).clamp(-9.2e18, 9.2e18);
        prop_assert_eq!(float::to_int_narrow(DOUBLE, double(truncated), 64, Signedness::Signed), truncated as i64 as u64);
    }

    #[test]
    fn integers_to_floats_are_rusts_casts(x in any::<u128>(), shift in 0u32..128) {
        let x = x >> shift;
        let limbs = [x as u64, (x >> 64) as u64];
        prop_assert_eq!(float::from_int(DOUBLE, &limbs, 128, Signedness::Unsigned), double(x as f64));
        prop_assert_eq!(float::from_int(DOUBLE, &limbs, 128, Signedness::Signed), double(x as i128 as f64));
        let signed = float::from_int(FloatKind::Float, &limbs[..1], 64, Signedness::Signed);
        prop_assert_eq!(signed, (x as u64 as i64 as f32).to_bits() as FBits);
    }

    #[test]
    fn fractions_and_exponents_lead_back(a in any_bits(X87)) {
        let (fraction, exponent) = float::frexp(X87, a);
        if float::is_nan(X87, a) || float::is_inf(X87, a) || float::is_zero(X87, a) {
            prop_assert_eq!(exponent, 0);
        } else {
            let magnitude = float::abs(X87, fraction);
            prop_assert!(float::fcmp(X87, FCmpOp::Oge, magnitude, widened(X87, 0.5)));
            prop_assert!(float::fcmp(X87, FCmpOp::Olt, magnitude, widened(X87, 1.0)));
            prop_assert_eq!(float::ldexp(X87, fraction, exponent), a);
        }
    }
}

#[test]
fn nans_are_those_of_x86() {
    let nan = |payload: u64| 0x7ff0_0000_0000_0000 | payload;
    let quiet = 0x0008_0000_0000_0000;
    let binop = |op, a: f64, b: f64| float::f64_binop(op, a.to_bits(), b.to_bits());
    let default = 0xfff8_0000_0000_0000;
    assert_eq!(binop(FBinOp::FDiv, 0.0, 0.0), default);
    assert_eq!(binop(FBinOp::FSub, f64::INFINITY, f64::INFINITY), default);
    assert_eq!(binop(FBinOp::FMul, f64::INFINITY, 0.0), default);
    assert_eq!(binop(FBinOp::FRem, 1.0, 0.0), default);
    assert_eq!(float::sqrt(DOUBLE, double(-1.0)) as u64, default);
    assert_eq!(float::f64_binop(FBinOp::FAdd, nan(1), nan(2)), nan(1) | quiet);
    assert_eq!(float::f64_binop(FBinOp::FAdd, 1f64.to_bits(), nan(2)), nan(2) | quiet);
    assert_eq!(float::f32_binop(FBinOp::FDiv, 0, 0), 0xffc0_0000);

    let x87_nan = |payload: u128| 0x7fff_8000_0000_0000_0000 | payload;
    assert_eq!(float::binop(X87, FBinOp::FAdd, x87_nan(1), x87_nan(2)), x87_nan(2) | 1 << 62);
    assert_eq!(float::binop(X87, FBinOp::FDiv, 0, 0), 0xffff_c000_0000_0000_0000);
    assert_eq!(float::convert(X87, DOUBLE, x87_nan(1 << 62 | 7 << 11)) as u64, nan(7) | quiet);
}

/// Operands and results as `long double` arithmetic gave them: 1/3, rounding in the last place, the ends of the range.
#[test]
fn x87_arithmetic() {
    let third: FBits = 0x3ffd_aaaa_aaaa_aaaa_aaab;
    let one = widened(X87, 1.0);
    let three = widened(X87, 3.0);
    assert_eq!(float::binop(X87, FBinOp::FDiv, one, three), third);
    assert_eq!(float::binop(X87, FBinOp::FMul, third, three), one);
    assert_eq!(float::sqrt(X87, widened(X87, 2.0)), 0x3fff_b504_f333_f9de_6484);
    assert_eq!(float::sqrt(X87, three), 0x3fff_ddb3_d742_c265_539e);
    assert_eq!(float::sqrt(X87, 1), 0x1fe0_b504_f333_f9de_6484);
    let largest: FBits = 0x7ffe_ffff_ffff_ffff_ffff;
    assert_eq!(float::binop(X87, FBinOp::FAdd, largest, largest), float::infinity(X87));
    assert_eq!(float::binop(X87, FBinOp::FSub, largest, one), largest);
    let smallest_normal: FBits = 0x0001_8000_0000_0000_0000;
    let half = widened(X87, 0.5);
    assert_eq!(float::binop(X87, FBinOp::FMul, smallest_normal, half), 0x4000_0000_0000_0000);
    assert!(float::is_subnormal(X87, 0x4000_0000_0000_0000) && !float::is_subnormal(X87, smallest_normal));
    assert_eq!(float::convert(X87, DOUBLE, third), double(1.0 / 3.0));
    assert_eq!(
        float::sqrt(FloatKind::Fp128, widened(FloatKind::Fp128, 2.0)),
        0x3fff_6a09_e667_f3bc_c908_b2fb_1366_ea95
    );
}

/// What compiled code yields for casts that C leaves undefined.
#[test]
fn conversions_out_of_range_are_those_of_x86() {
    let cast = |kind, x, w, sign| float::to_int_narrow(kind, widened(kind, x), w, sign);
    use Signedness::{Signed, Unsigned};
    assert_eq!(cast(DOUBLE, 3e9, 32, Signed), 0x8000_0000);
    assert_eq!(cast(DOUBLE, f64::NAN, 32, Signed), 0x8000_0000);
    assert_eq!(cast(DOUBLE, -1.0, 32, Unsigned), 0xffff_ffff);
    assert_eq!(cast(DOUBLE, 300.0, 8, Unsigned), 44);
    assert_eq!(cast(DOUBLE, 1e19, 64, Signed), 1 << 63);
    assert_eq!(cast(DOUBLE, 1e19, 64, Unsigned), 10_000_000_000_000_000_000);
    assert_eq!(cast(DOUBLE, -1.0, 64, Unsigned), u64::MAX);
    assert_eq!(cast(DOUBLE, 1e20, 64, Unsigned), 1 << 63);
    assert_eq!(cast(X87, 1e20, 64, Unsigned), 0);
    assert_eq!(cast(X87, 40000.0, 16, Signed), 0x8000);
    assert_eq!(cast(DOUBLE, 40000.0, 16, Signed), 40000);
}

#[test]
fn extrema() {
    let min_max = |op, a: f64, b: f64| f64::from_bits(float::min_max(DOUBLE, op, double(a), double(b)) as u64);
    assert_eq!(min_max(FMinMaxOp::MinNum, f64::NAN, 1.0), 1.0);
    assert_eq!(min_max(FMinMaxOp::MaxNum, 1.0, f64::NAN), 1.0);
    assert!(min_max(FMinMaxOp::Minimum, 1.0, f64::NAN).is_nan());
    assert_eq!(min_max(FMinMaxOp::MaximumNum, f64::NAN, -2.0), -2.0);
    for (low, high) in [(-1.0, 2.0), (f64::NEG_INFINITY, -5.0), (-3.0, -2.5), (0.0, 1e-310)] {
        for (a, b) in [(low, high), (high, low)] {
            for op in [FMinMaxOp::MinNum, FMinMaxOp::Minimum, FMinMaxOp::MinimumNum] {
                assert_eq!(min_max(op, a, b), low);
            }
            for op in [FMinMaxOp::MaxNum, FMinMaxOp::Maximum, FMinMaxOp::MaximumNum] {
                assert_eq!(min_max(op, a, b), high);
            }
        }
    }
    assert!(min_max(FMinMaxOp::Minimum, 0.0, -0.0).is_sign_negative());
    assert!(min_max(FMinMaxOp::Maximum, -0.0, 0.0).is_sign_positive());
}

#[test]
fn classes() {
    let classes = [
        0x7ff4_0000_0000_0000u64,
        0x7ff8_0000_0000_0000,
        f64::NEG_INFINITY.to_bits(),
        (-1.5f64).to_bits(),
        (-1e-310f64).to_bits(),
        (-0.0f64).to_bits(),
        0,
        1,
        f64::MAX.to_bits(),
        f64::INFINITY.to_bits(),
    ];
    for (bit, &value) in classes.iter().enumerate() {
        for mask in 0..1 << classes.len() {
            assert_eq!(float::is_fpclass(DOUBLE, value as FBits, mask), mask >> bit & 1 == 1, "{value:x} {mask:x}");
        }
    }
}

#[test]
fn signs_are_bits() {
    for kind in FloatKind::ALL {
        let nan = float::default_nan(kind);
        assert!(float::is_nan(kind, nan) && float::is_sign_negative(kind, nan));
        assert!(!float::is_signaling_nan(kind, nan));
        assert!(!float::is_sign_negative(kind, float::neg(kind, nan)));
        let one = widened(kind, 1.0);
        assert_eq!(float::copysign(kind, one, nan), widened(kind, -1.0));
        assert_eq!(float::abs(kind, widened(kind, -1.0)), one);
        assert_eq!(FloatKind::from_name(kind.name()), Some(kind));
    }
}
