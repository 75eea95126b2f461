//! Templates in groups that are sorted by their texts.

use crate::byte_set::ByteSet;
use crate::input::{Input, InputEditor, InputObject};
use crate::key::{ObjectKey, Root};
use rustc_hash::{FxHashMap, FxHashSet};
use spelunk_grammar::automaton::DEAD;
use spelunk_grammar::{Cursor, Dfa, Hole, Template, Templates};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// An input that is a text of a grammar.
#[derive(Debug)]
pub struct Text {
    /// Which input.
    pub key: ObjectKey,
    pub name: String,
    /// The input that says which template it has.
    pub number_key: Arc<ObjectKey>,
    /// Whether the text has a length of its own; if not, a zero ends it.
    pub is_file: bool,
    /// Whether holes may have any bytes, and not only those of their token.
    pub is_free: bool,
    /// Longer texts are left out.
    pub max_len: usize,
    pub templates: Templates,
    /// By language: what a hole at the end of a string may have, if its length can be left open.
    tails: Vec<Option<Tail>>,
    /// The numbers of each chunk.
    ranges: Vec<Range<u64>>,
    made: Mutex<FxHashMap<usize, Arc<Chunk>>>,
    /// Productions of the grammar that texts of runs had.
    covered: Mutex<FxHashSet<u32>>,
    /// The least measure of a text that is not explored, as far as is known.
    open_from: AtomicUsize,
}

/// Templates whose numbers lie side by side, sorted.
#[derive(Debug)]
pub struct Chunk {
    /// The number of the first.
    pub start: u64,
    /// As they are numbered: from the start on.
    pub templates: Vec<Template>,
    /// The numbers of their derivations in the grammar.
    derivations: Vec<u64>,
    /// The productions of each, once.
    productions: Vec<Box<[u32]>>,
    /// By template: how much it has in common with the one before, its length included.
    common: Vec<u32>,
}

impl Chunk {
    /// Whether a template goes on from a place as the one before it does, if they agree up to there: its length, or its bytes.
    pub fn is_alike(&self, template: usize, place: Difference) -> bool {
        self.common[template] > place.0
    }
}

/// Where templates may differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Difference(u32);

impl Difference {
    pub const LENGTH: Self = Self(0);

    pub fn byte(at: u32) -> Self {
        Self(at + 1)
    }

    /// How many bytes are decided with it.
    pub fn n_bytes(self) -> u32 {
        self.0
    }
}

/// Which of several texts comes first: the smallest, then the one with fewest holes, then that with most productions that no run had.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Rank {
    measure: u32,
    n_holes: u16,
    n_known: u16,
}

impl Rank {
    pub fn as_number(self) -> u64 {
        u64::from(self.measure) << 32 | u64::from(self.n_holes) << 16 | u64::from(self.n_known)
    }
}

/// A text for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    /// With its holes marked.
    pub text: String,
    /// Productions and how deep they are in the derivation, from the top left on.
    pub derivation: Vec<(u32, String)>,
}

/// What a byte of a text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    Fixed(u8),
    /// A byte of a hole, by number.
    Hole(Hole, u32),
    /// The same, of a hole that is as long as the string says.
    Open(Hole, u32),
}

/// Words of any length, up to a limit: a first byte, and others.
#[derive(Debug)]
pub struct Tail {
    pub first: ByteSet,
    pub rest: ByteSet,
    /// One of these, for places that may have any.
    filler: u8,
    pub max: u32,
}

impl Unit {
    /// A number that is the same for what looks the same from the left.
    pub fn code(self) -> u64 {
        match self {
            Self::Fixed(byte) => u64::from(byte),
            Self::Hole(hole, at) => {
                1 << 62 | u64::from(hole.language) << 40 | u64::from(hole.len) << 20 | u64::from(at)
            }
            Self::Open(hole, at) => 1 << 63 | u64::from(hole.language) << 40 | u64::from(at),
        }
    }
}

