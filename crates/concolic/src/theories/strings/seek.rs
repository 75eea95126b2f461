//! Where the first byte of a kind is: in memory that holds input, constants, and what copies and fills made of both.

use crate::byte_set::ByteSet;
use crate::decision::DecisionKind;
use crate::graph::heap::NodeId;
use crate::input_bytes::{Made, input_byte};
use crate::machine::ConcolicMachine;
use crate::machine::lazy::{Content, Layer, Segment, Source, lazy_byte};
use crate::searches::After;
use crate::switches::mk_in_ranges;
use spelunk_expr::{ExprId, ExprPool, VarId};
use spelunk_ir::code::OpIdx;
use spelunk_vm::Carried;
use std::ops::Range;

/// What is looked for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sought {
    One(ByteSet),
    Undefined,
}

/// So many layers are looked into, each as often as it takes; what needs more is left to be walked.
const MAX_LAYERS: u32 = 1024;

/// Choices of more places are not worth an expression.
const MAX_PLACES: u32 = 256;

pub(super) struct Seeker<'m> {
    pub machine: &'m mut ConcolicMachine,
    pub site: OpIdx,
    pub sought: Sought,
    n_layers_left: u32,
}

impl<'m> Seeker<'m> {
    pub fn new(machine: &'m mut ConcolicMachine, site: OpIdx, sought: Sought) -> Self {
        Self { machine, site, sought, n_layers_left: MAX_LAYERS }
    }

    /// The first place from `from` on, the content's end if there is none; nothing if that can't be said.
    pub fn seek(&mut self, content: &Content, from: ExprId) -> Option<ExprId> {
        let end = self.constant(content.len());
        self.seek_within(content, from, 0..content.len(), end)
    }

    /// The same in a range of the content, with the answer if there is none.
    fn seek_within(&mut self, content: &Content, from: ExprId, range: Range<u32>, otherwise: ExprId) -> Option<ExprId> {
        let mut found = otherwise;
        let segments: Vec<_> = content.segments().collect();
        for (segment, whole) in segments.into_iter().rev() {
            let place = whole.start.max(range.start)..whole.end.min(range.end);
            let end = self.constant(place.end);
            if place.is_empty() || self.machine.is_at_most(end, from) {
                continue;
            }
            found = self.in_segment(segment, whole.start, place, from, found)?;
        }
        Some(found)
    }

    /// In one segment, of which `place` counts; `start` is where it begins.
    fn in_segment(
        &mut self,
        segment: &Segment,
        start: u32,
        place: Range<u32>,
        from: ExprId,
        rest: ExprId,
    ) -> Option<ExprId> {
        let first = self.constant(place.start);
        let is_whole = self.machine.is_at_most(from, first);
        match (segment, self.sought) {
            (Segment::Unwritten, Sought::One(_)) => Some(rest),
            (Segment::Plain(_) | Segment::Expr(..), Sought::Undefined) => Some(rest),
            (Segment::Unwritten, Sought::Undefined) if is_whole => Some(first),
            (Segment::Unwritten, Sought::Undefined) => Some(self.later(from, first)),
            (Segment::Plain(bytes), Sought::One(set)) => {
                let bytes = &bytes[(place.start - start) as usize..(place.end - start) as usize];
                self.in_plain(bytes, place, set, from, is_whole, rest)
            }
            (&Segment::Expr(expr, index), Sought::One(set)) => {
                let byte = self.machine.bytes_of(expr, u32::from(index), 1);
                let is_member = mk_member(&mut self.machine.pool, byte, &set);
                let is_reached = self.machine.pool.mk_ule(from, first);
                let is_found = self.machine.pool.mk_and(is_member, is_reached);
                Some(self.machine.pool.mk_ite(is_found, first, rest))
            }
            (&Segment::Run(carried), _) => {
                let carried = Carried(carried.0 + (place.start - start));
                match (lazy_byte(carried), self.sought) {
                    (Some(number), _) => self.in_layer_run(number, place, from, rest),
                    (None, Sought::Undefined) => Some(rest),
                    (None, Sought::One(set)) => self.in_input(carried, place, set, from, is_whole, rest),
                }
            }
        }
    }

