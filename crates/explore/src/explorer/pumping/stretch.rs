//! How inputs are made to take a program further: parts of texts are repeated, numbers that loops run to are made large.

use spelunk_concolic::{Input, InputObject};
use std::sync::Arc;

use super::Taken;

/// Texts that can't get this long are not worth it: all of their lengths are explored.
const MIN_CAPACITY: usize = 16;

/// So many characters are repeated at once, at most.
const MAX_PERIOD: usize = 4;

/// Of so many last characters, each may be the end of what is repeated.
const MAX_PLACES: usize = 24;

/// At first, a part is repeated so many times: enough for a number of some digits.
const FIRST_TIMES: usize = 3;

/// Then a text gets this long, and so many times as long again and again: what is shorter costs less, and programs may refuse what
/// is too long.
const FIRST_SIZE: usize = 16;
const GROWTH: usize = 4;

/// So many characters are taken from the start of a text, one after the other.
const MAX_DROPPED: usize = 3;

/// What numbers are made, as far as they fit, beside the greatest ones with and without a sign.
const NUMBERS: [u64; 6] = [64, 256, 1024, 4096, 1 << 14, 1 << 16];

/// A number of the input: the object, of those of the input, and the bytes in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NumberAt {
    pub object: usize,
    pub offset: usize,
    pub n_bytes: usize,
}

#[derive(Clone, Debug)]
enum Way {
    /// A text of which the characters before one are repeated. What is behind them stays.
    Text { object: usize, at: usize, period: usize, len: usize, capacity: usize },
    /// Numbers that are made as large as each other.
    Numbers(Arc<[NumberAt]>),
}

/// An input that is to be made longer.
#[derive(Clone, Debug)]
pub(super) struct Try {
    input: Arc<Input>,
    /// The last decisions of its run.
    pub last: Arc<[Taken]>,
    way: Way,
    /// How long the text is to be, or which number comes next.
    size: usize,
    /// What it was before, if a smaller one was tried.
    before: Option<usize>,
    /// Instructions that the one before took.
    taken: u64,
    /// The least that the program is known to refuse: the longest below it is looked for by halves.
    refused: Option<usize>,
    /// How many characters were taken from the start of the text.
    n_dropped: usize,
    /// Whether the run reached something new, and the text is repeated at its end.
    pub is_first_choice: bool,
}

impl Try {
    pub fn input(&self) -> Input {
        let mut longer = Input::clone(&self.input);
        match &self.way {
            &Way::Text { object, at, period, len, .. } => {
                let bytes = &mut longer.objects[object].bytes;
                let n_more = self.size - len;
                let repeated = (0..n_more).map(|i| bytes[at - period + i % period]);
                let whole = [&bytes[..at], &repeated.collect::<Vec<u8>>(), &bytes[at..len]].concat();
                bytes.resize(bytes.len().max(self.size), 0);
                bytes[..self.size].copy_from_slice(&whole);
            }
            Way::Numbers(places) => {
                for place in places.iter() {
                    let value = numbers(place.n_bytes).nth(self.size).expect("there is one").to_le_bytes();
                    longer.objects[place.object].set_bytes(place.offset, &value[..place.n_bytes]);
                }
            }
        }
        longer
    }

    /// Whether it is the first size that takes a loop some rounds.
    pub fn is_survey(&self) -> bool {
        match self.way {
            Way::Text { .. } => {
                self.is_first_choice && self.before.unwrap_or(0) < FIRST_SIZE && self.size >= FIRST_SIZE
            }
            Way::Numbers(_) => self.is_first(),
        }
    }

    pub fn is_numbers(&self) -> bool {
        matches!(self.way, Way::Numbers(_))
    }

    pub fn is_first(&self) -> bool {
        self.before.is_none()
    }

    /// What is between this text and the one before, if the program has done less with this one: errors are often at the longest that it
    /// accepts.
    pub fn between(&self, executed: u64) -> Option<Try> {
        let before = self.before.filter(|_| !self.is_numbers())?;
        let (accepted, refused) = match (executed < self.taken, self.refused) {
            (true, _) => ((before, self.taken), self.size),
            (false, Some(refused)) => ((self.size, executed), refused),
            (false, None) => return None,
        };
        let size = accepted.0.midpoint(refused);
        let next = || Try { size, before: Some(accepted.0), taken: accepted.1, refused: Some(refused), ..self.clone() };
        (size > accepted.0).then(next)
    }

    /// The same without the first character, once it is as long as it may get: where one character is written as several, a bound may be met
    /// or jumped over.
    pub fn shifted(&self) -> Option<Try> {
        let &Way::Text { object, at, period, len, capacity } = &self.way else { return None };
        if self.size < capacity || at == period || self.n_dropped == MAX_DROPPED {
            return None;
        }
        let mut input = Input::clone(&self.input);
        let bytes = &mut input.objects[object].bytes;
        bytes.remove(0);
        bytes.push(0);
        let way = Way::Text { object, at: at - 1, period, len: len - 1, capacity };
        let (input, before, n_dropped) = (Arc::new(input), Some(self.size), self.n_dropped + 1);
        Some(Try { input, way, before, n_dropped, ..self.clone() })
    }

