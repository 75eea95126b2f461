//! In which order reads are given to arrays: a read whose place depends on what another one yields comes after it.

use rustc_hash::{FxHashMap, FxHashSet};
use spelunk_expr::{ExprId, ExprPool};

use super::Circuit;
use crate::blast::gates::DefId;

/// The reads, those inside of others first. Reads are not numbered so: the place of one is built when it is needed.
pub(crate) fn inner_first(circuit: &Circuit, pool: &ExprPool, reads: &[DefId]) -> Vec<DefId> {
    let by_expr: FxHashMap<ExprId, DefId> =
        reads.iter().filter_map(|&def| Some((circuit.defs.read(def)?.expr, def))).collect();
    let mut ordered = Vec::with_capacity(reads.len());
    let mut seen = FxHashSet::default();
    let mut stack: Vec<(ExprId, Visit)> =
        reads.iter().rev().filter_map(|&def| circuit.defs.read(def)).map(|read| (read.expr, Visit::Enter)).collect();
    while let Some((id, visit)) = stack.pop() {
        match visit {
            Visit::Enter if seen.insert(id) => {
                stack.push((id, Visit::Leave));
                stack.extend(pool.node(id).args().map(|arg| (arg, Visit::Enter)));
            }
            Visit::Enter => {}
            Visit::Leave => ordered.extend(by_expr.get(&id)),
        }
    }
    ordered
}

enum Visit {
    Enter,
    Leave,
}
