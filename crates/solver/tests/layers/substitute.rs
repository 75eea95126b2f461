use spelunk_expr::ExprId;
use spelunk_solver::Answer;
use spelunk_solver::layers::substitute::Substitute;

use crate::support::{Bench, Random, Script, random_condition, random_term, vars_of};

fn bench(script: Script) -> Bench {
    Bench::new(vec![Box::new(Substitute::default())], script)
}

fn product_is(bench: &mut Bench, x: ExprId, y: ExprId, value: u64) -> ExprId {
    let product = bench.pool.mk_mul(x, y);
    bench.is(product, value)
}

#[test]
fn products_of_equals_are_equal() {
    let mut bench = bench(Script::Answers(Vec::new()));
    let [x, y, z] = ["x", "y", "z"].map(|name| bench.var(name, 32));
    let factor = bench.number(x, 2_654_435_769);
    let [mut first, second] = [x, y].map(|key| {
        let product = bench.pool.mk_mul(key, factor);
        bench.pool.mk_extract(product, 28, 1)
    });
    first = bench.pool.mk_xor(first, second);
    let equal = bench.pool.mk_eq(x, y);
    let other = bench.below(z, 10);
    assert_eq!(bench.check(&[other, equal, first]), Answer::Unsat(vec![first, equal]));
    assert_eq!(bench.asked(), []);
}

#[test]
fn what_is_left_is_asked_and_the_rest_follows() {
    let mut bench = bench(Script::Exact);
    let (x, y) = (bench.var("x", 8), bench.var("y", 8));
    let one = bench.number(x, 1);
    let next = bench.pool.mk_add(y, one);
    let equal = bench.pool.mk_eq(x, next);
    let target = product_is(&mut bench, x, y, 7 * 6);
    let answer = bench.check_exactly(&[equal, target]);
    assert_eq!(bench.changes(&answer).len(), 2, "{answer:?}");
    let asked = bench.asked();
    assert_eq!(asked[0].constraints.len(), 1);
    assert_eq!(vars_of(&bench.pool, &asked[0].constraints).len(), 1);
}

#[test]
fn cores_have_the_equalities_that_were_used() {
    let mut bench = bench(Script::Exact);
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| bench.var(name, 4));
    let equalities = [[a, b], [b, c], [d, a]].map(|[one, other]| bench.pool.mk_eq(one, other));
    let square = product_is(&mut bench, a, c, 3);
    let bound = bench.below(d, 3);
    let Answer::Unsat(core) = bench.check_exactly(&[equalities[0], equalities[1], equalities[2], bound, square]) else {
        panic!("no square is 3 modulo 16")
    };
    assert!(core.contains(&square) && core.contains(&equalities[0]) && core.contains(&equalities[1]), "{core:?}");
}

#[test]
fn circles_of_equalities_stay() {
    let mut bench = bench(Script::Exact);
    let (x, y) = (bench.var("x", 4), bench.var("y", 4));
    let square = bench.pool.mk_mul(x, x);
    let other = bench.pool.mk_mul(y, x);
    let equal = bench.pool.mk_eq(y, square);
    let again = bench.pool.mk_eq(x, other);
    let is_large = bench.number(x, 2);
    let is_large = bench.pool.mk_ult(is_large, x);
    bench.check_exactly(&[equal, again, is_large]);
    let itself = bench.pool.mk_eq(x, square);
    bench.check_exactly(&[itself, is_large]);
}

#[test]
fn queries_without_products_are_handed_on() {
    let mut bench = bench(Script::Exact);
    let (x, y) = (bench.var("x", 8), bench.var("y", 8));
    let equal = bench.pool.mk_eq(x, y);
    let bound = bench.below(y, 7);
    bench.set(x, 200);
    bench.check_exactly(&[equal, bound]);
    assert_eq!(bench.asked()[0].constraints, [equal, bound]);
    let target = product_is(&mut bench, x, x, 9);
    let fixed = bench.is(y, 3);
    bench.check_exactly(&[fixed, target]);
    assert_eq!(bench.asked()[0].constraints, [fixed, target], "a value is no equality to be replaced");
}

#[test]
fn bytes_of_a_word_are_parts_of_what_it_equals() {
    let mut bench = bench(Script::Exact);
    let (high, low, key) = (bench.var("h", 4), bench.var("l", 4), bench.var("k", 8));
    let word = bench.pool.mk_concat(high, low);
    let three = bench.number(key, 3);
    let product = bench.pool.mk_mul(key, three);
    let equal = bench.pool.mk_eq(word, product);
    let target = product_is(&mut bench, word, word, 225);
    bench.check_exactly(&[equal, target]);
    let asked = bench.asked();
    assert_eq!(vars_of(&bench.pool, &asked[0].constraints).len(), 1);
}

#[test]
fn answers_are_those_of_trying_all_values() {
    let mut random = Random::new(31);
    let mut n_replaced = 0;
    for _ in 0..60 {
        let mut bench = bench(Script::Exact);
        let vars: Vec<ExprId> = (0..4).map(|at| bench.var(&format!("v{at}"), 3)).collect();
        for _ in 0..40 {
            for &var in &vars {
                bench.set(var, random.below(8) as u64);
            }
            let mut constraints = Vec::new();
            for _ in 0..random.below(4) {
                let some = [random.pick(&vars), random.pick(&vars)];
                let sides = [0, 2].map(|depth| random_term(&mut bench.pool, &mut random, &some, depth));
                constraints.push(bench.pool.mk_eq(sides[0], sides[1]));
            }
            for _ in 0..random.below(3) {
                constraints.push(random_condition(&mut bench.pool, &mut random, &vars, 2));
            }
            bench.check_exactly(&constraints);
            n_replaced += bench.asked().iter().filter(|asked| asked.constraints != constraints).count();
            if random.below(8) == 0 {
                bench.collect(&vars);
            }
        }
    }
    assert!(n_replaced > 100, "{n_replaced}");
}

#[test]
fn wide_variables_are_replaced_too() {
    let mut bench = bench(Script::Answers(vec![Answer::Sat(Default::default())]));
    let (x, y) = (bench.var("x", 100), bench.var("y", 100));
    let (equal, product) = (bench.pool.mk_eq(x, y), bench.pool.mk_mul(x, y));
    let zero = bench.number(x, 0);
    let target = bench.pool.mk_eq(product, zero);
    let Answer::Sat(model) = bench.check_satisfied(&[equal, target], 0) else { panic!("both are zero") };
    let n_known = [x, y].iter().filter(|&&var| model.contains(bench.pool.node(var).var())).count();
    assert_eq!(n_known, 1, "the one that was replaced");
}
