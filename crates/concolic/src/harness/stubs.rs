//! What stands in for functions that nobody defines: each call returns an input of its own, under the function's name.
//!
//! Where C declares what it returns, that is an input of its type, with pointers like those of parameters (`results`).
//! Otherwise a pointer is null or leads to a new object of bytes. Nothing is done about what such a function may write or
//! call.

use super::{Program, decide_truth, inputs, results};
use crate::key::Series;
use crate::ledger::LedgerKind;
use spelunk_ir::code::{CallSite, OpCode, Scalar, SlowOp};
use spelunk_vm::memory::ObjectKind;
use spelunk_vm::{Slot, Stop};

/// What happens at a call of a function that nobody defines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Undefined {
    /// It returns an input.
    #[default]
    ReturnsInput,
    /// The path ends, as unsupported.
    EndsPath,
}

/// How large the object is that a pointer leads to.
const OBJECT_SIZE: u64 = 256;

/// The slots of the result.
pub fn call(vm: &mut Program<'_>, external: u32, site: &CallSite, args: &[Slot]) -> Result<Vec<Slot>, Stop> {
    if vm.machine.undefined == Undefined::EndsPath || never_returns(vm) {
        return vm.no_definition(external);
    }
    let name = vm.image().externals[external as usize].clone();
    let place = vm.user_site();
    vm.machine.note(LedgerKind::Stub(external), place);
    if let Some((unit, number)) = results::of(vm, &name) {
        return results::make(vm, &unit.results[number], site, args);
    }
    if let (Some(size), Some(&area)) = (site.writes_result, args.first()) {
        let area = vm.word(area, "where the result goes")?;
        inputs::make_area(vm, area, size, Series::Result(&name))?;
    }
    let mut result = Vec::with_capacity(site.ret_slots as usize);
    // Everything is decided before objects are made: a snapshot comes back to here.
    for leaf in &site.returns {
        let widths = (0..leaf.scalar.n_slots()).map(|limb| (leaf.scalar.bits() - 64 * limb).min(64));
        match leaf.scalar {
            Scalar::Ptr => result.push(decide_pointer(vm, &name)?),
            _ => widths.for_each(|width| result.push(inputs::make_number(vm, width, Series::Result(&name)))),
        }
    }
    for leaf in site.returns.iter().filter(|leaf| leaf.scalar == Scalar::Ptr) {
        let pointer = &mut result[leaf.slot as usize];
        if pointer.val != 0 {
            *pointer = make_object(vm, &name)?;
        }
    }
    Ok(result)
}

/// Whether the compiler was told that the function does not return: nothing comes after the call.
fn never_returns(vm: &Program<'_>) -> bool {
    let next = vm.image().op(vm.pc().next());
    next.code == OpCode::Slow && matches!(vm.image().slow[next.a as usize], SlowOp::Unreachable)
}

/// Whether a pointer is null is up to the input. If not, it is any number for now.
fn decide_pointer(vm: &mut Program<'_>, name: &str) -> Result<Slot, Stop> {
    let is_there = inputs::make_number(vm, 1, Series::Result(name));
    Ok(Slot::plain(u64::from(decide_truth(vm, is_there, 1)?)))
}

fn make_object(vm: &mut Program<'_>, name: &str) -> Result<Slot, Stop> {
    let trace = vm.trace_id();
    let addr = vm.memory.alloc(ObjectKind::Heap, OBJECT_SIZE, 16, trace);
    let addr = vm.checked(addr, "allocation")?;
    inputs::make_area(vm, addr, OBJECT_SIZE, Series::Pointee(name))?;
    Ok(Slot::plain(addr))
}
