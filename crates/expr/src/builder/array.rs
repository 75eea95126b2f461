//! Reading and writing arrays, and their rules: a read goes past writes that are certainly elsewhere.

use super::widths_differ;
use crate::node::{ExprId, Node, Sort};
use crate::op::Op;
use crate::pool::{ExprPool, assert_array_widths};
use crate::rules::Rule;

/// How many writes a read looks at: loops write without end, and each read would walk all of it.
const MAX_WRITES: usize = 1000;

impl ExprPool {
    /// The array with one element everywhere.
    pub fn mk_const_array(&mut self, index_width: u32, elem: ExprId) -> ExprId {
        assert_array_widths(index_width, self.width(elem));
        self.intern(Node::new(Op::ConstArray, self.width(elem), [elem.raw(), index_width, 0]))
    }

    pub fn mk_select(&mut self, array: ExprId, index: ExprId) -> ExprId {
        self.check_index(Op::Select, array, index);
        let elem_width = self.width(array);
        match self.rewrite(|pool| pool.rewrite_select(array, index)) {
            Some(rewritten) => rewritten,
            None => self.intern(Node::binary(Op::Select, elem_width, array, index)),
        }
    }

    pub fn mk_store(&mut self, array: ExprId, index: ExprId, elem: ExprId) -> ExprId {
        self.check_index(Op::Store, array, index);
        let elem_width = self.width(array);
        if elem_width != self.width(elem) {
            widths_differ(Op::Store, elem_width, self.width(elem));
        }
        match self.rewrite(|pool| pool.rewrite_store(array, index, elem)) {
            Some(rewritten) => rewritten,
            None => self.intern(Node::ternary(Op::Store, elem_width, [array, index, elem])),
        }
    }

    fn check_index(&self, op: Op, array: ExprId, index: ExprId) {
        match self.sort(array) {
            Sort::Array { index_width, .. } if index_width == self.width(index) => {}
            Sort::Array { index_width, .. } => widths_differ(op, index_width, self.width(index)),
            Sort::Bv(_) => panic!("{} of a bit-vector", op.name()),
        }
    }

    fn rewrite_select(&mut self, array: ExprId, index: ExprId) -> Option<ExprId> {
        let mut base = array;
        for _ in 0..MAX_WRITES {
            let node = self.node(base);
            match node.op() {
                Op::Store if node.arg(1) == index && self.fires(Rule::SelectStoreSame) => return Some(node.arg(2)),
                Op::Store if self.are_distinct(node.arg(1), index) && self.fires(Rule::SelectStoreOther) => {
                    base = node.arg(0);
                }
                Op::ConstArray if self.fires(Rule::SelectConstArray) => return Some(node.arg(0)),
                Op::Table => match self.as_const(index) {
                    Some(at) if self.fires(Rule::SelectTable) => {
                        let elem = self.table_element(base, at);
                        return Some(self.mk_const(node.width(), elem));
                    }
                    _ => break,
                },
                _ => break,
            }
        }
        (base != array).then(|| self.mk_select(base, index))
    }

    fn rewrite_store(&mut self, array: ExprId, index: ExprId, elem: ExprId) -> Option<ExprId> {
        if self.operands(Op::Select, elem) == Some((array, index)) && self.fires(Rule::StoreSelect) {
            return Some(array);
        }
        let node = self.node(array);
        if node.op() == Op::Store && node.arg(1) == index && self.fires(Rule::StoreStore) {
            return Some(self.mk_store(node.arg(0), index, elem));
        }
        None
    }
}
