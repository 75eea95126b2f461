//! Tables of truth: for which values of a variable of 9 to 16 bits a condition holds is computed once, for all of them.
//!
//! A byte has that in [`crate::unary`], for all layers. Tables are 32 times as large as that, so they are made only for
//! what is asked here, and some are kept. A query is then decided by intersecting the tables of its conditions.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use spelunk_expr::lanes::{Lane, N_LANES};
use spelunk_expr::{ExprId, Lanes, Model, Sort, VarId};

use crate::chain::Layer;
use crate::query::{Answer, Query};
use crate::stage::{Context, Freed, Rest, Stage};

#[derive(Default)]
pub struct Tabulate {
    tables: FxHashMap<ExprId, Rc<Table>>,
    lanes: Lanes,
}

/// A bit for each value.
#[derive(Clone, PartialEq, Eq)]
struct Table([u64; 1024]);

const MIN_WIDTH: u32 = 9;
const MAX_WIDTH: u32 = 16;

/// Steps of evaluation that a condition may take: a table of 16 bits then takes a few milliseconds.
const MAX_STEPS: usize = 128;

/// 8 KiB each.
const MAX_TABLES: usize = 1024;

impl Stage for Tabulate {
    fn name(&self) -> &'static str {
        Layer::Tabulate.name()
    }

    fn check(&mut self, cx: &mut Context<'_>, query: &Query<'_>, rest: &mut Rest<'_>) -> Answer {
        let decided = only_var(cx, query).and_then(|(var, width)| self.decide(cx, query, var, width));
        decided.unwrap_or_else(|| rest.check(cx, query))
    }

    fn forget(&mut self, freed: &Freed) {
        self.tables.retain(|id, _| !freed.contains(*id));
    }
}

/// The one variable that all conditions are about, if there are tables of its values.
fn only_var(cx: &mut Context<'_>, query: &Query<'_>) -> Option<(VarId, u32)> {
    let mut only = None;
    for &constraint in query.constraints {
        let vars = cx.free_vars.of(cx.pool, constraint);
        let var = cx.free_vars.as_single(vars)?;
        if *only.get_or_insert(var) != var {
            return None;
        }
    }
    match (only?, cx.pool.var_sort(only?)) {
        (var, Sort::Bv(width @ MIN_WIDTH..=MAX_WIDTH)) => Some((var, width)),
        _ => None,
    }
}

impl Tabulate {
    fn decide(&mut self, cx: &mut Context<'_>, query: &Query<'_>, var: VarId, width: u32) -> Option<Answer> {
        let mut tables: Vec<(ExprId, Rc<Table>)> = Vec::new();
        let mut common = Table::all();
        for &constraint in query.targets().iter().chain(query.satisfied()) {
            let table = self.table(cx, constraint, width)?;
            common.intersect(&table);
            tables.push((constraint, table));
            if common.is_empty(width) {
                return Some(Answer::Unsat(core(&tables, width)));
            }
        }
        let old = query.hint.get_u64(var).unwrap_or(0);
        let mut changes = Model::new();
        if let Some(value) = common.nearest(old, width).filter(|&value| value != old) {
            changes.set_u64(var, value);
        }
        Some(Answer::Sat(changes))
    }

    fn table(&mut self, cx: &Context<'_>, condition: ExprId, width: u32) -> Option<Rc<Table>> {
        if let Some(table) = self.tables.get(&condition) {
            return Some(Rc::clone(table));
        }
        if !self.lanes.prepare(cx.pool, &[condition], MAX_STEPS) {
            return None;
        }
        if self.tables.len() == MAX_TABLES {
            self.tables.clear();
        }
        let mut table = Table::all();
        for (word, base) in table.words(width).iter_mut().zip((0u64..).step_by(N_LANES)) {
            let fill = |_, lane: &mut Lane| *lane = std::array::from_fn(|at| base + at as u64);
            *word = self.lanes.run(cx.pool, fill);
        }
        let table = Rc::new(table);
        self.tables.insert(condition, Rc::clone(&table));
        Some(table)
    }
}

/// Of conditions that together allow nothing, the fewest that do; the last one is needed.
fn core(tables: &[(ExprId, Rc<Table>)], width: u32) -> Vec<ExprId> {
    let mut core = Vec::new();
    let mut kept = Table::all();
    while !kept.is_empty(width) {
        let mut common = kept.clone();
        let last = tables.iter().find(|(_, table)| {
            common.intersect(table);
            common.is_empty(width)
        });
        let (id, table) = last.expect("all of them together allow nothing");
        kept.intersect(table);
        core.push(*id);
    }
    core
}

impl Table {
    fn all() -> Self {
        Table([u64::MAX; 1024])
    }

    fn words(&mut self, width: u32) -> &mut [u64] {
        &mut self.0[..1 << (width - 6)]
    }

    fn intersect(&mut self, other: &Table) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= other);
    }

    fn is_empty(&self, width: u32) -> bool {
        self.0[..1 << (width - 6)].iter().all(|&word| word == 0)
    }

    /// Of two values that are as near, the smaller.
    fn nearest(&self, to: u64, width: u32) -> Option<u64> {
        let contains = |value: &u64| self.0[*value as usize / 64] >> (value % 64) & 1 != 0;
        let last = (1 << width) - 1;
        let below = (0..=to.min(last)).rev().find(contains);
        let above = (to..=last).find(contains);
        below.into_iter().chain(above).min_by_key(|value| value.abs_diff(to))
    }
}
