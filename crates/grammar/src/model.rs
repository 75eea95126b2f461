//! Grammars as they are read: rules over tokens, and a lexer that says what tokens are.

use crate::diagnostic::Diagnostic;
use regex_syntax::hir::Hir;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Symbol {
    Token(u32),
    Rule(u32),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Production {
    pub rule: u32,
    pub symbols: Vec<Symbol>,
    /// The token whose precedence it has, where the file says so (`%prec`).
    pub precedence: Option<u32>,
    /// Where it stands in its file.
    pub line: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Assoc {
    Left,
    Right,
    Nonassoc,
}

/// Rules over tokens.
#[derive(Clone, Debug, Default)]
pub struct Grammar {
    /// Names.
    pub rules: Vec<String>,
    pub tokens: Vec<String>,
    pub productions: Vec<Production>,
    pub start: u32,
    /// From the weakest to the strongest.
    pub precedence: Vec<(Assoc, Vec<u32>)>,
    /// Whether conflicts are resolved as yacc does, since the program's parser is the table that comes of it. If not, a text with
    /// several derivations is what all of them say.
    pub is_yacc: bool,
    /// What stands before the names of tokens where the lexer returns them.
    pub token_prefix: String,
    pub notes: Vec<Diagnostic>,
}

impl Grammar {
    /// The token of a name, which is added if there is none.
    pub fn token(&mut self, name: &str) -> u32 {
        index_of(&mut self.tokens, name)
    }

    pub fn rule(&mut self, name: &str) -> u32 {
        index_of(&mut self.rules, name)
    }

    pub fn name(&self, symbol: Symbol) -> &str {
        match symbol {
            Symbol::Token(token) => &self.tokens[token as usize],
            Symbol::Rule(rule) => &self.rules[rule as usize],
        }
    }

    /// A production as people write it.
    pub fn show(&self, production: &Production) -> String {
        let symbols: Vec<&str> = production.symbols.iter().map(|&symbol| self.name(symbol)).collect();
        let body = if symbols.is_empty() { "%empty".to_owned() } else { symbols.join(" ") };
        format!("{}: {body}", self.rules[production.rule as usize])
    }

    /// By rule: whether it derives a text, if those tokens do.
    pub fn productive(&self, has_words: impl Fn(u32) -> bool) -> Vec<bool> {
        let mut productive = vec![false; self.rules.len()];
        loop {
            let before = productive.clone();
            for production in &self.productions {
                productive[production.rule as usize] |= production.symbols.iter().all(|symbol| match *symbol {
                    Symbol::Token(token) => has_words(token),
                    Symbol::Rule(rule) => before[rule as usize],
                });
            }
            if productive == before {
                return productive;
            }
        }
    }

    /// By rule: whether a derivation from the start comes to it.
    pub fn reachable(&self) -> Vec<bool> {
        let mut reachable = vec![false; self.rules.len()];
        let mut open = vec![self.start];
        while let Some(rule) = open.pop() {
            if !std::mem::replace(&mut reachable[rule as usize], true) {
                let of_rule = self.productions.iter().filter(|production| production.rule == rule);
                open.extend(of_rule.flat_map(|production| &production.symbols).filter_map(|symbol| match *symbol {
                    Symbol::Rule(rule) => Some(rule),
                    Symbol::Token(_) => None,
                }));
            }
        }
        reachable
    }
}

fn index_of(names: &mut Vec<String>, name: &str) -> u32 {
    let known = names.iter().position(|known| known == name);
    known.unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    }) as u32
}

/// What a lexer does with a word that a pattern matches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LexAction {
    /// It is one of these tokens, by name.
    Token(Vec<String>),
    /// Each letter is the token of its own (`return yytext[0];`).
    Itself,
    /// Nothing: white space, comments.
    Skip,
    /// Something that can't be said beforehand: no text is made of it.
    Unknown,
}

impl std::fmt::Display for LexAction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Token(tokens) => write!(f, "`{}`", tokens.join("`, `")),
            Self::Itself => f.write_str("the rule for single letters"),
            Self::Skip => f.write_str("what is skipped"),
            Self::Unknown => f.write_str("a rule that no text is made from"),
        }
    }
}

/// Which start condition a lexer is in after a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    Same,
    To(u32),
    /// The one that it was in before the present one.
    Back,
}

/// The parts of a pattern with trailing context, `r/s`. One of them has words of one length, or nobody could say where they part.
#[derive(Clone, Debug)]
pub struct Trailing {
    pub word: Hir,
    /// How long what follows is, if that is always the same.
    pub len: Option<u32>,
}

#[derive(Clone, Debug)]
pub struct LexRule {
    /// With what must follow.
    pub pattern: Hir,
    pub trailing: Option<Trailing>,
    pub action: LexAction,
    /// The start conditions in which it counts.
    pub conditions: Vec<u32>,
    /// Whether it matches at the start of a line only.
    pub is_anchored: bool,
    pub next: Next,
    pub line: usize,
}

impl LexRule {
    /// A rule of a lexer without start conditions.
    pub fn new(pattern: Hir, action: LexAction, line: usize) -> Self {
        Self { pattern, trailing: None, action, conditions: vec![0], is_anchored: false, next: Next::Same, line }
    }
}

/// Patterns in the order of their priority. The longest match wins, then the first. It starts in condition 0.
#[derive(Clone, Debug, Default)]
pub struct Lexer {
    pub rules: Vec<LexRule>,
    pub notes: Vec<Diagnostic>,
    /// Whether the program looks for the longest match. Hand-written parsers do not.
    pub is_longest_match: bool,
}
