//! What must hold of equal arrays and of functions, said for the indices and arguments that occur.
//!
//! Arrays that are compared, however indirectly, form a component. Two arrays of a component are the same iff they
//! agree at each index at which one of the component is read or written, at one index more for each comparison (where
//! they differ if they do), and "elsewhere", for which each array has a variable. Elsewhere exists only if there are
//! more indices than those; if not, all indices are enumerated. A function's results are equal where its arguments are.

use rustc_hash::{FxHashMap, FxHashSet};
use spelunk_expr::{ExprId, Op, Sort};

use super::valuation::Valuation;
use crate::arrays::Selected;
use crate::context::{Context, Definition};
use crate::sort::Sort as ScriptSort;

/// Variables that axioms need, kept so that the same axiom is the same expression in the next check.
#[derive(Default)]
pub(super) struct Axioms {
    /// For each comparison, an index at which the arrays differ if they are not the same.
    witnesses: FxHashMap<ExprId, ExprId>,
    /// For each array, its element elsewhere.
    elsewhere: FxHashMap<ExprId, ExprId>,
}

pub(super) struct Found {
    pub constraints: Vec<ExprId>,
    pub components: Vec<Component>,
    pub applications: Vec<ExprId>,
}

/// Arrays that are compared with each other.
#[derive(Default)]
pub(super) struct Component {
    comparisons: Vec<ExprId>,
    /// The variables among the arrays, and their elements elsewhere.
    arrays: Vec<(ExprId, ExprId)>,
    indices: Vec<ExprId>,
}

impl Component {
    /// Gives the arrays the elements that the axioms speak of, at the indices and elsewhere.
    pub fn settle(&self, context: &Context, valuation: &mut Valuation) {
        for &(array, elsewhere) in &self.arrays {
            valuation.settle_array(context, array, elsewhere, &self.indices);
        }
    }
}

impl Axioms {
    pub fn of(&mut self, context: &mut Context, constraints: &[ExprId], selected: &mut Selected) -> Found {
        let mut order = context.postorder(constraints);
        let applications: Vec<ExprId> = order
            .iter()
            .copied()
            .filter(|&id| matches!(context.definition(id), Some(Definition::Application { .. })))
            .collect();
        let functional = say_functional(context, &applications);
        if !functional.is_empty() {
            // Results that are arrays are compared.
            let all: Vec<ExprId> = constraints.iter().chain(&functional).copied().collect();
            order = context.postorder(&all);
        }
        let components = self.components(context, &order);
        let mut found = Found { constraints: functional, components, applications };
        let asserted: FxHashSet<ExprId> = constraints.iter().copied().collect();
        for component in &mut found.components {
            self.add_indices(context, component, &asserted);
            for &comparison in &component.comparisons {
                self.say_same(context, component, comparison, &asserted, selected, &mut found.constraints);
            }
        }
        found
    }

    /// The components of all comparisons, with the indices at which their arrays are read and written.
    fn components(&mut self, context: &mut Context, order: &[ExprId]) -> Vec<Component> {
        let mut groups = Groups::default();
        let mut comparisons = Vec::new();
        for &id in order {
            if let Some(&Definition::SameArray { a, b, .. }) = context.definition(id) {
                let origins: Vec<ExprId> = context.origins(a).into_iter().chain(context.origins(b)).collect();
                groups.join(&origins);
                comparisons.push((id, origins[0]));
            }
        }
        let mut components: FxHashMap<ExprId, Component> = FxHashMap::default();
        for &(comparison, origin) in &comparisons {
            components.entry(groups.find(origin)).or_default().comparisons.push(comparison);
        }
        let mut roots: Vec<ExprId> = components.keys().copied().collect();
        roots.sort_unstable();
        let mut members: Vec<ExprId> = groups.parents.keys().copied().collect();
        members.sort_unstable();
        for member in members {
            if context.pool.op(member) == Op::ArrayVar {
                let elsewhere = self.elsewhere(context, member);
                components.entry(groups.find(member)).or_default().arrays.push((member, elsewhere));
            }
        }
        let mut seen = FxHashSet::default();
        for &id in order {
            let node = context.pool.node(id);
            if !matches!(node.op(), Op::Select | Op::Store) {
                continue;
            }
            let in_components =
                context.origins(node.arg(0)).into_iter().filter(|origin| groups.parents.contains_key(origin));
            for origin in in_components.collect::<Vec<_>>() {
                let root = groups.find(origin);
                if seen.insert((root, node.arg(1))) {
                    components.entry(root).or_default().indices.push(node.arg(1));
                }
            }
        }
        roots.into_iter().filter_map(|root| components.remove(&root)).collect()
    }

    /// Adds the witnesses, or takes all indices if there are no more than that.
    fn add_indices(&mut self, context: &mut Context, component: &mut Component, asserted: &FxHashSet<ExprId>) {
        for &comparison in &component.comparisons {
            if !asserted.contains(&comparison) {
                component.indices.push(self.witness(context, comparison));
            }
        }
        let index_width = index_width(context, component.comparisons[0]);
        let n_all = 1u64.checked_shl(index_width).unwrap_or(u64::MAX);
        if component.indices.len() as u64 >= n_all {
            let all = (0..n_all).map(|index| context.pool.mk_const(index_width, index));
            component.indices = all.collect();
        }
    }

