//! What variables are, where inputs are graphs: a number or a pointer, at some place of what some pointer leads to.

use crate::graph::heap::{Heap, NodeId};
use crate::graph::layout::LeafKind;
use crate::graph::relation::{Relation, Relations, relations};
use crate::machine::ConcolicMachine;
use crate::variables::InputPlace;
use rustc_hash::FxHashSet;
use spelunk_expr::{ExprId, VarId};

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

    /// The relations of pointers that a condition is, if it is nothing else.
    pub fn relations(&self, machine: &ConcolicMachine, cond: ExprId) -> Relations {
        let is_place = |found: &Relation| {
            found.other.is_none()
                && found.shift != 0
                && (machine.inputs.heap.is_address(found.shift as u64) || self.is_tagged(found.pointer))
        };
        let found = relations(&machine.pool, cond, |var| self.is_pointer(var));
        if found.iter().any(is_place) { Relations::new() } else { found }
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
