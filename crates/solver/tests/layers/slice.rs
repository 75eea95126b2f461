use spelunk_expr::{ExprId, Model};
use spelunk_solver::layers::slice::Slice;
use spelunk_solver::{Answer, Unknown};

use crate::support::{Asked, Bench, Random, Script, random_condition};

fn bench(script: Script) -> Bench {
    Bench::new(vec![Box::new(Slice::default())], script)
}

/// Variables `v0`, `v1`, … of eight bits, zero in the hint.
fn vars(bench: &mut Bench, count: usize) -> Vec<ExprId> {
    (0..count).map(|at| bench.var(&format!("v{at}"), 8)).collect()
}

fn asked(constraints: &[ExprId], n_satisfied: usize) -> Asked {
    Asked { constraints: constraints.to_vec(), n_satisfied }
}

#[test]
fn only_what_shares_variables_with_the_target_is_asked() {
    let mut bench = bench(Script::Exact);
    let v = vars(&mut bench, 5);
    let low = bench.below(v[0], 9);
    let pair = bench.pool.mk_ule(v[0], v[1]);
    let other = bench.pool.mk_ule(v[2], v[3]);
    let far = bench.below(v[4], 9);
    let target = bench.is(v[1], 3);
    let answer = bench.check(&[low, other, pair, far, target]);
    assert_eq!(bench.changes(&answer), [(v[1], 3)]);
    assert_eq!(bench.asked(), [asked(&[low, pair, target], 2)]);
}

#[test]
fn nothing_is_asked_after_an_interrupt() {
    let mut bench = bench(Script::Exact);
    let v = vars(&mut bench, 1);
    let target = bench.is(v[0], 3);
    bench.limits.deadline.raise();
    assert_eq!(bench.check(&[target]), Answer::Unknown(Unknown::Interrupted));
    assert_eq!(bench.asked(), []);
    bench.limits.deadline.lower();
    assert!(bench.check(&[target]).is_sat());
}

#[test]
fn a_core_names_each_constraint_once() {
    let mut bench = bench(Script::Exact);
    let v = vars(&mut bench, 1);
    let (low, high) = (bench.below(v[0], 9), bench.below(v[0], 200));
    let both = bench.pool.mk_and(low, high);
    let target = bench.is(v[0], 210);
    let Answer::Unsat(core) = bench.check(&[both, target]) else { panic!("210 is not below 9") };
    assert_eq!(core.iter().filter(|&&constraint| constraint == both).count(), 1);
}

#[test]
fn the_index_follows_the_path() {
    let mut bench = bench(Script::Answers(Vec::new()));
    let v = vars(&mut bench, 4);
    let pairs: Vec<ExprId> = (0..3).map(|at| bench.pool.mk_ule(v[at], v[at + 1])).collect();
    let targets: Vec<ExprId> = v.iter().map(|&var| bench.is(var, 1)).collect();
    let mut path = Vec::new();
    // Longer, shorter, and with another end.
    for (n_pairs, target) in [(1, 0), (2, 0), (2, 3), (0, 1), (3, 3), (1, 2), (2, 2), (2, 0)] {
        path.clear();
        path.extend(&pairs[..n_pairs]);
        path.push(targets[target]);
        bench.check(&path);
        let is_linked = target <= n_pairs;
        let expected = if is_linked { path.clone() } else { vec![targets[target]] };
        assert_eq!(bench.asked(), [asked(&expected, expected.len() - 1)], "{n_pairs} pairs, target {target}");
    }
}

#[test]
fn groups_are_those_of_a_fresh_index_whatever_was_asked_before() {
    let mut random = Random::new(1);
    let mut bench = bench(Script::Answers(Vec::new()));
    let v = vars(&mut bench, 12);
    let mut path: Vec<ExprId> = Vec::new();
    for _ in 0..2000 {
        path.truncate(random.below(path.len() + 1));
        for _ in 0..random.below(4) {
            let (a, b) = (random.pick(&v), random.pick(&v));
            // Satisfied by zeros.
            let condition = match random.below(3) {
                0 => bench.below(a, 9),
                1 => bench.pool.mk_ule(a, b),
                _ => {
                    let (a, b) = (bench.below(a, 5), bench.below(b, 7));
                    bench.pool.mk_and(a, b)
                }
            };
            path.push(condition);
        }
        let target_var = random.pick(&v);
        let target = bench.is(target_var, 200);
        let mut query = path.clone();
        query.push(target);
        bench.check_satisfied(&query, path.len());
        let seen = bench.asked();
        let mut fresh = Bench::new(vec![Box::new(Slice::default())], Script::Answers(Vec::new()));
        std::mem::swap(&mut fresh.pool, &mut bench.pool);
        fresh.check_satisfied(&query, path.len());
        assert_eq!(seen, fresh.asked());
        std::mem::swap(&mut fresh.pool, &mut bench.pool);
    }
}

