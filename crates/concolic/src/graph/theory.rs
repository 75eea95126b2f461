//! What holds of all inputs that are graphs: which values pointers have, and that a pointer which shares the object of
//! another finds there what the other finds.
//!
//! Conditions speak of each pointer's own object. An input may instead let a pointer lead to another one's object; then
//! what the conditions say of its own object must hold of that.

use super::heap::{Heap, NodeId};
use super::layout::LeafKind;
use crate::machine::ConcolicMachine;
use crate::variables::{NameId, Place};
use rustc_hash::FxHashSet;
use spelunk_expr::{ExprId, Model, Op, VarId};

/// Which values pointers may have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reach {
    /// Null, or their own object.
    Own,
    /// Also objects and parts of objects of others, for those that share already.
    Kept,
    /// The same for those that the query is about instead.
    Targets,
    /// For both.
    Sharing,
    /// For all.
    Shared,
    /// Also with their lowest bits used for something else, if the program looks at them.
    Tagged,
}

impl Reach {
    pub const ALL: [Self; 6] = [Self::Own, Self::Kept, Self::Targets, Self::Sharing, Self::Shared, Self::Tagged];
}

/// The bits of an address that programs keep other things in.
const TAG_BITS: u64 = 7;

impl ConcolicMachine {
    /// What must hold of the variables that a model has and a query speaks of: with each condition, whether it holds under
    /// the model. `targets` is what the query is about.
    pub fn domains(
        &mut self,
        model: &Model,
        reach: Reach,
        relevant: &FxHashSet<VarId>,
        targets: &[ExprId],
        out: &mut Vec<(ExprId, bool)>,
    ) {
        out.clear();
        if self.graph.is_none() {
            return;
        }
        let vars: Vec<(VarId, u64)> = model.iter_narrow().filter(|(var, _)| relevant.contains(var)).collect();
        let targets = self.vars_in(targets);
        let objects: Vec<NodeId> = match reach {
            Reach::Own => Vec::new(),
            _ => vars.iter().filter_map(|&(var, _)| self.own_object(var)).collect(),
        };
        for (var, value) in vars {
            let shares = !self.is_in_domain(var, value, Reach::Own);
            let is_narrow = match reach {
                Reach::Own | Reach::Shared | Reach::Tagged => false,
                Reach::Kept => !shares,
                Reach::Targets => !targets.contains(&var),
                Reach::Sharing => !shares && !targets.contains(&var),
            };
            let reach = if is_narrow { Reach::Own } else { reach };
            let domain = match reach {
                Reach::Own => self.own_domain(var),
                _ => self.wide_domain(var, &objects, reach),
            };
            if let Some(domain) = domain {
                let holds = self.is_in_domain(var, value, reach);
                out.push((domain, holds));
            }
        }
    }

    /// The variables that conditions speak of.
    pub fn vars_in(&self, conditions: &[ExprId]) -> FxHashSet<VarId> {
        let mut waiting = conditions.to_vec();
        let mut seen: FxHashSet<ExprId> = waiting.iter().copied().collect();
        let mut vars = FxHashSet::default();
        while let Some(expr) = waiting.pop() {
            let node = self.pool.node(expr);
            if node.op() == Op::Var {
                vars.insert(node.var());
            }
            waiting.extend(node.args().filter(|&arg| seen.insert(arg)));
        }
        vars
    }

    /// The own object of a variable that is a pointer.
    fn own_object(&self, var: VarId) -> Option<NodeId> {
        let heap = &self.graph.as_ref()?.heap;
        let place = self.variables.place(var)?;
        heap.own_of(heap.named(place.name)?, place.offset)
    }

    fn leaf_kind(&self, var: VarId) -> Option<LeafKind> {
        let heap = &self.graph.as_ref()?.heap;
        let place = self.variables.place(var)?;
        let (_, leaf) = heap.leaf(heap.named(place.name)?, place.offset)?;
        Some(leaf.kind.clone())
    }

    /// Made once for each variable.
    fn own_domain(&mut self, var: VarId) -> Option<ExprId> {
        let known = self.graph.as_ref()?.domains.get(var.index()).copied().flatten();
        if let Some(domain) = known {
            return (domain != ExprId::TRUE).then_some(domain);
        }
        let values = self.own_values(var);
        let domain = match values {
            Some(values) => self.mk_one_of(var, &values, u64::MAX),
            None => ExprId::TRUE,
        };
        let domains = &mut self.graph.as_mut()?.domains;
        if domains.len() <= var.index() {
            domains.resize(var.index() + 1, None);
        }
        domains[var.index()] = Some(domain);
        (domain != ExprId::TRUE).then_some(domain)
    }

