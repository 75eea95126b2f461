//! Regular languages over bytes: patterns become one deterministic automaton that says which of them a word matches.

use regex_syntax::hir::{Class, Hir, HirKind};
use rustc_hash::FxHashMap;

/// No state: whatever follows, nothing matches any more.
pub const DEAD: u32 = u32::MAX;

/// A deterministic automaton for several patterns. State 0 is the start.
#[derive(Clone, Debug)]
pub struct Dfa {
    /// By state, then byte.
    next: Vec<[u32; 256]>,
    /// The first pattern that a word which ends in the state matches.
    label: Vec<Option<u32>>,
}

/// What can't be said as an automaton over bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Assertion;

#[derive(Default)]
struct Nfa {
    /// By state: where bytes lead, and where nothing does.
    bytes: Vec<Vec<(u8, u8, usize)>>,
    empty: Vec<Vec<usize>>,
}

impl Nfa {
    fn add(&mut self) -> usize {
        self.bytes.push(Vec::new());
        self.empty.push(Vec::new());
        self.bytes.len() - 1
    }

    /// Adds a pattern behind a state; returns where it ends.
    fn append(&mut self, hir: &Hir, from: usize) -> Result<usize, Assertion> {
        match hir.kind() {
            HirKind::Empty => Ok(from),
            HirKind::Look(_) => Err(Assertion),
            HirKind::Literal(literal) => {
                Ok(literal.0.iter().fold(from, |from, &byte| self.range(from, &[(byte, byte)])))
            }
            HirKind::Class(Class::Bytes(class)) => {
                let ranges: Vec<_> = class.ranges().iter().map(|range| (range.start(), range.end())).collect();
                Ok(self.range(from, &ranges))
            }
            HirKind::Class(Class::Unicode(class)) => {
                let to = self.add();
                for range in class.ranges() {
                    let sequences = regex_syntax::utf8::Utf8Sequences::new(range.start(), range.end());
                    for sequence in sequences {
                        let (last, first) = sequence.as_slice().split_last().expect("characters have bytes");
                        let before = first.iter().fold(from, |from, it| self.range(from, &[(it.start, it.end)]));
                        self.bytes[before].push((last.start, last.end, to));
                    }
                }
                Ok(to)
            }
            HirKind::Capture(capture) => self.append(&capture.sub, from),
            HirKind::Concat(parts) => parts.iter().try_fold(from, |from, part| self.append(part, from)),
            HirKind::Alternation(parts) => {
                let to = self.add();
                for part in parts {
                    let start = self.add();
                    self.empty[from].push(start);
                    let end = self.append(part, start)?;
                    self.empty[end].push(to);
                }
                Ok(to)
            }
            HirKind::Repetition(repetition) => {
                let mut at = from;
                for _ in 0..repetition.min {
                    at = self.append(&repetition.sub, at)?;
                }
                let end = self.add();
                match repetition.max {
                    None => {
                        let round = self.add();
                        self.empty[at].push(round);
                        let back = self.append(&repetition.sub, round)?;
                        self.empty[back].push(round);
                        self.empty[round].push(end);
                    }
                    Some(max) => {
                        for _ in repetition.min..max {
                            self.empty[at].push(end);
                            let start = self.add();
                            self.empty[at].push(start);
                            at = self.append(&repetition.sub, start)?;
                        }
                        self.empty[at].push(end);
                    }
                }
                Ok(end)
            }
        }
    }

    fn range(&mut self, from: usize, ranges: &[(u8, u8)]) -> usize {
        let to = self.add();
        self.bytes[from].extend(ranges.iter().map(|&(start, end)| (start, end, to)));
        to
    }

    /// All states that lead on from some without a byte, sorted.
    fn closure(&self, mut states: Vec<usize>) -> Vec<usize> {
        let mut is_in = vec![false; self.bytes.len()];
        states.iter().for_each(|&state| is_in[state] = true);
        let mut at = 0;
        while let Some(&state) = states.get(at) {
            for &next in &self.empty[state] {
                if !std::mem::replace(&mut is_in[next], true) {
                    states.push(next);
                }
            }
            at += 1;
        }
        states.sort_unstable();
        states
    }
}

