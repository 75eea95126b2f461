//! Dereferencing pointers of the input: what is decided, and what is not.
//!
//! Which object a pointer leads to is no decision of the path. An input whose pointers share objects takes the path of
//! one whose pointers don't, if the objects have the same contents; only a comparison of pointers, or a write through one
//! before a read through the other, tells them apart. So a dereference decides that the pointer is not null, and whether
//! it leads to something that was written through another pointer. After that, it is an access to a known object.

use super::ConcolicMachine;
use crate::decision::DecisionKind;
use crate::graph::heap::{Heap, NodeId};
use rustc_hash::FxHashSet;
use spelunk_expr::{ExprId, Op, VarId};
use spelunk_vm::{BugKind, Slot};

/// How many terms of a sum are looked at for a pointer.
const MAX_TERMS: usize = 16;

/// What the machine knows of the unit under test.
#[derive(Debug)]
pub(crate) struct Graph {
    pub heap: Heap,
    written: Vec<Written>,
    /// How many calls of the unit are over.
    pub n_called: usize,
    /// The values that variables may have, by variable; true if any.
    pub domains: Vec<Option<ExprId>>,
    /// Pointers whose bits the program looks at.
    pub tagged: FxHashSet<VarId>,
}

/// Bytes that were written through a pointer of the input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Written {
    through: Pointer,
    /// Relative to the pointer.
    first: i64,
    last: i64,
}

impl Written {
    pub fn expr(&self) -> ExprId {
        self.through.expr
    }
}

/// A pointer of the input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pointer {
    expr: ExprId,
    /// Its own object, after which it is named.
    own: NodeId,
}

/// An address as a pointer of the input, and what is added to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Based {
    pointer: Pointer,
    /// What the pointer is in this run.
    value: u64,
    rest: ExprId,
}

impl Based {
    /// Whatever is added to a null pointer, and whatever lies there, an access through it is one through null.
    pub fn is_null(&self) -> bool {
        self.value == 0
    }
}

impl Graph {
    pub fn new(heap: Heap) -> Self {
        Self { heap, written: Vec::new(), n_called: 0, domains: Vec::new(), tagged: FxHashSet::default() }
    }

    pub fn written(&self) -> &[Written] {
        &self.written
    }

    /// Goes back to an earlier state of a run.
    pub fn restore(&mut self, written: &[Written], n_called: usize) {
        self.written.clear();
        self.written.extend_from_slice(written);
        self.n_called = n_called;
    }
}

impl ConcolicMachine {
    /// The pointer of the input that an address is computed from by adding to it, if there is one.
    pub(super) fn based(&mut self, addr: ExprId) -> Option<Based> {
        self.graph.as_ref()?;
        let (pointer, value) = self.find_pointer(addr)?;
        let rest = self.pool.mk_sub(addr, pointer.expr);
        Some(Based { pointer, value, rest })
    }

    fn find_pointer(&self, sum: ExprId) -> Option<(Pointer, u64)> {
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

    /// A variable that is a pointer which the run has, with its value.
    fn as_pointer(&self, expr: ExprId) -> Option<(Pointer, u64)> {
        let heap = &self.graph.as_ref()?.heap;
        let place = self.variables.place(self.pool.node(expr).var())?;
        let holder = heap.named(place.name)?;
        let own = heap.own_of(holder, place.offset)?;
        let made = self.inputs.of_node(holder)?;
        Some((Pointer { expr, own }, self.inputs.word(made.first + place.offset)))
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

    /// Decides what a dereference of a pointer depends on; says whether the rest of the address is all that is left.
    pub(super) fn dereference(&mut self, site: u32, based: Based, len: u64) -> bool {
        self.decide_null(site, DecisionKind::Check(BugKind::NullDeref), based);
        if !self.leads_somewhere(based.value) {
            return false;
        }
        if based.value != 0 {
            self.decide_written(site, based, len);
        }
        true
    }

    /// A pointer that a library function gets, which may do with its object what it likes.
    pub(super) fn hand_over(&mut self, site: u32, based: Based) {
        self.decide_null(site, DecisionKind::Branch, based);
        if based.value != 0 {
            self.decide_written(site, based, u64::MAX);
            self.note_written(based, u64::MAX);
        }
    }

    fn decide_null(&mut self, site: u32, kind: DecisionKind, based: Based) {
        let null = self.pool.mk_const(64, 0);
        let is_null = self.pool.mk_eq(based.pointer.expr, null);
        self.decide_condition(site, kind, is_null, based.value == 0);
    }

    /// Decides whether an access meets what was written through other pointers.
    fn decide_written(&mut self, site: u32, based: Based, len: u64) {
        let n_written = self.graph.as_ref().map_or(0, |graph| graph.written.len());
        let (first, last) = self.range(based, len);
        for number in 0..n_written {
            let Some(graph) = &self.graph else { return };
            let written = graph.written[number];
            if written.through == based.pointer {
                continue;
            }
            let Some((_, other)) = self.as_pointer(written.through.expr) else { continue };
            // By how much the other pointer may be above this one.
            for delta in distances(&graph.heap, based.pointer.own, written.through.own) {
                let meets = written.first + delta <= last && first <= written.last + delta;
                if meets {
                    self.decide_distance(site, based, written.through.expr, other, delta);
                }
            }
        }
    }

    fn decide_distance(&mut self, site: u32, based: Based, other: ExprId, other_value: u64, delta: i64) {
        let distance = self.pool.mk_const(64, delta as u64);
        let there = self.pool.mk_add(based.pointer.expr, distance);
        let is_so = self.pool.mk_eq(there, other);
        let holds = based.value.wrapping_add(delta as u64) == other_value;
        self.decide_condition(site, DecisionKind::Alias, is_so, holds);
    }

    /// Which bytes an access may go to, relative to the pointer.
    fn range(&self, based: Based, len: u64) -> (i64, i64) {
        match self.pool.as_const(based.rest) {
            Some(first) if len != u64::MAX => (first as i64, (first as i64).saturating_add(len as i64 - 1)),
            _ => (i64::MIN / 4, i64::MAX / 4),
        }
    }

    /// A write goes through a pointer.
    pub(super) fn note_written(&mut self, based: Based, len: u64) {
        let (first, last) = self.range(based, len);
        let written = Written { through: based.pointer, first, last };
        let Some(graph) = &mut self.graph else { return };
        let is_known =
            |old: &Written| old.through == written.through && old.first <= written.first && written.last <= old.last;
        if !graph.written.iter().any(is_known) {
            graph.written.push(written);
        }
    }
}

/// By how much a pointer to an object like `other` may be above one to an object like `this`, if they point to the same
/// or one to a part of what the other points to.
fn distances(heap: &Heap, this: NodeId, other: NodeId) -> Vec<i64> {
    let layouts = heap.layouts();
    let (this, other) = (heap.node(this), heap.node(other));
    let mut found: Vec<i64> = layouts.places_in(other.layout, this.layout).map(i64::from).collect();
    if this.layout != other.layout {
        found.extend(layouts.places_in(this.layout, other.layout).map(|offset| -i64::from(offset)));
    }
    found
}
