//! The functions that need approximation, for `long double`.
//!
//! They are computed with 113 bits, of which about 100 are good, so that rounding to 64 gives the right result but for
//! the rarest arguments. Functions of one argument never see zero or an infinity, unless their result is a part of pi.
//! Where there is no result, the sign of the NaN is the one that glibc's function gives.

use super::quad::Quad;

/// Beyond this, exponentials are out of range.
const FAR: i64 = 20_000;

fn small(value: f64) -> Quad {
    Quad::from_f64(value)
}

/// `sum of x^n / n!` over the given `n`, which are `step` apart, with alternating signs if `sign` is -1.
fn factorial_series(x: Quad, first: i64, step: i64, sign: i64) -> Quad {
    // With |x| < 0.8, what is left after this many is too small to count.
    const LAST: i64 = 30;
    let factor = (1..step).fold(x, |product, _| product * x) * Quad::from(sign);
    let mut term = (0..first).fold(Quad::ONE, |product, n| product * x / Quad::from(n + 1));
    let mut sum = Quad::ZERO;
    let mut n = first;
    while n < LAST {
        sum = sum + term;
        let divisor: i64 = (n + 1..=n + step).product();
        term = term * factor / Quad::from(divisor);
        n += step;
    }
    sum
}

/// `x + sign x^3 / 3 + x^5 / 5 + …`: the inverse tangent if `sign` is -1, the hyperbolic one if it is 1.
fn odd_series(x: Quad, sign: i64) -> Quad {
    // Enough for |x| < 0.18.
    const LAST: i64 = 51;
    let square = x * x * Quad::from(sign);
    let mut power = x;
    let mut sum = Quad::ZERO;
    for n in (1..LAST).step_by(2) {
        sum = sum + power / Quad::from(n);
        power = power * square;
    }
    sum
}

pub fn exp(x: Quad) -> Quad {
    // A short series for a 256th of the argument, whose result is squared eight times.
    const SQUARINGS: i64 = 8;
    if x.abs() > Quad::from(FAR) {
        return if x.is_negative() { Quad::ZERO } else { Quad::infinity() };
    }
    let n = (x / Quad::LN_2).round();
    let rest = (x - n * Quad::LN_2).scale(-SQUARINGS);
    let power = (0..SQUARINGS).fold(factorial_series(rest, 0, 1, 1), |power, _| power * power);
    power.scale(n.to_integer())
}

pub fn exp2(x: Quad) -> Quad {
    if x.abs() > Quad::from(FAR) {
        return exp(x);
    }
    let n = x.round();
    exp((x - n) * Quad::LN_2).scale(n.to_integer())
}

pub fn exp10(x: Quad) -> Quad {
    exp(x * Quad::LN_10)
}

pub fn expm1(x: Quad) -> Quad {
    if x.abs() < Quad::HALF { factorial_series(x, 1, 1, 1) } else { exp(x) - Quad::ONE }
}

pub fn log(x: Quad) -> Quad {
    if x.is_zero() {
        return -Quad::infinity();
    }
    if x.is_negative() {
        return -Quad::nan();
    }
    let (mut fraction, mut exponent) = x.parts();
    if fraction < small(std::f64::consts::FRAC_1_SQRT_2) {
        fraction = fraction.scale(1);
        exponent -= 1;
    }
    let ratio = (fraction - Quad::ONE) / (fraction + Quad::ONE);
    Quad::from(exponent) * Quad::LN_2 + odd_series(ratio, 1).scale(1)
}

pub fn log1p(x: Quad) -> Quad {
    if x < -Quad::ONE {
        return Quad::nan();
    }
    if x.abs() < small(0.25) { odd_series(x / (x + Quad::from(2)), 1).scale(1) } else { log(x + Quad::ONE) }
}

pub fn log2(x: Quad) -> Quad {
    log(x) / Quad::LN_2
}

pub fn log10(x: Quad) -> Quad {
    log(x) / Quad::LN_10
}

