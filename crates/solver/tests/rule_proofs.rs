//! Each rewrite rule, proved: what the builder makes of a term with rules equals what it makes without, for all values
//! of all variables, at all widths from 1 to 8. The terms are the cases that the expressions' own tests have of each
//! rule. Rules of floats are proved the same way, for the formats of those cases: halves, and what they are widened to.

#[path = "../../expr/tests/support/rule_cases.rs"]
#[allow(dead_code, reason = "what a rule makes of a term is another test's business")]
mod rule_cases;
#[path = "../../expr/tests/support/mod.rs"]
#[allow(dead_code, reason = "what evaluation needs is not needed for proofs")]
mod support;

use rule_cases::{APPLIES, DOES_NOT, VARS};
use spelunk_expr::{ExprId, Model, Rule};
use spelunk_solver::z3::Z3;
use spelunk_solver::{Answer, Limits, Query, Solver};
use support::Bench;

/// A term at one width, built with rules.
struct Rewritten {
    term: &'static str,
    result: ExprId,
    /// Rules that took part.
    fired: Vec<Rule>,
}

fn hits(bench: &Bench) -> Vec<u64> {
    Rule::ALL.iter().map(|&rule| bench.pool.rule_hits(rule)).collect()
}

fn all_terms() -> impl Iterator<Item = &'static str> {
    APPLIES.iter().map(|case| case.term).chain(DOES_NOT.iter().map(|case| case.term))
}

/// All terms that make sense at the bench's width. Without rules nothing must have been built before: a node that is
/// there is not simplified any more.
fn rewritten_terms(bench: &mut Bench) -> Vec<Rewritten> {
    let mut all = Vec::new();
    for term in all_terms() {
        let before = hits(bench);
        let Some(result) = bench.build(term) else { continue };
        let after = hits(bench);
        let fired = Rule::ALL.iter().zip(before.iter().zip(&after)).filter(|(_, (before, after))| before < after);
        all.push(Rewritten { term, result, fired: fired.map(|(&rule, _)| rule).collect() });
    }
    all
}

/// Values for which two expressions differ.
fn counterexample(solver: &mut Z3, bench: &mut Bench, a: ExprId, b: ExprId) -> Option<Model> {
    if a == b {
        return None;
    }
    let differ = bench.pool.mk_ne(a, b);
    let query = Query { constraints: &[differ], n_satisfied: 0, hint: &Model::new(), limits: &Limits::default() };
    match solver.check(&mut bench.pool, &query) {
        Answer::Unsat(_) => None,
        Answer::Sat(model) => Some(model),
        Answer::Unknown(why) => panic!("{why}:\n{}", bench.pool.to_smtlib(&[differ])),
    }
}

/// Proves all terms of a width, and counts for how many each rule fired.
fn prove(width: u32, n_proofs: &mut [u64]) {
    let mut bench = Bench::new(width, None);
    bench.declare(VARS);
    let terms = rewritten_terms(&mut bench);
    bench.pool.set_rule_fuel(Some(0));
    let mut solver = Z3::new();
    for Rewritten { term, result, fired } in terms {
        let plain = bench.build(term).expect("what can be built with rules can be built without");
        if let Some(model) = counterexample(&mut solver, &mut bench, plain, result) {
            panic!("{term} at width {width} is changed by {fired:?}: see {model:?}");
        }
        for rule in fired {
            n_proofs[rule as usize] += 1;
        }
    }
}

#[test]
fn rules_are_proved_at_all_small_widths() {
    let mut n_proofs = vec![0; Rule::ALL.len()];
    for width in 1..=8 {
        prove(width, &mut n_proofs);
    }
    let unproved: Vec<&str> =
        Rule::ALL.iter().zip(&n_proofs).filter(|(_, n)| **n == 0).map(|(rule, _)| rule.name()).collect();
    assert!(unproved.is_empty(), "without a proof: {unproved:?}");
}

/// The prover itself: equations that do not hold are refuted, at each width and in each theory.
#[test]
fn wrong_equations_are_refuted() {
    let wrong = [
        ("(add x y)", "(or x y)"),
        ("(not x)", "(neg x)"),
        ("(ult x y)", "(slt x y)"),
        ("(select (store A x y) z)", "(select A z)"),
        ("(select (table 0 1) x)", "x"),
        ("(folt p q)", "(fole p q)"),
        ("(foeq p p)", "(eq p p)"),
    ];
    for width in 2..=8 {
        for (left, right) in wrong {
            let mut bench = Bench::new(width, Some(0));
            let [left, right] = [left, right].map(|term| bench.build(term).expect("buildable"));
            assert!(counterexample(&mut Z3::new(), &mut bench, left, right).is_some(), "{left:?} {right:?} at {width}");
        }
    }
}
