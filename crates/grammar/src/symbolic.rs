//! The symbolic grammar: which tokens are holes, and how many texts of which size there are.
//!
//! A token with one word stays as it is. Any other is a hole, of each length that its words have up to a limit (section 3.2.2 of the
//! paper). Unlike there, holes keep to the words of their token, tokens that are interchangeable are one hole, and each template comes
//! once, however many derivations it has.

use crate::automaton::Dfa;
use crate::count::Counts;
use crate::diagnostic::{Diagnostic, Severity};
use crate::lexicon::{Between, Lexicon};
use crate::lr::{Rules, SideBySide, Table};
use crate::model::{Grammar, Lexer, Production, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

/// What makes a text larger than another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Measure {
    /// Productions of its derivation, and bytes by which holes are longer than they have to be.
    #[default]
    Size,
    /// Its bytes, without separators.
    Length,
    /// The height of its derivation tree.
    Height,
}

impl Measure {
    pub const ALL: [Self; 3] = [Self::Size, Self::Length, Self::Height];

    /// What users call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Size => "size",
            Self::Length => "length",
            Self::Height => "height",
        }
    }
}

/// What the user says of a grammar.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choices {
    pub measure: Measure,
    /// The longest word of a hole.
    pub hole_max: usize,
    /// The same for some tokens.
    pub hole_max_of: Vec<(String, usize)>,
    /// Tokens that are holes even if they have one word only, and tokens whose words are written out.
    pub holes: Vec<String>,
    pub fixed: Vec<String>,
    /// Whether tokens that are interchangeable are one hole.
    pub merges: bool,
}

impl Default for Choices {
    fn default() -> Self {
        let none = Vec::new();
        Self {
            measure: Measure::Size,
            hole_max: 4,
            hole_max_of: Vec::new(),
            holes: none.clone(),
            fixed: none,
            merges: true,
        }
    }
}

/// A token as it stands in a template.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Leaf {
    Fixed(Vec<u8>),
    Hole { language: u32, len: u32 },
}

#[derive(Debug)]
pub struct SymbolicGrammar {
    /// As it was read, with interchangeable tokens as one.
    pub grammar: Grammar,
    pub rules: Rules,
    pub measure: Measure,
    /// Tokens as the lexer reads them: the tokens of `rules`.
    pub lexicon: Lexicon,
    pub leaves: Vec<Leaf>,
    /// By leaf: its spelling, and how many words it stands for.
    leaf_spelling: Vec<u32>,
    pub leaf_words: Vec<u64>,
    /// By spelling, then measure: its leaves.
    pub leaves_of: Vec<Vec<Vec<u32>>>,
    /// By pair of spellings.
    between: Vec<Between>,
    /// By spelling: what has to stand behind it at the end of a text.
    closing: Vec<Between>,
    /// Whether a template may come again with another derivation.
    pub may_repeat: bool,
    pub n_conflicts: usize,
    /// Productions by which a rule leads back to itself without a token: they add derivations and no text.
    pub cyclic: Vec<u32>,
    /// Holes that are several tokens.
    pub merged: Vec<Vec<String>>,
    /// The least number of bytes at which holes were cut that have longer words.
    pub cut_holes: Option<usize>,
    pub notes: Vec<Diagnostic>,
}

/// The most words that a token is written out in.
const MAX_FIXED_WORDS: usize = 1000;

