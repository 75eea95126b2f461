//! Numbers that were printed and are read back, without a look at each digit.
//!
//! A text is followed piece by piece through the layers that printing and copying have made of it: spaces, a sign, zeros, digits, and
//! something behind them that is no digit. Digits are recognised by what they are: each is the expression that printing a number makes of
//! it (`digits`), so the number is in it. What is anything else is left to be read character by character.

use super::digits::{answer, mk_count, mk_digit, plain};
use super::models::{Program, text};
use crate::machine::ConcolicMachine;
use crate::machine::lazy::{Content, Layer, Segment, Source, lazy_byte};
use spelunk_expr::{ExprId, ExprPool, Op};
use spelunk_vm::{Answer, Slot, Stop};

/// What `rt.h` calls them.
const IS_PRINTED: u64 = 0;
const LENGTH: u64 = 1;
const MAGNITUDE: u64 = 2;
const SIGN: u64 = 3;

/// So many pieces make a number at most, each found behind so many layers.
const MAX_PIECES: usize = 8;
const MAX_LAYERS: u32 = 64;

/// So much of a digit is looked at for the number that it is of.
const MAX_NODES: usize = 32;

/// `(text, base, asked)`
pub(super) fn printed(vm: &mut Program<'_>, args: &[Slot]) -> Result<Answer, Stop> {
    let (Some(base), Some(asked)) = (plain(args, 1), plain(args, 2)) else { return Ok(Answer::Decline) };
    if vm.machine.is_muted() || !vm.machine.lazy.has_layers() {
        return Ok(Answer::Decline);
    }
    let Some(text) = text(vm, args, 1)? else { return Ok(Answer::Decline) };
    let Some(number) = Reader { machine: &mut vm.machine, base }.read(&text.content, text.start) else {
        return Ok(Answer::Decline);
    };
    let pool = &mut vm.machine.pool;
    let result = match asked {
        IS_PRINTED => pool.mk_const(64, 1),
        LENGTH => number.length,
        MAGNITUDE => number.magnitude,
        SIGN => pool.mk_zext(number.is_negative, 64),
        _ => mk_value(pool, &number),
    };
    Ok(answer(&mut vm.machine, result))
}

struct Number {
    length: ExprId,
    magnitude: ExprId,
    is_negative: ExprId,
}

/// The number itself. A magnitude that was made from one has it.
fn mk_value(pool: &mut ExprPool, number: &Number) -> ExprId {
    let (magnitude, is_negative) = (number.magnitude, number.is_negative);
    let zero = pool.mk_const(64, 0);
    let node = pool.node(magnitude);
    let parts = match node.op() {
        Op::Ite if node.arg(0) == is_negative => (node.arg(1), node.arg(2)),
        Op::Ite if pool.mk_not(node.arg(0)) == is_negative => (node.arg(2), node.arg(1)),
        _ => (magnitude, magnitude),
    };
    let below = pool.mk_sub(zero, parts.0);
    pool.mk_ite(is_negative, below, parts.1)
}

/// Some bytes one after another.
enum Piece {
    /// The same again and again.
    Fill(u8),
    Text(Vec<u8>),
    /// All of it, or nothing.
    Perhaps(Vec<u8>),
    /// A minus if a condition holds, otherwise a plus or a space.
    Sign(ExprId),
    /// All digits of a number.
    Digits(ExprId),
}

/// What has been read, and so may not come again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Spaces,
    Sign,
    Zeros,
}

struct Reader<'m> {
    machine: &'m mut ConcolicMachine,
    base: u64,
}

