//! What variables are, where inputs are graphs: a number or a pointer, at some place of what some pointer leads to.

use crate::graph::heap::{Heap, NodeId};
use crate::graph::layout::LeafKind;
use crate::machine::ConcolicMachine;
use crate::variables::InputPlace;
use rustc_hash::FxHashSet;
use spelunk_expr::{ExprId, ExprPool, Op, VarId};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Term {
    /// The own object of the pointer that it is found through.
    pub node: NodeId,
    pub offset: u32,
    pub n_bytes: u32,
    pub pointer: Option<PointerTerm>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct PointerTerm {
    /// None if there is nothing that it could lead to.
    pub own: Option<NodeId>,
    pub nullable: bool,
}

/// The variables of all runs with one pool.
#[derive(Debug, Default)]
pub(crate) struct Terms {
    /// By variable.
    terms: Vec<Option<Term>>,
    /// By object: the variable of the pointer that owns it.
    pointers: Vec<Option<VarId>>,
    /// Pointers whose bits the program looks at.
    tagged: FxHashSet<VarId>,
}

impl Terms {
    /// Takes note of a variable that is part of an object of the graph. Says what it is.
    pub fn note(&mut self, heap: &Heap, var: VarId, node: NodeId, place: InputPlace) -> Term {
        if let Some(known) = self.get(var) {
            return known;
        }
        let kind = heap
            .leaf(node, place.offset)
            .filter(|&(start, leaf)| (start, leaf.n_bytes) == (place.offset, place.n_bytes));
        let pointer = match kind.map(|(_, leaf)| &leaf.kind) {
            Some(LeafKind::Pointer(kind)) => Some(PointerTerm {
                own: heap.own_of(node, place.offset),
                nullable: heap.layouts().pointer(*kind).nullable,
            }),
            _ => None,
        };
        if let Some(own) = pointer.and_then(|pointer| pointer.own) {
            put(&mut self.pointers, own.0 as usize, var);
        }
        let term = Term { node, offset: place.offset, n_bytes: place.n_bytes, pointer };
        put(&mut self.terms, var.index(), term);
        term
    }

    pub fn get(&self, var: VarId) -> Option<Term> {
        self.terms.get(var.index()).copied().flatten()
    }

    /// The program looks at the bits of a pointer.
    pub fn tag(&mut self, var: VarId) {
        self.tagged.insert(var);
    }

    pub fn is_tagged(&self, var: VarId) -> bool {
        self.tagged.contains(&var)
    }

    /// Changes whenever conditions may have got another meaning.
    pub fn n_tagged(&self) -> usize {
        self.tagged.len()
    }

    /// The relation of pointers that a condition is.
    pub fn relation(&self, machine: &ConcolicMachine, cond: ExprId) -> Option<Relation> {
        let found = relation(&machine.pool, self, cond)?;
        let is_place = found.other.is_none()
            && found.shift != 0
            && (machine.inputs.heap.is_address(found.shift as u64) || self.is_tagged(found.pointer));
        (!is_place).then_some(found)
    }

    pub fn is_pointer(&self, var: VarId) -> bool {
        self.get(var).is_some_and(|term| term.pointer.is_some())
    }

    /// The pointer whose own object it is, once there was a variable for it.
    pub fn pointer_to(&self, node: NodeId) -> Option<VarId> {
        self.pointers.get(node.0 as usize).copied().flatten()
    }
}

fn put<T: Clone>(places: &mut Vec<Option<T>>, at: usize, value: T) {
    if places.len() <= at {
        places.resize(at + 1, None);
    }
    places[at] = Some(value);
}

/// A condition that says where a pointer leads, compared with another: it is `shift` bytes above `other`, or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Relation {
    pub pointer: VarId,
    /// None: it is compared with null.
    pub other: Option<VarId>,
    pub shift: i64,
    pub is_equal: bool,
}

/// The relation of pointers that a condition is, if it is nothing else.
fn relation(pool: &ExprPool, terms: &Terms, cond: ExprId) -> Option<Relation> {
    let mut is_equal = true;
    let mut cond = cond;
    while pool.node(cond).op() == Op::Not {
        is_equal = !is_equal;
        cond = pool.node(cond).arg(0);
    }
    let node = pool.node(cond);
    if node.op() != Op::Eq {
        return None;
    }
    let (a, b) = (sum(pool, node.arg(0))?, sum(pool, node.arg(1))?);
    let is_pointer = |var: VarId| terms.is_pointer(var);
    let shift = b.1.wrapping_sub(a.1);
    match (a.0.filter(|&var| is_pointer(var)), b.0.filter(|&var| is_pointer(var))) {
        (Some(pointer), Some(other)) => Some(Relation { pointer, other: Some(other), shift, is_equal }),
        (Some(pointer), None) if b.0.is_none() => Some(Relation { pointer, other: None, shift, is_equal }),
        (None, Some(pointer)) if a.0.is_none() => {
            Some(Relation { pointer, other: None, shift: shift.wrapping_neg(), is_equal })
        }
        _ => None,
    }
}

/// A variable and what is added to it, or a constant.
fn sum(pool: &ExprPool, expr: ExprId) -> Option<(Option<VarId>, i64)> {
    let node = pool.node(expr);
    match node.op() {
        Op::Var => Some((Some(node.var()), 0)),
        Op::Add => {
            let (var, constant) = (pool.node(node.arg(0)), pool.as_const(node.arg(1))?);
            (var.op() == Op::Var).then(|| (Some(var.var()), constant as i64))
        }
        _ => pool.as_const(expr).map(|constant| (None, constant as i64)),
    }
}
