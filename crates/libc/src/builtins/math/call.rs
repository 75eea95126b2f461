//! Shapes of math functions: how their arguments and results travel, and when `errno` is set.
//!
//! A function takes the kind of its variant first, and what it computes after that.

use super::long;
use super::quad::Quad;
use crate::builtins::number::long_double;
use crate::builtins::{Answer, Host, area, set_errno, words};
use crate::errno::{EDOM, ERANGE};
use spelunk_bv::float::{self, FBits, FloatKind};
use spelunk_vm::{Flow, Slot, Stop, Vm};

/// What sets `errno`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Errors {
    None,
    /// A NaN from numbers (EDOM), an infinity from finite numbers (ERANGE).
    Range,
    /// Also a zero from a first argument that is none (ERANGE).
    Underflow,
}

/// Takes the next real argument off.
fn take_real<M: Host>(vm: &mut Vm<'_, M>, args: &mut &[Slot], kind: FloatKind) -> Result<FBits, Stop> {
    if kind == FloatKind::X86Fp80 {
        let [low, high] = words(vm, args)?;
        *args = &args[2..];
        return Ok(long_double(low, high));
    }
    let bits = take_word(vm, args)?;
    Ok(FBits::from(if kind == FloatKind::Float { u64::from(bits as u32) } else { bits }))
}

fn take_word<M: Host>(vm: &mut Vm<'_, M>, args: &mut &[Slot]) -> Result<u64, Stop> {
    let [word] = words(vm, args)?;
    *args = &args[1..];
    Ok(word)
}

fn int(value: i32) -> Answer {
    Ok(Flow::value(u64::from(value as u32)))
}

/// Returns a result, after setting `errno` as it asks for.
fn finish<M: Host>(vm: &mut Vm<'_, M>, kind: FloatKind, errors: Errors, args: &[FBits], result: FBits) -> Answer {
    if errors == Errors::None || args.iter().any(|&arg| float::is_nan(kind, arg)) {
        return Ok(Flow::wide(result));
    }
    let all_finite = !args.iter().any(|&arg| float::is_inf(kind, arg));
    let vanishes = || errors == Errors::Underflow && float::is_zero(kind, result) && !float::is_zero(kind, args[0]);
    if float::is_nan(kind, result) {
        set_errno(vm, EDOM)?;
    } else if all_finite && (float::is_inf(kind, result) || vanishes()) {
        set_errno(vm, ERANGE)?;
    }
    Ok(Flow::wide(result))
}

/// Stores a result where a pointer argument says.
fn put<M: Host>(vm: &mut Vm<'_, M>, addr: u64, kind: FloatKind, value: FBits) -> Result<(), Stop> {
    area::write(vm, addr, &value.to_le_bytes()[..kind.store_size() as usize])
}

pub fn unary<M: Host>(
    vm: &mut Vm<'_, M>,
    mut args: &[Slot],
    kind: FloatKind,
    errors: Errors,
    function: fn(FloatKind, FBits) -> FBits,
) -> Answer {
    let a = take_real(vm, &mut args, kind)?;
    finish(vm, kind, errors, &[a], function(kind, a))
}

pub fn binary<M: Host>(
    vm: &mut Vm<'_, M>,
    mut args: &[Slot],
    kind: FloatKind,
    errors: Errors,
    function: fn(FloatKind, FBits, FBits) -> FBits,
) -> Answer {
    let a = take_real(vm, &mut args, kind)?;
    let b = take_real(vm, &mut args, kind)?;
    finish(vm, kind, errors, &[a, b], function(kind, a, b))
}

fn to_f64(kind: FloatKind, a: FBits) -> f64 {
    f64::from_bits(float::convert(kind, FloatKind::Double, a) as u64)
}

fn from_f64(kind: FloatKind, value: f64) -> FBits {
    float::convert(FloatKind::Double, kind, FBits::from(value.to_bits()))
}

fn to_f32(a: FBits) -> f32 {
    f32::from_bits(a as u32)
}

/// Computes in the host's `float` or `double`.
fn on_host<const N: usize>(
    kind: FloatKind,
    args: [FBits; N],
    wide: impl FnOnce([f64; N]) -> f64,
    narrow: impl FnOnce([f32; N]) -> f32,
) -> FBits {
    match kind {
        FloatKind::Float => FBits::from(narrow(args.map(to_f32)).to_bits()),
        _ => from_f64(kind, wide(args.map(|arg| to_f64(kind, arg)))),
    }
}

