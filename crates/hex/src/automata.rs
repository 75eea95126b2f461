//! Regular expressions as automata: positions of one expression (Glushkov's construction, no empty moves), and one deterministic automaton that
//! runs all expressions of a block at once.
//!
//! Symbols that no expression mentions share a letter, so that an automaton does not grow with the program's types.

use crate::diagnostic::Span;
use crate::syntax::{Pattern, Regex};
use crate::types::{Root, RootKind, Step};
use rustc_hash::FxHashMap;

/// Positions are occurrences of symbols; the set `first` is where a word may start, `follow` where it may go on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nfa {
    pub positions: Vec<(Pattern, Span)>,
    pub first: Vec<u16>,
    pub follow: Vec<Vec<u16>>,
    pub is_last: Vec<bool>,
    pub is_nullable: bool,
}

/// Where the words of a sub-expression start and end.
struct Ends {
    first: Vec<u16>,
    last: Vec<u16>,
    is_nullable: bool,
}

impl Nfa {
    pub fn new(regex: &Regex) -> Nfa {
        let mut nfa = Nfa::default();
        let ends = nfa.add(regex);
        for last in ends.last {
            nfa.is_last[last as usize] = true;
        }
        Nfa { first: ends.first, is_nullable: ends.is_nullable, ..nfa }
    }

    /// Where a word may go on after `position`, or start.
    pub fn after(&self, position: Option<u16>) -> &[u16] {
        position.map_or(&self.first, |p| &self.follow[p as usize])
    }

    fn add(&mut self, regex: &Regex) -> Ends {
        match regex {
            Regex::This(_) => Ends { first: vec![], last: vec![], is_nullable: true },
            Regex::Symbol(pattern, span) => {
                let position = self.positions.len() as u16;
                self.positions.push((pattern.clone(), *span));
                self.follow.push(Vec::new());
                self.is_last.push(false);
                Ends { first: vec![position], last: vec![position], is_nullable: false }
            }
            Regex::Seq(all) => {
                let mut whole = Ends { first: vec![], last: vec![], is_nullable: true };
                for one in all {
                    let next = self.add(one);
                    self.link(&whole.last, &next.first);
                    if whole.is_nullable {
                        whole.first.extend(&next.first);
                    }
                    if !next.is_nullable {
                        whole.last.clear();
                    }
                    whole.last.extend(&next.last);
                    whole.is_nullable &= next.is_nullable;
                }
                whole
            }
            Regex::Or(all) => {
                let mut whole = Ends { first: vec![], last: vec![], is_nullable: false };
                for one in all {
                    let next = self.add(one);
                    whole.first.extend(next.first);
                    whole.last.extend(next.last);
                    whole.is_nullable |= next.is_nullable;
                }
                whole
            }
            Regex::Repeat(inner, sign) => {
                let mut ends = self.add(inner);
                if *sign != '?' {
                    self.link(&ends.last, &ends.first);
                }
                ends.is_nullable |= *sign != '+';
                ends
            }
        }
    }

    fn link(&mut self, from: &[u16], to: &[u16]) {
        for f in from {
            let follow = &mut self.follow[*f as usize];
            follow.extend(to.iter().filter(|t| !follow.contains(t)).copied().collect::<Vec<_>>());
        }
    }
}

/// A symbol of a path, as automata know it.
pub(crate) type Letter = u16;

const OTHER_ROOT: Letter = 0;
const OTHER_MEMBER: Letter = 1;
const OTHER_INDEX: Letter = 2;
/// From a part to the object around it, as `container_of` goes. Only `any` follows.
pub(crate) const CONTAINER: Letter = 3;
const N_FIXED: Letter = 4;

/// The letters of a specification: what its expressions mention, and the rest.
#[derive(Clone, Debug, Default)]
pub(crate) struct Alphabet {
    letters: FxHashMap<Pattern, Letter>,
}

impl Alphabet {
    pub fn add(&mut self, nfa: &Nfa) {
        for (pattern, _) in &nfa.positions {
            if !matches!(pattern, Pattern::AnyIndex | Pattern::Anything) {
                let next = self.len() as Letter;
                self.letters.entry(pattern.clone()).or_insert(next);
            }
        }
    }

    pub fn len(&self) -> usize {
        N_FIXED as usize + self.letters.len()
    }

    pub fn of_step(&self, step: &Step) -> Letter {
        let other = if matches!(step, Step::Member(_)) { OTHER_MEMBER } else { OTHER_INDEX };
        self.letters.get(&Pattern::Step(step.clone())).copied().unwrap_or(other)
    }

    pub fn of_root(&self, root: &Root) -> Letter {
        let pattern = match root.kind {
            RootKind::Param => Pattern::Param(root.name.clone()),
            RootKind::Global => Pattern::Global(root.name.clone()),
            RootKind::Result => Pattern::Result(root.name.clone()),
        };
        self.letters.get(&pattern).copied().unwrap_or(OTHER_ROOT)
    }

    /// The letters that each pattern matches.
    fn matches(&self, pattern: &Pattern, letter: Letter) -> bool {
        let is_index = |l| {
            l == OTHER_INDEX || self.letters.iter().any(|(p, x)| *x == l && matches!(p, Pattern::Step(Step::Index(_))))
        };
        match pattern {
            Pattern::Anything => true,
            Pattern::AnyIndex => is_index(letter),
            _ => self.letters.get(pattern) == Some(&letter),
        }
    }
}

