//! Grammars whose conflicts a parser generator has resolved: the texts that the resolved table accepts, each with one derivation.
//!
//! The program's parser is the table, which is deterministic. A derivation is a run of it if every reduction is what the table says in
//! that state, for the token that follows. So symbols are taken apart: by the state in which they begin, the token that they begin with
//! (or that follows, if they are empty), and the token that follows. That also says which tokens stand side by side.

use crate::model::{Assoc, Grammar, Symbol};
use cfgrammar::yacc::{YaccGrammar, YaccKind, YaccOriginalActionKind};
use cfgrammar::{PIdx, RIdx, TIdx};
use lrtable::{Action, Minimiser, StIdx, StateTable, from_yacc};
use rustc_hash::{FxHashMap, FxHashSet};

/// Rules as they are enumerated.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    pub productions: Vec<RuleProduction>,
    /// By rule: its productions.
    pub of_rule: Vec<Vec<u32>>,
    pub start: u32,
}

#[derive(Clone, Debug)]
pub struct RuleProduction {
    pub symbols: Vec<Symbol>,
    /// The production of the grammar that it comes from; none if it only says where to begin.
    pub origin: Option<u32>,
}

impl Rules {
    fn add(&mut self, rule: u32, production: RuleProduction) {
        if self.of_rule.len() <= rule as usize {
            self.of_rule.resize(rule as usize + 1, Vec::new());
        }
        self.of_rule[rule as usize].push(self.productions.len() as u32);
        self.productions.push(production);
    }

    /// The same texts without rules that may be empty and without productions that only name another rule: no rule leads back to itself
    /// without a token in between.
    pub fn without_cycles(&self) -> Self {
        let n_rules = self.of_rule.len();
        let is_empty = self.empty_rules();
        let mut of_rule: Vec<Vec<RuleProduction>> = vec![Vec::new(); n_rules];
        for (rule, productions) in self.of_rule.iter().enumerate() {
            for production in productions.iter().map(|&number| &self.productions[number as usize]) {
                let may_drop = |symbol: &Symbol| matches!(symbol, Symbol::Rule(rule) if is_empty[*rule as usize]);
                let mut bodies: Vec<Vec<Symbol>> = vec![Vec::new()];
                for symbol in &production.symbols {
                    let without = if may_drop(symbol) { bodies.clone() } else { Vec::new() };
                    bodies.iter_mut().for_each(|body| body.push(*symbol));
                    bodies.extend(without);
                }
                for symbols in bodies.into_iter().filter(|body| !body.is_empty()) {
                    if !of_rule[rule].iter().any(|known| known.symbols == symbols) {
                        of_rule[rule].push(RuleProduction { symbols, origin: production.origin });
                    }
                }
            }
        }
        let mut rules = Self { start: n_rules as u32, of_rule: vec![Vec::new(); n_rules + 1], ..Self::default() };
        for rule in 0..n_rules {
            let (mut reached, mut at) = (vec![rule], 0);
            while let Some(&from) = reached.get(at) {
                for production in &of_rule[from] {
                    match production.symbols[..] {
                        [Symbol::Rule(to)] if reached.contains(&(to as usize)) => {}
                        [Symbol::Rule(to)] => reached.push(to as usize),
                        _ => rules.add(rule as u32, production.clone()),
                    }
                }
                at += 1;
            }
        }
        let start = RuleProduction { symbols: vec![Symbol::Rule(self.start)], origin: None };
        rules.add(n_rules as u32, start);
        if is_empty[self.start as usize] {
            rules.add(n_rules as u32, RuleProduction { symbols: Vec::new(), origin: None });
        }
        rules
    }

    /// By rule: whether it derives the empty text.
    pub fn empty_rules(&self) -> Vec<bool> {
        let mut is_empty = vec![false; self.of_rule.len()];
        loop {
            let before = is_empty.clone();
            for (rule, productions) in self.of_rule.iter().enumerate() {
                let mut bodies = productions.iter().map(|&number| &self.productions[number as usize].symbols);
                is_empty[rule] |= bodies.any(|symbols| {
                    symbols.iter().all(|symbol| matches!(symbol, Symbol::Rule(rule) if before[*rule as usize]))
                });
            }
            if is_empty == before {
                return is_empty;
            }
        }
    }

    /// The grammar as it stands.
    pub fn plain(grammar: &Grammar) -> Self {
        let mut rules =
            Self { start: grammar.start, of_rule: vec![Vec::new(); grammar.rules.len()], ..Self::default() };
        for (number, production) in (0..).zip(&grammar.productions) {
            rules.add(production.rule, RuleProduction { symbols: production.symbols.clone(), origin: Some(number) });
        }
        rules
    }
}

/// The table of a grammar.
pub struct Table {
    yacc: YaccGrammar<u32>,
    table: StateTable<u32>,
    /// By production of `yacc`: ours.
    origin: FxHashMap<PIdx<u32>, u32>,
    tokens: Vec<TIdx<u32>>,
    rules: Vec<Option<RIdx<u32>>>,
    pub n_conflicts: usize,
}

