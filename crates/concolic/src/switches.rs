//! Switches as decisions: which values lead where.

use crate::decision::{Choice, Others};
use rustc_hash::FxHashMap;
use spelunk_expr::{ExprId, ExprPool};
use spelunk_ir::code::{Image, OpCode, OpIdx, SwitchKind, SwitchTable};
use std::collections::BTreeMap;

/// A table of the image: of a switch, or of the labels that a computed jump may go to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Table {
    Switch(u32),
    Labels(u32),
}

/// The tables of an image, sorted by where they lead.
#[derive(Debug, Default)]
pub struct Switches {
    switches: Vec<Ways>,
    labels: Vec<Ways>,
}

#[derive(Debug, Default)]
struct Ways {
    /// Of the value. `None` if that does not fit a word.
    width: Option<u32>,
    default: OpIdx,
    /// Where values lead that don't lead to the default, in the order of their least values.
    ways: Vec<Way>,
    /// Cases that lead where others do, the default among them, by that place.
    labels: Vec<(OpIdx, Vec<Label>)>,
}

/// One of several cases that lead to one place.
#[derive(Debug)]
pub struct Label {
    /// The operation that the switch goes to for this case alone.
    pub target: OpIdx,
    /// Its values, from the first to the last; nothing for the default.
    ranges: Vec<(u64, u64)>,
}

#[derive(Debug)]
struct Way {
    target: OpIdx,
    /// Values from the first to the last, in order.
    ranges: Vec<(u64, u64)>,
}

impl Switches {
    pub fn new(image: &Image) -> Self {
        let mut switches: Vec<Ways> = image.switches.iter().map(Ways::of_switch).collect();
        for op in image.ops.iter().filter(|op| op.code == OpCode::Switch) {
            switches[op.b as usize].width = Some(u32::from(op.aux)).filter(|&width| width <= 64);
        }
        let labels = image.indirect_targets.iter().map(|targets| Ways::new(Some(64), OpIdx::NOWHERE, targets));
        Self { switches, labels: labels.collect() }
    }

    fn ways(&self, table: Table) -> &Ways {
        match table {
            Table::Switch(idx) => &self.switches[idx as usize],
            Table::Labels(idx) => &self.labels[idx as usize],
        }
    }

    /// The width of the value that a table is for, if it fits a word.
    pub fn width(&self, table: Table) -> Option<u32> {
        self.ways(table).width
    }

    /// The place that an operation stands for which a switch goes to: cases that lead to one place are one alternative.
    pub fn place_of(&self, table: Table, target: OpIdx) -> OpIdx {
        let is_here = |(_, labels): &&(OpIdx, Vec<Label>)| labels.iter().any(|label| label.target == target);
        self.ways(table).labels.iter().find(is_here).map_or(target, |&(place, _)| place)
    }

    /// Other cases that lead where `target` does.
    pub fn labels_beside(&self, table: Table, target: OpIdx) -> impl Iterator<Item = &Label> {
        let place = self.place_of(table, target);
        let beside = self.ways(table).labels.iter().find(|labels| labels.0 == place);
        beside.into_iter().flat_map(|(_, labels)| labels).filter(move |label| label.target != target)
    }

    /// The condition that a value is that of a case.
    pub fn label_cond(&self, pool: &mut ExprPool, table: Table, value: ExprId, label: &Label) -> ExprId {
        if !label.ranges.is_empty() {
            return mk_in_ranges(pool, value, &label.ranges);
        }
        let ways = self.ways(table);
        let default = self.cond(pool, table, value, ways.default);
        let here = ways.labels.iter().filter(|labels| labels.0 == ways.default).flat_map(|(_, labels)| labels);
        let values: Vec<(u64, u64)> = here.flat_map(|label| label.ranges.iter().copied()).collect();
        let any = mk_in_ranges(pool, value, &values);
        let none = pool.mk_not(any);
        pool.mk_and(default, none)
    }

