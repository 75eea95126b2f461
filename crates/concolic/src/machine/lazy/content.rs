//! What a range of memory held at some moment, as a value that later writes do not change.

use super::{LazyBytes, lazy_byte};
use crate::input_bytes::input_byte;
use crate::machine::saved::as_expr;
use crate::machine::{ConcolicMachine, Provenance};
use crate::theories::{Events, Spelt};
use spelunk_expr::ExprId;
use spelunk_vm::Carried;
use spelunk_vm::memory::{Memory, ObjectId, ShadowByte, Word};
use std::ops::Range;

#[derive(Clone, Debug, Default)]
pub(crate) struct Content {
    /// With the place of each, in order.
    segments: Vec<(u32, Segment)>,
    len: u32,
    pub may_be_undefined: bool,
    /// How many layers lie over each other in it, at most.
    pub depth: u32,
}

/// Some bytes of the same kind.
#[derive(Clone, Debug)]
pub(crate) enum Segment {
    Plain(Vec<u8>),
    Unwritten,
    /// Bytes that carry numbers one after another: of input, or of contents like this.
    Run(Carried),
    /// One byte that carries part of an expression.
    Expr(ExprId, u8),
}

impl Segment {
    fn depth(&self, lazy: &LazyBytes) -> u32 {
        match self {
            Self::Run(first) => {
                lazy_byte(*first).and_then(|number| lazy.layer(number)).map_or(0, |(layer, _)| layer.depth)
            }
            _ => 0,
        }
    }
}

impl Content {
    /// What a range of an object holds, as the access at hand sees it; nothing if that can't be said.
    pub fn of_memory(machine: &mut ConcolicMachine, memory: &Memory, id: ObjectId, range: Range<u64>) -> Option<Self> {
        let mut content = Self::default();
        let is_viewed = machine.theories.hear(Events::CONTENT);
        let is_spelt = machine.theories.hear(Events::SPELLING);
        let mut runs = memory.number_runs(id, range.clone()).into_iter().peekable();
        let mut at = range.start;
        while at < range.end {
            let not_plain = memory.next_not_plain(id, at..range.end).unwrap_or(range.end..range.end);
            content.push_plain(&memory.object(id).data()[at as usize..not_plain.start as usize]);
            at = not_plain.start;
            while at < not_plain.end {
                while runs.next_if(|run| u64::from(run.end) <= at).is_some() {}
                let run = runs.peek().filter(|run| u64::from(run.start) <= at);
                let mut n = run.map_or(1, |run| u64::from(run.end).min(not_plain.end) - at);
                let (byte, Some(shadow)) = memory.byte_of(id, at) else { return None };
                let number = input_byte(shadow.expr).filter(|_| is_spelt);
                match number.and_then(|number| machine.spell_run(number)) {
                    Some(Spelt::Constant) => {
                        content.push_plain(&[byte]);
                        at += 1;
                        continue;
                    }
                    Some(Spelt::Open(len)) => n = n.min(u64::from(len)),
                    None => {}
                }
                // What a pointer of the input finds there may be something else for each byte.
                let is_pushed = match is_viewed && input_byte(shadow.expr).is_some() {
                    true => content.push_viewed(machine, memory.object(id).base(), at..at + n, shadow),
                    false if n > 1 => content.push_run(shadow, n as u32),
                    false => content.push_byte(machine, memory.object(id).base() + at, byte, shadow),
                };
                if !is_pushed {
                    return None;
                }
                at += n;
            }
        }
        content.depth = content.segments.iter().map(|(_, segment)| segment.depth(&machine.lazy)).max().unwrap_or(0);
        Some(content)
    }

    /// A byte as it is seen through the pointer at hand.
    fn push_byte(&mut self, machine: &mut ConcolicMachine, addr: u64, byte: u8, shadow: ShadowByte) -> bool {
        let mut shadow = shadow;
        if shadow.expr.is_some() {
            let mut word = Word::plain(u64::from(byte));
            word.exprs[0] = (shadow.expr, shadow.index);
            machine.view(addr, &mut word, 1);
            (shadow.expr, shadow.index) = word.exprs[0];
        }
        self.push(&machine.provenance, shadow)
    }

