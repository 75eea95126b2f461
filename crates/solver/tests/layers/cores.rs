use spelunk_expr::ExprId;
use spelunk_solver::Answer;
use spelunk_solver::layers::cores::Cores;

use crate::support::{Bench, Random, Script, random_condition};

/// `x < y` and two bounds that exclude it, which the backend is asked once.
fn conflict(bench: &mut Bench) -> ([ExprId; 2], [ExprId; 3]) {
    let (x, y) = (bench.var("x", 8), bench.var("y", 8));
    bench.set(x, 9);
    let (nine, three) = (bench.is(x, 9), bench.below(y, 3));
    ([x, y], [nine, three, bench.pool.mk_ult(x, y)])
}

#[test]
fn a_core_decides_every_query_that_contains_it() {
    let mut bench = Bench::new(vec![Box::new(Cores::default())], Script::Exact);
    let (vars, [nine, three, less]) = conflict(&mut bench);
    assert!(bench.check(&[nine, three, less]).is_unsat());
    assert_eq!(bench.asked().len(), 1);
    let more = bench.below(vars[0], 20);
    assert_eq!(bench.check(&[more, three, nine, less]), Answer::Unsat(vec![nine, three, less]));
    bench.set(vars[1], 200);
    assert!(bench.check(&[more, nine, less, three]).is_unsat(), "another target");
    assert_eq!(bench.asked().len(), 0);
    assert_eq!(bench.stats("cores").n_unsat, 2);
    assert!(bench.check(&[more, nine, less]).is_sat(), "a part of the core decides nothing");
    assert_eq!(bench.asked().len(), 1);
}

#[test]
fn freed_expressions_take_their_cores_with_them() {
    let mut bench = Bench::new(vec![Box::new(Cores::default())], Script::Exact);
    let (vars, [nine, three, less]) = conflict(&mut bench);
    assert!(bench.check(&[nine, three, less]).is_unsat());
    bench.collect(&[vars[0], vars[1], nine]);
    // The next two expressions get the ids of what was dropped.
    let mut again = Vec::new();
    while again.len() < 2 {
        let bound = 100 + again.len() as u64;
        again.push(bench.below(vars[0], bound));
        again.push(bench.below(vars[1], bound));
    }
    let mut query = vec![nine];
    query.extend(&again);
    assert!(bench.check_satisfied(&query, 0).is_sat());
}

#[test]
fn answers_are_those_of_trying_all_values() {
    let mut random = Random::new(4);
    for _ in 0..60 {
        let mut bench = Bench::new(vec![Box::new(Cores::default())], Script::Exact);
        let vars: Vec<ExprId> = (0..2).map(|at| bench.var(&format!("v{at}"), 3)).collect();
        let conditions: Vec<ExprId> =
            (0..8).map(|_| random_condition(&mut bench.pool, &mut random, &vars, 2)).collect();
        for round in 0..30 {
            let constraints: Vec<ExprId> = (0..1 + random.below(6)).map(|_| random.pick(&conditions)).collect();
            bench.set(vars[0], random.below(8) as u64);
            bench.check_exactly(&constraints);
            if round == 20 {
                let kept: Vec<ExprId> = vars.iter().chain(&conditions).copied().collect();
                bench.collect(&kept);
            }
        }
    }
}
