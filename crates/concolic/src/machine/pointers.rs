//! Dereferencing pointers of the input: what is decided, and what is not.
//!
//! Which object a pointer leads to is no decision of the path. An input whose pointers share objects takes the path of
//! one whose pointers don't, if the objects have the same contents; only a comparison of pointers, or a write through one
//! before a read through the other, tells them apart. So a dereference decides that the pointer is not null, and a read
//! whether something was written there through another pointer. How reads through pointers that share become variables is
//! in [`super::views`].

use super::path_graph::{Extent, Written};
use super::{ConcolicMachine, as_expr};
use crate::decision::DecisionKind;
use crate::graph::heap::NodeId;
use crate::graph::layout::LeafKind;
use crate::graph::terms::{Relation, relation};
use crate::input_bytes::input_byte;
use spelunk_expr::{ExprId, Op, VarId};
use spelunk_vm::memory::{Memory, Word};
use spelunk_vm::{Access, BugKind, Slot};

/// How many terms of a sum are looked at for a pointer.
const MAX_TERMS: usize = 16;

/// An address as a pointer of the input, and what is added to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Based {
    pub var: VarId,
    /// The pointer's own object, after which it is named.
    pub own: NodeId,
    /// What the pointer is in this run.
    pub value: u64,
    expr: ExprId,
    pub rest: ExprId,
}

impl Based {
    /// Whatever is added to a null pointer, and whatever lies there, an access through it is one through null.
    pub fn is_null(&self) -> bool {
        self.value == 0
    }
}

impl ConcolicMachine {
    /// The pointer of the input that an address is computed from by adding to it, if there is one.
    pub(super) fn based(&mut self, addr: ExprId) -> Option<Based> {
        self.graph.as_ref()?;
        let mut found = self.find_pointer(addr)?;
        found.rest = self.pool.mk_sub(addr, found.expr);
        Some(found)
    }

