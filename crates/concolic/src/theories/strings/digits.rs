//! Digits of numbers that depend on the input, as expressions: how many there are, and which each is. What makes them here recognises them
//! when the text is read (`printed`).

use crate::machine::ConcolicMachine;
use smallvec::smallvec;
use spelunk_expr::{ExprId, ExprPool};
use spelunk_vm::{Answer, Slot, Stop, Tag, UndefId, Vm};

type Program<'p> = Vm<'p, ConcolicMachine>;

/// `(magnitude, base)`
pub(super) fn count_digits(vm: &mut Program<'_>, args: &[Slot]) -> Result<Answer, Stop> {
    let (Some(magnitude), Some(base)) = (magnitude(vm, args), plain(args, 1)) else { return Ok(Answer::Decline) };
    let count = mk_count(&mut vm.machine.pool, magnitude, base);
    Ok(answer(&mut vm.machine, count))
}

/// `(magnitude, base, place, ten)`
pub(super) fn digit(vm: &mut Program<'_>, args: &[Slot]) -> Result<Answer, Stop> {
    let (Some(magnitude), Some(base)) = (magnitude(vm, args), plain(args, 1)) else { return Ok(Answer::Decline) };
    let (Some(place), Some(ten)) = (plain(args, 2), plain(args, 3)) else { return Ok(Answer::Decline) };
    let digit = mk_digit(&mut vm.machine.pool, magnitude, base, place as u32, ten as u8);
    let digit = vm.machine.pool.mk_zext(digit, 64);
    Ok(answer(&mut vm.machine, digit))
}

/// A result of 64 bits.
pub(super) fn answer(machine: &mut ConcolicMachine, expr: ExprId) -> Answer {
    let val = machine.value(expr);
    if machine.pool.is_const(expr) {
        return Answer::Return(smallvec![Slot::plain(val)]);
    }
    let carried = machine.carry(expr, val);
    Answer::Return(smallvec![Slot { val, tag: Tag::new(carried, UndefId::NONE) }])
}

/// The first argument, if it depends on the input.
fn magnitude(vm: &mut Program<'_>, args: &[Slot]) -> Option<ExprId> {
    let is_open = |slot: &&Slot| slot.tag.expr().is_some() && slot.tag.undef() == UndefId::NONE;
    let magnitude = *args.first().filter(is_open)?;
    (!vm.machine.is_muted()).then(|| vm.machine.operand(64, magnitude))
}

/// An `int` that does not depend on the input.
pub(super) fn plain(args: &[Slot], number: usize) -> Option<u64> {
    args.get(number).filter(|slot| slot.tag.is_plain()).map(|slot| slot.val & 0xff)
}

/// The character of a digit, counted from the last; ten and more are letters from `ten` on.
pub(super) fn mk_digit(pool: &mut ExprPool, magnitude: ExprId, base: u64, place: u32, ten: u8) -> ExprId {
    let Some(power) = base.checked_pow(place) else { return pool.mk_const(8, u64::from(b'0')) };
    let (power, base_expr) = (pool.mk_const(64, power), pool.mk_const(64, base));
    let rest = pool.mk_udiv(magnitude, power);
    let digit = pool.mk_urem(rest, base_expr);
    let digit = pool.mk_extract(digit, 0, 8);
    let (zero, nine) = (pool.mk_const(8, u64::from(b'0')), pool.mk_const(8, 9));
    let decimal = pool.mk_add(digit, zero);
    if base <= 10 {
        return decimal;
    }
    let first = pool.mk_const(8, u64::from(ten - 10));
    let (is_decimal, letter) = (pool.mk_ule(digit, nine), pool.mk_add(digit, first));
    pool.mk_ite(is_decimal, decimal, letter)
}

/// How many digits there are, at least one: a sum of comparisons.
pub(super) fn mk_count(pool: &mut ExprPool, magnitude: ExprId, base: u64) -> ExprId {
    let powers = std::iter::successors(Some(base), |power| power.checked_mul(base));
    let mut count = pool.mk_const(64, 1);
    for power in powers {
        let power = pool.mk_const(64, power);
        let is_more = pool.mk_ule(power, magnitude);
        let one = pool.mk_zext(is_more, 64);
        count = pool.mk_add(count, one);
    }
    count
}