pub fn pow(x: Quad, y: Quad) -> Quad {
    if x.is_zero() || y.is_zero() || x == Quad::ONE {
        return Quad::from_f64(x.to_f64().powf(y.to_f64()));
    }
    let magnitude = exp(y * log(x.abs()));
    let is_odd = || !y.scale(-1).is_integer();
    match (x.is_negative(), y.is_integer()) {
        (false, _) => magnitude,
        (true, false) => Quad::nan(),
        (true, true) => {
            if is_odd() {
                -magnitude
            } else {
                magnitude
            }
        }
    }
}

pub fn cbrt(x: Quad) -> Quad {
    let (fraction, exponent) = x.abs().parts();
    let reduced = fraction.scale(exponent.rem_euclid(3));
    // Two steps of Newton's method double the bits of the first guess twice.
    let improve = |root: Quad, _| root - (root - reduced / (root * root)) / Quad::from(3);
    let root = (0..2).fold(reduced.via_f64(f64::cbrt), improve);
    root.scale(exponent.div_euclid(3)).with_sign_of(x)
}

pub fn hypot(x: Quad, y: Quad) -> Quad {
    let larger = if x.abs() > y.abs() { x } else { y };
    let (_, exponent) = larger.parts();
    let (x, y) = (x.scale(-exponent), y.scale(-exponent));
    (x * x + y * y).sqrt().scale(exponent)
}

/// The rest of dividing by a quarter turn, and the quarter that it is in.
fn reduce(x: Quad) -> Option<(Quad, i64)> {
    let limit = Quad::ONE.scale(62);
    if x.abs() > limit {
        return None;
    }
    let n = (x / Quad::HALF_PI).round();
    let rest = Quad::HALF_PI_PARTS.into_iter().fold(x, |rest, part| rest - n * part);
    Some((rest, n.to_integer() & 3))
}

fn sine_series(x: Quad) -> Quad {
    factorial_series(x, 1, 2, -1)
}

fn cosine_series(x: Quad) -> Quad {
    factorial_series(x, 0, 2, -1)
}

pub fn sin(x: Quad) -> Quad {
    match reduce(x) {
        None => x.via_f64(f64::sin),
        Some((rest, 0)) => sine_series(rest),
        Some((rest, 1)) => cosine_series(rest),
        Some((rest, 2)) => -sine_series(rest),
        Some((rest, _)) => -cosine_series(rest),
    }
}

pub fn cos(x: Quad) -> Quad {
    match reduce(x) {
        None => x.via_f64(f64::cos),
        Some((rest, 0)) => cosine_series(rest),
        Some((rest, 1)) => -sine_series(rest),
        Some((rest, 2)) => -cosine_series(rest),
        Some((rest, _)) => sine_series(rest),
    }
}

pub fn tan(x: Quad) -> Quad {
    sin(x) / cos(x)
}

pub fn atan(x: Quad) -> Quad {
    // Each halving of the angle makes the series shorter.
    const HALVINGS: i64 = 3;
    let magnitude = x.abs();
    if magnitude > Quad::ONE {
        return (Quad::HALF_PI - atan(Quad::ONE / magnitude)).with_sign_of(x);
    }
    let halve = |tangent: Quad, _| tangent / (Quad::ONE + (Quad::ONE + tangent * tangent).sqrt());
    odd_series((0..HALVINGS).fold(x, halve), -1).scale(HALVINGS)
}

pub fn atan2(y: Quad, x: Quad) -> Quad {
    let angle = match (y.is_zero(), y.is_finite() || x.is_finite()) {
        (true, _) => Quad::ZERO,
        (_, false) => Quad::HALF_PI.scale(-1),
        _ => atan((y / x).abs()),
    };
    let angle = if x.is_negative() { Quad::HALF_PI.scale(1) - angle } else { angle };
    angle.with_sign_of(y)
}

/// The leg of a right triangle with hypotenuse 1.
fn other_leg(x: Quad) -> Quad {
    ((Quad::ONE - x) * (Quad::ONE + x)).sqrt()
}

pub fn asin(x: Quad) -> Quad {
    if x.abs() > Quad::ONE { -Quad::nan() } else { atan2(x, other_leg(x)) }
}