/// How much work the taking apart of symbols may be.
const MAX_WORK: usize = 20_000_000;

impl Table {
    /// Nothing if there is none: the grammar can't be said to the generator.
    pub fn new(grammar: &Grammar) -> Option<Self> {
        let yacc: YaccGrammar<u32> =
            YaccGrammar::new_with_storaget(YaccKind::Original(YaccOriginalActionKind::NoAction), &as_yacc(grammar))
                .ok()?;
        let (_, table) = from_yacc(&yacc, Minimiser::Pager).ok()?;
        let mut origin = FxHashMap::default();
        for rule in 0..grammar.rules.len() as u32 {
            let Some(ridx) = yacc.rule_idx(&format!("r{rule}")) else { continue };
            let own = (0..).zip(&grammar.productions).filter(|(_, it)| it.rule == rule).map(|(number, _)| number);
            origin.extend(yacc.rule_to_prods(ridx).iter().copied().zip(own));
        }
        let tokens =
            (0..grammar.tokens.len()).map(|token| yacc.token_idx(&format!("T{token}"))).collect::<Option<_>>()?;
        // What precedence has decided is no conflict for the generator, but the grammar is ambiguous there all the same.
        let by_precedence = grammar.precedence.iter().map(|level| level.1.len()).sum::<usize>();
        let n_conflicts = table.conflicts().map_or(0, |conflicts| conflicts.sr_len() + conflicts.rr_len());
        let rules = (0..grammar.rules.len()).map(|rule| yacc.rule_idx(&format!("r{rule}"))).collect();
        Some(Self { yacc, table, origin, tokens, rules, n_conflicts: n_conflicts + by_precedence })
    }

    /// The rules of the runs of the table. `may_follow` says which tokens can stand side by side. Nothing if that is too much.
    pub fn runs(&self, grammar: &Grammar, may_follow: impl Fn(u32, u32) -> bool) -> Option<Rules> {
        let mut runs = Runs { table: self, grammar, may_follow, ends: FxHashMap::default(), work: 0 };
        runs.find_ends()?;
        Some(runs.rules())
    }

    fn shift(&self, state: StIdx<u32>, token: u32) -> Option<StIdx<u32>> {
        match self.table.action(state, self.tokens[token as usize]) {
            Action::Shift(to) => Some(to),
            _ => None,
        }
    }

    fn goto(&self, state: StIdx<u32>, rule: u32) -> Option<StIdx<u32>> {
        self.table.goto(state, self.rules[rule as usize]?)
    }

    fn reduces(&self, state: StIdx<u32>, follow: u32, production: u32) -> bool {
        let token = self.tokens.get(follow as usize).copied().unwrap_or_else(|| self.yacc.eof_token_idx());
        matches!(self.table.action(state, token), Action::Reduce(pidx) if self.origin.get(&pidx) == Some(&production))
    }
}

/// A symbol that begins in a state, with a token.
type Begun = (StIdx<u32>, u32, u32);

struct Runs<'t, F> {
    table: &'t Table,
    grammar: &'t Grammar,
    may_follow: F,
    /// The tokens that may follow a rule that has begun so. The end of the text is one more than all tokens.
    ends: FxHashMap<Begun, FxHashSet<u32>>,
    work: usize,
}

