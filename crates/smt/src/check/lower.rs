//! Conditions as constraints that a solver understands: conjunctions are taken apart, arrays that are said to be others
//! replaced by them, reads of choices turned into choices of reads, and axioms added for what is left.

use rustc_hash::{FxHashMap, FxHashSet};
use spelunk_expr::{ExprId, Model, Op};

use super::Blame;
use super::axioms::{Axioms, Component};
use super::valuation::Valuation;
use crate::context::{Context, Definition};
use crate::rewrite::Rewriter;

pub(super) struct Lowered {
    /// Without duplicates.
    pub constraints: Vec<ExprId>,
    /// The conditions that a constraint comes from; none for an axiom.
    sources: FxHashMap<ExprId, Vec<usize>>,
    /// Arrays that were replaced, and by what, each by older ones only and oldest first.
    replaced: Vec<(ExprId, ExprId)>,
    components: Vec<Component>,
    applications: Vec<ExprId>,
}

impl Lowered {
    pub fn new(context: &mut Context, axioms: &mut Axioms, conditions: &[ExprId], blame: Blame) -> Self {
        let mut lowered = Lowered {
            constraints: Vec::new(),
            sources: FxHashMap::default(),
            replaced: Vec::new(),
            components: Vec::new(),
            applications: Vec::new(),
        };
        if !context.has_definitions() {
            for (source, &condition) in conditions.iter().enumerate() {
                lowered.add_conjuncts(context, condition, source);
            }
            return lowered;
        }
        let mut rewriter = Rewriter::eliminating(match blame {
            // A replaced array no longer tells which condition replaced it.
            Blame::Named => FxHashMap::default(),
            Blame::Open => lowered.find_replacements(context, conditions),
        });
        for (source, &condition) in conditions.iter().enumerate() {
            let rewritten = rewriter.rewrite(context, condition);
            lowered.add_conjuncts(context, rewritten, source);
        }
        for pair in &mut lowered.replaced {
            pair.1 = rewriter.rewrite(context, pair.1);
        }
        let found = axioms.of(context, &lowered.constraints, &mut rewriter.selected);
        let mut seen: FxHashSet<ExprId> = lowered.constraints.iter().copied().collect();
        lowered.constraints.extend(found.constraints.into_iter().filter(|&axiom| seen.insert(axiom)));
        lowered.components = found.components;
        lowered.applications = found.applications;
        lowered
    }

    fn add_conjuncts(&mut self, context: &mut Context, condition: ExprId, source: usize) {
        for conjunct in conjuncts(context, condition) {
            let sources = self.sources.entry(conjunct).or_default();
            if sources.is_empty() {
                self.constraints.push(conjunct);
            }
            sources.push(source);
        }
    }

    /// Arrays that a condition says to be others, made of older arrays only, so that no circle arises.
    fn find_replacements(&mut self, context: &mut Context, conditions: &[ExprId]) -> FxHashMap<ExprId, ExprId> {
        let mut equalities: Vec<(ExprId, ExprId)> = Vec::new();
        for &condition in conditions {
            for conjunct in conjuncts(context, condition) {
                if let Some(&Definition::SameArray { a, b, .. }) = context.definition(conjunct) {
                    equalities.push((a, b));
                }
            }
        }
        let sides: Vec<ExprId> = equalities.iter().flat_map(|&(a, b)| [a, b]).collect();
        let newest = newest_arrays(context, &sides);
        let mut replaced = FxHashMap::default();
        for (a, b) in equalities {
            let is_replaceable = |array: ExprId, by: ExprId| {
                context.pool.op(array) == Op::ArrayVar
                    && context.definition(array).is_none()
                    && newest[&by] < newest[&array]
            };
            let (array, by) = match () {
                () if is_replaceable(a, b) && !replaced.contains_key(&a) => (a, b),
                () if is_replaceable(b, a) && !replaced.contains_key(&b) => (b, a),
                () => continue,
            };
            replaced.insert(array, by);
        }
        self.replaced = replaced.iter().map(|(&array, &by)| (array, by)).collect();
        self.replaced.sort_unstable_by_key(|&(array, _)| context.pool.node(array).var());
        replaced
    }

    /// The conditions behind a core.
    pub fn blamed(&self, core: &[ExprId], n_conditions: usize) -> Vec<usize> {
        let mut blamed: Vec<usize> = core.iter().filter_map(|id| self.sources.get(id)?.first().copied()).collect();
        blamed.sort_unstable();
        blamed.dedup();
        if blamed.is_empty() { (0..n_conditions).collect() } else { blamed }
    }

    /// What all names mean, given values for the constraints' variables.
    pub fn valuation(&self, context: &Context, model: Model) -> Valuation {
        let mut valuation = Valuation::new(model);
        for component in &self.components {
            component.settle(context, &mut valuation);
        }
        valuation.tabulate(context, &self.applications);
        for &(array, by) in &self.replaced {
            valuation.replace(context, array, by);
        }
        valuation
    }
}

/// The conditions that a condition is the conjunction of.
fn conjuncts(context: &mut Context, condition: ExprId) -> Vec<ExprId> {
    let mut parts = Vec::new();
    let mut stack = vec![condition];
    while let Some(id) = stack.pop() {
        let node = context.pool.node(id);
        let negated = context.pool.node(node.arg(0));
        match node.op() {
            Op::And => stack.extend([node.arg(1), node.arg(0)]),
            Op::Not if negated.op() == Op::Or => {
                stack.extend([negated.arg(1), negated.arg(0)].map(|part| context.pool.mk_not(part)));
            }
            _ if id == ExprId::TRUE => {}
            _ => parts.push(id),
        }
    }
    parts
}

/// For each part of the expressions, the newest array that is a variable of the script, counted from 1.
fn newest_arrays(context: &Context, roots: &[ExprId]) -> FxHashMap<ExprId, u32> {
    let mut newest: FxHashMap<ExprId, u32> = FxHashMap::default();
    for id in context.postorder(roots) {
        let node = context.pool.node(id);
        let own = match node.op() {
            Op::ArrayVar if context.definition(id).is_none() => node.var().0 + 1,
            _ => 0,
        };
        let of_operands = context.operands(id).iter().map(|operand| newest[operand]).max().unwrap_or(0);
        newest.insert(id, own.max(of_operands));
    }
    newest
}
