//! Which derivation of a text is the first: how grammars with several derivations of a text give it once.

use crate::count::{Count, Counts};
use crate::model::Symbol;
use crate::symbolic::SymbolicGrammar;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// What is derived from which leaves, with a measure.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    Rule(u32, u32, u32, u16),
    Rest(u32, u16, u32, u32, u16),
}

struct Chart<'g> {
    symbolic: &'g SymbolicGrammar,
    counts: &'g Counts,
    leaves: &'g [u32],
    least: FxHashMap<Part, Option<Count>>,
}

/// Whether no derivation of the same leaves comes before the one with a measure and a number.
pub fn is_first(symbolic: &SymbolicGrammar, counts: &Counts, leaves: &[u32], measure: usize, rank: u64) -> bool {
    let mut chart = Chart { symbolic, counts, leaves, least: FxHashMap::default() };
    let mut least = |m: usize| chart.rule(symbolic.rules.start, 0..leaves.len(), m as u16);
    (0..measure).all(|m| least(m).is_none()) && least(measure).is_none_or(|first| first >= Count::from(rank))
}

impl Chart<'_> {
    /// The least number of a derivation of a rule.
    fn rule(&mut self, rule: u32, span: Range<usize>, m: u16) -> Option<Count> {
        let part = Part::Rule(rule, span.start as u32, span.end as u32, m);
        if let Some(&known) = self.least.get(&part) {
            return known;
        }
        let mut before = 0;
        let mut found = None;
        for &production in self.counts.productions(rule, m) {
            let below = self.counts.rest_of(self.symbolic, production, m);
            if let Some(rank) = self.rest(production, 0, span.clone(), below) {
                found = Some(rank.saturating_add(before));
                break;
            }
            before = self.counts.of_rest(production, 0, below).saturating_add(before);
        }
        self.least.insert(part, found);
        found
    }

    fn rest(&mut self, production: u32, at: usize, span: Range<usize>, m: u16) -> Option<Count> {
        let Some(&symbol) = self.symbolic.rules.productions[production as usize].symbols.get(at) else {
            return (span.is_empty() && m == 0).then_some(0);
        };
        let part = Part::Rest(production, at as u16, span.start as u32, span.end as u32, m);
        if let Some(&known) = self.least.get(&part) {
            return known;
        }
        let (mut before, mut found) = (0, None);
        for number in 0..self.counts.splits(production, at, m).len() {
            let (a, b) = self.counts.splits(production, at, m)[number];
            let n_rest = self.counts.of_rest(production, at + 1, b);
            for middle in span.start..=span.end {
                let first = self.symbol(symbol, span.start..middle, a);
                let rest = first.and_then(|_| self.rest(production, at + 1, middle..span.end, b));
                if let (Some(first), Some(rest)) = (first, rest) {
                    let rank = first.saturating_mul(n_rest).saturating_add(rest).saturating_add(before);
                    found = Some(found.map_or(rank, |found: Count| found.min(rank)));
                }
            }
            if found.is_some() {
                break;
            }
            before = self.counts.of_symbol(self.symbolic, symbol, a).saturating_mul(n_rest).saturating_add(before);
        }
        self.least.insert(part, found);
        found
    }

    fn symbol(&mut self, symbol: Symbol, span: Range<usize>, m: u16) -> Option<Count> {
        match symbol {
            Symbol::Rule(rule) => self.rule(rule, span, m),
            Symbol::Token(token) => {
                let [leaf] = self.leaves[span] else { return None };
                let leaves = self.symbolic.leaves_of[token as usize].get(usize::from(m))?;
                leaves.iter().position(|&it| it == leaf).map(|it| it as Count)
            }
        }
    }
}