    /// The values that a variable may have, unless it may have any.
    fn own_values(&self, var: VarId) -> Option<Vec<u64>> {
        match self.leaf_kind(var)? {
            LeafKind::Number | LeafKind::Char => None,
            LeafKind::OneOf(values) => Some(values.to_vec()),
            LeafKind::Fixed(value) => Some(vec![value]),
            LeafKind::Function(callees) => {
                let heap = &self.graph.as_ref()?.heap;
                Some(callees.iter().map(|&callee| heap.address_of(callee)).collect())
            }
            LeafKind::Pointer(kind) => {
                let heap = &self.graph.as_ref()?.heap;
                let pointer = heap.layouts().pointer(kind);
                let mut values = Vec::new();
                if pointer.nullable {
                    values.push(0);
                }
                values.extend(self.own_object(var).map(|own| heap.node(own).addr));
                Some(values)
            }
        }
    }

    fn wide_domain(&mut self, var: VarId, targets: &[NodeId], reach: Reach) -> Option<ExprId> {
        let Some(own) = self.own_object(var) else { return self.own_domain(var) };
        let mut values = self.own_values(var)?;
        let heap = &self.graph.as_ref()?.heap;
        for &target in targets {
            values.extend(shared_places(heap, own, target));
        }
        let mask = if self.is_tagged(var, reach) { !TAG_BITS } else { u64::MAX };
        Some(self.mk_one_of(var, &values, mask))
    }

    fn mk_one_of(&mut self, var: VarId, values: &[u64], mask: u64) -> ExprId {
        let mut expr = self.pool.mk_var(var);
        let width = self.pool.width(expr);
        if mask != u64::MAX {
            let mask = self.pool.mk_const(width, mask);
            expr = self.pool.mk_and(expr, mask);
        }
        if let Some(last) = end_of_range(values) {
            let last = self.pool.mk_const(width, last);
            return self.pool.mk_ule(expr, last);
        }
        let mut result = ExprId::FALSE;
        for &value in values {
            let value = self.pool.mk_const(width, value);
            let is_this = self.pool.mk_eq(expr, value);
            result = self.pool.mk_or(result, is_this);
        }
        result
    }

    fn is_in_domain(&self, var: VarId, value: u64, reach: Reach) -> bool {
        let is_own = |value| self.own_values(var).is_none_or(|values| values.contains(&value));
        let heap = self.graph.as_ref().map(|graph| &graph.heap);
        let is_shared = |value| heap.is_some_and(|heap| heap.node_at(value).is_some());
        match reach {
            Reach::Own => is_own(value),
            _ if self.is_tagged(var, reach) => is_own(value & !TAG_BITS) || is_shared(value & !TAG_BITS),
            _ => is_own(value) || is_shared(value),
        }
    }

    fn is_tagged(&self, var: VarId, reach: Reach) -> bool {
        reach == Reach::Tagged && self.graph.as_ref().is_some_and(|graph| graph.tagged.contains(&var))
    }

    /// Whether there are inputs of this kind that are not of the one before.
    pub fn has_reach(&self, reach: Reach) -> bool {
        reach != Reach::Tagged || self.graph.as_ref().is_some_and(|graph| !graph.tagged.is_empty())
    }

    /// Pointers of a model that lead to the object of another, or to the middle of one: each with the place.
    fn sharing(&self, model: &Model) -> Vec<(VarId, NodeId, NodeId, u32)> {
        let Some(graph) = &self.graph else { return Vec::new() };
        let shares = |(var, value): (VarId, u64)| {
            let own = self.own_object(var)?;
            let (target, at) = graph.heap.node_at(value)?;
            (target != own || at != 0).then_some((var, own, target, at))
        };
        model.iter_narrow().filter_map(shares).collect()
    }

    /// What a model contradicts of what holds for pointers that share an object, as far as a query speaks of it.
    pub fn violated(&mut self, model: &Model, relevant: &FxHashSet<VarId>, out: &mut Vec<ExprId>) {
        for (var, own, target, at) in self.sharing(model) {
            for (mine, theirs) in self.counterparts(own, target, at) {
                let Some(value) = model.get_u64(mine).filter(|_| relevant.contains(&mine)) else { continue };
                if model.get_u64(theirs) == Some(value) {
                    continue;
                }
                let (pointer, mine, theirs) = (self.pool.mk_var(var), self.pool.mk_var(mine), self.pool.mk_var(theirs));
                let Some(there) = model.get_u64(var) else { continue };
                let there = self.pool.mk_const(64, there);
                let leads_there = self.pool.mk_eq(pointer, there);
                let elsewhere = self.pool.mk_not(leads_there);
                let same = self.pool.mk_eq(mine, theirs);
                out.push(self.pool.mk_or(elsewhere, same));
            }
        }
    }