/// So many templates are sorted at once.
const CHUNK: u64 = 4096;
/// In so many groups the first templates are looked for that have a production.
const SAMPLED: usize = 32;
/// So many groups are kept.
const MAX_CHUNKS: usize = 64;
/// So many templates are the most: nobody comes to the end of more.
pub const MAX_TEMPLATES: u64 = CHUNK << 16;

impl Text {
    /// Of templates of which there are at most [`MAX_TEMPLATES`].
    pub fn new(key: ObjectKey, name: String, templates: Templates) -> Self {
        let mut ranges = Vec::new();
        for measure in 0..templates.n_measures() {
            let Range { mut start, end } = templates.of_measure(measure);
            while start < end {
                ranges.push(start..end.min(start + CHUNK));
                start += CHUNK;
            }
        }
        let spellings = (0..).zip(&templates.symbolic.lexicon.spellings);
        let tails = spellings.map(|(it, spelling)| tail(&spelling.words, templates.symbolic.longest(it)?)).collect();
        let (made, covered, open_from) = (Mutex::default(), Mutex::default(), AtomicUsize::new(usize::MAX));
        let number_key = Arc::new(ObjectKey::of_root(Root::Area(number_name(&name).into(), 0)));
        Self {
            key,
            name,
            number_key,
            is_file: true,
            is_free: false,
            max_len: 4096,
            templates,
            tails,
            ranges,
            made,
            covered,
            open_from,
        }
    }

    /// What people call the number of the template.
    pub fn number_name(&self) -> String {
        number_name(&self.name)
    }

