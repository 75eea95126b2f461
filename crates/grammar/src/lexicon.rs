//! What tokens are as texts: how the lexer reads them, and which of them must be kept apart.

use crate::automaton::{DEAD, Dfa};
use crate::follow::{Context, may_fuse};
use crate::model::{Grammar, LexAction, LexRule, Lexer, Next};
use regex_syntax::hir::Hir;
use rustc_hash::{FxHashMap, FxHashSet};

/// The words of the tokens of a grammar.
#[derive(Debug)]
pub struct Lexicon {
    /// Where there is one mode, each token that has words has one of these.
    pub spellings: Vec<Spelling>,
    /// What the lexer may be in; the first is where it starts.
    modes: Vec<Mode>,
    is_longest_match: bool,
    /// Rules that no word comes to, since others match all of theirs: by number, with one of the others.
    pub hidden: Vec<(usize, usize)>,
}

/// A token as the lexer reads it in one of its modes, and goes on in another or the same.
#[derive(Debug)]
pub struct Spelling {
    pub token: u32,
    pub words: Dfa,
    from: u32,
    to: u32,
    /// Where its words end in the automaton of its mode.
    ends: Vec<u32>,
    /// What must follow, if something must.
    context: Option<Context>,
}

/// A start condition, and whether a line starts, if a rule depends on that.
#[derive(Debug)]
struct Mode {
    condition: u32,
    is_line_start: bool,
    /// All rules that count.
    all: Dfa,
    /// By label: the number of the rule.
    rules: Vec<usize>,
    /// Separators that are skipped, and the mode that comes after.
    skips: Vec<(u8, u32)>,
}

/// What has to stand between two tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Between {
    Nothing,
    Byte(u8),
    /// The program would take them for something else, and nothing keeps them apart.
    Impossible,
}

impl Between {
    pub fn byte(self) -> Option<u8> {
        match self {
            Self::Byte(byte) => Some(byte),
            Self::Nothing | Self::Impossible => None,
        }
    }
}

/// What keeps tokens apart, if the lexer skips it.
const SEPARATORS: [u8; 3] = [b' ', b'\t', b'\n'];

/// The same, behind the last token: lines most often end with one.
const CLOSING: [u8; 3] = [b'\n', b' ', b'\t'];

/// So many parts a token may have on average.
const MAX_SPLIT: usize = 4;

struct Reader<'g> {
    grammar: &'g Grammar,
    rules: Vec<LexRule>,
    /// By start condition: the first in which the same rules count.
    class: Vec<u32>,
    has_anchors: bool,
    modes: Vec<Mode>,
}

impl Lexicon {
    /// Tokens that the lexer does not know have no words, but literals are themselves.
    pub fn new(grammar: &Grammar, lexer: &Lexer) -> Self {
        let mut rules = lexer.rules.clone();
        let n_conditions = rules.iter().flat_map(|rule| &rule.conditions).max().map_or(1, |&last| last + 1);
        let returns = |rules: &[LexRule], token: &String| {
            let is_itself = literal_of(token).is_some() && rules.iter().any(|rule| rule.action == LexAction::Itself);
            is_itself || rules.iter().any(|rule| is_returned(&rule.action, token))
        };
        for token in &grammar.tokens {
            if let Some(bytes) = literal_of(token).filter(|_| !returns(&rules, token)) {
                let rule = LexRule::new(Hir::literal(bytes), LexAction::Token(vec![token.clone()]), 0);
                rules.push(LexRule { conditions: (0..n_conditions).collect(), ..rule });
            }
        }
        if !lexer.is_longest_match {
            let spelling = |(token, name): (u32, &String)| {
                let own = rules.iter().filter(|rule| is_returned(&rule.action, name));
                let own: Vec<Hir> = own.map(|rule| rule.pattern.clone()).collect();
                let words = automaton(&own).restricted(|_| true);
                words.has_words().then_some(Spelling { token, words, from: 0, to: 0, ends: Vec::new(), context: None })
            };
            let spellings = (0..).zip(&grammar.tokens).filter_map(spelling).collect();
            return Self { spellings, modes: Vec::new(), is_longest_match: false, hidden: Vec::new() };
        }
        let of_condition = |condition: u32| -> Vec<usize> {
            (0..rules.len()).filter(|&it| rules[it].conditions.contains(&condition)).collect()
        };
        let sets: Vec<Vec<usize>> = (0..n_conditions).map(of_condition).collect();
        let class = sets.iter().map(|set| sets.iter().position(|it| it == set).unwrap_or(0) as u32).collect();
        let has_anchors = rules.iter().any(|rule| rule.is_anchored);
        let mut reader = Reader { grammar, rules, class, has_anchors, modes: Vec::new() };
        reader.mode(0, true);
        let mut spellings = Vec::new();
        let mut at = 0;
        while at < reader.modes.len() {
            reader.read_mode(at, &mut spellings);
            at += 1;
        }
        let hidden = reader.hidden();
        let mut lexicon = Self { spellings, modes: reader.modes, is_longest_match: true, hidden };
        lexicon.split();
        lexicon
    }

