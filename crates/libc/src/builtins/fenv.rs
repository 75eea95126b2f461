//! <fenv.h> as far as it can be honest: there is one rounding mode, and nobody records exceptions.

use super::{Answer, words};
use spelunk_vm::{Flow, Machine, Slot, Vm};

const TO_NEAREST: u32 = 0;

pub fn fegetround<M: Machine>(_vm: &mut Vm<'_, M>, _args: &[Slot]) -> Answer {
    Ok(Flow::value(u64::from(TO_NEAREST)))
}

pub fn fesetround<M: Machine>(vm: &mut Vm<'_, M>, args: &[Slot]) -> Answer {
    let [mode] = words(vm, args)?;
    if mode as u32 != TO_NEAREST {
        return vm.unsupported("a rounding mode other than to nearest");
    }
    Ok(Flow::value(0))
}

pub fn feclearexcept<M: Machine>(_vm: &mut Vm<'_, M>, _args: &[Slot]) -> Answer {
    Ok(Flow::value(0))
}

pub fn fetestexcept<M: Machine>(vm: &mut Vm<'_, M>, _args: &[Slot]) -> Answer {
    vm.unsupported("floating-point exception flags")
}
