//! Sets of states that a loop never leaves, proved by the solver; and what other input would have one.
//!
//! A set is a conjunction: the conditions of the rounds, what the input is, and what was observed of the state. It is recurrent if
//! for all of its states the conditions hold and the next state is in it again. Nothing else counts: where a condition came from
//! does not matter for the truth of that (the paper's section 6.4 looks for linear sets only, over integers; here they are what one
//! query over bit-vectors proves).

use crate::observed;
use crate::relation::Relation;
use spelunk_expr::{Evaluator, ExprId, ExprPool, FreeVars, Model, Substitution};
use spelunk_solver::chain::{self, Backend};
use spelunk_solver::{Answer, Limits, Query, Solver};
use std::time::Duration;

/// Queries for one set.
const MOST_QUERIES: usize = 24;
/// Parts that are shown by their values, if they have only one.
const MOST_PINNED: usize = 4;

/// A set of states that is never left.
#[derive(Clone, Debug)]
pub struct RecurrentSet {
    /// Conditions on symbols and input.
    pub conds: Vec<ExprId>,
    /// Ways by which control comes back from it.
    pub n_ways: usize,
}

/// A solver for a few questions about one relation.
pub struct Prover {
    solver: Box<dyn Solver>,
    limits: Limits,
}

impl Default for Prover {
    fn default() -> Self {
        Self::new(Backend::Both)
    }
}

impl Prover {
    pub fn new(backend: Backend) -> Self {
        let solver = chain::build(&chain::Options { backend, ..Default::default() });
        // Conflicts are the same on every machine; the time is for what they do not measure.
        let limits = Limits { time: Some(Duration::from_secs(2)), conflicts: Some(20_000), ..Limits::default() };
        Self { solver, limits }
    }

    pub fn ask(&mut self, pool: &mut ExprPool, constraints: &[ExprId]) -> Answer {
        let hint = Model::new();
        self.solver.check(pool, &Query { constraints, n_satisfied: 0, hint: &hint, limits: &self.limits })
    }
}

/// Replaces symbols by what they are after the rounds.
pub struct Next {
    to_stand_ins: Substitution,
    to_next: Substitution,
}

impl Next {
    pub fn new(pool: &mut ExprPool, relation: &Relation) -> Self {
        // In two steps, since what comes next is said with the symbols themselves.
        let mut pairs = (Vec::new(), Vec::new());
        for part in &relation.parts {
            let var = pool.new_var("next", pool.sort(part.symbol));
            let stand_in = pool.mk_var(var);
            pairs.0.push((part.symbol, stand_in));
            pairs.1.push((stand_in, part.next));
        }
        Self { to_stand_ins: Substitution::new(pairs.0), to_next: Substitution::new(pairs.1) }
    }

    pub fn of(&mut self, pool: &mut ExprPool, expr: ExprId) -> ExprId {
        let expr = self.to_stand_ins.apply(pool, expr);
        self.to_next.apply(pool, expr)
    }
}

/// Looks for a set around the present state that is never left, as large as easily found. The conditions that were observed hold for
/// the present state.
pub fn recurrent_set(pool: &mut ExprPool, relation: &Relation, observed: Vec<ExprId>) -> Option<RecurrentSet> {
    let fixed = fixed(pool, relation);
    let mut search = Search { next: Next::new(pool, relation), prover: Prover::default(), relation };
    search
        .around(pool, &[], Vec::new())
        .or_else(|| search.around(pool, &[], observed.clone()))
        .or_else(|| search.around(pool, &fixed, Vec::new()))
        .or_else(|| search.around(pool, &fixed, observed))
}

/// The input is what it is at present.
pub fn fixed(pool: &mut ExprPool, relation: &Relation) -> Vec<ExprId> {
    let inputs = relation.inputs.iter().map(|&var| {
        let expr = pool.mk_var(var);
        let value = pool.mk_const(pool.width(expr), relation.model.get_u64(var).unwrap_or(0));
        pool.mk_eq(expr, value)
    });
    inputs.collect()
}

struct Search<'r> {
    next: Next,
    prover: Prover,
    relation: &'r Relation,
}

