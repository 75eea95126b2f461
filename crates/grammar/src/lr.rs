//! Grammars whose conflicts a parser generator has resolved: the texts that the resolved table accepts, each with one derivation.
//!
//! The program's parser is the table, which is deterministic. A derivation is a run of it if every reduction is what the table says in
//! that state, for the token that follows. So symbols are taken apart: by the state in which they begin, the token that they begin with
//! (or that follows, if they are empty), and the token that follows. That also says which tokens stand side by side. Where there was no
//! conflict, what follows need not be known: tokens that no conflict tells apart are one kind.

use crate::model::{Assoc, Grammar, Symbol};
use cfgrammar::yacc::{YaccGrammar, YaccKind, YaccOriginalActionKind};
use cfgrammar::{PIdx, RIdx, SIdx, TIdx};
use lrtable::{Action, Minimiser, StIdx, StateGraph, StateTable, from_yacc};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

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
    /// The production of the grammar that it comes from; none if it only says where to begin, or is the rest of another.
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
    /// By state and token, or the end: the production that is reduced, if any, where the grammar alone would allow something else as well.
    resolved: FxHashMap<(StIdx<u32>, Option<u32>), Option<u32>>,
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
        let (graph, table) = from_yacc(&yacc, Minimiser::Pager).ok()?;
        let mut origin = FxHashMap::default();
        for rule in 0..grammar.rules.len() as u32 {
            let Some(ridx) = yacc.rule_idx(&format!("r{rule}")) else { continue };
            let own = (0..).zip(&grammar.productions).filter(|(_, it)| it.rule == rule).map(|(number, _)| number);
            origin.extend(yacc.rule_to_prods(ridx).iter().copied().zip(own));
        }
        let tokens =
            (0..grammar.tokens.len()).map(|token| yacc.token_idx(&format!("T{token}"))).collect::<Option<_>>()?;
        let rules = (0..grammar.rules.len()).map(|rule| yacc.rule_idx(&format!("r{rule}"))).collect();
        let mut found = Self { yacc, table, origin, tokens, rules, resolved: FxHashMap::default(), n_conflicts: 0 };
        for state in graph.iter_stidxs() {
            found.find_conflicts(&graph, state);
        }
        found.n_conflicts = found.resolved.len();
        Some(found)
    }

    fn find_conflicts(&mut self, graph: &StateGraph<u32>, state: StIdx<u32>) {
        let is_whole = |pidx, dot: SIdx<u32>| dot == self.yacc.prod_len(pidx);
        let items = &graph.closed_state(state).items;
        let whole: Vec<_> = items.iter().filter(|&(&(pidx, dot), _)| is_whole(pidx, dot)).map(|it| it.1).collect();
        if whole.is_empty() {
            return;
        }
        let followers = self.tokens.iter().copied().zip((0..).map(Some)).chain([(self.yacc.eof_token_idx(), None)]);
        for (tidx, follow) in followers {
            let n_reduced = whole.iter().filter(|context| context[usize::from(tidx)]).count();
            let is_shifted = graph.edge(state, cfgrammar::Symbol::Token(tidx)).is_some();
            if n_reduced + usize::from(is_shifted) > 1 {
                let reduced = match self.table.action(state, tidx) {
                    Action::Reduce(pidx) => self.origin.get(&pidx).copied(),
                    _ => None,
                };
                self.resolved.insert((state, follow), reduced);
            }
        }
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
}

/// How tokens may be written, and what may stand beside what.
pub struct SideBySide<'l> {
    /// By spelling: its token.
    pub tokens: Vec<u32>,
    pub may_begin: &'l dyn Fn(u32) -> bool,
    pub may_follow: &'l dyn Fn(u32, u32) -> bool,
    pub may_end: &'l dyn Fn(u32) -> bool,
}

/// A rule that begins in a state, with a kind of token.
type Begun = (StIdx<u32>, u32, u32);

/// The rest of a production from a place on, in a state, with the kind of token that comes next.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Rest {
    production: u32,
    at: u32,
    state: StIdx<u32>,
    first: u32,
}

/// What rules are made for; each with what follows.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    Rule(Begun, u32),
    Rest(Rest, u32),
}

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
    /// By state and kind: what is reduced, where that is not everything.
    resolved: FxHashMap<(StIdx<u32>, u32), Option<u32>>,
    /// The kinds that may follow a rule that has begun so.
    ends: FxHashMap<Begun, Vec<u32>>,
    /// What has to be looked at again when there are more of these.
    users: FxHashMap<Begun, FxHashSet<Begun>>,
    open: Vec<Begun>,
    /// The kinds that may follow the rest of a production, once `ends` is known.
    rest_ends: FxHashMap<Rest, Rc<[u32]>>,
    work: usize,
}

