//! Values that a program reads without having written them: input, where that is asked for.

use super::{Program, inputs};
use crate::key::Series;
use crate::ledger::{LedgerKind, NOWHERE};
use spelunk_ir::lower::Uninitialised;
use spelunk_vm::memory::ObjectKind;
use spelunk_vm::{Machine, Stop};

/// Larger objects are not given values as a whole.
const MAX_OBJECT: u64 = 1 << 12;

/// Makes the bytes input of which no bit is initialised. Says whether there are some.
pub fn define(vm: &mut Program<'_>, addr: u64, n: u32, undef: u64) -> Result<bool, Stop> {
    if !is_wanted(vm) {
        return Ok(false);
    }
    define_bytes(vm, addr, n, undef)
}

/// The same for all bytes of an object: any of them may be read.
pub fn define_object(vm: &mut Program<'_>, addr: u64) -> Result<(), Stop> {
    const WORD: u64 = 8;
    let Ok((id, _)) = vm.memory.resolve(addr, 0) else { return Ok(()) };
    let object = vm.memory.object(id);
    let (base, size) = (object.base(), object.size());
    if !is_wanted(vm) || size > MAX_OBJECT || vm.memory.first_not_plain(base, size).is_ok_and(|found| found.is_none()) {
        return Ok(());
    }
    let mut has_some = false;
    for offset in (0..size).step_by(WORD as usize) {
        let n = WORD.min(size - offset) as u32;
        if let Ok(word) = vm.memory.load_word(base + offset, n) {
            has_some |= define_bytes(vm, base + offset, n, word.undef)?;
        }
    }
    if has_some {
        // The rest of the operation finds them as they are now.
        let steps = vm.steps();
        vm.machine.committed(steps);
    }
    Ok(())
}

fn is_wanted(vm: &Program<'_>) -> bool {
    vm.machine.uninitialised == Uninitialised::IsAny && !vm.machine.is_silent()
}

fn define_bytes(vm: &mut Program<'_>, addr: u64, n: u32, undef: u64) -> Result<bool, Stop> {
    let is_empty = |byte: u32| undef >> (8 * byte) & 0xff == 0xff;
    let mut start = 0;
    let mut has_some = false;
    while start < n {
        let len = (start..n).take_while(|&byte| is_empty(byte)).count() as u32;
        if len > 0 {
            has_some = true;
            note(vm, addr + u64::from(start));
            inputs::make_area(vm, addr + u64::from(start), u64::from(len), Series::Uninitialised)?;
        }
        start += len.max(1);
    }
    Ok(has_some)
}

fn note(vm: &mut Program<'_>, addr: u64) {
    let place = vm.user_site();
    let Ok((id, offset)) = vm.memory.resolve(addr, 0) else { return };
    let object = vm.memory.object(id);
    let born = match object.kind() {
        ObjectKind::Stack => object.born().as_local(),
        _ => vm.traces.ops(object.born()).find(|&op| vm.image().is_user_code(op)).unwrap_or(NOWHERE),
    };
    vm.machine.note(LedgerKind::Uninitialised { born, offset: offset as u32 }, place);
}
