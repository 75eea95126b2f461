//! Enumeration: if few values are left of few variables, all of them are tried.
//!
//! What conditions on single variables leave is known exactly (see [`crate::unary`]): a byte has 256 values at most, an
//! index that was compared with the length of an array not many more. The other conditions are evaluated for 64
//! combinations at a time, nearest to the hint first. Where that is too much, values that the conditions can't tell apart count once
//! ([`super::alike`]).

use spelunk_expr::{ExprId, Lanes, Model, Sort, VarId};

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
}

/// A variable and what it may be, the nearest to the hint first.
struct Choice {
    var: VarId,
    values: Vec<u64>,
    /// The number of the value that is tried.
    at: usize,
}

const MAX_VARS: usize = 3;

/// What a query may cost: steps of evaluation, each in 64 lanes. A bit-blaster is not slower beyond that.
const MAX_COST: u64 = 2048;

/// The same where values are left out that are alike: conditions that look at bytes through tables are hard for it.
const MAX_COST_OF_TABLES: u64 = 16 * 1024;

/// So many values at most are compared with each other.
const MAX_THINNED: u64 = 256;

impl Stage for Enumerate {
    fn name(&self) -> &'static str {
        Layer::Enumerate.name()
    }

    fn check(&mut self, cx: &mut Context<'_>, query: &Query<'_>, rest: &mut Rest<'_>) -> Answer {
        if !self.prepare(cx, query) {
            return rest.check(cx, query);
        }
        match self.search(cx) {
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
    /// Finds out what there is to try. Returns whether that is little enough.
    fn prepare(&mut self, cx: &mut Context<'_>, query: &Query<'_>) -> bool {
        let mut domains: Vec<(VarId, Domain)> = Vec::new();
        for &constraint in query.constraints {
            let vars = cx.free_vars.of(cx.pool, constraint);
            for var in cx.free_vars.iter(vars) {
                let Sort::Bv(width @ ..=64) = cx.pool.var_sort(var) else { return false };
                if domains.iter().any(|(known, _)| *known == var) {
                    continue;
                }
                if domains.len() == MAX_VARS {
                    return false;
                }
                domains.push((var, Domain::all(width)));
            }
        }
        if domains.is_empty() {
            return false;
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
        let is_little = self.is_little(cx, &sizes, MAX_COST);
        if !is_little && sizes.iter().any(|&size| size > MAX_THINNED) {
            return false;
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
                return false;
            }
        }
        // The one with most values goes through the lanes.
        self.choices.sort_by_key(|choice| choice.values.len());
        true
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