    /// The next larger, after one that took so many instructions; nothing if there is none, or the program did not go through this one.
    pub fn larger(mut self, executed: u64) -> Option<Try> {
        if self.refused.is_some() {
            return None;
        }
        let next = match &self.way {
            &Way::Text { capacity, .. } => {
                let went_through = executed >= self.size as u64;
                let larger = std::iter::successors(Some(FIRST_SIZE), |size| Some(size * GROWTH));
                // What is nearly as long as it may get is made as long.
                let mut larger = larger.map(|size| if size > capacity / 2 { capacity } else { size });
                let next = larger.find(|&size| size > self.size || size == capacity)?;
                (went_through && next > self.size).then_some(next)?
            }
            Way::Numbers(places) => {
                let n_sizes = places.iter().map(|place| numbers(place.n_bytes).count()).min()?;
                (self.size + 1 < n_sizes).then_some(self.size + 1)?
            }
        };
        self.before = Some(self.size);
        self.taken = executed;
        self.size = next;
        Some(self)
    }
}

fn length(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1)
}

/// The input without the zeros of an object, which nobody has asked for: if it begins with some, or has no room for more.
fn closed_up(input: &Arc<Input>, object: usize, capacity: usize) -> Option<Arc<Input>> {
    let bytes = &input.objects[object].bytes;
    let is_spread = bytes.first() == Some(&0) || 2 * length(bytes) > capacity;
    let mut others: Vec<u8> = bytes.iter().copied().filter(|&byte| byte != 0).collect();
    if !is_spread || others.is_empty() {
        return None;
    }
    others.resize(bytes.len(), 0);
    let mut closed_up = Input::clone(input);
    closed_up.objects[object].bytes = others;
    Some(Arc::new(closed_up))
}

/// What a number of so many bytes is made.
fn numbers(n_bytes: usize) -> impl Iterator<Item = u64> {
    let max = u64::MAX >> (64 - 8 * n_bytes.clamp(1, 8));
    NUMBERS.into_iter().take_while(move |&number| number < max >> 1).chain([max >> 1, max])
}

/// What it takes to make a text of an input long.
pub(super) struct Source<'a> {
    pub input: &'a Arc<Input>,
    pub last: Arc<[Taken]>,
    pub has_news: bool,
}

impl Source<'_> {
    fn mk_try(&self, way: Way, size: usize, is_at_end: bool) -> Try {
        let is_first_choice = self.has_news && is_at_end;
        let (input, last) = (Arc::clone(self.input), Arc::clone(&self.last));
        Try { input, last, way, size, before: None, taken: 0, refused: None, n_dropped: 0, is_first_choice }
    }

    /// All ways to make texts long; those that repeat the end come first.
    pub fn texts(&self, capacity: impl Fn(&InputObject) -> usize) -> Vec<Try> {
        let mut all = Vec::new();
        for (object, given) in self.input.objects.iter().enumerate().filter(|(_, it)| it.references.is_empty()) {
            let capacity = capacity(given);
            if capacity < MIN_CAPACITY {
                continue;
            }
            let closed_up = closed_up(self.input, object, capacity);
            let input = closed_up.as_ref().unwrap_or(self.input);
            let given = &input.objects[object];
            let len = length(&given.bytes);
            if len == capacity {
                continue;
            }
            for at in (len.saturating_sub(MAX_PLACES)..=len).rev() {
                for period in 1..=at.min(MAX_PERIOD) {
                    let repeated = &given.bytes[at - period..at];
                    let is_shorter = |shorter: usize| repeated.iter().zip(&repeated[shorter..]).all(|(a, b)| a == b);
                    let is_multiple = (1..period).any(|shorter| period.is_multiple_of(shorter) && is_shorter(shorter));
                    // What could be repeated from its first character on as well has been, one place before.
                    let is_turned = given.bytes[at..len].first() == repeated.first();
                    if !is_multiple && !is_turned && repeated.iter().any(|&byte| byte != 0) {
                        let way = Way::Text { object, at, period, len, capacity };
                        let size = (len + FIRST_TIMES * period).min(capacity);
                        all.push(Try { input: Arc::clone(input), ..self.mk_try(way, size, at == len) });
                    }
                }
            }
        }
        all.sort_by_key(|it| !it.is_first_choice);
        all
    }

    /// These numbers made large.
    pub fn numbers(&self, places: Vec<NumberAt>) -> Option<Try> {
        (!places.is_empty()).then(|| self.mk_try(Way::Numbers(places.into()), 0, false))
    }
}
