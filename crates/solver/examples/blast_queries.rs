//! Times the bit-blaster with each of its SAT solvers, and Z3, on hard single queries and on sequences of easy ones.
//!
//! `cargo run --release -p spelunk-solver --example blast_queries [FILTER [SECONDS]]`

use std::time::Duration;

use rustsat::utils::Timer;
use spelunk_expr::{ExprId, ExprPool, Model, Sort, VarId};
use spelunk_solver::blast::{Blaster, SatKind};
use spelunk_solver::{Answer, Limits, Query, Solver};

type Constraints = Vec<ExprId>;
type Single = (&'static str, fn(&mut ExprPool) -> Constraints);

fn var(pool: &mut ExprPool, name: &str, width: u32) -> ExprId {
    let var = pool.new_var(name, Sort::Bv(width));
    pool.mk_var(var)
}

fn greater_one(pool: &mut ExprPool, x: ExprId) -> ExprId {
    let one = pool.mk_const(pool.width(x), 1);
    pool.mk_ult(one, x)
}

/// `x * y = c`, both above one, in as many bits as given.
fn product(pool: &mut ExprPool, width: u32, value: u64) -> Constraints {
    let (x, y) = (var(pool, "x", width), var(pool, "y", width));
    let (xy, c) = (pool.mk_mul(x, y), pool.mk_const(width, value));
    vec![pool.mk_eq(xy, c), greater_one(pool, x), greater_one(pool, y)]
}

/// `x * y = c` without overflow.
fn factoring(pool: &mut ExprPool, width: u32, value: u64) -> Constraints {
    let (x, y) = (var(pool, "x", width), var(pool, "y", width));
    let (wide_x, wide_y) = (pool.mk_zext(x, 2 * width), pool.mk_zext(y, 2 * width));
    let (xy, c) = (pool.mk_mul(wide_x, wide_y), pool.mk_const(2 * width, value));
    vec![pool.mk_eq(xy, c), greater_one(pool, x), greater_one(pool, y)]
}

/// `(x * y) * z != x * (y * z)`.
fn associativity(pool: &mut ExprPool, width: u32) -> Constraints {
    let [x, y, z] = ["x", "y", "z"].map(|name| var(pool, name, width));
    let (xy, yz) = (pool.mk_mul(x, y), pool.mk_mul(y, z));
    let (left, right) = (pool.mk_mul(xy, z), pool.mk_mul(x, yz));
    vec![pool.mk_ne(left, right)]
}

/// `x * y != y * x`, hidden from the builder by additions.
fn commutativity(pool: &mut ExprPool, width: u32) -> Constraints {
    let [x, y, z] = ["x", "y", "z"].map(|name| var(pool, name, width));
    let (sum, other_sum) = (pool.mk_add(x, z), pool.mk_add(y, z));
    let (a, b) = (pool.mk_mul(sum, other_sum), pool.mk_mul(other_sum, sum));
    let one = pool.mk_const(width, 1);
    let a = pool.mk_add(a, one);
    let b = pool.mk_sub(b, one);
    let two = pool.mk_const(width, 2);
    let b = pool.mk_add(b, two);
    vec![pool.mk_ne(a, b)]
}

/// `x * (y + z) != x * y + x * z`.
fn distributivity(pool: &mut ExprPool, width: u32) -> Constraints {
    let [x, y, z] = ["x", "y", "z"].map(|name| var(pool, name, width));
    let sum = pool.mk_add(y, z);
    let (left, xy, xz) = (pool.mk_mul(x, sum), pool.mk_mul(x, y), pool.mk_mul(x, z));
    let right = pool.mk_add(xy, xz);
    vec![pool.mk_ne(left, right)]
}

/// `(x / y) * y + x % y != x`.
fn division_identity(pool: &mut ExprPool, width: u32) -> Constraints {
    let (x, y) = (var(pool, "x", width), var(pool, "y", width));
    let (q, r) = (pool.mk_udiv(x, y), pool.mk_urem(x, y));
    let qy = pool.mk_mul(q, y);
    let sum = pool.mk_add(qy, r);
    vec![pool.mk_ne(sum, x)]
}

/// `x % y >= y` for `y > 0`.
fn remainder_bound(pool: &mut ExprPool, width: u32) -> Constraints {
    let (x, y) = (var(pool, "x", width), var(pool, "y", width));
    let r = pool.mk_urem(x, y);
    let zero = pool.mk_const(width, 0);
    vec![pool.mk_ule(y, r), pool.mk_ult(zero, y)]
}

/// `x / y > x`.
fn quotient_bound(pool: &mut ExprPool, width: u32) -> Constraints {
    let (x, y) = (var(pool, "x", width), var(pool, "y", width));
    let q = pool.mk_udiv(x, y);
    let zero = pool.mk_const(width, 0);
    vec![pool.mk_ult(x, q), pool.mk_ult(zero, y)]
}

/// `x / y = c`, `x % y = d`.
fn division_inverted(pool: &mut ExprPool, width: u32) -> Constraints {
    let (x, y) = (var(pool, "x", width), var(pool, "y", width));
    let (q, r) = (pool.mk_udiv(x, y), pool.mk_urem(x, y));
    let (c, d) = (pool.mk_const(width, 12_345), pool.mk_const(width, 6_789));
    vec![pool.mk_eq(q, c), pool.mk_eq(r, d)]
}

/// `x / y = ?` for given operands: what a divider does forwards.
fn division_forwards(pool: &mut ExprPool, width: u32) -> Constraints {
    let (x, y) = (var(pool, "x", width), var(pool, "y", width));
    let q = pool.mk_sdiv(x, y);
    let (a, b) = (pool.mk_const(width, 0x1234_5678_9abc_def0), pool.mk_const(width, 0x1_2345));
    let zero = pool.mk_const(width, 0);
    vec![pool.mk_eq(x, a), pool.mk_eq(y, b), pool.mk_ne(q, zero)]
}

/// The decimal digits of a number.
fn digits(pool: &mut ExprPool, width: u32) -> Constraints {
    let x = var(pool, "x", width);
    let ten = pool.mk_const(width, 10);
    let mut rest = x;
    let mut constraints = Vec::new();
    for digit in [7, 3, 9, 1, 4] {
        let (last, wanted) = (pool.mk_urem(rest, ten), pool.mk_const(width, digit));
        constraints.push(pool.mk_eq(last, wanted));
        rest = pool.mk_udiv(rest, ten);
    }
    constraints
}

/// A multiplicative hash of bytes that has a given value.
fn hash(pool: &mut ExprPool, n_bytes: usize, width: u32) -> Constraints {
    let mut state = pool.mk_const(width, 5381);
    let factor = pool.mk_const(width, 33);
    for at in 0..n_bytes {
        let byte = var(pool, &format!("b{at}"), 8);
        let byte = pool.mk_zext(byte, width);
        state = pool.mk_mul(state, factor);
        state = pool.mk_add(state, byte);
    }
    let wanted = pool.mk_const(width, 0x7c9f_1a2b_3c4d_5e6f);
    vec![pool.mk_eq(state, wanted)]
}

/// FNV-1a, which mixes more.
fn fnv(pool: &mut ExprPool, n_bytes: usize) -> Constraints {
    let mut state = pool.mk_const(32, 0x811c_9dc5);
    let factor = pool.mk_const(32, 0x0100_0193);
    for at in 0..n_bytes {
        let byte = var(pool, &format!("b{at}"), 8);
        let byte = pool.mk_zext(byte, 32);
        state = pool.mk_xor(state, byte);
        state = pool.mk_mul(state, factor);
    }
    let wanted = pool.mk_const(32, 0x1a47_e90b);
    vec![pool.mk_eq(state, wanted)]
}

/// The averages of Hacker's Delight agree.
fn average(pool: &mut ExprPool, width: u32) -> Constraints {
    let (x, y) = (var(pool, "x", width), var(pool, "y", width));
    let (both, either) = (pool.mk_and(x, y), pool.mk_xor(x, y));
    let one = pool.mk_const(width, 1);
    let half = pool.mk_lshr(either, one);
    let left = pool.mk_add(both, half);
    let (wide_x, wide_y) = (pool.mk_zext(x, width + 1), pool.mk_zext(y, width + 1));
    let sum = pool.mk_add(wide_x, wide_y);
    let right = pool.mk_extract(sum, 1, width);
    vec![pool.mk_ne(left, right)]
}

/// A table of 256 random words, as in a CRC, applied to some bytes.
fn crc(pool: &mut ExprPool, n_bytes: usize, index_bits: u32) -> Constraints {
    let table: Vec<u8> = (0u32..1 << index_bits)
        .flat_map(|at| {
            let mut entry = at;
            for _ in 0..8 {
                entry = if entry & 1 != 0 { entry >> 1 ^ 0xedb8_8320 } else { entry >> 1 };
            }
            entry.to_le_bytes()
        })
        .collect();
    let table = pool.mk_table(64, 32, &table);
    let mut state = pool.mk_const(32, 0xffff_ffff);
    for at in 0..n_bytes {
        let byte = var(pool, &format!("b{at}"), index_bits);
        let low = pool.mk_trunc(state, index_bits);
        let index = pool.mk_xor(low, byte);
        let index = pool.mk_zext(index, 64);
        let entry = pool.mk_select(table, index);
        let shift = pool.mk_const(32, index_bits as u64);
        let rest = pool.mk_lshr(state, shift);
        state = pool.mk_xor(entry, rest);
    }
    let wanted = pool.mk_const(32, 0x1a47_e90b);
    let mask = pool.mk_const(32, 0xffff);
    let (state, wanted) = (pool.mk_and(state, mask), pool.mk_and(wanted, mask));
    vec![pool.mk_eq(state, wanted)]
}

/// A buffer of symbolic bytes, read at symbolic places.
fn buffer(pool: &mut ExprPool, size: u64) -> Constraints {
    let zero = pool.mk_const(8, 0);
    let mut array = pool.mk_const_array(64, zero);
    for at in 0..size {
        let (position, byte) = (pool.mk_const(64, at), var(pool, &format!("b{at}"), 8));
        array = pool.mk_store(array, position, byte);
    }
    let [i, j] = ["i", "j"].map(|name| var(pool, name, 32));
    let [i, j] = [i, j].map(|index| pool.mk_zext(index, 64));
    let (a, b) = (pool.mk_select(array, i), pool.mk_select(array, j));
    let sum = pool.mk_add(a, b);
    let wanted = pool.mk_const(8, 77);
    let bound = pool.mk_const(8, 60);
    vec![pool.mk_eq(sum, wanted), pool.mk_ult(bound, a), pool.mk_ult(bound, b), pool.mk_ult(i, j)]
}

const SINGLES: &[Single] = &[
    ("product-32", |pool| product(pool, 32, 0x1234_5677)),
    ("product-32-prime", |pool| product(pool, 32, 4_294_967_291)),
    ("product-64", |pool| product(pool, 64, 0x1234_5678_9abc_def1)),
    ("factor-16-semiprime", |pool| factoring(pool, 16, 65_521 * 65_519)),
    ("factor-16-prime", |pool| factoring(pool, 16, 4_294_967_291)),
    ("factor-20-semiprime", |pool| factoring(pool, 20, 1_048_573 * 1_048_571)),
    ("factor-24-small", |pool| factoring(pool, 24, 10_007 * 16_777_213)),
    ("commutativity-32", |pool| commutativity(pool, 32)),
    ("commutativity-64", |pool| commutativity(pool, 64)),
    ("associativity-6", |pool| associativity(pool, 6)),
    ("distributivity-7", |pool| distributivity(pool, 7)),
    ("division-identity-32", |pool| division_identity(pool, 32)),
    ("division-identity-64", |pool| division_identity(pool, 64)),
    ("remainder-bound-32", |pool| remainder_bound(pool, 32)),
    ("remainder-bound-64", |pool| remainder_bound(pool, 64)),
    ("quotient-bound-32", |pool| quotient_bound(pool, 32)),
    ("quotient-bound-64", |pool| quotient_bound(pool, 64)),
    ("division-inverted-32", |pool| division_inverted(pool, 32)),
    ("division-inverted-64", |pool| division_inverted(pool, 64)),
    ("division-forwards-64", |pool| division_forwards(pool, 64)),
    ("digits-32", |pool| digits(pool, 32)),
    ("digits-64", |pool| digits(pool, 64)),
    ("hash-33-12x64", |pool| hash(pool, 12, 64)),
    ("hash-33-8x32", |pool| hash(pool, 8, 32)),
    ("fnv-6", |pool| fnv(pool, 6)),
    ("average-64", |pool| average(pool, 64)),
    ("crc-4", |pool| crc(pool, 4, 8)),
    ("crc-wide-2", |pool| crc(pool, 2, 14)),
    ("buffer-32", |pool| buffer(pool, 32)),
    ("buffer-256", |pool| buffer(pool, 256)),
    ("buffer-4096", |pool| buffer(pool, 4096)),
];

/// Queries one after the other, each with what the last run had as a hint.
struct Sequence {
    name: &'static str,
    pool: ExprPool,
    queries: Vec<(Constraints, Model)>,
}

/// Runs that compare bytes with letters, and flips of each comparison.
fn letters(n_bytes: usize) -> Sequence {
    let mut pool = ExprPool::new();
    let bytes: Vec<ExprId> = (0..n_bytes).map(|at| var(&mut pool, &format!("b{at}"), 8)).collect();
    let mut queries = Vec::new();
    for run in 0..20u64 {
        let mut hint = Model::new();
        let mut path = Vec::new();
        for (at, &byte) in bytes.iter().enumerate() {
            let value = b'a' as u64 + (run * 7 + at as u64 * 3) % 26;
            hint.set_u64(pool.node(byte).var(), value);
            let letter = pool.mk_const(8, value);
            let is_letter = pool.mk_eq(byte, letter);
            let mut flipped = path.clone();
            flipped.push(pool.mk_not(is_letter));
            queries.push((flipped, hint.clone()));
            path.push(is_letter);
        }
    }
    Sequence { name: "letters", pool, queries }
}

/// A number parser: each byte is a digit or ends the number; the number is compared in the end.
fn numbers(n_digits: usize) -> Sequence {
    let mut pool = ExprPool::new();
    let bytes: Vec<ExprId> = (0..n_digits).map(|at| var(&mut pool, &format!("b{at}"), 8)).collect();
    let (zero, nine, ten) = (pool.mk_const(8, b'0' as u64), pool.mk_const(8, b'9' as u64), pool.mk_const(32, 10));
    let mut queries = Vec::new();
    for run in 0..30u64 {
        let mut hint = Model::new();
        let mut path: Constraints = Vec::new();
        let mut number = pool.mk_const(32, 0);
        let mut push = |pool: &mut ExprPool, path: &mut Constraints, taken: ExprId, hint: &Model| {
            let mut flipped = path.clone();
            flipped.push(pool.mk_not(taken));
            queries.push((flipped, hint.clone()));
            path.push(taken);
        };
        for (at, &byte) in bytes.iter().enumerate() {
            hint.set_u64(VarId(at as u32), b'0' as u64 + (run * 3 + at as u64) % 10);
            let (above, below) = (pool.mk_ule(zero, byte), pool.mk_ule(byte, nine));
            push(&mut pool, &mut path, above, &hint);
            push(&mut pool, &mut path, below, &hint);
            let digit = pool.mk_sub(byte, zero);
            let digit = pool.mk_zext(digit, 32);
            number = pool.mk_mul(number, ten);
            number = pool.mk_add(number, digit);
            let limit = pool.mk_const(32, 10u64.pow(at as u32 + 1) / (2 + run % 5));
            let is_small = pool.mk_slt(number, limit);
            let value = hint_value(&mut pool, number, &hint);
            let taken = if value < 10u64.pow(at as u32 + 1) / (2 + run % 5) { is_small } else { pool.mk_not(is_small) };
            push(&mut pool, &mut path, taken, &hint);
        }
    }
    Sequence { name: "numbers", pool, queries }
}

fn hint_value(pool: &mut ExprPool, expr: ExprId, hint: &Model) -> u64 {
    spelunk_expr::Evaluator::new().under(pool, hint).eval_u64(expr)
}

/// A tokenizer: each byte goes through a row of tests, the first that holds decides.
fn tokens(n_bytes: usize) -> Sequence {
    let mut pool = ExprPool::new();
    let bytes: Vec<ExprId> = (0..n_bytes).map(|at| var(&mut pool, &format!("b{at}"), 8)).collect();
    let tests = b" \t\n(){}[];,+-*/<>=!&|";
    let mut queries = Vec::new();
    for run in 0..6u64 {
        let mut hint = Model::new();
        let mut path: Constraints = Vec::new();
        for (at, &byte) in bytes.iter().enumerate() {
            let value = tests[(run as usize * 5 + at * 7) % tests.len()] as u64;
            hint.set_u64(VarId(at as u32), value);
            for &test in tests {
                let symbol = pool.mk_const(8, test as u64);
                let is_symbol = pool.mk_eq(byte, symbol);
                let holds = value == test as u64;
                let (taken, other) =
                    if holds { (is_symbol, pool.mk_not(is_symbol)) } else { (pool.mk_not(is_symbol), is_symbol) };
                let mut flipped = path.clone();
                flipped.push(other);
                queries.push((flipped, hint.clone()));
                path.push(taken);
                if holds {
                    break;
                }
            }
        }
    }
    Sequence { name: "tokens", pool, queries }
}

/// A checksum over all bytes must match before anything else is looked at.
fn checksum(n_bytes: usize) -> Sequence {
    let mut pool = ExprPool::new();
    let bytes: Vec<ExprId> = (0..n_bytes).map(|at| var(&mut pool, &format!("b{at}"), 8)).collect();
    let mut queries = Vec::new();
    let [mut low, mut high] = [pool.mk_const(16, 1), pool.mk_const(16, 0)];
    for &byte in &bytes {
        let byte = pool.mk_zext(byte, 16);
        low = pool.mk_add(low, byte);
        high = pool.mk_add(high, low);
    }
    for run in 0..40u64 {
        let mut hint = Model::new();
        for at in 0..n_bytes {
            hint.set_u64(VarId(at as u32), (run * 31 + at as u64 * 17) % 256);
        }
        let (low_sum, high_sum) = (hint_value(&mut pool, low, &hint), hint_value(&mut pool, high, &hint));
        let wanted = [pool.mk_const(16, low_sum), pool.mk_const(16, high_sum)];
        let sums = [pool.mk_eq(low, wanted[0]), pool.mk_eq(high, wanted[1])];
        let first = hint.get_u64(VarId(run as u32 % n_bytes as u32)).unwrap_or(0);
        let other = pool.mk_const(8, first ^ 0x15);
        let flipped = pool.mk_eq(bytes[run as usize % n_bytes], other);
        queries.push((vec![sums[0], sums[1], flipped], hint));
    }
    Sequence { name: "checksum", pool, queries }
}

type Contestant = (&'static str, fn() -> Box<dyn Solver>);

fn solvers() -> Vec<Contestant> {
    vec![
        ("both", || Box::new(Blaster::new(SatKind::Both))),
        ("own", || Box::new(Blaster::new(SatKind::Own))),
        ("cadical", || Box::new(Blaster::new(SatKind::Cadical))),
        ("z3", || Box::new(Z3Text::new("QF_AUFBV"))),
        ("z3-smt", || Box::new(Z3Text::new(""))),
    ]
}

/// Z3 with each query as text; incremental use is measured apart.
struct Z3Text {
    logic: &'static str,
}

impl Z3Text {
    fn new(logic: &'static str) -> Self {
        Z3Text { logic }
    }
}

impl Solver for Z3Text {
    fn check(&mut self, pool: &mut ExprPool, query: &Query<'_>) -> Answer {
        let solver = match self.logic {
            "" => z3::Solver::new(),
            logic => z3::Solver::new_for_logic(logic).expect("a logic"),
        };
        if let Some(time) = query.limits.time {
            let mut params = z3::Params::new();
            params.set_u32("timeout", time.as_millis() as u32);
            solver.set_params(&params);
        }
        solver.from_string(pool.to_smtlib(query.constraints));
        match solver.check() {
            z3::SatResult::Sat => Answer::Sat(Model::new()),
            z3::SatResult::Unsat => Answer::Unsat(vec![]),
            z3::SatResult::Unknown => Answer::Unknown(spelunk_solver::Unknown::Time),
        }
    }

    fn forget(&mut self, _: &ExprPool, _: &[ExprId]) {}

    fn stats(&self, _: &mut Vec<spelunk_solver::LayerStats>) {}
}

fn main() {
    let mut args = std::env::args().skip(1);
    let filter = args.next().unwrap_or_default();
    let seconds = args.next().and_then(|text| text.parse().ok()).unwrap_or(20);
    let only: Option<String> = args.next();
    let limits = Limits { time: Some(Duration::from_secs(seconds)), ..Limits::default() };
    let solvers: Vec<_> = solvers()
        .into_iter()
        .filter(|(name, _)| only.as_deref().is_none_or(|only| only.split(',').any(|one| one == *name)))
        .collect();
    print!("{:24}", "query, ms");
    solvers.iter().for_each(|(name, _)| print!("{name:>16}"));
    println!();
    for (name, make) in SINGLES.iter().filter(|(name, _)| name.contains(&filter)) {
        print!("{name:24}");
        for (_, solver) in &solvers {
            let mut pool = ExprPool::new();
            let constraints = make(&mut pool);
            let mut solver = solver();
            let start = Timer::now();
            let query = Query { constraints: &constraints, n_satisfied: 0, hint: &Model::new(), limits: &limits };
            let answer = solver.check(&mut pool, &query);
            print!("{:>10.2} {:5}", start.elapsed().as_secs_f64() * 1e3, verdict(&answer));
            use std::io::Write;
            let _ = std::io::stdout().flush();
        }
        println!();
    }
    println!("{:24}", "sequence, us a query");
    for make in [|| letters(64), || numbers(9), || tokens(24), || checksum(24)] as [fn() -> Sequence; 4] {
        if !make().name.contains(&filter) {
            continue;
        }
        print!("{:24}", make().name);
        for (name, solver) in &solvers {
            let mut sequence = make();
            let mut solver = solver();
            if name.starts_with("z3") {
                sequence.queries.truncate(100);
            }
            let start = Timer::now();
            let mut n_sat = 0;
            for (constraints, hint) in &sequence.queries {
                let query = Query { constraints, n_satisfied: constraints.len() - 1, hint, limits: &limits };
                n_sat += solver.check(&mut sequence.pool, &query).is_sat() as usize;
            }
            let each = start.elapsed().as_secs_f64() * 1e6 / sequence.queries.len() as f64;
            print!("{each:>10.1} {n_sat:5}");
        }
        println!();
    }
}

fn verdict(answer: &Answer) -> &'static str {
    match answer {
        Answer::Sat(_) => "sat",
        Answer::Unsat(_) => "unsat",
        Answer::Unknown(_) => "?",
    }
}
