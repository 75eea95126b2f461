//! The functions of `spelunk.h`, and those by which the C library asks for input itself.

use super::{Answer, Program, assume, inputs, klee, slots, text, words};
use crate::key::Series;
use crate::machine::ConcolicMachine;
use spelunk_vm::{BugKind, Builtin, Flow, Slot};

macro_rules! numbers {
    ($($width:literal { $($name:ident)* })*) => {
        fn find_number(name: &str) -> Option<Builtin<ConcolicMachine>> {
            match name {
                $($(concat!("spelunk_", stringify!($name)) => Some(|vm, args| number(vm, $width, args)),)*)*
                _ => None,
            }
        }
    };
}

numbers! {
    1 { bool }
    8 { char uchar }
    16 { short ushort }
    32 { int uint float }
    64 { long ulong double }
}

pub fn find(name: &str) -> Option<Builtin<ConcolicMachine>> {
    Some(match name {
        "spelunk_make_symbolic" | "__sp_make_input" => klee::make_symbolic,
        "spelunk_string" => string,
        "spelunk_assume" => assume_bool,
        "spelunk_fail" => fail,
        "__sp_assume" => assume_int,
        "spelunk_range" => range,
        "spelunk_is_decided" => is_decided,
        _ => return find_number(name),
    })
}

fn number(vm: &mut Program<'_>, width: u32, args: &[Slot]) -> Answer {
    let [name] = words(vm, args)?;
    let name = super::name(vm, name)?;
    Ok(Flow::slot(inputs::make_number(vm, width, Series::Area(&name))))
}

/// `(buffer, head, max)`: a string of at most so many characters. All of them are free, not only the first.
fn string(vm: &mut Program<'_>, args: &[Slot]) -> Answer {
    let [buffer, _head, max] = words(vm, args)?;
    inputs::make_area(vm, buffer, max, Series::Area("string"))?;
    let ended = vm.memory.write(buffer.wrapping_add(max), &[0]);
    vm.checked(ended, "write")?;
    Ok(Flow::VOID)
}

/// `(first, last, name)`: a number from the first to the last.
fn range(vm: &mut Program<'_>, args: &[Slot]) -> Answer {
    let [first, last, name] = words(vm, args)?;
    if first as i64 > last as i64 {
        return vm.bug(BugKind::ReportedError, format!("no number is from {} to {}", first as i64, last as i64));
    }
    let name = super::name(vm, name)?;
    let number = inputs::make_number(vm, 64, Series::Area(&name));
    super::assume_in_range(vm, number, 64, first, last)?;
    Ok(Flow::slot(number))
}

/// Without a heap that is decided on demand, nothing is left open.
fn is_decided(_vm: &mut Program<'_>, _args: &[Slot]) -> Answer {
    Ok(Flow::slot(Slot::plain(1)))
}

fn assume_bool(vm: &mut Program<'_>, args: &[Slot]) -> Answer {
    let [condition] = slots(vm, args)?;
    assume(vm, condition, 1)?;
    Ok(Flow::VOID)
}

fn assume_int(vm: &mut Program<'_>, args: &[Slot]) -> Answer {
    let [condition] = slots(vm, args)?;
    assume(vm, condition, 32)?;
    Ok(Flow::VOID)
}

fn fail(vm: &mut Program<'_>, args: &[Slot]) -> Answer {
    let [condition] = words(vm, args)?;
    let condition = text(vm, condition)?;
    vm.bug(BugKind::Assert, format!("assertion `{condition}` failed"))
}
