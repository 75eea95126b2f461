//! How many derivations of which measure there are, by dynamic programming over productions.

use crate::model::Symbol;
use crate::symbolic::{Measure, SymbolicGrammar};

/// Numbers of derivations, saturated: what is below is exact.
pub type Count = u128;

/// What is counted of a leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counted {
    Templates,
    Texts,
}

/// Two measures that make one: of a symbol, and of what follows it.
pub(crate) type Split = (u16, u16);

#[derive(Debug)]
pub struct Counts {
    /// By rule, then measure.
    rules: Vec<Vec<Count>>,
    /// By production and place in it, then measure: the rest of the production from there on.
    rests: Vec<Vec<Vec<Count>>>,
    /// In the same order: how the measure is divided, where that gives derivations.
    splits: Vec<Vec<Vec<Box<[Split]>>>>,
    /// By rule, then measure: productions that have derivations.
    choices: Vec<Vec<Box<[u32]>>>,
    measure: Measure,
    /// Rules, those first that others need at the same measure.
    order: Vec<u32>,
    /// Productions that only lead back to where they started: they add derivations and no text.
    pub cyclic: Vec<u32>,
}

impl Counts {
    pub fn new(symbolic: &SymbolicGrammar) -> Self {
        let rules = &symbolic.rules;
        let places = |number: usize| vec![Vec::new(); rules.productions[number].symbols.len() + 1];
        let mut counts = Self {
            rules: vec![Vec::new(); rules.of_rule.len()],
            rests: (0..rules.productions.len()).map(places).collect(),
            splits: rules.productions.iter().map(|it| vec![Vec::new(); it.symbols.len() + 1]).collect(),
            choices: vec![Vec::new(); rules.of_rule.len()],
            measure: symbolic.measure,
            order: Vec::new(),
            cyclic: Vec::new(),
        };
        counts.find_order(symbolic);
        counts
    }

    /// Adds the next measure.
    pub fn extend(&mut self, symbolic: &SymbolicGrammar, counted: Counted) {
        let m = self.n_levels();
        for at in 0..self.order.len() {
            let rule = self.order[at];
            let mut chosen = Vec::new();
            let mut sum: Count = 0;
            for &production in &symbolic.rules.of_rule[rule as usize] {
                let n = match self.below(symbolic, production, m) {
                    Some(rest) if !self.cyclic.contains(&production) => {
                        self.rest(symbolic, counted, production, 0, rest)
                    }
                    _ => 0,
                };
                if n > 0 {
                    chosen.push(production);
                    sum = sum.saturating_add(n);
                }
            }
            self.rules[rule as usize].push(sum);
            self.choices[rule as usize].push(chosen.into());
        }
        for production in 0..self.rests.len() {
            for at in (0..self.rests[production].len()).rev() {
                let n = self.rest(symbolic, counted, production as u32, at, m);
                let splits = self.splits_of(symbolic, counted, production as u32, at, m);
                self.rests[production][at].push(n);
                self.splits[production][at].push(splits);
            }
        }
    }

    /// How many measures, from 0 on, are counted.
    pub fn n_levels(&self) -> usize {
        self.rules.first().map_or(0, Vec::len)
    }

    /// What is left of a rule's measure for the symbols of a production.
    fn below(&self, symbolic: &SymbolicGrammar, production: u32, m: usize) -> Option<usize> {
        let is_step = symbolic.rules.productions[production as usize].origin.is_some();
        match self.measure {
            Measure::Length => Some(m),
            Measure::Size | Measure::Height => m.checked_sub(usize::from(is_step)),
        }
    }

    pub(crate) fn rest_of(&self, symbolic: &SymbolicGrammar, production: u32, m: u16) -> u16 {
        self.below(symbolic, production, usize::from(m)).expect("it was chosen for that") as u16
    }

    fn symbol(&self, symbolic: &SymbolicGrammar, counted: Counted, symbol: Symbol, m: usize) -> Count {
        match symbol {
            Symbol::Rule(rule) => self.rules[rule as usize].get(m).copied().unwrap_or(0),
            Symbol::Token(token) => {
                let leaves = symbolic.leaves_of[token as usize].get(m).map_or(&[][..], |it| it);
                match counted {
                    Counted::Templates => leaves.len() as Count,
                    Counted::Texts => leaves.iter().map(|&leaf| Count::from(symbolic.leaf_words[leaf as usize])).sum(),
                }
            }
        }
    }

