//! Calls: into code, or of library functions in Rust, of which a table says what flows where.

use super::labels::Label;
use super::operands::{At, Kind, Pending, carries, copy, extent};
use super::places::Wrote;
use super::regions::Extent;
use super::{Flow, NONE, Program, Way};
use smallvec::SmallVec;
use spelunk_ir::code::{CheckedImage, OpCode, OpIdx};
use spelunk_vm::Slot;
use spelunk_vm::memory::{ObjectId, ObjectKind, object_of};
use std::sync::Arc;

/// What flows where in a library function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Native {
    /// Nothing that the program sees.
    Silent,
    /// Nothing, but the path may end there.
    Assume,
    /// What follows is not told, until it is over.
    Mute,
    Copy,
    Fill,
    Make,
    Free,
    /// As `Memory`, and the object of the first argument is gone.
    Move,
    /// From all arguments, and all bytes of objects that they point to, to the result and these objects.
    Memory,
    /// The same; files, and the order in which input is asked for, count as one more object.
    World,
    /// Bytes that carry expressions may be known to have one value: that can't be seen here.
    Reader,
}

/// Steps to add one: if it is none of the usual kind, give it a row.
fn native(name: &str) -> Native {
    let memory = ["str", "stp", "mem", "__str", "__stp", "__mem", "b", "index", "rindex", "rawmemchr", "swab"];
    match name {
        "__sp_write"
        | "__sp_check_output"
        | "__sp_check_character"
        | "__sp_note"
        | "__sp_keeps"
        | "__sp_unmute"
        | "__sp_ctor"
        | "__sp_dtor"
        | "__sp_is_open"
        | "__sp_isatty"
        | "__sp_check_fits" => Native::Silent,
        "__sp_assume" | "spelunk_assume" | "klee_assume" | "__VERIFIER_assume" => Native::Assume,
        "__sp_mute" => Native::Mute,
        "memcpy" | "memmove" | "mempcpy" | "__memcpy_chk" | "__memmove_chk" | "__mempcpy_chk" => Native::Copy,
        "memset" | "__memset_chk" => Native::Fill,
        "malloc" | "calloc" | "memalign" | "aligned_alloc" | "valloc" | "pvalloc" => Native::Make,
        "free" | "cfree" => Native::Free,
        "realloc" | "reallocarray" => Native::Move,
        "posix_memalign" => Native::Memory,
        "strverscmp" | "__sp_parse_double" | "__sp_parse_float" | "__sp_parse_long_double" => Native::Reader,
        "__sp_format_double" | "__sp_format_float" | "__sp_count_digits" | "__sp_digit" | "__sp_printed" => {
            Native::Memory
        }
        _ if memory.iter().any(|start| name.starts_with(start)) => Native::Memory,
        _ if spelunk_libc::is_math(name) => Native::Memory,
        _ => Native::World,
    }
}

/// Whether the path ends there whatever the arguments are.
pub(super) fn ends_always(image: &CheckedImage, pending: &Pending) -> bool {
    let is_end = |name: &str| matches!(name, "__sp_exit" | "__sp_abort" | "__sp_assert_fail");
    matches!(pending.kind, Kind::Call { .. }) && is_end(callee_name(image, pending.site, None))
}

/// The name of what is called, if Rust code may serve it.
fn callee_name(image: &CheckedImage, site: OpIdx, target: Option<Slot>) -> &str {
    let op = image.op(site);
    match op.code {
        OpCode::CallExternal => &image.externals[op.a as usize],
        OpCode::Call | OpCode::CallVar => &image.functions[op.a as usize].name,
        _ => {
            let object =
                target.and_then(|target| image.statics.get((object_of(target.val).0 as usize).wrapping_sub(1)));
            match object.map(|object| &object.kind) {
                Some(spelunk_ir::code::StaticKind::Function(id)) => &image.functions[id.index()].name,
                _ => "",
            }
        }
    }
}

impl Flow {
    /// A call was executed: control is in the function, or behind the call.
    pub(super) fn called(
        &mut self,
        vm: &mut Program<'_>,
        pending: &Pending,
        args: &[Slot],
        target: Option<Slot>,
        (decided, next): (Label, Option<OpIdx>),
    ) {
        let Some(next) = next else { return };
        let name = callee_name(vm.image(), pending.site, target);
        let kind = native(name);
        if kind == Native::Mute && vm.depth() >= pending.depth {
            return self.unmuted(vm, pending, args, decided);
        }
        if vm.depth() > pending.depth {
            return self.entered(vm, pending, target, decided);
        }
        if vm.depth() < pending.depth || next != pending.site.next() {
            return self.leapt(vm, pending, (name, args), (decided, next));
        }
        if !self.known.follows(Way::Library) {
            return;
        }
        self.returned(vm, pending, (name, kind), args, decided);
    }

