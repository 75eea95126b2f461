//! Dereferencing pointers of the input: what is decided, and what is not.
//!
//! Which object a pointer leads to is no decision of the path. An input whose pointers share objects takes the path of
//! one whose pointers don't, if the objects have the same contents; only a comparison of pointers, or a write through one
//! before a read through the other, tells them apart. So a dereference decides that the pointer is not null, and a read
//! whether something was written there through another pointer. How reads through pointers that share become variables is
//! in [`super::views`].

use super::{Graph, Noted, Written, leads_somewhere};
use crate::decision::DecisionKind;
use crate::graph::extent::Extent;
use crate::graph::heap::NodeId;
use crate::graph::layout::LeafKind;
use crate::graph::relation::Relation;
use crate::input_bytes::input_byte;
use crate::ledger::LedgerKind;
use crate::machine::{Base, ConcolicMachine, as_expr};
use crate::theories::{Address, Through};
use spelunk_expr::{ExprId, Op, VarId};
use spelunk_ir::code::OpIdx;
use spelunk_vm::memory::{Fault, Memory, Word, object_of};
use spelunk_vm::{Access, BugKind};

/// An address as a pointer of the input, and what is added to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Based {
    pub var: VarId,
    /// The pointer's own object, after which it is named.
    pub own: NodeId,
    /// What the pointer is in this run.
    pub value: u64,
    expr: ExprId,
    pub rest: ExprId,
}

impl Based {
    /// The address with the pointer in it replaced by what it is in this run.
    pub fn rebased(&self, machine: &mut ConcolicMachine) -> ExprId {
        let here = machine.pool.mk_const(64, self.value);
        machine.pool.mk_add(self.rest, here)
    }
}

impl Graph {
    /// An address that was computed from a pointer of the input.
    pub(super) fn based(&self, machine: &mut ConcolicMachine, addr: ExprId, base: Base) -> Option<Based> {
        let Base::Input(var) = base else { return None };
        let node = machine.pool.node(addr);
        let is_it = |expr: ExprId| machine.pool.node(expr).op() == Op::Var && machine.pool.node(expr).var() == var;
        let pointer = match node.op() {
            Op::Var if is_it(addr) => addr,
            Op::Add if is_it(node.arg(0)) => node.arg(0),
            _ => machine.pool.mk_var(var),
        };
        let mut found = self.as_pointer(machine, pointer)?;
        found.rest = machine.mk_difference(addr, found.expr);
        Some(found)
    }

    /// Whether an expression is a pointer of the input, and nothing else.
    pub(super) fn is_pointer(&self, machine: &ConcolicMachine, expr: ExprId) -> bool {
        machine.pool.node(expr).op() == Op::Var && self.as_pointer(machine, expr).is_some()
    }

    /// A variable that is a pointer which the run has.
    fn as_pointer(&self, machine: &ConcolicMachine, expr: ExprId) -> Option<Based> {
        let var = machine.pool.node(expr).var();
        let term = self.terms.get(var)?;
        let own = term.pointer?.own?;
        let made = machine.inputs.of_node(term.node)?;
        let value = machine.inputs.word(made.first + term.offset);
        Some(Based { var, own, value, expr, rest: ExprId::NONE })
    }

    /// Whether there is something that a pointer of this run could lead to.
    fn leads_to_own(&self, machine: &ConcolicMachine, var: VarId) -> bool {
        let term = self.terms.get(var).filter(|term| term.pointer.is_some_and(|pointer| pointer.own.is_some()));
        term.is_some_and(|term| machine.inputs.of_node(term.node).is_some())
    }

    /// Whether a word in memory is a pointer of the input, read before or not.
    pub(super) fn holds_pointer(&self, machine: &ConcolicMachine, word: &Word) -> bool {
        let (carried, index) = word.exprs[0];
        match input_byte(carried) {
            Some(number) => {
                let made = machine.inputs.holder(number);
                let leaf = machine.inputs.heap.leaf(made.node, number - made.first);
                leaf.is_some_and(|(_, leaf)| matches!(leaf.kind, LeafKind::Pointer(_)))
            }
            None => {
                let is_first = carried.is_some() && index == 0;
                let expr = as_expr(&machine.provenance, carried).filter(|_| is_first);
                let base = expr.and_then(|_| machine.provenance.base(&machine.pool, carried));
                matches!(base, Some(Base::Input(var)) if self.leads_to_own(machine, var))
            }
        }
    }

    /// The pointer that an access at this address goes through.
    fn through(&self, machine: &ConcolicMachine, addr: u64) -> Option<Based> {
        let (at, based) = self.at_hand(machine)?;
        (at == addr).then_some(based)
    }

    pub(super) fn at_hand(&self, machine: &ConcolicMachine) -> Option<(u64, Based)> {
        self.through[usize::from(machine.path.is_checking)]
    }

