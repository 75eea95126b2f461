//! How input comes into a program: areas of memory, and numbers.

use super::Program;
use crate::key::Series;
use spelunk_bv::int;
use spelunk_vm::{Flow, Slot, Stop, Tag, UndefId};

/// Makes the bytes of an area input.
pub fn make_area(vm: &mut Program<'_>, addr: u64, len: u64, series: Series<'_>) -> Result<(), Stop> {
    if len == 0 {
        return Ok(());
    }
    let resolved = vm.memory.resolve_mut(addr, len);
    vm.checked(resolved, "write")?;
    let steps = vm.steps();
    let machine = &mut vm.machine;
    let made = machine.make_input(series, len as u32, steps);
    let bytes = machine.inputs.bytes(made);
    let written = match machine.is_probing {
        true => vm.memory.write(addr, bytes),
        false => vm.memory.write_carrying(addr, bytes, |i| (made.carried(i as u32), 0)),
    };
    vm.checked(written, "write")
}

/// A number of at most 64 bits as input: the low bits of an object that has as many bytes as it needs.
pub fn make_number(vm: &mut Program<'_>, width: u32, series: Series<'_>) -> Slot {
    let steps = vm.steps();
    let machine = &mut vm.machine;
    let made = machine.make_input(series, width.div_ceil(8), steps);
    let value = machine.inputs.bytes(made).iter().rev().fold(0, |high, &byte| high << 8 | u64::from(byte));
    let value = int::trunc(width, value);
    if machine.is_probing {
        return Slot::plain(value);
    }
    let whole = machine.group_object(made);
    let expr = machine.pool.mk_trunc(whole, width);
    let carried = machine.carry(expr, value);
    Slot { val: value, tag: Tag::new(carried, UndefId::NONE) }
}

/// A number that takes two slots.
pub fn make_wide_number(vm: &mut Program<'_>, series: Series<'_>) -> Flow {
    let (low, high) = (make_number(vm, 64, series), make_number(vm, 64, series));
    Flow::Return([low, high])
}