impl SymbolicGrammar {
    pub fn new(grammar: Grammar, lexer: &Lexer, choices: &Choices) -> Result<Self, Diagnostic> {
        let mut notes: Vec<Diagnostic> = grammar.notes.iter().chain(&lexer.notes).cloned().collect();
        for name in choices.holes.iter().chain(&choices.fixed).chain(choices.hole_max_of.iter().map(|it| &it.0)) {
            if !grammar.tokens.contains(name) {
                return Err(Diagnostic::new(Severity::Error, format!("the grammar has no token `{name}`")));
            }
        }
        let mut grammar = grammar;
        let without_prefix = |token: &str| token.strip_prefix(&grammar.token_prefix).unwrap_or(token).to_owned();
        let lexer = renamed(lexer, without_prefix);
        let mut lexicon = Lexicon::new(&grammar, &lexer);
        let merged = if choices.merges { merge(&mut grammar, &lexicon, choices) } else { Vec::new() };
        let as_merged = |token: &str| {
            let class = merged.iter().find(|(_, tokens)| tokens.iter().any(|it| it == token));
            class.map_or(token, |(name, _)| name).to_owned()
        };
        let lexer = renamed(&lexer, as_merged);
        if !merged.is_empty() {
            lexicon = Lexicon::new(&grammar, &lexer);
        }
        for &(rule, by) in &lexicon.hidden {
            if let (Some(rule), Some(by)) = (lexer.rules.get(rule), lexer.rules.get(by)) {
                let message = format!(
                    "nothing is left for {} on line {} of the lexer: all its words belong to {} on line {}",
                    rule.action, rule.line, by.action, by.line
                );
                notes.push(Diagnostic::new(Severity::Warning, message));
            }
        }
        let has_words = |token: u32| lexicon.spellings.iter().any(|it| it.token == token);
        let productive = grammar.productive(has_words);
        for (token, name) in grammar.tokens.iter().enumerate() {
            let is_used = grammar.productions.iter().any(|it| it.symbols.contains(&Symbol::Token(token as u32)));
            if is_used && !has_words(token as u32) {
                let message = format!(
                    "no text is made from token `{name}`: no rule of the lexer returns it; give it words with --token {name}=PATTERN"
                );
                notes.push(Diagnostic::new(Severity::Note, message));
            }
        }
        if !productive[grammar.start as usize] {
            let start = &grammar.rules[grammar.start as usize];
            let missing: Vec<String> = notes
                .iter()
                .filter(|it| it.message.starts_with("no text is made from token"))
                .map(|it| it.message.clone())
                .collect();
            let because = match missing.is_empty() {
                true => format!(": each of its derivations needs `{start}` again, or another rule that never ends"),
                false => format!(":\n  {}", missing.join("\n  ")),
            };
            return Err(Diagnostic::new(Severity::Error, format!("`{start}` derives no text{because}")));
        }
        let is_usable = |production: &Production| {
            production.symbols.iter().all(|symbol| match *symbol {
                Symbol::Token(token) => has_words(token),
                Symbol::Rule(rule) => productive[rule as usize],
            })
        };
        let mut usable = Grammar {
            productions: grammar.productions.iter().filter(|it| is_usable(it)).cloned().collect(),
            ..grammar.clone()
        };
        let reachable = usable.reachable();
        usable.productions.retain(|it| reachable[it.rule as usize]);

        let spellings = &lexicon.spellings;
        let between = lexicon.all_between();
        let closing: Vec<Between> = (0..spellings.len() as u32).map(|it| lexicon.at_end(it)).collect();
        let side_by_side = SideBySide {
            tokens: spellings.iter().map(|it| it.token).collect(),
            may_begin: &|spelling| lexicon.may_begin(spelling),
            may_follow: &|a, b| between[a as usize * spellings.len() + b as usize] != Between::Impossible,
            may_end: &|it| closing[it as usize] != Between::Impossible,
        };
        let has_impossible = between.iter().chain(&closing).any(|it| *it == Between::Impossible);
        let table = Table::new(&usable);
        let n_conflicts = table.as_ref().map_or(0, |table| table.n_conflicts);
        let resolves = usable.is_yacc && n_conflicts > 0;
        let needs_runs = resolves || has_impossible;
        let runs = table
            .as_ref()
            .filter(|_| needs_runs && (usable.is_yacc || n_conflicts == 0))
            .and_then(|table| table.runs(&usable, &side_by_side));
        let may_repeat = table.is_none() || n_conflicts > 0 && runs.is_none();
        if has_impossible && runs.is_none() {
            let message = "not every text keeps tokens apart that the lexer would take for others: the grammar is too large or too ambiguous for that";
            notes.push(Diagnostic::new(Severity::Warning, message.to_owned()));
        }
        let rules = runs.unwrap_or_else(|| Rules::plain(&usable, &side_by_side));
        let rules = renumbered(rules, &usable, &grammar);

        let mut symbolic = Self {
            rules,
            measure: choices.measure,
            leaves: Vec::new(),
            leaf_spelling: Vec::new(),
            leaf_words: Vec::new(),
            leaves_of: Vec::new(),
            between,
            closing,
            lexicon,
            may_repeat,
            n_conflicts,
            cyclic: Vec::new(),
            merged: merged.into_iter().map(|it| it.1).collect(),
            cut_holes: None,
            notes,
            grammar,
        };
        symbolic.add_leaves(choices);
        symbolic.cyclic = Counts::new(&symbolic)
            .cyclic
            .iter()
            .filter_map(|&it| symbolic.rules.productions[it as usize].origin)
            .collect();
        if !symbolic.cyclic.is_empty() {
            symbolic.rules = symbolic.rules.without_cycles();
        }
        Ok(symbolic)
    }