    /// Decides what a dereference of a pointer depends on, and puts what it is in this run in its place.
    pub(super) fn go_through(&mut self, machine: &mut ConcolicMachine, address: &mut Address) -> Option<Fault> {
        let at_hand = usize::from(machine.path.is_checking);
        self.through[at_hand] = None;
        let access = address.access;
        let based = self.based(machine, address.expr, address.base?)?;
        self.decide_null(machine, access.site, DecisionKind::Check(BugKind::NullDeref), based);
        if !leads_somewhere(machine, based.value) {
            return None;
        }
        self.through[at_hand] = Some((access.addr.val, based));
        if based.value == 0 {
            // Whatever is added to a null pointer, and whatever lies there, an access through it is one through null.
            return Some(Fault::Null { addr: access.addr.val });
        }
        // Whether it is there at all.
        let extent = extent(machine, based, access.len);
        self.decide_written(machine, access.site, based, extent, |written| written.extent == Extent::ALL);
        address.expr = based.rebased(machine);
        address.base = Some(Base::Object(object_of(based.value)));
        address.through = self.terms.get(based.var).map(|term| Through {
            holder: term.node,
            offset: term.offset,
            own: based.own,
            value: based.value,
        });
        None
    }

    /// Decides whether a read meets what was written through other pointers.
    pub(super) fn decide_overwritten(&mut self, machine: &mut ConcolicMachine, access: Access) {
        if let Some(based) = self.through(machine, access.addr.val) {
            let extent = extent(machine, based, access.len);
            self.decide_written(machine, access.site, based, extent, |_| true);
        }
    }

    /// A pointer that a library function gets, which may do with its object what it likes.
    pub(super) fn give_away(&mut self, machine: &mut ConcolicMachine, memory: &mut Memory, site: OpIdx, based: Based) {
        self.decide_null(machine, site, DecisionKind::Branch, based);
        if based.value != 0 {
            self.decide_written(machine, site, based, Extent::ALL, |_| true);
            self.repaint(machine, memory, based);
            self.note_written(machine, based, Extent::ALL);
        }
    }

    fn decide_null(&mut self, machine: &mut ConcolicMachine, site: OpIdx, kind: DecisionKind, based: Based) {
        if self.classes.is_nonnull(based.var) {
            return;
        }
        let null = machine.pool.mk_const(64, 0);
        let is_null = machine.pool.mk_eq(based.expr, null);
        self.decide_relation(machine, site, kind, is_null, based.value == 0);
    }

    /// Decides on a condition of our own.
    fn decide_relation(
        &mut self,
        machine: &mut ConcolicMachine,
        site: OpIdx,
        kind: DecisionKind,
        cond: ExprId,
        holds: bool,
    ) {
        let relations = self.terms.relations(machine, cond);
        if self.know(machine, &relations) {
            return machine.path.count_implied();
        }
        machine.decide_condition(site, kind, cond, holds);
        for relation in relations {
            self.note(machine, Noted::Related(Relation { is_equal: relation.is_equal == holds, ..relation }));
        }
    }

    /// Decides whether an access meets what was written through other pointers.
    fn decide_written(
        &mut self,
        machine: &mut ConcolicMachine,
        site: OpIdx,
        based: Based,
        extent: Extent,
        counts: impl Fn(&Written) -> bool,
    ) {
        for number in 0..self.written.len() {
            let written = self.written[number];
            if written.var == based.var || self.classes.is_together(based.var, written.var) || !counts(&written) {
                continue;
            }
            // By how much the other pointer may be above this one, for both accesses to meet.
            let distances = machine.inputs.heap.distances(based.own, written.own, extent.meeting(written.extent));
            if !distances.are_all {
                machine.note_once(LedgerKind::FarOverlap, site, "too many places where two pointers may overlap");
            }
            for distance in distances.found {
                self.decide_distance(machine, site, based, written.var, distance);
            }
        }
    }

    fn decide_distance(
        &mut self,
        machine: &mut ConcolicMachine,
        site: OpIdx,
        based: Based,
        other: VarId,
        distance: i64,
    ) {
        let relation = Relation { pointer: other, other: Some(based.var), shift: distance, is_equal: true };
        if self.know(machine, &[relation]) {
            return;
        }
        let other = machine.pool.mk_var(other);
        let Some(Based { value, .. }) = self.as_pointer(machine, other) else { return };
        let by = machine.pool.mk_const(64, distance as u64);
        let there = machine.pool.mk_add(based.expr, by);
        let is_so = machine.pool.mk_eq(there, other);
        let holds = based.value.wrapping_add(distance as u64) == value;
        self.decide_relation(machine, site, DecisionKind::Alias, is_so, holds);
    }

    /// A write goes through a pointer.
    pub(super) fn note_write(&mut self, machine: &mut ConcolicMachine, access: Access) {
        if let Some(based) = self.through(machine, access.addr.val) {
            let extent = extent(machine, based, access.len);
            self.note_written(machine, based, extent);
        }
    }

    fn note_written(&mut self, machine: &ConcolicMachine, based: Based, extent: Extent) {
        let is_known = |old: &Written| old.var == based.var && old.extent.contains(extent);
        if !self.written.iter().any(is_known) {
            self.note(machine, Noted::Wrote(Written { var: based.var, own: based.own, extent }));
        }
    }
}

/// Which bytes an access may go to, relative to the pointer.
fn extent(machine: &ConcolicMachine, based: Based, len: u64) -> Extent {
    match machine.pool.as_const(based.rest) {
        Some(first) => Extent::new(first as i64, len),
        None => Extent::ALL,
    }
}