/// A state of a block's automaton. No word that continues from [`DEAD`] is accepted by any expression.
pub(crate) type State = u32;
pub(crate) const DEAD: State = 0;
pub(crate) const START: State = 1;

/// All expressions of a block at once; `accepts` is the set of those that accept, a bit each, `alive` of those that may accept a longer word.
#[derive(Clone, Debug)]
pub(crate) struct Dfa {
    n_letters: usize,
    next: Vec<State>,
    accepts: Vec<u64>,
    alive: Vec<u64>,
}

impl Dfa {
    pub fn step(&self, state: State, letter: Letter) -> State {
        let next = self.next[state as usize * self.n_letters + letter as usize];
        debug_assert!(next != UNKNOWN, "a step that the types do not have");
        next
    }

    pub fn walk(&self, state: State, letters: &[Letter]) -> State {
        letters.iter().fold(state, |state, letter| self.step(state, *letter))
    }

    pub fn accepts(&self, state: State) -> u64 {
        self.accepts[state as usize]
    }

    pub fn alive(&self, state: State) -> u64 {
        self.alive[state as usize]
    }

    pub fn n_states(&self) -> usize {
        self.accepts.len()
    }
}

const UNKNOWN: State = State::MAX;
/// More states than any sensible specification has; one that needs more is refused.
const MAX_STATES: usize = 10_000;

/// Makes an automaton step by step: whoever builds takes all steps that heaps can take, so that the result needs no lock.
pub(crate) struct Builder<'a> {
    nfas: &'a [Nfa],
    /// `matching[nfa][position]`, by letter.
    matching: Vec<Vec<Vec<bool>>>,
    /// Sets of (expression, position); no position is its start.
    sets: Vec<Vec<(u8, Option<u16>)>>,
    numbers: FxHashMap<Vec<(u8, Option<u16>)>, State>,
    dfa: Dfa,
    pub is_too_large: bool,
}

impl<'a> Builder<'a> {
    pub fn new(nfas: &'a [Nfa], alphabet: &Alphabet) -> Builder<'a> {
        assert!(nfas.len() <= 64, "a block has a bit for each expression");
        let letters = |p: &Pattern| (0..alphabet.len() as Letter).map(|l| alphabet.matches(p, l)).collect();
        let matching = nfas.iter().map(|nfa| nfa.positions.iter().map(|(p, _)| letters(p)).collect()).collect();
        let dfa = Dfa { n_letters: alphabet.len(), next: vec![], accepts: vec![], alive: vec![] };
        let mut builder =
            Builder { nfas, matching, sets: vec![], numbers: FxHashMap::default(), dfa, is_too_large: false };
        builder.intern(Vec::new());
        builder.intern((0..nfas.len() as u8).map(|n| (n, None)).collect());
        builder
    }

    pub fn finish(self) -> Dfa {
        self.dfa
    }

    pub fn accepts(&self, state: State) -> u64 {
        self.dfa.accepts(state)
    }

    pub fn walk(&mut self, state: State, letters: &[Letter]) -> State {
        letters.iter().fold(state, |state, letter| self.step(state, *letter))
    }

    pub fn step(&mut self, state: State, letter: Letter) -> State {
        let slot = state as usize * self.dfa.n_letters + letter as usize;
        if self.dfa.next[slot] == UNKNOWN {
            let mut set = Vec::new();
            for (n, at) in &self.sets[state as usize] {
                let nfa = &self.nfas[*n as usize];
                let goes = |p: &&u16| self.matching[*n as usize][**p as usize][letter as usize];
                set.extend(nfa.after(*at).iter().filter(goes).map(|p| (*n, Some(*p))));
            }
            set.sort_unstable();
            set.dedup();
            self.dfa.next[slot] = self.intern(set);
        }
        self.dfa.next[slot]
    }

    fn intern(&mut self, set: Vec<(u8, Option<u16>)>) -> State {
        if let Some(state) = self.numbers.get(&set) {
            return *state;
        }
        if self.sets.len() >= MAX_STATES {
            self.is_too_large = true;
            return DEAD;
        }
        let state = self.sets.len() as State;
        let accepts = |(n, at): &(u8, Option<u16>)| {
            let nfa = &self.nfas[*n as usize];
            if at.map_or(nfa.is_nullable, |p| nfa.is_last[p as usize]) { 1 << n } else { 0 }
        };
        self.dfa.accepts.push(set.iter().map(accepts).fold(0, |all, bit: u64| all | bit));
        let alive = |(n, at): &(u8, Option<u16>)| {
            if self.nfas[*n as usize].after(*at).is_empty() { 0 } else { 1 << n }
        };
        self.dfa.alive.push(set.iter().map(alive).fold(0, |all, bit: u64| all | bit));
        let unknown = if set.is_empty() { DEAD } else { UNKNOWN };
        self.dfa.next.extend(std::iter::repeat_n(unknown, self.dfa.n_letters));
        self.sets.push(set.clone());
        self.numbers.insert(set, state);
        state
    }
}