    /// Takes spellings apart of which only some words can stand before another token: `"a` can't be a word before a line's end, if
    /// strings in quotes may go on there.
    fn split(&mut self) {
        let most = MAX_SPLIT * self.spellings.len();
        let mut at = 0;
        while at < self.spellings.len() && self.spellings.len() < most {
            let first = &self.spellings[at];
            let may_stand = |second: &Spelling| -> Option<Vec<u32>> {
                let ends = &first.ends;
                let may = |&end: &u32| self.between(first, &[end], second) != Between::Impossible;
                let is_split = ends.len() > 1 && self.between(first, ends, second) == Between::Impossible;
                let kept: Vec<u32> = if is_split { ends.iter().copied().filter(may).collect() } else { Vec::new() };
                (!kept.is_empty() && kept.len() < ends.len()).then_some(kept)
            };
            let Some(kept) = self.spellings.iter().find_map(may_stand) else {
                at += 1;
                continue;
            };
            let others: Vec<u32> = first.ends.iter().copied().filter(|end| !kept.contains(end)).collect();
            let all = &self.modes[first.from as usize].all;
            let part = |ends: Vec<u32>| {
                let words = first.words.ending_in(all, &ends);
                Spelling { words, ends, ..*first }
            };
            let (kept, others) = (part(kept), part(others));
            self.spellings[at] = kept;
            self.spellings.push(others);
        }
    }

    /// Whether a text may begin with it.
    pub fn may_begin(&self, spelling: u32) -> bool {
        self.spellings[spelling as usize].from == 0
    }

    /// What has to stand behind it at the end of a text.
    pub fn at_end(&self, spelling: u32) -> Between {
        let it = &self.spellings[spelling as usize];
        let Some(context) = it.context else { return Between::Nothing };
        let (mode, after) = (&self.modes[it.from as usize], &self.modes[it.to as usize]);
        let closes = |&byte: &u8| {
            let is_held = |&end: &u32| context.step(&mode.all, Context::begin(end), byte).is_some_and(Context::is_held);
            after.skips.iter().any(|skip| skip.0 == byte) && it.ends.iter().all(is_held)
        };
        CLOSING.into_iter().find(closes).map_or(Between::Impossible, Between::Byte)
    }

    /// By pair of spellings. Where a token needs no separator, those of its spellings that do are left out.
    pub fn all_between(&self) -> Vec<Between> {
        let mut between = Vec::new();
        for first in &self.spellings {
            let row = self.spellings.iter().map(|second| self.between(first, &first.ends, second));
            let row: Vec<Between> = row.collect();
            let is_close = |token: u32| {
                row.iter().zip(&self.spellings).any(|(&it, other)| it == Between::Nothing && other.token == token)
            };
            between.extend(row.iter().zip(&self.spellings).map(|(&it, second)| match it {
                Between::Byte(_) if is_close(second.token) => Between::Impossible,
                it => it,
            }));
        }
        between
    }

