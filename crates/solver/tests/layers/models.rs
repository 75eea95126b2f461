use spelunk_expr::{ExprId, Model, Value};
use spelunk_solver::Answer;
use spelunk_solver::layers::models::Models;

use crate::support::{Bench, Random, Script, random_condition};

#[test]
fn a_query_asked_before_gets_the_values_of_before() {
    let mut bench = Bench::new(vec![Box::new(Models::default())], Script::Exact);
    let (x, y) = (bench.var("x", 8), bench.var("y", 8));
    bench.set(y, 40);
    let order = bench.pool.mk_ule(x, y);
    let (sum, seventy) = (bench.pool.mk_add(x, y), bench.number(x, 70));
    let target = bench.pool.mk_eq(sum, seventy);
    let answer = bench.check(&[order, target]);
    assert_eq!(bench.changes(&answer), [(x, 30)]);
    // With another hint, what was the hint's part then has to be said as well.
    bench.set(y, 9);
    let answer = bench.check(&[order, target]);
    assert_eq!(bench.changes(&answer), [(x, 30), (y, 40)]);
    assert_eq!(bench.asked().len(), 1);
    // The same values serve another query.
    let high = bench.below(y, 41);
    let answer = bench.check(&[order, high, target]);
    assert_eq!(bench.changes(&answer), [(x, 30), (y, 40)]);
    assert_eq!(bench.asked().len(), 0);
    assert_eq!(bench.stats("models").n_sat, 2);
    let low = bench.below(y, 40);
    bench.check(&[order, low, target]);
    assert_eq!(bench.asked().len(), 1, "they don't satisfy this one");
}

#[test]
fn wide_values_and_arrays_are_kept() {
    let mut bench = Bench::new(vec![Box::new(Models::default())], Script::Answers(Vec::new()));
    let array = bench.pool.new_var("a", spelunk_expr::Sort::Array { index_width: 8, elem_width: 8 });
    let array_expr = bench.pool.mk_var(array);
    let (wide, index) = (bench.var("w", 100), bench.var("i", 8));
    let seven = bench.pool.mk_const(100, 7);
    let element = bench.pool.mk_select(array_expr, index);
    let constraints = [bench.pool.mk_eq(wide, seven), bench.is(element, 9)];
    let mut model = Model::new();
    model.set(bench.pool.node(wide).var(), &Value::new(100, 7));
    model.array_mut(array).elements.insert(0, 9);
    let mut scripted = Bench::new(vec![Box::new(Models::default())], Script::Answers(vec![Answer::Sat(model.clone())]));
    std::mem::swap(&mut scripted.pool, &mut bench.pool);
    for _ in 0..2 {
        assert_eq!(scripted.check_satisfied(&constraints, 0), Answer::Sat(model.clone()));
    }
    assert_eq!(scripted.asked().len(), 1);
}

#[test]
fn wrong_values_are_not_found_again() {
    let answers = vec![Answer::Sat(Model::new()), Answer::Sat(Model::new())];
    let mut bench = Bench::new(vec![Box::new(Models::default())], Script::Answers(answers));
    let x = bench.var("x", 8);
    let target = bench.is(x, 3);
    bench.check(&[target]);
    bench.check(&[target]);
    assert_eq!(bench.asked().len(), 2);
}

#[test]
fn answers_are_those_of_trying_all_values() {
    let mut random = Random::new(5);
    for _ in 0..60 {
        let mut bench = Bench::new(vec![Box::new(Models::default())], Script::Exact);
        let vars: Vec<ExprId> = (0..3).map(|at| bench.var(&format!("v{at}"), 3)).collect();
        let conditions: Vec<ExprId> =
            (0..8).map(|_| random_condition(&mut bench.pool, &mut random, &vars, 2)).collect();
        for round in 0..30 {
            let constraints: Vec<ExprId> = (0..1 + random.below(4)).map(|_| random.pick(&conditions)).collect();
            bench.set(random.pick(&vars), random.below(8) as u64);
            bench.check_exactly(&constraints);
            if round == 20 {
                bench.collect(&vars);
                break;
            }
        }
        let fresh: Vec<ExprId> = (0..8).map(|_| random_condition(&mut bench.pool, &mut random, &vars, 2)).collect();
        for condition in fresh {
            bench.check_exactly(&[condition]);
        }
    }
}
