//! Bytes of contents as expressions, at places that may be expressions too.

use super::{Content, Layer, Segment, Source, lazy_byte};
use crate::input_bytes::input_byte;
use crate::machine::ConcolicMachine;
use spelunk_expr::{ExprId, ExprPool};
use spelunk_vm::Carried;
use spelunk_vm::memory::Word;
use std::ops::{Range, RangeInclusive};

/// Up to so many bytes are chosen from one by one.
const MAX_CHOICES: usize = 64;

/// What is asked of a byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Asked {
    Value,
    Defined,
}

impl ConcolicMachine {
    /// A byte of a layer, by number.
    pub(crate) fn layer_byte(&mut self, number: u32) -> ExprId {
        self.ask_layer(number, Asked::Value)
    }

    /// That a byte, as memory carries it, is initialised.
    pub(crate) fn is_defined(&mut self, carried: Carried) -> ExprId {
        match lazy_byte(carried) {
            Some(number) => self.ask_layer(number, Asked::Defined),
            None => ExprId::TRUE,
        }
    }

    /// The byte at a place, which the path's conditions say is one.
    pub(crate) fn content_byte(&mut self, content: &Content, place: ExprId) -> ExprId {
        self.ask_content(content, place, Asked::Value)
    }

    /// That the byte at a place is initialised.
    pub(crate) fn content_defined(&mut self, content: &Content, place: ExprId) -> ExprId {
        self.ask_content(content, place, Asked::Defined)
    }

    fn ask_layer(&mut self, number: u32, asked: Asked) -> ExprId {
        if let Some(&known) = self.lazy.answers.get(&(number, asked)) {
            return known;
        }
        let Some((layer, place)) = self.lazy.layer(number) else {
            return match asked {
                Asked::Value => self.array_byte(number),
                Asked::Defined => ExprId::TRUE,
            };
        };
        let result = match asked == Asked::Defined && !layer.may_be_undefined() {
            true => ExprId::TRUE,
            false => self.mk_in_layer(&layer, place, asked),
        };
        self.lazy.answers.insert((number, asked), result);
        result
    }

    fn mk_in_layer(&mut self, layer: &Layer, place: u32, asked: Asked) -> ExprId {
        let place_expr = self.pool.mk_const(64, u64::from(place));
        let inside = mk_inside(&mut self.pool, layer.at, layer.len, place_expr);
        if inside == ExprId::FALSE {
            return self.ask_constant(&layer.below, place, asked);
        }
        let written = match (&layer.from, asked) {
            (Source::Fill(_), Asked::Defined) => ExprId::TRUE,
            (Source::Fill(byte), Asked::Value) => *byte,
            (Source::Bytes { content, offset }, _) => {
                let within = self.pool.mk_sub(place_expr, layer.at);
                let place = self.pool.mk_add(*offset, within);
                self.ask_content(content, place, asked)
            }
        };
        if inside == ExprId::TRUE {
            return written;
        }
        let below = self.ask_constant(&layer.below, place, asked);
        self.pool.mk_ite(inside, written, below)
    }

    fn ask_content(&mut self, content: &Content, place: ExprId, asked: Asked) -> ExprId {
        if let Some(place) = self.pool.as_const(place) {
            return self.ask_constant(content, place as u32, asked);
        }
        let places = possible_places(&self.pool, content, place);
        if places.clone().count() > MAX_CHOICES
            && let Some(result) = self.ask_segments(content, place, &places, asked)
        {
            return result;
        }
        self.ask_each(content, place, places, asked)
    }

    /// The same without a look at each byte, if that can be.
    fn ask_segments(
        &mut self,
        content: &Content,
        place: ExprId,
        places: &RangeInclusive<u32>,
        asked: Asked,
    ) -> Option<ExprId> {
        let meets = |range: &Range<u32>| range.start <= *places.end() && *places.start() < range.end;
        let segments: Vec<_> = content.segments().filter(|(_, range)| meets(range)).collect();
        if segments.len() > MAX_CHOICES {
            return None;
        }
        let mut result: Option<ExprId> = None;
        for (segment, range) in segments.into_iter().rev() {
            let value = self.ask_segment(content, segment, range.clone(), place, places, asked)?;
            result = Some(match result {
                Some(rest) => {
                    let end = self.pool.mk_const(64, u64::from(range.end));
                    let is_here = self.pool.mk_ult(place, end);
                    self.pool.mk_ite(is_here, value, rest)
                }
                None => value,
            });
        }
        result
    }

