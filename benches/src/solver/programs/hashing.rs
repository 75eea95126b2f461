//! A hash table with multiplicative hashing and chained entries.

use spelunk_bv::CmpOp;
use spelunk_expr::ExprId;

use crate::solver::explorer::{Context, Program};

pub const PROGRAM: Program = Program { name: "hash table", inputs: || vec![32; 5], run, n_queries: 600 };

const LOG_SIZE: u32 = 3;
const SIZE: usize = 1 << LOG_SIZE;

fn run(cx: &mut Context<'_>) {
    let mut table: [Vec<ExprId>; SIZE] = Default::default();
    for at in 0..cx.n_inputs() {
        let key = cx.input(at);
        let bucket = bucket(cx, key);
        if !table[bucket].iter().any(|&other| cx.compare(CmpOp::Eq, key, other)) {
            table[bucket].push(key);
        }
    }
}

fn bucket(cx: &mut Context<'_>, key: ExprId) -> usize {
    let factor = cx.pool.mk_const(32, 2_654_435_769);
    let product = cx.pool.mk_mul(key, factor);
    let hash = cx.pool.mk_extract(product, 32 - LOG_SIZE, LOG_SIZE);
    // The jump to the bucket, as a switch.
    (0..SIZE - 1).find(|&bucket| cx.is(hash, bucket as u64)).unwrap_or(SIZE - 1)
}
