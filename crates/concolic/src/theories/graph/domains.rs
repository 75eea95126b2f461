//! Which values variables may have, as conditions for a solver.

use super::terms::Terms;
use crate::graph::heap::{Heap, NodeId};
use crate::graph::layout::LeafKind;
use crate::graph::parts::EVERYWHERE;
use crate::machine::ConcolicMachine;
use spelunk_expr::{ExprId, ExprPool, VarId};

/// The bits of an address that programs keep other things in.
const TAG_BITS: u64 = 7;

/// What must hold of a number that is found at a place (object, offset, bytes), if it may not be any, and whether it holds for a value.
pub fn number_domain(
    machine: &mut ConcolicMachine,
    var: VarId,
    (node, offset, n_bytes): (NodeId, u32, u32),
    value: u64,
) -> Option<(ExprId, bool)> {
    let heap = &machine.inputs.heap;
    let (_, leaf) = heap.leaf(node, offset)?;
    let values = match &leaf.kind {
        LeafKind::Number | LeafKind::Char | LeafKind::Pointer(_) => return None,
        LeafKind::OneOf(values) => values.to_vec(),
        LeafKind::Fixed(value) => vec![*value],
        LeafKind::Function(callees) => callees.iter().map(|&callee| heap.address_of(callee)).collect(),
    };
    let mask = spelunk_bv::int::mask(8 * n_bytes);
    let holds = values.iter().any(|known| known & mask == value);
    Some((mk_one_of(&mut machine.pool, var, &values, u64::MAX), holds))
}

impl Terms {
    /// That a pointer is null, or leads to its own object or to one of the pointers that are given, or a part of one; or to
    /// objects like these that are elsewhere, if these count.
    pub fn pointer_domain(
        &self,
        machine: &mut ConcolicMachine,
        var: VarId,
        others: &[VarId],
        with_spares: bool,
    ) -> Option<ExprId> {
        let pointer = self.get(var)?.pointer?;
        let mut values: Vec<u64> = pointer.nullable.then_some(0).into_iter().collect();
        let mut elsewhere = ExprId::FALSE;
        if let Some((own, addr)) = self.own_place(machine, var) {
            values.push(addr);
            let mut objects: Vec<NodeId> =
                others.iter().filter_map(|&other| self.own(other)).filter(|&it| it != own).collect();
            if with_spares {
                let heap = &mut machine.inputs.heap;
                let spares: Vec<NodeId> = objects.iter().filter_map(|&object| heap.spare(object)).collect();
                values.extend(heap.spare(own).map(|spare| heap.node(spare).entry()));
                objects.extend(spares);
            }
            for object in objects {
                let places = self.places_in(machine, var, object);
                let is_there = mk_one_of(&mut machine.pool, var, &places, self.mask(var));
                elsewhere = machine.pool.mk_or(elsewhere, is_there);
            }
        }
        let is_near = mk_one_of(&mut machine.pool, var, &values, self.mask(var));
        Some(machine.pool.mk_or(is_near, elsewhere))
    }

    /// That an object which pointers share is the own object of one of them.
    pub fn homes(&self, machine: &mut ConcolicMachine, pointers: &[VarId]) -> Vec<ExprId> {
        let mut conditions = Vec::new();
        for &other in pointers {
            let Some((own, addr)) = self.own_place(machine, other) else { continue };
            let is_home = mk_is(&mut machine.pool, other, addr);
            for &pointer in pointers.iter().filter(|&&pointer| pointer != other) {
                let places = self.places_in(machine, pointer, own);
                let is_guest = mk_one_of(&mut machine.pool, pointer, &places, u64::MAX);
                let is_elsewhere = machine.pool.mk_not(is_guest);
                conditions.push(machine.pool.mk_or(is_elsewhere, is_home));
            }
        }
        conditions
    }

    /// As much of a pointer's domain as would be left if objects were elsewhere: it is null, or an address that objects of
    /// its type may have.
    pub fn wide_domain(&self, machine: &mut ConcolicMachine, var: VarId) -> Option<ExprId> {
        let heap = &machine.inputs.heap;
        let pointer = self.get(var)?.pointer?;
        let align = heap.alignment(pointer.own?);
        let addresses = heap.addresses()?;
        let pool = &mut machine.pool;
        let expr = pool.mk_var(var);
        let [first, last, low, zero] =
            [addresses.start, addresses.end - 1, align - 1, 0].map(|value| pool.mk_const(64, value));
        let (above, below) = (pool.mk_ule(first, expr), pool.mk_ule(expr, last));
        let mut domain = pool.mk_and(above, below);
        if !self.is_tagged(var) {
            let low = pool.mk_and(expr, low);
            let is_aligned = pool.mk_eq(low, zero);
            domain = pool.mk_and(domain, is_aligned);
        }
        if pointer.nullable {
            let is_null = pool.mk_eq(expr, zero);
            domain = pool.mk_or(domain, is_null);
        }
        Some(domain)
    }

