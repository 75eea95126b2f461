//! Sets that hold for integers without bounds, on request. Each is tried in the machine's arithmetic: what holds there too is a set like
//! any other; the rest is told apart, and is no bug.

use crate::farkas::closed_rows;
use crate::linear::{self, Linear, Row};
use crate::proof::{self, Closed, Prover};
use crate::relation::Relation;
use spelunk_expr::{ExprId, ExprPool};

/// A linear set that some input leads into.
pub struct Found {
    way: Linear,
    rows: Vec<Row>,
    /// The same as conditions on bits.
    pub conds: Vec<ExprId>,
    pub holds: Holds,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holds {
    InMachine,
    /// In the machine, some state of the set leads out of it.
    UnboundedOnly,
}

/// Looks for a set that is never left; `path` is what the input is known to satisfy.
pub fn find(pool: &mut ExprPool, relation: &Relation, path: &[ExprId]) -> Option<Found> {
    for way in linear::ways(pool, relation) {
        let present: Vec<i64> = way.vars.iter().map(|&var| value(pool, relation, var)).collect();
        let mut stem = proof::stem(pool, relation);
        let mut prover = Prover::default();
        let rows = closed_rows(pool, &way, &present, |pool, rows| {
            let conds: Vec<ExprId> = rows.iter().map(|row| way.condition(pool, row)).collect();
            let query: Vec<ExprId> =
                conds.into_iter().map(|cond| stem.apply(pool, cond)).chain(path.iter().copied()).collect();
            prover.ask(pool, &query).is_sat()
        });
        let Some(rows) = rows else { continue };
        let conds: Vec<ExprId> = rows.iter().map(|row| way.condition(pool, row)).collect();
        let holds = match proof::closed_with(pool, relation, &conds) {
            Closed::Proved => Holds::InMachine,
            Closed::Left => Holds::UnboundedOnly,
            Closed::Unknown => continue,
        };
        return Some(Found { way, rows, conds, holds });
    }
    None
}

impl Found {
    /// As C would have it; `name` has what variables are called.
    pub fn text(&self, name: impl Fn(ExprId) -> String) -> String {
        let names: Vec<String> = self.way.vars.iter().map(|&var| name(var)).collect();
        let rows = self.rows.iter().filter(|row| row.coeffs.iter().any(|&coeff| coeff != 0));
        rows.map(|row| row.text(&names)).collect::<Vec<_>>().join(" && ")
    }
}

fn value(pool: &ExprPool, relation: &Relation, var: ExprId) -> i64 {
    let unused = 64 - pool.width(var);
    let value = relation.model.get_u64(pool.node(var).var()).unwrap_or(0);
    ((value << unused) as i64) >> unused
}
