//! Variables that bytes of a run became.

use super::{InputBytes, Made};
use crate::byte_set::ByteSet;
use crate::journal::Entry;
use crate::searches::{After, FoundByte, Search};
use crate::variables::{InputPlace, Variables};
use spelunk_expr::{ExprId, ExprPool, Model, VarId};

/// A variable that bytes of this run became.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grouped {
    var: VarId,
    expr: ExprId,
    pub(super) first: u32,
    pub(super) n_bytes: u32,
    of: Grouping,
}

/// What a variable says of its bytes.
#[derive(Clone, Copy, Debug)]
enum Grouping {
    Value,
    /// Where the first of a set is, by the set's number.
    Search {
        set: u32,
        after: Option<After>,
    },
    /// Which one is at a place.
    Found(After),
}

impl Grouped {
    pub(super) fn is_search(&self) -> bool {
        matches!(self.of, Grouping::Search { .. })
    }
}

impl Entry for Grouped {
    fn visit_exprs(&self, visit: &mut dyn FnMut(ExprId)) {
        visit(self.expr);
    }
}

/// Which byte of which variable an input byte is; no variable yet if the expression is none.
#[derive(Clone, Copy, Debug)]
pub(super) struct ByteState {
    pub expr: ExprId,
    index: u8,
}

pub(super) const FRESH: ByteState = ByteState { expr: ExprId::NONE, index: 0 };

impl InputBytes {
    /// The expression of an input byte, and which of its bytes it is, once it has one.
    pub fn known(&self, number: u32) -> Option<(ExprId, u8)> {
        let state = self.states[number as usize];
        (!state.expr.is_none()).then_some((state.expr, state.index))
    }

    /// Whether bytes from `first` on are all without a variable.
    pub fn are_fresh(&self, first: u32, n_bytes: u32) -> bool {
        self.states[first as usize..(first + n_bytes) as usize].iter().all(|state| state.expr.is_none())
    }

    /// Makes one variable of fresh bytes.
    pub fn group(
        &mut self,
        pool: &mut ExprPool,
        variables: &mut Variables,
        first: u32,
        n_bytes: u32,
    ) -> (VarId, ExprId) {
        let object = self.holder(first);
        let place = InputPlace { object: object.node, offset: first - object.first, n_bytes };
        let (var, expr) = variables.mk_var(pool, &self.heap, place);
        self.add_group(Grouped { var, expr, first, n_bytes, of: Grouping::Value });
        (var, expr)
    }

    /// Makes a variable for where the first byte of a set is among some of an object.
    pub fn seek(
        &mut self,
        pool: &mut ExprPool,
        variables: &mut Variables,
        first: u32,
        n_bytes: u32,
        set: ByteSet,
        after: Option<After>,
    ) -> ExprId {
        let object = self.holder(first);
        let search = Search { object: object.node, offset: first - object.first, n_bytes, set, after };
        self.add_search(pool, variables, search, first, n_bytes)
    }

    /// The variable of a search, which goes over these bytes in this run.
    fn add_search(
        &mut self,
        pool: &mut ExprPool,
        variables: &mut Variables,
        search: Search,
        first: u32,
        n_bytes: u32,
    ) -> ExprId {
        let (var, expr) = variables.mk_search(pool, &self.heap, search);
        let Search { set, after, .. } = search;
        let set = self.sets.iter().position(|known| *known == set).unwrap_or_else(|| {
            self.sets.push(set);
            self.sets.len() - 1
        });
        self.add_derived(Grouped { var, expr, first, n_bytes, of: Grouping::Search { set: set as u32, after } });
        expr
    }

    /// Makes a variable for how long a string is that may be longer than usual, whether it is so in this run or not.
    pub fn seek_end(&mut self, pool: &mut ExprPool, variables: &mut Variables, made: Made) -> ExprId {
        let search = Search::of_end(made.node, self.heap.node(made.node).longest);
        self.add_search(pool, variables, search, made.first, made.len)
    }

    /// Makes a variable for the byte of an object, of which a byte is given, at a place that was found in it.
    pub fn at_found(&mut self, pool: &mut ExprPool, variables: &mut Variables, number: u32, at: After) -> ExprId {
        let Made { node: object, first, len: n_bytes, .. } = self.holder(number);
        let (var, expr) = variables.mk_found_byte(pool, &self.heap, FoundByte { object, at });
        self.add_derived(Grouped { var, expr, first, n_bytes, of: Grouping::Found(at) });
        expr
    }

    fn add_derived(&mut self, derived: Grouped) {
        if !self.grouped.iter().any(|grouped| grouped.var == derived.var) {
            self.add_group(derived);
        }
    }

    pub(super) fn add_group(&mut self, grouped: Grouped) {
        if grouped.is_search() {
            self.searched.insert(self.holder(grouped.first).node);
        }
        if let Grouping::Value = grouped.of {
            for index in 0..grouped.n_bytes {
                self.states[(grouped.first + index) as usize] = ByteState { expr: grouped.expr, index: index as u8 };
            }
        }
        self.grouped.push(grouped);
    }

    /// The bytes that became variables since there were so many of these. Nothing if a variable says more than their value.
    pub fn plain_since(&self, n_before: usize) -> Option<Vec<InputPlace>> {
        let place = |grouped: &Grouped| {
            let made = self.holder(grouped.first);
            let place = InputPlace { object: made.node, offset: grouped.first - made.first, n_bytes: grouped.n_bytes };
            matches!(grouped.of, Grouping::Value).then_some(place)
        };
        self.grouped[n_before..].iter().map(place).collect()
    }

    /// The values that the run's variables have.
    pub fn model(&self) -> Model {
        let mut model = Model::new();
        for (var, value) in self.values_from(0) {
            model.set_u64(var, value);
        }
        model
    }

    /// The run's variables from the one of this number on, with their values.
    pub fn values_from(&self, first: usize) -> impl Iterator<Item = (VarId, u64)> + '_ {
        self.grouped[first..].iter().map(|grouped| (grouped.var, self.value(grouped)))
    }

    fn value(&self, grouped: &Grouped) -> u64 {
        let (first, end) = (grouped.first, grouped.first + grouped.n_bytes);
        let bytes = &self.bytes[first as usize..end as usize];
        match grouped.of {
            Grouping::Value => bytes.iter().rev().fold(0, |high, &byte| high << 8 | u64::from(byte)),
            Grouping::Search { set, after } => {
                let start = after.map_or(first, |after| self.number_after(after)).clamp(first, end) - first;
                let set = &self.sets[set as usize];
                let found = bytes[start as usize..].iter().position(|&byte| set.contains(byte));
                found.map_or(bytes.len(), |found| start as usize + found) as u64
            }
            Grouping::Found(at) => {
                let number = self.number_after(at);
                if (first..end).contains(&number) { u64::from(self.byte(number)) } else { 0 }
            }
        }
    }

    /// The number of the byte at a place that a search of the run has found.
    fn number_after(&self, after: After) -> u32 {
        let search = self.grouped.iter().find(|grouped| grouped.var == after.search);
        let search = search.expect("a search is made before what begins where it ends");
        search.first + self.value(search) as u32 + after.by
    }
}