    fn add_leaves(&mut self, choices: &Choices) {
        for (spelling, it) in (0..).zip(&self.lexicon.spellings) {
            let mut of_spelling: Vec<Vec<u32>> = Vec::new();
            let (language, name) = (&it.words, &self.grammar.tokens[it.token as usize]);
            let is_wanted = |names: &[String]| names.contains(name);
            let limit = choices.hole_max_of.iter().rev().find(|it| it.0 == *name).map_or(choices.hole_max, |it| it.1);
            let counts = language.count_words(language.n_states().max(limit) + 1);
            let least = counts.iter().position(|&words| words > 0).expect("it has words");
            let is_single = counts.iter().fold(0u64, |sum, &n| sum.saturating_add(n)) == 1 && !language.is_infinite();
            let is_fixed = is_single && !is_wanted(&choices.holes) || is_wanted(&choices.fixed);
            let last = if is_single { least } else { limit.max(least) };
            let is_cut = language.is_infinite() || counts[last + 1..].iter().any(|&words| words > 0);
            if is_cut && !is_single {
                self.cut_holes = Some(self.cut_holes.map_or(last, |cut| cut.min(last)));
            }
            for len in (least..=last).filter(|&len| counts.get(len).is_some_and(|&words| words > 0)) {
                let leaves: Vec<(Leaf, u64)> = match is_fixed {
                    true => {
                        language.words(len, MAX_FIXED_WORDS).into_iter().map(|word| (Leaf::Fixed(word), 1)).collect()
                    }
                    false => vec![(Leaf::Hole { language: spelling, len: len as u32 }, counts[len])],
                };
                let cost = match self.measure {
                    Measure::Size => len - least,
                    Measure::Length => len,
                    Measure::Height => 0,
                };
                of_spelling.resize(of_spelling.len().max(cost + 1), Vec::new());
                for (leaf, words) in leaves {
                    of_spelling[cost].push(self.leaves.len() as u32);
                    self.leaves.push(leaf);
                    self.leaf_spelling.push(spelling);
                    self.leaf_words.push(words);
                }
            }
            self.leaves_of.push(of_spelling);
        }
    }

    /// The longest hole of a language, if there is one.
    pub fn longest(&self, wanted: u32) -> Option<u32> {
        let of_language = |leaf: &Leaf| match *leaf {
            Leaf::Hole { language, len } if language == wanted => Some(len),
            _ => None,
        };
        self.leaves.iter().filter_map(of_language).max()
    }

    /// The words that holes may have.
    pub fn words(&self, language: u32) -> &Dfa {
        &self.lexicon.spellings[language as usize].words
    }

    pub fn has_words(&self, token: u32) -> bool {
        self.lexicon.spellings.iter().any(|it| it.token == token)
    }

    /// The token that a leaf is.
    pub fn token(&self, leaf: u32) -> u32 {
        self.lexicon.spellings[self.leaf_spelling[leaf as usize] as usize].token
    }