    /// Adds to the changes what a hint says of objects that its own input does not have, because their pointers share others:
    /// after the changes they may be there.
    pub fn restate(&self, hint: &Model, changes: &mut Model) {
        if self.sharing(hint).is_empty() {
            return;
        }
        for (var, value) in hint.iter_narrow().filter(|(var, _)| self.own_place(*var)) {
            if !changes.contains(var) {
                changes.set_u64(var, value);
            }
        }
    }

    /// Whether a variable is part of an object that a pointer leads to.
    fn own_place(&self, var: VarId) -> bool {
        let Some(graph) = &self.graph else { return false };
        let node = self.variables.place(var).and_then(|place| graph.heap.named(place.name));
        node.is_some_and(|node| !graph.heap.node(node).is_root)
    }

    /// Lets the pointers that nothing of what a query speaks of depends on lead to their own objects.
    pub fn unshare(&mut self, model: &Model, relevant: &mut FxHashSet<VarId>, changes: &mut Model) {
        let sharing = self.sharing(model);
        let mut n_before = usize::MAX;
        // What is found in an object that is shared counts for all who share it.
        while n_before != relevant.len() {
            n_before = relevant.len();
            for &(_, own, target, at) in &sharing {
                let counterparts = self.counterparts(own, target, at);
                relevant.extend(
                    counterparts.iter().filter(|(mine, _)| relevant.contains(mine)).map(|it| it.1).collect::<Vec<_>>(),
                );
            }
        }
        let Some(graph) = &self.graph else { return };
        for (var, own, ..) in sharing.into_iter().filter(|(var, ..)| !relevant.contains(var)) {
            changes.set_u64(var, graph.heap.node(own).addr);
        }
    }

    /// Gives the variables of objects that a run does not have, because their pointers share others, the values that are
    /// found there.
    pub(crate) fn complete(&mut self, model: &mut Model) {
        let mut n_before = usize::MAX;
        let mut n_now = 0;
        // What is found there may be pointers that share.
        while n_before != n_now {
            n_before = n_now;
            n_now = 0;
            for (_, own, target, at) in self.sharing(model) {
                for (mine, theirs) in self.counterparts(own, target, at) {
                    if let Some(value) = model.get_u64(theirs) {
                        model.set_u64(mine, value);
                        n_now += 1;
                    }
                }
            }
        }
    }

    /// The variables of a pointer's own object, each with that of the same place in the object that it leads to.
    fn counterparts(&mut self, own: NodeId, target: NodeId, at: u32) -> Vec<(VarId, VarId)> {
        let Some(name) = self.name_of(own) else { return Vec::new() };
        let mine: Vec<VarId> = self.variables.vars_of(name).to_vec();
        if mine.is_empty() {
            return Vec::new();
        }
        let Some(target_name) = self.name_of(target) else { return Vec::new() };
        let mut found = Vec::new();
        for var in mine {
            let Some(place) = self.variables.place(var) else { continue };
            let offset = place.offset + at;
            let heap = self.graph.as_ref().map(|graph| &graph.heap);
            let leaf = heap.and_then(|heap| heap.leaf(target, offset)).map(|(at, leaf)| (at, leaf.n_bytes));
            if leaf == Some((offset, place.n_bytes)) {
                let place = Place { name: target_name, offset, n_bytes: place.n_bytes };
                found.push((var, self.variables.mk_var(&mut self.pool, place).0));
            }
        }
        found
    }

    fn name_of(&mut self, node: NodeId) -> Option<NameId> {
        let heap = &mut self.graph.as_mut()?.heap;
        let name = heap.node(node).name.clone();
        let base = self.variables.mk_base(&name);
        let id = self.variables.mk_name(base, &name, 0);
        heap.set_name_id(node, id);
        Some(id)
    }
}

/// The places where a pointer may lead to (a part of) the own object of another. Of two pointers to the same type, the
/// later one shares the object of the earlier one: the other way around would be the same graph.
fn shared_places(heap: &Heap, own: NodeId, target: NodeId) -> Vec<u64> {
    let (mine, theirs) = (heap.node(own), heap.node(target));
    if own == target || (mine.layout == theirs.layout && target > own) || theirs.n_after > 0 {
        return Vec::new();
    }
    // Whether a place is one of theirs would depend on how many there are.
    if mine.counted_by.is_some() || theirs.counted_by.is_some() {
        return Vec::new();
    }
    let size = heap.layouts().get(theirs.layout).size;
    let offsets: Vec<u32> = heap.layouts().places_in(mine.layout, theirs.layout).collect();
    let elements = 0..theirs.count;
    elements
        .flat_map(|element| offsets.iter().map(move |offset| theirs.addr + u64::from(element * size + offset)))
        .collect()
}

/// The last of values that are all numbers from zero on, in order, if they are more than two.
fn end_of_range(values: &[u64]) -> Option<u64> {
    let is_range = values.len() > 2 && values.iter().enumerate().all(|(number, &value)| value == number as u64);
    is_range.then(|| values.len() as u64 - 1)
}