    /// What has to stand between words of two tokens, so that the longest match of the first ends where it does; of the first, words that
    /// end in some states.
    fn between(&self, first: &Spelling, ends: &[u32], second: &Spelling) -> Between {
        if !self.is_longest_match {
            return Between::Nothing;
        }
        let (mode, after) = (&self.modes[first.from as usize], &self.modes[first.to as usize]);
        let ends_there = |end: u32| match first.context {
            None => !may_fuse(&mode.all, end, &second.words),
            Some(context) => context.holds(&mode.all, Context::begin(end), &second.words),
        };
        if first.to == second.from && ends.iter().all(|&end| ends_there(end)) {
            return Between::Nothing;
        }
        let ends_before = |end: u32, byte: u8| match first.context {
            None => mode.all.step(end, byte) == DEAD,
            Some(context) => context
                .step(&mode.all, Context::begin(end), byte)
                .is_some_and(|at| context.holds(&mode.all, at, &second.words)),
        };
        let keeps_apart = |&byte: &u8| {
            let end = after.all.run(&[byte]);
            let is_skipped = after.skips.contains(&(byte, second.from));
            is_skipped && ends.iter().all(|&end| ends_before(end, byte)) && !may_fuse(&after.all, end, &second.words)
        };
        SEPARATORS.into_iter().find(keeps_apart).map_or(Between::Impossible, Between::Byte)
    }
}