    /// Where values lead that don't lead to the default.
    pub fn targets(&self, table: Table) -> impl Iterator<Item = OpIdx> + '_ {
        self.ways(table).ways.iter().map(|way| way.target)
    }

    pub fn default(&self, table: Table) -> OpIdx {
        self.ways(table).default
    }

    /// The condition that a value leads to `target`.
    pub fn cond(&self, pool: &mut ExprPool, table: Table, value: ExprId, target: OpIdx) -> ExprId {
        let ways = self.ways(table);
        if let Some(way) = ways.ways.iter().find(|way| way.target == target) {
            return mk_in_ranges(pool, value, &way.ranges);
        }
        let mut all: Vec<(u64, u64)> = ways.ways.iter().flat_map(|way| &way.ranges).copied().collect();
        all.sort_unstable();
        all.dedup_by(|next, before| {
            let adjacent = before.1 + 1 == next.0;
            if adjacent {
                before.1 = next.1;
            }
            adjacent
        });
        let any = mk_in_ranges(pool, value, &all);
        pool.mk_not(any)
    }

    /// Where else a switch could have gone.
    pub fn others(&self, pool: &mut ExprPool, table: Table, value: ExprId, taken: u64) -> Others {
        let ways = self.ways(table);
        let targets = ways.ways.iter().map(|way| way.target).chain([ways.default]);
        let mut others = Others::new();
        for target in targets.filter(|&target| u64::from(target.0) != taken) {
            let cond = self.cond(pool, table, value, target);
            if cond != ExprId::FALSE {
                others.push((Choice::Key(u64::from(target.0)), cond));
            }
        }
        others
    }
}

impl Ways {
    fn of_switch(table: &SwitchTable) -> Self {
        let cases: Vec<(u64, OpIdx)> = match &table.kind {
            SwitchKind::Dense { low, targets } => (*low..).zip(targets.iter().copied()).collect(),
            SwitchKind::Sparse(cases) => cases.to_vec(),
            SwitchKind::Wide(_) => Vec::new(),
        };
        let place_of = |&(value, target): &(u64, OpIdx)| (value, table.place_of(target));
        let places: Vec<(u64, OpIdx)> = cases.iter().map(place_of).collect();
        let mut labels: BTreeMap<OpIdx, Vec<Label>> = BTreeMap::new();
        for &(value, target) in cases.iter().filter(|case| case.1 != table.default) {
            let here = labels.entry(table.place_of(target)).or_default();
            match here.iter_mut().find(|label| label.target == target) {
                Some(label) => add_value(&mut label.ranges, value),
                None => here.push(Label { target, ranges: vec![(value, value)] }),
            }
        }
        if let Some(beside) = labels.get_mut(&table.default) {
            beside.push(Label { target: table.default, ranges: Vec::new() });
        }
        labels.retain(|_, labels| labels.len() > 1);
        Self { labels: labels.into_iter().collect(), ..Self::new(None, table.default, &places) }
    }

    /// The cases are sorted by their values.
    fn new(width: Option<u32>, default: OpIdx, cases: &[(u64, OpIdx)]) -> Self {
        let mut ways: Vec<Way> = Vec::new();
        let mut by_target: FxHashMap<OpIdx, usize> = FxHashMap::default();
        for &(value, target) in cases.iter().filter(|&&(_, target)| target != default) {
            let idx = *by_target.entry(target).or_insert_with(|| {
                ways.push(Way { target, ranges: Vec::new() });
                ways.len() - 1
            });
            add_value(&mut ways[idx].ranges, value);
        }
        Self { width, default, ways, labels: Vec::new() }
    }
}

/// Adds a value that is larger than all.
fn add_value(ranges: &mut Vec<(u64, u64)>, value: u64) {
    match ranges.last_mut() {
        Some((_, last)) if *last + 1 == value => *last = value,
        _ => ranges.push((value, value)),
    }
}

pub(crate) fn mk_in_ranges(pool: &mut ExprPool, value: ExprId, ranges: &[(u64, u64)]) -> ExprId {
    ranges.iter().fold(ExprId::FALSE, |any, &(first, last)| {
        let in_range = mk_in_range(pool, value, first, last);
        pool.mk_or(any, in_range)
    })
}

/// `first <= value <= last`.
pub(crate) fn mk_in_range(pool: &mut ExprPool, value: ExprId, first: u64, last: u64) -> ExprId {
    let width = pool.width(value);
    let first_expr = pool.mk_const(width, first);
    if first == last {
        return pool.mk_eq(value, first_expr);
    }
    let from_first = pool.mk_sub(value, first_expr);
    let len = pool.mk_const(width, last.wrapping_sub(first));
    pool.mk_ule(from_first, len)
}
