//! SV-COMP's and Test-Comp's functions. Each call of a `__VERIFIER_nondet_` function is an input of its own.

use super::{Answer, Program, assume, inputs, slots, words};
use crate::key::Series;
use crate::machine::ConcolicMachine;
use spelunk_vm::{BugKind, Builtin, Flow, Slot};

macro_rules! numbers {
    ($($width:literal { $($name:ident)* })*) => {
        fn find_number(name: &str) -> Option<Builtin<ConcolicMachine>> {
            match name {
                $($(concat!("__VERIFIER_nondet_", stringify!($name)) => Some(|vm, _| {
                    let label = concat!("__VERIFIER_nondet_", stringify!($name));
                    Ok(Flow::slot(inputs::make_number(vm, $width, Series::Area(label))))
                }),)*)*
                _ => None,
            }
        }
    };
}

numbers! {
    1 { bool _Bool }
    8 { char schar uchar u8 S8 U8 msg_t }
    16 { short ushort u16 S16 U16 }
    32 { int uint u32 unsigned S32 U32 float }
    64 { long ulong longlong ulonglong u64 S64 U64 loff_t size_t ssize_t off_t double pointer pchar charp const_char_pointer
         sector_t pthread_t }
}

pub fn find(name: &str) -> Option<Builtin<ConcolicMachine>> {
    Some(match name {
        "__VERIFIER_assume" => assume_int,
        "__VERIFIER_assert" => assert_int,
        "__VERIFIER_error" | "reach_error" => reach_error,
        "__VERIFIER_nondet_u128" | "__VERIFIER_nondet_uint128" => {
            |vm, _| Ok(inputs::make_wide_number(vm, Series::Area("__VERIFIER_nondet_uint128")))
        }
        "__VERIFIER_nondet_int128" => {
            |vm, _| Ok(inputs::make_wide_number(vm, Series::Area("__VERIFIER_nondet_int128")))
        }
        "__VERIFIER_nondet_memory" => memory,
        "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end" => |_, _| Ok(Flow::VOID),
        _ => return find_number(name),
    })
}

fn assume_int(vm: &mut Program<'_>, args: &[Slot]) -> Answer {
    let [condition] = slots(vm, args)?;
    assume(vm, condition, 32)?;
    Ok(Flow::VOID)
}

fn assert_int(vm: &mut Program<'_>, args: &[Slot]) -> Answer {
    let [condition] = slots(vm, args)?;
    super::assert(vm, condition, 32, "__VERIFIER_assert")?;
    Ok(Flow::VOID)
}

fn reach_error(vm: &mut Program<'_>, _args: &[Slot]) -> Answer {
    vm.bug(BugKind::ReachError, "")
}

/// `(area, size)`
fn memory(vm: &mut Program<'_>, args: &[Slot]) -> Answer {
    let [area, len] = words(vm, args)?;
    inputs::make_area(vm, area, len, Series::Area("__VERIFIER_nondet_memory"))?;
    Ok(Flow::VOID)
}