    fn in_plain(
        &mut self,
        bytes: &[u8],
        place: Range<u32>,
        set: ByteSet,
        from: ExprId,
        is_whole: bool,
        rest: ExprId,
    ) -> Option<ExprId> {
        let Some(at) = bytes.iter().position(|&byte| set.contains(byte)) else { return Some(rest) };
        let at_place = self.constant(place.start + at as u32);
        if is_whole || self.machine.is_at_most(from, at_place) {
            return Some(at_place);
        }
        if let Some(from) = self.machine.pool.as_const(from) {
            let skipped = (from as u32 - place.start) as usize;
            let at = bytes[skipped..].iter().position(|&byte| set.contains(byte));
            return Some(at.map_or(rest, |at| self.constant(from as u32 + at as u32)));
        }
        if place.len() as u32 > MAX_PLACES {
            return None;
        }
        // From the last to the first, each if the search begins at or before it.
        let members = bytes.iter().enumerate().filter(|(_, byte)| set.contains(**byte)).map(|(at, _)| at as u32);
        let members: Vec<u32> = members.collect();
        let mut found = rest;
        for at in members.into_iter().rev() {
            let at = self.constant(place.start + at);
            let is_reached = self.machine.pool.mk_ule(from, at);
            found = self.machine.pool.mk_ite(is_reached, at, found);
        }
        Some(found)
    }

    fn in_input(
        &mut self,
        carried: Carried,
        place: Range<u32>,
        set: ByteSet,
        from: ExprId,
        is_whole: bool,
        rest: ExprId,
    ) -> Option<ExprId> {
        let number = input_byte(carried)?;
        let n_bytes = place.len() as u32;
        let made = self.machine.inputs.holder(number);
        if number + n_bytes > made.first + made.len {
            return None;
        }
        if !is_whole && let Some(from) = self.machine.pool.as_const(from) {
            let skipped = from as u32 - place.start;
            let (place, start) = (from as u32..place.end, self.constant(from as u32));
            return self.in_input(Carried(carried.0 + skipped), place, set, start, true, rest);
        }
        let mut sought = None;
        let reaches_end = number + n_bytes >= made.first + self.machine.inputs.heap.node(made.node).count;
        if set.contains(0) && reaches_end && self.machine.inputs.heap.node(made.node).is_elastic() {
            let end = self.machine.decide_length(self.site, made);
            sought = (set == ByteSet::default().with(0) && number == made.first && n_bytes == made.len).then_some(end);
        }
        let first = self.constant(place.start);
        let sought = sought.unwrap_or_else(|| self.machine.seek_input(number, n_bytes, set, None));
        let mut found = self.machine.pool.mk_add(first, sought);
        // The same one, if the search begins no later.
        if !is_whole && !self.machine.is_at_most(from, found) {
            // As a place in the object.
            let at = self.machine.pool.mk_const(64, u64::from(number - made.first));
            let start = self.machine.pool.mk_add(from, at);
            let start = self.machine.pool.mk_sub(start, first);
            if let Some(after) = self.machine.as_found(made.node, start) {
                let sought = self.machine.seek_input(number, n_bytes, set, Some(after));
                found = self.machine.pool.mk_add(first, sought);
            } else {
                let is_before = self.machine.pool.mk_ule(from, found);
                let holds = self.machine.value(is_before) != 0;
                self.machine.decide_condition(self.site, DecisionKind::Branch, is_before, holds);
                if !holds {
                    return None;
                }
            }
        }
        let end = self.constant(place.end);
        if rest == end {
            return Some(found);
        }
        let is_found = self.machine.pool.mk_ult(found, end);
        Some(self.machine.pool.mk_ite(is_found, found, rest))
    }

    /// In bytes of contents that were copied or filled, of which the first has this number.
    fn in_layer_run(&mut self, number: u32, place: Range<u32>, from: ExprId, rest: ExprId) -> Option<ExprId> {
        let (layer, start) = self.machine.lazy.layer(number)?;
        self.n_layers_left = self.n_layers_left.checked_sub(1)?;
        let shift = |seeker: &mut Self, expr, from, to| {
            let (from, to) = (seeker.constant(from), seeker.constant(to));
            let moved = seeker.machine.pool.mk_add(expr, to);
            seeker.machine.pool.mk_sub(moved, from)
        };
        let window = start..start + place.len() as u32;
        let first = self.constant(place.start);
        let from = self.later(from, first);
        let from = shift(self, from, place.start, start);
        let found = self.in_layer(&layer, window.clone(), from)?;
        let end = self.constant(window.end);
        let moved = shift(self, found, start, place.start);
        let place_end = self.constant(place.end);
        // What is written ends in the layer, by the path's conditions.
        let is_whole = window.end == layer.below.len();
        if is_whole && rest == place_end || self.machine.is_below(found, end) {
            return Some(moved);
        }
        let is_found = self.machine.pool.mk_ult(found, end);
        Some(self.machine.pool.mk_ite(is_found, moved, rest))
    }