    fn find_pointer(&self, sum: ExprId) -> Option<Based> {
        let mut waiting = [sum; MAX_TERMS];
        let (mut n_waiting, mut n_seen) = (1, 0);
        let mut found = None;
        while n_waiting > 0 {
            n_waiting -= 1;
            n_seen += 1;
            let expr = waiting[n_waiting];
            let node = self.pool.node(expr);
            match node.op() {
                Op::Add if n_waiting + 2 <= MAX_TERMS && n_seen <= MAX_TERMS => {
                    waiting[n_waiting] = node.arg(0);
                    waiting[n_waiting + 1] = node.arg(1);
                    n_waiting += 2;
                }
                Op::Var => {
                    if let Some(pointer) = self.as_pointer(expr)
                        && found.replace(pointer).is_some()
                    {
                        return None;
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// Whether an expression is a pointer of the input, and nothing else.
    pub(super) fn is_pointer(&self, expr: ExprId) -> bool {
        self.pool.node(expr).op() == Op::Var && self.as_pointer(expr).is_some()
    }

    /// The program looks at the bits of a value.
    pub(super) fn note_bits(&mut self, expr: ExprId) {
        if self.is_pointer(expr) {
            let var = self.pool.node(expr).var();
            self.graph.as_mut().expect("there are pointers").tagged.insert(var);
        }
    }

    /// A variable that is a pointer which the run has.
    fn as_pointer(&self, expr: ExprId) -> Option<Based> {
        let var = self.pool.node(expr).var();
        let term = self.graph.as_ref()?.terms.get(var)?;
        let own = term.pointer?.own?;
        let made = self.inputs.of_node(term.node)?;
        let value = self.inputs.word(made.first + term.offset);
        Some(Based { var, own, value, expr, rest: ExprId::NONE })
    }

    /// Whether a word in memory is a pointer of the input, read before or not.
    pub(super) fn holds_pointer(&self, word: &Word) -> bool {
        let Some(graph) = &self.graph else { return false };
        let (carried, index) = word.exprs[0];
        match input_byte(carried) {
            Some(number) => {
                let made = self.inputs.holder(number);
                let leaf = made.node.and_then(|node| graph.heap.leaf(node, number - made.first));
                leaf.is_some_and(|(_, leaf)| matches!(leaf.kind, LeafKind::Pointer(_)))
            }
            None => {
                let expr = as_expr(carried).filter(|_| carried.is_some() && index == 0);
                expr.is_some_and(|expr| self.find_pointer(expr).is_some())
            }
        }
    }

    /// The relation of pointers that a condition is.
    pub(crate) fn relation(&self, cond: ExprId) -> Option<Relation> {
        let graph = self.graph.as_ref()?;
        let found = relation(&self.pool, &graph.terms, cond)?;
        let is_place = found.other.is_none()
            && found.shift != 0
            && (graph.heap.is_address(found.shift as u64) || graph.tagged.contains(&found.pointer));
        (!is_place).then_some(found)
    }

    /// Whether the path's conditions decide a relation already.
    pub(super) fn knows(&self, relation: &Relation) -> bool {
        self.graph.as_ref().is_some_and(|graph| graph.classes.implies(&graph.heap, relation).is_some())
    }

    /// An address with the pointer in it replaced by what it is in this run.
    pub(super) fn rebased(&mut self, addr: Slot) -> ExprId {
        let expr = self.operand(64, addr);
        match self.based(expr) {
            Some(based) if self.leads_somewhere(based.value) => self.rebase(based),
            _ => expr,
        }
    }

    pub(super) fn rebase(&mut self, based: Based) -> ExprId {
        let here = self.pool.mk_const(64, based.value);
        self.pool.mk_add(based.rest, here)
    }

    /// Whether a value of a pointer is null or an address of an object of the graph.
    fn leads_somewhere(&self, value: u64) -> bool {
        value == 0 || self.graph.as_ref().is_some_and(|graph| graph.heap.node_at(value).is_some())
    }

    /// The access at hand goes through a pointer, or through none.
    pub(super) fn look_through(&mut self, through: Option<(u64, Based)>) {
        if let Some(graph) = &mut self.graph {
            graph.through = through;
        }
    }

    /// The pointer that an access at this address goes through.
    pub(super) fn through(&self, addr: u64) -> Option<Based> {
        let (at, based) = self.graph.as_ref()?.through?;
        (at == addr).then_some(based)
    }

    /// Whether an address is a pointer and a constant.
    pub(super) fn is_fixed(&self, addr: u64) -> bool {
        self.through(addr).is_some_and(|based| self.pool.is_const(based.rest))
    }

    /// Decides what a dereference of a pointer depends on; says whether the rest of the address is all that is left.
    pub(super) fn dereference(&mut self, access: Access, based: Based) -> bool {
        self.decide_null(access.site, DecisionKind::Check(BugKind::NullDeref), based);
        if !self.leads_somewhere(based.value) {
            return false;
        }
        if based.value != 0 {
            // Whether it is there at all.
            let extent = self.extent(based, access.len);
            self.decide_written(access.site, based, extent, |written| written.extent == Extent::ALL);
            self.decide_count(access.site, based);
        }
        self.look_through(Some((access.addr.val, based)));
        true
    }

    /// Decides whether a read meets what was written through other pointers.
    pub(super) fn decide_overwritten(&mut self, access: Access) {
        if let Some(based) = self.through(access.addr.val) {
            let extent = self.extent(based, access.len);
            self.decide_written(access.site, based, extent, |_| true);
        }
    }

    /// A pointer that a library function gets, which may do with its object what it likes.
    pub(super) fn hand_over(&mut self, memory: &mut Memory, site: u32, based: Based) {
        self.decide_null(site, DecisionKind::Branch, based);
        if based.value != 0 {
            self.decide_written(site, based, Extent::ALL, |_| true);
            self.repaint(memory, based);
            self.note_written(based, Extent::ALL);
        }
    }

    fn decide_null(&mut self, site: u32, kind: DecisionKind, based: Based) {
        if self.graph.as_ref().is_some_and(|graph| graph.classes.is_nonnull(based.var)) {
            return;
        }
        let null = self.pool.mk_const(64, 0);
        let is_null = self.pool.mk_eq(based.expr, null);
        self.decide_condition(site, kind, is_null, based.value == 0);
    }

    /// Decides whether an access meets what was written through other pointers.
    fn decide_written(&mut self, site: u32, based: Based, extent: Extent, counts: impl Fn(&Written) -> bool) {
        let n_written = self.graph.as_ref().map_or(0, |graph| graph.written.len());
        for number in 0..n_written {
            let Some(graph) = &self.graph else { return };
            let written = graph.written[number];
            if written.var == based.var || graph.classes.is_together(based.var, written.var) || !counts(&written) {
                continue;
            }
            // By how much the other pointer may be above this one.
            for distance in graph.heap.distances(based.own, written.own) {
                if written.extent.moved(distance).meets(extent) {
                    self.decide_distance(site, based, written.var, distance);
                }
            }
        }
    }

    fn decide_distance(&mut self, site: u32, based: Based, other: VarId, distance: i64) {
        let relation = Relation { pointer: other, other: Some(based.var), shift: distance, is_equal: true };
        if self.knows(&relation) {
            return;
        }
        let other = self.pool.mk_var(other);
        let Some(Based { value, .. }) = self.as_pointer(other) else { return };
        let by = self.pool.mk_const(64, distance as u64);
        let there = self.pool.mk_add(based.expr, by);
        let is_so = self.pool.mk_eq(there, other);
        let holds = based.value.wrapping_add(distance as u64) == value;
        self.decide_condition(site, DecisionKind::Alias, is_so, holds);
    }

    /// Which bytes an access may go to, relative to the pointer.
    fn extent(&self, based: Based, len: u64) -> Extent {
        match self.pool.as_const(based.rest) {
            Some(first) => Extent { first: first as i64, last: (first as i64).saturating_add(len as i64 - 1) },
            None => Extent::ALL,
        }
    }

    /// A write goes through a pointer.
    pub(super) fn note_write(&mut self, access: Access) {
        if let Some(based) = self.through(access.addr.val) {
            let extent = self.extent(based, access.len);
            self.note_written(based, extent);
        }
    }

    fn note_written(&mut self, based: Based, extent: Extent) {
        let Some(graph) = &mut self.graph else { return };
        let is_known = |old: &Written| old.var == based.var && old.extent.contains(extent);
        if !graph.written.iter().any(is_known) {
            graph.written.push(Written { var: based.var, own: based.own, extent });
        }
    }
}