/// Computes for a `long double`. What the host makes of infinities, NaNs and a zero is exact, unless it is a part of pi.
fn on_long<const N: usize>(
    args: [FBits; N],
    wide: impl FnOnce([f64; N]) -> f64,
    long: impl FnOnce([Quad; N]) -> Quad,
) -> FBits {
    let args = args.map(Quad::from_long);
    let is_lone_zero = N == 1 && args[0].is_zero();
    if is_lone_zero || !args.iter().all(|arg| arg.is_finite()) {
        let result = Quad::from_f64(wide(args.map(Quad::to_f64)));
        if !result.is_finite() || result.is_integer() {
            return result.to_long();
        }
    }
    long(args).to_long()
}

pub fn host_unary<M: Host>(
    vm: &mut Vm<'_, M>,
    mut args: &[Slot],
    kind: FloatKind,
    errors: Errors,
    wide: fn(f64) -> f64,
    narrow: fn(f32) -> f32,
    long: fn(Quad) -> Quad,
) -> Answer {
    let a = take_real(vm, &mut args, kind)?;
    let result = match kind {
        FloatKind::X86Fp80 => on_long([a], |[a]| wide(a), |[a]| long(a)),
        _ => on_host(kind, [a], |[a]| wide(a), |[a]| narrow(a)),
    };
    finish(vm, kind, errors, &[a], result)
}

pub fn host_binary<M: Host>(
    vm: &mut Vm<'_, M>,
    mut args: &[Slot],
    kind: FloatKind,
    errors: Errors,
    wide: fn(f64, f64) -> f64,
    narrow: fn(f32, f32) -> f32,
    long: fn(Quad, Quad) -> Quad,
) -> Answer {
    let a = take_real(vm, &mut args, kind)?;
    let b = take_real(vm, &mut args, kind)?;
    let result = match kind {
        FloatKind::X86Fp80 => on_long([a, b], |[a, b]| wide(a, b), |[a, b]| long(a, b)),
        _ => on_host(kind, [a, b], |[a, b]| wide(a, b), |[a, b]| narrow(a, b)),
    };
    finish(vm, kind, errors, &[a, b], result)
}

/// `(order, x)`
pub fn bessel<M: Host>(
    vm: &mut Vm<'_, M>,
    mut args: &[Slot],
    kind: FloatKind,
    wide: fn(i32, f64) -> f64,
    narrow: fn(i32, f32) -> f32,
) -> Answer {
    let order = take_word(vm, &mut args)? as i32;
    let a = take_real(vm, &mut args, kind)?;
    let result = on_host(kind, [a], |[a]| wide(order, a), |[a]| narrow(order, a));
    finish(vm, kind, Errors::Range, &[a], result)
}

/// `(x, where an int goes)`
pub fn with_int_out<M: Host>(
    vm: &mut Vm<'_, M>,
    mut args: &[Slot],
    kind: FloatKind,
    wide: fn(f64) -> (f64, i32),
    narrow: fn(f32) -> (f32, i32),
) -> Answer {
    let a = take_real(vm, &mut args, kind)?;
    let out = take_word(vm, &mut args)?;
    let (result, second) = match kind {
        FloatKind::Float => {
            let (result, second) = narrow(to_f32(a));
            (FBits::from(result.to_bits()), second)
        }
        _ => {
            let (result, second) = wide(to_f64(kind, a));
            (from_f64(kind, result), second)
        }
    };
    area::write(vm, out, &second.to_le_bytes())?;
    finish(vm, kind, Errors::Range, &[a], result)
}

