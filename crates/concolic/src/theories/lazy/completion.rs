//! Inputs that keep all rules, also where no decision was made.
//!
//! The conditions of a query say what was decided. All other references of the objects are then chosen such that the whole heap
//! is a valid one, and as they were where that can be.

use super::Lazy;
use super::references::Decided;
use crate::graph::heap::Heap as InputHeap;
use crate::graph::relation::{Relation, relations};
use crate::graph::shapes::{RootNumber, Shapes};
use crate::input::{InputEditor, InputObject, Pointee, Reference};
use crate::key::ObjectKey;
use crate::ledger::{LedgerKind, NOWHERE};
use crate::machine::ConcolicMachine;
use spelunk_expr::{ExprId, VarId};
use spelunk_hex::{Choice, Heap, Incomplete, ObjIx, Spot};
use std::sync::Arc;

/// How much a search for the rest of a heap may take.
pub(super) const BUDGET: usize = 10_000;

impl Lazy {
    pub(super) fn complete_input(
        &mut self,
        machine: &mut ConcolicMachine,
        conditions: &[ExprId],
        input: &mut InputEditor,
    ) {
        let mut decided = self.decided_by(machine, conditions);
        for object in input.objects().filter(|object| object.key.through.is_empty()) {
            let node = machine.inputs.heap.find(&object.key);
            if let (Some(node), Some(RootNumber::Result(root))) = (node, self.shapes.root(&object.key)) {
                decided.result(node, root);
            }
        }
        let present = Present { shapes: &self.shapes, decided: &decided, heap: &machine.inputs.heap, input };
        let completed =
            decided.heap.complete(&mut |heap, object, reference| present.choice(heap, object, reference), BUDGET);
        match completed {
            Ok(completed) => {
                // In the order of the search, but not in others.
                if completed.check_backbones(BUDGET).is_err() {
                    self.shapes.note_incomplete();
                }
                let heap = &mut machine.inputs.heap;
                Writer { shapes: &self.shapes, decided: &decided, heap, input, keys: Vec::new() }.write(&completed);
            }
            // It stays as it is: whoever has decided so much asks at the end whether that can be.
            Err(_) => self.shapes.note_incomplete(),
        }
    }

    /// Whether what a run has left open can be such that all rules hold. That is so unless an input could not be completed.
    pub(super) fn has_rest(&self, machine: &mut ConcolicMachine) -> bool {
        if !self.shapes.has_incomplete() {
            return true;
        }
        let detail = "heaps for which no rest was found such that all rules hold";
        match self.decided.heap.complete(&mut |_, _, _| None, BUDGET) {
            Ok(rest) => {
                if rest.check_backbones(BUDGET).is_err() {
                    machine.note_once(LedgerKind::UncheckedRules, NOWHERE, detail);
                }
                true
            }
            Err(Incomplete { is_certain: true, rule, .. }) => {
                rule.into_iter().for_each(|rule| machine.path.refuse(rule));
                false
            }
            Err(_) => {
                machine.note_once(LedgerKind::UncheckedRules, NOWHERE, detail);
                true
            }
        }
    }

    /// What conditions say was decided.
    pub(super) fn decided_by(&self, machine: &ConcolicMachine, conditions: &[ExprId]) -> Decided {
        let mut decided = Decided::new(&self.shapes.spec);
        for &cond in conditions {
            let relations = relations(&machine.pool, cond, |var| self.pointers.get(var).is_some());
            let Some(first) = relations.first() else { continue };
            let vars = [Some(first.pointer), first.other];
            let Some(var) = vars.into_iter().flatten().find(|&var| !decided.knows(var)) else { continue };
            let Some(pointer) = self.pointers.get(var) else { continue };
            let Some((object, reference)) = decided.reference(&self.shapes, &self.pointers, pointer) else { continue };
            if decided.heap.decided(object, reference).is_some() {
                decided.adopt(&self.shapes, var, (object, reference));
            } else if let Some(choice) = self.choice(&decided, object, reference, var, first) {
                decided.decide(&self.shapes, var, (object, reference), choice);
            }
        }
        decided
    }

    /// The alternative that a relation of a pointer is, or is part of.
    fn choice(
        &self,
        decided: &Decided,
        object: ObjIx,
        reference: usize,
        var: VarId,
        relation: &Relation,
    ) -> Option<Choice> {
        let &Relation { pointer, other, shift, is_equal } = relation;
        let mut candidates = decided.heap.candidates(object, reference).into_iter();
        if !is_equal {
            return candidates.find(|choice| matches!(choice, Choice::Expand { .. }));
        }
        let Some(other) = other else { return Some(Choice::Null) };
        let (other, shift) = if pointer == var { (other, shift) } else { (pointer, -shift) };
        let (object, at) = decided.target(other)?;
        let at = u32::try_from(i64::from(at) + shift).ok()?;
        candidates.find(|choice| match *choice {
            Choice::Alias { object: it, part } => {
                it == object && self.shapes.place(decided.heap.type_of(it), part) == at
            }
            _ => false,
        })
    }
}

/// What objects are in an input, by the references that lead to them.
struct Present<'a> {
    shapes: &'a Shapes,
    decided: &'a Decided,
    heap: &'a InputHeap,
    input: &'a InputEditor,
}