    /// The text of an input, if it is one.
    pub fn shown(&self, input: &Input) -> Option<Shown> {
        let number = as_number(&input.object(&self.number_key)?.bytes);
        let chunk = self.ranges.get(self.chunk_of(number)).map(|_| self.chunk(self.chunk_of(number)))?;
        let at = (number - chunk.start) as usize;
        let mut template = chunk.templates.get(at)?.clone();
        let mut bytes = input.object(&self.key)?.bytes.clone();
        if !self.is_file {
            bytes.truncate(bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len()));
        }
        let is_open = self.tail_of(&template).is_some();
        if let Some(hole) = template.holes.last_mut().filter(|_| is_open) {
            hole.len = (bytes.len() as u32).saturating_sub(hole.start);
        }
        let grammar = &self.templates.symbolic.grammar;
        let production = |(depth, number): (u32, u32)| (depth, grammar.show(&grammar.productions[number as usize]));
        let derivation = self.templates.derivation(chunk.derivations[at]).into_iter().map(production).collect();
        Some(Shown { text: template.marked(&bytes), derivation })
    }

    /// How many numbers of templates there are.
    pub fn n_numbers(&self) -> u64 {
        self.ranges.last().map_or(0, |range| range.end)
    }

    pub fn n_chunks(&self) -> usize {
        self.ranges.len()
    }

    pub fn chunk_end(&self, chunk: usize) -> u64 {
        self.ranges[chunk].end
    }

    /// The numbers of its templates.
    pub fn numbers(&self, chunk: usize) -> Range<u64> {
        self.ranges[chunk].clone()
    }

    /// The measure of its templates.
    pub fn measure_of_chunk(&self, chunk: usize) -> usize {
        self.ranges.get(chunk).map_or(usize::MAX, |range| self.templates.measure_of(range.start))
    }

    pub fn chunk_of(&self, number: u64) -> usize {
        self.ranges.partition_point(|range| range.end <= number)
    }

    pub fn chunk(&self, idx: usize) -> Arc<Chunk> {
        // If making one panics, there is one less.
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if made.len() >= MAX_CHUNKS {
            made.clear();
        }
        Arc::clone(made.entry(idx).or_insert_with(|| Arc::new(self.make_chunk(idx))))
    }

    fn make_chunk(&self, idx: usize) -> Chunk {
        let range = self.ranges[idx].clone();
        let start = range.start;
        let mut made = Vec::new();
        self.templates.each(range, |number, cursor, template| {
            if self.is_wanted(template) {
                made.push((self.codes(template), number, template.clone(), self.origins(cursor)));
            }
            true
        });
        made.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let n_common = |pair: &[(Vec<u64>, _, _, _)]| {
            let [before, this] = pair else { unreachable!("they come in pairs") };
            before.0.iter().zip(&this.0).take_while(|(a, b)| a == b).count() as u32
        };
        let common = std::iter::once(0).chain(made.windows(2).map(n_common)).collect();
        let mut chunk =
            Chunk { start, templates: Vec::new(), derivations: Vec::new(), productions: Vec::new(), common };
        for (_, number, template, productions) in made {
            chunk.templates.push(template);
            chunk.derivations.push(number);
            chunk.productions.push(productions);
        }
        chunk
    }

    /// What a template looks like from the left, its length first if that shows.
    fn codes(&self, template: &Template) -> Vec<u64> {
        let length = if self.is_file { template.bytes.len() as u64 } else { 0 };
        let fixed = template.bytes.iter().map(|&byte| Unit::Fixed(byte).code());
        let mut codes: Vec<u64> = std::iter::once(length).chain(fixed).collect();
        let tail = self.tail_of(template).map(|(hole, _)| hole);
        for &hole in &template.holes {
            let unit = |at| if tail == Some(hole) { Unit::Open(hole, at) } else { Unit::Hole(hole, at) };
            (0..hole.len).for_each(|at| codes[(hole.start + at) as usize + 1] = unit(at).code());
        }
        codes
    }

    /// The productions of a derivation, each once.
    fn origins(&self, cursor: &Cursor<'_>) -> Box<[u32]> {
        let productions = &self.templates.symbolic.rules.productions;
        let mut origins: Vec<u32> =
            cursor.steps().iter().filter_map(|&step| productions[step as usize].origin).collect();
        origins.sort_unstable();
        origins.dedup();
        origins.into()
    }

    /// Of templates with these numbers, all of one chunk, the one that comes first, and its rank.
    pub fn first_of(&self, numbers: Range<u64>) -> Option<(u64, Rank)> {
        let idx = self.chunk_of(numbers.start);
        let measure = (idx < self.n_chunks()).then(|| self.measure_of_chunk(idx))? as u32;
        let chunk = self.chunk(idx);
        let covered = self.covered.lock().expect("nobody panics with it");
        let rank = |number: u64| {
            let at = (number - chunk.start) as usize;
            let n_holes = chunk.templates[at].holes.len().min(usize::from(u16::MAX)) as u16;
            let n_new = chunk.productions[at].iter().filter(|it| !covered.contains(it)).count();
            Rank { measure, n_holes, n_known: u16::MAX - n_new.min(usize::from(u16::MAX)) as u16 }
        };
        let end = numbers.end.min(chunk.start + chunk.templates.len() as u64);
        (numbers.start..end).map(|number| (number, rank(number))).min_by_key(|it| (it.1, it.0))
    }

    fn is_wanted(&self, template: &Template) -> bool {
        let has_nul =
            || template.bytes.iter().enumerate().any(|(at, &byte)| byte == 0 && template.hole_at(at).is_none());
        // Of holes whose length is open, the shortest stands for all.
        let is_longer = self.tail_of(template).is_some_and(|(hole, _)| hole.len > 1);
        template.bytes.len() <= self.max_len && (self.is_file || !has_nul()) && !is_longer
    }

    /// The numbers of templates that have productions which no smaller one has.
    pub fn samples(&self) -> Vec<u64> {
        let n_productions = self.templates.n_productions();
        let mut shown = FxHashSet::default();
        let mut samples = Vec::new();
        for (idx, range) in self.ranges.iter().take(SAMPLED).enumerate() {
            let mut new = Vec::new();
            self.templates.each(range.clone(), |number, cursor, template| {
                let is_new = |is_new, it: &u32| shown.insert(*it) | is_new;
                if self.is_wanted(template) && self.origins(cursor).iter().fold(false, is_new) {
                    new.push(number);
                }
                shown.len() < n_productions
            });
            if !new.is_empty() {
                let chunk = self.chunk(idx);
                let place = |number: &u64| chunk.derivations.iter().position(|it| it == number);
                samples.extend(new.iter().filter_map(place).map(|at| chunk.start + at as u64));
            }
            if shown.len() == n_productions {
                break;
            }
        }
        samples
    }

    /// An input whose text has the template with a number.
    pub fn put(&self, number: u64, input: &mut InputEditor) {
        let Some((number, template)) = self.template_near(number) else { return };
        let key = Arc::new(self.key.clone());
        let text = input.get(&key).map(|object| object.bytes.clone()).unwrap_or_default();
        let text = self.filled(&template, &text);
        let object = |key: &Arc<ObjectKey>, name: &str| {
            let (key, name) = (Arc::clone(key), name.into());
            InputObject { key, name, bytes: Vec::new(), references: Vec::new() }
        };
        input.object_mut(&key, || object(&key, &self.name)).bytes = text;
        input.object_mut(&self.number_key, || object(&self.number_key, &self.number_name())).bytes =
            number.to_le_bytes().to_vec();
    }

    /// A template with a number, or another near it.
    pub fn template_near(&self, number: u64) -> Option<(u64, Template)> {
        let first = self.chunk_of(number);
        (first..self.n_chunks()).chain(0..first.min(self.n_chunks())).find_map(|idx| {
            let chunk = self.chunk(idx);
            let at = if idx == first { (number - chunk.start) as usize } else { 0 };
            let at = at.min(chunk.templates.len().checked_sub(1)?);
            Some((chunk.start + at as u64, chunk.templates[at].clone()))
        })
    }

    /// A text of a template, as much like another as can be.
    pub fn filled(&self, template: &Template, text: &[u8]) -> Vec<u8> {
        if let Some((hole, tail)) = self.tail_of(template) {
            let mut filled = template.fill(&self.templates.symbolic, text);
            let end = (hole.start + tail.max) as usize;
            let others = text.iter().take(end).skip(filled.len());
            filled.extend(others.map(|&byte| if byte == 0 || tail.rest.contains(byte) { byte } else { tail.filler }));
            return filled;
        }
        let mut filled = template.fill(&self.templates.symbolic, text);
        if self.is_free && text.len() >= filled.len() {
            let in_hole = |at: &usize| template.hole_at(*at).is_some();
            (0..filled.len()).filter(in_hole).for_each(|at| filled[at] = text[at]);
        }
        filled
    }

    /// A run had a text of a template.
    pub fn note_run(&self, number: u64) {
        let chunk = self.chunk(self.chunk_of(number));
        if let Some(productions) = chunk.productions.get((number - chunk.start) as usize) {
            self.covered.lock().expect("nobody panics with it").extend(productions);
        }
    }

    /// How many productions texts of runs had.
    pub fn n_covered(&self) -> usize {
        self.covered.lock().expect("nobody panics with it").len()
    }

    /// Something is open for texts of a measure.
    pub fn note_open(&self, measure: usize) {
        self.open_from.fetch_min(measure, Ordering::Relaxed);
    }

    /// The measure up to which nothing was left open, by what was noted.
    pub fn complete_up_to(&self) -> Option<usize> {
        let last = self.ranges.last().map_or(0, |range| self.templates.measure_of(range.start));
        self.open_from.load(Ordering::Relaxed).checked_sub(1).map(|measure| measure.min(last))
    }

    pub fn is_text_of(&self, template: &Template, text: &[u8]) -> bool {
        if self.is_file {
            return self.filled(template, text) == text;
        }
        let len = text.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        let len = len.max(template.bytes.len()).min(text.len());
        let has_nul = text.iter().take(template.bytes.len()).any(|&byte| byte == 0);
        (self.is_free || !has_nul) && self.filled(template, &text[..len]) == text[..len]
    }

    /// The hole at the end of a string, if its length is open.
    fn tail_of(&self, template: &Template) -> Option<(Hole, &Tail)> {
        let hole = template.holes.last().filter(|_| !self.is_file && !self.is_free)?;
        let tail = self.tails[hole.language as usize].as_ref()?;
        ((hole.start + hole.len) as usize == template.bytes.len()).then_some((*hole, tail))
    }

    pub fn tail(&self, hole: Hole) -> &Tail {
        self.tails[hole.language as usize].as_ref().expect("its length is open")
    }

    /// What a template has at a place. Behind its end there are zeros.
    pub fn unit(&self, template: &Template, at: usize) -> Unit {
        if let Some((hole, tail)) = self.tail_of(template)
            && (hole.start..hole.start + tail.max).contains(&(at as u32))
        {
            return Unit::Open(hole, at as u32 - hole.start);
        }
        match template.hole_at(at) {
            Some(hole) => Unit::Hole(hole, at as u32 - hole.start),
            None => Unit::Fixed(template.bytes.get(at).copied().unwrap_or(0)),
        }
    }
}

