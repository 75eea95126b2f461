use spelunk_expr::ExprId;
use spelunk_solver::Answer;
use spelunk_solver::layers::pointers::Pointers;

use crate::support::{Bench, Random, Script};

fn bench() -> Bench {
    Bench::new(vec![Box::new(Pointers::default())], Script::Exact)
}

/// Pointers `p`, `q`, `r`, … with these values.
fn pointers<const N: usize>(bench: &mut Bench, values: [u64; N]) -> [ExprId; N] {
    std::array::from_fn(|at| {
        let var = bench.var(["p", "q", "r", "s"][at], 64);
        bench.set(var, values[at]);
        var
    })
}

const OBJECT: u64 = 1 << 32;

#[test]
fn null_and_not_null() {
    let mut bench = bench();
    let [p, q] = pointers(&mut bench, [OBJECT, 0]);
    let same = bench.pool.mk_ne(p, q);
    let (p_is_null, q_is_null) = (bench.is(p, 0), bench.is(q, 0));
    let p_is_some = bench.pool.mk_not(p_is_null);
    let answer = bench.check(&[q_is_null, p_is_null]);
    assert_eq!(bench.changes(&answer), [(p, 0)]);
    let q_is_some = bench.pool.mk_not(q_is_null);
    let answer = bench.check(&[p_is_some, same, q_is_some]);
    assert_eq!(bench.changes(&answer), [(q, 2 * OBJECT)], "an object that nobody else points to");
    assert_eq!(bench.asked(), []);
}

#[test]
fn equal_pointers_change_together() {
    let mut bench = bench();
    let [p, q, r] = pointers(&mut bench, [OBJECT, OBJECT, 2 * OBJECT]);
    let same = bench.pool.mk_eq(p, q);
    let alias = bench.pool.mk_eq(r, p);
    let answer = bench.check(&[same, alias]);
    assert_eq!(bench.changes(&answer), [(r, OBJECT)], "the value of the larger class that was there first");
    let differ = bench.pool.mk_not(same);
    let answer = bench.check(&[differ]);
    assert_eq!(bench.changes(&answer), [(q, 2 * OBJECT)], "the second one changes");
    assert_eq!(bench.asked(), []);
}

#[test]
fn a_core_is_a_way_of_equalities() {
    let mut bench = bench();
    let [p, q, r, s] = pointers(&mut bench, [OBJECT, OBJECT, OBJECT, OBJECT]);
    let (pq, qr, rs) = (bench.pool.mk_eq(p, q), bench.pool.mk_eq(q, r), bench.pool.mk_eq(r, s));
    let target = bench.pool.mk_ne(p, r);
    let answer = bench.check(&[pq, rs, qr, target]);
    assert_eq!(answer, Answer::Unsat(vec![qr, pq, target]));
    // Two constants can't be equal.
    let (is_object, is_null) = (bench.is(s, OBJECT), bench.is(p, 0));
    let Answer::Unsat(mut core) = bench.check(&[is_object, pq, qr, rs, is_null]) else { panic!("unsatisfiable") };
    core.sort_unstable();
    let mut expected = vec![is_object, pq, qr, rs, is_null];
    expected.sort_unstable();
    assert_eq!(core, expected);
}

#[test]
fn integers_read_from_bytes_are_terms() {
    let mut bench = Bench::new(vec![Box::new(Pointers::default())], Script::Answers(Vec::new()));
    let bytes: Vec<ExprId> = (0..4).map(|at| bench.var(&format!("b{at}"), 8)).collect();
    let (x, y) = (bench.pool.mk_concat(bytes[0], bytes[1]), bench.pool.mk_concat(bytes[2], bytes[3]));
    let z = bench.var("z", 16);
    bench.set(bytes[2], 3);
    bench.set(z, 0x304);
    let (xy, yz) = (bench.pool.mk_eq(x, z), bench.pool.mk_ne(y, z));
    let z_is_some = bench.is(z, 0);
    let z_is_some = bench.pool.mk_not(z_is_some);
    let answer = bench.check(&[yz, z_is_some, xy]);
    assert_eq!(bench.changes(&answer), [(bytes[0], 3), (bytes[1], 4)]);
    assert_eq!(bench.asked(), []);
    // A byte that is in two terms is not free.
    let w = bench.pool.mk_concat(bytes[1], bytes[2]);
    let wz = bench.pool.mk_eq(w, z);
    assert!(matches!(bench.check(&[yz, wz]), Answer::Unknown(_)));
    assert_eq!(bench.asked().len(), 1);
}

#[test]
fn too_few_values_are_handed_on() {
    let mut bench = bench();
    let vars: Vec<ExprId> = (0..5).map(|at| bench.var(&format!("v{at}"), 2)).collect();
    let mut all_differ = Vec::new();
    for (at, &x) in vars.iter().enumerate() {
        all_differ.extend(vars[..at].iter().map(|&y| bench.pool.mk_ne(x, y)));
    }
    assert!(bench.check_satisfied(&all_differ, 0).is_unsat());
    assert_eq!(bench.asked().len(), 1);
}

#[test]
fn answers_are_those_of_trying_all_values() {
    let mut random = Random::new(6);
    let mut n_own = 0;
    for _ in 0..500 {
        let mut bench = bench();
        let mut terms: Vec<ExprId> = (0..4).map(|at| bench.var(&format!("v{at}"), 3)).collect();
        for &var in &terms {
            bench.set(var, random.below(8) as u64);
        }
        terms.push(bench.pool.mk_const(3, 0));
        terms.push(bench.pool.mk_const(3, 5));
        let mut constraints = Vec::new();
        for _ in 0..1 + random.below(7) {
            let (a, b) = (random.pick(&terms), random.pick(&terms));
            let equal = bench.pool.mk_eq(a, b);
            if bench.pool.is_const(equal) {
                continue;
            }
            constraints.push(if random.below(2) == 0 { equal } else { bench.pool.mk_not(equal) });
        }
        bench.check_exactly(&constraints);
        n_own += bench.asked().is_empty() as u32;
    }
    assert!(n_own > 300, "{n_own} answers were its own");
}
