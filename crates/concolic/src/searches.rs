//! Variables that stand for no bytes of the input but follow from them: where the first byte of a kind is, and which byte is at a
//! place that was found.
//!
//! A solver may choose them like others; what ties them to the bytes is in [`crate::theories`]`::strings`.

use crate::byte_set::ByteSet;
use crate::graph::heap::{Heap, NodeId};
use crate::variables::Variables;
use spelunk_expr::{ExprId, ExprPool, Sort, VarId};

/// How many bytes of an input object, from one on, come before the first of a set; how many there are if none is in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Search {
    pub object: NodeId,
    pub offset: u32,
    pub n_bytes: u32,
    pub set: ByteSet,
    /// Bytes before this place do not count.
    pub after: Option<After>,
}

/// A place that a search in the same object found, and so many bytes more.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct After {
    pub search: VarId,
    pub by: u32,
}

/// The byte of an input object at a place; zero behind its end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FoundByte {
    pub object: NodeId,
    pub at: After,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Derived {
    Search(Search),
    Byte(FoundByte),
}

impl Search {
    /// Where a string of an object ends.
    pub fn of_end(object: NodeId, n_bytes: u32) -> Self {
        Self { object, offset: 0, n_bytes, set: ByteSet::default().with(0), after: None }
    }

    /// What it finds in the bytes of its object if it begins at a place. Those that are left out are zero.
    pub fn run(&self, bytes: &[u8], start: u32) -> u64 {
        let byte = |i: u32| bytes.get((self.offset + i) as usize).copied().unwrap_or(0);
        let first = start.saturating_sub(self.offset);
        u64::from((first..self.n_bytes).find(|&i| self.set.contains(byte(i))).unwrap_or(self.n_bytes))
    }

    /// The place in the object that a value of it means.
    pub fn found(&self, value: u64) -> u32 {
        self.offset + (value as u32).min(self.n_bytes)
    }

    pub fn end(&self) -> u32 {
        self.offset + self.n_bytes
    }
}

impl Variables {
    /// The variable of a search: as wide as its values need.
    pub(crate) fn mk_search(&mut self, pool: &mut ExprPool, heap: &Heap, search: Search) -> (VarId, ExprId) {
        let width = 32 - search.n_bytes.leading_zeros();
        self.mk_derived(pool, heap, Derived::Search(search), width.max(1))
    }

    pub(crate) fn mk_found_byte(&mut self, pool: &mut ExprPool, heap: &Heap, byte: FoundByte) -> (VarId, ExprId) {
        self.mk_derived(pool, heap, Derived::Byte(byte), 8)
    }

    fn mk_derived(&mut self, pool: &mut ExprPool, heap: &Heap, derived: Derived, width: u32) -> (VarId, ExprId) {
        if let Some(&var) = self.by_derived.get(&derived) {
            return (var, pool.mk_var(var));
        }
        let number = self.derived.len();
        let name = match &derived {
            Derived::Search(search) => {
                format!("{}@{}..{}?{number}", heap.node(search.object).name, search.offset, search.n_bytes)
            }
            Derived::Byte(byte) => format!("{}@?{number}", heap.node(byte.object).name),
        };
        let var = pool.new_var(&name, Sort::Bv(width));
        self.by_derived.insert(derived, var);
        self.derived.insert(var, derived);
        (var, pool.mk_var(var))
    }

    /// The searches that say where a string ends, with the object that it is in.
    pub(crate) fn ends(&self) -> impl Iterator<Item = (VarId, NodeId)> {
        self.derived.iter().filter_map(|(&var, derived)| match derived {
            Derived::Search(search) if *search == Search::of_end(search.object, search.n_bytes) => {
                Some((var, search.object))
            }
            _ => None,
        })
    }

    pub fn search(&self, var: VarId) -> Option<&Search> {
        match self.derived.get(&var)? {
            Derived::Search(search) => Some(search),
            Derived::Byte(_) => None,
        }
    }

    pub fn found_byte(&self, var: VarId) -> Option<&FoundByte> {
        match self.derived.get(&var)? {
            Derived::Byte(byte) => Some(byte),
            Derived::Search(_) => None,
        }
    }

    pub fn has_searches(&self) -> bool {
        !self.derived.is_empty()
    }

    /// What all searches find in the bytes of objects.
    pub(crate) fn derived_values<'s>(
        &'s self,
        bytes: &'s impl Fn(NodeId) -> &'s [u8],
    ) -> impl Iterator<Item = (VarId, u64)> + 's {
        self.derived.iter().map(|(&var, derived)| (var, self.derived_value(bytes, derived)))
    }

    fn derived_value<'s>(&self, bytes: &impl Fn(NodeId) -> &'s [u8], derived: &Derived) -> u64 {
        match derived {
            Derived::Search(search) => {
                let start = search.after.map_or(search.offset, |after| self.place_after(bytes, after));
                search.run(bytes(search.object), start)
            }
            Derived::Byte(byte) => {
                let place = self.place_after(bytes, byte.at);
                u64::from(bytes(byte.object).get(place as usize).copied().unwrap_or(0))
            }
        }
    }

    fn place_after<'s>(&self, bytes: &impl Fn(NodeId) -> &'s [u8], after: After) -> u32 {
        let search = self.search(after.search).expect("it is one");
        let value = self.derived_value(bytes, &Derived::Search(*search));
        search.found(value) + after.by
    }
}
