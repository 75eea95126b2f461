//! Objects of the input that theories ask for, of a layout of their own; which layout that is may be up to the input.

use crate::graph::layout::{Layout, LayoutId};
use crate::key::{ObjectKey, Series};
use crate::machine::ConcolicMachine;
use crate::unit_run::make_reachable;
use spelunk_ir::code::OpIdx;
use spelunk_vm::{Machine, Stop, Vm};
use std::sync::Arc;

/// An object that is not made yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    pub key: ObjectKey,
    /// What people call it.
    pub name: String,
    pub layout: LayoutId,
    /// Which of the layouts that is.
    pub choice: usize,
}

impl ConcolicMachine {
    /// Adds a type that objects of the input may have, for as long as the pool lives.
    pub fn add_layout(&mut self, layout: Layout) -> LayoutId {
        self.inputs.heap.add_layout(layout)
    }
}

/// Decides which of several layouts the next object of a label has. A byte of the input says so, which has the label itself;
/// what it chooses is part of the identity of what comes of it, so that bytes of one layout are never taken for those of another.
///
/// # Panics
/// If there are no layouts, or more than 256.
pub fn choose_layout(
    vm: &mut Vm<'_, ConcolicMachine>,
    site: OpIdx,
    label: &str,
    layouts: &[LayoutId],
) -> Result<Asked, Stop> {
    assert!((1..=256).contains(&layouts.len()), "a byte chooses among layouts");
    let steps = vm.steps();
    let machine = &mut vm.machine;
    let made = machine.make_input(Series::Area(label), 1, steps);
    let choice = usize::from(machine.inputs.bytes(made)[0]) % layouts.len();
    if layouts.len() > 1 {
        let byte = machine.group_object(made);
        let (wide, n) = (machine.pool.mk_zext(byte, 16), machine.pool.mk_const(16, layouts.len() as u64));
        let chosen = machine.pool.mk_urem(wide, n);
        let alternatives: Arc<[_]> = (0..layouts.len() as u64)
            .map(|key| {
                let number = machine.pool.mk_const(16, key);
                (key, machine.pool.mk_eq(chosen, number))
            })
            .collect();
        machine.choose(site, choice as u64, alternatives);
        ConcolicMachine::after_decision(vm)?;
    }
    let chooser = vm.machine.inputs.heap.node(made.node);
    let (key, name) = (chooser.key.behind(choice as u32), format!("{}/{choice}", chooser.name));
    Ok(Asked { key, name, layout: layouts[choice], choice })
}

/// Makes memory at an address an object of the input, with all that pointers in it lead to. Nothing is decided after that in the
/// operation at hand.
pub fn make_at(vm: &mut Vm<'_, ConcolicMachine>, addr: u64, asked: &Asked) -> Result<(), Stop> {
    let steps = vm.steps();
    let heap = &mut vm.machine.inputs.heap;
    let node = heap.asked(asked.key.clone(), &asked.name, asked.layout);
    let len = heap.node(node).n_bytes(heap.layouts());
    let resolved = vm.memory.resolve_mut(addr, u64::from(len));
    vm.checked(resolved, "write")?;
    let machine = &mut vm.machine;
    machine.begin_operation(steps);
    let made = machine.inputs.make_node(&machine.input, node, None);
    let written = vm.memory.write_carrying(addr, machine.inputs.bytes(made), |i| (made.carried(i as u32), 0));
    vm.checked(written, "write")?;
    let reached = make_reachable(vm);
    vm.checked(reached, "allocation")
}
