//! All layers in the order of the chain, on sequences of queries as an engine asks them.

use spelunk_expr::ExprId;
use spelunk_solver::chain::{Layer, Options, layers};

use crate::support::{Bench, Random, Script, random_condition};

/// Paths that are extended, cut and flipped at their ends, with the values that the last answer gave.
fn walk(bench: &mut Bench, random: &mut Random, width: u32, n_vars: usize, n_queries: usize) {
    let vars: Vec<ExprId> = (0..n_vars).map(|at| bench.var(&format!("v{at}"), width)).collect();
    for &var in &vars {
        bench.set(var, random.below(1 << width) as u64);
    }
    let mut path: Vec<ExprId> = Vec::new();
    for _ in 0..n_queries {
        path.truncate(random.below(path.len() + 1));
        for _ in 0..random.below(4) {
            let some = [random.pick(&vars), random.pick(&vars)];
            let depth = random.below(3);
            path.push(random_condition(&mut bench.pool, random, &some, depth));
        }
        let answer = bench.check_exactly(&path);
        if let spelunk_solver::Answer::Sat(changes) = answer {
            bench.hint.update(&changes);
        } else {
            path.pop();
        }
        if random.below(12) == 0 {
            let roots: Vec<ExprId> = vars.iter().chain(&path).copied().collect();
            bench.collect(&roots);
        }
    }
}

#[test]
fn answers_are_those_of_trying_all_values() {
    let mut random = Random::new(10);
    let (mut n_asked, mut n_queries) = (0, 0);
    for _ in 0..60 {
        let mut bench = Bench::new(layers(&Options::default()), Script::Exact);
        walk(&mut bench, &mut random, 3, 4, 40);
        n_asked += bench.asked().len();
        n_queries += 40;
    }
    assert!(n_asked * 4 < n_queries, "{n_asked} of {n_queries} queries were left to the backend");
}

#[test]
fn no_layer_relies_on_another() {
    let mut random = Random::new(11);
    for _ in 0..100 {
        let without = Layer::ALL.iter().copied().filter(|_| random.below(2) == 0).collect();
        let mut bench = Bench::new(layers(&Options { without, ..Options::default() }), Script::Exact);
        walk(&mut bench, &mut random, 3, 3, 20);
    }
}
