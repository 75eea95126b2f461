//! The decision about a pointer at its first use.

use super::{Lazy, Noted};
use crate::ledger::{Bound, LedgerKind, NOWHERE};
use crate::machine::ConcolicMachine;
use spelunk_expr::{ExprId, VarId};
use spelunk_hex::{Choice, ObjIx, TypeId, Violation};
use spelunk_ir::code::OpIdx;

/// The keys of alternatives: those of objects depend on the decisions before, and on nothing else.
const NULL: u64 = 0;
const EXPAND: u64 = 1;
/// None of them.
const OTHERWISE: u64 = 3;

/// How much a look at all ways through a heap may take.
const BACKBONE_STEPS: usize = 10_000;

fn key(choice: Choice) -> u64 {
    match choice {
        Choice::Null => NULL,
        Choice::Expand { ty, .. } => EXPAND | u64::from(ty.0) << 32,
        Choice::Alias { object, part } => {
            2 | u64::from(object.0) << 32 | part.map_or(0, |part| 4 * (u64::from(part) + 1))
        }
    }
}

impl Lazy {
    /// Decides what a pointer is, unless that was decided before or it is none of ours.
    pub(super) fn decide(&mut self, machine: &mut ConcolicMachine, site: OpIdx, var: VarId) {
        let Some(pointer) = self.pointers.get(var).filter(|_| !self.decided.knows(var)) else { return };
        let Some((object, reference)) = self.decided.reference(&self.shapes, &self.pointers, pointer) else { return };
        let Some(value) = self.pointers.value(machine, var) else { return };
        // What is found through another pointer to the same object has a variable of its own.
        if self.decided.heap.decided(object, reference).is_some() {
            return self.decided.adopt(&self.shapes, var, (object, reference));
        }
        let this = machine.pool.mk_var(var);
        let null = machine.pool.mk_const(64, 0);
        // The conditions of the alternatives; of a new object, that it is none of the others, and of course not null.
        let (mut all, mut taken) = (Vec::new(), None);
        let mut is_other = machine.pool.mk_ne(this, null);
        let candidates = self.decided.heap.candidates(object, reference);
        for choice in candidates {
            let (cond, is_taken) = match choice {
                Choice::Null => (machine.pool.mk_eq(this, null), value == 0),
                Choice::Alias { object, part } => self.mk_leads_to(machine, this, value, object, part),
                Choice::Expand { ty, part } => {
                    let is_around = self.mk_apart(machine, this, value, (ty, part), &mut is_other);
                    (is_other, taken.is_none() && !is_around)
                }
            };
            if matches!(choice, Choice::Alias { .. }) {
                let differs = machine.pool.mk_not(cond);
                is_other = machine.pool.mk_and(is_other, differs);
            }
            if is_taken {
                taken = Some((choice, cond));
            }
            if let Err(rule) = self.decided.heap.check(object, reference, choice) {
                machine.path.refuse(rule);
            } else if self.is_within_bounds(machine, object, choice) {
                all.push((key(choice), cond));
            }
        }
        let (taken, cond, choice) = match taken {
            Some((choice, cond)) => (key(choice), cond, Some(choice)),
            None => {
                let is_none = all.iter().map(|&(_, cond)| machine.pool.mk_not(cond)).collect::<Vec<_>>();
                let cond = is_none.into_iter().fold(ExprId::TRUE, |all, one| machine.pool.mk_and(all, one));
                (OTHERWISE, cond, None)
            }
        };
        // Rules don't allow what the input has: it is none.
        if !all.iter().any(|&(other, _)| other == taken) {
            machine.halt();
            all.push((taken, cond));
        }
        machine.choose(site, taken, all.into());
        let Some(choice) = choice else { return };
        self.note(Noted { var, choice });
        self.waiting.extend(self.decided.heap.companions_of(object, reference));
    }

    /// Whether what was decided keeps all rules, in whichever order it is looked at: a run checks them in its own order only.
    pub(super) fn keeps_rules(&self, machine: &mut ConcolicMachine) -> bool {
        match self.decided.heap.check_backbones(BACKBONE_STEPS) {
            Ok(()) => self.has_rest(machine),
            Err(Violation::Rule { rule, .. }) => {
                machine.path.refuse(rule);
                false
            }
            Err(Violation::Unchecked) => {
                machine.note_once(LedgerKind::UncheckedRules, NOWHERE, "heaps with too many ways to be looked at");
                true
            }
        }
    }