    /// The rest of a production. Symbols may be asked for at the same measure, never for more.
    fn rest(&self, symbolic: &SymbolicGrammar, counted: Counted, production: u32, at: usize, m: usize) -> Count {
        if let Some(&known) = self.rests[production as usize][at].get(m) {
            return known;
        }
        let Some(&symbol) = symbolic.rules.productions[production as usize].symbols.get(at) else {
            return Count::from(m == 0);
        };
        divisions(self.measure, m).fold(0, |sum: Count, (a, b)| {
            let first = self.symbol(symbolic, counted, symbol, a);
            if first == 0 {
                return sum;
            }
            sum.saturating_add(first.saturating_mul(self.rest(symbolic, counted, production, at + 1, b)))
        })
    }

    fn splits_of(
        &self,
        symbolic: &SymbolicGrammar,
        counted: Counted,
        production: u32,
        at: usize,
        m: usize,
    ) -> Box<[Split]> {
        let Some(&symbol) = symbolic.rules.productions[production as usize].symbols.get(at) else {
            return Box::new([]);
        };
        let has_both = |&(a, b): &(usize, usize)| {
            self.symbol(symbolic, counted, symbol, a) > 0 && self.rest(symbolic, counted, production, at + 1, b) > 0
        };
        divisions(self.measure, m).filter(has_both).map(|(a, b)| (a as u16, b as u16)).collect()
    }

    /// Which rules are asked for at the same measure, and where that leads back.
    fn find_order(&mut self, symbolic: &SymbolicGrammar) {
        let rules = &symbolic.rules;
        let n_rules = rules.of_rule.len();
        let is_step = |production: u32| rules.productions[production as usize].origin.is_some();
        // By length, a rule that may be empty passes its measure on; otherwise a production is a step.
        let is_empty = rules.empty_rules();
        let passes_on = |production: u32| -> Vec<u32> {
            if self.measure != Measure::Length && is_step(production) {
                return Vec::new();
            }
            let symbols = &rules.productions[production as usize].symbols;
            let others_empty = |at: usize| {
                self.measure != Measure::Length
                    || symbols
                        .iter()
                        .enumerate()
                        .all(|(i, it)| i == at || matches!(it, Symbol::Rule(rule) if is_empty[*rule as usize]))
            };
            let passed = symbols.iter().enumerate().filter(|&(at, _)| others_empty(at));
            passed.filter_map(|(_, symbol)| if let Symbol::Rule(rule) = symbol { Some(*rule) } else { None }).collect()
        };
        // 0: not met, 1: on the way, 2: done.
        let mut state = vec![0u8; n_rules];
        let mut cyclic = Vec::new();
        let mut order = Vec::new();
        for root in 0..n_rules as u32 {
            let mut stack = vec![(root, 0usize, 0usize)];
            while let Some(&mut (rule, ref mut production, ref mut at)) = stack.last_mut() {
                if state[rule as usize] == 2 {
                    stack.pop();
                    continue;
                }
                state[rule as usize] = 1;
                let Some(&number) = rules.of_rule[rule as usize].get(*production) else {
                    state[rule as usize] = 2;
                    order.push(rule);
                    stack.pop();
                    continue;
                };
                let needed = passes_on(number);
                match needed.get(*at) {
                    None => (*production, *at) = (*production + 1, 0),
                    Some(&next) => {
                        *at += 1;
                        match state[next as usize] {
                            0 => stack.push((next, 0, 0)),
                            1 => cyclic.push(number),
                            _ => {}
                        }
                    }
                }
            }
        }
        cyclic.dedup();
        (self.order, self.cyclic) = (order, cyclic);
    }

    /// Derivations from the start of a measure.
    pub fn of_start(&self, symbolic: &SymbolicGrammar, m: usize) -> Count {
        self.rules[symbolic.rules.start as usize].get(m).copied().unwrap_or(0)
    }

    pub(crate) fn of_symbol(&self, symbolic: &SymbolicGrammar, symbol: Symbol, m: u16) -> Count {
        self.symbol(symbolic, Counted::Templates, symbol, usize::from(m))
    }

    pub(crate) fn of_rest(&self, production: u32, at: usize, m: u16) -> Count {
        self.rests[production as usize][at][usize::from(m)]
    }

    pub(crate) fn splits(&self, production: u32, at: usize, m: u16) -> &[Split] {
        &self.splits[production as usize][at][usize::from(m)]
    }

    pub(crate) fn productions(&self, rule: u32, m: u16) -> &[u32] {
        &self.choices[rule as usize][usize::from(m)]
    }
}

/// All pairs of measures that make one.
fn divisions(measure: Measure, m: usize) -> impl Iterator<Item = (usize, usize)> {
    let sums = (0..=m).map(move |a| (a, m - a));
    let left = (0..m).map(move |a| (a, m));
    let right = (0..=m).map(move |b| (m, b));
    let is_height = measure == Measure::Height;
    sums.filter(move |_| !is_height).chain(left.chain(right).filter(move |_| is_height))
}