impl<'t> Runs<'t> {
    fn new(table: &'t Table, grammar: &'t Grammar, side_by_side: &SideBySide<'_>) -> Self {
        let SideBySide { tokens, may_begin, may_follow, may_end } = side_by_side;
        let n_spellings = tokens.len() as u32;
        let column = |token: Option<u32>| -> Vec<(StIdx<u32>, Option<u32>)> {
            let of_token = table.resolved.iter().filter(|it| it.0.1 == token);
            let mut column: Vec<_> = of_token.map(|(&(state, _), &reduced)| (state, reduced)).collect();
            column.sort_unstable();
            column
        };
        let columns: Vec<_> = (0..grammar.tokens.len() as u32).map(|token| column(Some(token))).collect();
        let mut known = FxHashMap::default();
        let mut kinds: Vec<Vec<u32>> = Vec::new();
        let mut kind_of = Vec::new();
        for it in 0..n_spellings {
            let before: Vec<bool> = (0..n_spellings).map(|other| may_follow(other, it)).collect();
            let after: Vec<bool> = (0..n_spellings).map(|other| may_follow(it, other)).collect();
            let key = (&columns[tokens[it as usize] as usize], before, after, may_begin(it), may_end(it));
            let kind = *known.entry(key).or_insert(kinds.len() as u32);
            kinds.resize(kinds.len().max(kind as usize + 1), Vec::new());
            kinds[kind as usize].push(it);
            kind_of.push(kind);
        }
        let end = kinds.len() as u32;
        let followers = |kind: &Vec<u32>| -> Vec<u32> {
            let follows = |other: &u32| match kinds.get(*other as usize) {
                Some(other) => may_follow(kind[0], other[0]),
                None => may_end(kind[0]),
            };
            (0..=end).filter(follows).collect()
        };
        let mut resolved = FxHashMap::default();
        for kind in 0..=end {
            let token = kinds.get(kind as usize).map(|kind| tokens[kind[0] as usize]);
            resolved.extend(column(token).into_iter().map(|(state, reduced)| ((state, kind), reduced)));
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
            resolved,
            ends: FxHashMap::default(),
            users: FxHashMap::default(),
            open: Vec::new(),
            rest_ends: FxHashMap::default(),
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
            let mut found: Vec<u32> = Vec::new();
            for number in self.productions[begun.1 as usize].clone() {
                found.extend(self.follows(begun, number)?);
            }
            found.extend(&self.ends[&begun]);
            found.sort_unstable();
            found.dedup();
            let known = self.ends.insert(begun, found.clone()).map_or(0, |known| known.len());
            if found.len() > known {
                let users = self.users.get(&begun).into_iter().flatten();
                self.open.extend(users.filter(|user| !self.open.contains(user)).copied().collect::<Vec<_>>());
            }
        }
        Some(())
    }

    /// What may follow a production, by what is known of its rules so far. Places have one state each: only what follows varies.
    fn follows(&mut self, begun: Begun, number: u32) -> Option<Vec<u32>> {
        let (mut state, mut kinds) = (begun.0, vec![begun.2]);
        for symbol in &self.grammar.productions[number as usize].symbols {
            let mut next: Vec<u32> = Vec::new();
            match *symbol {
                Symbol::Token(token) => {
                    let own: Vec<u32> = kinds.into_iter().filter(|&kind| self.is_of(token, kind)).collect();
                    next.extend(own.iter().flat_map(|&kind| &self.followers[kind as usize]));
                    let Some(to) = self.table.shift(state, token).filter(|_| !own.is_empty()) else {
                        return Some(Vec::new());
                    };
                    state = to;
                }
                Symbol::Rule(rule) => {
                    for &kind in &kinds {
                        let part = (state, rule, kind);
                        self.users.entry(part).or_default().insert(begun);
                        let open = &mut self.open;
                        next.extend(&*self.ends.entry(part).or_insert_with(|| {
                            open.push(part);
                            Vec::new()
                        }));
                    }
                    let Some(to) = self.table.goto(state, rule) else { return Some(Vec::new()) };
                    state = to;
                }
            }
            next.sort_unstable();
            next.dedup();
            self.work += next.len() + 1;
            kinds = next;
        }
        kinds.retain(|&kind| self.may_reduce(state, kind, number));
        (self.work < MAX_WORK).then_some(kinds)
    }

    fn is_of(&self, token: u32, kind: u32) -> bool {
        self.spellings[token as usize].iter().any(|&it| self.kind_of[it as usize] == kind)
    }

    fn may_reduce(&self, state: StIdx<u32>, follow: u32, number: u32) -> bool {
        self.resolved.get(&(state, follow)).is_none_or(|&reduced| reduced == Some(number))
    }

