//! What a run knows of the pointers of its input: what the path's conditions say of them, and what was written through
//! which. Everything is added at some end, as in [`super::saved`].

use super::pointers::Based;
use crate::graph::classes::Classes;
use crate::graph::heap::{Heap, NodeId};
use crate::graph::terms::{Relation, Terms};
use crate::ledger::LedgerKind;
use crate::variables::Place;
use rustc_hash::FxHashSet;
use spelunk_expr::VarId;

/// What the machine knows of the unit under test.
#[derive(Debug)]
pub(crate) struct Graph {
    pub heap: Heap,
    pub terms: Terms,
    /// What the path's conditions say of pointers.
    pub classes: Classes,
    /// How the classes came about.
    steps: Vec<Step>,
    pub(super) written: Vec<Written>,
    /// How many calls of the unit are over.
    pub n_called: usize,
    /// The pointer that the access at hand goes through.
    pub through: Option<(u64, Based)>,
    /// Pointers whose bits the program looks at.
    pub tagged: FxHashSet<VarId>,
    /// Whether an object ever carried what another pointer finds in it.
    pub has_repainted: bool,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Read(VarId),
    Related(Relation),
}

/// What a run noted about pointers.
#[derive(Debug, Default)]
pub(super) struct SavedGraph {
    steps: Vec<Step>,
    written: Vec<Written>,
}

/// How much of that there was at some moment.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GraphLengths {
    n_steps: usize,
    n_written: usize,
    n_called: usize,
}

/// Bytes that were written through a pointer of the input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Written {
    pub var: VarId,
    pub own: NodeId,
    pub extent: Extent,
}

/// Bytes, relative to a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Extent {
    pub first: i64,
    pub last: i64,
}

impl Extent {
    /// Any that there may be.
    pub const ALL: Self = Self { first: i64::MIN / 4, last: i64::MAX / 4 };

    pub fn meets(self, other: Self) -> bool {
        self.first <= other.last && other.first <= self.last
    }

    pub fn contains(self, other: Self) -> bool {
        self.first <= other.first && other.last <= self.last
    }

    pub fn moved(self, by: i64) -> Self {
        Self { first: self.first.saturating_add(by), last: self.last.saturating_add(by) }
    }
}

impl Graph {
    pub fn new(heap: Heap) -> Self {
        Self {
            heap,
            terms: Terms::default(),
            classes: Classes::default(),
            steps: Vec::new(),
            written: Vec::new(),
            n_called: 0,
            through: None,
            tagged: FxHashSet::default(),
            has_repainted: false,
        }
    }

    pub(super) fn lengths(&self) -> GraphLengths {
        GraphLengths { n_steps: self.steps.len(), n_written: self.written.len(), n_called: self.n_called }
    }

    pub(super) fn save(&self) -> SavedGraph {
        SavedGraph { steps: self.steps.clone(), written: self.written.clone() }
    }

    /// Goes back to an earlier state of a run.
    pub(super) fn restore(&mut self, saved: &SavedGraph, lengths: GraphLengths) {
        self.written.clear();
        self.written.extend_from_slice(&saved.written[..lengths.n_written]);
        self.n_called = lengths.n_called;
        self.steps.clear();
        self.classes.clear();
        for &step in &saved.steps[..lengths.n_steps] {
            self.take(step);
        }
    }

    /// A variable is read for the first time in the run. Says what is lost if it is a pointer that can't lead to an object
    /// of its own.
    pub(super) fn note_read(&mut self, var: VarId, node: NodeId, place: Place) -> Option<LedgerKind> {
        let term = self.terms.note(&self.heap, var, node, place);
        self.take(Step::Read(var));
        term.pointer.filter(|pointer| pointer.own.is_none())?;
        Some(if self.heap.is_opaque(node, place.offset) { LedgerKind::OpaquePointer } else { LedgerKind::NoObject })
    }

    /// A condition of the path says this.
    pub(super) fn relate(&mut self, relation: Relation) {
        self.take(Step::Related(relation));
    }

    fn take(&mut self, step: Step) {
        self.steps.push(step);
        let Self { heap, terms, classes, .. } = self;
        let taken = match step {
            Step::Read(var) => match terms.get(var) {
                Some(term) => classes.add(heap, terms, var, term),
                None => Ok(()),
            },
            Step::Related(relation) => classes.assert(heap, terms, &relation),
        };
        debug_assert!(taken.is_ok(), "an input contradicts what its own path says of pointers");
    }

    /// The bytes written through pointers that are known to lead to the same object as this one contain one of its bytes.
    pub(super) fn is_overwritten(&self, var: VarId, at: i64) -> bool {
        let Some((class, shift)) = self.classes.place(var) else { return false };
        self.written.iter().any(|written| {
            let place = self.classes.place(written.var).filter(|&(other, _)| other == class);
            place.is_some_and(|(_, other)| {
                let at = shift + at - other;
                written.extent.first <= at && at <= written.extent.last
            })
        })
    }
}
