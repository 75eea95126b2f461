//! Formulas over integers and reals: what later techniques ask of them, in small.

use std::time::Duration;

use num_bigint::BigInt;
use spelunk_bv::Signedness;
use spelunk_expr::{Evaluator, ExprPool, Sort as ExprSort};
use spelunk_solver::z3::arith::{Assignment, Formula, Rational, Solution, Term, Value, Var, solve};
use spelunk_solver::{Limits, Unknown};

fn term(var: &Var) -> Term {
    var.term().expect("a number")
}

fn ask(formulas: &[Formula]) -> Solution {
    solve(&ExprPool::new(), formulas, &Limits::default())
}

fn expect_sat(formulas: &[Formula]) -> Assignment {
    match ask(formulas) {
        Solution::Sat(assignment) => assignment,
        other => panic!("{other:?} instead of values for {formulas:?}"),
    }
}

fn expect_unsat(formulas: &[Formula]) {
    let solution = ask(formulas);
    assert!(matches!(solution, Solution::Unsat), "{solution:?} for {formulas:?}");
}

fn int_of(assignment: &Assignment, var: &Var) -> i64 {
    let int = assignment.number(var).and_then(Rational::as_int).unwrap_or_else(|| panic!("{var:?} has an integer"));
    int.try_into().expect("a small number")
}

fn rational(numerator: i64, denominator: i64) -> Rational {
    Rational::new(numerator, denominator).expect("no division by zero")
}

#[test]
fn division_rounds_so_that_remainders_are_not_negative() {
    for (a, b, quotient, remainder) in [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -3, 1), (-7, -2, 4, 1), (-6, 3, -2, 0)] {
        let (x, y) = (Var::int("x"), Var::int("y"));
        let given = [term(&x).equals(&Term::int(a)), term(&y).equals(&Term::int(b))];
        let (div, modulo) = (term(&x).int_div(term(&y)), term(&x).int_mod(term(&y)));
        let right = [div.equals(&Term::int(quotient)), modulo.equals(&Term::int(remainder))];
        expect_sat(&[&given[..], &right].concat());
        for wrong in right {
            expect_unsat(&[&given[..], &[!wrong]].concat());
        }
    }
}

#[test]
fn linear_integers() {
    // 3x + 5y = 1 with |x|, |y| <= 10, and 6x + 10y = 1, which is odd.
    let (x, y) = (Var::int("x"), Var::int("y"));
    let sum = |a: i64, b: i64| term(&x) * a + term(&y) * b;
    let near = |var: &Var| {
        let term = term(var);
        Formula::and(vec![term.at_least(&Term::int(-10)), term.at_most(&Term::int(10))])
    };
    let found = expect_sat(&[sum(3, 5).equals(&Term::int(1)), near(&x), near(&y)]);
    assert_eq!(3 * int_of(&found, &x) + 5 * int_of(&found, &y), 1);
    expect_unsat(&[sum(6, 10).equals(&Term::int(1))]);
}

#[test]
fn models_are_exact() {
    let x = Var::real("x");
    let third = Term::real(rational(1, 3));
    let found = expect_sat(&[(term(&x) * 3).equals(&Term::int(1))]);
    assert_eq!(found.number(&x), Some(&rational(1, 3)));
    expect_unsat(&[(term(&x) * 3).equals(&Term::int(1)), !term(&x).equals(&third)]);
    // Beyond 64 and 128 bits.
    let large = BigInt::from(10).pow(60);
    let found = expect_sat(&[(term(&x) * 7).equals(&Term::int(large.clone()))]);
    assert_eq!(found.number(&x), Rational::new(large, 7).as_ref());
    let y = Var::int("y");
    let found = expect_sat(&[(term(&y) * 3).equals(&Term::int(BigInt::from(-3) * BigInt::from(10).pow(40)))]);
    assert_eq!(found.number(&y).map(Rational::to_string), Some(format!("-1{}", "0".repeat(40))));
}

