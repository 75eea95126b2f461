//! What _FORTIFY_SOURCE makes of <string.h>: the same functions, told by the compiler how large the destination is.

use super::area;
use super::{Answer, copy, mem, slots, words};
use spelunk_vm::{BugKind, Builtin, Flow, Machine, Slot, Stop, Vm};

/// `(how much is written, size of the buffer)`
pub fn check_fits<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [n, size] = slots(vm, args)?;
    check_room(vm, n, size)?;
    Ok(Flow::VOID)
}

/// Decides whether `n` bytes fit, and ends the path if they don't.
fn check_room<M: Machine>(vm: &mut Vm<'_, M>, n: Slot, size: Slot) -> Result<(), Stop> {
    let size = vm.word(size, "the size of a buffer")?;
    vm.check_defined(n, "a length")?;
    let site = vm.pc();
    vm.machine.check_length(site, n, size, BugKind::OutOfBounds);
    M::after_decision(vm)?;
    require_fit(vm, n.val, size)
}

/// Ends the path if `n` bytes don't fit.
fn require_fit<M: Machine>(vm: &Vm<'_, M>, n: u64, size: u64) -> Result<(), Stop> {
    if n <= size {
        return Ok(());
    }
    vm.bug(BugKind::OutOfBounds, format!("write of {n} bytes to a buffer of {size} bytes"))
}

/// A function whose third argument is how much it writes, and whose fourth is the size.
fn counted<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot], function: Builtin<M>) -> Answer {
    let [_, _, n, size] = slots(vm, args)?;
    check_room(vm, n, size)?;
    function(vm, &args[..3])
}

macro_rules! counted {
    ($($name:ident: $function:path;)*) => {
        $(pub fn $name<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
            counted(vm, args, $function)
        })*
    };
}

counted! {
    memcpy_chk: mem::memcpy;
    memmove_chk: mem::memmove;
    mempcpy_chk: mem::mempcpy;
    memset_chk: mem::memset;
    strncpy_chk: copy::strncpy;
    stpncpy_chk: copy::stpncpy;
    strlcpy_chk: copy::strlcpy;
    strlcat_chk: copy::strlcat;
}

pub fn explicit_bzero_chk<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [_, n, size] = words(vm, args)?;
    require_fit(vm, n, size)?;
    mem::bzero(vm, args)
}

pub fn strcpy_chk<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [_, src, size] = words(vm, args)?;
    let len = area::string_len(vm, src)?;
    require_fit(vm, len + 1, size)?;
    copy::strcpy(vm, args)
}

pub fn stpcpy_chk<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [_, src, size] = words(vm, args)?;
    let len = area::string_len(vm, src)?;
    require_fit(vm, len + 1, size)?;
    copy::stpcpy(vm, args)
}

pub fn strcat_chk<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [dst, src, size] = words(vm, args)?;
    let len = area::string_len(vm, dst)? + area::string_len(vm, src)?;
    require_fit(vm, len + 1, size)?;
    copy::strcat(vm, args)
}

pub fn strncat_chk<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [dst, src, n, size] = words(vm, args)?;
    let len = area::string_len(vm, dst)? + area::string_len_within(vm, src, n)?;
    require_fit(vm, len + 1, size)?;
    copy::strncat(vm, args)
}
