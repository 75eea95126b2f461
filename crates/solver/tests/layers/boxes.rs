use spelunk_expr::ExprId;
use spelunk_solver::Answer;
use spelunk_solver::layers::boxes::Boxes;

use crate::support::{Bench, Random, Script, random_condition};

fn bench() -> Bench {
    Bench::new(vec![Box::new(Boxes::default())], Script::Answers(Vec::new()))
}

/// `x % by == rest`, signed.
fn srem(bench: &mut Bench, x: ExprId, by: u64, rest: i64) -> ExprId {
    let by = bench.number(x, by);
    let remainder = bench.pool.mk_srem(x, by);
    bench.is(remainder, rest as u64)
}

/// `x + by`
fn plus(bench: &mut Bench, x: ExprId, by: i64) -> ExprId {
    let by = bench.number(x, by as u64);
    bench.pool.mk_add(x, by)
}

fn value(bench: &Bench, answer: &Answer) -> u64 {
    let [(_, value)] = bench.changes(answer)[..] else { panic!("{answer:?}") };
    value
}

#[test]
fn remainders_of_one_word() {
    let mut bench = bench();
    let x = bench.var("x", 32);
    bench.set(x, 1_000_000);
    let constraints: Vec<ExprId> = [(0, 7, 3), (-5, 11, 5), (12, 13, 2), (1, 16, 9), (0, 17, 0), (-40, 19, 18)]
        .into_iter()
        .map(|(by, modulus, rest)| {
            let term = plus(&mut bench, x, by);
            srem(&mut bench, term, modulus, rest)
        })
        .collect();
    let answer = bench.check(&constraints);
    let found = value(&bench, &answer) as i32;
    assert_eq!(
        [found % 7, (found - 5) % 11, (found + 12) % 13, (found + 1) % 16, found % 17, (found - 40) % 19],
        [3, 5, 2, 9, 0, 18]
    );
    let again = plus(&mut bench, x, 14);
    let never = srem(&mut bench, again, 7, 4);
    let all: Vec<ExprId> = constraints.iter().copied().chain([never]).collect();
    let Answer::Unsat(core) = bench.check(&all) else { panic!("3 and 4 modulo 7") };
    assert!(core.contains(&never) && core.contains(&constraints[0]) && core.len() <= 3, "{core:?} of {all:?}");
    assert_eq!(bench.asked(), []);
}

#[test]
fn negative_remainders() {
    let mut bench = bench();
    let x = bench.var("x", 32);
    let first = srem(&mut bench, x, 10, -7);
    let second = srem(&mut bench, x, 9, -4);
    let answer = bench.check(&[first, second]);
    let found = value(&bench, &answer) as i32;
    assert_eq!((found % 10, found % 9), (-7, -4));
    let positive = srem(&mut bench, x, 4, 1);
    assert!(bench.check(&[first, positive]).is_unsat());
    assert_eq!(bench.asked(), []);
}

/// A long path of a loop that halves even numbers and makes others five times as large.
#[test]
fn a_long_chain_of_one_word() {
    let mut bench = bench();
    let x = bench.var("x", 32);
    let mut random = Random::new(3);
    let (mut term, mut constraints) = (x, Vec::new());
    for _ in 0..24 {
        let bit = bench.pool.mk_extract(term, 0, 1);
        let is_odd = random.below(2) == 0;
        let condition = bench.is(bit, is_odd as u64);
        constraints.push(condition);
        let (one, five) = (bench.number(x, 1), bench.number(x, 5));
        term = match is_odd {
            true => {
                let product = bench.pool.mk_mul(term, five);
                bench.pool.mk_add(product, one)
            }
            false => bench.pool.mk_lshr(term, one),
        };
    }
    let answer = bench.check(&constraints);
    assert!(answer.is_sat() || answer.is_unsat(), "{answer:?}");
    assert_eq!(bench.asked(), []);
}

/// What a generator of pseudo-random numbers makes of two bytes, of which all values are tried.
#[test]
fn two_bytes_behind_arithmetic() {
    let mut bench = bench();
    let seed = bench.var("seed", 16);
    let mut x = bench.pool.mk_zext(seed, 32);
    for _ in 0..3 {
        let factor = bench.number(x, 1_103_515_245);
        let product = bench.pool.mk_mul(x, factor);
        x = plus(&mut bench, product, 12_345);
    }
    let sixteen = bench.number(x, 16);
    let high = bench.pool.mk_lshr(x, sixteen);
    let next = |mut x: u32| {
        for _ in 0..3 {
            x = x.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        }
        x >> 16
    };
    for goal in [5, 1000, 65_535, 40_000] {
        let target = bench.is(high, goal);
        let is_possible = (0..=u16::MAX).any(|seed| next(seed.into()) == goal as u32);
        let answer = bench.check(&[target]);
        assert_eq!((answer.is_sat(), answer.is_unsat()), (is_possible, !is_possible), "{goal}");
    }
    assert_eq!(bench.asked(), []);
}

#[test]
fn bounds_that_become_tighter_are_not_all_in_a_core() {
    let mut bench = bench();
    let x = bench.var("x", 32);
    bench.set(x, 1 << 20);
    let zero = bench.number(x, 0);
    let mut constraints: Vec<ExprId> = (0..200)
        .map(|by| {
            let term = plus(&mut bench, x, -by);
            bench.pool.mk_slt(zero, term)
        })
        .collect();
    let three = bench.number(x, 3);
    let quotient = bench.pool.mk_udiv(x, three);
    let target = bench.below(quotient, 5);
    constraints.push(target);
    let Answer::Unsat(core) = bench.check(&constraints) else { panic!("x is more than 199") };
    assert!(core.len() <= 4, "{} constraints", core.len());
    assert_eq!(bench.asked(), []);
}

#[test]
fn answers_are_those_of_trying_all_values() {
    let mut random = Random::new(17);
    let mut n_handed_on = 0;
    for round in 0..1500 {
        let mut bench = Bench::new(vec![Box::new(Boxes::default())], Script::Exact);
        let (n_vars, width) = random.pick(&[(1, 5), (1, 9), (1, 12), (2, 4), (2, 7), (3, 4), (3, 1)]);
        let vars: Vec<ExprId> = (0..n_vars).map(|_| bench.var("x", width)).collect();
        for &var in &vars {
            bench.set(var, random.below(1 << width) as u64);
        }
        let n_conditions = 1 + random.below(4);
        let constraints: Vec<ExprId> =
            (0..n_conditions).map(|_| random_condition(&mut bench.pool, &mut random, &vars, 1 + round % 4)).collect();
        bench.check_exactly(&constraints);
        n_handed_on += bench.asked().len();
    }
    assert!(n_handed_on < 300, "{n_handed_on} of 1500 were left to the backend");
}
