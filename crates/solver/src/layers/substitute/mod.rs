//! Substitution: variables that equalities determine are replaced, where products or quotients are asked about.
//!
//! `x == y` and a claim about `x * c` and `y * c` is a claim about one product instead of two, which clauses don't
//! show. So is `x == y + 1` with polynomials of both, which are then decided by the rules of sums and products. For
//! queries without such operations, this would only make other expressions of those that backends have already seen.
//!
//! An equality is no constraint that is dropped: with its variable replaced as well, what is left of it is what it says
//! beyond the definition, usually nothing.

mod definitions;

use rustc_hash::FxHashMap;
use spelunk_expr::{ExprId, Model, Overlay, Substitution};

use self::definitions::Definitions;
use super::hard::HardTerms;
use crate::chain::Layer;
use crate::query::{Answer, Query};
use crate::stage::{Context, Freed, Rest, Stage};

#[derive(Default)]
pub struct Substitute {
    hard: HardTerms,
    definitions: Definitions,
    /// What is asked instead.
    constraints: Vec<ExprId>,
    /// From what is asked to a constraint of the query that it was made of.
    origins: FxHashMap<ExprId, ExprId>,
}

impl Stage for Substitute {
    fn name(&self) -> &'static str {
        Layer::Substitute.name()
    }

    fn check(&mut self, cx: &mut Context<'_>, query: &Query<'_>, rest: &mut Rest<'_>) -> Answer {
        if !query.constraints.iter().any(|&constraint| definitions::is_candidate(cx.pool, constraint))
            || !query.constraints.iter().any(|&constraint| self.hard.contains(cx.pool, constraint))
        {
            return rest.check(cx, query);
        }
        self.definitions.find(cx, query.constraints);
        if self.definitions.is_empty() {
            return rest.check(cx, query);
        }
        let mut substitution = self.definitions.substitution(cx.pool);
        self.rewrite(cx, query, &mut substitution);
        if let Some(constraint) = self.origins.get(&ExprId::FALSE) {
            return Answer::Unsat(self.definitions.behind(cx, &[*constraint]));
        }
        // What the hint satisfies, it satisfies with values replaced only if these are its own.
        let is_hint_kept = query.targets().iter().all(|target| !self.definitions.is_made_of(*target));
        let n_satisfied = if is_hint_kept { self.n_from(query.satisfied()) } else { 0 };
        let simpler = Query { constraints: &self.constraints, n_satisfied, ..*query };
        match rest.check(cx, &simpler) {
            Answer::Sat(mut model) => {
                self.complete(cx, query.hint, &mut substitution, &mut model);
                Answer::Sat(model)
            }
            Answer::Unsat(core) => {
                let core: Vec<ExprId> = core.iter().map(|constraint| self.origins[constraint]).collect();
                Answer::Unsat(self.definitions.behind(cx, &core))
            }
            unknown => unknown,
        }
    }

    fn forget(&mut self, freed: &Freed) {
        self.hard.forget(freed);
    }
}

impl Substitute {
    fn rewrite(&mut self, cx: &mut Context<'_>, query: &Query<'_>, substitution: &mut Substitution) {
        self.constraints.clear();
        self.origins.clear();
        for &constraint in query.constraints {
            let rewritten = substitution.apply(cx.pool, constraint);
            if rewritten != ExprId::TRUE && !self.origins.contains_key(&rewritten) {
                self.origins.insert(rewritten, constraint);
                self.constraints.push(rewritten);
            }
        }
    }

    /// How many of what is asked were made of these first constraints of the query.
    fn n_from(&self, first: &[ExprId]) -> usize {
        self.constraints.iter().take_while(|constraint| first.contains(&self.origins[*constraint])).count()
    }

    /// Adds the variables that were replaced.
    fn complete(&self, cx: &mut Context<'_>, hint: &Model, substitution: &mut Substitution, model: &mut Model) {
        let mut replaced = Model::new();
        for (var, term) in self.definitions.iter() {
            let term = substitution.apply(cx.pool, term);
            let value = cx.evaluator.under(cx.pool, Overlay { base: hint, changes: model }).eval(term);
            replaced.set(var, &value);
        }
        model.update(&replaced);
    }
}