pub fn acos(x: Quad) -> Quad {
    if x.abs() > Quad::ONE { -Quad::nan() } else { atan2(other_leg(x), x) }
}

/// Where the smaller of the two exponentials is too small to count.
fn is_large(x: Quad) -> bool {
    x.abs() > Quad::from(100)
}

pub fn sinh(x: Quad) -> Quad {
    if is_large(x) {
        return exp(x.abs() - Quad::LN_2).with_sign_of(x);
    }
    let minus_one = expm1(x);
    (minus_one + minus_one / (minus_one + Quad::ONE)).scale(-1)
}

pub fn cosh(x: Quad) -> Quad {
    if is_large(x) {
        return exp(x.abs() - Quad::LN_2);
    }
    let power = exp(x);
    (power + Quad::ONE / power).scale(-1)
}

pub fn tanh(x: Quad) -> Quad {
    if is_large(x) {
        return Quad::ONE.with_sign_of(x);
    }
    let minus_one = expm1(x.scale(1));
    minus_one / (minus_one + Quad::from(2))
}

pub fn asinh(x: Quad) -> Quad {
    let magnitude = x.abs();
    let result = if magnitude > Quad::ONE.scale(60) {
        log(magnitude) + Quad::LN_2
    } else {
        let square = magnitude * magnitude;
        log1p(magnitude + square / (Quad::ONE + (Quad::ONE + square).sqrt()))
    };
    result.with_sign_of(x)
}

pub fn acosh(x: Quad) -> Quad {
    if x < Quad::ONE {
        return Quad::nan();
    }
    if x > Quad::ONE.scale(60) {
        return log(x) + Quad::LN_2;
    }
    let above = x - Quad::ONE;
    log1p(above + (above.scale(1) + above * above).sqrt())
}

