//! Slicing: only what shares variables with an unsatisfied constraint is solved, all else keeps the values of the hint.
//!
//! CUTE §3.5: OPT 3 (incremental solving) and, as conjuncts are told apart and taken once, OPT 2 (common
//! sub-constraints). We differ in that conjunctions are split first, so that their parts can be independent; in that
//! conditions which happen to hold under the hint are no targets; and in that targets that share nothing are solved
//! one by one. The groups come from an [`Index`] that follows the path, so a slice costs what it is long.

use rustc_hash::FxHashSet;
use spelunk_expr::{ExprId, Model};

use super::index::{AtomIdx, GroupId, Index};
use crate::chain::Layer;
use crate::query::{Answer, Query};
use crate::stage::{Context, Freed, Rest, Stage};

#[derive(Default)]
pub struct Slice {
    index: Index,
    /// The atoms that the hint does not satisfy, in order.
    failing: Vec<AtomIdx>,
    /// The groups that they are in.
    groups: Vec<GroupId>,
    /// The atoms of one group.
    members: Vec<AtomIdx>,
    /// What is asked about one group.
    constraints: Vec<ExprId>,
}

impl Stage for Slice {
    fn name(&self) -> &'static str {
        Layer::Slice.name()
    }

    fn check(&mut self, cx: &mut Context<'_>, query: &Query<'_>, rest: &mut Rest<'_>) -> Answer {
        self.index.sync(cx, query.constraints);
        if let Some(constraint) = self.find_targets(cx, query) {
            return Answer::Unsat(vec![constraint]);
        }
        match self.groups[..] {
            [] => Answer::Sat(Model::new()),
            [only] => self.check_group(cx, query, rest, only),
            _ => self.check_groups(cx, query, rest),
        }
    }

    fn forget(&mut self, _freed: &Freed) {
        self.index.clear();
    }
}

impl Slice {
    /// Finds the atoms to be satisfied and their groups. Returns a constraint that is false whatever the values are.
    fn find_targets(&mut self, cx: &mut Context<'_>, query: &Query<'_>) -> Option<ExprId> {
        self.failing.clear();
        self.groups.clear();
        let mut values = cx.evaluator.under(cx.pool, query.hint);
        for atom in self.index.atoms_from(query.n_satisfied) {
            if values.eval_bool(self.index.expr(atom)) {
                continue;
            }
            let Some(group) = self.index.group(atom) else { return Some(self.index.constraint(atom)) };
            self.failing.push(atom);
            if !self.groups.contains(&group) {
                self.groups.push(group);
            }
        }
        None
    }

    /// Asks the rest about the constraints of one group.
    fn check_group(&mut self, cx: &mut Context<'_>, query: &Query<'_>, rest: &mut Rest<'_>, group: GroupId) -> Answer {
        self.members.clear();
        self.index.members(group, &mut self.members);
        // In the order of the path, so that what is asked next has much in common with it.
        self.members.sort_unstable();
        let is_failing = |atom: &AtomIdx| self.failing.binary_search(atom).is_ok();
        self.constraints.clear();
        self.constraints
            .extend(self.members.iter().filter(|atom| !is_failing(atom)).map(|&atom| self.index.expr(atom)));
        let n_satisfied = self.constraints.len();
        self.constraints.extend(self.members.iter().filter(|atom| is_failing(atom)).map(|&atom| self.index.expr(atom)));
        let part = Query { constraints: &self.constraints, n_satisfied, ..*query };
        match rest.check(cx, &part) {
            Answer::Sat(mut model) => {
                // Other variables are in constraints that nobody looked at.
                model.retain(|var| self.index.is_in_group(group, var));
                Answer::Sat(model)
            }
            Answer::Unsat(core) => Answer::Unsat(self.constraints_of(&core)),
            unknown => unknown,
        }
    }

    /// Asks about one group after the other. If one can't be satisfied, it does not matter what is unknown of others.
    fn check_groups(&mut self, cx: &mut Context<'_>, query: &Query<'_>, rest: &mut Rest<'_>) -> Answer {
        let mut merged = Model::new();
        let mut unknown = None;
        for at in 0..self.groups.len() {
            match self.check_group(cx, query, rest, self.groups[at]) {
                Answer::Sat(model) => merged.update(&model),
                Answer::Unsat(core) => return Answer::Unsat(core),
                Answer::Unknown(why) => unknown = unknown.or(Some(why)),
            }
        }
        unknown.map_or(Answer::Sat(merged), Answer::Unknown)
    }

    /// The constraints of the query that these atoms are parts of.
    fn constraints_of(&self, core: &[ExprId]) -> Vec<ExprId> {
        let mut constraints = FxHashSet::default();
        let of = |&expr: &ExprId| {
            let atom = self.index.find(expr).expect("a core is a part of what was asked");
            self.index.constraint(atom)
        };
        core.iter().map(of).filter(|&constraint| constraints.insert(constraint)).collect()
    }
}
