//! Which values variables may have, as conditions for a solver.

use super::heap::NodeId;
use super::layout::LeafKind;
use crate::machine::ConcolicMachine;
use rustc_hash::FxHashSet;
use spelunk_expr::{ExprId, VarId};

/// The bits of an address that programs keep other things in.
const TAG_BITS: u64 = 7;

impl ConcolicMachine {
    /// What must hold of a number, if it may not be any, and whether it holds for a value.
    pub fn number_domain(&mut self, var: VarId, value: u64) -> Option<(ExprId, bool)> {
        let graph = self.graph.as_ref()?;
        let term = graph.terms.get(var)?;
        let (_, leaf) = graph.heap.leaf(term.node, term.offset)?;
        let values = match &leaf.kind {
            LeafKind::Number | LeafKind::Char | LeafKind::Pointer(_) => return None,
            LeafKind::OneOf(values) => values.to_vec(),
            LeafKind::Fixed(value) => vec![*value],
            LeafKind::Function(callees) => callees.iter().map(|&callee| graph.heap.address_of(callee)).collect(),
        };
        let mask = spelunk_bv::int::mask(8 * term.n_bytes);
        let holds = values.iter().any(|known| known & mask == value);
        Some((self.mk_one_of(var, &values, u64::MAX), holds))
    }

    /// That a pointer is null, or leads to its own object or to one of the pointers that are given, or a part of one. An object
    /// in which something was found is left only by all at once: it stands for whatever its own pointer leads to.
    pub fn pointer_domain(&mut self, var: VarId, others: &[VarId], found: &[VarId]) -> Option<ExprId> {
        let graph = self.graph.as_ref()?;
        let pointer = graph.terms.get(var)?.pointer?;
        let mut values: Vec<u64> = pointer.nullable.then_some(0).into_iter().collect();
        let mut shared: Vec<(VarId, u64, Vec<u64>)> = Vec::new();
        if let Some(own) = pointer.own {
            let heap = &graph.heap;
            values.push(heap.node(own).addr);
            let found: FxHashSet<NodeId> = found.iter().filter_map(|&var| Some(graph.terms.get(var)?.node)).collect();
            let objects = others
                .iter()
                .filter(|&&other| other != var)
                .filter_map(|&other| Some((other, graph.terms.get(other)?.pointer?.own?)));
            for (other, object) in objects {
                let start = heap.node(object).addr;
                let mut places = Vec::new();
                heap.places(own, object, |at| places.push(start.wrapping_add(at as u64)));
                match found.contains(&object) {
                    true => shared.push((other, start, places)),
                    false => values.extend(places),
                }
            }
        }
        let mask = if graph.tagged.contains(&var) { !TAG_BITS } else { u64::MAX };
        let mut domain = self.mk_one_of(var, &values, mask);
        for (other, start, places) in shared.into_iter().filter(|(.., places)| !places.is_empty()) {
            let leads_there = self.mk_one_of(var, &places, mask);
            let stays = self.mk_one_of(other, &[start], mask);
            let both = self.pool.mk_and(leads_there, stays);
            domain = self.pool.mk_or(domain, both);
        }
        Some(domain)
    }

    /// The object that a pointer leads to by a value of it, and where in it.
    pub(crate) fn target(&self, var: VarId, value: u64) -> Option<(NodeId, u32)> {
        let graph = self.graph.as_ref()?;
        let mask = if graph.tagged.contains(&var) { !TAG_BITS } else { u64::MAX };
        graph.terms.get(var)?.pointer?;
        graph.heap.node_at(value & mask)
    }

    fn mk_one_of(&mut self, var: VarId, values: &[u64], mask: u64) -> ExprId {
        let mut expr = self.pool.mk_var(var);
        let width = self.pool.width(expr);
        if mask != u64::MAX {
            let mask = self.pool.mk_const(width, mask);
            expr = self.pool.mk_and(expr, mask);
        }
        if let Some((first, last)) = as_range(values) {
            let (first, last) = (self.pool.mk_const(width, first), self.pool.mk_const(width, last));
            let (is_above, is_below) = (self.pool.mk_ule(first, expr), self.pool.mk_ule(expr, last));
            return self.pool.mk_and(is_above, is_below);
        }
        let mut result = ExprId::FALSE;
        for &value in values {
            let value = self.pool.mk_const(width, value);
            let is_this = self.pool.mk_eq(expr, value);
            result = self.pool.mk_or(result, is_this);
        }
        result
    }
}

/// The first and the last of more than two values that follow each other.
fn as_range(values: &[u64]) -> Option<(u64, u64)> {
    let (&[first, ..], &[.., last]) = (values, values) else { return None };
    let is_range = values.len() > 2 && values.windows(2).all(|pair| pair[0].checked_add(1) == Some(pair[1]));
    is_range.then_some((first, last))
}