    /// That pointers to the same place find the same there. It is left out what follows for parts of objects.
    pub fn sharing(&self, pool: &mut ExprPool, pointers: &[VarId], vars: &[VarId]) -> Vec<ExprId> {
        let mut conditions = Vec::new();
        let contents: Vec<_> = pointers.iter().map(|&pointer| (pointer, self.contents(pointer, vars))).collect();
        for (number, (a, left)) in contents.iter().enumerate() {
            for (b, right) in &contents[..number] {
                for &(place, x) in left {
                    let Some(&(_, y)) = right.iter().find(|(other, _)| *other == place) else { continue };
                    let [pointer, other, x, y] = [*a, *b, x, y].map(|var| pool.mk_var(var));
                    let (is_shared, null) = (pool.mk_eq(pointer, other), pool.mk_const(64, 0));
                    let (is_null, is_equal) = (pool.mk_eq(pointer, null), pool.mk_eq(x, y));
                    let (is_apart, found) = (pool.mk_not(is_shared), pool.mk_or(is_null, is_equal));
                    conditions.push(pool.mk_or(is_apart, found));
                }
            }
        }
        conditions
    }

    fn own(&self, pointer: VarId) -> Option<NodeId> {
        self.get(pointer)?.pointer?.own
    }

    fn own_place(&self, machine: &ConcolicMachine, pointer: VarId) -> Option<(NodeId, u64)> {
        let own = self.own(pointer)?;
        Some((own, machine.inputs.heap.node(own).entry()))
    }

    /// The values by which a pointer leads into an object that is not its own.
    fn places_in(&self, machine: &ConcolicMachine, pointer: VarId, object: NodeId) -> Vec<u64> {
        let mut values = Vec::new();
        if let Some(own) = self.own(pointer) {
            let heap = &machine.inputs.heap;
            let addr = heap.node(object).addr + u64::from(heap.node(own).at());
            heap.places(own, object, EVERYWHERE, |at| values.push(addr.wrapping_add(at as u64)));
        }
        values
    }

    /// Which variables are found through a pointer, and where.
    fn contents(&self, pointer: VarId, vars: &[VarId]) -> Vec<((u32, u32), VarId)> {
        let Some(own) = self.own(pointer) else { return Vec::new() };
        let terms = vars.iter().filter_map(|&var| Some((var, self.get(var)?)));
        terms.filter(|(_, term)| term.node == own).map(|(var, term)| ((term.offset, term.n_bytes), var)).collect()
    }

    /// The object that a pointer leads to by a value of it, and where in it.
    pub fn target(&self, heap: &Heap, var: VarId, value: u64) -> Option<(NodeId, u32)> {
        self.get(var)?.pointer?;
        heap.node_at(value & self.mask(var))
    }

    /// The bits of a pointer that say where it leads.
    fn mask(&self, var: VarId) -> u64 {
        if self.is_tagged(var) { !TAG_BITS } else { u64::MAX }
    }
}

pub(super) fn mk_is(pool: &mut ExprPool, var: VarId, value: u64) -> ExprId {
    let (var, value) = (pool.mk_var(var), pool.mk_const(64, value));
    pool.mk_eq(var, value)
}

fn mk_one_of(pool: &mut ExprPool, var: VarId, values: &[u64], mask: u64) -> ExprId {
    let mut expr = pool.mk_var(var);
    let width = pool.width(expr);
    if mask != u64::MAX {
        let mask = pool.mk_const(width, mask);
        expr = pool.mk_and(expr, mask);
    }
    if let Some((first, last, step)) = as_range(values) {
        let low = pool.mk_const(width, step - 1);
        let (first, last) = (pool.mk_const(width, first), pool.mk_const(width, last));
        let (is_above, is_below) = (pool.mk_ule(first, expr), pool.mk_ule(expr, last));
        let is_inside = pool.mk_and(is_above, is_below);
        let (beyond, zero) = (pool.mk_sub(expr, first), pool.mk_const(width, 0));
        let beyond = pool.mk_and(beyond, low);
        let is_step = pool.mk_eq(beyond, zero);
        return if step == 1 { is_inside } else { pool.mk_and(is_inside, is_step) };
    }
    let mut result = ExprId::FALSE;
    for &value in values {
        let value = pool.mk_const(width, value);
        let is_this = pool.mk_eq(expr, value);
        result = pool.mk_or(result, is_this);
    }
    result
}

/// The first and the last of more than two values at equal distances, and these, if they are a power of two.
fn as_range(values: &[u64]) -> Option<(u64, u64, u64)> {
    let &[first, second, _, ..] = values else { return None };
    let (&last, step) = (values.last()?, second.checked_sub(first).filter(|step| step.is_power_of_two())?);
    let is_range = values.windows(2).all(|pair| pair[0].checked_add(step) == Some(pair[1]));
    is_range.then_some((first, last, step))
}