#[test]
fn irrational_values_say_so() {
    let x = Var::real("x");
    let square = term(&x) * term(&x);
    let found = expect_sat(&[square.equals(&Term::int(2)), term(&x).greater(&Term::int(0))]);
    let Some(Value::Irrational(digits)) = found.get(&x) else { panic!("{found:?}") };
    assert!(digits.starts_with("1.41421356"), "{digits}");
    assert_eq!(found.number(&x), None);
}

#[test]
fn choices_and_connectives() {
    let (x, b) = (Var::int("x"), Var::bool("b"));
    let flag = b.formula().expect("a truth value");
    let chosen = flag.choose(term(&x) + 1, -term(&x));
    let is_five = chosen.equals(&Term::int(5));
    let found = expect_sat(&[is_five.clone(), flag.clone()]);
    assert_eq!((int_of(&found, &x), found.bool(&b)), (4, Some(true)));
    let found = expect_sat(&[is_five.clone(), flag.implies(&Formula::constant(false))]);
    assert_eq!((int_of(&found, &x), found.bool(&b)), (-5, Some(false)));
    expect_unsat(&[is_five, term(&x).equals(&Term::int(0))]);
    expect_unsat(&[flag.iff(&!flag.clone())]);
    assert!(Var::int("x").formula().is_none() && Var::bool("b").term().is_none());
}

#[test]
fn integers_mix_with_reals() {
    let (n, r) = (Var::int("n"), Var::real("r"));
    let half = term(&n).divided_by(Term::int(2));
    let found = expect_sat(&[term(&r).equals(&half), term(&r).equals(&Term::real(rational(7, 2)))]);
    assert_eq!(int_of(&found, &n), 7);
    let floor = term(&r).floor();
    let found = expect_sat(&[term(&r).equals(&Term::real(rational(-7, 2))), term(&n).equals(&floor)]);
    assert_eq!(int_of(&found, &n), -4);
}

#[test]
fn quantifiers() {
    let (x, y) = (Var::int("x"), Var::int("y"));
    // Some x is below all squares plus one, none is below all integers.
    let below_all = |bound: Term| Formula::forall(std::slice::from_ref(&y), term(&x).at_most(&bound));
    let found = expect_sat(&[below_all(Formula::constant(true).choose(Term::int(3), term(&y)))]);
    assert!(int_of(&found, &x) <= 3);
    expect_unsat(&[below_all(term(&y))]);
    // The inner y is another one than the outer.
    let even = Formula::exists(std::slice::from_ref(&y), (term(&y) * 2).equals(&term(&x)));
    let found = expect_sat(&[
        even.clone(),
        term(&x).greater(&term(&y)),
        term(&y).equals(&Term::int(6)),
        term(&x).less(&Term::int(9)),
    ]);
    assert_eq!((int_of(&found, &x), int_of(&found, &y)), (8, 6));
    expect_unsat(&[even, term(&x).equals(&Term::int(7))]);
}

/// A template `a*x + b >= 0` that holds at the start and is kept by a loop, by way of Farkas' lemma: a product of unknown
/// multipliers and unknown coefficients.
#[test]
fn a_recurrent_set_by_farkas() {
    // while (x >= 0) x = x + y, with y >= 1: from x >= 0 it never ends. Looked for: c such that x >= c is kept and
    // implies the loop condition. All as "premises times multipliers sum up to the conclusion".
    let (c, l1, l2, m1) = (Var::real("c"), Var::real("l1"), Var::real("l2"), Var::real("m1"));
    let zero = Term::int(0);
    let not_negative = |var: &Var| term(var).at_least(&zero);
    // l1*(x - c) + l2*(y - 1) + s = (x + y) - c with s >= 0: coefficients of x and y agree, the constant is not less.
    let consecution = [
        term(&l1).equals(&Term::int(1)),
        term(&l2).equals(&Term::int(1)),
        (-(term(&l1) * term(&c)) - term(&l2)).at_most(&-term(&c)),
    ];
    // m1*(x - c) + s = x with s >= 0.
    let guard = [term(&m1).equals(&Term::int(1)), (-(term(&m1) * term(&c))).at_most(&zero)];
    let multipliers = [not_negative(&l1), not_negative(&l2), not_negative(&m1)];
    let found = expect_sat(&[&consecution[..], &guard, &multipliers].concat());
    assert!(found.number(&c).is_some_and(|c| *c.numerator() >= BigInt::from(0)), "{found:?}");
    // With y >= -1 instead, nothing bounds x from below.
    let step = (-(term(&l1) * term(&c)) + term(&l2)).at_most(&-term(&c));
    expect_unsat(&[&[consecution[0].clone(), consecution[1].clone(), step][..], &guard, &multipliers].concat());
}