    /// In a part of a layer, from a place in it on; no place before the part's end if there is none.
    fn in_layer(&mut self, layer: &Layer, window: Range<u32>, from: ExprId) -> Option<ExprId> {
        let end = self.constant(window.end);
        let (at, len) = (layer.at, layer.len);
        let written_end = self.machine.pool.mk_add(at, len);
        if self.machine.is_at_most(written_end, from) || self.machine.is_at_most(end, at) {
            return self.seek_within(&layer.below, from, window, end);
        }
        let is_behind =
            self.machine.is_at_most(at, from) || !self.machine.is_at_most(from, at) && self.is_later(from, at);
        // Before what was written, in it, and behind it.
        let before = match is_behind {
            true => None,
            false => Some(self.seek_within(&layer.below, from, window.clone(), end)?),
        };
        let start = if is_behind { from } else { at };
        let within = self.in_source(layer, start)?;
        let mut found = within;
        if !self.machine.is_below(within, written_end) {
            let behind = self.later(from, written_end);
            let behind = self.seek_within(&layer.below, behind, window, end)?;
            let is_within = match self.machine.is_at_most(written_end, within) {
                true => ExprId::FALSE,
                false => self.machine.pool.mk_ult(within, written_end),
            };
            found = self.machine.pool.mk_ite(is_within, within, behind);
        }
        if let Some(before) = before
            && !self.machine.is_at_most(at, before)
        {
            let is_before = self.machine.pool.mk_ult(before, at);
            found = self.machine.pool.mk_ite(is_before, before, found);
        }
        Some(found)
    }

    /// In what a layer writes, from a place of the layer on, as if it went on behind its end.
    fn in_source(&mut self, layer: &Layer, from: ExprId) -> Option<ExprId> {
        match &layer.from {
            Source::Fill(byte) => {
                let end = self.machine.pool.mk_add(layer.at, layer.len);
                let is_member = match self.sought {
                    Sought::One(set) => mk_member(&mut self.machine.pool, *byte, &set),
                    Sought::Undefined => ExprId::FALSE,
                };
                Some(self.machine.pool.mk_ite(is_member, from, end))
            }
            Source::Bytes { content, offset } => {
                let within = self.machine.pool.mk_sub(from, layer.at);
                let place = self.machine.pool.mk_add(*offset, within);
                let found = self.seek(content, place)?;
                let found = self.machine.pool.mk_add(found, layer.at);
                Some(self.machine.pool.mk_sub(found, *offset))
            }
        }
    }

    /// Decides whether a place is behind another.
    fn is_later(&mut self, place: ExprId, other: ExprId) -> bool {
        let is_later = self.machine.pool.mk_ult(other, place);
        let holds = self.machine.value(is_later) != 0;
        self.machine.decide_condition(self.site, DecisionKind::Branch, is_later, holds);
        holds
    }

    /// The later one of two places.
    fn later(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if self.machine.is_at_most(b, a) {
            return a;
        }
        if self.machine.is_at_most(a, b) {
            return b;
        }
        let is_later = self.machine.pool.mk_ule(b, a);
        self.machine.pool.mk_ite(is_later, a, b)
    }

    fn constant(&mut self, place: u32) -> ExprId {
        self.machine.pool.mk_const(64, u64::from(place))
    }
}

/// That a byte is one of a set.
pub(in crate::theories) fn mk_member(pool: &mut ExprPool, byte: ExprId, set: &ByteSet) -> ExprId {
    mk_in_ranges(pool, byte, &set.ranges())
}

impl ConcolicMachine {
    /// Decides whether a string is longer than usual, and says how long it is.
    pub(super) fn decide_length(&mut self, site: OpIdx, made: Made) -> ExprId {
        let end = self.inputs.seek_end(&mut self.pool, &mut self.variables, made);
        let end = self.pool.mk_zext(end, 64);
        let is_long = self.mk_is_long(made.node, end);
        let holds = self.value(is_long) != 0;
        self.decide_condition(site, DecisionKind::Branch, is_long, holds);
        end
    }

    fn mk_is_long(&mut self, string: NodeId, end: ExprId) -> ExprId {
        let usual = self.pool.mk_const(64, u64::from(self.inputs.heap.node(string).count));
        self.pool.mk_ult(usual, end)
    }

    /// How long a string is usually, if a condition says that it is longer.
    pub fn lengthens(&mut self, cond: ExprId) -> Option<u32> {
        let ends: Vec<(VarId, NodeId)> = self.variables.ends().collect();
        ends.into_iter().find_map(|(end, string)| {
            let end = self.pool.mk_var(end);
            let end = self.pool.mk_zext(end, 64);
            (self.mk_is_long(string, end) == cond).then_some(self.inputs.heap.node(string).count)
        })
    }

    /// Where among some bytes of input the first of a set is, as an expression of 64 bits.
    fn seek_input(&mut self, first: u32, n_bytes: u32, set: ByteSet, after: Option<After>) -> ExprId {
        let expr = self.inputs.seek(&mut self.pool, &mut self.variables, first, n_bytes, set, after);
        self.pool.mk_zext(expr, 64)
    }
}
