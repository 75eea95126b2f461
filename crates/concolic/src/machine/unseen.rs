//! What of its input a run has not looked at: other values there would have made no difference to it.

use super::ConcolicMachine;
use crate::decision::Decision;
use crate::graph::heap::{Kind, NodeId};
use crate::key::ObjectKey;
use rustc_hash::FxHashSet;
use spelunk_expr::Op;
use std::sync::Arc;

/// So many expressions are looked through for parameters, since every new path is. Those that are not found by then are taken to
/// be behind them.
const MAX_EXPRS: usize = 1000;

impl ConcolicMachine {
    /// Numbers and pointers of a unit's input that no condition of the path speaks of, by object and offset.
    pub(crate) fn unseen(&self, path: &[Decision]) -> Vec<(Arc<ObjectKey>, u32)> {
        let heap = &self.inputs.heap;
        if !heap.has_places() {
            return Vec::new();
        }
        let is_param = |node: NodeId| heap.node(node).kind == Kind::Param;
        // Parameters are read to be passed, which is not to look at them.
        let passed = self.inputs.leaves().filter(|&(place, is_read)| is_read && is_param(place.object));
        let mut unmet: FxHashSet<(NodeId, u32)> = passed.map(|(place, _)| (place.object, place.offset)).collect();
        let mut met = FxHashSet::default();
        let mut waiting: Vec<_> = path.iter().rev().map(|decision| decision.cond).collect();
        while !unmet.is_empty()
            && let Some(expr) = waiting.pop()
        {
            if met.len() > MAX_EXPRS {
                unmet.clear();
            } else if met.insert(expr) {
                let node = self.pool.node(expr);
                match node.op() {
                    Op::Var => {
                        let place = self.variables.place(node.var());
                        place.map(|place| unmet.remove(&(place.object, place.offset)));
                    }
                    _ => waiting.extend(node.args()),
                }
            }
        }
        let is_unseen = |object: NodeId, offset: u32, is_read: bool| match is_param(object) {
            true => !is_read || unmet.contains(&(object, offset)),
            false => !is_read,
        };
        let unseen = self.inputs.leaves().filter(|&(place, is_read)| is_unseen(place.object, place.offset, is_read));
        unseen.map(|(place, _)| (Arc::clone(&heap.node(place.object).key), place.offset)).collect()
    }
}
