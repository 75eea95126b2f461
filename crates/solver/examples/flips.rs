//! How long typical branch flips take: `cargo run --release -p spelunk-solver --example flips`.
//!
//! Each scenario is a path over many inputs and a set of flips of its branches, asked again and again by the whole
//! chain. What the layers leave goes to the bit-blaster.

use spelunk_expr::{ExprId, ExprPool, Model, Sort};
use spelunk_solver::chain::{Options, build};
use spelunk_solver::{Limits, Query, Solver};

struct Scenario {
    name: &'static str,
    pool: ExprPool,
    hint: Model,
    /// Conditions that the hint satisfies.
    path: Vec<ExprId>,
}

impl Scenario {
    fn new(name: &'static str) -> Self {
        Scenario { name, pool: ExprPool::new(), hint: Model::new(), path: Vec::new() }
    }

    fn input(&mut self, width: u32, value: u64) -> ExprId {
        let var = self.pool.new_var("in", Sort::Bv(width));
        self.hint.set_u64(var, value);
        self.pool.mk_var(var)
    }

    /// The condition or its negation, whichever the hint satisfies.
    fn branch(&mut self, condition: ExprId) {
        let holds = spelunk_expr::Evaluator::new().under(&self.pool, &self.hint).eval_bool(condition);
        let taken = if holds { condition } else { self.pool.mk_not(condition) };
        if !self.pool.is_const(taken) {
            self.path.push(taken);
        }
    }

    /// Flips each branch in turn. Returns how many flips are satisfiable.
    fn flip_all(&mut self, flips: &[ExprId], solver: &mut dyn Solver) -> usize {
        let limits = Limits::default();
        let mut constraints = self.path.clone();
        let mut n_sat = 0;
        for at in (0..flips.len()).rev() {
            constraints.truncate(at + 1);
            constraints[at] = flips[at];
            let query = Query { constraints: &constraints, n_satisfied: at, hint: &self.hint, limits: &limits };
            n_sat += solver.check(&mut self.pool, &query).is_sat() as usize;
        }
        n_sat
    }

    /// Prints what a flip takes: with a new solver for each round of flips, and with one for all rounds.
    fn run(mut self, options: &Options) {
        let flips: Vec<ExprId> = self.path.clone().into_iter().map(|taken| self.pool.mk_not(taken)).collect();
        let mut solver = build(options);
        let mut n_sat = 0;
        let [cold, warm] = [true, false].map(|is_cold| {
            let (started, mut n_rounds) = (cpu_time(), 0);
            while cpu_time() - started < 500_000_000 {
                if is_cold {
                    solver = build(options);
                }
                n_sat = self.flip_all(&flips, &mut *solver);
                n_rounds += 1;
            }
            (cpu_time() - started) as f64 / (n_rounds * flips.len()) as f64 / 1000.0
        });
        let percent = 100 * n_sat / flips.len();
        let (name, n_flips) = (self.name, flips.len());
        println!("{name:<22} {n_flips:>5} flips, {percent:>3}% sat, cold {cold:>8.2} us, warm {warm:>8.2} us");
        let mut all = Vec::new();
        solver.stats(&mut all);
        for stats in all.iter().filter(|stats| stats.n_queries > 0) {
            println!(
                "    {:<14} {:>8} queries {:>8} sat {:>8} unsat {:>8} unknown {:>9.1} ns each",
                stats.layer,
                stats.n_queries,
                stats.n_sat,
                stats.n_unsat,
                stats.n_unknown,
                stats.time.as_nanos() as f64 / stats.n_queries as f64
            );
        }
    }
}

/// How long this process has been running, in nanoseconds: the time of others on a shared machine does not count.
fn cpu_time() -> u64 {
    let schedstat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    schedstat.split(' ').next().and_then(|first| first.parse().ok()).expect("Linux tells")
}

