//! What expressions take: ten million nodes with sharing, as a checksum over symbolic bytes makes them.

use serde::Serialize;
use spelunk_expr::{ExprId, ExprPool, Sort};

use super::cpu_time;
use crate::error::BenchError;

/// Bytes a node, as the process grows.
const MAX_BYTES: f64 = 60.0;

const N_NODES: usize = 10_000_000;
const N_INPUTS: usize = 1024;

#[derive(Serialize)]
pub struct Nodes {
    pub n_nodes: usize,
    pub bytes_a_node: f64,
    pub max_bytes: f64,
    /// As the pool itself counts.
    pub pool_bytes_a_node: f64,
    pub nanos_a_node: f64,
}

pub fn measure() -> Result<Nodes, BenchError> {
    let before = peak_bytes()?;
    let start = cpu_time();
    let mut pool = ExprPool::new();
    let bytes: Vec<ExprId> = (0..N_INPUTS)
        .map(|_| {
            let var = pool.new_var("in", Sort::Bv(8));
            pool.mk_var(var)
        })
        .collect();
    let mut sum = pool.mk_const(32, 0);
    for &byte in bytes.iter().cycle() {
        if pool.n_nodes() >= N_NODES {
            break;
        }
        sum = mix(&mut pool, sum, byte);
    }
    let (time, n_nodes) = (cpu_time() - start, pool.n_nodes() as f64);
    Ok(Nodes {
        n_nodes: pool.n_nodes(),
        bytes_a_node: peak_bytes()?.saturating_sub(before) as f64 / n_nodes,
        max_bytes: MAX_BYTES,
        pool_bytes_a_node: pool.n_bytes() as f64 / n_nodes,
        nanos_a_node: time.as_nanos() as f64 / n_nodes,
    })
}

/// One round: nine nodes, most of which the next round uses.
fn mix(pool: &mut ExprPool, sum: ExprId, byte: ExprId) -> ExprId {
    let (five, mask, limit) = (pool.mk_const(32, 5), pool.mk_const(32, 0x0f0f_3355), pool.mk_const(32, 1 << 20));
    let wide = pool.mk_zext(byte, 32);
    let scaled = pool.mk_mul(sum, five);
    let added = pool.mk_add(scaled, wide);
    let shifted = pool.mk_lshr(added, five);
    let mixed = pool.mk_xor(added, shifted);
    let masked = pool.mk_and(mixed, mask);
    let is_below = pool.mk_ult(masked, limit);
    let other = pool.mk_sub(masked, scaled);
    pool.mk_ite(is_below, mixed, other)
}

/// The largest resident size so far.
fn peak_bytes() -> Result<u64, BenchError> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let kib =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kib.map(|kib| kib * 1024).ok_or(BenchError::NoMemory)
}