    pub(super) fn note(&mut self, noted: Noted) {
        self.journal.push(noted);
        let reference =
            self.pointers.get(noted.var).and_then(|it| self.decided.reference(&self.shapes, &self.pointers, it));
        let reference = reference.expect("what is decided is a reference of the heap");
        self.decided.decide(&self.shapes, noted.var, reference, noted.choice);
    }

    /// That a pointer leads to a place of an object, and whether it does.
    fn mk_leads_to(
        &self,
        machine: &mut ConcolicMachine,
        this: ExprId,
        value: u64,
        object: ObjIx,
        part: Option<u16>,
    ) -> (ExprId, bool) {
        let (maker, entry) = self.decided.maker(object).expect("only objects that were made are shared");
        let at = u64::from(self.shapes.place(self.decided.heap.type_of(object), part)).wrapping_sub(u64::from(entry));
        let start = machine.pool.mk_var(maker);
        let distance = machine.pool.mk_const(64, at);
        let there = machine.pool.mk_add(start, distance);
        let is_there = self.pointers.value(machine, maker).is_some_and(|start| start.wrapping_add(at) == value);
        (machine.pool.mk_eq(this, there), is_there)
    }

    /// That a new object is not around one that is there, which would then be a part of it; whether it is in this run.
    fn mk_apart(
        &self,
        machine: &mut ConcolicMachine,
        this: ExprId,
        value: u64,
        (ty, own): (TypeId, Option<u16>),
        is_other: &mut ExprId,
    ) -> bool {
        let heap = &self.decided.heap;
        let mut is_around = false;
        // The part that it leads to itself is an alias if it is there.
        let parts = heap.spec().types().get(ty).parts.iter().enumerate();
        for (number, part) in parts.filter(|&(number, _)| own != Some(number as u16)) {
            let place = |part| u64::from(self.shapes.place(ty, part));
            let from_here = place(Some(number as u16)).wrapping_sub(place(own));
            for object in heap.objects().filter(|&object| heap.type_of(object) == part.ty) {
                let Some((maker, entry)) = self.decided.maker(object) else { continue };
                let at = from_here.wrapping_add(u64::from(entry));
                let distance = machine.pool.mk_const(64, at);
                let (inside, start) = (machine.pool.mk_add(this, distance), machine.pool.mk_var(maker));
                let differs = machine.pool.mk_ne(inside, start);
                *is_other = machine.pool.mk_and(*is_other, differs);
                is_around |= self.pointers.value(machine, maker) == Some(value.wrapping_add(at));
                let detail = "pointers to a struct inside of an object that is only met later";
                machine.note_once(LedgerKind::KeptApart, NOWHERE, detail);
            }
        }
        is_around
    }

    /// Whether there may be one more object.
    fn is_within_bounds(&self, machine: &mut ConcolicMachine, holder: ObjIx, choice: Choice) -> bool {
        let Choice::Expand { ty, .. } = choice else { return true };
        // Whether a path has a valid input is no question of bounds.
        if machine.path.is_audit && machine.path.is_new_ground() {
            return true;
        }
        let heap = &self.decided.heap;
        if let Some(max) = self.shapes.limit(ty) {
            let n_objects = (0..heap.n_objects() as u32).filter(|&object| heap.type_of(ObjIx(object)) == ty).count();
            if n_objects as u32 >= max {
                machine.note_once(LedgerKind::Bound(Bound::Objects(max)), NOWHERE, "");
                return false;
            }
        }
        let Some(max) = machine.inputs.heap.unit.max_nesting else { return true };
        let way = std::iter::successors(Some(holder), |&object| heap.holder(object).map(|(holder, _)| holder));
        let is_deep = way.filter(|&object| heap.type_of(object) == ty).count() as u32 >= max;
        if is_deep {
            machine.note(LedgerKind::NoObject, NOWHERE);
        }
        !is_deep
    }
}
