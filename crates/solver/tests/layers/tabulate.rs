use spelunk_expr::ExprId;
use spelunk_solver::Answer;
use spelunk_solver::layers::tabulate::Tabulate;

use crate::support::{Bench, Random, Script, random_condition};

fn bench() -> Bench {
    Bench::new(vec![Box::new(Tabulate::default())], Script::Answers(Vec::new()))
}

#[test]
fn the_nearest_value_of_two_bytes() {
    let mut bench = bench();
    let x = bench.var("x", 16);
    bench.set(x, 30_000);
    let square = bench.pool.mk_mul(x, x);
    let target = bench.is(square, 0x1001);
    let answer = bench.check(&[target]);
    let nearest = (0..=u16::MAX).filter(|x| x.wrapping_mul(*x) == 0x1001).min_by_key(|x| x.abs_diff(30_000));
    assert_eq!(bench.changes(&answer), [(x, nearest.expect("a square").into())]);
    assert_eq!(bench.asked(), []);
}

#[test]
fn a_core_has_what_it_takes() {
    let mut bench = bench();
    let x = bench.var("x", 16);
    let seven = bench.number(x, 7);
    let rest = bench.pool.mk_urem(x, seven);
    let constraints: Vec<ExprId> = [9, 11, 13]
        .map(|by| bench.number(x, by))
        .map(|by| bench.pool.mk_urem(x, by))
        .map(|rest| bench.is(rest, 0))
        .into();
    let (three, four) = (bench.is(rest, 3), bench.is(rest, 4));
    let all: Vec<ExprId> = [three].into_iter().chain(constraints).chain([four]).collect();
    assert_eq!(bench.check_satisfied(&all, 4), Answer::Unsat(vec![three, four]));
    assert_eq!(bench.asked(), []);
}

#[test]
fn several_variables_and_wide_ones_are_handed_on() {
    let mut bench = bench();
    let (x, y, wide) = (bench.var("x", 16), bench.var("y", 16), bench.var("z", 17));
    let both = bench.pool.mk_ult(x, y);
    let one = bench.is(wide, 5);
    bench.check_satisfied(&[both], 0);
    bench.check_satisfied(&[one], 0);
    assert_eq!(bench.asked().len(), 2);
}

#[test]
fn answers_are_those_of_trying_all_values() {
    let mut random = Random::new(5);
    for round in 0..600 {
        let mut bench = Bench::new(vec![Box::new(Tabulate::default())], Script::Exact);
        let width = random.pick(&[9, 10, 12]);
        let x = bench.var("x", width);
        bench.set(x, random.below(1 << width) as u64);
        let conditions: Vec<ExprId> =
            (0..4).map(|_| random_condition(&mut bench.pool, &mut random, &[x], 1 + round % 3)).collect();
        for n in 1..=conditions.len() {
            bench.check_exactly(&conditions[..n]);
        }
        // What is asked again after a collection may have another's number.
        bench.collect(&[x, conditions[0]]);
        let other = random_condition(&mut bench.pool, &mut random, &[x], 2);
        bench.check_exactly(&[conditions[0], other]);
    }
}