impl Reader<'_> {
    fn read(&mut self, content: &Content, start: ExprId) -> Option<Number> {
        let (mut place, mut stage, mut is_negative) = (start, Stage::Spaces, ExprId::FALSE);
        let mut prefix = None;
        for _ in 0..MAX_PIECES {
            let (piece, len) = self.piece(content, place, MAX_LAYERS)?;
            let end = self.behind(place, len);
            match piece {
                Piece::Digits(magnitude) => {
                    let is_sure = prefix.is_none_or(|len| self.is_prefix_of(len, magnitude));
                    if !is_sure || !self.is_end(content, end) {
                        return None;
                    }
                    let length = self.machine.mk_difference(end, start);
                    return Some(Number { length, magnitude, is_negative });
                }
                Piece::Fill(b'-') if stage == Stage::Spaces && self.machine.bounds(len).1 <= 1 => {
                    stage = Stage::Sign;
                    let zero = self.machine.pool.mk_const(64, 0);
                    is_negative = self.machine.pool.mk_ne(len, zero);
                }
                Piece::Fill(byte) => stage = self.passed(stage, byte)?,
                Piece::Sign(is_minus) if stage == Stage::Spaces => (stage, is_negative) = (Stage::Sign, is_minus),
                Piece::Sign(_) => return None,
                Piece::Perhaps(bytes) => {
                    let [b'0', b'x' | b'X'] = bytes[..] else { return None };
                    // What is not there would say that the number is decimal.
                    prefix = (self.base == 0).then_some(len);
                    stage = self.passed_prefix(stage)?;
                }
                Piece::Text(bytes) => {
                    let mut rest = &bytes[..];
                    while let [byte, others @ ..] = rest {
                        rest = others;
                        stage = match (byte, others) {
                            (b'-' | b'+', _) if stage == Stage::Spaces => {
                                is_negative = if *byte == b'-' { ExprId::TRUE } else { ExprId::FALSE };
                                Stage::Sign
                            }
                            (b'0', [b'x' | b'X', behind @ ..]) => {
                                rest = behind;
                                self.passed_prefix(stage)?
                            }
                            _ => self.passed(stage, *byte)?,
                        };
                    }
                }
            }
            place = end;
        }
        None
    }

    /// Behind `0x`, which says that the number is hexadecimal.
    fn passed_prefix(&mut self, stage: Stage) -> Option<Stage> {
        if stage == Stage::Zeros || !matches!(self.base, 0 | 16) {
            return None;
        }
        self.base = 16;
        Some(Stage::Zeros)
    }

    /// Whether a prefix of this length is missing for zero only.
    fn is_prefix_of(&mut self, len: ExprId, magnitude: ExprId) -> bool {
        let pool = &mut self.machine.pool;
        let [zero, two] = [0, 2].map(|value| pool.mk_const(64, value));
        let is_some = pool.mk_ne(magnitude, zero);
        let (chosen, wide) = (pool.mk_ite(is_some, two, zero), pool.mk_zext(is_some, 64));
        [chosen, pool.mk_mul(wide, two)].contains(&len)
    }

    /// The place behind a piece, which may be the same for all lengths.
    fn behind(&mut self, place: ExprId, len: ExprId) -> ExprId {
        let (sum, zero) = (self.machine.pool.mk_add(place, len), self.constant(0));
        self.machine.mk_difference(sum, zero)
    }

    /// Whether what stands at a place is no part of a number.
    fn is_end(&mut self, content: &Content, mut place: ExprId) -> bool {
        for _ in 0..MAX_PIECES {
            let Some((piece, len)) = self.piece(content, place, MAX_LAYERS) else { return false };
            let byte = match piece {
                Piece::Fill(byte) => byte,
                Piece::Text(bytes) => match bytes.first() {
                    Some(byte) => *byte,
                    None => return false,
                },
                Piece::Sign(_) => return true,
                Piece::Perhaps(_) | Piece::Digits(_) => return false,
            };
            if byte.is_ascii_alphanumeric() || self.machine.bounds(len).0 > 0 {
                return !byte.is_ascii_alphanumeric();
            }
            place = self.behind(place, len);
        }
        false
    }

    /// Behind a space or a zero.
    fn passed(&self, stage: Stage, byte: u8) -> Option<Stage> {
        match byte {
            b' ' | b'\t'..=b'\r' if stage == Stage::Spaces => Some(stage),
            // A zero that comes first may say that the number is octal.
            b'0' if self.base != 0 => Some(Stage::Zeros),
            _ => None,
        }
    }

    /// What begins at a place, and how long it is.
    fn piece(&mut self, content: &Content, place: ExprId, n_layers: u32) -> Option<(Piece, ExprId)> {
        let (segment, range) = self.segment(content, place)?;
        let start = self.constant(range.start);
        match segment {
            Segment::Plain(bytes) => {
                let within = self.machine.pool.as_const(place)? as u32 - range.start;
                let bytes = bytes[within as usize..].to_vec();
                let len = self.constant(bytes.len() as u32);
                Some((Piece::Text(bytes), len))
            }
            Segment::Run(carried) => {
                let (layer, first) = self.machine.lazy.layer(lazy_byte(*carried)?)?;
                let first = self.constant(first);
                let place = self.machine.pool.mk_add(place, first);
                let place = self.machine.mk_difference(place, start);
                self.in_layer(&layer, place, n_layers.checked_sub(1)?)
            }
            Segment::Expr(..) => {
                let place = u32::try_from(self.machine.pool.as_const(place)?).ok()?;
                let byte = self.byte(content, place);
                let len = self.constant(1);
                Some((Piece::Sign(self.is_minus(byte)?), len))
            }
            Segment::Unwritten => None,
        }
    }

    /// When a byte that is a sign or a space is a minus.
    fn is_minus(&mut self, byte: ExprId) -> Option<ExprId> {
        let pool = &mut self.machine.pool;
        let node = pool.node(byte);
        if node.op() != Op::Ite {
            return None;
        }
        match [1, 2].map(|arm| pool.as_const(node.arg(arm)).and_then(|byte| u8::try_from(byte).ok())) {
            [Some(b'-'), Some(b'+' | b' ')] => Some(node.arg(0)),
            [Some(b'+' | b' '), Some(b'-')] => Some(pool.mk_not(node.arg(0))),
            _ => None,
        }
    }

    /// The segment that a place is in, whatever the input.
    fn segment<'c>(&mut self, content: &'c Content, place: ExprId) -> Option<(&'c Segment, std::ops::Range<u32>)> {
        content.segments().find(|(_, range)| {
            let (start, end) = (self.constant(range.start), self.constant(range.end));
            self.machine.is_at_most(start, place) && self.machine.is_below(place, end)
        })
    }

    fn in_layer(&mut self, layer: &Layer, place: ExprId, n_layers: u32) -> Option<(Piece, ExprId)> {
        let end = self.behind(layer.at, layer.len);
        if self.machine.is_at_most(end, place) {
            return self.piece(&layer.below, place, n_layers);
        }
        if self.machine.is_at_most(layer.at, place) {
            let is_start = self.machine.is_at_most(place, layer.at);
            if !is_start && !self.machine.is_below(place, end) {
                return None;
            }
            let len = if is_start { layer.len } else { self.machine.mk_difference(end, place) };
            return match &layer.from {
                Source::Fill(byte) => Some((Piece::Fill(self.machine.pool.as_const(*byte)? as u8), len)),
                Source::Bytes { content, offset } => {
                    let place = self.machine.pool.mk_add(place, *offset);
                    let place = self.machine.mk_difference(place, layer.at);
                    self.in_source(content, place, len, n_layers)
                }
            };
        }
        if !self.machine.is_at_most(place, layer.at) {
            return None;
        }
        let (piece, len) = self.piece(&layer.below, place, n_layers)?;
        self.cut(piece, place, len, layer.at)
    }

    /// So much of what is copied.
    fn in_source(&mut self, content: &Content, place: ExprId, len: ExprId, n_layers: u32) -> Option<(Piece, ExprId)> {
        if let Some(magnitude) = self.digits(content, place, len) {
            return Some((Piece::Digits(magnitude), len));
        }
        let (piece, whole) = self.piece(content, place, n_layers)?;
        if let (Piece::Text(bytes), 0..=1) = (&piece, self.machine.bounds(len).1) {
            return Some((Piece::Fill(*bytes.first()?), len));
        }
        let end = self.behind(place, len);
        self.cut(piece, place, whole, end)
    }

    /// A piece up to an end, if it can be told where that is.
    fn cut(&mut self, piece: Piece, place: ExprId, len: ExprId, end: ExprId) -> Option<(Piece, ExprId)> {
        let whole = self.behind(place, len);
        if self.machine.is_at_most(whole, end) {
            return Some((piece, len));
        }
        let room = self.machine.mk_difference(end, place);
        let (Piece::Text(mut bytes), facts) = (piece, self.machine.pool.facts(room)?) else { return None };
        bytes.truncate(facts.umax as usize);
        match facts.as_constant() {
            Some(_) => Some((Piece::Text(bytes), room)),
            None => {
                let is_one_bit = facts.umax.is_power_of_two() && facts.zeros == !facts.umax;
                (is_one_bit && bytes.len() as u64 == facts.umax).then_some((Piece::Perhaps(bytes), room))
            }
        }
    }

    /// The number whose digits are the last of some content, if these are all of its digits.
    fn digits(&mut self, content: &Content, place: ExprId, len: ExprId) -> Option<ExprId> {
        let n_bytes = content.len();
        let (end, all) = (self.behind(place, len), self.constant(n_bytes));
        if n_bytes == 0 || !self.machine.is_at_most(end, all) || !self.machine.is_at_most(all, end) {
            return None;
        }
        let Segment::Expr(..) = content.segment_at(n_bytes - 1).0 else { return None };
        let base = if self.base == 0 { 10 } else { self.base };
        let bytes: Vec<ExprId> = (0..n_bytes.min(u64::BITS)).map(|at| self.byte(content, n_bytes - 1 - at)).collect();
        let candidates = self.parts(bytes[0]);
        let tens: &[u8] = if base > 10 { b"aA" } else { b"a" };
        candidates.into_iter().find(|&magnitude| {
            let pool = &mut self.machine.pool;
            let is_printed = tens
                .iter()
                .any(|&ten| (0..).zip(&bytes).all(|(at, &byte)| mk_digit(pool, magnitude, base, at, ten) == byte));
            is_printed && mk_count(pool, magnitude, base) == len
        })
    }

    fn byte(&mut self, content: &Content, place: u32) -> ExprId {
        let place = self.constant(place);
        self.machine.content_byte(content, place)
    }

    /// What an expression is made of, as numbers of 64 bits.
    fn parts(&mut self, expr: ExprId) -> Vec<ExprId> {
        let (mut parts, mut at) = (vec![expr], 0);
        while at < parts.len() && parts.len() < MAX_NODES {
            for arg in self.machine.pool.node(parts[at]).args() {
                if !parts.contains(&arg) && !self.machine.pool.is_const(arg) {
                    parts.push(arg);
                }
            }
            at += 1;
        }
        let pool = &mut self.machine.pool;
        let is_number =
            |pool: &ExprPool, part: ExprId| pool.facts(part).is_some() && (2..=64).contains(&pool.width(part));
        parts.retain(|&part| is_number(pool, part));
        parts.into_iter().map(|part| pool.mk_zext(part, 64)).collect()
    }

    fn constant(&mut self, place: u32) -> ExprId {
        self.machine.pool.mk_const(64, u64::from(place))
    }
}
