use spelunk_expr::ExprId;
use spelunk_solver::Answer;
use spelunk_solver::layers::contradiction::Contradiction;

use crate::support::{Bench, Script};

#[test]
fn a_negated_or_false_target_is_unsatisfiable() {
    let mut bench = Bench::new(vec![Box::new(Contradiction)], Script::Exact);
    let (x, y) = (bench.var("x", 8), bench.var("y", 8));
    let (less, greater_or_equal) = (bench.pool.mk_ult(x, y), bench.pool.mk_ule(y, x));
    let low = bench.below(x, 9);
    assert_eq!(bench.check(&[greater_or_equal, low, less]), Answer::Unsat(vec![greater_or_equal, less]));
    assert_eq!(bench.check(&[low, ExprId::FALSE]), Answer::Unsat(vec![ExprId::FALSE]));
    // Two targets against each other.
    let (one, not_one) = (bench.is(x, 1), bench.is(x, 1));
    let not_one = bench.pool.mk_not(not_one);
    assert!(bench.check_satisfied(&[one, not_one], 0).is_unsat());
    assert_eq!(bench.asked(), []);
    assert_eq!(bench.stats("contradiction").n_unsat, 3);
}

#[test]
fn anything_else_is_handed_on() {
    let mut bench = Bench::new(vec![Box::new(Contradiction)], Script::Exact);
    let x = bench.var("x", 8);
    let (low, target) = (bench.below(x, 9), bench.is(x, 3));
    assert!(bench.check(&[low, target]).is_sat());
    let asked = bench.asked();
    assert_eq!((asked[0].constraints.as_slice(), asked[0].n_satisfied), (&[low, target][..], 1));
    assert_eq!(bench.stats("contradiction").n_unsat, 0);
}
