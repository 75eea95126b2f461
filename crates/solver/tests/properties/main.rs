//! Random queries: whatever layers a chain has, it answers as Z3 does; its values satisfy the query and its cores can't
//! be satisfied. So do the queries that an engine asks one after the other, and those between which expressions are
//! collected.
//!
//! The seed is fixed. `PROPTEST_CASES` sets how many cases each property gets, `PROPTEST_RNG_SEED` another seed.

#[path = "../common/mod.rs"]
mod common;

mod recipe;
mod walk;

use std::time::Duration;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use spelunk_expr::{ExprId, VarId};
use spelunk_solver::chain::{Backend, Layer, Options};
use spelunk_solver::{Answer, Limits, Unknown};

use common::session::Session;
use recipe::{FLOATS, Kitchen, NARROW, Recipe, Shape, WIDE, recipes};
use walk::{Event, Walk, events};

/// A query that takes more is none to learn from.
const MAX_CONFLICTS: u64 = 20_000;

/// So that a solver that never ends fails, and shows on what.
const PATIENCE: Duration = Duration::from_secs(120);

fn config(default_cases: u32) -> ProptestConfig {
    let is_set = |name: &str| std::env::var_os(name).is_some();
    let given = ProptestConfig::default();
    ProptestConfig {
        cases: if is_set("PROPTEST_CASES") { given.cases } else { default_cases },
        rng_seed: if is_set("PROPTEST_RNG_SEED") { given.rng_seed } else { RngSeed::Fixed(20_240_229) },
        failure_persistence: None,
        max_shrink_iters: 4000,
        ..given
    }
}

fn session(name: &str, options: &Options) -> Session {
    let mut session = Session::new(name, options);
    session.limits = Limits { conflicts: Some(MAX_CONFLICTS), time: Some(PATIENCE), ..Limits::default() };
    session
}

fn reference() -> Session {
    session("z3", &Options { backend: Backend::Z3, ..Options::default() })
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

/// Asks, and says whether there are values, if that is known. Only effort and the ambiguity of floats are excuses.
fn ask(session: &mut Session, constraints: &[ExprId], n_satisfied: usize) -> (Option<bool>, Answer) {
    let answer = session.check(constraints, n_satisfied);
    let verdict = match &answer {
        Answer::Sat(_) => Some(true),
        Answer::Unsat(_) => Some(false),
        Answer::Unknown(Unknown::Conflicts | Unknown::WrongModel) => None,
        Answer::Unknown(why) => session.fail(constraints, &why.to_string()),
    };
    (verdict, answer)
}

/// The chain and Z3 on one conjunction, and Z3 on the chain's core.
fn agree_on(shape: Shape, recipe: &Recipe, seed: u64, layers: u16) -> Result<(), TestCaseError> {
    let kitchen = Kitchen::new(shape);
    let mut sessions = [session("the chain", &without(layers)), reference()];
    let built: Vec<_> = sessions.iter_mut().map(|session| build(session, &kitchen, recipe)).collect();
    let [chain, z3] = &mut sessions;
    chain.hint = recipe.model(&built[0].0, seed);
    let (is_sat, answer) = ask(chain, &built[0].1, 0);
    let (is_really_sat, expected) = ask(z3, &built[1].1, 0);
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
        if let (Some(true), _) = ask(z3, &core, 0) {
            z3.fail(&core, "this core can be satisfied");
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn narrow_queries_are_answered_as_by_z3(recipe in recipes(NARROW, 6), seed in any::<u64>(), layers in layer_sets()) {
        agree_on(NARROW, &recipe, seed, layers)?;
    }

    #[test]
    fn wide_queries_are_answered_as_by_z3(recipe in recipes(WIDE, 6), seed in any::<u64>(), layers in layer_sets()) {
        agree_on(WIDE, &recipe, seed, layers)?;
    }
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn float_queries_are_answered_as_by_z3(recipe in recipes(FLOATS, 4), seed in any::<u64>(), layers in layer_sets()) {
        agree_on(FLOATS, &recipe, seed, layers)?;
    }
}

proptest! {
    #![proptest_config(config(150))]

    #[test]
    fn layers_change_no_answer_of_an_engine(
        recipe in recipes(NARROW, 12),
        seed in any::<u64>(),
        layers in any::<u16>(),
        flips in events(0),
    ) {
        walk(&[recipe], seed, layers, &flips);
    }

    #[test]
    fn collections_change_no_answer(
        first in recipes(NARROW, 10),
        second in recipes(NARROW, 10),
        seed in any::<u64>(),
        layers in layer_sets(),
        events in events(2),
    ) {
        walk(&[first, second], seed, layers, &events);
    }
}

/// Mostly the whole chain.
fn layer_sets() -> impl Strategy<Value = u16> {
    prop_oneof![4 => Just(0), 1 => any::<u16>()]
}

/// The whole chain, a chain without some layers, and Z3, as one engine would ask them.
fn walk(recipes: &[Recipe], seed: u64, layers: u16, events: &[Event]) {
    let kitchen = Kitchen::new(NARROW);
    let partial = session("a chain without layers", &without(layers));
    let sessions = vec![session("the chain", &Options::default()), partial, reference()];
    let mut walk = Walk::new(&kitchen, recipes, seed, sessions);
    for event in events {
        walk.step(event);
    }
}
