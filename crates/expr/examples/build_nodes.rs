//! How fast nodes are made and what they take: ten million nodes with sharing, as a program's loop would make them.
//!
//! `cargo run --release -p spelunk-expr --example build_nodes [-- MILLIONS]`

use spelunk_expr::{Evaluator, ExprId, ExprPool, FreeVars, Model, Sort};

fn main() {
    let millions: usize = std::env::args().nth(1).and_then(|arg| arg.parse().ok()).unwrap_or(10);
    let mut pool = ExprPool::new();
    let bytes: Vec<ExprId> = (0..1024)
        .map(|at| {
            let var = pool.new_var(&format!("in{at}"), Sort::Bv(8));
            pool.mk_var(var)
        })
        .collect();

    let wanted = millions * 1_000_000;
    let start = Stopwatch::start();
    let (sum, made) = mix(&mut pool, &bytes, |pool| pool.n_nodes() >= wanted, 0);
    report("new nodes", start.nanos() / pool.n_nodes() as f64, "node", &pool);

    let start = Stopwatch::start();
    let mut n_rounds = made / CALLS_A_ROUND;
    let (again, made) = mix(
        &mut pool,
        &bytes,
        |_| {
            n_rounds = n_rounds.saturating_sub(1);
            n_rounds == 0
        },
        0,
    );
    report("nodes that exist", start.nanos() / made as f64, "call", &pool);
    println!("same expression: {}", again == sum || millions == 0);

    let mut evaluator = Evaluator::new();
    let model = Model::new();
    for what in ["first evaluation", "second evaluation"] {
        let start = Stopwatch::start();
        let value = evaluator.under(&pool, &model).eval_u64(sum);
        println!("{what}: {:.1} ns/node (value {value})", start.nanos() / pool.n_nodes() as f64);
    }

    let start = Stopwatch::start();
    let mut free_vars = FreeVars::new();
    let set = free_vars.of(&pool, sum);
    let n_vars = free_vars.iter(set).count();
    println!("free variables: {:.1} ns/node ({n_vars} variables)", start.nanos() / pool.n_nodes() as f64);

    let start = Stopwatch::start();
    let n_nodes = pool.n_nodes();
    let dropped = pool.collect([bytes[0]]);
    println!("collection: {:.1} ns/node ({} dropped)", start.nanos() / n_nodes as f64, dropped.len());
}

const CALLS_A_ROUND: usize = 9;

/// A checksum with table-free mixing and a branch condition a round, until told to stop. Returns the sum and how many
/// calls of the builder were made.
fn mix(
    pool: &mut ExprPool,
    bytes: &[ExprId],
    mut is_done: impl FnMut(&ExprPool) -> bool,
    seed: u64,
) -> (ExprId, usize) {
    let mut sum = pool.mk_const(32, seed);
    let (five, mask) = (pool.mk_const(32, 5), pool.mk_const(32, 0x0f0f_3355));
    let limit = pool.mk_const(32, 1 << 20);
    let mut n_calls = 0;
    for round in 0.. {
        let byte = bytes[round % bytes.len()];
        let wide = pool.mk_zext(byte, 32);
        let scaled = pool.mk_mul(sum, five);
        let added = pool.mk_add(scaled, wide);
        let shifted = pool.mk_lshr(added, five);
        let mixed = pool.mk_xor(added, shifted);
        let masked = pool.mk_and(mixed, mask);
        let below = pool.mk_ult(masked, limit);
        let other = pool.mk_sub(masked, scaled);
        sum = pool.mk_ite(below, mixed, other);
        n_calls += CALLS_A_ROUND;
        if is_done(pool) {
            break;
        }
    }
    (sum, n_calls)
}

/// Time on a processor, so that what else the machine does matters less; wall-clock time where there is no telling.
struct Stopwatch {
    wall: std::time::Instant,
    processor: Option<u64>,
}

impl Stopwatch {
    fn start() -> Self {
        Stopwatch { wall: std::time::Instant::now(), processor: processor_nanos() }
    }

    fn nanos(&self) -> f64 {
        match (self.processor, processor_nanos()) {
            (Some(start), Some(now)) => (now - start) as f64,
            _ => self.wall.elapsed().as_nanos() as f64,
        }
    }
}

fn processor_nanos() -> Option<u64> {
    std::fs::read_to_string("/proc/self/schedstat").ok()?.split_whitespace().next()?.parse().ok()
}

fn report(what: &str, nanos: f64, per: &str, pool: &ExprPool) {
    let n_nodes = pool.n_nodes();
    println!(
        "{what}: {n_nodes} nodes, {nanos:.1} ns/{per}, {:.1} bytes/node in the pool{}",
        pool.n_bytes() as f64 / n_nodes as f64,
        match peak_bytes() {
            Some(peak) => format!(", {:.1} bytes/node at the peak of the process", peak as f64 / n_nodes as f64),
            None => String::new(),
        }
    );
}

/// The largest resident size so far, where the system tells.
fn peak_bytes() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<usize>().ok()? * 1024)
}