/// The same question as exists-forall, without a template's help.
#[test]
fn a_recurrent_set_by_quantifiers() {
    let (c, x, y) = (Var::int("c"), Var::int("x"), Var::int("y"));
    let is_kept = |least_step: i64| {
        let premise = Formula::and(vec![term(&x).at_least(&term(&c)), term(&y).at_least(&Term::int(least_step))]);
        let conclusion =
            Formula::and(vec![(term(&x) + term(&y)).at_least(&term(&c)), term(&x).at_least(&Term::int(0))]);
        Formula::forall(&[x.clone(), y.clone()], premise.implies(&conclusion))
    };
    let found = expect_sat(&[is_kept(1)]);
    assert!(int_of(&found, &c) >= 0);
    expect_unsat(&[is_kept(-1)]);
}

#[test]
fn bit_vectors_mix_with_integers() {
    let mut pool = ExprPool::new();
    let byte = pool.new_var("byte", ExprSort::Bv(8));
    let expr = pool.mk_var(byte);
    let limit = pool.mk_const(8, 200);
    let is_large = pool.mk_ult(limit, expr);
    let n = Var::int("n");
    let tie = |sign: Signedness| Term::bits(expr, sign).equals(&(term(&n) * 10));
    let ask = |formulas: &[Formula]| solve(&pool, formulas, &Limits::default());
    let Solution::Sat(found) = ask(&[tie(Signedness::Unsigned), Formula::condition(is_large)]) else {
        panic!("210 is such a number");
    };
    let value = found.bits.get_u64(byte).expect("a value");
    assert_eq!(value as i64, 10 * int_of(&found, &n));
    assert!(Evaluator::new().under(&pool, &found.bits).eval_bool(is_large));
    let Solution::Sat(found) = ask(&[tie(Signedness::Signed), Formula::condition(is_large)]) else {
        panic!("-10 is such a number");
    };
    assert_eq!(found.bits.get_u64(byte).map(|value| value as u8 as i8 as i64), Some(10 * int_of(&found, &n)));
    let beyond = Term::bits(expr, Signedness::Unsigned).greater(&Term::int(255));
    assert!(matches!(ask(&[beyond]), Solution::Unsat));
}

#[test]
fn limits_make_no_unsat() {
    // Fermat's last theorem for the exponent 3, which is out of reach.
    let vars = ["x", "y", "z"].map(Var::int);
    let cube = |var: &Var| Term::product(vec![term(var); 3]);
    let mut formulas: Vec<Formula> = vars.iter().map(|var| term(var).greater(&Term::int(0))).collect();
    formulas.push((cube(&vars[0]) + cube(&vars[1])).equals(&cube(&vars[2])));
    let limits = Limits { time: Some(Duration::from_millis(50)), ..Limits::default() };
    let solution = solve(&ExprPool::new(), &formulas, &limits);
    assert!(matches!(solution, Solution::Unknown(Unknown::Time)), "{solution:?}");
    let limits = Limits::default();
    limits.deadline.raise();
    let solution = solve(&ExprPool::new(), &formulas, &limits);
    assert!(matches!(solution, Solution::Unknown(Unknown::Interrupted)), "{solution:?}");
    // Another question is answered as if nothing had been.
    expect_sat(&[term(&vars[0]).equals(&Term::int(1))]);
}

#[test]
fn long_sums_are_flat() {
    let x = Var::int("x");
    let sum = (0..100_000).fold(Term::int(0), |sum, _| sum + term(&x));
    let found = expect_sat(&[sum.equals(&Term::int(300_000))]);
    assert_eq!(int_of(&found, &x), 3);
}