impl Search<'_> {
    /// Conditions on the input, and as many of the observed ones as go on holding.
    fn around(&mut self, pool: &mut ExprPool, fixed: &[ExprId], mut observed: Vec<ExprId>) -> Option<RecurrentSet> {
        let conds = &self.relation.conds;
        for _ in 0..MOST_QUERIES {
            let goals: Vec<ExprId> = conds.iter().chain(&observed).map(|&cond| self.next.of(pool, cond)).collect();
            let stays = conjunction(pool, goals.iter().copied());
            let leaves = pool.mk_not(stays);
            let query: Vec<ExprId> = [conds, &observed, fixed, &[leaves]].concat();
            match self.prover.ask(pool, &query) {
                Answer::Unsat(core) => {
                    let needed: Vec<ExprId> = observed.into_iter().filter(|cond| core.contains(cond)).collect();
                    let given = [&conds[..], &needed, &[leaves]].concat();
                    let fixed = fixed.iter().copied().filter(|cond| core.contains(cond)).collect();
                    let fixed = self.needed(pool, &given, fixed);
                    let conds = conds.iter().chain(&needed).chain(&fixed).copied().collect();
                    let set = RecurrentSet { conds, n_ways: 1 };
                    return self.is_recurrent(pool, &set).then_some(set);
                }
                Answer::Sat(model) => {
                    let mut evaluator = Evaluator::new();
                    let mut evaluation = evaluator.under(pool, &model);
                    let n_before = observed.len();
                    let mut goals = goals[conds.len()..].iter();
                    observed.retain(|_| goals.next().is_some_and(|&goal| evaluation.eval_bool(goal)));
                    if observed.len() == n_before {
                        return None;
                    }
                }
                Answer::Unknown(_) => return None,
            }
        }
        None
    }

    /// Those of the conditions without which the others could hold together. All of them can't.
    fn needed(&mut self, pool: &mut ExprPool, others: &[ExprId], mut conds: Vec<ExprId>) -> Vec<ExprId> {
        for at in (0..conds.len().min(MOST_PINNED)).rev() {
            let cond = conds.remove(at);
            if !self.prover.ask(pool, &[others, &conds].concat()).is_unsat() {
                conds.insert(at, cond);
            }
        }
        conds
    }

    /// What becomes of the states that go this way and satisfy more conditions.
    fn leaving(&mut self, pool: &mut ExprPool, more: &[ExprId]) -> Answer {
        let conds: Vec<ExprId> = self.relation.conds.iter().chain(more).copied().collect();
        let next: Vec<ExprId> = conds.iter().map(|&cond| self.next.of(pool, cond)).collect();
        let stays = conjunction(pool, next);
        let leaves = pool.mk_not(stays);
        let query: Vec<ExprId> = conds.into_iter().chain([leaves]).collect();
        self.prover.ask(pool, &query)
    }

    /// Whether Z3 alone agrees that the rounds lead from the set into the set, which has their conditions in it.
    fn is_recurrent(&mut self, pool: &mut ExprPool, set: &RecurrentSet) -> bool {
        assert!(set.conds.starts_with(&self.relation.conds), "a set whose states go that way");
        let next: Vec<ExprId> = set.conds.iter().map(|&cond| self.next.of(pool, cond)).collect();
        let stays = conjunction(pool, next);
        let leaves = pool.mk_not(stays);
        let query: Vec<ExprId> = set.conds.iter().copied().chain([leaves]).collect();
        Prover::new(Backend::Z3).ask(pool, &query).is_unsat()
    }
}

/// Whether states that go this way and satisfy more conditions do so after the rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Closed {
    /// By both solvers.
    Proved,
    /// Some don't.
    Left,
    Unknown,
}

pub fn closed_with(pool: &mut ExprPool, relation: &Relation, more: &[ExprId]) -> Closed {
    let mut search = Search { next: Next::new(pool, relation), prover: Prover::default(), relation };
    let conds = relation.conds.iter().chain(more).copied().collect();
    match search.leaving(pool, more) {
        Answer::Unsat(_) if search.is_recurrent(pool, &RecurrentSet { conds, n_ways: 1 }) => Closed::Proved,
        Answer::Sat(_) => Closed::Left,
        Answer::Unsat(_) | Answer::Unknown(_) => Closed::Unknown,
    }
}

/// The same set as people would have it: parts with one possible value by that, then the conditions, without what follows from the rest.
/// Where it is about the input alone, what the path says of that is part of it.
pub fn shown(pool: &mut ExprPool, relation: &Relation, set: &RecurrentSet, path: &[ExprId]) -> RecurrentSet {
    let mut conds = set.conds.clone();
    let mut prover = Prover::default();
    let mut follows = |pool: &mut ExprPool, conds: &[ExprId], cond: ExprId| {
        let fails = pool.mk_not(cond);
        prover.ask(pool, &[conds, &[fails]].concat()).is_unsat()
    };
    if relation.parts.is_empty() {
        conds.extend(about_input(pool, relation, path));
    }
    if conds.len() > MOST_QUERIES {
        return set.clone();
    }
    for part in relation.parts.iter().take(MOST_PINNED) {
        let value = relation.model.get_u64(pool.node(part.symbol).var()).unwrap_or(0);
        let value = pool.mk_const(pool.width(part.symbol), value);
        let pinned = pool.mk_eq(part.symbol, value);
        if follows(pool, &conds, pinned) {
            conds.insert(0, pinned);
        }
    }
    for at in (0..conds.len()).rev() {
        let cond = conds.remove(at);
        if !follows(pool, &conds, cond) {
            conds.insert(at, cond);
        }
    }
    RecurrentSet { conds, n_ways: set.n_ways }
}