impl Dfa {
    /// The automaton of patterns, of which earlier ones win.
    pub fn new(patterns: &[Hir]) -> Result<Self, Assertion> {
        let mut nfa = Nfa::default();
        let start = nfa.add();
        let mut ends = FxHashMap::default();
        for (number, pattern) in (0..).zip(patterns) {
            let own = nfa.add();
            nfa.empty[start].push(own);
            let end = nfa.append(pattern, own)?;
            // A pattern that matches the empty text ends where it starts: its end must be its own.
            let accepting = nfa.add();
            nfa.empty[end].push(accepting);
            ends.insert(accepting, number);
        }
        let mut dfa = Self { next: Vec::new(), label: Vec::new() };
        let mut known: FxHashMap<Vec<usize>, u32> = FxHashMap::default();
        let mut sets = vec![nfa.closure(vec![start])];
        known.insert(sets[0].clone(), 0);
        let mut at = 0;
        while at < sets.len() {
            let set = sets[at].clone();
            dfa.label.push(set.iter().filter_map(|state| ends.get(state)).min().copied());
            let mut row = [DEAD; 256];
            // Bytes between two boundaries all lead to the same states.
            let mut bounds = [false; 257];
            for &(start, end, _) in set.iter().flat_map(|&state| &nfa.bytes[state]) {
                (bounds[usize::from(start)], bounds[usize::from(end) + 1]) = (true, true);
            }
            let mut to = DEAD;
            for byte in 0..=255u8 {
                if byte == 0 || bounds[usize::from(byte)] {
                    let edges = set.iter().flat_map(|&state| &nfa.bytes[state]);
                    let next: Vec<usize> =
                        edges.filter(|edge| (edge.0..=edge.1).contains(&byte)).map(|edge| edge.2).collect();
                    to = if next.is_empty() {
                        DEAD
                    } else {
                        let next = nfa.closure({
                            let mut next = next;
                            next.sort_unstable();
                            next.dedup();
                            next
                        });
                        *known.entry(next).or_insert_with_key(|next| {
                            sets.push(next.clone());
                            sets.len() as u32 - 1
                        })
                    };
                }
                row[usize::from(byte)] = to;
            }
            dfa.next.push(row);
            at += 1;
        }
        Ok(dfa.trim())
    }