    fn ask_segment(
        &mut self,
        content: &Content,
        segment: &Segment,
        range: Range<u32>,
        place: ExprId,
        places: &RangeInclusive<u32>,
        asked: Asked,
    ) -> Option<ExprId> {
        let start = self.pool.mk_const(64, u64::from(range.start));
        match (segment, asked) {
            (Segment::Plain(_) | Segment::Expr(..), Asked::Defined) | (Segment::Unwritten, _) => {
                Some(self.ask_constant(content, range.start, asked))
            }
            (Segment::Plain(_) | Segment::Expr(..), Asked::Value) => {
                let first = range.start.max(*places.start());
                let last = (range.end - 1).min(*places.end());
                Some(self.ask_each(content, place, first..=last, asked))
            }
            (&Segment::Run(first), _) => {
                let within = self.pool.mk_sub(place, start);
                match (lazy_byte(first), asked) {
                    (Some(number), _) => self.ask_layer_at(number, within, asked),
                    (None, Asked::Defined) => Some(ExprId::TRUE),
                    (None, Asked::Value) => self.found_byte(input_byte(first)?, within),
                }
            }
        }
    }

    /// A byte of a layer at a place counted from one of its bytes.
    fn ask_layer_at(&mut self, number: u32, place: ExprId, asked: Asked) -> Option<ExprId> {
        let (layer, start) = self.lazy.layer(number)?;
        if asked == Asked::Defined && !layer.may_be_undefined() {
            return Some(ExprId::TRUE);
        }
        let start = self.pool.mk_const(64, u64::from(start));
        let place = self.pool.mk_add(place, start);
        let end = self.pool.mk_add(layer.at, layer.len);
        let is_outside = self.is_at_most(end, place) || self.is_below(place, layer.at);
        if is_outside {
            return Some(self.ask_content(&layer.below, place, asked));
        }
        let written = match (&layer.from, asked) {
            (Source::Fill(_), Asked::Defined) => ExprId::TRUE,
            (Source::Fill(byte), Asked::Value) => *byte,
            (Source::Bytes { content, offset }, _) => {
                let within = self.pool.mk_sub(place, layer.at);
                let place = self.pool.mk_add(*offset, within);
                self.ask_content(content, place, asked)
            }
        };
        if self.is_at_most(layer.at, place) && self.is_below(place, end) {
            return Some(written);
        }
        let below = self.ask_content(&layer.below, place, asked);
        let inside = mk_inside(&mut self.pool, layer.at, layer.len, place);
        Some(self.pool.mk_ite(inside, written, below))
    }

    /// A byte of input at a place, counted from one of them, that follows from what a search found.
    fn found_byte(&mut self, number: u32, place: ExprId) -> Option<ExprId> {
        let made = self.inputs.holder(number);
        let first = self.pool.mk_const(64, u64::from(number - made.first));
        let place = self.pool.mk_add(place, first);
        let at = self.as_found(made.node, place)?;
        Some(self.inputs.at_found(&mut self.pool, &mut self.variables, number, at))
    }

    /// A choice of all bytes that may be meant.
    fn ask_each(&mut self, content: &Content, place: ExprId, places: RangeInclusive<u32>, asked: Asked) -> ExprId {
        let leaves: Vec<ExprId> = places.clone().map(|place| self.ask_constant(content, place, asked)).collect();
        if leaves.windows(2).all(|pair| pair[0] == pair[1]) {
            return leaves[0];
        }
        let bits = 64 - (leaves.len() as u64 - 1).leading_zeros();
        let first = self.pool.mk_const(64, u64::from(*places.start()));
        let index = self.pool.mk_sub(place, first);
        let index = self.pool.mk_extract(index, 0, bits);
        if leaves.len() <= MAX_CHOICES || asked == Asked::Defined {
            return mk_choice(&mut self.pool, index, &leaves, bits);
        }
        let constants: Vec<u8> = leaves.iter().map(|&leaf| self.pool.as_const(leaf).unwrap_or(0) as u8).collect();
        let mut array = self.pool.mk_table(bits, 8, &constants);
        for (number, leaf) in (0..).zip(leaves) {
            if !self.pool.is_const(leaf) {
                let at = self.pool.mk_const(bits, number);
                array = self.pool.mk_store(array, at, leaf);
            }
        }
        self.pool.mk_select(array, index)
    }

