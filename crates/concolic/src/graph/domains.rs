//! Which values variables may have, as conditions for a solver.

use super::heap::NodeId;
use super::layout::LeafKind;
use crate::machine::ConcolicMachine;
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

    /// That a pointer is null, or leads to its own object or to one of the pointers that are given, or a part of one; or to
    /// objects like these that are elsewhere, if these count.
    pub fn pointer_domain(&mut self, var: VarId, others: &[VarId], with_spares: bool) -> Option<ExprId> {
        let pointer = self.graph.as_ref()?.terms.get(var)?.pointer?;
        let mut values: Vec<u64> = pointer.nullable.then_some(0).into_iter().collect();
        if let Some((own, addr)) = self.own_place(var) {
            values.push(addr);
            let mut objects: Vec<NodeId> =
                others.iter().filter_map(|&other| Some(self.own_place(other)?.0)).filter(|&it| it != own).collect();
            if with_spares {
                let heap = &mut self.graph.as_mut()?.heap;
                let spares: Vec<NodeId> = objects.iter().filter_map(|&object| heap.spare(object)).collect();
                values.extend(heap.spare(own).map(|spare| heap.node(spare).addr));
                objects.extend(spares);
            }
            values.extend(objects.iter().flat_map(|&object| self.places_in(var, object)));
        }
        let graph = self.graph.as_ref()?;
        let mask = if graph.tagged.contains(&var) { !TAG_BITS } else { u64::MAX };
        Some(self.mk_one_of(var, &values, mask))
    }

    /// That an object which pointers share is the own object of one of them.
    pub fn homes(&mut self, pointers: &[VarId]) -> Vec<ExprId> {
        let mut conditions = Vec::new();
        for &other in pointers {
            let Some((own, addr)) = self.own_place(other) else { continue };
            let is_home = self.mk_is(other, addr);
            for &pointer in pointers.iter().filter(|&&pointer| pointer != other) {
                for value in self.places_in(pointer, own) {
                    let is_guest = self.mk_is(pointer, value);
                    let is_elsewhere = self.pool.mk_not(is_guest);
                    conditions.push(self.pool.mk_or(is_elsewhere, is_home));
                }
            }
        }
        conditions
    }

    /// As much of a pointer's domain as would be left if objects were elsewhere: it is null, or an address that objects of
    /// its type may have.
    pub fn wide_domain(&mut self, var: VarId) -> Option<ExprId> {
        let graph = self.graph.as_ref()?;
        let pointer = graph.terms.get(var)?.pointer?;
        let layout = graph.heap.node(pointer.own?).layout;
        let align = u64::from(graph.heap.layouts().get(layout).align.max(1));
        let addresses = graph.heap.addresses()?;
        let is_tagged = graph.tagged.contains(&var);
        let expr = self.pool.mk_var(var);
        let [first, last, low, zero] =
            [addresses.start, addresses.end - 1, align - 1, 0].map(|value| self.pool.mk_const(64, value));
        let (above, below) = (self.pool.mk_ule(first, expr), self.pool.mk_ule(expr, last));
        let mut domain = self.pool.mk_and(above, below);
        if !is_tagged {
            let low = self.pool.mk_and(expr, low);
            let is_aligned = self.pool.mk_eq(low, zero);
            domain = self.pool.mk_and(domain, is_aligned);
        }
        if pointer.nullable {
            let is_null = self.pool.mk_eq(expr, zero);
            domain = self.pool.mk_or(domain, is_null);
        }
        Some(domain)
    }

    /// That pointers to the same place find the same there. It is left out what follows for parts of objects.
    pub fn sharing(&mut self, pointers: &[VarId], vars: &[VarId]) -> Vec<ExprId> {
        let mut conditions = Vec::new();
        let contents: Vec<_> = pointers.iter().map(|&pointer| (pointer, self.contents(pointer, vars))).collect();
        for (number, (a, left)) in contents.iter().enumerate() {
            for (b, right) in &contents[..number] {
                for &(place, x) in left {
                    let Some(&(_, y)) = right.iter().find(|(other, _)| *other == place) else { continue };
                    let [pointer, other, x, y] = [*a, *b, x, y].map(|var| self.pool.mk_var(var));
                    let (is_shared, null) = (self.pool.mk_eq(pointer, other), self.pool.mk_const(64, 0));
                    let (is_null, is_equal) = (self.pool.mk_eq(pointer, null), self.pool.mk_eq(x, y));
                    let (is_apart, found) = (self.pool.mk_not(is_shared), self.pool.mk_or(is_null, is_equal));
                    conditions.push(self.pool.mk_or(is_apart, found));
                }
            }
        }
        conditions
    }

    fn own_place(&self, pointer: VarId) -> Option<(NodeId, u64)> {
        let graph = self.graph.as_ref()?;
        let own = graph.terms.get(pointer)?.pointer?.own?;
        Some((own, graph.heap.node(own).addr))
    }

    /// The values by which a pointer leads into an object that is not its own.
    fn places_in(&self, pointer: VarId, object: NodeId) -> Vec<u64> {
        let mut values = Vec::new();
        if let (Some((own, _)), Some(graph)) = (self.own_place(pointer), &self.graph) {
            let addr = graph.heap.node(object).addr;
            graph.heap.places(own, object, |at| values.push(addr.wrapping_add(at as u64)));
        }
        values
    }

    /// Which variables are found through a pointer, and where.
    fn contents(&self, pointer: VarId, vars: &[VarId]) -> Vec<((u32, u32), VarId)> {
        let (Some((own, _)), Some(graph)) = (self.own_place(pointer), &self.graph) else { return Vec::new() };
        let terms = vars.iter().filter_map(|&var| Some((var, graph.terms.get(var)?)));
        terms.filter(|(_, term)| term.node == own).map(|(var, term)| ((term.offset, term.n_bytes), var)).collect()
    }

    /// The object that a pointer leads to by a value of it, and where in it.
    pub(crate) fn target(&self, var: VarId, value: u64) -> Option<(NodeId, u32)> {
        let graph = self.graph.as_ref()?;
        let mask = if graph.tagged.contains(&var) { !TAG_BITS } else { u64::MAX };
        graph.terms.get(var)?.pointer?;
        graph.heap.node_at(value & mask)
    }

    fn mk_is(&mut self, var: VarId, value: u64) -> ExprId {
        let (var, value) = (self.pool.mk_var(var), self.pool.mk_const(64, value));
        self.pool.mk_eq(var, value)
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
