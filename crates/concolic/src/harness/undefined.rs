//! Values that a program reads without having written them: input, where that is asked for.

use super::{Program, inputs};
use crate::ledger::LedgerKind;
use spelunk_ir::lower::Uninitialised;
use spelunk_vm::Stop;

/// The name of such inputs.
const NAME: &str = "uninitialised";

/// Makes the bytes input of which no bit is initialised. Says whether there are some.
pub fn define(vm: &mut Program<'_>, addr: u64, n: u32, undef: u64) -> Result<bool, Stop> {
    if vm.machine.uninitialised == Uninitialised::IsError || vm.machine.is_silent() {
        return Ok(false);
    }
    let is_empty = |byte: u32| undef >> (8 * byte) & 0xff == 0xff;
    let mut start = 0;
    let mut has_some = false;
    while start < n {
        let len = (start..n).take_while(|&byte| is_empty(byte)).count() as u32;
        if len > 0 {
            has_some = true;
            inputs::make_area(vm, addr + u64::from(start), u64::from(len), NAME)?;
        }
        start += len.max(1);
    }
    if has_some {
        let place = vm.user_site();
        vm.machine.note(LedgerKind::Uninitialised, place);
    }
    Ok(has_some)
}