/// The conditions of a path that speak of the relation's input alone.
fn about_input(pool: &ExprPool, relation: &Relation, path: &[ExprId]) -> Vec<ExprId> {
    let mut free = FreeVars::new();
    let is_about_it = |&&cond: &&ExprId| {
        let vars = free.of(pool, cond);
        let mut vars = free.iter(vars).peekable();
        vars.peek().is_some() && vars.all(|var| relation.inputs.contains(&var))
    };
    path.iter().filter(is_about_it).copied().collect()
}

/// What of the input, beside the path, puts the present state into a set.
pub fn at_present(pool: &mut ExprPool, relation: &Relation, set: &RecurrentSet) -> ExprId {
    let mut stem = stem(pool, relation);
    let conds: Vec<ExprId> = set.conds.iter().map(|&cond| stem.apply(pool, cond)).collect();
    conjunction(pool, conds)
}

/// What the input must satisfy beside the path so that rounds lead back to the state that they start from. The last condition is
/// the only one that does not hold now.
pub fn repetition(pool: &mut ExprPool, relation: &Relation) -> Option<Vec<ExprId>> {
    let mut stem = stem(pool, relation);
    let is_back = is_back(pool, relation, &mut stem);
    goal(pool, relation, &mut stem, is_back)
}

/// That rounds lead back to the present state.
pub fn repeats(pool: &mut ExprPool, relation: &Relation) -> ExprId {
    let mut stem = stem(pool, relation);
    let conds: Vec<ExprId> = relation.conds.iter().map(|&cond| stem.apply(pool, cond)).collect();
    let is_back = is_back(pool, relation, &mut stem);
    conjunction(pool, conds.into_iter().chain([is_back]))
}

fn is_back(pool: &mut ExprPool, relation: &Relation, stem: &mut Substitution) -> ExprId {
    let same: Vec<ExprId> = relation
        .parts
        .iter()
        .map(|part| {
            let (before, after) = (stem.apply(pool, part.symbol), stem.apply(pool, part.next));
            pool.mk_eq(before, after)
        })
        .collect();
    conjunction(pool, same)
}

/// The same so that the conditions hold whatever the state is: for some states far apart, that is.
pub fn independence(pool: &mut ExprPool, relation: &Relation) -> Option<Vec<ExprId>> {
    if relation.inputs.is_empty() || relation.parts.is_empty() {
        return None;
    }
    let mut all = Vec::new();
    for corner in [0, 1, u64::MAX, 1 << 63, u64::MAX >> 1] {
        let pairs: Vec<(ExprId, ExprId)> = relation
            .parts
            .iter()
            .map(|part| {
                let width = pool.width(part.symbol);
                let shifted = match corner {
                    0 | 1 => corner,
                    _ => corner >> (64 - width),
                };
                (part.symbol, pool.mk_const(width, shifted))
            })
            .collect();
        let mut at_corner = Substitution::new(pairs);
        all.extend(relation.conds.iter().map(|&cond| at_corner.apply(pool, cond)));
    }
    let all = conjunction(pool, all);
    let mut stem = stem(pool, relation);
    goal(pool, relation, &mut stem, all)
}

/// Sets that are never left, of which nobody is known to be in one: the conditions of the rounds, and one from a list. What the input must
/// satisfy for each, as above.
pub fn templates(pool: &mut ExprPool, relation: &Relation) -> Vec<Vec<ExprId>> {
    let candidates = observed::templates(pool, relation);
    let mut search = Search { next: Next::new(pool, relation), prover: Prover::default(), relation };
    let mut stem = stem(pool, relation);
    let mut goals = Vec::new();
    for candidate in candidates {
        let present = stem.apply(pool, candidate);
        let is_open = !matches!(present, ExprId::TRUE | ExprId::FALSE);
        if is_open && search.leaving(pool, &[candidate]).is_unsat() {
            goals.extend(goal(pool, relation, &mut stem, present));
        }
    }
    goals
}

/// The conditions of the rounds for the present state, and one more. Nothing if that one can't hold, or holds for all input.
pub fn goal(pool: &mut ExprPool, relation: &Relation, stem: &mut Substitution, last: ExprId) -> Option<Vec<ExprId>> {
    if matches!(last, ExprId::TRUE | ExprId::FALSE) {
        return None;
    }
    let conds = relation.conds.iter().map(|&cond| stem.apply(pool, cond)).chain([last]);
    Some(conds.filter(|&cond| cond != ExprId::TRUE).collect())
}

/// Replaces symbols by what stands there in the present run.
pub fn stem(pool: &mut ExprPool, relation: &Relation) -> Substitution {
    let pairs: Vec<(ExprId, ExprId)> = relation
        .parts
        .iter()
        .map(|part| {
            let width = pool.width(part.symbol);
            let stem = match pool.width(part.stem) {
                wider if wider > width => pool.mk_trunc(part.stem, width),
                _ => part.stem,
            };
            (part.symbol, stem)
        })
        .collect();
    Substitution::new(pairs)
}

pub fn conjunction(pool: &mut ExprPool, conds: impl IntoIterator<Item = ExprId>) -> ExprId {
    conds.into_iter().fold(ExprId::TRUE, |all, cond| pool.mk_and(all, cond))
}