impl<F: Fn(u32, u32) -> bool> Runs<'_, F> {
    fn find_ends(&mut self) -> Option<()> {
        let mut starts = vec![self.table.table.start_state()];
        let mut known: FxHashSet<StIdx<u32>> = starts.iter().copied().collect();
        let mut places = Vec::new();
        while let Some(state) = starts.pop() {
            for rule in 0..self.grammar.rules.len() as u32 {
                if let Some(to) = self.table.goto(state, rule) {
                    places.push((state, rule));
                    starts.extend(known.insert(to).then_some(to));
                }
            }
            for token in 0..self.grammar.tokens.len() as u32 {
                if let Some(to) = self.table.shift(state, token) {
                    starts.extend(known.insert(to).then_some(to));
                }
            }
        }
        let n_tokens = self.grammar.tokens.len() as u32;
        loop {
            let mut has_changed = false;
            for &(state, rule) in &places {
                for number in 0..self.grammar.productions.len() as u32 {
                    if self.grammar.productions[number as usize].rule != rule {
                        continue;
                    }
                    for first in 0..=n_tokens {
                        let mut found = Vec::new();
                        self.walk(number, 0, state, first, &mut Vec::new(), &mut |symbols, follow| {
                            found.push((symbols.len(), follow))
                        })?;
                        for (_, follow) in found {
                            has_changed |= self.ends.entry((state, rule, first)).or_default().insert(follow);
                        }
                    }
                }
            }
            if !has_changed {
                return Some(());
            }
        }
    }

    /// All ways through the rest of a production, by what is known of its rules so far.
    fn walk(
        &mut self,
        number: u32,
        at: usize,
        state: StIdx<u32>,
        first: u32,
        symbols: &mut Vec<Piece>,
        found: &mut dyn FnMut(&[Piece], u32),
    ) -> Option<()> {
        self.work += 1;
        if self.work > MAX_WORK {
            return None;
        }
        let n_tokens = self.grammar.tokens.len() as u32;
        let Some(&symbol) = self.grammar.productions[number as usize].symbols.get(at) else {
            if self.table.reduces(state, first, number) {
                found(symbols, first);
            }
            return Some(());
        };
        match symbol {
            Symbol::Token(token) => {
                if token != first {
                    return Some(());
                }
                let Some(to) = self.table.shift(state, token) else { return Some(()) };
                symbols.push(Piece::Token(token));
                for next in 0..=n_tokens {
                    if next == n_tokens || (self.may_follow)(token, next) {
                        self.walk(number, at + 1, to, next, symbols, found)?;
                    }
                }
                symbols.pop();
            }
            Symbol::Rule(rule) => {
                let Some(to) = self.table.goto(state, rule) else { return Some(()) };
                let mut follows: Vec<u32> =
                    self.ends.get(&(state, rule, first)).into_iter().flatten().copied().collect();
                follows.sort_unstable();
                for next in follows {
                    symbols.push(Piece::Rule((state, rule, first), next));
                    self.walk(number, at + 1, to, next, symbols, found)?;
                    symbols.pop();
                }
            }
        }
        Some(())
    }

    fn rules(mut self) -> Rules {
        self.work = 0;
        let mut rules = Rules::default();
        let mut numbers: FxHashMap<(Begun, u32), u32> = FxHashMap::default();
        let mut open = Vec::new();
        let mut number_of = |begun: Begun, follow: u32, open: &mut Vec<(Begun, u32, u32)>| {
            let n_known = numbers.len() as u32;
            *numbers.entry((begun, follow)).or_insert_with(|| {
                open.push((begun, follow, n_known + 1));
                n_known + 1
            })
        };
        let (start, end) = (self.table.table.start_state(), self.grammar.tokens.len() as u32);
        rules.of_rule.push(Vec::new());
        for first in 0..=end {
            let begun = (start, self.grammar.start, first);
            if self.ends.get(&begun).is_some_and(|follows| follows.contains(&end)) {
                let rule = number_of(begun, end, &mut open);
                rules.add(0, RuleProduction { symbols: vec![Symbol::Rule(rule)], origin: None });
            }
        }
        while let Some((begun, follow, rule)) = open.pop() {
            for number in 0..self.grammar.productions.len() as u32 {
                if self.grammar.productions[number as usize].rule != begun.1 {
                    continue;
                }
                let mut found = Vec::new();
                let add = &mut |pieces: &[Piece], end: u32| {
                    if end == follow {
                        found.push(pieces.to_vec());
                    }
                };
                self.walk(number, 0, begun.0, begun.2, &mut Vec::new(), add).expect("less than what was done before");
                for pieces in found {
                    let symbols = pieces.into_iter().map(|piece| match piece {
                        Piece::Token(token) => Symbol::Token(token),
                        Piece::Rule(begun, follow) => Symbol::Rule(number_of(begun, follow, &mut open)),
                    });
                    let symbols = symbols.collect();
                    rules.add(rule, RuleProduction { symbols, origin: Some(number) });
                }
            }
        }
        rules
    }
}

#[derive(Clone, Copy, Debug)]
enum Piece {
    Token(u32),
    /// A rule, and what follows it.
    Rule(Begun, u32),
}

/// The grammar in the words of the generator.
fn as_yacc(grammar: &Grammar) -> String {
    let token = |token: &u32| format!(" T{token}");
    let mut text = format!(
        "%start r{}\n%token{}\n",
        grammar.start,
        (0..grammar.tokens.len() as u32).map(|it| token(&it)).collect::<String>()
    );
    for (assoc, tokens) in &grammar.precedence {
        let assoc = match assoc {
            Assoc::Left => "left",
            Assoc::Right => "right",
            Assoc::Nonassoc => "nonassoc",
        };
        text += &format!("%{assoc}{}\n", tokens.iter().map(token).collect::<String>());
    }
    text += "%%\n";
    for rule in 0..grammar.rules.len() as u32 {
        let own: Vec<String> = grammar
            .productions
            .iter()
            .filter(|it| it.rule == rule)
            .map(|production| {
                let symbols = production.symbols.iter().map(|symbol| match symbol {
                    Symbol::Token(token) => format!(" 'T{token}'"),
                    Symbol::Rule(rule) => format!(" r{rule}"),
                });
                let precedence = production.precedence.map(|token| format!(" %prec 'T{token}'")).unwrap_or_default();
                symbols.collect::<String>() + &precedence
            })
            .collect();
        if !own.is_empty() {
            text += &format!("r{rule}:{};\n", own.join(" |"));
        }
    }
    text
}