/// `sincos(x, where the sine goes, where the cosine goes)`
pub fn sine_and_cosine<M: Host>(vm: &mut Vm<'_, M>, mut args: &[Slot], kind: FloatKind) -> Answer {
    let a = take_real(vm, &mut args, kind)?;
    let sine_at = take_word(vm, &mut args)?;
    let cosine_at = take_word(vm, &mut args)?;
    let (sine, cosine) = match kind {
        FloatKind::X86Fp80 => {
            (on_long([a], |[a]| a.sin(), |[a]| long::sin(a)), on_long([a], |[a]| a.cos(), |[a]| long::cos(a)))
        }
        _ => (on_host(kind, [a], |[a]| a.sin(), |[a]| a.sin()), on_host(kind, [a], |[a]| a.cos(), |[a]| a.cos())),
    };
    put(vm, sine_at, kind, sine)?;
    put(vm, cosine_at, kind, cosine)?;
    finish(vm, kind, Errors::Range, &[a], cosine)
}

/// `(x, integer)`
pub fn float_and_integer<M: Host>(
    vm: &mut Vm<'_, M>,
    mut args: &[Slot],
    kind: FloatKind,
    errors: Errors,
    integer: Width,
    function: fn(FloatKind, FBits, i64) -> FBits,
) -> Answer {
    let a = take_real(vm, &mut args, kind)?;
    let by = take_word(vm, &mut args)?;
    let by = match integer {
        Width::Int => i64::from(by as i32),
        Width::Long => by as i64,
    };
    finish(vm, kind, errors, &[a], function(kind, a, by))
}

/// The type of an integer parameter.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Width {
    Int,
    Long,
}

/// `frexp(x, where the exponent goes)`
pub fn scaled_parts<M: Host>(vm: &mut Vm<'_, M>, mut args: &[Slot], kind: FloatKind) -> Answer {
    let a = take_real(vm, &mut args, kind)?;
    let exponent_at = take_word(vm, &mut args)?;
    let (fraction, exponent) = float::frexp(kind, a);
    area::write(vm, exponent_at, &exponent.to_le_bytes())?;
    Ok(Flow::wide(fraction))
}

/// `modf(x, where the integral part goes)`
pub fn integral_and_fraction<M: Host>(vm: &mut Vm<'_, M>, mut args: &[Slot], kind: FloatKind) -> Answer {
    let a = take_real(vm, &mut args, kind)?;
    let whole_at = take_word(vm, &mut args)?;
    let (whole, fraction) = super::exact::modf(kind, a);
    put(vm, whole_at, kind, whole)?;
    Ok(Flow::wide(fraction))
}

/// `remquo(x, y, where the quotient goes)`
pub fn with_quotient<M: Host>(vm: &mut Vm<'_, M>, mut args: &[Slot], kind: FloatKind) -> Answer {
    let a = take_real(vm, &mut args, kind)?;
    let b = take_real(vm, &mut args, kind)?;
    let quotient_at = take_word(vm, &mut args)?;
    let (remainder, quotient) = super::exact::remquo(kind, a, b);
    area::write(vm, quotient_at, &quotient.to_le_bytes())?;
    Ok(Flow::wide(remainder))
}

/// `ilogb`: FP_ILOGB0 and FP_ILOGBNAN are the least `int`.
pub fn to_int<M: Host>(
    vm: &mut Vm<'_, M>,
    mut args: &[Slot],
    kind: FloatKind,
    function: fn(FloatKind, FBits) -> Option<i32>,
) -> Answer {
    let a = take_real(vm, &mut args, kind)?;
    if let Some(value) = function(kind, a) {
        return int(value);
    }
    set_errno(vm, EDOM)?;
    int(if float::is_inf(kind, a) { i32::MAX } else { i32::MIN })
}

/// `nexttoward(x, long double)`
pub fn nexttoward<M: Host>(vm: &mut Vm<'_, M>, mut args: &[Slot], kind: FloatKind) -> Answer {
    let a = take_real(vm, &mut args, kind)?;
    let b = take_real(vm, &mut args, FloatKind::X86Fp80)?;
    let result = super::exact::next_toward(kind, a, b);
    let towards = float::convert(FloatKind::X86Fp80, kind, b);
    finish(vm, kind, Errors::Underflow, &[a, towards], result)
}

/// `nan(text)`
pub fn nan<M: Host>(vm: &mut Vm<'_, M>, mut args: &[Slot], kind: FloatKind) -> Answer {
    let text = take_word(vm, &mut args)?;
    let payload = area::string(vm, text)?;
    let text = [b"nan(", &payload[..], b")"].concat();
    Ok(Flow::wide(float::scan(kind, &text).map_or(float::zero(kind), |scanned| scanned.bits)))
}
