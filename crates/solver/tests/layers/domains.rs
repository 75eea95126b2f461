use spelunk_expr::ExprId;
use spelunk_solver::Answer;
use spelunk_solver::layers::domains::Domains;

use crate::support::{Bench, Random, Script, random_condition};

fn bench() -> Bench {
    Bench::new(vec![Box::new(Domains::default())], Script::Exact)
}

#[test]
fn a_byte_takes_the_nearest_allowed_value() {
    let mut bench = bench();
    let x = bench.var("x", 8);
    bench.set(x, 50);
    let conditions = [bench.below(x, 100), bench.below(x, 10), bench.is(x, 9)];
    let answer = bench.check(&conditions[..2]);
    assert_eq!(bench.changes(&answer), [(x, 9)]);
    let is_not_nine = bench.pool.mk_not(conditions[2]);
    let answer = bench.check(&[conditions[0], is_not_nine, conditions[1]]);
    assert_eq!(bench.changes(&answer), [(x, 8)]);
    assert_eq!(bench.asked(), []);
}

#[test]
fn wide_variables_are_decided_by_their_ranges() {
    let mut bench = bench();
    let x = bench.var("x", 64);
    bench.set(x, 5);
    let (zero, high) = (bench.number(x, 0), bench.number(x, 1 << 40));
    let is_positive = bench.pool.mk_slt(zero, x);
    let is_high = bench.pool.mk_ult(high, x);
    let is_negative = bench.pool.mk_slt(x, zero);
    let answer = bench.check(&[is_positive, is_high]);
    assert_eq!(bench.changes(&answer), [(x, (1 << 40) + 1)]);
    let low = bench.below(x, 100);
    assert_eq!(bench.check(&[is_positive, low, is_high]), Answer::Unsat(vec![is_high, low]));
    assert!(bench.check(&[low, is_positive, is_negative]).is_unsat());
    assert_eq!(bench.asked(), []);
}

#[test]
fn only_conditions_of_the_variable_are_in_the_core() {
    let mut bench = bench();
    let (x, y) = (bench.var("x", 8), bench.var("y", 8));
    let (order, low) = (bench.pool.mk_ule(x, y), bench.below(x, 5));
    let (other, target) = (bench.below(y, 7), bench.is(x, 6));
    assert_eq!(bench.check(&[order, other, low, target]), Answer::Unsat(vec![target, low]));
    assert_eq!(bench.asked(), []);
}

#[test]
fn other_conditions_are_handed_on_whole() {
    let mut bench = bench();
    let (x, y) = (bench.var("x", 8), bench.var("y", 8));
    let (order, target) = (bench.pool.mk_ule(x, y), bench.is(x, 6));
    let answer = bench.check(&[order, target]);
    assert!(answer.is_sat());
    let asked = bench.asked();
    assert_eq!((asked.len(), asked[0].constraints.as_slice(), asked[0].n_satisfied), (1, &[order, target][..], 1));
}

#[test]
fn answers_are_those_of_trying_all_values() {
    let mut random = Random::new(3);
    for round in 0..600 {
        let mut bench = bench();
        let width = random.pick(&[1, 3, 4, 8, 10]);
        let n_vars = if width < 8 { 2 } else { 1 };
        let vars: Vec<ExprId> = (0..n_vars).map(|at| bench.var(&format!("v{at}"), width)).collect();
        for &var in &vars {
            bench.set(var, random.below(1 << width) as u64);
        }
        for _ in 0..4 {
            let mut constraints = Vec::new();
            for _ in 0..1 + random.below(6) {
                let some = if random.below(5) == 0 { vars.clone() } else { vec![random.pick(&vars)] };
                let depth = random.below(3);
                constraints.push(random_condition(&mut bench.pool, &mut random, &some, depth));
            }
            bench.check_exactly(&constraints);
        }
        if round % 10 == 0 {
            bench.collect(&vars);
            let negated = bench.pool.mk_neg(vars[0]);
            let again = bench.pool.mk_ult(negated, vars[0]);
            bench.check_exactly(&[again]);
        }
    }
}
