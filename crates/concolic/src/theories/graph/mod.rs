//! Pointers of the input: graphs of objects (CUTE).
//!
//! What the path's conditions say of pointers, and what was written through which, is the journal of a run; `classes` follow from
//! it. `pointers` is what dereferencing decides, `views` what is found through a pointer, `terms` and `conditions` say what
//! variables and conditions mean, `domains` which values they may have, `shape` what graph conditions ask for, and `queries` how
//! that becomes an input. Which objects there are is not decided here but in the machine's inputs ([`crate::graph::heap`]).

mod classes;
mod conditions;
mod domains;
mod pointers;
mod queries;
pub mod shape;
mod terms;
mod views;

use super::{Address, Condition, Events, Step, Theory};
use crate::decision::DecisionKind;
use crate::graph::extent::Extent;
use crate::graph::heap::NodeId;
use crate::graph::layout::{Callee, LayoutId, Leaf, LeafKind};
use crate::graph::relation::{Relation, Relations};
use crate::input::{Input, InputEditor};
use crate::journal::{AnyJournal, Entries, Entry, Journal};
use crate::ledger::{LedgerKind, NOWHERE};
use crate::machine::{Base, ConcolicMachine};
use crate::query::{Constraints, Failed, Judgement, Level, Refuted};
use classes::Classes;
use pointers::Based;
use shape::{Contradiction, Shape};
use spelunk_expr::{Evaluator, ExprId, Model, Op, VarId};
use spelunk_ir::code::OpIdx;
use spelunk_vm::memory::{Fault, Memory, Word};
use spelunk_vm::{Access, Carried, Slot};
use terms::Terms;

#[derive(Default)]
pub(super) struct Graph {
    journal: Journal<Noted>,
    /// What the path's conditions say of pointers: follows from the journal.
    classes: Classes,
    /// Also from there.
    written: Vec<Written>,
    /// The relations that the condition at hand is, if it holds.
    offered: Relations,
    /// The address of the access at hand, and the pointer that it goes through: of the path, and of a check that is made in the midst of that.
    through: [Option<(u64, Based)>; 2],
    /// What variables are, in all runs with one pool.
    terms: Terms,
    /// Whether an object ever carried what another pointer finds in it.
    has_repainted: bool,
    /// The graph that the query at hand asks for.
    shape: Shape,
    /// Pointers that a solver is to choose.
    chosen: Vec<VarId>,
    /// How often a solver was told why its choice can't be.
    n_lemmas: usize,
    evaluator: Evaluator,
}

/// What a run notes of pointers.
#[derive(Clone, Copy, Debug)]
enum Noted {
    Read(VarId),
    Related(Relation),
    Wrote(Written),
}

impl Entry for Noted {}

/// Bytes that were written through a pointer of the input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Written {
    var: VarId,
    own: NodeId,
    extent: Extent,
}

impl Graph {
    fn note(&mut self, machine: &ConcolicMachine, noted: Noted) {
        self.journal.push(noted);
        let (heap, terms) = (&machine.inputs.heap, &self.terms);
        let taken = match noted {
            Noted::Read(var) => match terms.get(var) {
                Some(term) => self.classes.add(heap, terms, var, term),
                None => Ok(()),
            },
            Noted::Related(relation) => self.classes.assert(heap, terms, &relation),
            Noted::Wrote(written) => {
                self.written.push(written);
                Ok(())
            }
        };
        debug_assert!(taken.is_ok(), "an input contradicts what its own path says of pointers");
    }

    /// The bytes written through pointers that are known to lead to the same object as this one contain one of its bytes.
    fn is_overwritten(&self, var: VarId, at: i64) -> bool {
        self.is_written_in(var, Extent { first: at, last: at })
    }

    /// The same for one of several bytes.
    fn is_written_in(&self, var: VarId, extent: Extent) -> bool {
        let Some((class, shift)) = self.classes.place(var) else { return false };
        self.written.iter().any(|written| {
            let place = self.classes.place(written.var).filter(|&(other, _)| other == class);
            place.is_some_and(|(_, other)| written.extent.meets(extent.moved(shift - other)))
        })
    }

    /// Whether the path's conditions decide relations already, of which there are some.
    fn know(&self, machine: &ConcolicMachine, relations: &[Relation]) -> bool {
        let knows = |relation: &Relation| self.classes.implies(&machine.inputs.heap, relation).is_some();
        !relations.is_empty() && relations.iter().all(knows)
    }

    fn may_be_no_function(&self, machine: &ConcolicMachine, var: VarId) -> bool {
        let leaf = self.terms.get(var).and_then(|term| machine.inputs.heap.leaf(term.node, term.offset));
        matches!(leaf, Some((_, Leaf { kind: LeafKind::Function(callees), .. })) if callees.contains(&Callee::Null))
    }
}

