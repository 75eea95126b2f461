//! Leaks: whether an object can be reached in the end depends on what decided that there is one, that it was freed, and where pointers
//! to it are. Which byte may have held one in another run is not known, so any that is part of a pointer or a null pointer now counts,
//! for all objects together.

use super::labels::Label;
use super::operands::{At, carries};
use super::{Flow, NONE, Program};
use smallvec::SmallVec;
use spelunk_expr::Op;
use spelunk_ir::code::OpIdx;
use spelunk_vm::Slot;
use spelunk_vm::memory::{Life, ObjectId, ObjectKind, object_of};

/// A pointer has so many bytes.
const POINTER: u64 = 8;

impl Flow {
    /// An operation may have made objects, under the branches that are under way.
    pub(super) fn note_births(&mut self, vm: &Program<'_>, from: u32) {
        let is_on_heap = |id: &ObjectId| vm.memory.object(*id).kind() == ObjectKind::Heap;
        if (from..vm.memory.n_objects()).map(ObjectId).any(|id| is_on_heap(&id)) {
            let mut under: Vec<u32> = self.run.control.iter().filter_map(|region| region.met.last().copied()).collect();
            under.sort_unstable();
            under.dedup();
            let under = self.run.watch.labels.mk(under);
            self.run.born = self.union(self.run.born, under);
        }
    }

    /// A pointer is stored that an expression chooses: it says nothing of leaks by itself.
    pub(super) fn meet_chosen(&mut self, vm: &Program<'_>, site: OpIdx, at: At, stored: Slot) -> Label {
        if !self.has_leaks || at.len != POINTER || !carries(stored) {
            return Label::NONE;
        }
        let expr = vm.machine.provenance.expr(stored.tag.expr());
        let is_choice = vm.machine.pool.node(expr).op() == Op::Ite;
        let atoms = if is_choice { self.atoms_of(&vm.machine, &[expr], site) } else { SmallVec::new() };
        if atoms.is_empty() {
            return Label::NONE;
        }
        let met = self.meet(site, atoms, Label::NONE, (0, NONE));
        self.run.watch.labels.mk(vec![met])
    }

    /// The run is over.
    pub(super) fn meet_leaks(&mut self, vm: &Program<'_>) {
        let is_on_heap = |id: ObjectId| vm.memory.object(id).kind() == ObjectKind::Heap;
        if !self.run.watch.places.made().any(is_on_heap) {
            return;
        }
        let super::Watch { places, labels, slots, .. } = &mut *self.run.watch;
        let mut all = slots.iter().fold(self.run.born, |all, &label| labels.union(all, label));
        for id in places.made().filter(|&id| is_on_heap(id)) {
            all = labels.union(all, places.life(vm.memory.object(id).base()));
        }
        places.visit(|id, some, bytes| {
            if id.0 == 0 || id.0 >= vm.memory.n_objects() || vm.memory.object(id).life() != Life::Live {
                return;
            }
            all = labels.union(all, some);
            let object = u64::from(id.0) << 32;
            for (offset, label) in bytes {
                if may_be_pointer(vm, object | u64::from(offset)) {
                    all = labels.union(all, label);
                }
            }
        });
        if all != Label::NONE {
            self.meet(vm.pc(), SmallVec::new(), all, (0, NONE));
        }
    }
}

/// Whether a byte belongs to a pointer to the heap, or to a null pointer, as far as that can be told.
fn may_be_pointer(vm: &Program<'_>, addr: u64) -> bool {
    (0..POINTER).any(|before| match vm.memory.load::<8>(addr.wrapping_sub(before)) {
        Some(value) => {
            let id = object_of(value);
            value == 0 || (id.0 < vm.memory.n_objects() && vm.memory.object(id).kind() == ObjectKind::Heap)
        }
        None => false,
    })
}
