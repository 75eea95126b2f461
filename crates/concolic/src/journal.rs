//! Journals: the state of a run as lists that only grow.
//!
//! A moment of a run is how long its journals were. When the run is over they are sealed, and shared by all snapshots that were
//! taken on its way. Whatever else a run knows follows from its journals and its input, and is made anew from them.

use spelunk_expr::ExprId;
use std::any::Any;
use std::ops::{Deref, Range};

/// What a run notes.
pub trait Entry: Clone + 'static {
    /// Calls `visit` with every expression in it.
    fn visit_exprs(&self, _visit: &mut dyn FnMut(ExprId)) {}
}

/// The journal of one theory.
#[derive(Clone, Debug)]
pub struct Journal<E>(Vec<E>);

impl<E> Default for Journal<E> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<E> Deref for Journal<E> {
    type Target = [E];

    fn deref(&self) -> &[E] {
        &self.0
    }
}

impl<E> Journal<E> {
    pub fn push(&mut self, entry: E) {
        self.0.push(entry);
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }
}

/// A journal whatever its entries are.
pub trait AnyJournal {
    fn n_entries(&self) -> usize;

    fn seal(&self) -> Box<dyn Sealed>;
}

impl<E: Entry> AnyJournal for Journal<E> {
    fn n_entries(&self) -> usize {
        self.0.len()
    }

    fn seal(&self) -> Box<dyn Sealed> {
        Box::new(self.clone())
    }
}

/// The journal of a theory that notes nothing.
impl AnyJournal for () {
    fn n_entries(&self) -> usize {
        0
    }

    fn seal(&self) -> Box<dyn Sealed> {
        Box::new(())
    }
}

/// The journal of a run that is over.
pub trait Sealed: Any {
    fn visit_exprs(&self, entries: Range<usize>, visit: &mut dyn FnMut(ExprId));
}

impl<E: Entry> Sealed for Journal<E> {
    fn visit_exprs(&self, entries: Range<usize>, visit: &mut dyn FnMut(ExprId)) {
        self.0[entries].iter().for_each(|entry| entry.visit_exprs(visit));
    }
}

impl Sealed for () {
    fn visit_exprs(&self, _entries: Range<usize>, _visit: &mut dyn FnMut(ExprId)) {}
}

/// The first entries of a sealed journal.
#[derive(Clone, Copy)]
pub struct Entries<'a> {
    sealed: &'a dyn Sealed,
    len: usize,
}

impl<'a> Entries<'a> {
    pub(crate) fn new(sealed: &'a dyn Sealed, len: usize) -> Self {
        Self { sealed, len }
    }

    /// # Panics
    /// If the journal has other entries.
    pub fn of<E: Entry>(self) -> &'a [E] {
        let any: &dyn Any = self.sealed;
        &any.downcast_ref::<Journal<E>>().expect("a theory restores its own journal").0[..self.len]
    }
}
