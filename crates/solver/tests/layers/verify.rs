use spelunk_expr::Model;
use spelunk_solver::layers::slice::Slice;
use spelunk_solver::layers::verify::Verify;
use spelunk_solver::stage::Stage;
use spelunk_solver::{Answer, Unknown};

use crate::support::{Bench, Script};

/// A backend that sets the first variable to seven.
fn bench(layers: Vec<Box<dyn Stage>>) -> Bench {
    let mut model = Model::new();
    model.set_u64(spelunk_expr::VarId(0), 7);
    Bench::new(layers, Script::Answers(vec![Answer::Sat(model)]))
}

#[test]
fn values_that_satisfy_the_query_pass() {
    let mut bench = bench(vec![Box::new(Verify)]);
    let (x, y) = (bench.var("x", 8), bench.var("y", 8));
    bench.set(y, 9);
    let (order, target) = (bench.pool.mk_ult(x, y), bench.is(x, 7));
    let answer = bench.check(&[order, target]);
    assert_eq!(bench.changes(&answer), [(x, 7)]);
    assert_eq!(bench.stats("verify").n_unknown, 0);
}

#[test]
fn values_that_miss_the_target_do_not() {
    for layers in [vec![Box::new(Verify) as Box<dyn Stage>], vec![Box::new(Slice::default()), Box::new(Verify)]] {
        let mut bench = bench(layers);
        let x = bench.var("x", 8);
        let target = bench.is(x, 6);
        assert_eq!(bench.check(&[target]), Answer::Unknown(Unknown::WrongModel));
        assert_eq!(bench.stats("verify").n_unknown, 1);
    }
}

#[test]
fn values_that_break_another_constraint_do_not() {
    let mut bench = bench(vec![Box::new(Verify)]);
    let (x, y) = (bench.var("x", 8), bench.var("y", 8));
    bench.set(y, 5);
    let (order, target) = (bench.pool.mk_ult(x, y), bench.is(x, 7));
    assert_eq!(bench.check(&[order, target]), Answer::Unknown(Unknown::WrongModel));
}
