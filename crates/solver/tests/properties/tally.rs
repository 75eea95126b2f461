//! Runs a property over random cases and keeps account of what could not be compared: a query that one of the solvers
//! gave up on proves nothing. The account is printed, and too many such queries are a failure.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestCaseResult, TestError, TestRunner};
use spelunk_expr::ExprId;
use spelunk_solver::{Answer, Unknown};

use crate::common::session::Session;

/// Queries that took longer are shown, as are those without an answer.
const SLOW: Duration = Duration::from_secs(5);

/// One query of so many may go without an answer.
const MIN_QUERIES_PER_UNKNOWN: u64 = 50;

#[derive(Default)]
pub struct Tally {
    counts: RefCell<Counts>,
}

#[derive(Default)]
struct Counts {
    n_cases: u64,
    n_queries: u64,
    unknowns: BTreeMap<(String, String), u64>,
}

/// Checks the property in as many cases as `PROPTEST_CASES` says. The seed is fixed unless `PROPTEST_RNG_SEED` is set.
pub fn check<S: Strategy>(
    name: &'static str,
    default_cases: u32,
    strategy: S,
    property: impl Fn(&Tally, S::Value) -> TestCaseResult,
) {
    let tally = Tally::default();
    let mut runner = TestRunner::new(config(name, default_cases));
    let result = runner.run(&strategy, |case| {
        tally.counts.borrow_mut().n_cases += 1;
        property(&tally, case)
    });
    println!("{name}: {tally}");
    match result {
        Ok(()) => assert!(!tally.has_too_many_unknowns(), "{name}: too many queries without an answer: {tally}"),
        Err(TestError::Fail(why, case)) => panic!("{name}: {why}\n{case:#?}"),
        Err(TestError::Abort(why)) => panic!("{name}: {why}"),
    }
}

fn config(name: &'static str, default_cases: u32) -> ProptestConfig {
    let is_set = |name: &str| std::env::var_os(name).is_some();
    let given = ProptestConfig::default();
    ProptestConfig {
        cases: if is_set("PROPTEST_CASES") { given.cases } else { default_cases },
        rng_seed: if is_set("PROPTEST_RNG_SEED") { given.rng_seed } else { RngSeed::Fixed(20_240_229) },
        failure_persistence: None,
        max_shrink_iters: 4000,
        test_name: Some(name),
        ..given
    }
}

impl Tally {
    /// Asks, and says whether there are values, if that is known. Only limits are an excuse for an answer
    /// that is missing.
    pub fn ask(&self, session: &mut Session, constraints: &[ExprId], n_satisfied: usize) -> (Option<bool>, Answer) {
        let start = Instant::now();
        let answer = session.check(constraints, n_satisfied);
        let time = start.elapsed();
        if time > SLOW || matches!(answer, Answer::Unknown(_)) {
            println!("{}", session.describe(constraints, &format!("{answer:?} after {time:?}")));
        }
        let verdict = match &answer {
            Answer::Sat(_) => Some(true),
            Answer::Unsat(_) => Some(false),
            Answer::Unknown(Unknown::Conflicts | Unknown::Time) => None,
            Answer::Unknown(why) => session.fail(constraints, &why.to_string()),
        };
        let mut counts = self.counts.borrow_mut();
        counts.n_queries += 1;
        if let Answer::Unknown(why) = &answer {
            *counts.unknowns.entry((session.name.clone(), why.to_string())).or_default() += 1;
        }
        (verdict, answer)
    }

    fn has_too_many_unknowns(&self) -> bool {
        let counts = self.counts.borrow();
        counts.unknowns.values().sum::<u64>() * MIN_QUERIES_PER_UNKNOWN > counts.n_queries
    }
}

impl Display for Tally {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = self.counts.borrow();
        write!(out, "{} cases, {} queries", counts.n_cases, counts.n_queries)?;
        counts.unknowns.iter().try_for_each(|((name, why), n)| write!(out, "; {name}: {n} times {why}"))
    }
}
