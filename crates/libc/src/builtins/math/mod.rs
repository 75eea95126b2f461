//! <math.h>: one row for each function, which serves its three variants.
//!
//! `operations` has the functions that the VM itself computes, `exact` others whose result is a matter of bits, for all
//! formats alike; the rest are the host's (`std`), so that programs print what they print natively, or those of the `libm`
//! crate where `std` has none. For `long double` they are in `long`, which computes with a `quad`; the special functions
//! compute in `double`. `call` knows how arguments and results travel, and sets `errno`.
//! Rounding modes and exception flags are left out.
//!
//! Steps to add a function: a row here, with the shape of its parameters; a new shape goes to `call`.

mod call;
mod exact;
mod long;
mod operations;
mod quad;

use super::{Answer, Host};
use call::{
    Errors, Width, bessel, binary, float_and_integer, host_binary, host_unary, integral_and_fraction, nan, nexttoward,
    scaled_parts, sine_and_cosine, to_int, unary, with_int_out, with_quotient,
};
use exact as x;
use operations::{binary_operation, class, extremum, rounded_integer, sign, ternary_operation, unary_operation};
use spelunk_bv::float::FloatKind;
use spelunk_bv::{FBinOp, FMinMaxOp, RoundOp};
use spelunk_vm::{Builtin, Operation, Slot, Vm};

/// `names = shape(arguments);`, where a row stands for `double`, and for the same names with `f` and `l`.
macro_rules! math {
    ($($($name:ident)|+ = $shape:ident $args:tt;)*) => {
        /// Names of all functions.
        pub const NAMES: &[&str] = &[
            $($(stringify!($name), concat!(stringify!($name), "f"), concat!(stringify!($name), "l"),)+)*
        ];

        pub fn find<M: Host>(name: &str) -> Option<Builtin<M>> {
            match name {
                $($(
                    stringify!($name) => Some(|vm, args| call!($shape vm args (FloatKind::Double) $args)),
                    concat!(stringify!($name), "f") => Some(|vm, args| call!($shape vm args (FloatKind::Float) $args)),
                    concat!(stringify!($name), "l") => Some(|vm, args| call!($shape vm args (FloatKind::X86Fp80) $args)),
                )+)*
                _ => None,
            }
        }
    };
}

macro_rules! call {
    ($shape:ident $vm:ident $slots:ident ($kind:expr) ($($arg:expr),*)) => {
        $shape($vm, $slots, $kind $(, $arg)*)
    };
}

