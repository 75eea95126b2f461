use spelunk_bv::CmpOp;
use spelunk_expr::ExprId;
use spelunk_solver::Answer;
use spelunk_solver::layers::order::Order;

use crate::support::{Bench, Random, Script};

fn bench() -> Bench {
    Bench::new(vec![Box::new(Order::default())], Script::Exact)
}

fn vars<const N: usize>(bench: &mut Bench, width: u32, values: [u64; N]) -> [ExprId; N] {
    std::array::from_fn(|at| {
        let var = bench.var(&format!("v{at}"), width);
        bench.set(var, values[at]);
        var
    })
}

#[test]
fn a_flip_moves_values_past_each_other() {
    let mut bench = bench();
    let [a, b, c] = vars(&mut bench, 32, [5, 7, u32::MAX as u64]);
    let (ab, ca) = (bench.pool.mk_slt(a, b), bench.pool.mk_slt(c, a));
    let target = bench.pool.mk_slt(b, c);
    assert!(bench.check(&[ab, ca, target]).is_unsat());
    let target = bench.pool.mk_sle(b, a);
    let answer = bench.check(&[ca, target]);
    assert_eq!(bench.changes(&answer), [(b, 5)]);
    let target = bench.pool.mk_sle(a, c);
    let answer = bench.check(&[ab, target]);
    assert_eq!(bench.changes(&answer), [(a, u32::MAX as u64)]);
    assert_eq!(bench.asked(), []);
}

#[test]
fn a_core_is_a_circle() {
    let mut bench = bench();
    let [a, b, c, d] = vars(&mut bench, 64, [1, 2, 3, 4]);
    let path = [bench.pool.mk_ult(a, b), bench.pool.mk_ule(b, c), bench.pool.mk_ult(c, d), bench.below(d, 9)];
    let target = bench.pool.mk_ult(c, a);
    let Answer::Unsat(core) = bench.check(&[path[0], path[2], path[3], path[1], target]) else {
        panic!("unsatisfiable")
    };
    assert_eq!(core, [target, path[0], path[1]]);
    let high = bench.number(a, 7);
    let target = bench.pool.mk_ult(high, a);
    let Answer::Unsat(core) = bench.check(&[path[0], path[1], path[2], path[3], target]) else {
        panic!("unsatisfiable")
    };
    assert_eq!(core.len(), 5, "all bounds between the two numbers");
    assert_eq!(bench.asked(), []);
}

#[test]
fn terms_that_must_differ_are_moved_apart() {
    let mut bench = bench();
    let [a, b, c] = vars(&mut bench, 8, [3, 4, 9]);
    let (ab, bc) = (bench.pool.mk_ne(a, b), bench.pool.mk_ne(b, c));
    let (low, target) = (bench.pool.mk_ule(c, b), bench.pool.mk_ule(b, a));
    assert!(bench.check(&[ab, bc, target]).is_sat());
    assert!(bench.check(&[ab, bc, target, low]).is_sat());
    bench.set(a, 4);
    let (up, down) = (bench.pool.mk_ule(a, b), bench.pool.mk_ule(b, a));
    let Answer::Unsat(core) = bench.check(&[up, down, bc, ab]) else { panic!("unsatisfiable") };
    assert!(core.len() == 3 && !core.contains(&bc), "{core:?}");
    assert_eq!(bench.asked().len(), 0);
}

#[test]
fn integers_read_from_bytes_are_terms() {
    let mut bench = Bench::new(vec![Box::new(Order::default())], Script::Answers(Vec::new()));
    let bytes: Vec<ExprId> = (0..4).map(|at| bench.var(&format!("b{at}"), 8)).collect();
    let (x, y) = (bench.pool.mk_concat(bytes[0], bytes[1]), bench.pool.mk_concat(bytes[2], bytes[3]));
    bench.set(bytes[3], 5);
    let zero = bench.number(x, 0);
    let is_negative = bench.pool.mk_slt(x, zero);
    let is_less = bench.pool.mk_slt(x, y);
    let answer = bench.check(&[is_less, is_negative]);
    assert_eq!(bench.changes(&answer), [(bytes[0], 255), (bytes[1], 255)]);
    // A byte alone is no term of that width, unless it is asked for the sign.
    let low = bench.below(bytes[1], 9);
    let is_more = bench.pool.mk_slt(y, x);
    bench.check(&[low, is_more]);
    assert_eq!(bench.asked().len(), 1);
}

#[test]
fn orders_of_both_signs_are_handed_on() {
    let mut bench = bench();
    let [a, b] = vars(&mut bench, 8, [1, 2]);
    let (signed, unsigned) = (bench.pool.mk_slt(a, b), bench.pool.mk_ult(b, a));
    assert!(bench.check(&[signed, unsigned]).is_sat());
    assert_eq!(bench.asked().len(), 1);
}

#[test]
fn answers_are_those_of_trying_all_values() {
    let mut random = Random::new(7);
    let (mut n_own, mut n_unsat) = (0, 0);
    for _ in 0..1500 {
        let mut bench = bench();
        let mut terms: Vec<ExprId> = (0..4).map(|at| bench.var(&format!("v{at}"), 3)).collect();
        for &var in &terms {
            bench.set(var, random.below(8) as u64);
        }
        for _ in 0..2 {
            let number = random.below(8) as u64;
            terms.push(bench.pool.mk_const(3, number));
        }
        let ops = match random.below(2) {
            0 => [CmpOp::Slt, CmpOp::Sle, CmpOp::Eq, CmpOp::Ne],
            _ => [CmpOp::Ult, CmpOp::Ule, CmpOp::Eq, CmpOp::Ne],
        };
        let mut constraints = Vec::new();
        for _ in 0..1 + random.below(9) {
            let (a, b) = (random.pick(&terms), random.pick(&terms));
            let op = ops[random.below(8).min(3).max(random.below(3))];
            let condition = bench.pool.mk_cmp(op, a, b);
            if !bench.pool.is_const(condition) {
                constraints.push(condition);
            }
        }
        n_unsat += bench.check_exactly(&constraints).is_unsat() as u32;
        n_own += bench.asked().is_empty() as u32;
    }
    assert!(n_own > 1300 && n_unsat > 200, "{n_own} answers were its own, {n_unsat} unsatisfiable");
}
