//! Variables that stand for no bytes of the input but follow from them: where the first byte of a kind is.
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
}

impl Search {
    /// What it finds in the bytes of its object. Those that are left out are zero.
    pub fn run(&self, bytes: &[u8]) -> u64 {
        let byte = |i: u32| bytes.get((self.offset + i) as usize).copied().unwrap_or(0);
        u64::from((0..self.n_bytes).find(|&i| self.set.contains(byte(i))).unwrap_or(self.n_bytes))
    }

    /// The place in the object that a value of it means.
    pub fn found(&self, value: u64) -> u32 {
        self.offset + (value as u32).min(self.n_bytes)
    }
}

impl Variables {
    /// The variable of a search: as wide as its values need.
    pub(crate) fn mk_search(&mut self, pool: &mut ExprPool, heap: &Heap, search: Search) -> (VarId, ExprId) {
        if let Some(&var) = self.by_search.get(&search) {
            return (var, pool.mk_var(var));
        }
        let width = 32 - search.n_bytes.leading_zeros();
        let object = &heap.node(search.object).name;
        let name = format!("{object}@{}..{}?{}", search.offset, search.n_bytes, self.searches.len());
        let var = pool.new_var(&name, Sort::Bv(width.max(1)));
        self.by_search.insert(search, var);
        self.searches.insert(var, search);
        (var, pool.mk_var(var))
    }

    pub fn search(&self, var: VarId) -> Option<&Search> {
        self.searches.get(&var)
    }

    pub fn has_searches(&self) -> bool {
        !self.searches.is_empty()
    }
}
