//! A hash table with multiplicative hashing and linear probing.

use spelunk_bv::CmpOp;
use spelunk_expr::ExprId;

use crate::solver::explorer::{Context, Program};

pub const PROGRAM: Program = Program { name: "hash table", inputs: || vec![32; 5], run, n_queries: 1200 };

const LOG_SIZE: u32 = 3;
const SIZE: usize = 1 << LOG_SIZE;

fn run(cx: &mut Context<'_>) {
    let mut table: [Option<ExprId>; SIZE] = [None; SIZE];
    for at in 0..cx.n_inputs() {
        let key = cx.input(at);
        insert(cx, &mut table, key);
    }
}

fn insert(cx: &mut Context<'_>, table: &mut [Option<ExprId>; SIZE], key: ExprId) {
    let factor = cx.pool.mk_const(32, 2_654_435_769);
    let product = cx.pool.mk_mul(key, factor);
    let hash = cx.pool.mk_extract(product, 32 - LOG_SIZE, LOG_SIZE);
    // The jump to the bucket, as a switch.
    let first = (0..SIZE - 1).find(|&bucket| cx.is(hash, bucket as u64)).unwrap_or(SIZE - 1);
    for bucket in (0..SIZE).map(|step| (first + step) % SIZE) {
        match table[bucket] {
            None => {
                table[bucket] = Some(key);
                return;
            }
            Some(other) => {
                if cx.compare(CmpOp::Eq, key, other) {
                    return;
                }
            }
        }
    }
}
