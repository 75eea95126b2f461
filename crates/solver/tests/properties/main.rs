//! Random queries: whatever layers a chain has, it answers as Z3 does; its values satisfy the query and its cores can't
//! be satisfied. So do the queries that an engine asks one after the other, and those between which expressions are
//! collected.
//!
//! The seed is fixed. `PROPTEST_CASES` sets how many cases each property gets, `PROPTEST_RNG_SEED` another seed.
//! `--nocapture` shows how many queries went without an answer, and slow ones.

#[path = "../common/mod.rs"]
mod common;

mod recipe;
mod tally;
mod walk;

use std::time::Duration;

use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use spelunk_expr::{ExprId, VarId};
use spelunk_solver::chain::{Backend, Layer, Options};
use spelunk_solver::{Answer, Limits};

use common::session::Session;
use recipe::{FLOATS, Kitchen, NARROW, Recipe, Shape, WIDE, recipes};
use tally::{Tally, check};
use walk::{Event, Walk, events};

/// A query that takes more is none to learn from.
const MAX_CONFLICTS: u64 = 20_000;

/// What Z3 does before its first conflict can take minutes.
const PATIENCE: Duration = Duration::from_secs(60);

fn session(name: &str, options: &Options) -> Session {
    let mut session = Session::new(name, options);
    session.limits = Limits { conflicts: Some(MAX_CONFLICTS), time: Some(PATIENCE), ..Limits::default() };
    session
}

fn reference() -> Session {
    session("Z3", &Options { backend: Backend::Z3, ..Options::default() })
}

/// Leaves out the layers whose bits are set.
fn without(layers: u16) -> Options {
    let without = Layer::ALL.iter().enumerate().filter(|(at, _)| layers >> at & 1 != 0).map(|(_, &layer)| layer);
    Options { without: without.collect(), ..Options::default() }
}

fn build(session: &mut Session, kitchen: &Kitchen, recipe: &Recipe) -> (Vec<VarId>, Vec<ExprId>) {
    let vars = recipe.declare(&mut session.pool);
    let conditions = recipe.build(kitchen, &mut session.pool, &vars);
    (vars, conditions)
}

/// The chain and Z3 on one conjunction, and Z3 on the chain's core.
fn agree_on(tally: &Tally, shape: Shape, recipe: &Recipe, seed: u64, layers: u16) -> TestCaseResult {
    let kitchen = Kitchen::new(shape);
    let mut sessions = [session("the chain", &without(layers)), reference()];
    let built: Vec<_> = sessions.iter_mut().map(|session| build(session, &kitchen, recipe)).collect();
    let [chain, z3] = &mut sessions;
    chain.hint = recipe.model(&built[0].0, seed);
    let (is_sat, answer) = tally.ask(chain, &built[0].1, 0);
    let (is_really_sat, expected) = tally.ask(z3, &built[1].1, 0);
    if is_sat.is_none() || is_really_sat.is_none() {
        return Err(TestCaseError::reject("too hard"));
    }
    if is_sat != is_really_sat {
        chain.fail(&built[0].1, &format!("{answer:?}, but Z3 says {expected:?}"));
    }
    if let Answer::Unsat(core) = answer {
        // The pools differ in what solvers have added, so constraints are known by their place.
        let same = |(at, _): (usize, &ExprId)| built[1].1[at];
        let core: Vec<ExprId> = built[0].1.iter().enumerate().filter(|(_, id)| core.contains(id)).map(same).collect();
        if let (Some(true), _) = tally.ask(z3, &core, 0) {
            z3.fail(&core, "this core can be satisfied");
        }
    }
    Ok(())
}

fn check_agreement(name: &'static str, default_cases: u32, shape: Shape, max_conditions: usize) {
    let cases = (recipes(shape, max_conditions), any::<u64>(), layer_sets());
    check(name, default_cases, cases, |tally, (recipe, seed, layers)| agree_on(tally, shape, &recipe, seed, layers));
}

#[test]
fn narrow_queries_are_answered_as_by_z3() {
    check_agreement("narrow queries", 400, NARROW, 6);
}

#[test]
fn wide_queries_are_answered_as_by_z3() {
    check_agreement("wide queries", 400, WIDE, 6);
}

#[test]
fn float_queries_are_answered_as_by_z3() {
    check_agreement("float queries", 60, FLOATS, 4);
}

#[test]
fn layers_change_no_answer_of_an_engine() {
    let cases = (recipes(NARROW, 12), any::<u64>(), any::<u16>(), events(0));
    check("an engine's queries", 150, cases, |tally, (recipe, seed, layers, flips)| {
        walk(tally, &[recipe], seed, layers, &flips);
        Ok(())
    });
}

#[test]
fn collections_change_no_answer() {
    let recipes = [recipes(NARROW, 10), recipes(NARROW, 10)];
    let cases = (recipes, any::<u64>(), layer_sets(), events(2));
    check("queries between collections", 150, cases, |tally, (recipes, seed, layers, events)| {
        walk(tally, &recipes, seed, layers, &events);
        Ok(())
    });
}

/// Mostly the whole chain.
fn layer_sets() -> impl Strategy<Value = u16> {
    prop_oneof![4 => Just(0), 1 => any::<u16>()]
}

/// The whole chain, a chain without some layers, and Z3, as one engine would ask them.
fn walk(tally: &Tally, recipes: &[Recipe], seed: u64, layers: u16, events: &[Event]) {
    let kitchen = Kitchen::new(NARROW);
    let partial = session("a chain without layers", &without(layers));
    let sessions = vec![session("the chain", &Options::default()), partial, reference()];
    let mut walk = Walk::new(tally, &kitchen, recipes, seed, sessions);
    for event in events {
        walk.step(event);
    }
}