/// A tokenizer: each byte of a text is compared with ranges and characters.
fn parser() -> Scenario {
    let mut s = Scenario::new("bytes of a parser");
    for byte in b"let answer = 42 + f(x1, \"text\"); /* and so on */ return answer;".repeat(4) {
        let x = s.input(8, byte as u64);
        for c in [b' ', b'\n', b'"', b'/', b'('] {
            let c = s.pool.mk_const(8, c as u64);
            let is = s.pool.mk_eq(x, c);
            s.branch(is);
        }
        for (first, last) in [(b'0', b'9'), (b'a', b'z'), (b'A', b'Z')] {
            let (first, size) = (s.pool.mk_const(32, first as u64), s.pool.mk_const(32, (last - first + 1) as u64));
            let wide = s.pool.mk_sext(x, 32);
            let offset = s.pool.mk_sub(wide, first);
            let is_in = s.pool.mk_ult(offset, size);
            s.branch(is_in);
        }
    }
    s
}

/// Words of four bytes compared with constants, as in a file's header.
fn header() -> Scenario {
    let mut s = Scenario::new("words of four bytes");
    for word in 0..64u64 {
        let bytes: Vec<ExprId> = (0..4).map(|at| s.input(8, (word * 37 + at) & 0x7f)).collect();
        let high = s.pool.mk_concat(bytes[3], bytes[2]);
        let low = s.pool.mk_concat(bytes[1], bytes[0]);
        let x = s.pool.mk_concat(high, low);
        for bound in [0x464c_457f, 100, 0x1000_0000] {
            let bound = s.pool.mk_const(32, bound);
            let (is, below) = (s.pool.mk_eq(x, bound), s.pool.mk_slt(x, bound));
            s.branch(is);
            s.branch(below);
        }
    }
    s
}

/// Insertion sort of numbers.
fn sorting(n: usize, name: &'static str) -> Scenario {
    let mut s = Scenario::new(name);
    let mut sorted: Vec<(u64, ExprId)> = Vec::new();
    for at in 0..n {
        let value = (at as u64).wrapping_mul(0x9e37_79b9) >> 7 & 0xffff;
        let x = s.input(32, value);
        let mut place = sorted.len();
        while place > 0 {
            let is_less = s.pool.mk_slt(x, sorted[place - 1].1);
            s.branch(is_less);
            if value >= sorted[place - 1].0 {
                break;
            }
            place -= 1;
        }
        sorted.insert(place, (value, x));
    }
    s
}

/// Pointers compared with each other and with NULL.
fn pointers() -> Scenario {
    let mut s = Scenario::new("pointers of a list");
    let vars: Vec<ExprId> =
        (0..24u64).map(|at| s.input(64, if at % 5 == 4 { 0 } else { (at % 7 + 1) << 32 })).collect();
    let null = s.pool.mk_const(64, 0);
    for (at, &x) in vars.iter().enumerate() {
        let is_null = s.pool.mk_eq(x, null);
        s.branch(is_null);
        for &y in &vars[..at] {
            let is_same = s.pool.mk_eq(x, y);
            s.branch(is_same);
        }
    }
    s
}

/// Arithmetic on 32-bit numbers that inversion undoes.
fn arithmetic() -> Scenario {
    let mut s = Scenario::new("linear arithmetic");
    for at in 0..64u64 {
        let (x, y) = (s.input(32, at * 1000), s.input(32, at * 77));
        let (three, bias) = (s.pool.mk_const(32, 3), s.pool.mk_const(32, at * 5));
        let scaled = s.pool.mk_mul(x, three);
        let sum = s.pool.mk_add(scaled, y);
        let sum = s.pool.mk_add(sum, bias);
        let goal = s.pool.mk_const(32, 123_456);
        let (is, below) = (s.pool.mk_eq(sum, goal), s.pool.mk_ult(sum, goal));
        s.branch(is);
        s.branch(below);
        let mask = s.pool.mk_const(32, 0x55);
        let masked = s.pool.mk_xor(x, y);
        let masked = s.pool.mk_and(masked, mask);
        let is_masked = s.pool.mk_eq(masked, mask);
        s.branch(is_masked);
    }
    s
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let options = Options::default();
    for scenario in [parser(), header(), sorting(12, "sort of 12"), sorting(40, "sort of 40"), pointers(), arithmetic()]
    {
        if wanted.is_empty() || wanted.iter().any(|name| scenario.name.contains(name.as_str())) {
            scenario.run(&options);
        }
    }
}