    /// Leaves out states that lead to no label, and those that nothing leads to.
    fn trim(self) -> Self {
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.next.len()];
        for (from, row) in (0..).zip(&self.next) {
            for &to in row.iter().filter(|&&to| to != DEAD) {
                if before[to as usize].last() != Some(&from) {
                    before[to as usize].push(from);
                }
            }
        }
        let mut is_alive: Vec<bool> = self.label.iter().map(Option::is_some).collect();
        let mut open: Vec<u32> = (0..self.label.len() as u32).filter(|&it| is_alive[it as usize]).collect();
        while let Some(state) = open.pop() {
            for &from in &before[state as usize] {
                if !std::mem::replace(&mut is_alive[from as usize], true) {
                    open.push(from);
                }
            }
        }
        let mut numbers = vec![DEAD; self.next.len()];
        let mut kept = vec![0];
        numbers[0] = 0;
        let mut dfa = Self { next: Vec::new(), label: Vec::new() };
        while let Some(&state) = kept.get(dfa.next.len()) {
            let row = self.next[state as usize].map(|to| {
                if to == DEAD || !is_alive[to as usize] {
                    return DEAD;
                }
                if numbers[to as usize] == DEAD {
                    numbers[to as usize] = kept.len() as u32;
                    kept.push(to);
                }
                numbers[to as usize]
            });
            dfa.next.push(row);
            dfa.label.push(self.label[state as usize]);
        }
        dfa
    }

    pub fn step(&self, state: u32, byte: u8) -> u32 {
        if state == DEAD { DEAD } else { self.next[state as usize][usize::from(byte)] }
    }

    pub fn run(&self, word: &[u8]) -> u32 {
        word.iter().fold(0, |state, &byte| self.step(state, byte))
    }

    pub fn label(&self, state: u32) -> Option<u32> {
        if state == DEAD { None } else { self.label[state as usize] }
    }

    pub fn n_states(&self) -> usize {
        self.next.len()
    }

    /// The automaton of those words that have one of some labels, all with label 0. The empty word is left out.
    pub fn restricted(&self, labels: impl Fn(u32) -> bool) -> Self {
        // The start may be come back to: a new one before it has no label.
        let shift = |to: u32| if to == DEAD { DEAD } else { to + 1 };
        let rows = std::iter::once(&self.next[0]).chain(&self.next);
        let keep = |label: &Option<u32>| label.filter(|&label| labels(label)).map(|_| 0);
        let dfa = Self {
            next: rows.map(|row| row.map(shift)).collect(),
            label: std::iter::once(None).chain(self.label.iter().map(keep)).collect(),
        };
        dfa.trim()
    }

    /// The automaton of those of its words that end with a byte, or of all others.
    pub fn ending_with(&self, last: u8, is_last: bool) -> Self {
        // Each state twice: come to by that byte, and by another.
        let row = |row: &[u32; 256]| -> [u32; 256] {
            std::array::from_fn(|byte| match row[byte] {
                DEAD => DEAD,
                to => 2 * to + u32::from(byte == usize::from(last)),
            })
        };
        let dfa = Self {
            next: self.next.iter().flat_map(|it| [row(it), row(it)]).collect(),
            label: self.label.iter().flat_map(|&it| [it.filter(|_| !is_last), it.filter(|_| is_last)]).collect(),
        };
        dfa.trim()
    }

    /// The automaton of those of its words that lead another automaton to one of some states.
    pub fn ending_in(&self, other: &Self, ends: &[u32]) -> Self {
        let mut known = FxHashMap::from_iter([((0, 0), 0)]);
        let mut pairs = vec![(0, 0)];
        let mut dfa = Self { next: Vec::new(), label: Vec::new() };
        while let Some(&(a, b)) = pairs.get(dfa.next.len()) {
            let row = std::array::from_fn(|byte| match (self.step(a, byte as u8), other.step(b, byte as u8)) {
                (DEAD, _) | (_, DEAD) => DEAD,
                to => *known.entry(to).or_insert_with(|| {
                    pairs.push(to);
                    pairs.len() as u32 - 1
                }),
            });
            dfa.next.push(row);
            dfa.label.push(self.label(a).filter(|_| ends.contains(&b)));
        }
        dfa.trim()
    }

    pub fn has_words(&self) -> bool {
        self.label[0].is_some() || self.next[0].iter().any(|&to| to != DEAD)
    }

    /// By length up to a limit: how many words have a label; saturated.
    pub fn count_words(&self, max_len: usize) -> Vec<u64> {
        let mut ways = vec![0u64; self.n_states()];
        ways[0] = 1;
        let mut counts = Vec::new();
        for _ in 0..=max_len {
            let ended = ways.iter().zip(&self.label).filter(|(_, label)| label.is_some()).map(|(&n, _)| n);
            counts.push(ended.fold(0, u64::saturating_add));
            let mut next = vec![0u64; self.n_states()];
            for (row, &n) in self.next.iter().zip(&ways).filter(|(_, n)| **n > 0) {
                row.iter()
                    .filter(|&&to| to != DEAD)
                    .for_each(|&to| next[to as usize] = next[to as usize].saturating_add(n));
            }
            ways = next;
        }
        counts
    }

    /// Whether there are infinitely many words.
    pub fn is_infinite(&self) -> bool {
        let n = self.n_states();
        self.count_words(2 * n).iter().skip(n).any(|&words| words > 0)
    }

    /// By step, up to words of a length: which states words of that length are in. Nothing if there are no such words.
    pub fn unrolled(&self, len: usize) -> Option<Vec<Vec<u32>>> {
        let mut layers = vec![vec![0u32]];
        for at in 0..len {
            let mut next: Vec<u32> =
                layers[at].iter().flat_map(|&state| self.next[state as usize]).filter(|&to| to != DEAD).collect();
            next.sort_unstable();
            next.dedup();
            layers.push(next);
        }
        layers[len].retain(|&state| self.label(state).is_some());
        for at in (0..len).rev() {
            let (before, behind) = layers.split_at_mut(at + 1);
            before[at].retain(|&state| self.next[state as usize].iter().any(|to| behind[0].binary_search(to).is_ok()));
        }
        layers.iter().all(|layer| !layer.is_empty()).then_some(layers)
    }

    /// The first words of a length, in order of preference: printable bytes first.
    pub fn words(&self, len: usize, limit: usize) -> Vec<Vec<u8>> {
        let Some(layers) = self.unrolled(len) else { return Vec::new() };
        let mut words = Vec::new();
        let mut word = Vec::new();
        self.add_words(&layers, 0, &mut word, limit, &mut words);
        words
    }

    /// Any word of a length, by a source of numbers below others. Nothing if there is none.
    pub fn random_word(&self, len: usize, below: &mut impl FnMut(usize) -> usize) -> Option<Vec<u8>> {
        let layers = self.unrolled(len)?;
        let mut state = 0;
        let mut word = Vec::new();
        for layer in &layers[1..] {
            let leads_on = |byte: &u8| layer.binary_search(&self.step(state, *byte)).is_ok();
            let bytes: Vec<u8> = (0..=u8::MAX).filter(leads_on).collect();
            let byte = bytes[below(bytes.len())];
            word.push(byte);
            state = self.step(state, byte);
        }
        Some(word)
    }

    fn add_words(&self, layers: &[Vec<u32>], state: u32, word: &mut Vec<u8>, limit: usize, words: &mut Vec<Vec<u8>>) {
        if word.len() + 1 == layers.len() {
            words.push(word.clone());
            return;
        }
        for byte in preferred() {
            let to = self.step(state, byte);
            if words.len() < limit && to != DEAD && layers[word.len() + 1].binary_search(&to).is_ok() {
                word.push(byte);
                self.add_words(layers, to, word, limit, words);
                word.pop();
            }
        }
    }

    /// Whether a word has a label.
    pub fn accepts(&self, word: &[u8]) -> bool {
        self.label(self.run(word)).is_some()
    }
}

