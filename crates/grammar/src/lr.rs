//! Grammars whose conflicts a parser generator has resolved: the texts that the resolved table accepts, each with one derivation.
//!
//! The program's parser is the table, which is deterministic. A derivation is a run of it if every reduction is what the table says in
//! that state, for the token that follows. So symbols are taken apart: by the state in which they begin, the token that they begin with
//! (or that follows, if they are empty), and the token that follows. That also says which tokens stand side by side. Tokens that nothing
//! here tells apart are one kind.

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

    /// The grammar as it stands, with the first spelling of each token.
    pub fn plain(grammar: &Grammar, side_by_side: &SideBySide<'_>) -> Self {
        let mut rules =
            Self { start: grammar.start, of_rule: vec![Vec::new(); grammar.rules.len()], ..Self::default() };
        let spelled = |token: u32| side_by_side.tokens.iter().position(|&it| it == token).expect("it has words") as u32;
        for (number, production) in (0..).zip(&grammar.productions) {
            let symbols = production.symbols.iter().map(|symbol| match *symbol {
                Symbol::Token(token) => Symbol::Token(spelled(token)),
                rule => rule,
            });
            rules.add(production.rule, RuleProduction { symbols: symbols.collect(), origin: Some(number) });
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

    /// The rules of the runs of the table. Nothing if that is too much.
    pub fn runs(&self, grammar: &Grammar, side_by_side: &SideBySide<'_>) -> Option<Rules> {
        let mut runs = Runs::new(self, grammar, side_by_side);
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

    /// The production that is reduced before a token, or the end.
    fn reduced(&self, state: StIdx<u32>, follow: Option<u32>) -> Option<u32> {
        let token = follow.map_or_else(|| self.yacc.eof_token_idx(), |token| self.tokens[token as usize]);
        match self.table.action(state, token) {
            Action::Reduce(pidx) => self.origin.get(&pidx).copied(),
            _ => None,
        }
    }

    /// All states.
    fn states(&self, grammar: &Grammar) -> Vec<StIdx<u32>> {
        let mut states = vec![self.table.start_state()];
        let mut known: FxHashSet<StIdx<u32>> = states.iter().copied().collect();
        let mut at = 0;
        while let Some(&state) = states.get(at) {
            let by_rule = (0..grammar.rules.len() as u32).filter_map(|rule| self.goto(state, rule));
            let by_token = (0..grammar.tokens.len() as u32).filter_map(|token| self.shift(state, token));
            let next: Vec<_> = by_rule.chain(by_token).collect();
            states.extend(next.into_iter().filter(|&to| known.insert(to)));
            at += 1;
        }
        states
    }
}

/// How tokens may be written, and what may stand beside what.
pub struct SideBySide<'l> {
    /// By spelling: its token.
    pub tokens: Vec<u32>,
    pub may_begin: &'l dyn Fn(u32) -> bool,
    pub may_follow: &'l dyn Fn(u32, u32) -> bool,
}

/// A rule that begins in a state, with a kind of token.
type Begun = (StIdx<u32>, u32, u32);

struct Runs<'t> {
    table: &'t Table,
    grammar: &'t Grammar,
    /// By rule: its productions.
    productions: Vec<Vec<u32>>,
    /// By kind: its spellings. The end of the text is one more than all kinds.
    kinds: Vec<Vec<u32>>,
    /// By spelling.
    kind_of: Vec<u32>,
    /// By token.
    spellings: Vec<Vec<u32>>,
    /// By kind: what may follow.
    followers: Vec<Vec<u32>>,
    first_kinds: Vec<u32>,
    /// By kind and state: what is reduced.
    reduced: FxHashMap<(u32, StIdx<u32>), u32>,
    /// The kinds that may follow a rule that has begun so.
    ends: FxHashMap<Begun, Vec<u32>>,
    /// What has to be looked at again when there are more of these.
    users: FxHashMap<Begun, FxHashSet<Begun>>,
    open: Vec<Begun>,
    work: usize,
}

