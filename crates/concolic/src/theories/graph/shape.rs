//! The graph that conditions ask for.
//!
//! Conditions on pointers are solved here, without a solver (CUTE §3.5): they make classes of pointers, or contradict each
//! other. A class that may be null keeps being what it is in the hint; pointers share an object only if the conditions
//! say so. What is left to a solver are numbers, among them those that must be equal because pointers are.

use super::classes::{Classes, Common, Conflict};
use super::conditions::{Conditions, Topic};
use super::terms::Terms;
use crate::graph::heap::{Heap, NodeId};
use crate::graph::nest::OverlapBy;
use crate::graph::relation::Relation;
use crate::input::InputEditor;
use crate::machine::ConcolicMachine;
use crate::query;
use rustc_hash::{FxHashMap, FxHashSet};
use spelunk_expr::{ExprId, Model, VarId};

/// The conditions contradict each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contradiction;

impl From<Conflict> for Contradiction {
    fn from(_: Conflict) -> Self {
        Self
    }
}

#[derive(Debug, Default)]
pub(super) struct Shape {
    classes: Classes,
    relations: Vec<Relation>,
    topics: Vec<Topic>,
    /// The variables that conditions speak of, each once.
    vars: Vec<VarId>,
    /// The pointers that conditions of mixed topics speak of.
    mixed: Vec<VarId>,
    seen: Seen,
    known: Conditions,
    /// Of the pointers that conditions speak of.
    values: Model,
    /// By class: whether it is null.
    is_null: Vec<Option<bool>>,
}

/// Which variables were met.
#[derive(Debug, Default)]
struct Seen {
    stamps: Vec<u32>,
    stamp: u32,
}

impl Seen {
    fn reset(&mut self) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.stamps.clear();
            self.stamp = 1;
        }
    }

    fn insert(&mut self, var: VarId) -> bool {
        if self.stamps.len() <= var.index() {
            self.stamps.resize(var.index() + 1, 0);
        }
        std::mem::replace(&mut self.stamps[var.index()], self.stamp) != self.stamp
    }

    fn contains(&self, var: VarId) -> bool {
        self.stamps.get(var.index()) == Some(&self.stamp)
    }
}

impl Shape {
    /// Reads conditions. An error if what they say of pointers can't be.
    pub fn read(
        &mut self,
        terms: &Terms,
        machine: &ConcolicMachine,
        conditions: &[ExprId],
    ) -> Result<(), Contradiction> {
        let heap = &machine.inputs.heap;
        self.classes.clear();
        self.relations.clear();
        self.topics.clear();
        self.vars.clear();
        self.mixed.clear();
        self.seen.reset();
        self.known.prepare(terms, machine);
        for &cond in conditions {
            let condition = self.known.get(terms, machine, cond);
            self.relations.extend_from_slice(&condition.relations);
            self.topics.push(condition.topic);
            for &var in &condition.vars {
                if self.seen.insert(var) {
                    self.vars.push(var);
                }
                if condition.topic == Topic::Mixed && terms.is_pointer(var) {
                    self.mixed.push(var);
                }
            }
        }
        let Self { classes, relations, vars, .. } = self;
        // All pointers first, so that what is found through them finds them.
        for is_first in [true, false] {
            for &var in &*vars {
                let Some(term) = terms.get(var) else { continue };
                match is_first {
                    true if term.pointer.is_some() => classes.add(heap, terms, var, term)?,
                    true => {}
                    false => classes.add_content(heap, terms, var, term)?,
                }
            }
        }
        for relation in relations {
            classes.assert(heap, terms, relation)?;
        }
        Ok(())
    }

    /// What the conditions speak of, one after another.
    pub fn topics(&self) -> &[Topic] {
        &self.topics
    }