    /// What has to stand between two leaves.
    pub fn separator(&self, first: u32, second: u32) -> Option<u8> {
        let spelling = |leaf: u32| self.leaf_spelling[leaf as usize] as usize;
        self.between[spelling(first) * self.lexicon.spellings.len() + spelling(second)].byte()
    }

    /// What has to stand behind the last leaf.
    pub fn closing(&self, last: u32) -> Option<u8> {
        self.closing[self.leaf_spelling[last as usize] as usize].byte()
    }
}

/// Productions by their numbers in the grammar as it was read.
fn renumbered(mut rules: Rules, usable: &Grammar, grammar: &Grammar) -> Rules {
    let numbers: FxHashMap<&Production, u32> = grammar.productions.iter().zip(0..).collect();
    for production in &mut rules.productions {
        production.origin = production.origin.map(|origin| numbers[&usable.productions[origin as usize]]);
    }
    rules
}

/// A token that others are part of now, and the names of all.
type Merged = (String, Vec<String>);

/// Makes tokens one that can be exchanged for each other everywhere.
fn merge(grammar: &mut Grammar, lexicon: &Lexicon, choices: &Choices) -> Vec<Merged> {
    let mut merged: Vec<Merged> = Vec::new();
    let is_hole = |grammar: &Grammar, token: u32| {
        let name = &grammar.tokens[token as usize];
        let words = || lexicon.spellings.iter().filter(|it| it.token == token).map(|it| &it.words);
        let is_special = choices.fixed.contains(name) || choices.hole_max_of.iter().any(|it| it.0 == *name);
        !is_special
            && words().any(|it| {
                it.is_infinite() || it.count_words(it.n_states()).iter().fold(0u64, |sum, &n| sum.saturating_add(n)) > 1
            })
    };
    for a in 0..grammar.tokens.len() as u32 {
        for b in a + 1..grammar.tokens.len() as u32 {
            if !is_hole(grammar, a) || !is_hole(grammar, b) {
                continue;
            }
            let level = |token: u32| grammar.precedence.iter().position(|level| level.1.contains(&token));
            let swapped = |symbol: Symbol| match symbol {
                Symbol::Token(token) if token == a => Symbol::Token(b),
                Symbol::Token(token) if token == b => Symbol::Token(a),
                symbol => symbol,
            };
            let bodies: FxHashSet<(u32, Vec<Symbol>)> =
                grammar.productions.iter().map(|it| (it.rule, it.symbols.clone())).collect();
            let is_used = |token: u32| bodies.iter().any(|it| it.1.contains(&Symbol::Token(token)));
            let is_same = bodies
                .iter()
                .all(|(rule, symbols)| bodies.contains(&(*rule, symbols.iter().map(|&it| swapped(it)).collect())));
            if !is_used(a) || !is_used(b) || !is_same || level(a) != level(b) {
                continue;
            }
            for production in &mut grammar.productions {
                production
                    .symbols
                    .iter_mut()
                    .filter(|it| **it == Symbol::Token(b))
                    .for_each(|it| *it = Symbol::Token(a));
            }
            let mut known = FxHashSet::default();
            grammar.productions.retain(|it| known.insert((it.rule, it.symbols.clone())));
            let (to, from) = (grammar.tokens[a as usize].clone(), grammar.tokens[b as usize].clone());
            match merged.iter_mut().find(|it| it.0 == to) {
                Some(it) => it.1.push(from),
                None => merged.push((to.clone(), vec![to, from])),
            }
        }
    }
    merged
}

/// The lexer with other names of tokens.
fn renamed(lexer: &Lexer, name: impl Fn(&str) -> String) -> Lexer {
    let mut lexer = lexer.clone();
    for rule in &mut lexer.rules {
        if let crate::model::LexAction::Token(tokens) = &mut rule.action {
            tokens.iter_mut().for_each(|token| *token = name(token));
        }
    }
    lexer
}
