//! Queries for inputs that are graphs.
//!
//! Pointers are solved by the [`Shape`](super::shape::Shape) that conditions ask for, numbers by the solver. That is the first
//! level. Conditions that speak of addresses as numbers (which is the larger one, what bits it has) are not about which
//! pointers share, and still depend on it: if the graph that was found does not meet them, a solver chooses addresses for the
//! pointers, among those of their objects, together with the numbers.

use super::Graph;
use super::classes::Common;
use super::conditions::Topic;
use super::domains::{mk_is, number_domain};
use super::shape::Contradiction;
use crate::input::InputEditor;
use crate::machine::ConcolicMachine;
use crate::query::{Constraints, Failed, Judgement, Level, Refuted};
use spelunk_expr::{ExprId, ExprPool, Model, Op, Overlay, VarId};

/// Numbers, given the graph.
const NUMBERS: Level = Level(0);
/// Everything, with the pointers as they were chosen.
const CHOSEN: Level = Level(1);
/// Everything, with pointers to any of the objects.
const PLACED: Level = Level(2);
/// The same with further objects.
const SPARE: Level = Level(3);
/// Addresses that objects could have if they were elsewhere: no input comes of that.
const ANYWHERE: Level = Level(4);

/// How often a solver is told why its choice can't be.
const MAX_LEMMAS: usize = 256;

impl Graph {
    pub(super) fn ask(
        &mut self,
        machine: &mut ConcolicMachine,
        query: &mut Constraints<'_>,
        level: Level,
    ) -> Result<(), Contradiction> {
        if level == NUMBERS {
            self.shape.read(&self.terms, machine, query.asked)?;
            self.shape.choose(&machine.inputs.heap, query.hint);
            let topics = self.shape.topics().iter().enumerate();
            topics.filter(|(_, topic)| **topic != Topic::Numbers).for_each(|(number, _)| query.claim(number));
            query.set_homes(self.shape.homes(&self.terms, &machine.inputs.heap), None);
        } else {
            if level == CHOSEN {
                self.chosen = self.pointers();
                query.set_homes(self.shape.homes(&self.terms, &machine.inputs.heap), None);
            }
            self.n_lemmas = 0;
            self.constrain_pointers(machine, query, level);
        }
        self.add_implied(machine, query);
        Ok(())
    }

    /// What a solver must know of pointers if it is to choose them.
    fn constrain_pointers(&mut self, machine: &mut ConcolicMachine, query: &mut Constraints<'_>, level: Level) {
        let pointers = &self.chosen;
        if level == CHOSEN {
            for &var in pointers {
                let chosen = mk_is(&mut machine.pool, var, self.shape.value(var).unwrap_or(0));
                query.add(chosen, false);
            }
            return;
        }
        for &var in pointers {
            let domain = match level {
                ANYWHERE => self.terms.wide_domain(machine, var),
                _ => self.terms.pointer_domain(machine, var, pointers, level == SPARE),
            };
            domain.into_iter().for_each(|domain| query.add(domain, false));
        }
        let sharing = self.terms.sharing(&mut machine.pool, pointers, self.shape.vars());
        let homes = self.terms.homes(machine, pointers);
        // What sharing that the conditions ask for implies for pointers, the solver can't know.
        let equal = self.shape.equal_pointers();
        let equal = equal.into_iter().map(|(pointer, other, shift)| mk_above(&mut machine.pool, pointer, other, shift));
        sharing.into_iter().chain(homes).chain(equal).for_each(|cond| query.add(cond, false));
    }

    /// The pointers that conditions speak of.
    fn pointers(&self) -> Vec<VarId> {
        self.shape.vars().iter().copied().filter(|&var| self.shape.value(var).is_some()).collect()
    }

    /// Adds what the shape implies for numbers, and which values they may have.
    fn add_implied(&self, machine: &mut ConcolicMachine, query: &mut Constraints<'_>) {
        let hint = query.hint;
        for common in self.shape.equal_contents() {
            let equal = mk_common(&mut machine.pool, common);
            query.add(equal, holds_common(common, |var| hint.get_u64(var).unwrap_or(0)));
        }
        for &var in self.shape.vars() {
            let value = hint.get_u64(var).unwrap_or(0);
            // Where the pointer leads into another's object, that one's type counts as well.
            let Some(term) = self.terms.get(var) else { continue };
            let there = self.shape.place_of(&self.terms, &machine.inputs.heap, var);
            for (node, offset) in [(term.node, term.offset)].into_iter().chain(there) {
                if let Some((domain, holds)) = number_domain(machine, var, (node, offset, term.n_bytes), value) {
                    query.add(domain, holds);
                }
            }
        }
    }

    pub(super) fn look_at(
        &mut self,
        machine: &mut ConcolicMachine,
        query: &mut Constraints<'_>,
        level: Level,
        changes: &Model,
    ) -> Judgement {
        match level {
            NUMBERS if self.meets_mixed(machine, query, changes) => Judgement::Accept,
            NUMBERS => Judgement::Higher,
            CHOSEN => Judgement::Accept,
            ANYWHERE => Judgement::Unknown("such an order of objects in memory"),
            _ => {
                let judgement = self.look_at_places(machine, query, changes);
                let elsewhere = self.mk_elsewhere(machine, query, changes);
                query.set_homes(self.shape.homes(&self.terms, &machine.inputs.heap), Some(elsewhere));
                judgement
            }
        }
    }

