//! What tokens are as texts: a language each, and which of them must be kept apart.

use crate::automaton::{DEAD, Dfa};
use crate::model::{Grammar, LexAction, Lexer};
use regex_syntax::hir::Hir;
use rustc_hash::FxHashSet;

/// The words of each token of a grammar.
#[derive(Debug)]
pub struct Lexicon {
    /// By token: its words; none if no rule of the lexer makes them.
    pub languages: Vec<Option<Dfa>>,
    /// All rules at once, for programs that look for the longest match.
    all: Option<Dfa>,
    /// What may stand between two tokens.
    pub separator: Option<Vec<u8>>,
    /// Rules that no word comes to, since others match all of theirs: by number, with one of the others.
    pub hidden: Vec<(usize, usize)>,
}

/// What has to stand between two tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Between {
    Nothing,
    Separator,
    /// The program would take them for something else, and nothing keeps them apart.
    Impossible,
}

impl Lexicon {
    /// `tokens` are those of the grammar: names that the lexer does not know have no words, but literals are themselves.
    pub fn new(grammar: &Grammar, lexer: &Lexer) -> Self {
        let mut rules: Vec<(Hir, LexAction)> =
            lexer.rules.iter().map(|rule| (rule.pattern.clone(), rule.action.clone())).collect();
        let returns = |rules: &[(Hir, LexAction)], token: &String| {
            let is_itself = literal_of(token).is_some() && rules.iter().any(|rule| rule.1 == LexAction::Itself);
            is_itself || rules.iter().any(|rule| matches!(&rule.1, LexAction::Token(tokens) if tokens.contains(token)))
        };
        for token in &grammar.tokens {
            if let Some(bytes) = literal_of(token).filter(|_| !returns(&rules, token)) {
                rules.push((Hir::literal(bytes), LexAction::Token(vec![token.clone()])));
            }
        }
        let patterns: Vec<Hir> = rules.iter().map(|rule| rule.0.clone()).collect();
        let all = Dfa::new(&patterns).expect("readers leave out what looks around");
        let languages =
            grammar.tokens.iter().map(|token| language(token, &rules, &all, lexer.is_longest_match)).collect();
        let hidden = if lexer.is_longest_match { hidden(&rules, &all) } else { Vec::new() };
        let is_skipped = |byte: u8| {
            let label = all.label(all.run(&[byte]));
            label.is_some_and(|label| rules[label as usize].1 == LexAction::Skip)
        };
        let separator = [b' ', b'\t', b'\n'].into_iter().find(|&byte| lexer.is_longest_match && is_skipped(byte));
        let all = lexer.is_longest_match.then_some(all);
        Self { languages, all, separator: separator.map(|byte| vec![byte]), hidden }
    }

    pub fn has_words(&self, token: u32) -> bool {
        self.languages[token as usize].is_some()
    }

    /// What has to stand between words of two tokens, so that the longest match of the first ends where it does.
    pub fn between(&self, first: &Dfa, second: &Dfa) -> Between {
        let Some(all) = &self.all else { return Between::Nothing };
        let ends = ends_of(all, first);
        if !ends.iter().any(|&end| may_fuse(all, end, second)) {
            return Between::Nothing;
        }
        match &self.separator {
            Some(separator) if ends.iter().all(|&end| all.step(end, separator[0]) == DEAD) => Between::Separator,
            _ => Between::Impossible,
        }
    }
}

/// Where words of a language end in the automaton of all rules.
fn ends_of(all: &Dfa, language: &Dfa) -> Vec<u32> {
    let mut known = FxHashSet::from_iter([(0, 0)]);
    let mut open = vec![(0, 0)];
    let mut ends = Vec::new();
    while let Some((a, b)) = open.pop() {
        if language.label(b).is_some() && !ends.contains(&a) {
            ends.push(a);
        }
        for byte in 0..=255 {
            let next = (all.step(a, byte), language.step(b, byte));
            if next.0 != DEAD && next.1 != DEAD && known.insert(next) {
                open.push(next);
            }
        }
    }
    ends
}

/// Whether a match may go on from a state into a word of what follows, or beyond it.
fn may_fuse(all: &Dfa, end: u32, second: &Dfa) -> bool {
    let mut known = FxHashSet::from_iter([(end, 0)]);
    let mut open = vec![(end, 0)];
    while let Some((a, b)) = open.pop() {
        for byte in 0..=255 {
            let next = (all.step(a, byte), second.step(b, byte));
            if next.0 == DEAD || next.1 == DEAD || !known.insert(next) {
                continue;
            }
            if all.label(next.0).is_some() || second.label(next.1).is_some() {
                return true;
            }
            open.push(next);
        }
    }
    false
}

/// The words of a token. Where the longest match counts, those that the lexer takes for it, which leaves out what other rules match first.
fn language(token: &String, rules: &[(Hir, LexAction)], all: &Dfa, is_longest_match: bool) -> Option<Dfa> {
    let is_token = |rule: &(Hir, LexAction)| matches!(&rule.1, LexAction::Token(tokens) if tokens.contains(token));
    let mut found = match is_longest_match {
        true => all.restricted(|label| is_token(&rules[label as usize])),
        false => {
            let own: Vec<Hir> = rules.iter().filter(|rule| is_token(rule)).map(|rule| rule.0.clone()).collect();
            Dfa::new(&own).ok()?.restricted(|_| true)
        }
    };
    if let Some(bytes) = literal_of(token)
        && all.label(all.run(&bytes)).is_some_and(|label| rules[label as usize].1 == LexAction::Itself)
    {
        found = Dfa::new(&[Hir::literal(bytes)]).ok()?;
    }
    let has_words = found.count_words(found.n_states()).iter().any(|&words| words > 0);
    has_words.then_some(found)
}

/// Rules of which no word is left, each with one that is matched instead.
fn hidden(rules: &[(Hir, LexAction)], all: &Dfa) -> Vec<(usize, usize)> {
    let is_left = |number: usize| (0..all.n_states() as u32).any(|state| all.label(state) == Some(number as u32));
    let others = |number: usize| {
        let own = Dfa::new(
            &rules[number..=number.min(rules.len() - 1)].iter().map(|rule| rule.0.clone()).collect::<Vec<_>>(),
        )
        .ok()?;
        let len = (1..=own.n_states()).find(|&len| own.count_words(len)[len] > 0)?;
        all.label(all.run(&own.words(len, 1)[0]))
    };
    (0..rules.len())
        .filter(|&number| !is_left(number))
        .filter_map(|number| Some((number, others(number)? as usize)))
        .collect()
}

/// The bytes of a token that is written as itself.
pub(crate) fn literal_of(token: &str) -> Option<Vec<u8>> {
    let inner = token.strip_prefix(['\'', '"'])?;
    let quote = token.chars().next()?;
    let inner = inner.strip_suffix(quote)?;
    let text = format!("\"{}\"", inner.replace('"', "\\\""));
    let source = crate::diagnostic::Source { name: "", text: &text };
    crate::read::Scanner::new(source).quoted().ok().filter(|bytes| !bytes.is_empty())
}
