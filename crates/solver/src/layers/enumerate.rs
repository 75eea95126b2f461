//! Enumeration: if few values are left of few variables, all of them are tried.
//!
//! What conditions on single variables leave is known exactly (see [`crate::unary`]): a byte has 256 values at most, an
//! index that was compared with the length of an array not many more. The other conditions are evaluated for 64
//! combinations at a time, nearest to the hint first. Where that is too much, values that the conditions can't tell apart count once
//! ([`super::alike`]). Conditions on floats are worth more, as only Z3 comes after this, and those on `long double`, which have no place in
//! lanes, are evaluated one combination after the other.

use rustc_hash::FxHashSet;
use spelunk_expr::{ExprId, Lanes, Model, Overlay, Sort, VarId};

use super::alike::Alike;
use crate::chain::Layer;
use crate::query::{Answer, Query};
use crate::stage::{Context, Freed, Rest, Stage};
use crate::unary::{Domain, Reading};

#[derive(Default)]
pub struct Enumerate {
    choices: Vec<Choice>,
    /// Conditions on several variables, and others that restrict no domain.
    others: Vec<ExprId>,
    lanes: Lanes,
    alike: Alike,
    met: FxHashSet<ExprId>,
    stack: Vec<ExprId>,
}

#[derive(Clone, Copy)]
enum Way {
    Lanes,
    OneByOne,
}

/// A variable and what it may be, the nearest to the hint first.
struct Choice {
    var: VarId,
    values: Vec<u64>,
    /// The number of the value that is tried.
    at: usize,
}

/// Most of them have one value left.
const MAX_VARS: usize = 8;

/// What a query may cost: steps of evaluation, each in 64 lanes. A bit-blaster is not slower beyond that.
const MAX_COST: u64 = 2048;

/// The same where values are left out that are alike: conditions that look at bytes through tables are hard for it.
const MAX_COST_OF_TABLES: u64 = 16 * 1024;

/// The same where there are floats.
const MAX_COST_OF_FLOATS: u64 = 8 * 1024;
/// What a query with floats may cost one by one: nodes that are evaluated.
const MAX_NODES_OF_FLOATS: u64 = 256 * 1024;

/// So many values at most are compared with each other.
const MAX_THINNED: u64 = 256;

impl Stage for Enumerate {
    fn name(&self) -> &'static str {
        Layer::Enumerate.name()
    }

    fn check(&mut self, cx: &mut Context<'_>, query: &Query<'_>, rest: &mut Rest<'_>) -> Answer {
        let Some(way) = self.prepare(cx, query) else { return rest.check(cx, query) };
        let found = match way {
            Way::Lanes => self.search(cx),
            Way::OneByOne => self.search_one_by_one(cx, query),
        };
        match found {
            Some(values) => {
                let mut changes = Model::new();
                for (var, value) in values {
                    if query.hint.get_u64(var).unwrap_or(0) != value {
                        changes.set_u64(var, value);
                    }
                }
                Answer::Sat(changes)
            }
            None => Answer::Unsat(query.constraints.to_vec()),
        }
    }

    fn forget(&mut self, freed: &Freed) {
        self.alike.forget(freed);
    }
}

impl Enumerate {
    /// Finds out what there is to try, and how to, if that is little enough.
    fn prepare(&mut self, cx: &mut Context<'_>, query: &Query<'_>) -> Option<Way> {
        let mut domains: Vec<(VarId, Domain)> = Vec::new();
        for &constraint in query.constraints {
            let vars = cx.free_vars.of(cx.pool, constraint);
            for var in cx.free_vars.iter(vars) {
                let Sort::Bv(width @ ..=64) = cx.pool.var_sort(var) else { return None };
                if domains.iter().any(|(known, _)| *known == var) {
                    continue;
                }
                if domains.len() == MAX_VARS {
                    return None;
                }
                domains.push((var, Domain::all(width)));
            }
        }
        if domains.is_empty() {
            return None;
        }
        self.others.clear();
        // Targets first, as they fail most often.
        for &constraint in query.targets().iter().chain(query.satisfied()) {
            match cx.reading(constraint) {
                Reading::Other => self.others.push(constraint),
                reading => {
                    let domain = domains.iter_mut().find(|(var, _)| reading.var() == Some(*var));
                    domain.into_iter().for_each(|(_, domain)| reading.restrict(domain));
                }
            }
        }
        // A variable without any value does not make the values of another one few.
        let sizes: Vec<u64> = domains.iter().map(|(_, domain)| domain.size().max(1)).collect();
        let few = self.way(cx, &sizes);
        let is_little = few.is_some();
        if !is_little && sizes.iter().any(|&size| size > MAX_THINNED) {
            return None;
        }
        self.choices.clear();
        for (var, domain) in domains {
            let old = query.hint.get_u64(var).unwrap_or(0);
            let mut values: Vec<u64> = domain.iter().collect();
            values.sort_by_key(|value| value.abs_diff(old));
            if !is_little {
                self.alike.thin(cx, &self.others, var, &mut values);
            }
            self.choices.push(Choice { var, values, at: 0 });
        }
        if !is_little {
            let thinned: Vec<u64> = self.choices.iter().map(|choice| choice.values.len().max(1) as u64).collect();
            if thinned == sizes || !self.is_little(cx, &thinned, MAX_COST_OF_TABLES) {
                return None;
            }
        }
        let way = few.unwrap_or(Way::Lanes);
        // The one with most values goes through the lanes.
        self.choices.sort_by_key(|choice| choice.values.len());
        Some(way)
    }