    /// At a place that is a number. Nobody looks at what is behind the end.
    fn ask_constant(&mut self, content: &Content, place: u32, asked: Asked) -> ExprId {
        if place >= content.len() {
            return if asked == Asked::Value { self.pool.mk_const(8, 0) } else { ExprId::TRUE };
        }
        let (segment, range) = content.segment_at(place);
        let within = place - range.start;
        match (segment, asked) {
            (Segment::Plain(bytes), Asked::Value) => self.pool.mk_const(8, u64::from(bytes[within as usize])),
            (Segment::Unwritten, Asked::Value) => self.pool.mk_const(8, 0),
            (Segment::Unwritten, Asked::Defined) => ExprId::FALSE,
            (Segment::Plain(_) | Segment::Expr(..), Asked::Defined) => ExprId::TRUE,
            (&Segment::Expr(expr, index), Asked::Value) => self.bytes_of(expr, u32::from(index), 1),
            (&Segment::Run(first), _) => {
                let carried = Carried(first.0 + within);
                match (lazy_byte(carried), asked) {
                    (Some(number), _) => self.ask_layer(number, asked),
                    (None, Asked::Value) => self.input_byte(carried),
                    (None, Asked::Defined) => ExprId::TRUE,
                }
            }
        }
    }

    fn input_byte(&mut self, carried: Carried) -> ExprId {
        let mut word = Word::plain(0);
        word.exprs[0] = (carried, 0);
        self.joined(&word, 1)
    }

    fn array_byte(&mut self, number: u32) -> ExprId {
        let (element, index) = self.lazy.element(&mut self.pool, number).expect("what is no layer is an array");
        self.pool.mk_extract(element, 8 * u32::from(index), 8)
    }
}

/// That a place is one of `len` from `at` on, of which none is beyond the address space.
fn mk_inside(pool: &mut ExprPool, at: ExprId, len: ExprId, place: ExprId) -> ExprId {
    let bounds = |expr| pool.facts(expr).map_or((0, u64::MAX), |facts| (facts.umin, facts.umax));
    let ((first, last), (_, most), (from, to)) = (bounds(at), bounds(len), bounds(place));
    if to < first || from >= last.saturating_add(most) {
        return ExprId::FALSE;
    }
    let within = pool.mk_sub(place, at);
    pool.mk_ult(within, len)
}

/// The places of a content that a place may mean.
fn possible_places(pool: &ExprPool, content: &Content, place: ExprId) -> RangeInclusive<u32> {
    let last = content.len().saturating_sub(1);
    match pool.facts(place) {
        Some(facts) if facts.umin <= u64::from(last) => facts.umin as u32..=facts.umax.min(u64::from(last)) as u32,
        _ => 0..=last,
    }
}

/// One of the leaves, by the low `bits` bits of the index. Numbers that no leaf has mean the last one.
pub(crate) fn mk_choice(pool: &mut ExprPool, index: ExprId, leaves: &[ExprId], bits: u32) -> ExprId {
    if leaves.len() == 1 {
        return leaves[0];
    }
    let half = 1usize << (bits - 1);
    if leaves.len() <= half {
        return mk_choice(pool, index, leaves, bits - 1);
    }
    let (low, high) = leaves.split_at(half);
    let (low, high) = (mk_choice(pool, index, low, bits - 1), mk_choice(pool, index, high, bits - 1));
    let bit = pool.mk_extract(index, bits - 1, 1);
    pool.mk_ite(bit, high, low)
}
