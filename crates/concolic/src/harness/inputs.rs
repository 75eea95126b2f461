//! How input comes into a program: areas of memory, and numbers.

use super::Program;
use spelunk_bv::int;
use spelunk_vm::memory::Word;
use spelunk_vm::{Flow, Slot, Stop, Tag, UndefId};

/// Makes the bytes of an area input.
pub fn make_area(vm: &mut Program<'_>, addr: u64, len: u64, name: &str) -> Result<(), Stop> {
    if len == 0 {
        return Ok(());
    }
    let resolved = vm.memory.resolve_mut(addr, len);
    vm.checked(resolved, "write")?;
    let made = vm.machine.make_input(name, len as u32);
    for offset in (0..len).step_by(8) {
        let n = (len - offset).min(8) as usize;
        let mut word = Word::plain(0);
        let bytes = &vm.machine.inputs.bytes(made)[offset as usize..][..n];
        word.val = bytes.iter().rev().fold(0, |high, &byte| high << 8 | u64::from(byte));
        for (i, byte) in word.exprs.iter_mut().enumerate().take(n) {
            *byte = (vm.machine.inputs.carried(made, offset as u32 + i as u32), 0);
        }
        let stored = vm.memory.store_word(addr + offset, n as u32, &word);
        vm.checked(stored, "write")?;
    }
    Ok(())
}

/// A number of at most 64 bits as input: the low bits of an object that has as many bytes as it needs.
pub fn make_number(vm: &mut Program<'_>, width: u32, name: &str) -> Slot {
    let machine = &mut vm.machine;
    let made = machine.make_input(name, width.div_ceil(8));
    let value = machine.inputs.bytes(made).iter().rev().fold(0, |high, &byte| high << 8 | u64::from(byte));
    let whole = machine.inputs.group_object(&mut machine.pool, &mut machine.variables, made);
    let value = int::trunc(width, value);
    let expr = machine.pool.mk_trunc(whole, width);
    let carried = machine.carry(expr, value);
    Slot { val: value, tag: Tag::new(carried, UndefId::NONE) }
}

/// A number that takes two slots.
pub fn make_wide_number(vm: &mut Program<'_>, name: &str) -> Flow {
    let (low, high) = (make_number(vm, 64, name), make_number(vm, 64, name));
    Flow::Return([low, high])
}