pub fn atanh(x: Quad) -> Quad {
    if x.abs() >= Quad::ONE {
        return if x.abs() > Quad::ONE { Quad::nan() } else { Quad::infinity().with_sign_of(x) };
    }
    log1p(x.scale(1) / (Quad::ONE - x)).scale(-1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use spelunk_bv::float::FBits;

    type Function = fn(Quad) -> Quad;

    /// Results rounded to nearest from a computation with 700 bits.
    #[test]
    fn results_are_correctly_rounded() {
        #[rustfmt::skip]
        let cases: &[(Function, f64, FBits)] = &[
            (exp, 1.0, 0x4000_adf85458a2bb4a9b),
            (exp, -0.5, 0x3ffe_9b4597e37cb04ff4),
            (exp, 11356.0, 0x7ffe_97ae01b5ed4a38fc),
            (exp, -11000.25, 0x0200_feea6bcac562283b),
            (exp2, 0.3, 0x3fff_9d9623dffc1946b7),
            (exp2, -700.125, 0x3d42_eac0c6e7dd24392f),
            (exp10, 3.0, 0x4008_fa00000000000000),
            (exp10, 0.1, 0x3fff_a12477c7e1301e03),
            (expm1, 1e-20, 0x3fbc_bce5086492111800),
            (expm1, 0.4, 0x3ffd_fbd0725f77fc007f),
            (expm1, -3.0, 0xbffe_f341279998a7a89b),
            (log, 3.0, 0x3fff_8c9f53d5681854bb),
            (log, 1e-300, 0xc008_acb1a23fc3fda9aa),
            (log, 1.0000000000000002, 0x3fca_fffffffffffff800),
            (log1p, 1e-18, 0x3fc3_9392ee8e921d5ffb),
            (log1p, 100.25, 0x4001_93c351c74ebedd26),
            (log2, 8.0, 0x4000_c000000000000000),
            (log2, 10.0, 0x4000_d49a784bcd1b8afe),
            (log10, 3.0, 0x3ffd_f4493cb27eafe846),
            (log10, 1000000000000000.0, 0x4002_f000000000000000),
            (cbrt, 0.5, 0x3ffe_cb2ff529eb71e416),
            (cbrt, -27.0, 0xc000_c000000000000000),
            (cbrt, 1e+300, 0x414b_924d692ca61be811),
            (sin, 1.0, 0x3ffe_d76aa47848677021),
            (sin, std::f64::consts::PI, 0x3fca_8d313198a2e03707),
            (sin, 1000000000000000.0, 0x3ffe_dbb7c409b675ce4a),
            (sin, -0.001, 0xbff5_83126d290c531036),
            (cos, 1.0, 0x3ffe_8a51407da8345c92),
            (cos, std::f64::consts::FRAC_PI_2, 0x3fc9_8d313198a2e03707),
            (cos, 12345.678, 0x3ffe_b5ca61ddf125be36),
            (tan, 1.0, 0x3fff_c75922e5f71d2dc5),
            (tan, -100.0, 0x3ffe_9653a6b15ae9bd7d),
            (asin, 0.5, 0x3ffe_860a91c16b9b2c23),
            (asin, -1.0, 0xbfff_c90fdaa22168c235),
            (acos, 0.0, 0x3fff_c90fdaa22168c235),
            (acos, -0.7, 0x4000_96280a2366af8bb7),
            (acos, 1e-10, 0x3fff_c90fdaa1ea6f0281),
            (atan, 1.0, 0x3ffe_c90fdaa22168c235),
            (atan, 10000000000.0, 0x3fff_c90fdaa1ea6f0281),
            (atan, -0.01, 0xbff8_a3d5a458f7daeba1),
            (sinh, 1.0, 0x3fff_966cfe2275cc12d4),
            (sinh, 1e-05, 0x3fee_a7c5ac472749fd15),
            (sinh, 11357.0, 0x7ffe_ce2773666cc8cc68),
            (cosh, 1.0, 0x3fff_c583aa8ecfaa8261),
            (cosh, -20.0, 0x401a_e758445b47402058),
            (tanh, 0.5, 0x3ffd_ec9a9ebab4579b29),
            (tanh, 40.0, 0x3fff_8000000000000000),
            (asinh, 1.0, 0x3ffe_e1a1b30bcea13661),
            (asinh, -1e-09, 0xbfe1_89705f4136b4a7fe),
            (asinh, 1e+30, 0x4005_8b8a992fbfa1c04c),
            (acosh, 10.0, 0x4000_bf90f68e702ea1fe),
            (acosh, 1.0000001, 0x3ff3_ea77fe032e5723ec),
            (acosh, 1e+30, 0x4005_8b8a992fbfa1c04c),
            (atanh, 0.5, 0x3ffe_8c9f53d5681854bb),
            (atanh, -1e-12, 0xbfd7_8cbccc096f508800),
        ];
        for &(function, argument, expected) in cases {
            assert_eq!(function(Quad::from_f64(argument)).to_long(), expected, "{argument}: {expected:x}");
        }
    }

    #[test]
    fn powers_and_angles() {
        let long = |function: fn(Quad, Quad) -> Quad, a, b| function(Quad::from_f64(a), Quad::from_f64(b)).to_long();
        let exactly = |value| Quad::from_f64(value).to_long();
        assert_eq!(long(pow, 2.0, -10.0), exactly(0.0009765625));
        assert_eq!(long(pow, -3.0, 5.0), exactly(-243.0));
        assert_eq!(long(pow, -3.0, 4.0), exactly(81.0));
        assert_eq!(long(pow, 0.0, 0.0), exactly(1.0));
        assert_eq!(long(pow, 100.25, 100.25), 0x4299_a9cd3d71288a7a27);
        assert_eq!(long(hypot, 3e300, 4e300), 0x43e5_eeea5d5004981800);
        assert_eq!(long(hypot, 0.0, -5.0), exactly(5.0));
        assert_eq!(long(atan2, 0.0, -1.0), 0x4000_c90fdaa22168c235);
        assert_eq!(long(atan2, -1.0, 0.0), 0xbfff_c90fdaa22168c235);
        assert_eq!(long(atan2, 1.0, -1.0), 0x4000_96cbe3f9990e91a8);
    }
}