    fn say_same(
        &mut self,
        context: &mut Context,
        component: &Component,
        comparison: ExprId,
        asserted: &FxHashSet<ExprId>,
        selected: &mut Selected,
        out: &mut Vec<ExprId>,
    ) {
        let Some(&Definition::SameArray { a, b, elem }) = context.definition(comparison) else { return };
        let elem = ScriptSort::Scalar(elem);
        let differ = context.pool.mk_not(comparison);
        if !asserted.contains(&comparison) {
            let witness = self.witness(context, comparison);
            let agree = agree_at(context, elem, a, b, witness, selected);
            let differ_there = context.pool.mk_not(agree);
            out.push(context.pool.mk_or(comparison, differ_there));
        }
        if asserted.contains(&differ) {
            return;
        }
        for &index in &component.indices {
            let agree = agree_at(context, elem, a, b, index, selected);
            out.push(context.pool.mk_or(differ, agree));
        }
        let n_all = 1u64.checked_shl(index_width(context, comparison)).unwrap_or(u64::MAX);
        if (component.indices.len() as u64) < n_all {
            let [x, y] = [a, b].map(|array| self.mk_elsewhere(context, array));
            let agree = context.mk_equal(elem, x, y);
            out.push(context.pool.mk_or(differ, agree));
        }
    }

    fn witness(&mut self, context: &mut Context, comparison: ExprId) -> ExprId {
        let width = index_width(context, comparison);
        *self.witnesses.entry(comparison).or_insert_with(|| context.new_var("witness", ScriptSort::bits(width)))
    }

    fn elsewhere(&mut self, context: &mut Context, array: ExprId) -> ExprId {
        let width = context.pool.width(array);
        *self.elsewhere.entry(array).or_insert_with(|| context.new_var("elsewhere", ScriptSort::bits(width)))
    }

    /// The element of any array elsewhere.
    fn mk_elsewhere(&mut self, context: &mut Context, array: ExprId) -> ExprId {
        let mut known: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        let mut stack = vec![context.base(array)];
        while let Some(&base) = stack.last() {
            let elem = match context.definition(base) {
                Some(&Definition::ChosenArray { cond, then, other }) => {
                    let arms = [context.base(then), context.base(other)];
                    let n_waiting = stack.len();
                    stack.extend(arms.into_iter().filter(|arm| !known.contains_key(arm)));
                    if stack.len() != n_waiting {
                        continue;
                    }
                    context.pool.mk_ite(cond, known[&arms[0]], known[&arms[1]])
                }
                _ if context.pool.op(base) == Op::ConstArray => context.pool.node(base).arg(0),
                _ => self.elsewhere(context, base),
            };
            known.insert(base, elem);
            stack.pop();
        }
        known[&context.base(array)]
    }
}

fn index_width(context: &Context, comparison: ExprId) -> u32 {
    let Some(&Definition::SameArray { a, .. }) = context.definition(comparison) else { return 1 };
    match context.pool.sort(a) {
        Sort::Array { index_width, .. } => index_width,
        Sort::Bv(width) => width,
    }
}

fn agree_at(
    context: &mut Context,
    elem: ScriptSort,
    a: ExprId,
    b: ExprId,
    index: ExprId,
    selected: &mut Selected,
) -> ExprId {
    let [x, y] = [a, b].map(|array| context.mk_select_through(array, index, selected));
    context.mk_equal(elem, x, y)
}

/// Equal arguments, equal results.
fn say_functional(context: &mut Context, applications: &[ExprId]) -> Vec<ExprId> {
    let mut said = Vec::new();
    for (at, &one) in applications.iter().enumerate() {
        for &other in &applications[..at] {
            let (
                Some(Definition::Application { function, args: xs }),
                Some(Definition::Application { function: same, args: ys }),
            ) = (context.definition(one).cloned(), context.definition(other).cloned())
            else {
                continue;
            };
            if function != same {
                continue;
            }
            let mut differ = ExprId::FALSE;
            for (x, y) in xs.into_iter().zip(ys) {
                let differ_here = context.pool.mk_ne(x, y);
                differ = context.pool.mk_or(differ, differ_here);
            }
            if differ != ExprId::TRUE {
                let equal = context.mk_equal(context.functions[function].result, one, other);
                said.push(context.pool.mk_or(differ, equal));
            }
        }
    }
    said
}

/// Arrays that belong together.
#[derive(Default)]
struct Groups {
    parents: FxHashMap<ExprId, ExprId>,
}

impl Groups {
    fn find(&mut self, array: ExprId) -> ExprId {
        let mut root = array;
        while self.parents[&root] != root {
            root = self.parents[&root];
        }
        let mut at = array;
        while at != root {
            at = self.parents.insert(at, root).expect("all on the way have a parent");
        }
        root
    }

    fn join(&mut self, arrays: &[ExprId]) {
        for &array in arrays {
            self.parents.entry(array).or_insert(array);
            let [first, root] = [self.find(arrays[0]), self.find(array)];
            self.parents.insert(root, first);
        }
    }
}