    fn entered(&mut self, vm: &mut Program<'_>, pending: &Pending, target: Option<Slot>, decided: Label) {
        if vm.result_slot().is_none() || vm.depth() != pending.depth + 1 {
            return self.lose(pending.site, "a library function calls back into the program");
        }
        let function = vm.image().function_at(vm.pc()).expect("a function is executed");
        let first = vm.first_slot();
        if function.varargs {
            let op = vm.image().op(pending.site);
            let n_args = vm.image().call_sites[op.b as usize].arg_slots as usize;
            let mut passed = Label::NONE;
            for slot in function.param_slots as usize..n_args {
                let with = self.slot_label(first + slot);
                passed = self.union(passed, with);
            }
            self.run.variadic.push((vm.depth(), passed));
        }
        let n_local = (function.n_slots - function.param_slots.min(function.n_slots)) as usize;
        self.set_slots(first + function.param_slots as usize, n_local, Label::NONE);
        // What is called depends on the pointer.
        let mut label = decided;
        if let Some(target) = target {
            let of_pointer =
                self.slot_label(pending.base + spelunk_ir::code::Reg(vm.image().op(pending.site).a).slot());
            label = self.union(label, of_pointer);
            let exprs = Self::exprs_of(&vm.machine, &[target]);
            let atoms = self.atoms_of(&vm.machine, &exprs, pending.site);
            if !atoms.is_empty() {
                let met = self.meet(pending.site, atoms, Label::NONE, (target.val, NONE));
                let with = self.run.watch.labels.mk(vec![met]);
                label = self.union(label, with);
            }
        }
        if !label.is_none() && self.known.follows(Way::Targets) {
            let way = target.map_or(0, |target| target.val);
            let met = self.meet(pending.site, SmallVec::new(), label, (way, NONE));
            let assigned: Arc<[usize]> = self.results_of(vm, pending).into();
            let extent = Extent { join: Some(pending.site.next()), assigned };
            self.enter_region(pending.site, pending.depth, extent, met);
        }
    }

    fn results_of(&self, vm: &Program<'_>, pending: &Pending) -> Vec<usize> {
        let mut slots = Vec::new();
        vm.image().visit_regs(pending.site, |how, reg, n| {
            if how == spelunk_ir::code::RegUse::Write {
                slots.extend(reg.slot()..reg.slot() + n as usize);
            }
        });
        slots
    }

    /// A library function in Rust, or a theory in its place, has served the call.
    fn returned(
        &mut self,
        vm: &mut Program<'_>,
        pending: &Pending,
        (name, kind): (&str, Native),
        args: &[Slot],
        decided: Label,
    ) {
        let n_objects = vm.memory.n_objects();
        let mut label = self.union(pending.label, decided);
        match kind {
            Native::Silent | Native::Mute => return self.set_results(vm, pending, label),
            Native::Assume => {
                self.check(pending.site, pending.label);
                return self.set_results(vm, pending, Label::NONE);
            }
            _ => {}
        }
        let exprs = Self::exprs_of(&vm.machine, args);
        let atoms = self.atoms_of(&vm.machine, &exprs, pending.site);
        let has_values = args.iter().any(|&arg| carries(arg) && !self.is_input_pointer(vm, arg));
        if has_values && !atoms.is_empty() {
            let met = self.meet(pending.site, atoms, Label::NONE, (0, NONE));
            let with = self.run.watch.labels.mk(vec![met]);
            label = self.union(label, with);
        }
        match (kind, args) {
            (Native::Copy, [to, from, len, ..]) => {
                if let Kind::Copy { to, from } = copy(*to, *from, *len) {
                    self.copied(vm, pending, (to, from), label);
                }
                return self.set_results(vm, pending, label);
            }
            (Native::Fill, [to, value, len, ..]) => {
                self.check(pending.site, pending.label);
                let _ = value;
                let at: At = extent(*to, *len);
                let value = label;
                self.write(vm, pending.site, at, label, value);
                return self.set_results(vm, pending, label);
            }
            (Native::Make, _) => {
                for id in pending.n_objects..n_objects {
                    self.add_label(Wrote::Life(ObjectId(id)), label);
                }
                self.check(pending.site, pending.label);
                return self.set_results(vm, pending, label);
            }
            (Native::Free, [freed, ..]) => {
                let life = self.run.watch.places.life(freed.val);
                let all = self.union(label, life);
                self.check(pending.site, all);
                self.add_label(Wrote::Life(object_of(freed.val)), label);
                self.wrote(Wrote::Life(object_of(freed.val)));
                return;
            }
            (Native::Move, [moved, ..]) => {
                self.add_label(Wrote::Life(object_of(moved.val)), label);
                self.wrote(Wrote::Life(object_of(moved.val)));
            }
            (Native::Reader, _) if args.iter().any(|arg| vm.memory.carries_exprs_from(arg.val)) => {
                return self.lose(pending.site, format!("`{name}` reads input"));
            }
            _ => {}
        }
        self.served(vm, pending, kind, args, label);
    }

