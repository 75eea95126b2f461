use spelunk_bv::float::FloatKind;
use spelunk_bv::{FCmpOp, Signedness};
use spelunk_expr::ExprId;
use spelunk_solver::layers::enumerate::Enumerate;

use crate::support::{Bench, Random, Script, random_condition};

fn bench() -> Bench {
    Bench::new(vec![Box::new(Enumerate::default())], Script::Answers(Vec::new()))
}

#[test]
fn an_index_is_found_by_its_element() {
    let mut bench = bench();
    let index = bench.var("i", 64);
    bench.set(index, 6);
    let table = bench.pool.mk_table(64, 16, &(0..40u16).flat_map(|i| (i * i % 37).to_le_bytes()).collect::<Vec<_>>());
    let element = bench.pool.mk_select(table, index);
    let in_bounds = bench.below(index, 40);
    let target = bench.is(element, 25);
    let answer = bench.check(&[in_bounds, target]);
    assert_eq!(bench.changes(&answer), [(index, 5)], "the nearest of 5, 32 and so on");
    let never = bench.is(element, 2);
    assert!(bench.check(&[in_bounds, never]).is_unsat());
    assert_eq!(bench.asked(), []);
    // Without a bound there are too many values.
    bench.check(&[never]);
    assert_eq!(bench.asked().len(), 1);
}

#[test]
fn two_bytes_are_tried_together() {
    let mut bench = bench();
    let (x, y) = (bench.var("x", 8), bench.var("y", 8));
    bench.set(x, 3);
    let bounds = [bench.below(x, 10), bench.below(y, 30)];
    let product = bench.pool.mk_mul(x, y);
    for goal in 0..256 {
        let has_factors = (0..10).any(|x| (0..30).any(|y| x * y % 256 == goal));
        let target = bench.is(product, goal);
        let answer = bench.check(&[bounds[0], bounds[1], target]);
        assert_eq!((answer.is_sat(), answer.is_unsat()), (has_factors, !has_factors), "{goal}");
    }
    assert_eq!(bench.asked(), []);
}

/// As scanners of flex look at characters: through a table of their classes, and then through one of states.
#[test]
fn values_with_the_same_entry_are_one() {
    let mut bench = bench();
    let classes = bench.pool.mk_table(8, 8, &(0..256u32).map(|byte| (byte / 32) as u8).collect::<Vec<_>>());
    let states = bench.pool.mk_table(8, 8, &(0..256u32).map(|at| (at * 37 % 250) as u8).collect::<Vec<_>>());
    let bytes = [bench.var("a", 8), bench.var("b", 8)];
    let mut state = bench.pool.mk_const(8, 0);
    for byte in bytes {
        let class = bench.pool.mk_select(classes, byte);
        let at = bench.pool.mk_add(state, class);
        state = bench.pool.mk_select(states, at);
    }
    for goal in 0..250 {
        let step = |state: u32, byte: u32| (state + byte / 32) % 256 * 37 % 250;
        let is_met = (0..256).any(|a| (0..256).any(|b| step(step(0, a), b) == goal));
        let target = bench.is(state, u64::from(goal));
        let answer = bench.check(&[target]);
        assert_eq!((answer.is_sat(), answer.is_unsat()), (is_met, !is_met), "{goal}");
    }
    assert_eq!(bench.asked(), [], "64 pairs of classes are few");
    // Where a byte is also compared with another, its values are not alike.
    let [a, b] = bytes;
    let (target, differ) = (bench.is(state, 3), bench.pool.mk_ult(a, b));
    bench.check(&[target, differ]);
    assert_eq!(bench.asked().len(), 1);
}

/// What scanners of numbers leave: some digits, of which most are decided.
#[test]
fn digits_of_a_long_double_are_tried_one_by_one() {
    let mut bench = bench();
    let digits: Vec<ExprId> = (0..6).map(|at| bench.var(&format!("d{at}"), 8)).collect();
    let mut constraints = vec![bench.is(digits[0], 1), bench.is(digits[2], 0), bench.is(digits[3], 0)];
    constraints.extend([bench.is(digits[4], 5), bench.below(digits[1], 10), bench.below(digits[5], 10)]);
    let ten = bench.pool.mk_const(64, 10);
    let mut sum = bench.pool.mk_const(64, 0);
    for &digit in &digits {
        let tens = bench.pool.mk_mul(sum, ten);
        let digit = bench.pool.mk_zext(digit, 64);
        sum = bench.pool.mk_add(tens, digit);
    }
    let long = bench.pool.mk_int_to_float(FloatKind::X86Fp80, Signedness::Unsigned, sum);
    let double = bench.pool.mk_fconvert(FloatKind::X86Fp80, FloatKind::Double, long);
    for (goal, is_met) in [(140053.0, true), (140063.0, false)] {
        let goal = bench.pool.mk_const(64, f64::to_bits(goal));
        let target = bench.pool.mk_fcmp(FloatKind::Double, FCmpOp::Oeq, double, goal);
        let answer = bench.check(&[&constraints[..], &[target]].concat());
        assert_eq!((answer.is_sat(), answer.is_unsat()), (is_met, !is_met));
    }
    assert_eq!(bench.asked(), []);
}

#[test]
fn a_variable_without_values_does_not_make_another_small() {
    let mut bench = bench();
    let (x, y) = (bench.var("x", 64), bench.var("y", 64));
    let (low, high) = (bench.below(x, 10), bench.below(x, 20));
    let high = bench.pool.mk_not(high);
    let differ = bench.pool.mk_ne(x, y);
    bench.check(&[low, high, differ]);
    assert_eq!(bench.asked().len(), 1, "the other one has too many values to go through");
}

#[test]
fn answers_are_those_of_trying_all_values() {
    let mut random = Random::new(9);
    let mut n_own = 0;
    for _ in 0..500 {
        let mut bench = Bench::new(vec![Box::new(Enumerate::default())], Script::Exact);
        let width = random.pick(&[1, 3, 4]);
        let vars: Vec<ExprId> = (0..4).map(|at| bench.var(&format!("v{at}"), width)).collect();
        for &var in &vars {
            bench.set(var, random.below(1 << width) as u64);
        }
        let mut constraints = Vec::new();
        for _ in 0..1 + random.below(5) {
            let some = [random.pick(&vars), random.pick(&vars)];
            constraints.push(random_condition(&mut bench.pool, &mut random, &some, 2));
        }
        bench.check_exactly(&constraints);
        n_own += bench.asked().is_empty() as u32;
    }
    assert!(n_own > 200, "{n_own} answers were its own");
}
