//! What functions return that nobody defines, where its type is known: objects of the input's graph, one for each call.
//!
//! Nothing is decided here: where a pointer leads is a matter of those who use it, as with parameters.

use super::Program;
use crate::graph::unit::{StubResult, Unit};
use crate::input_bytes::Made;
use crate::unit_run::{make as make_node, make_reachable};
use spelunk_bv::int;
use spelunk_ir::code::CallSite;
use spelunk_vm::memory::Word;
use spelunk_vm::{Machine, Slot, Stop, Tag, UndefId};
use std::sync::Arc;

/// What is known of the result of a function: its number in the unit.
pub fn of(vm: &Program<'_>, function: &str) -> Option<(Arc<Unit>, usize)> {
    let unit = &vm.machine.inputs.heap.unit;
    let number = unit.results.iter().position(|result| result.function == function)?;
    Some((Arc::clone(unit), number))
}

/// The slots of the result of one call.
pub fn make(vm: &mut Program<'_>, result: &StubResult, site: &CallSite, args: &[Slot]) -> Result<Vec<Slot>, Stop> {
    let area = match (site.writes_result, args.first()) {
        (Some(_), Some(&area)) => Some(vm.word(area, "where the result goes")?),
        _ => None,
    };
    let made = make_object(vm, result)?;
    if let Some(area) = area {
        let written = vm.memory.write_carrying(area, vm.machine.inputs.bytes(made), |i| (made.carried(i as u32), 0));
        vm.checked(written, "write")?;
    }
    let mut slots = Vec::with_capacity(site.ret_slots as usize);
    for leaf in &site.returns {
        let limbs = (0..leaf.scalar.n_slots())
            .map(|limb| (leaf.offset as u32 + 8 * limb, (leaf.scalar.bits() - 64 * limb).min(64)));
        limbs.for_each(|(offset, width)| slots.push(slot(vm, made, offset, width)));
    }
    Ok(slots)
}

/// The object of a call, with all that it leads to.
fn make_object(vm: &mut Program<'_>, result: &StubResult) -> Result<Made, Stop> {
    let steps = vm.steps();
    let machine = &mut vm.machine;
    machine.begin_operation(steps);
    let inputs = &mut machine.inputs;
    let mut number = 0;
    let node = loop {
        let node = inputs.heap.result(result, number);
        if inputs.of_node(node).is_none() {
            break node;
        }
        number += 1;
    };
    let made = make_node(vm, node, None).and_then(|made| make_reachable(vm).map(|()| made));
    vm.checked(made, "allocation")
}

/// The bits of an object from an offset on. A register may be wider than what is left of it.
fn slot(vm: &mut Program<'_>, made: Made, offset: u32, width: u32) -> Slot {
    let n_bytes = width.div_ceil(8).min(made.len.saturating_sub(offset));
    let mut word = Word::plain(0);
    let machine = &mut vm.machine;
    for (i, &byte) in (0..n_bytes).zip(&machine.inputs.bytes(made)[offset as usize..]) {
        word.val |= u64::from(byte) << (8 * i);
        word.exprs[i as usize] = (made.carried(offset + i), 0);
    }
    if n_bytes == 0 {
        return Slot::plain(0);
    }
    let carried = machine.join(&word, n_bytes);
    let whole = Slot { val: word.val, tag: Tag::new(carried, UndefId::NONE) };
    if width.is_multiple_of(8) {
        return whole;
    }
    let expr = machine.operand(8 * n_bytes, whole);
    let (part, val) = (machine.pool.mk_trunc(expr, width), int::trunc(width, word.val));
    Slot { val, tag: Tag::new(machine.carry(part, val), UndefId::NONE) }
}
