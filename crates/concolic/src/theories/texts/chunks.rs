//! Templates in groups that are sorted by their texts.

use crate::key::ObjectKey;
use rustc_hash::FxHashMap;
use spelunk_grammar::{Hole, Template, Templates};
use std::ops::Range;
use std::sync::{Arc, Mutex};

/// An input that is a text of a grammar.
#[derive(Debug)]
pub struct Text {
    /// Which input.
    pub key: ObjectKey,
    pub name: String,
    /// Whether the text has a length of its own; if not, a zero ends it.
    pub is_file: bool,
    /// Whether holes may have any bytes, and not only those of their token.
    pub is_free: bool,
    /// Longer texts are left out.
    pub max_len: usize,
    pub templates: Templates,
    /// The numbers of each chunk.
    ranges: Vec<Range<u64>>,
    made: Mutex<FxHashMap<usize, Arc<Chunk>>>,
}

/// Templates whose numbers lie side by side, sorted.
#[derive(Debug)]
pub struct Chunk {
    /// The number of the first.
    pub start: u64,
    /// As they are numbered: from the start on.
    pub templates: Vec<Template>,
}

/// What a byte of a text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    Fixed(u8),
    /// A byte of a hole, by number.
    Hole(Hole, u32),
}

impl Unit {
    /// A number that is the same for what looks the same from the left.
    pub fn code(self) -> u64 {
        match self {
            Self::Fixed(byte) => u64::from(byte),
            Self::Hole(hole, at) => {
                1 << 62 | u64::from(hole.language) << 40 | u64::from(hole.len) << 20 | u64::from(at)
            }
        }
    }
}

/// So many templates are sorted at once.
const CHUNK: u64 = 4096;
/// So many groups are kept.
const MAX_CHUNKS: usize = 64;
/// So many groups are the most: nobody comes to the end of more.
const MAX_RANGES: usize = 1 << 16;

impl Text {
    pub fn new(key: ObjectKey, name: String, templates: Templates) -> Self {
        let mut ranges = Vec::new();
        for measure in 0..templates.n_measures() {
            let Range { mut start, end } = templates.of_measure(measure);
            while start < end && ranges.len() < MAX_RANGES {
                ranges.push(start..end.min(start + CHUNK));
                start += CHUNK;
            }
        }
        Self { key, name, is_file: true, is_free: false, max_len: 4096, templates, ranges, made: Mutex::default() }
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

    pub fn chunk_of(&self, number: u64) -> usize {
        self.ranges.partition_point(|range| range.end <= number)
    }

    pub fn chunk(&self, idx: usize) -> Arc<Chunk> {
        let mut made = self.made.lock().expect("nobody panics with it");
        if made.len() >= MAX_CHUNKS {
            made.clear();
        }
        Arc::clone(made.entry(idx).or_insert_with(|| Arc::new(self.make_chunk(idx))))
    }

    fn make_chunk(&self, idx: usize) -> Chunk {
        let range = self.ranges[idx].clone();
        let mut chunk = Chunk { start: range.start, templates: Vec::new() };
        self.templates.each(range, |_, _, template| {
            let has_nul =
                || template.bytes.iter().enumerate().any(|(at, &byte)| byte == 0 && template.hole_at(at).is_none());
            if template.bytes.len() <= self.max_len && (self.is_file || !has_nul()) {
                chunk.templates.push(template.clone());
            }
            true
        });
        let codes = |template: &Template| -> Vec<u64> {
            let length = if self.is_file { template.bytes.len() as u64 } else { 0 };
            std::iter::once(length).chain((0..template.bytes.len()).map(|at| unit_of(template, at).code())).collect()
        };
        chunk.templates.sort_by_cached_key(codes);
        chunk
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
        match self.is_free && text.len() == template.bytes.len() {
            true => (0..text.len())
                .map(|at| if template.hole_at(at).is_some() { text[at] } else { template.bytes[at] })
                .collect(),
            false => template.fill(&self.templates.symbolic, text),
        }
    }

    pub fn is_text_of(&self, template: &Template, text: &[u8]) -> bool {
        let len = template.bytes.len();
        let is_ended = if self.is_file { text.len() == len } else { text.iter().skip(len).all(|&byte| byte == 0) };
        is_ended && text.len() >= len && self.filled(template, &text[..len]) == text[..len]
    }
}

impl Chunk {
    pub fn unit(&self, template: usize, at: usize) -> Unit {
        unit_of(&self.templates[template], at)
    }
}

/// Behind the end there are zeros.
fn unit_of(template: &Template, at: usize) -> Unit {
    match template.hole_at(at) {
        Some(hole) => Unit::Hole(hole, at as u32 - hole.start),
        None => Unit::Fixed(template.bytes.get(at).copied().unwrap_or(0)),
    }
}
