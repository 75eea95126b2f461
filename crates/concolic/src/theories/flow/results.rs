//! An operation that was executed: what its result depends on, what it wrote, and where control went.

use super::labels::Label;
use super::operands::{At, Kind, Pending, is_one_place};
use super::places::Wrote;
use super::regions::Extent;
use super::{Flow, NONE, Program, Way, hash};
use smallvec::SmallVec;
use spelunk_ir::code::{OpIdx, RegUse};
use spelunk_vm::Slot;
use spelunk_vm::memory::object_of;
use std::sync::Arc;

impl Flow {
    /// The last operation was executed, and `next` comes; or the run ended in it.
    pub(super) fn finish(&mut self, vm: &mut Program<'_>, next: Option<OpIdx>) {
        let Some(pending) = self.run.pending.take() else { return self.decided_outside(vm) };
        self.run.last_site = pending.site.0;
        self.run.watch.places.add_objects(pending.n_objects, vm.memory.n_objects(), pending.site);
        if self.has_leaks {
            self.note_births(vm, pending.n_objects);
        }
        let (checks, others) = self.take_decisions(vm, pending.label);
        let decided = self.run.watch.labels.mk(others.clone());
        let has_checked = !checks.is_empty() || !others.is_empty();
        let label = self.union(pending.label, decided);
        match &pending.kind {
            Kind::Values { is_checked } => {
                if *is_checked && !has_checked {
                    self.check(pending.site, pending.label);
                }
                self.set_results(vm, &pending, label);
            }
            Kind::Observe { operand } => {
                let exprs = Self::exprs_of(&vm.machine, &[*operand]);
                let atoms = self.atoms_of(&vm.machine, &exprs, pending.site);
                if !(atoms.is_empty() && label.is_none()) {
                    self.meet(pending.site, atoms, label, (0, NONE));
                }
            }
            Kind::Branch { operands } => {
                let Some(next) = next else { return };
                let met = match others.last() {
                    Some(&met) => Some(met),
                    None => self.meet_branch(vm, &pending, operands, next),
                };
                if let Some(met) = met {
                    let extent = self.extents.of(vm.image(), pending.site);
                    self.enter_region(pending.site, pending.depth, extent, met);
                }
            }
            Kind::Load(at) => {
                let read = self.read(vm, &pending, *at, label);
                self.set_results(vm, &pending, read);
            }
            Kind::Store { at, value, stored } => {
                self.check_access(&pending, *at);
                let chosen = self.meet_chosen(vm, pending.site, *at, *stored);
                let value = self.union(*value, chosen);
                self.write(vm, pending.site, *at, label, value);
            }
            Kind::Exchange(at) => {
                let read = self.read(vm, &pending, *at, label);
                self.set_results(vm, &pending, read);
                self.write(vm, pending.site, *at, label, read);
            }
            Kind::Copy { to, from } => self.copied(vm, &pending, (*to, *from), label),
            Kind::Fill { at, value } => {
                self.check_access(&pending, *at);
                self.write(vm, pending.site, *at, label, *value);
            }
            Kind::CopyArgument { from } => {
                let made = vm.memory.n_objects();
                self.set_results(vm, &pending, Label::NONE);
                let to = vm.memory.object(spelunk_vm::memory::ObjectId(made - 1)).base();
                let read = self.read(vm, &pending, *from, label);
                self.run.watch.places.set(to, from.len, read);
            }
            Kind::Make => {
                if !label.is_none() {
                    for id in pending.n_objects..vm.memory.n_objects() {
                        self.add_label(Wrote::Life(spelunk_vm::memory::ObjectId(id)), label);
                    }
                }
                self.set_results(vm, &pending, Label::NONE);
            }
            Kind::VaStart { list } => {
                let passed = self.run.variadic.iter().rev().find(|it| it.0 == pending.depth);
                let passed = passed.filter(|_| self.known.follows(Way::Variadic)).map_or(Label::NONE, |it| it.1);
                let areas = (pending.n_objects..vm.memory.n_objects()).map(spelunk_vm::memory::ObjectId);
                areas.for_each(|area| self.add_label(Wrote::Object(area), passed));
                self.run.watch.places.set(*list, 24, label);
                self.wrote(Wrote::Bytes { addr: *list, len: 24 });
            }
            Kind::Call { args, target } => self.called(vm, &pending, args, *target, (decided, next)),
            Kind::Return { to, n_slots } => {
                let mut label = label;
                while self.run.control.last().is_some_and(|top| top.depth >= pending.depth) {
                    let left = self.leave_region(vm, None);
                    if self.known.follows(Way::Returns) {
                        label = self.union(label, left);
                    }
                }
                self.run.variadic.retain(|it| it.0 < pending.depth);
                self.run.watch.leave_frame(pending.base);
                if let Some(to) = *to {
                    self.set_slots(to, *n_slots, label);
                }
            }
        }
    }

    /// What is decided before the first call or between two decides all that follows.
    fn decided_outside(&mut self, vm: &mut Program<'_>) {
        let (checks, others) = self.take_decisions(vm, Label::NONE);
        for met in checks.into_iter().chain(others) {
            let site = OpIdx(u32::MAX - met);
            self.enter_region(site, 0, Extent { join: None, assigned: Arc::default() }, met);
        }
    }