    /// The ways to go on in a production.
    fn ways(&self, rest: Rest, symbol: Symbol) -> Vec<(Piece, Rest)> {
        let then = |state, first| Rest { at: rest.at + 1, state, first, ..rest };
        match symbol {
            Symbol::Token(token) => {
                let Some(to) = self.table.shift(rest.state, token) else { return Vec::new() };
                let own = self.spellings[token as usize].iter().filter(|&&it| self.kind_of[it as usize] == rest.first);
                let nexts = |&it| self.followers[rest.first as usize].iter().map(move |&next| (it, next));
                own.flat_map(nexts).map(|(it, next)| (Piece::Token(it), then(to, next))).collect()
            }
            Symbol::Rule(rule) => {
                let begun = (rest.state, rule, rest.first);
                let (Some(to), Some(ends)) = (self.table.goto(rest.state, rule), self.ends.get(&begun)) else {
                    return Vec::new();
                };
                ends.iter().map(|&next| (Piece::Part(Part::Rule(begun, next)), then(to, next))).collect()
            }
        }
    }

    fn symbol_at(&self, rest: Rest) -> Option<Symbol> {
        self.grammar.productions[rest.production as usize].symbols.get(rest.at as usize).copied()
    }

    fn rest_ends(&mut self, rest: Rest) -> Rc<[u32]> {
        if let Some(known) = self.rest_ends.get(&rest) {
            return Rc::clone(known);
        }
        let ends: Rc<[u32]> = match self.symbol_at(rest) {
            None if self.may_reduce(rest.state, rest.first, rest.production) => [rest.first].into(),
            None => [].into(),
            Some(symbol) => {
                let mut ends: Vec<u32> = Vec::new();
                for (_, then) in self.ways(rest, symbol) {
                    ends.extend(&*self.rest_ends(then));
                }
                ends.sort_unstable();
                ends.dedup();
                ends.into()
            }
        };
        self.rest_ends.insert(rest, Rc::clone(&ends));
        ends
    }

    fn rules(mut self) -> Rules {
        let mut numbered = Numbered::default();
        let end = self.kinds.len() as u32;
        numbered.rules.of_rule.push(Vec::new());
        for begun in self.begins() {
            if self.ends.get(&begun).is_some_and(|follows| follows.contains(&end)) {
                let symbols = vec![numbered.symbol(Piece::Part(Part::Rule(begun, end)))];
                numbered.rules.add(0, RuleProduction { symbols, origin: None });
            }
        }
        while let Some((part, rule)) = numbered.open.pop() {
            match part {
                Part::Rest(rest, follow) => self.add(&mut numbered, rule, None, Vec::new(), (rest, follow)),
                Part::Rule((state, wanted, first), follow) => {
                    for production in self.productions[wanted as usize].clone() {
                        let rest = Rest { production, at: 0, state, first };
                        if self.rest_ends(rest).contains(&follow) {
                            self.add(&mut numbered, rule, Some(production), Vec::new(), (rest, follow));
                        }
                    }
                }
            }
        }
        numbered.rules
    }

    /// Adds a production for a rest, as far as there is one way to go on; what comes after several is a rule of its own.
    fn add(
        &mut self,
        numbered: &mut Numbered,
        rule: u32,
        origin: Option<u32>,
        mut symbols: Vec<Symbol>,
        (mut rest, follow): (Rest, u32),
    ) {
        while let Some(symbol) = self.symbol_at(rest) {
            let mut ways = self.ways(rest, symbol);
            ways.retain(|&(_, then)| self.rest_ends(then).contains(&follow));
            match ways[..] {
                [(piece, then)] => {
                    symbols.push(numbered.symbol(piece));
                    rest = then;
                }
                _ if symbols.is_empty() => {
                    for (piece, then) in ways {
                        let symbols = vec![numbered.symbol(piece)];
                        self.add(numbered, rule, origin, symbols, (then, follow));
                    }
                    return;
                }
                _ => {
                    symbols.push(numbered.symbol(Piece::Part(Part::Rest(rest, follow))));
                    break;
                }
            }
        }
        numbered.rules.add(rule, RuleProduction { symbols, origin });
    }
}

/// Rules in the making, and the numbers of those that are still to come.
#[derive(Default)]
struct Numbered {
    rules: Rules,
    numbers: FxHashMap<Part, u32>,
    open: Vec<(Part, u32)>,
}

impl Numbered {
    fn symbol(&mut self, piece: Piece) -> Symbol {
        match piece {
            Piece::Token(spelling) => Symbol::Token(spelling),
            Piece::Part(part) => {
                let number = self.numbers.len() as u32 + 1;
                Symbol::Rule(*self.numbers.entry(part).or_insert_with(|| {
                    self.open.push((part, number));
                    number
                }))
            }
        }
    }
}

#[derive(Clone, Copy)]
enum Piece {
    Token(u32),
    Part(Part),
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