impl Theory for Graph {
    fn name(&self) -> &'static str {
        "graph"
    }

    fn events(&self) -> Events {
        [
            Events::CONDITION,
            Events::BITS,
            Events::ADDRESS,
            Events::ACCESS,
            Events::CONTENT,
            Events::POINTER,
            Events::QUERY,
        ]
        .into_iter()
        .fold(Events::BOUND, Events::and)
    }

    fn journal(&self) -> &dyn AnyJournal {
        &self.journal
    }

    fn restore(&mut self, machine: &mut ConcolicMachine, entries: Entries<'_>) {
        self.journal.clear();
        self.classes.clear();
        self.written.clear();
        for &noted in entries.of::<Noted>() {
            self.note(machine, noted);
        }
    }

    /// Objects are where a snapshot has them only if the same pointers lead to them.
    fn serves(&self, from: &Input, to: &Input) -> bool {
        to.keeps_references_of(from)
    }

    fn is_implied(&self, machine: &ConcolicMachine, cond: ExprId) -> bool {
        self.know(machine, &self.terms.relations(machine, cond))
    }

    fn condition(&mut self, machine: &mut ConcolicMachine, condition: &mut Condition) -> Step {
        self.offered = self.terms.relations(machine, condition.cond);
        if self.know(machine, &self.offered) { Step::Implied } else { Step::Pass }
    }

    fn decided(&mut self, machine: &mut ConcolicMachine, condition: &Condition) {
        let relations = std::mem::take(&mut self.offered);
        // That several do not all hold says nothing about each.
        if condition.holds || relations.len() == 1 {
            for relation in relations {
                let is_equal = relation.is_equal == condition.holds;
                self.note(machine, Noted::Related(Relation { is_equal, ..relation }));
            }
        }
    }

    fn bound(&mut self, machine: &mut ConcolicMachine, var: VarId, first: u32) {
        let Some(place) = machine.variables.place(var) else { return };
        let node = machine.inputs.holder(first).node;
        if machine.inputs.heap.node(node).layout == LayoutId::BYTES {
            return;
        }
        let term = self.terms.note(&machine.inputs.heap, var, node, place);
        self.note(machine, Noted::Read(var));
        if term.pointer.is_some_and(|pointer| pointer.own.is_none()) {
            let is_opaque = machine.inputs.heap.is_opaque(node, place.offset);
            machine.note(if is_opaque { LedgerKind::OpaquePointer } else { LedgerKind::NoObject }, NOWHERE);
        }
    }

    fn looked_at_bits(&mut self, machine: &mut ConcolicMachine, expr: ExprId) {
        if self.is_pointer(machine, expr) {
            self.terms.tag(machine.pool.node(expr).var());
        }
    }

    fn resolve(&mut self, machine: &mut ConcolicMachine, _memory: &Memory, address: &mut Address) -> Option<Fault> {
        self.go_through(machine, address)
    }

    fn rebased(&mut self, machine: &mut ConcolicMachine, addr: ExprId, base: Base) -> Option<ExprId> {
        let based = self.based(machine, addr, base).filter(|based| leads_somewhere(machine, based.value))?;
        Some(based.rebased(machine))
    }

    /// A pointer to a function in an object of the input is null only where the program asks whether it is: a call is no
    /// such question.
    fn call_target(&mut self, machine: &mut ConcolicMachine, access: Access, addr: ExprId) {
        let node = machine.pool.node(addr);
        if node.op() != Op::Var || access.addr.val == 0 || !self.may_be_no_function(machine, node.var()) {
            return;
        }
        let null = machine.pool.mk_const(64, 0);
        let is_function = machine.pool.mk_ne(addr, null);
        machine.decide(access.site, DecisionKind::Granted, 0, is_function);
    }

    fn before_read(&mut self, machine: &mut ConcolicMachine, _memory: &Memory, access: Access) -> Option<Carried> {
        self.decide_overwritten(machine, access);
        None
    }

    fn before_write(&mut self, machine: &mut ConcolicMachine, access: Access, _word: Option<&Word>) {
        self.note_write(machine, access);
    }

    fn view(&mut self, machine: &mut ConcolicMachine, addr: u64, word: &mut Word, n: u32) {
        if let Some((_, based)) = self.at_hand(machine)
            && word.has_expr()
        {
            self.see_through(machine, based, addr, word, n);
        }
    }

    fn view_run(&mut self, machine: &mut ConcolicMachine, addr: u64, first: Carried, n: u32) -> Option<Carried> {
        match self.at_hand(machine) {
            Some((_, based)) => self.see_run_through(machine, based, addr, first, n),
            None => Some(first),
        }
    }

    fn unwritten(&mut self, machine: &mut ConcolicMachine, addr: u64, n: u32) -> Option<Word> {
        self.see_unwritten(machine, addr, n)
    }

    /// What a pointer leads to is known for each of several, and not for one of them.
    fn is_indivisible(&self, machine: &ConcolicMachine, word: &Word) -> bool {
        self.holds_pointer(machine, word)
    }

    fn hand_over(&mut self, machine: &mut ConcolicMachine, memory: &mut Memory, site: OpIdx, value: Slot) -> bool {
        let expr = machine.operand(machine.width_of(value), value);
        let Some(based) = machine.base_of(value).and_then(|base| self.based(machine, expr, base)) else {
            return false;
        };
        self.give_away(machine, memory, site, based);
        machine.pin(site, based.rest, value.val.wrapping_sub(based.value), LedgerKind::ConcreteValue);
        true
    }

    fn constrain(
        &mut self,
        machine: &mut ConcolicMachine,
        query: &mut Constraints<'_>,
        level: Level,
    ) -> Result<(), Contradiction> {
        self.ask(machine, query, level)
    }

    fn judge(
        &mut self,
        machine: &mut ConcolicMachine,
        query: &mut Constraints<'_>,
        level: Level,
        changes: &Model,
    ) -> Judgement {
        self.look_at(machine, query, level, changes)
    }

    fn failed(
        &mut self,
        machine: &mut ConcolicMachine,
        query: &Constraints<'_>,
        level: Level,
        failed: &Failed,
    ) -> Refuted {
        self.look_further(machine, query, level, *failed)
    }

    fn realise(
        &mut self,
        machine: &mut ConcolicMachine,
        query: &Constraints<'_>,
        changes: &Model,
        input: &mut InputEditor,
    ) -> bool {
        self.write_input(machine, query.hint, changes, input);
        true
    }
}

/// Whether a value of a pointer is null or an address of an object of the graph.
fn leads_somewhere(machine: &ConcolicMachine, value: u64) -> bool {
    value == 0 || machine.inputs.heap.node_at(value).is_some()
}