    /// A branch that could not go otherwise for this path, if it depends on anything.
    fn meet_branch(&mut self, vm: &Program<'_>, pending: &Pending, operands: &[Slot], next: OpIdx) -> Option<u32> {
        let exprs = Self::exprs_of(&vm.machine, operands);
        let atoms = self.atoms_of(&vm.machine, &exprs, pending.site);
        let depends = !(atoms.is_empty() && pending.label.is_none());
        depends.then(|| self.meet(pending.site, atoms, pending.label, (u64::from(next.0), NONE)))
    }

    /// An error was possible for other values of what is in the label.
    pub(super) fn check(&mut self, site: OpIdx, label: Label) {
        if !label.is_none() && self.known.follows(Way::Checks) {
            self.meet(site, SmallVec::new(), label, (0, NONE));
        }
    }

    /// The same for an access: where it goes, and whether the object lives.
    fn check_access(&mut self, pending: &Pending, at: At) {
        let mut label = pending.label;
        if self.known.follows(Way::Life) {
            label = self.union(label, self.run.watch.places.life(at.addr));
        }
        self.check(pending.site, label);
    }

    /// What bytes that are read depend on.
    fn read(&mut self, vm: &mut Program<'_>, pending: &Pending, at: At, label: Label) -> Label {
        self.check_access(pending, at);
        let label = if self.known.follows(Way::Addresses) { label } else { Label::NONE };
        let super::Watch { places, labels, .. } = &mut *self.run.watch;
        if is_one_place(&vm.machine, at) {
            let found = places.label_of(labels, at.addr, at.len);
            return labels.union(found, label);
        }
        let found = places.label_of_object(labels, at.addr);
        let label = labels.union(found, label);
        let index = self.meet_index(vm, pending.site, at.addr);
        self.union(label, index)
    }

    /// The variables of an index that no expression of what is read there may show: they may be known to have one value.
    fn meet_index(&mut self, vm: &Program<'_>, site: OpIdx, addr: u64) -> Label {
        let exprs: SmallVec<[_; 1]> = vm.machine.located.iter().filter(|it| it.0 == addr).map(|it| it.1).collect();
        let atoms = self.atoms_of(&vm.machine, &exprs, site);
        if atoms.is_empty() {
            return Label::NONE;
        }
        let met = self.meet(site, atoms, Label::NONE, (0, NONE));
        self.run.watch.labels.mk(vec![met])
    }

    /// Bytes were written, at a place that depends on `place`.
    pub(super) fn write(&mut self, vm: &mut Program<'_>, site: OpIdx, at: At, place: Label, value: Label) {
        if is_nowhere(vm, at) {
            return;
        }
        let label = self.union(place, value);
        if is_one_place(&vm.machine, at) {
            self.run.watch.places.set(at.addr, at.len, label);
            self.wrote(Wrote::Bytes { addr: at.addr, len: at.len });
        } else {
            let index = self.meet_index(vm, site, at.addr);
            let label = self.union(label, index);
            self.add_label(Wrote::Object(object_of(at.addr)), label);
            self.wrote(Wrote::Object(object_of(at.addr)));
        }
        self.written_elsewhere(vm, site, at, place);
    }

    /// If the place of a write depends on something, so do places that it could have gone to.
    fn written_elsewhere(&mut self, vm: &Program<'_>, site: OpIdx, at: At, place: Label) {
        if place.is_none() || !self.known.follows(Way::Elsewhere) {
            return;
        }
        let earliest = self.run.watch.labels.get(place)[0];
        let kind = hash(&("write", site, self.run.stack, self.run.kinds[earliest as usize]));
        let effects = self.known.effects().number(kind);
        self.spread(vm, effects, &[Wrote::Bytes { addr: at.addr, len: at.len }], place);
    }

    pub(super) fn copied(&mut self, vm: &mut Program<'_>, pending: &Pending, (to, from): (At, At), label: Label) {
        self.check_access(pending, to);
        let read = self.read(vm, pending, from, Label::NONE);
        if is_nowhere(vm, to) {
            return;
        }
        if to.is_symbolic || from.is_symbolic {
            let all = self.union(read, label);
            self.add_label(Wrote::Object(object_of(to.addr)), all);
            self.wrote(Wrote::Object(object_of(to.addr)));
        } else {
            let super::Watch { places, labels, .. } = &mut *self.run.watch;
            places.copy(labels, to.addr, from.addr, to.len, label);
            self.wrote(Wrote::Bytes { addr: to.addr, len: to.len });
        }
        self.written_elsewhere(vm, pending.site, to, label);
    }

    /// The registers that the operation has written depend on this.
    pub(super) fn set_results(&mut self, vm: &Program<'_>, pending: &Pending, label: Label) {
        vm.image().visit_regs(pending.site, |how, reg, n| {
            if how == RegUse::Write {
                self.set_slots(pending.base + reg.slot(), n as usize, label);
            }
        });
    }
}

/// Whether there is no object: the run has ended in this access.
fn is_nowhere(vm: &Program<'_>, at: At) -> bool {
    object_of(at.addr).0 >= vm.memory.n_objects()
}
