//! Arrays beyond what expressions have: equality and choice.
//!
//! A choice between two histories of one array is that array with conditional writes. Between different arrays it is a
//! variable with a definition, through which [`Context::mk_select_through`] reads.

use rustc_hash::{FxHashMap, FxHashSet};
use spelunk_expr::{ExprId, Op};

use crate::context::{Context, Definition};
use crate::sort::Scalar;

/// Values that a walk through choices has found, by array and index.
pub type Selected = FxHashMap<(ExprId, ExprId), ExprId>;

impl Context {
    pub fn mk_same_array(&mut self, elem: Scalar, a: ExprId, b: ExprId) -> ExprId {
        match a.cmp(&b) {
            std::cmp::Ordering::Equal => ExprId::TRUE,
            std::cmp::Ordering::Less => self.define(Definition::SameArray { a, b, elem }),
            std::cmp::Ordering::Greater => self.define(Definition::SameArray { a: b, b: a, elem }),
        }
    }

    pub fn mk_array_ite(&mut self, cond: ExprId, then: ExprId, other: ExprId) -> ExprId {
        match cond {
            ExprId::TRUE => return then,
            ExprId::FALSE => return other,
            _ if then == other => return then,
            _ => {}
        }
        let Some(common) = self.common_history(then, other) else {
            return self.define(Definition::ChosenArray { cond, then, other });
        };
        // Writes of the side that is not taken write what is there.
        let mut array = common;
        for (index, elem) in self.writes_since(common, then) {
            let kept = self.pool.mk_select(array, index);
            let elem = self.pool.mk_ite(cond, elem, kept);
            array = self.pool.mk_store(array, index, elem);
        }
        for (index, elem) in self.writes_since(common, other) {
            let kept = self.pool.mk_select(array, index);
            let elem = self.pool.mk_ite(cond, kept, elem);
            array = self.pool.mk_store(array, index, elem);
        }
        array
    }

    /// The latest array from which both come by writes.
    fn common_history(&self, a: ExprId, b: ExprId) -> Option<ExprId> {
        let history: FxHashSet<ExprId> = self.history(a).collect();
        self.history(b).find(|array| history.contains(array))
    }

    /// The array itself, then what it was before each write.
    pub fn history(&self, array: ExprId) -> impl Iterator<Item = ExprId> + '_ {
        std::iter::successors(Some(array), |&array| {
            let node = self.pool.node(array);
            (node.op() == Op::Store).then(|| node.arg(0))
        })
    }

    /// What an array was before all writes.
    pub fn base(&self, array: ExprId) -> ExprId {
        self.history(array).last().unwrap_or(array)
    }

    /// Indices and elements, oldest first.
    fn writes_since(&self, start: ExprId, array: ExprId) -> Vec<(ExprId, ExprId)> {
        let newest_first = self.history(array).take_while(|&array| array != start);
        let mut writes: Vec<(ExprId, ExprId)> = newest_first
            .map(|array| {
                let node = self.pool.node(array);
                (node.arg(1), node.arg(2))
            })
            .collect();
        writes.reverse();
        writes
    }

    /// The element, where reading a choice is a choice of reads.
    pub fn mk_select_through(&mut self, array: ExprId, index: ExprId, known: &mut Selected) -> ExprId {
        let mut stack = vec![array];
        while let Some(&array) = stack.last() {
            if known.contains_key(&(array, index)) {
                stack.pop();
                continue;
            }
            let base = self.base(array);
            let elem = match self.definition(base) {
                Some(&Definition::ChosenArray { cond, then, other }) => {
                    let n_waiting = stack.len();
                    stack.extend([then, other].into_iter().filter(|&arm| !known.contains_key(&(arm, index))));
                    if stack.len() != n_waiting {
                        continue;
                    }
                    let before = self.pool.mk_ite(cond, known[&(then, index)], known[&(other, index)]);
                    self.mk_select_writes(base, array, index, before)
                }
                _ => self.pool.mk_select(array, index),
            };
            known.insert((array, index), elem);
            stack.pop();
        }
        known[&(array, index)]
    }

    /// The element that writes leave, `before` being the one at the start.
    fn mk_select_writes(&mut self, start: ExprId, array: ExprId, index: ExprId, before: ExprId) -> ExprId {
        let mut elem = before;
        for (written, value) in self.writes_since(start, array) {
            let is_here = self.pool.mk_eq(index, written);
            elem = self.pool.mk_ite(is_here, value, elem);
        }
        elem
    }

    /// The variables, tables and constant arrays that an array may stem from.
    pub fn origins(&self, array: ExprId) -> Vec<ExprId> {
        let mut seen = FxHashSet::default();
        let mut origins = Vec::new();
        let mut stack = vec![array];
        while let Some(array) = stack.pop() {
            let base = self.base(array);
            if !seen.insert(base) {
                continue;
            }
            match self.definition(base) {
                Some(&Definition::ChosenArray { then, other, .. }) => stack.extend([then, other]),
                _ => origins.push(base),
            }
        }
        origins
    }
}