    /// Whether the values found meet the conditions that speak of addresses as numbers.
    fn meets_mixed(&mut self, machine: &ConcolicMachine, query: &Constraints<'_>, changes: &Model) -> bool {
        if self.shape.mixed().is_empty() {
            return true;
        }
        let mut changes = changes.clone();
        changes.update(self.shape.values());
        let overlay = Overlay { base: query.hint, changes: &changes };
        let mut evaluation = self.evaluator.under(&machine.pool, overlay);
        self.shape.mixed_conditions(query.asked).all(|cond| evaluation.eval_u64(cond) == 1)
    }

    /// Whether pointers can lead where a solver has chosen.
    fn look_at_places(&mut self, machine: &mut ConcolicMachine, query: &Constraints<'_>, changes: &Model) -> Judgement {
        const GIVEN_UP: Judgement = Judgement::Unknown("a graph in which too many pointers share objects");
        let mut model = query.hint.clone();
        model.update(changes);
        let is_possible = self.shape.read(&self.terms, machine, query.asked).is_ok()
            && self.shape.follow(&self.terms, &machine.inputs.heap, &model).is_ok();
        let value = |var: VarId| model.get_u64(var).unwrap_or(0);
        let pool = &mut machine.pool;
        let contents = self.shape.equal_contents().iter().find(|common| !holds_common(common, value));
        let is_wrong =
            |&(a, b, shift): &(VarId, Option<VarId>, i64)| value(a) != b.map_or(0, value).wrapping_add_signed(shift);
        let pointers = || self.shape.equal_pointers().into_iter().find(is_wrong);
        let wrong = match contents {
            Some(common) => Some(mk_common(pool, common)),
            None => pointers().map(|(a, b, shift)| mk_above(pool, a, b, shift)),
        };
        if is_possible && wrong.is_none() {
            return Judgement::Accept;
        }
        let lemma = wrong.filter(|_| is_possible).unwrap_or(ExprId::FALSE);
        let elsewhere = self.mk_elsewhere(machine, query, changes);
        let lemma = machine.pool.mk_or(lemma, elsewhere);
        self.n_lemmas += 1;
        // What follows from this choice does not hold for others.
        let is_readable = self.shape.read(&self.terms, machine, query.asked).is_ok();
        if is_readable && self.n_lemmas < MAX_LEMMAS { Judgement::Lemma(lemma) } else { GIVEN_UP }
    }

    /// That a pointer leads elsewhere than a solver has chosen.
    fn mk_elsewhere(&self, machine: &mut ConcolicMachine, query: &Constraints<'_>, changes: &Model) -> ExprId {
        let value = |var| changes.get_u64(var).or_else(|| query.hint.get_u64(var)).unwrap_or(0);
        let mut elsewhere = ExprId::FALSE;
        for &var in &self.chosen {
            let is_there = mk_is(&mut machine.pool, var, value(var));
            let is_not = machine.pool.mk_not(is_there);
            elsewhere = machine.pool.mk_or(elsewhere, is_not);
        }
        elsewhere
    }

    pub(super) fn look_further(
        &self,
        machine: &ConcolicMachine,
        query: &Constraints<'_>,
        level: Level,
        failed: Failed,
    ) -> Refuted {
        match (level, failed) {
            (CHOSEN, _) | (SPARE, Failed::Unsat) => Refuted::Higher,
            (PLACED, Failed::Unsat) if self.orders_addresses(machine, query) || self.has_containers(machine) => {
                Refuted::Higher
            }
            _ => Refuted::Final,
        }
    }

    /// Whether pointers are to be chosen that have objects around what they lead to: they may also lead to objects without such.
    fn has_containers(&self, machine: &ConcolicMachine) -> bool {
        let own = |&var: &VarId| self.terms.get(var)?.pointer?.own;
        self.chosen.iter().filter_map(own).any(|own| machine.inputs.heap.node(own).inside.is_some())
    }

    /// Whether a condition asks which of two addresses is the larger one.
    fn orders_addresses(&self, machine: &ConcolicMachine, query: &Constraints<'_>) -> bool {
        self.shape.mixed_conditions(query.asked).any(|cond| {
            let mut node = machine.pool.node(cond);
            while node.op() == Op::Not {
                node = machine.pool.node(node.arg(0));
            }
            matches!(node.op(), Op::Ult | Op::Ule | Op::Slt | Op::Sle)
        })
    }

    pub(super) fn write_input(
        &self,
        machine: &ConcolicMachine,
        hint: &Model,
        changes: &Model,
        input: &mut InputEditor,
    ) {
        self.shape.write(&self.terms, machine, hint, changes, input);
    }
}

/// That two numbers are the same where they are the same bytes.
fn mk_common(pool: &mut ExprPool, common: &Common) -> ExprId {
    let [a, b] = [0, 1].map(|i| {
        let (var, first) = (pool.mk_var(common.vars[i]), 8 * common.first[i]);
        let width = 8 * common.n_bytes;
        if pool.width(var) == width { var } else { pool.mk_extract(var, first, width) }
    });
    pool.mk_eq(a, b)
}

/// Whether it is so for some values.
fn holds_common(common: &Common, value: impl Fn(VarId) -> u64) -> bool {
    let [a, b] = [0, 1].map(|i| value(common.vars[i]) >> (8 * common.first[i]));
    (a ^ b) & spelunk_bv::int::mask(8 * common.n_bytes) == 0
}

/// That a pointer is by so much above another, or above null.
fn mk_above(pool: &mut ExprPool, pointer: VarId, other: Option<VarId>, shift: i64) -> ExprId {
    let Some(other) = other else { return mk_is(pool, pointer, shift as u64) };
    let (pointer, other) = (pool.mk_var(pointer), pool.mk_var(other));
    if shift == 0 {
        return pool.mk_eq(pointer, other);
    }
    let shift = pool.mk_const(64, shift as u64);
    let above = pool.mk_add(other, shift);
    pool.mk_eq(pointer, above)
}