/// All bytes, those first that people like to read.
fn preferred() -> impl Iterator<Item = u8> {
    let is_nice = |byte: &u8| byte.is_ascii_alphanumeric();
    let is_fair = move |byte: &u8| byte.is_ascii_graphic() && !is_nice(byte);
    let rest = move |byte: &u8| !byte.is_ascii_graphic();
    let lower = (b'a'..=b'z').chain(b'0'..=b'9').chain(b'A'..=b'Z');
    lower.chain((0..=255).filter(is_fair)).chain((0..=255).filter(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dfa(patterns: &[&str]) -> Dfa {
        let parse = |pattern: &&str| {
            regex_syntax::ParserBuilder::new().unicode(false).utf8(false).build().parse(pattern).unwrap()
        };
        Dfa::new(&patterns.iter().map(parse).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn words_are_counted_by_length() {
        let idents = dfa(&["if", "[a-z]+"]).restricted(|label| label == 1);
        assert_eq!(idents.count_words(3), [0, 26, 675, 17576]);
        assert!(idents.is_infinite());
        assert!(!idents.accepts(b"if") && idents.accepts(b"iff"));
        assert_eq!(dfa(&["a?b{2,3}"]).count_words(5), [0, 0, 1, 2, 1, 0]);
    }

    #[test]
    fn the_empty_word_is_left_out() {
        let any = dfa(&["a*"]).restricted(|_| true);
        assert_eq!(any.count_words(3), [0, 1, 1, 1]);
        assert_eq!(any.words(2, 9), [b"aa".to_vec()]);
    }

    #[test]
    fn words_people_like_come_first() {
        assert_eq!(dfa(&["[^\"]"]).words(1, 2), [b"a".to_vec(), b"b".to_vec()]);
        assert_eq!(dfa(&["x|yz|yy"]).words(2, 9), [b"yy".to_vec(), b"yz".to_vec()]);
    }
}