    /// Those of the conditions, which were read, that speak of addresses as numbers.
    pub fn mixed_conditions<'c>(&self, conditions: &'c [ExprId]) -> impl Iterator<Item = ExprId> + use<'_, 'c> {
        let topics = conditions.iter().zip(&self.topics);
        topics.filter(|(_, topic)| **topic == Topic::Mixed).map(|(&cond, _)| cond)
    }

    /// The variables that conditions speak of.
    pub fn vars(&self) -> &[VarId] {
        &self.vars
    }

    /// The pointers that the conditions speak of as numbers.
    pub fn mixed(&self) -> &[VarId] {
        &self.mixed
    }

    /// Numbers that are equal because pointers are.
    pub fn equal_contents(&self) -> &[Common] {
        self.classes.equal_contents()
    }

    /// Where a number is in this graph: the object that the pointer leads into through which it is found, if that is another's.
    pub fn place_of(&self, terms: &Terms, heap: &Heap, var: VarId) -> Option<(NodeId, u32)> {
        let term = terms.get(var)?;
        let (class, shift) = self.classes.place(terms.pointer_to(term.node)?)?;
        let home = self.classes.home(class).filter(|home| home.node != term.node)?;
        let from_pointer = i64::from(term.offset) - i64::from(heap.node(term.node).at());
        Some((home.node, (from_pointer + shift - home.start).try_into().ok()?))
    }

    /// Pointers that lead to the same place, and by how much the first is above the second; above null if there is none.
    pub fn equal_pointers(&self) -> Vec<(VarId, Option<VarId>, i64)> {
        let mut first: FxHashMap<u32, (VarId, i64)> = FxHashMap::default();
        let mut equal = Vec::new();
        for var in self.classes.vars() {
            match self.classes.place(var).map(|(class, shift)| (*first.entry(class).or_insert((var, shift)), shift)) {
                Some(((other, _), _)) if other == var => {}
                Some(((other, other_shift), shift)) => equal.push((var, Some(other), shift - other_shift)),
                None => equal.push((var, None, 0)),
            }
        }
        equal
    }

    /// Gives values to the pointers that the conditions speak of.
    pub fn choose(&mut self, heap: &Heap, hint: &Model) {
        let Self { classes, values, is_null, .. } = self;
        *values = Model::new();
        is_null.clear();
        is_null.resize(classes.vars().count() + 1, None);
        for var in classes.vars() {
            let Some((class, _)) = classes.place(var) else { continue };
            if hint.get_u64(var).unwrap_or(0) != 0 || classes.differs_from_any(class, |_| false) {
                is_null[class as usize] = Some(false);
            }
        }
        for var in classes.vars() {
            let Some((class, shift)) = classes.place(var) else {
                values.set_u64(var, 0);
                continue;
            };
            let must_differ = || classes.differs_from_any(class, |other| is_null[other as usize] == Some(true));
            let value = match is_null[class as usize].unwrap_or_else(|| !must_differ()) {
                true => 0,
                false => classes
                    .home(class)
                    .map_or(0, |home| heap.node(home.node).addr.wrapping_add((shift - home.start) as u64)),
            };
            is_null[class as usize] = Some(value == 0);
            values.set_u64(var, value);
        }
    }

    /// The objects that are not where their own pointer leads to.
    pub fn homes(&self, terms: &Terms, heap: &Heap) -> Vec<query::Home> {
        let home = |(var, value): (VarId, u64)| {
            let own = terms.get(var)?.pointer?.own?;
            let (within, at) = terms.target(heap, var, value)?;
            let at = at.checked_sub(heap.node(own).at()).filter(|&at| (within, at) != (own, 0))?;
            Some(query::Home { object: own, within, at })
        };
        self.values.iter_narrow().filter_map(home).collect()
    }

    /// The value of a pointer that the conditions speak of.
    pub fn value(&self, var: VarId) -> Option<u64> {
        self.values.get_u64(var)
    }

    pub fn values(&self) -> &Model {
        &self.values
    }

    /// Lets pointers that the conditions speak of lead to where a model says instead of where they were chosen to. An error
    /// if that can't be.
    pub fn follow(&mut self, terms: &Terms, heap: &Heap, model: &Model) -> Result<(), Contradiction> {
        let Self { classes, values, .. } = self;
        *values = Model::new();
        let pointers: Vec<VarId> = classes.vars().collect();
        // Those come first whose objects these are: others may be apart, and still parts of the same.
        let is_at_home = |&pointer: &VarId| {
            let own = terms.get(pointer)?.pointer?.own?;
            let value = model.get_u64(pointer).unwrap_or(0);
            let at = heap.node(own).at();
            (terms.target(heap, pointer, value) == Some((own, at))).then_some((own, (pointer, at)))
        };
        let mut guests: FxHashMap<NodeId, (VarId, u32)> = pointers.iter().filter_map(is_at_home).collect();
        for pointer in pointers {
            let value = model.get_u64(pointer).unwrap_or(0);
            values.set_u64(pointer, value);
            let (other, shift) = match terms.target(heap, pointer, value) {
                Some((target, at)) => {
                    let &mut (first, first_at) = guests.entry(target).or_insert((pointer, at));
                    (Some(first), i64::from(at) - i64::from(first_at))
                }
                None if value == 0 => (None, 0),
                None => continue,
            };
            if other != Some(pointer) {
                classes.assert(heap, terms, &Relation { pointer, other, shift, is_equal: true })?;
            }
        }
        Ok(())
    }

    /// Changes the input that the hint is about to what the conditions ask for.
    pub fn write(
        &self,
        terms: &Terms,
        machine: &ConcolicMachine,
        hint: &Model,
        changes: &Model,
        input: &mut InputEditor,
    ) {
        let heap = &machine.inputs.heap;
        let moved: FxHashSet<NodeId> = self
            .values
            .iter_narrow()
            .filter_map(|(var, value)| {
                let own = terms.get(var)?.pointer?.own?;
                (terms.target(heap, var, value) != Some((own, heap.node(own).at()))).then_some(own)
            })
            .collect();
        let mut values = self.values.clone();
        for (var, value) in hint.iter_narrow().filter(|&(var, _)| !self.seen.contains(var)) {
            let own = terms.get(var).and_then(|term| term.pointer).and_then(|pointer| pointer.own);
            let is_gone = terms.target(heap, var, value).is_some_and(|(target, _)| moved.contains(&target));
            values.set_u64(
                var,
                match own {
                    Some(own) if is_gone => heap.node(own).entry(),
                    _ => value,
                },
            );
        }
        // Where two variables are of one place, that counts which conditions speak of.
        for (var, _) in hint.iter_narrow().filter(|&(var, _)| !self.seen.contains(var)) {
            self.put(terms, machine, input, &values, var, values.get_u64(var).unwrap_or(0));
        }
        for &var in &self.vars {
            let number = || changes.get_u64(var).or_else(|| hint.get_u64(var));
            if let Some(value) = values.get_u64(var).or_else(number) {
                self.put(terms, machine, input, &values, var, value);
            }
        }
        if heap.unit.overlap.by == OverlapBy::Any {
            fit(terms, heap, input, &values);
        }
    }

    /// Writes a value to where a variable is found.
    fn put(
        &self,
        terms: &Terms,
        machine: &ConcolicMachine,
        input: &mut InputEditor,
        values: &Model,
        var: VarId,
        value: u64,
    ) {
        let Some(place) = machine.variables.place(var) else { return };
        let heap = &machine.inputs.heap;
        let bytes = &value.to_le_bytes()[..place.n_bytes as usize];
        let Some(term) = terms.get(var) else {
            let object = input.object_mut(&heap.node(place.object).key, || heap.unsaid(place.object));
            object.set_bytes(place.offset as usize, bytes);
            return;
        };
        let pointer = terms.pointer_to(term.node);
        let value = pointer.and_then(|pointer| Some((pointer, values.get_u64(pointer)?)));
        let (node, offset) = match value {
            Some((_, 0)) => return,
            Some((pointer, value)) => match terms.target(heap, pointer, value) {
                Some((node, at)) => (node, (at + term.offset).checked_sub(heap.node(term.node).at())),
                None => return,
            },
            None => (term.node, Some(term.offset)),
        };
        // What is around the target of a pointer need not be around that of another.
        let Some(offset) = offset else { return };
        // Objects are found through pointers where their types have such.
        if term.pointer.is_some() && !heap.has_pointer(node, offset) {
            return;
        }
        let object = input.object_mut(&heap.node(node).key, || heap.unsaid(node));
        object.set_bytes(offset as usize, bytes);
        if term.n_bytes == 8 {
            heap.refer(object, offset);
        }
    }
}

/// Makes objects as long as is needed by what overlaps them in part, and no longer.
fn fit(terms: &Terms, heap: &Heap, input: &mut InputEditor, values: &Model) {
    let mut ends: FxHashMap<NodeId, u32> = FxHashMap::default();
    for (var, value) in values.iter_narrow() {
        let own = terms.get(var).and_then(|term| term.pointer).and_then(|pointer| pointer.own);
        if let (Some(own), Some((node, at))) = (own, terms.target(heap, var, value))
            && heap.is_loose(node)
        {
            let end = ends.entry(node).or_insert_with(|| heap.node(node).n_bytes(heap.layouts()));
            *end = (*end).max(at + heap.node(own).n_bytes(heap.layouts()));
        }
    }
    for (node, end) in ends {
        let object = input.object_mut(&heap.node(node).key, || heap.unsaid(node));
        object.bytes.resize(end as usize, 0);
        object.references.retain(|reference| reference.offset + 8 <= end);
    }
}