#[test]
fn conjunctions_are_split_and_parts_taken_once() {
    let mut bench = bench(Script::Exact);
    let v = vars(&mut bench, 3);
    let (a, b, c) = (bench.is(v[0], 1), bench.is(v[1], 2), bench.is(v[2], 0));
    let ab = bench.pool.mk_and(a, b);
    let all = bench.pool.mk_and(ab, c);
    let answer = bench.check(&[all, ab, a]);
    assert_eq!(bench.changes(&answer), [(v[0], 1), (v[1], 2)]);
    assert_eq!(bench.asked(), [asked(&[a], 0), asked(&[b], 0)]);
    // The negation of a disjunction is a conjunction.
    let either = bench.pool.mk_or(a, b);
    let neither = bench.pool.mk_not(either);
    bench.set(v[0], 1);
    bench.check(&[neither]);
    let not_a = bench.pool.mk_not(a);
    assert_eq!(bench.asked(), [asked(&[not_a], 0)]);
}

#[test]
fn a_core_names_constraints_of_the_query() {
    let mut bench = bench(Script::Exact);
    let v = vars(&mut bench, 2);
    let (zero, low) = (bench.is(v[0], 0), bench.below(v[1], 5));
    let both = bench.pool.mk_and(zero, low);
    let target = bench.is(v[0], 7);
    assert_eq!(bench.check(&[low, both, target]), Answer::Unsat(vec![both, target]));
    assert_eq!(bench.asked(), [asked(&[zero, target], 1)]);
    assert_eq!(bench.check(&[low, ExprId::FALSE]), Answer::Unsat(vec![ExprId::FALSE]));
}

#[test]
fn what_the_hint_satisfies_is_not_asked() {
    let mut bench = bench(Script::Exact);
    let v = vars(&mut bench, 3);
    let conditions: Vec<ExprId> = v.iter().map(|&var| bench.below(var, 9)).collect();
    assert_eq!(bench.check_satisfied(&conditions, 0), Answer::Sat(Model::new()));
    bench.set(v[1], 100);
    let answer = bench.check_satisfied(&conditions, 0);
    assert_eq!(bench.asked(), [asked(&conditions[1..2], 0)]);
    assert!(answer.is_sat());
    assert_eq!(bench.stats("slice").n_sat, 1);
}

#[test]
fn one_impossible_group_decides() {
    let unknown = Answer::Unknown(Unknown::Conflicts);
    let mut bench = bench(Script::Answers(Vec::new()));
    let v = vars(&mut bench, 2);
    let (a, b) = (bench.is(v[0], 1), bench.is(v[1], 2));
    let mut model = Model::new();
    model.set_u64(bench.pool.node(v[0]).var(), 1);
    let cases = [
        (vec![unknown.clone(), Answer::Unsat(vec![b])], Answer::Unsat(vec![b])),
        (vec![unknown.clone(), Answer::Sat(Model::new())], unknown),
        (vec![Answer::Sat(model.clone()), Answer::Sat(Model::new())], Answer::Sat(model)),
    ];
    for (answers, expected) in cases {
        let mut scripted = Bench::new(vec![Box::new(Slice::default())], Script::Answers(answers));
        std::mem::swap(&mut scripted.pool, &mut bench.pool);
        assert_eq!(scripted.check(&[a, b]), expected);
        std::mem::swap(&mut scripted.pool, &mut bench.pool);
    }
}

#[test]
fn values_of_other_variables_are_not_taken() {
    let mut model = Model::new();
    let mut bench = bench(Script::Answers(Vec::new()));
    let v = vars(&mut bench, 2);
    for &var in &v {
        model.set_u64(bench.pool.node(var).var(), 1);
    }
    let (keep, target) = (bench.is(v[0], 0), bench.is(v[1], 1));
    let mut scripted = Bench::new(vec![Box::new(Slice::default())], Script::Answers(vec![Answer::Sat(model)]));
    std::mem::swap(&mut scripted.pool, &mut bench.pool);
    let answer = scripted.check(&[keep, target]);
    assert_eq!(scripted.changes(&answer), [(v[1], 1)]);
}

#[test]
fn answers_are_those_of_trying_all_values() {
    let mut random = Random::new(2);
    for round in 0..400 {
        let mut bench = bench(Script::Exact);
        let vars: Vec<ExprId> = (0..4).map(|at| bench.var(&format!("v{at}"), 3)).collect();
        for &var in &vars {
            bench.set(var, random.below(8) as u64);
        }
        for _ in 0..4 {
            let constraints: Vec<ExprId> = (0..1 + random.below(5))
                .map(|_| {
                    let some = [random.pick(&vars), random.pick(&vars)];
                    random_condition(&mut bench.pool, &mut random, &some, 2)
                })
                .collect();
            bench.check_exactly(&constraints);
        }
        if round % 10 == 0 {
            bench.collect(&vars);
        }
    }
}