impl<'a> Present<'a> {
    fn object(&self, heap: &Heap, object: ObjIx) -> Option<&'a InputObject> {
        let key = match heap.holder(object) {
            None => &self.heap.node(self.decided.root(self.shapes, object)).key,
            Some((holder, reference)) => match &self.reference(heap, holder, reference)??.target {
                Pointee::Object(key) => key,
                Pointee::Function(_) => return None,
            },
        };
        self.input.get(key)
    }

    /// What a reference is in the input: nothing if it is null, or if the object is not there.
    fn reference(&self, heap: &Heap, object: ObjIx, reference: usize) -> Option<Option<&'a Reference>> {
        let offset = self.shapes.offset(heap.type_of(object), reference);
        let object = self.object(heap, object)?;
        Some(object.references.iter().find(|reference| reference.offset == offset))
    }

    /// The alternative that the input has.
    fn choice(&self, heap: &Heap, object: ObjIx, reference: usize) -> Option<Choice> {
        let Some(found) = self.reference(heap, object, reference)? else { return Some(Choice::Null) };
        let is_it = |choice: &Choice| match *choice {
            Choice::Null => false,
            Choice::Alias { object, part } => {
                u64::from(self.shapes.place(heap.type_of(object), part)) == found.at
                    && self.object(heap, object).is_some_and(|it| found.target == Pointee::Object(Arc::clone(&it.key)))
            }
            Choice::Expand { ty, part } => found.at == u64::from(self.shapes.place(ty, part)),
        };
        heap.candidates(object, reference).into_iter().find(is_it)
    }
}

/// Writes what a completion has chosen into an input.
struct Writer<'a> {
    shapes: &'a Shapes,
    decided: &'a Decided,
    heap: &'a mut InputHeap,
    input: &'a mut InputEditor,
    /// By object.
    keys: Vec<Option<Arc<ObjectKey>>>,
}

impl Writer<'_> {
    fn write(mut self, completed: &Heap) {
        let decided = &self.decided.heap;
        let is_decided = |object: ObjIx, reference: usize| {
            (object.0 as usize) < decided.n_objects() && decided.decided(object, reference).is_some()
        };
        for object in completed.objects() {
            let key = self.key(completed, object, is_decided);
            self.keys.push(key);
        }
        for object in completed.objects() {
            let ty = completed.type_of(object);
            let Some(key) = self.keys[object.0 as usize].clone() else { continue };
            for reference in (0..self.shapes.n_references(ty)).filter(|&it| !is_decided(object, it)) {
                if completed.decided(object, reference).is_none() {
                    continue;
                }
                let target = completed.target(object, reference).and_then(|Spot { object, part }| {
                    let at = u64::from(self.shapes.place(completed.type_of(object), part));
                    Some((self.keys[object.0 as usize].clone()?, at))
                });
                self.set(&key, self.shapes.offset(ty, reference), target);
            }
        }
    }

    /// Which object of the input one is: as in the input, unless that is another object by now.
    fn key(
        &mut self,
        completed: &Heap,
        object: ObjIx,
        is_decided: impl Fn(ObjIx, usize) -> bool,
    ) -> Option<Arc<ObjectKey>> {
        let Some((holder, reference)) = completed.holder(object) else {
            return Some(Arc::clone(&self.heap.node(self.decided.root(self.shapes, object)).key));
        };
        let offset = self.shapes.offset(completed.type_of(holder), reference);
        let holder_key = self.keys[holder.0 as usize].clone()?;
        let present = self.present(&holder_key, offset);
        let is_free = |key: &Arc<ObjectKey>| !self.keys.iter().flatten().any(|known| known == key);
        match present.filter(|key| is_decided(holder, reference) || is_free(key)) {
            Some(key) => Some(key),
            None => self.fresh(&holder_key, offset),
        }
    }

    /// The object that a pointer leads to in the input.
    fn present(&self, holder: &ObjectKey, offset: u32) -> Option<Arc<ObjectKey>> {
        let found = self.input.get(holder)?.references.iter().find(|reference| reference.offset == offset)?;
        match &found.target {
            Pointee::Object(key) => Some(Arc::clone(key)),
            Pointee::Function(_) => None,
        }
    }

    /// A new object for a pointer: its own, or one like that.
    fn fresh(&mut self, holder: &ObjectKey, offset: u32) -> Option<Arc<ObjectKey>> {
        let node = self.heap.find(holder)?;
        self.heap.pointers(node);
        let mut own = self.heap.own_of(node, offset)?;
        while self.keys.contains(&Some(Arc::clone(&self.heap.node(own).key))) {
            own = self.heap.spare(own)?;
        }
        self.heap.pointers(own);
        let key = Arc::clone(&self.heap.node(own).key);
        self.input.object_mut(&key, || self.heap.unsaid(own));
        Some(key)
    }

    fn set(&mut self, holder: &Arc<ObjectKey>, offset: u32, target: Option<(Arc<ObjectKey>, u64)>) {
        let Some(node) = self.heap.find(holder) else { return };
        self.heap.pointers(node);
        let object = self.input.object_mut(holder, || self.heap.unsaid(node));
        object.set_bytes(offset as usize, &[0; 8]);
        object.references.retain(|reference| reference.offset != offset);
        let reference = |(target, at)| Reference { offset, target: Pointee::Object(target), at };
        object.references.extend(target.map(reference));
    }
}
