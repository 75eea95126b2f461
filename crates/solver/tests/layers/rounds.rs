use spelunk_solver::layers::rounds::Rounds;
use spelunk_solver::{Answer, Unknown};

use crate::support::{Bench, Script};

fn bench(answers: Vec<Answer>) -> Bench {
    Bench::new(vec![Box::new(Rounds::default())], Script::Answers(answers))
}

#[test]
fn what_is_easy_is_asked_once() {
    let mut bench = bench(vec![Answer::Unsat(Vec::new())]);
    let x = bench.var("x", 8);
    let target = bench.is(x, 3);
    assert!(bench.check(&[target]).is_unsat());
    assert_eq!(bench.asked().len(), 1);
}

#[test]
fn what_is_hard_is_asked_again() {
    let mut bench = bench(vec![Answer::Unknown(Unknown::Conflicts), Answer::Unsat(Vec::new())]);
    let x = bench.var("x", 8);
    let target = bench.is(x, 3);
    assert!(bench.check(&[target]).is_unsat());
    assert_eq!(bench.asked().len(), 2);
}

#[test]
fn other_reasons_and_small_limits_are_final() {
    let mut bench = bench(vec![Answer::Unknown(Unknown::Time), Answer::Unknown(Unknown::Conflicts)]);
    let x = bench.var("x", 8);
    let target = bench.is(x, 3);
    assert_eq!(bench.check(&[target]), Answer::Unknown(Unknown::Time));
    bench.limits.conflicts = Some(10);
    assert_eq!(bench.check(&[target]), Answer::Unknown(Unknown::Conflicts));
    assert_eq!(bench.asked().len(), 2);
}