impl<'t> Runs<'t> {
    fn new(table: &'t Table, grammar: &'t Grammar, side_by_side: &SideBySide<'_>) -> Self {
        let SideBySide { tokens, may_begin, may_follow } = side_by_side;
        let (states, n_spellings) = (table.states(grammar), tokens.len() as u32);
        let column = |token: Option<u32>| -> Vec<Option<u32>> {
            states.iter().map(|&state| table.reduced(state, token)).collect()
        };
        let columns: Vec<Vec<Option<u32>>> =
            (0..grammar.tokens.len() as u32).map(|token| column(Some(token))).collect();
        let mut known = FxHashMap::default();
        let mut kinds: Vec<Vec<u32>> = Vec::new();
        let mut kind_of = Vec::new();
        for it in 0..n_spellings {
            let before: Vec<bool> = (0..n_spellings).map(|other| may_follow(other, it)).collect();
            let after: Vec<bool> = (0..n_spellings).map(|other| may_follow(it, other)).collect();
            let key = (&columns[tokens[it as usize] as usize], before, after, may_begin(it));
            let kind = *known.entry(key).or_insert(kinds.len() as u32);
            kinds.resize(kinds.len().max(kind as usize + 1), Vec::new());
            kinds[kind as usize].push(it);
            kind_of.push(kind);
        }
        let end = kinds.len() as u32;
        let followers = |kind: &Vec<u32>| -> Vec<u32> {
            let follows = |other: &u32| kinds.get(*other as usize).is_none_or(|other| may_follow(kind[0], other[0]));
            (0..=end).filter(follows).collect()
        };
        let mut reduced = FxHashMap::default();
        for kind in 0..=end {
            let token = kinds.get(kind as usize).map(|kind| tokens[kind[0] as usize]);
            let column = states.iter().filter_map(|&state| Some(((kind, state), table.reduced(state, token)?)));
            reduced.extend(column);
        }
        let of_rule = |rule: u32| {
            let own = (0..).zip(&grammar.productions).filter(|(_, it)| it.rule == rule);
            own.map(|(number, _)| number).collect()
        };
        let of_token = |token: u32| (0..n_spellings).filter(|&it| tokens[it as usize] == token).collect();
        Self {
            table,
            grammar,
            productions: (0..grammar.rules.len() as u32).map(of_rule).collect(),
            followers: kinds.iter().map(followers).collect(),
            first_kinds: (0..=end).filter(|&kind| kind == end || may_begin(kinds[kind as usize][0])).collect(),
            kinds,
            kind_of,
            spellings: (0..grammar.tokens.len() as u32).map(of_token).collect(),
            reduced,
            ends: FxHashMap::default(),
            users: FxHashMap::default(),
            open: Vec::new(),
            work: 0,
        }
    }

    fn begins(&self) -> Vec<Begun> {
        let start = self.table.table.start_state();
        self.first_kinds.iter().map(|&first| (start, self.grammar.start, first)).collect()
    }

    fn find_ends(&mut self) -> Option<()> {
        self.open = self.begins();
        self.ends.extend(self.open.iter().map(|&begun| (begun, Vec::new())));
        while let Some(begun) = self.open.pop() {
            let mut found = FxHashSet::default();
            for number in self.productions[begun.1 as usize].clone() {
                self.walk(begun, number, 0, (begun.0, begun.2), &mut Vec::new(), &mut |_, follow| {
                    found.insert(follow);
                })?;
            }
            let known = self.ends.entry(begun).or_default();
            let n_known = known.len();
            found.retain(|follow| !known.contains(follow));
            known.extend(found);
            if known.len() > n_known {
                known.sort_unstable();
                let users = self.users.get(&begun).into_iter().flatten();
                self.open.extend(users.filter(|user| !self.open.contains(user)).copied().collect::<Vec<_>>());
            }
        }
        Some(())
    }

    /// All ways through the rest of a production, by what is known of its rules so far.
    fn walk(
        &mut self,
        user: Begun,
        number: u32,
        at: usize,
        (state, first): (StIdx<u32>, u32),
        symbols: &mut Vec<Piece>,
        found: &mut dyn FnMut(&[Piece], u32),
    ) -> Option<()> {
        self.work += 1;
        if self.work > MAX_WORK {
            return None;
        }
        let Some(&symbol) = self.grammar.productions[number as usize].symbols.get(at) else {
            if self.reduced.get(&(first, state)) == Some(&number) {
                found(symbols, first);
            }
            return Some(());
        };
        match symbol {
            Symbol::Token(token) => {
                let Some(to) = self.table.shift(state, token) else { return Some(()) };
                for at_spelling in 0..self.spellings[token as usize].len() {
                    let spelling = self.spellings[token as usize][at_spelling];
                    if self.kind_of[spelling as usize] != first {
                        continue;
                    }
                    symbols.push(Piece::Token(spelling));
                    for at_next in 0..self.followers[first as usize].len() {
                        let next = self.followers[first as usize][at_next];
                        self.walk(user, number, at + 1, (to, next), symbols, found)?;
                    }
                    symbols.pop();
                }
            }
            Symbol::Rule(rule) => {
                let Some(to) = self.table.goto(state, rule) else { return Some(()) };
                let begun = (state, rule, first);
                self.users.entry(begun).or_default().insert(user);
                if !self.ends.contains_key(&begun) {
                    self.ends.insert(begun, Vec::new());
                    self.open.push(begun);
                }
                for at_next in 0..self.ends[&begun].len() {
                    let next = self.ends[&begun][at_next];
                    symbols.push(Piece::Rule(begun, next));
                    self.walk(user, number, at + 1, (to, next), symbols, found)?;
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
        let end = self.kinds.len() as u32;
        rules.of_rule.push(Vec::new());
        for begun in self.begins() {
            if self.ends.get(&begun).is_some_and(|follows| follows.contains(&end)) {
                let rule = number_of(begun, end, &mut open);
                rules.add(0, RuleProduction { symbols: vec![Symbol::Rule(rule)], origin: None });
            }
        }
        while let Some((begun, follow, rule)) = open.pop() {
            for number in self.productions[begun.1 as usize].clone() {
                let mut found = Vec::new();
                let add = &mut |pieces: &[Piece], end: u32| {
                    if end == follow {
                        found.push(pieces.to_vec());
                    }
                };
                let begin = (begun.0, begun.2);
                self.walk(begun, number, 0, begin, &mut Vec::new(), add).expect("less than what was done before");
                for pieces in found {
                    let symbols = pieces.into_iter().map(|piece| match piece {
                        Piece::Token(spelling) => Symbol::Token(spelling),
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
