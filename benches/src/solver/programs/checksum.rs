//! A packet with a header, escaped bytes, and a CRC-16 by table that has to be right.

use spelunk_expr::ExprId;

use crate::solver::explorer::{Context, Program};

pub const PROGRAM: Program = Program { name: "packet with CRC", inputs: || vec![8; 12], run, n_queries: 600 };

const MAGIC: [u64; 2] = [0x7e, 0x42];
const MAX_LEN: u64 = 6;
const ESCAPE: u64 = 0x7d;

fn run(cx: &mut Context<'_>) {
    if !(0..MAGIC.len()).all(|at| cx.is(cx.input(at), MAGIC[at])) {
        return;
    }
    let length = cx.input(MAGIC.len());
    let Some(length) = (1..=MAX_LEN).find(|&value| cx.is(length, value)) else { return };
    let payload = MAGIC.len() + 1;
    let table = table(cx);
    let mut crc = cx.pool.mk_const(16, 0xffff);
    for at in payload..payload + length as usize {
        let byte = cx.input(at);
        let byte = if cx.is(byte, ESCAPE) { cx.pool.mk_const(8, 0x5d) } else { byte };
        crc = step(cx, table, crc, byte);
    }
    let stored = payload + length as usize;
    let stored = cx.pool.mk_concat(cx.input(stored), cx.input(stored + 1));
    let is_right = cx.pool.mk_eq(stored, crc);
    if !cx.branch(is_right) {
        return;
    }
    // What the packet asks for.
    let command = cx.input(payload);
    let _ = [0x01, 0x10, 0x80].into_iter().find(|&known| cx.is(command, known));
    let _ = cx.is(crc, 0xbeef);
}

fn step(cx: &mut Context<'_>, table: ExprId, crc: ExprId, byte: ExprId) -> ExprId {
    let pool = &mut *cx.pool;
    let high = pool.mk_extract(crc, 8, 8);
    let index = pool.mk_xor(high, byte);
    let entry = pool.mk_select(table, index);
    let eight = pool.mk_const(16, 8);
    let shifted = pool.mk_shl(crc, eight);
    pool.mk_xor(shifted, entry)
}

/// CRC-16/CCITT.
fn table(cx: &mut Context<'_>) -> ExprId {
    let entry = |index: u16| (0..8).fold(index << 8, |crc, _| crc << 1 ^ if crc >> 15 == 1 { 0x1021 } else { 0 });
    let bytes: Vec<u8> = (0..256).flat_map(|index| entry(index).to_le_bytes()).collect();
    cx.pool.mk_table(8, 16, &bytes)
}
