//! Variables that bytes of a run became.

use super::InputBytes;
use crate::byte_set::ByteSet;
use crate::journal::Entry;
use crate::searches::Search;
use crate::variables::{InputPlace, Variables};
use spelunk_expr::{ExprId, ExprPool, Model, VarId};

/// A variable that bytes of this run became.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grouped {
    var: VarId,
    expr: ExprId,
    pub(super) first: u32,
    pub(super) n_bytes: u32,
    /// For what is no value of the bytes, but where in them the first of a set is: one more than the set's number.
    pub(super) sought: u32,
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
        self.add_group(Grouped { var, expr, first, n_bytes, sought: 0 });
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
    ) -> ExprId {
        let object = self.holder(first);
        let search = Search { object: object.node, offset: first - object.first, n_bytes, set };
        let (var, expr) = variables.mk_search(pool, &self.heap, search);
        if !self.grouped.iter().any(|grouped| grouped.var == var) {
            let number = self.sets.iter().position(|known| *known == set).unwrap_or_else(|| {
                self.sets.push(set);
                self.sets.len() - 1
            });
            self.grouped.push(Grouped { var, expr, first, n_bytes, sought: number as u32 + 1 });
        }
        expr
    }

    pub(super) fn add_group(&mut self, grouped: Grouped) {
        if grouped.sought != 0 {
            return self.grouped.push(grouped);
        }
        for index in 0..grouped.n_bytes {
            self.states[(grouped.first + index) as usize] = ByteState { expr: grouped.expr, index: index as u8 };
        }
        self.grouped.push(grouped);
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
        let bytes = &self.bytes[grouped.first as usize..(grouped.first + grouped.n_bytes) as usize];
        if let Some(set) = (grouped.sought as usize).checked_sub(1).map(|number| &self.sets[number]) {
            return bytes.iter().position(|&byte| set.contains(byte)).unwrap_or(bytes.len()) as u64;
        }
        bytes.iter().rev().fold(0, |high, &byte| high << 8 | u64::from(byte))
    }
}
