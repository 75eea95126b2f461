//! What Z3 takes in a long run: `cargo run --release -p spelunk-solver --example z3_memory -- [N_QUERIES] [KIND]`.
//!
//! Small queries, all of them different, go to one backend. The expressions of past queries are collected now and then,
//! as an engine does; the resident memory of the process should then go up no more.

use spelunk_bv::float::FloatKind;
use spelunk_bv::{FBinOp, FCmpOp};
use spelunk_expr::{ExprId, ExprPool, Model, Sort};
use spelunk_solver::z3::Z3;
use spelunk_solver::{Limits, Query, Solver};

/// How many queries there are between two collections.
const GENERATION: u64 = 1000;
const N_REPORTS: u64 = 10;

/// The constraints of a query, made of a number.
type Make = fn(&mut ExprPool, &[ExprId], u64) -> Vec<ExprId>;

const KINDS: [(&str, Make); 3] = [("bit-vectors", paths), ("products", products), ("floats", floats)];

fn main() {
    let n_queries = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(200_000);
    let kind = std::env::args().nth(2);
    for (name, make) in KINDS.iter().filter(|(name, _)| kind.as_deref().is_none_or(|kind| kind == *name)) {
        println!("{name}");
        run(*make, n_queries);
    }
}

fn run(make: Make, n_queries: u64) {
    let mut pool = ExprPool::new();
    let vars = ["x", "y", "z"].map(|name| pool.new_var(name, Sort::Bv(32)));
    let vars = vars.map(|var| pool.mk_var(var));
    let (mut solver, hint, limits) = (Z3::new(), Model::new(), Limits::default());
    let mut n_sat = 0;
    for at in 0..n_queries {
        let constraints = make(&mut pool, &vars, at);
        let query = Query { constraints: &constraints, n_satisfied: 0, hint: &hint, limits: &limits };
        n_sat += solver.check(&mut pool, &query).is_sat() as u64;
        if at % GENERATION == GENERATION - 1 {
            let freed = pool.collect(vars);
            solver.forget(&pool, &freed);
        }
        if (at + 1) % (n_queries / N_REPORTS).max(1) == 0 {
            println!("{:>9} queries, {n_sat} satisfiable: {:.1} MiB", at + 1, resident_mib());
        }
    }
}

fn paths(pool: &mut ExprPool, vars: &[ExprId], at: u64) -> Vec<ExprId> {
    let (step, bound) = (pool.mk_const(32, at / 7), pool.mk_const(32, 3 * at + 10));
    let sum = pool.mk_add(vars[0], step);
    let next = pool.mk_add(vars[1], sum);
    vec![pool.mk_ult(sum, bound), pool.mk_ult(bound, next), pool.mk_ne(next, vars[2])]
}

fn products(pool: &mut ExprPool, vars: &[ExprId], at: u64) -> Vec<ExprId> {
    let [x, y] = [vars[0], vars[1]].map(|var| pool.mk_trunc(var, 5));
    let [x, y] = [x, y].map(|var| pool.mk_zext(var, 10));
    let low = pool.mk_trunc(vars[2], 10);
    let (product, wanted) = (pool.mk_mul(x, y), pool.mk_const(10, at));
    let wanted = pool.mk_add(wanted, low);
    let constraints = [pool.mk_eq(product, wanted), pool.mk_ult(x, y)];
    constraints.to_vec()
}

fn floats(pool: &mut ExprPool, vars: &[ExprId], at: u64) -> Vec<ExprId> {
    let number = pool.mk_const(32, (at as f32).to_bits() as u64);
    let sum = pool.mk_fbinop(FloatKind::Float, FBinOp::FAdd, vars[0], number);
    vec![pool.mk_fcmp(FloatKind::Float, FCmpOp::Olt, number, sum)]
}

fn resident_mib() -> f64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let n_pages: f64 = statm.split(' ').nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0.0);
    n_pages * 4096.0 / (1 << 20) as f64
}