impl Reader<'_> {
    /// The mode of a condition, which is added if it is new.
    fn mode(&mut self, condition: u32, is_line_start: bool) -> u32 {
        let condition = self.class[condition as usize];
        let is_line_start = is_line_start && self.has_anchors;
        let is_it = |mode: &Mode| (mode.condition, mode.is_line_start) == (condition, is_line_start);
        if let Some(known) = self.modes.iter().position(is_it) {
            return known as u32;
        }
        let counts = |rule: &LexRule| rule.conditions.contains(&condition) && (is_line_start || !rule.is_anchored);
        let rules: Vec<usize> = (0..self.rules.len()).filter(|&it| counts(&self.rules[it])).collect();
        let patterns: Vec<Hir> = rules.iter().map(|&it| self.rules[it].pattern.clone()).collect();
        let (all, skips) = (automaton(&patterns), Vec::new());
        self.modes.push(Mode { condition, is_line_start, all, rules, skips });
        self.modes.len() as u32 - 1
    }

    /// The condition after a rule, if that can be said: one that was left for another is come back to if it was always the same.
    fn condition_after(&self, rule: &LexRule, condition: u32) -> Option<u32> {
        match rule.next {
            Next::Same => Some(condition),
            Next::To(to) => Some(self.class[to as usize]),
            Next::Back => {
                let leads_here =
                    |rule: &&LexRule| matches!(rule.next, Next::To(to) if self.class[to as usize] == condition);
                let from = self.rules.iter().filter(leads_here).flat_map(|rule| &rule.conditions);
                let mut from: Vec<u32> = from.map(|&from| self.class[from as usize]).collect();
                from.sort_unstable();
                from.dedup();
                if let [from] = from[..] { Some(from) } else { None }
            }
        }
    }

    /// What tokens are in a mode.
    fn read_mode(&mut self, from: usize, spellings: &mut Vec<Spelling>) {
        let (condition, all) = (self.modes[from].condition, self.modes[from].all.clone());
        let numbers = self.modes[from].rules.clone();
        let rule_of = |state: u32| all.label(state).map(|label| numbers[label as usize]);
        let afters: Vec<Option<u32>> =
            numbers.iter().map(|&number| self.condition_after(&self.rules[number], condition)).collect();
        for byte in SEPARATORS {
            let is_skip = |number: &usize| self.rules[*number].action == LexAction::Skip;
            if let Some(label) = all.label(all.run(&[byte])).filter(|&it| is_skip(&numbers[it as usize]))
                && afters[label as usize] == Some(condition)
            {
                let to = self.mode(condition, byte == b'\n');
                self.modes[from].skips.push((byte, to));
            }
        }
        for (token, name) in (0..).zip(&self.grammar.tokens) {
            // By the condition that follows: the words.
            let mut words: FxHashMap<u32, Dfa> = FxHashMap::default();
            let rule = |label: u32| &self.rules[numbers[label as usize]];
            let is_own = |label: u32| is_returned(&rule(label).action, name) && rule(label).trailing.is_none();
            let labels = 0..numbers.len() as u32;
            let own: Vec<u32> = labels.clone().filter(|&label| is_own(label)).collect();
            // Rules with trailing context have spellings of their own.
            let mut found: Vec<(u32, Dfa, Option<Context>)> = Vec::new();
            for label in labels.filter(|&label| is_returned(&rule(label).action, name)) {
                if let (Some(trailing), Some(after)) = (&rule(label).trailing, afters[label as usize]) {
                    let context = Context { label, len: trailing.len };
                    found.push((after, automaton(std::slice::from_ref(&trailing.word)), Some(context)));
                }
            }
            for &label in &own {
                if let Some(after) = afters[label as usize] {
                    let is_so = |it: u32| is_own(it) && afters[it as usize] == Some(after);
                    words.entry(after).or_insert_with(|| all.restricted(is_so));
                }
            }
            if let Some(bytes) = literal_of(name)
                && let Some(number) = rule_of(all.run(&bytes))
                && self.rules[number].action == LexAction::Itself
                && let Some(after) = self.condition_after(&self.rules[number], condition)
            {
                words.insert(after, automaton(&[Hir::literal(bytes)]));
            }
            let mut words: Vec<(u32, Dfa)> = words.into_iter().collect();
            words.sort_by_key(|it| it.0);
            let plain = words.into_iter().map(|(after, words)| (after, words, None));
            for (after, words, context) in plain.chain(found) {
                for is_line_start in [false, true].into_iter().take(1 + usize::from(self.has_anchors)) {
                    let words = match self.has_anchors {
                        true => words.ending_with(b'\n', is_line_start),
                        false => words.clone(),
                    };
                    if words.has_words() {
                        let (to, ends) = (self.mode(after, is_line_start), ends_of(&all, &words));
                        spellings.push(Spelling { token, words, from: from as u32, to, ends, context });
                    }
                }
            }
        }
    }

    /// Rules of which no word is left in any mode, each with one that is matched instead.
    fn hidden(&self) -> Vec<(usize, usize)> {
        let mut left = FxHashSet::default();
        for mode in &self.modes {
            let labels = (0..mode.all.n_states() as u32).filter_map(|state| mode.all.label(state));
            left.extend(labels.map(|label| mode.rules[label as usize]));
        }
        let instead = |number: usize| {
            let mode = self.modes.iter().find(|mode| mode.rules.contains(&number))?;
            let own = automaton(std::slice::from_ref(&self.rules[number].pattern));
            let len = (1..=own.n_states()).find(|&len| own.count_words(len)[len] > 0)?;
            mode.all.label(mode.all.run(&own.words(len, 1)[0])).map(|label| mode.rules[label as usize])
        };
        (0..self.rules.len())
            .filter(|number| !left.contains(number))
            .filter_map(|number| Some((number, instead(number)?)))
            .collect()
    }
}

fn automaton(patterns: &[Hir]) -> Dfa {
    Dfa::new(patterns).expect("readers leave out what looks around")
}

fn is_returned(action: &LexAction, token: &String) -> bool {
    matches!(action, LexAction::Token(tokens) if tokens.contains(token))
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

/// The bytes of a token that is written as itself.
pub(crate) fn literal_of(token: &str) -> Option<Vec<u8>> {
    let inner = token.strip_prefix(['\'', '"'])?;
    let quote = token.chars().next()?;
    let inner = inner.strip_suffix(quote)?;
    let text = format!("\"{}\"", inner.replace('"', "\\\""));
    let source = crate::diagnostic::Source { name: "", text: &text };
    crate::read::Scanner::new(source).quoted().ok().filter(|bytes| !bytes.is_empty())
}