    /// How all combinations of so many values can be tried at a cost that is worth it.
    fn way(&mut self, cx: &Context<'_>, sizes: &[u64]) -> Option<Way> {
        if self.is_little(cx, sizes, MAX_COST) {
            return Some(Way::Lanes);
        }
        let n_combinations = sizes.iter().copied().fold(1, u64::saturating_mul);
        if !self.are_small_with_floats(cx, MAX_NODES_OF_FLOATS / n_combinations) {
            return None;
        }
        Some(if self.is_little(cx, sizes, MAX_COST_OF_FLOATS) { Way::Lanes } else { Way::OneByOne })
    }

    /// Whether there are floats in the conditions, and so many nodes at most.
    fn are_small_with_floats(&mut self, cx: &Context<'_>, max_nodes: u64) -> bool {
        self.met.clear();
        self.stack.clear();
        self.stack.extend(&self.others);
        let mut has_floats = false;
        while let Some(id) = self.stack.pop() {
            if self.met.insert(id) {
                let node = cx.pool.node(id);
                has_floats |= node.op().is_float();
                self.stack.extend(node.args());
                if self.met.len() as u64 > max_nodes {
                    return false;
                }
            }
        }
        has_floats
    }

    /// Whether all combinations of so many values can be tried at a cost.
    fn is_little(&mut self, cx: &Context<'_>, sizes: &[u64], max_cost: u64) -> bool {
        let n_combinations = sizes.iter().copied().fold(1, u64::saturating_mul);
        let n_inner = sizes.iter().copied().max().unwrap_or(1);
        let n_runs = (n_combinations / n_inner).saturating_mul(n_inner.div_ceil(64));
        let max_steps = max_cost / n_runs;
        max_steps > 0 && self.lanes.prepare(cx.pool, &self.others, max_steps as usize)
    }

    /// The first combination that satisfies all conditions.
    fn search(&mut self, cx: &mut Context<'_>) -> Option<Vec<(VarId, u64)>> {
        let inner = self.choices.pop()?;
        if inner.values.is_empty() || self.choices.iter().any(|choice| choice.values.is_empty()) {
            return None;
        }
        loop {
            for values in inner.values.chunks(64) {
                let outer = &self.choices;
                let holding = self.lanes.run(cx.pool, |var, lane| {
                    if var == inner.var {
                        // The last value fills what is left.
                        *lane = std::array::from_fn(|at| values[at.min(values.len() - 1)]);
                    } else if let Some(choice) = outer.iter().find(|choice| choice.var == var) {
                        lane.fill(choice.values[choice.at]);
                    }
                });
                if holding != 0 {
                    let value = values[(holding.trailing_zeros() as usize).min(values.len() - 1)];
                    let found = outer.iter().map(|choice| (choice.var, choice.values[choice.at]));
                    return Some(found.chain([(inner.var, value)]).collect());
                }
            }
            if !advance(&mut self.choices) {
                return None;
            }
        }
    }

    /// The same without lanes.
    fn search_one_by_one(&mut self, cx: &mut Context<'_>, query: &Query<'_>) -> Option<Vec<(VarId, u64)>> {
        if self.choices.iter().any(|choice| choice.values.is_empty()) {
            return None;
        }
        let mut changes = Model::new();
        loop {
            for choice in &self.choices {
                changes.set_u64(choice.var, choice.values[choice.at]);
            }
            let mut values = cx.evaluator.under(cx.pool, Overlay { base: query.hint, changes: &changes });
            if self.others.iter().all(|&condition| values.eval_bool(condition)) {
                return Some(self.choices.iter().map(|choice| (choice.var, choice.values[choice.at])).collect());
            }
            if !advance(&mut self.choices) {
                return None;
            }
        }
    }
}

/// Goes on to the next combination, as a counter does. Returns whether there is one.
fn advance(choices: &mut [Choice]) -> bool {
    for choice in choices {
        choice.at += 1;
        if choice.at < choice.values.len() {
            return true;
        }
        choice.at = 0;
    }
    false
}
