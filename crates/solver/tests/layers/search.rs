use spelunk_expr::ExprId;
use spelunk_solver::layers::search::Search;

use crate::support::{Bench, Random, Script, random_condition};

fn bench() -> Bench {
    Bench::new(vec![Box::new(Search::default())], Script::Answers(Vec::new()))
}

/// Each query is answered by the search, with values that the chain has not checked but the test does.
fn finds(bench: &mut Bench, constraints: &[ExprId]) {
    let answer = bench.check_satisfied(constraints, 0);
    let Some(model) = (match &answer {
        spelunk_solver::Answer::Sat(changes) => {
            let mut model = bench.hint.clone();
            model.update(changes);
            Some(model)
        }
        _ => None,
    }) else {
        panic!("{answer:?} for\n{}", bench.pool.to_smtlib(constraints));
    };
    let mut evaluator = spelunk_expr::Evaluator::new();
    let mut values = evaluator.under(&bench.pool, &model);
    assert!(constraints.iter().all(|&constraint| values.eval_bool(constraint)), "{model:?}");
    assert_eq!(bench.asked(), []);
}

#[test]
fn products_of_words() {
    let mut bench = bench();
    let [x, y, z] = ["x", "y", "z"].map(|name| bench.var(name, 32));
    let product = bench.pool.mk_mul(x, y);
    let square = bench.pool.mk_mul(x, x);
    let sum = bench.pool.mk_add(square, y);
    let three = bench.number(x, 3);
    let triple = bench.pool.mk_mul(z, three);
    let first = bench.is(product, 0xcafe_1234);
    let second = bench.pool.mk_eq(sum, triple);
    finds(&mut bench, &[first, second]);
}

/// The first steps of Euclid's algorithm, the last remainder of which is asked for.
#[test]
fn remainders_of_remainders() {
    for goal in [0, 1, 5] {
        let mut bench = bench();
        let (mut a, mut b) = (bench.var("a", 32), bench.var("b", 32));
        let mut constraints = Vec::new();
        for _ in 0..4 {
            let zero = bench.is(b, 0);
            constraints.push(bench.pool.mk_not(zero));
            let rest = bench.pool.mk_urem(a, b);
            (a, b) = (b, rest);
        }
        let target = bench.is(b, goal);
        constraints.push(target);
        finds(&mut bench, &constraints);
    }
}

#[test]
fn signed_division() {
    let mut bench = bench();
    let (x, y) = (bench.var("x", 32), bench.var("y", 32));
    let by = bench.number(x, 1000);
    let (quotient, rest) = (bench.pool.mk_sdiv(x, by), bench.pool.mk_srem(x, by));
    let sum = bench.pool.mk_add(rest, y);
    let first = bench.is(quotient, -5i64 as u64);
    let second = bench.is(sum, -250i64 as u64);
    let product = bench.pool.mk_mul(y, by);
    let third = bench.is(product, 7000);
    finds(&mut bench, &[first, second, third]);
}

#[test]
fn only_products_and_quotients_are_its_business() {
    let mut bench = bench();
    let (x, y) = (bench.var("x", 32), bench.var("y", 32));
    let sum = bench.pool.mk_add(x, y);
    let target = bench.is(sum, 5);
    bench.check(&[target]);
    assert_eq!(bench.asked().len(), 1);
}

#[test]
fn answers_are_those_of_trying_all_values() {
    let mut random = Random::new(23);
    for round in 0..1000 {
        let mut bench = Bench::new(vec![Box::new(Search::default())], Script::Exact);
        let (n_vars, width) = random.pick(&[(1, 6), (2, 5), (3, 4), (3, 1)]);
        let vars: Vec<ExprId> = (0..n_vars).map(|_| bench.var("x", width)).collect();
        for &var in &vars {
            bench.set(var, random.below(1 << width) as u64);
        }
        let n_conditions = 1 + random.below(4);
        let constraints: Vec<ExprId> =
            (0..n_conditions).map(|_| random_condition(&mut bench.pool, &mut random, &vars, 1 + round % 4)).collect();
        bench.check_exactly(&constraints);
    }
}
