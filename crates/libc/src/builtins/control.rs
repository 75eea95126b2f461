//! How programs start, end and jump.

use super::area;
use super::{Answer, printed, words};
use spelunk_vm::{BugKind, Flow, Machine, Muted, Slot, Stop, Vm};

/// The status is an output: whatever it depends on, it is not asked for.
pub fn exit<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let status = printed(vm, args, "the exit status")?;
    Err(Stop::Exited(i32::from(status as u8)))
}

pub fn abort<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [why] = words(vm, args)?;
    let why = text(vm, why)?;
    vm.bug(BugKind::Abort, why)
}

pub fn assert_fail<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [condition] = words(vm, args)?;
    let condition = text(vm, condition)?;
    vm.bug(BugKind::Assert, format!("assertion `{condition}` failed"))
}

fn text<M: Machine>(vm: &mut Vm<'_, M>, addr: u64) -> Result<String, Stop> {
    Ok(String::from_utf8_lossy(&area::string(vm, addr)?).into_owned())
}

pub fn raise<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [signal] = words(vm, args)?;
    Err(Stop::Killed(signal as i32))
}

/// The address of a constructor by its index, null behind the last.
pub fn constructor<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [index] = words(vm, args)?;
    let function = vm.image().constructors.get(index as u32 as usize);
    Ok(Flow::value(function.map_or(0, |&id| vm.function_address(id))))
}

/// The same for destructors.
pub fn destructor<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [index] = words(vm, args)?;
    let function = vm.image().destructors.get(index as u32 as usize);
    Ok(Flow::value(function.map_or(0, |&id| vm.function_address(id))))
}

/// What `rt.h` calls them.
const RT_OUTPUT: u64 = 0;

pub fn mute<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [why] = words(vm, args)?;
    let why = if why as u32 as u64 == RT_OUTPUT { Muted::Output } else { Muted::Text };
    let site = vm.user_site();
    vm.machine.mute(site, why);
    Ok(Flow::VOID)
}

pub fn unmute<M: Machine>(vm: &mut Vm<'_, M>, _args: &[Slot]) -> Answer {
    vm.machine.unmute();
    Ok(Flow::VOID)
}

/// Whether a number depends on the input, and what is done with it is followed.
pub fn is_open<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let is_open = args.first().is_some_and(|number| number.tag.expr().is_some()) && !vm.machine.is_muted();
    Ok(Flow::value(u64::from(is_open)))
}

/// Signal masks are not saved: nothing is delivered while a jump is under way.
pub fn setjmp<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [buffer] = words(vm, args)?;
    vm.save_context(buffer)?;
    Ok(Flow::value(0))
}

pub fn longjmp<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [buffer, value] = words(vm, args)?;
    vm.restore_context(buffer, value as u32)
}