    /// Bytes of input as they are seen through the pointer at hand. The first tells whether they are seen as they are.
    fn push_viewed(&mut self, machine: &mut ConcolicMachine, base: u64, range: Range<u64>, first: ShadowByte) -> bool {
        let n = (range.end - range.start) as u32;
        let Some(expr) = machine.view_run(base + range.start, first.expr, n) else {
            let numbers = (first.expr.0..).map(|number| ShadowByte { expr: Carried(number), ..first });
            return range.zip(numbers).all(|(at, shadow)| self.push_byte(machine, base + at, 0, shadow));
        };
        self.push_run(ShadowByte { expr, ..first }, n)
    }

    /// Bytes that carry numbers one after another.
    fn push_run(&mut self, first: ShadowByte, n: u32) -> bool {
        let at = self.len;
        self.len += n;
        self.may_be_undefined |= first.undef != 0;
        match self.segments.last() {
            Some((start, Segment::Run(known))) if known.0 + (at - start) == first.expr.0 => {}
            _ => self.segments.push((at, Segment::Run(first.expr))),
        }
        true
    }

    /// The first bytes of a word.
    pub fn of_word(machine: &ConcolicMachine, word: &Word, n: u32) -> Self {
        let mut content = Self::default();
        for i in 0..n {
            match word.exprs[i as usize] {
                (Carried::NONE, _) => content.push_plain(&[(word.val >> (8 * i)) as u8]),
                (expr, index) => {
                    content.push(&machine.provenance, ShadowByte { undef: 0, index, expr });
                }
            }
        }
        content
    }

    fn push_plain(&mut self, new: &[u8]) {
        if new.is_empty() {
            return;
        }
        match self.segments.last_mut() {
            Some((_, Segment::Plain(bytes))) => bytes.extend_from_slice(new),
            _ => self.segments.push((self.len, Segment::Plain(new.to_vec()))),
        }
        self.len += new.len() as u32;
    }

    /// Whether it could: bytes of which only some bits are initialised are not worth a case.
    fn push(&mut self, provenance: &Provenance, byte: ShadowByte) -> bool {
        let at = self.len;
        self.len += 1;
        self.may_be_undefined |= byte.undef != 0;
        let last = self.segments.last();
        let segment = match (byte.expr, as_expr(provenance, byte.expr)) {
            (Carried::NONE, _) if byte.undef == 0xff => match last {
                Some((_, Segment::Unwritten)) => return true,
                _ => Segment::Unwritten,
            },
            (Carried::NONE, _) => return false,
            (_, Some(expr)) if byte.undef == 0 => Segment::Expr(expr, byte.index),
            (_, Some(_)) => return false,
            (carried, None) => match last {
                Some((start, Segment::Run(first))) if first.0 + (at - start) == carried.0 => return true,
                _ => Segment::Run(carried),
            },
        };
        self.segments.push((at, segment));
        true
    }

    pub fn len(&self) -> u32 {
        self.len
    }

    /// The segment that a place is in, where that starts, and where it ends.
    pub fn segment_at(&self, place: u32) -> (&Segment, Range<u32>) {
        let after = self.segments.partition_point(|(start, _)| *start <= place);
        let (start, segment) = &self.segments[after - 1];
        (segment, *start..self.segments.get(after).map_or(self.len, |(next, _)| *next))
    }

    /// All segments, with where each starts and ends.
    pub fn segments(&self) -> impl Iterator<Item = (&Segment, Range<u32>)> {
        let ends = self.segments.iter().skip(1).map(|(start, _)| *start).chain([self.len]);
        self.segments.iter().zip(ends).map(|((start, segment), end)| (segment, *start..end))
    }

    pub fn visit_exprs(&self, visit: &mut dyn FnMut(ExprId)) {
        for (_, segment) in &self.segments {
            if let Segment::Expr(expr, _) = segment {
                visit(*expr);
            }
        }
    }
}