math! {
    // Sign, size and order
    fabs = unary_operation(Errors::None, Operation::FAbs);
    copysign = binary_operation(Errors::None, Operation::CopySign);
    fmax = extremum(|kind| Operation::FMinMax(kind, FMinMaxOp::MaxNum));
    fmin = extremum(|kind| Operation::FMinMax(kind, FMinMaxOp::MinNum));
    fdim = binary(Errors::Range, x::fdim);

    // Rounding
    ceil = unary_operation(Errors::None, |kind| Operation::Round(kind, RoundOp::Ceil));
    floor = unary_operation(Errors::None, |kind| Operation::Round(kind, RoundOp::Floor));
    nearbyint = unary_operation(Errors::None, |kind| Operation::Round(kind, RoundOp::Nearbyint));
    rint = unary_operation(Errors::None, |kind| Operation::Round(kind, RoundOp::Rint));
    round = unary_operation(Errors::None, |kind| Operation::Round(kind, RoundOp::Round));
    roundeven = unary_operation(Errors::None, |kind| Operation::Round(kind, RoundOp::RoundEven));
    trunc = unary_operation(Errors::None, |kind| Operation::Round(kind, RoundOp::Trunc));
    lrint | llrint = rounded_integer(RoundOp::Rint);
    lround | llround = rounded_integer(RoundOp::Round);

    // Parts
    frexp = scaled_parts();
    modf = integral_and_fraction();
    logb = unary(Errors::None, x::logb);
    ilogb = to_int(x::exponent);
    significand = unary(Errors::None, x::significand);
    ldexp | scalbn = float_and_integer(Errors::Underflow, Width::Int, x::scale);
    scalbln = float_and_integer(Errors::Underflow, Width::Long, x::scale);
    nextafter = binary(Errors::Underflow, x::next_after);
    nextup = unary(Errors::None, x::next_up);
    nextdown = unary(Errors::None, x::next_down);
    nexttoward = nexttoward();
    nan = nan();

    // Arithmetic
    fma = ternary_operation(Errors::None, Operation::Fma);
    fmod = binary_operation(Errors::Range, |kind| Operation::FBinary(kind, FBinOp::FRem));
    remainder | drem = binary(Errors::Range, x::remainder);
    remquo = with_quotient();
    sqrt = unary_operation(Errors::Range, Operation::Sqrt);

    // Exponentials and powers
    cbrt = host_unary(Errors::None, f64::cbrt, f32::cbrt, long::cbrt);
    exp = host_unary(Errors::Underflow, f64::exp, f32::exp, long::exp);
    exp10 | pow10 = host_unary(Errors::Underflow, libm::exp10, libm::exp10f, long::exp10);
    exp2 = host_unary(Errors::Underflow, f64::exp2, f32::exp2, long::exp2);
    expm1 = host_unary(Errors::Range, f64::exp_m1, f32::exp_m1, long::expm1);
    hypot = host_binary(Errors::Range, f64::hypot, f32::hypot, long::hypot);
    log = host_unary(Errors::Range, f64::ln, f32::ln, long::log);
    log10 = host_unary(Errors::Range, f64::log10, f32::log10, long::log10);
    log1p = host_unary(Errors::Range, f64::ln_1p, f32::ln_1p, long::log1p);
    log2 = host_unary(Errors::Range, f64::log2, f32::log2, long::log2);
    pow = host_binary(Errors::Underflow, f64::powf, f32::powf, long::pow);

    // Trigonometric and hyperbolic
    acos = host_unary(Errors::Range, f64::acos, f32::acos, long::acos);
    acosh = host_unary(Errors::Range, libm::acosh, libm::acoshf, long::acosh);
    asin = host_unary(Errors::Range, f64::asin, f32::asin, long::asin);
    asinh = host_unary(Errors::None, libm::asinh, libm::asinhf, long::asinh);
    atan = host_unary(Errors::None, f64::atan, f32::atan, long::atan);
    atan2 = host_binary(Errors::Underflow, f64::atan2, f32::atan2, long::atan2);
    atanh = host_unary(Errors::Range, atanh, atanhf, long::atanh);
    cos = host_unary(Errors::Range, f64::cos, f32::cos, long::cos);
    cosh = host_unary(Errors::Range, f64::cosh, f32::cosh, long::cosh);
    sin = host_unary(Errors::Range, f64::sin, f32::sin, long::sin);
    sincos = sine_and_cosine();
    sinh = host_unary(Errors::Range, f64::sinh, f32::sinh, long::sinh);
    tan = host_unary(Errors::Range, f64::tan, f32::tan, long::tan);
    tanh = host_unary(Errors::None, f64::tanh, f32::tanh, long::tanh);

    // Special functions
    erf = host_unary(Errors::None, libm::erf, libm::erff, |x| x.via_f64(libm::erf));
    erfc = host_unary(Errors::Underflow, libm::erfc, libm::erfcf, |x| x.via_f64(libm::erfc));
    j0 = host_unary(Errors::None, libm::j0, libm::j0f, |x| x.via_f64(libm::j0));
    j1 = host_unary(Errors::None, libm::j1, libm::j1f, |x| x.via_f64(libm::j1));
    jn = bessel(libm::jn, libm::jnf);
    lgamma | gamma = host_unary(Errors::Range, libm::lgamma, libm::lgammaf, |x| x.via_f64(libm::lgamma));
    tgamma = host_unary(Errors::Underflow, libm::tgamma, libm::tgammaf, |x| x.via_f64(libm::tgamma));
    y0 = host_unary(Errors::Range, libm::y0, libm::y0f, |x| x.via_f64(libm::y0));
    y1 = host_unary(Errors::Range, libm::y1, libm::y1f, |x| x.via_f64(libm::y1));
    yn = bessel(libm::yn, libm::ynf);

    // Classes. The underscored names are what the macros of the header call.
    finite | __finite = class(&[(operations::FINITE, 1)], 0);
    isinf | __isinf = class(&[(operations::PLUS_INFINITY, 1), (operations::MINUS_INFINITY, -1)], 0);
    isnan | __isnan = class(&[(operations::NAN, 1)], 0);
    __fpclassify = class(FP_CLASSES, FP_NORMAL);
    __issignaling = class(&[(operations::SIGNALING, 1)], 0);
    __signbit = sign();
}

/// FP_NAN, FP_INFINITE, FP_ZERO, FP_SUBNORMAL.
const FP_CLASSES: &[(u32, i32)] =
    &[(operations::NAN, 0), (operations::INFINITY, 1), (operations::ZERO, 2), (operations::SUBNORMAL, 3)];
const FP_NORMAL: i32 = 4;

/// Beyond its domain, the result is the NaN that x86 gives; `libm` takes the sign of the argument.
fn atanh(x: f64) -> f64 {
    if x.abs() > 1.0 { -f64::NAN } else { libm::atanh(x) }
}

fn atanhf(x: f32) -> f32 {
    if x.abs() > 1.0 { -f32::NAN } else { libm::atanhf(x) }
}

/// The functions whose letter for the variant is not the last one.
macro_rules! lgamma_r {
    ($($name:ident $kind:ident;)*) => {
        $(pub fn $name<M: Host>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
            with_int_out(vm, args, FloatKind::$kind, libm::lgamma_r, libm::lgammaf_r)
        })*
    };
}

lgamma_r! {
    lgamma_r Double;
    lgammaf_r Float;
    lgammal_r X86Fp80;
}