fn number_name(text: &str) -> String {
    format!("{text} template")
}

/// A number of the input.
pub(super) fn as_number(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).rev().fold(0, |high, &byte| high << 8 | u64::from(byte))
}

/// Words that have a first byte and any number of others, and no zeros.
fn tail(words: &Dfa, longest: u32) -> Option<Tail> {
    let nexts = |state: u32| (1..=u8::MAX).map(move |byte| (byte, words.step(state, byte))).filter(|it| it.1 != DEAD);
    let bytes = |state: u32| nexts(state).fold(ByteSet::default(), |set, (byte, _)| set.with(byte));
    let mut reached: Vec<u32> = Vec::new();
    let mut open: Vec<u32> = nexts(0).map(|(_, state)| state).collect();
    let rest = bytes(*open.first()?);
    while let Some(state) = open.pop() {
        if words.label(state).is_none() || bytes(state) != rest {
            return None;
        }
        if !reached.contains(&state) {
            reached.push(state);
            open.extend(nexts(state).map(|(_, next)| next));
        }
    }
    let filler = b"xa0".iter().copied().chain(1..=u8::MAX).find(|&byte| rest.contains(byte))?;
    (longest > 1).then_some(Tail { first: bytes(0), rest, filler, max: longest })
}

#[cfg(test)]
mod tests {
    use super::*;
    use spelunk_grammar::read::ebnf;
    use spelunk_grammar::{Choices, Source, SymbolicGrammar};

    #[test]
    fn which_words_may_be_of_any_length() {
        let tail_of = |pattern: &str| {
            let text = format!("s : T ; T : /{pattern}/ ;");
            let (grammar, lexer) = ebnf::read(Source { name: "t.g", text: &text }).unwrap();
            let symbolic = SymbolicGrammar::new(grammar, &lexer, &Choices::default()).unwrap();
            tail(&symbolic.lexicon.spellings.first()?.words, 4)
        };
        let name = tail_of("[a-c][a-c0-1]*").unwrap();
        assert_eq!((name.first.ranges(), name.rest.ranges()), (vec![(97, 99)], vec![(48, 49), (97, 99)]));
        assert_eq!(name.filler, b'a');
        assert!(tail_of("[a-z]+").is_some());
        for pattern in ["[0-9]{1,3}", "\"[a-z]*\"", "(ab)+", "[a-z]+x", "0|[1-9][0-9]*"] {
            assert!(tail_of(pattern).is_none(), "{pattern}");
        }
    }
}
