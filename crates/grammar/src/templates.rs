//! All templates of a grammar in order: by measure, then number.

use crate::count::{Count, Counted, Counts};
use crate::cursor::Cursor;
use crate::diagnostic::{Diagnostic, Severity};
use crate::first::is_first;
use crate::model::Symbol;
use crate::symbolic::SymbolicGrammar;
use crate::template::Template;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// A grammar with its counts. Derivations have numbers, from 0 on, over all measures.
#[derive(Debug)]
pub struct Templates {
    pub symbolic: SymbolicGrammar,
    pub counts: Counts,
    /// By measure: how many derivations come before.
    starts: Vec<u64>,
    /// Whether there are larger ones.
    pub has_more: bool,
}

/// More derivations than that are not counted: nobody comes to the end of them.
const ENOUGH: Count = 1 << 40;
/// The largest measure.
const MAX_MEASURE: usize = 400;
/// So many measures in a row without a template are the end of a grammar.
const MAX_GAP: usize = 64;

impl Templates {
    /// Up to a measure; without one, as far as there is hope to get.
    pub fn new(symbolic: SymbolicGrammar, max: Option<usize>) -> Self {
        let mut counts = Counts::new(&symbolic);
        let mut starts = vec![0u64];
        let (mut n, mut gap) = (0 as Count, 0);
        for m in 0..=max.unwrap_or(MAX_MEASURE).min(MAX_MEASURE) {
            counts.extend(&symbolic, Counted::Templates);
            let here = counts.of_start(&symbolic, m);
            n = n.saturating_add(here);
            gap = if here == 0 { gap + 1 } else { 0 };
            starts.push(n.min(ENOUGH) as u64);
            if n >= ENOUGH || gap > MAX_GAP {
                break;
            }
        }
        let has_more = gap <= MAX_GAP
            && (n >= ENOUGH
                || (0..MAX_GAP).any(|_| {
                    counts.extend(&symbolic, Counted::Templates);
                    counts.of_start(&symbolic, counts.n_levels() - 1) > 0
                }));
        Self { symbolic, counts, starts, has_more }
    }

    /// Leaves out the largest measures, until there are at most so many derivations or only the smallest of them are left. Says whether
    /// something was left out.
    pub fn cut(&mut self, most: u64) -> bool {
        let n_before = self.n_measures();
        while self.len() > most && self.starts[self.n_measures() - 1] > 0 {
            self.starts.pop();
        }
        let is_cut = self.n_measures() < n_before;
        self.has_more |= is_cut;
        is_cut
    }

    /// How many derivations there are.
    pub fn len(&self) -> u64 {
        *self.starts.last().expect("it begins with 0")
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn n_measures(&self) -> usize {
        self.starts.len() - 1
    }

    /// The numbers of derivations of a measure.
    pub fn of_measure(&self, measure: usize) -> Range<u64> {
        self.starts[measure]..self.starts[measure + 1]
    }

    /// The measure of a derivation.
    pub fn measure_of(&self, number: u64) -> usize {
        self.starts.partition_point(|&start| start <= number) - 1
    }

    /// The derivation with a number.
    pub fn cursor(&self, number: u64) -> Option<Cursor<'_>> {
        let measure = (number < self.len()).then(|| self.measure_of(number))?;
        Cursor::at(&self.symbolic, &self.counts, measure, number - self.starts[measure])
    }

    /// The productions of a derivation, by their numbers in the grammar, leftmost first, and how deep each is in its tree.
    pub fn derivation(&self, number: u64) -> Vec<(u32, u32)> {
        let Some(cursor) = self.cursor(number) else { return Vec::new() };
        let mut derivation = Vec::new();
        // The depths of rules that are still to be derived.
        let mut pending = vec![0];
        for &step in cursor.steps() {
            let production = &self.symbolic.rules.productions[step as usize];
            let depth = pending.pop().expect("each step derives a rule");
            derivation.extend(production.origin.map(|origin| (depth, origin)));
            let n_rules = production.symbols.iter().filter(|symbol| matches!(symbol, Symbol::Rule(_))).count();
            pending.extend(vec![depth + u32::from(production.origin.is_some()); n_rules]);
        }
        derivation
    }

    /// How many productions of the grammar derivations can have.
    pub fn n_productions(&self) -> usize {
        let origins = self.symbolic.rules.productions.iter().filter_map(|production| production.origin);
        origins.collect::<FxHashSet<u32>>().len()
    }

    /// Calls for each template with a number in a range of one measure, in order, until it says no. Each comes once.
    pub fn each(&self, range: Range<u64>, mut call: impl FnMut(u64, &Cursor<'_>, &Template) -> bool) {
        let Some(mut cursor) = self.cursor(range.start) else { return };
        let measure = self.measure_of(range.start);
        let mut template = Template::default();
        for number in range {
            let rank = number - self.starts[measure];
            let symbolic = &self.symbolic;
            if !symbolic.may_repeat || is_first(symbolic, &self.counts, cursor.leaves(), measure, rank) {
                template.render(symbolic, cursor.leaves());
                if !call(number, &cursor, &template) {
                    return;
                }
            }
            if !cursor.advance() {
                return;
            }
        }
    }

    /// By measure: how many texts its templates have.
    pub fn texts(&self) -> Vec<Count> {
        let mut counts = Counts::new(&self.symbolic);
        let of_measure = |m: usize| {
            counts.extend(&self.symbolic, Counted::Texts);
            counts.of_start(&self.symbolic, m)
        };
        (0..self.n_measures()).map(of_measure).collect()
    }

    /// What of the grammar no template shows, or shows twice.
    pub fn lints(&self) -> Vec<Diagnostic> {
        let grammar = &self.symbolic.grammar;
        let mut lints = Vec::new();
        let mut warn = |message: String| lints.push(Diagnostic::new(Severity::Warning, message));
        let productive = grammar.productive(|token| self.symbolic.has_words(token));
        for (rule, is_reachable) in grammar.reachable().into_iter().enumerate() {
            let name = &grammar.rules[rule];
            let is_defined = grammar.productions.iter().any(|it| it.rule as usize == rule);
            if is_defined && !is_reachable {
                warn(format!("rule `{name}` is never used"));
            } else if is_defined && !productive[rule] {
                warn(format!("rule `{name}` derives no text"));
            }
        }
        let is_named = |name: &str| name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        for (token, name) in (0..).zip(&grammar.tokens) {
            let is_used = grammar.productions.iter().any(|it| it.symbols.contains(&Symbol::Token(token)));
            // Of yacc's, many are declared for their precedence only, or for other parsers.
            if !is_used
                && !grammar.is_yacc
                && is_named(name)
                && !self.symbolic.merged.iter().flatten().any(|it| it == name)
            {
                warn(format!("token `{name}` is never used"));
            }
        }
        for &production in &self.symbolic.cyclic {
            let shown = grammar.show(&grammar.productions[production as usize]);
            warn(format!("`{shown}` may lead back to where it started: derivations that do are left out"));
        }
        lints
    }
}