    /// What all functions may do of which nothing is known.
    fn served(&mut self, vm: &mut Program<'_>, pending: &Pending, kind: Native, args: &[Slot], label: Label) {
        let mut label = label;
        let mut objects: Vec<ObjectId> = args.iter().map(|arg| object_of(arg.val)).collect();
        objects.retain(|id| id.0 != 0 && id.0 < vm.memory.n_objects());
        objects.extend((pending.n_objects..vm.memory.n_objects()).map(ObjectId));
        objects.sort_unstable_by_key(|id| id.0);
        objects.dedup();
        for &id in &objects {
            let super::Watch { places, labels, .. } = &mut *self.run.watch;
            let addr = vm.memory.object(id).base();
            let found = places.label_of_object(labels, addr);
            let found = labels.union(found, places.life(addr));
            label = labels.union(label, found);
        }
        if kind == Native::World {
            let world = self.run.watch.places.world();
            label = self.union(label, world);
            self.add_label(Wrote::World, label);
            self.wrote(Wrote::World);
        }
        self.check(pending.site, label);
        for id in objects {
            if !matches!(vm.memory.object(id).kind(), ObjectKind::Constant | ObjectKind::Function) {
                self.add_label(Wrote::Object(id), label);
                self.wrote(Wrote::Object(id));
            }
        }
        self.set_results(vm, pending, label);
    }

    /// Nothing was told for a while, in a library function that prints or makes text of numbers.
    fn unmuted(&mut self, vm: &mut Program<'_>, pending: &Pending, args: &[Slot], decided: Label) {
        let slots = vm.library_slots();
        let slots = slots.start.min(pending.base)..slots.end.max(pending.base);
        let mut label = self.run.variadic.iter().fold(decided, |all, it| self.run.watch.labels.union(all, it.1));
        for slot in slots.clone() {
            let with = self.slot_label(slot);
            label = self.union(label, with);
        }
        let is_text = args.first().is_some_and(|why| why.val as u32 != 0);
        if is_text {
            let carried: Vec<Slot> = slots.clone().map(|slot| vm.slot_at(slot)).filter(|slot| carries(*slot)).collect();
            let exprs = Self::exprs_of(&vm.machine, &carried);
            let atoms = self.atoms_of(&vm.machine, &exprs, pending.site);
            if !atoms.is_empty() {
                let met = self.meet(pending.site, atoms, Label::NONE, (0, NONE));
                let with = self.run.watch.labels.mk(vec![met]);
                label = self.union(label, with);
            }
            let mut objects: Vec<ObjectId> = slots.clone().map(|slot| object_of(vm.slot_at(slot).val)).collect();
            objects.retain(|id| id.0 != 0 && id.0 < vm.memory.n_objects());
            for id in objects {
                if !matches!(vm.memory.object(id).kind(), ObjectKind::Constant | ObjectKind::Function) {
                    self.add_label(Wrote::Object(id), label);
                    self.wrote(Wrote::Object(id));
                }
            }
        }
        self.set_slots(slots.start, slots.len(), label);
    }

    /// Whether what an argument carries is a pointer of the input and nothing else.
    fn is_input_pointer(&self, vm: &Program<'_>, arg: Slot) -> bool {
        vm.machine.base_of(arg).is_some()
    }
}
