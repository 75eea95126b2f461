//! Expressions of bytes that lie side by side in memory.

use super::ConcolicMachine;
use super::lazy::lazy_byte;
use crate::graph::layout::LeafKind;
use crate::input_bytes::{Made, input_byte};
use crate::variables::InputPlace;
use spelunk_expr::{ExprId, VarId};
use spelunk_vm::Carried;
use spelunk_vm::memory::Word;

/// Which byte of which expression a byte is; none if it is constant.
type Part = Option<(ExprId, u8)>;

impl ConcolicMachine {
    /// The expression of the first `n` bytes of a word.
    pub(crate) fn joined(&mut self, word: &Word, n: u32) -> ExprId {
        let mut spelt = *word;
        self.spell(&mut spelt, n);
        let word = &spelt;
        self.make_variables(word, n);
        let mut parts: [Part; 8] = [None; 8];
        for (part, &byte) in parts.iter_mut().zip(&word.exprs[..n as usize]) {
            *part = self.part(byte);
        }
        let mut result: Option<ExprId> = None;
        let mut at = 0;
        while at < n {
            let rest = &parts[at as usize..n as usize];
            let len = (1..rest.len()).find(|&len| !continues(rest[0], len, rest[len])).unwrap_or(rest.len()) as u32;
            let part = match rest[0] {
                None => self.pool.mk_const(8 * len, word.val >> (8 * at)),
                Some((expr, index)) => self.bytes_of(expr, u32::from(index), len),
            };
            result = Some(match result {
                Some(low) => self.pool.mk_concat(part, low),
                None => part,
            });
            at += len;
        }
        result.expect("a word has bytes")
    }

    fn part(&mut self, (carried, index): (Carried, u8)) -> Part {
        match carried {
            Carried::NONE => None,
            carried => Some(self.expr_byte(carried, index)),
        }
    }

    /// Which byte of which expression it is that memory carries. Input bytes have variables by now.
    pub(super) fn expr_byte(&mut self, carried: Carried, index: u8) -> (ExprId, u8) {
        if let Some(number) = input_byte(carried) {
            return self.inputs.known(number).expect("variables are made first");
        }
        match lazy_byte(carried) {
            Some(number) => self.lazy_part(number),
            None => (self.provenance.expr(carried), index),
        }
    }

    fn lazy_part(&mut self, number: u32) -> (ExprId, u8) {
        match self.lazy.element(&mut self.pool, number) {
            Some(element) => element,
            None => (self.layer_byte(number), 0),
        }
    }

    /// Bytes of an expression; those beyond its end are zero.
    pub(crate) fn bytes_of(&mut self, expr: ExprId, index: u32, len: u32) -> ExprId {
        let width = self.pool.width(expr);
        let (low, wanted) = (8 * index, 8 * len);
        if low == 0 && wanted == width {
            return expr;
        }
        if low >= width {
            return self.pool.mk_const(wanted, 0);
        }
        let part = self.pool.mk_extract(expr, low, wanted.min(width - low));
        self.pool.mk_zext(part, wanted)
    }

    /// The bytes that a byte of an object with a layout is one value with: the first, and how many.
    fn leaf_around(&self, number: u32) -> Option<(u32, u32)> {
        let made = self.inputs.holder(number);
        let (offset, leaf) = self.inputs.heap.leaf(made.node, number - made.first)?;
        Some((made.first + offset, leaf.n_bytes))
    }

    /// Whether a byte of the input is part of a pointer.
    fn is_pointer(&self, number: u32) -> bool {
        let made = self.inputs.holder(number);
        let leaf = self.inputs.heap.leaf(made.node, number - made.first);
        leaf.is_some_and(|(_, leaf)| matches!(leaf.kind, LeafKind::Pointer(_)))
    }

    /// Makes one variable of input bytes.
    fn make_variable(&mut self, first: u32, n_bytes: u32) {
        let (var, _) = self.group(first, n_bytes);
        if self.is_pointer(first) {
            self.provenance.add_pointer(var);
        }
        self.tell_bound(var, first);
    }

    /// Makes variables of bytes as if they had been read.
    pub(super) fn bind(&mut self, places: &[InputPlace]) {
        for place in places {
            let made = self.inputs.of_node(place.object).expect("a run in the same state has the same objects");
            let first = made.first + place.offset;
            if self.inputs.are_fresh(first, place.n_bytes) {
                self.make_variable(first, place.n_bytes);
            }
        }
    }

    /// Makes one variable of a whole object of at most eight bytes.
    pub(crate) fn group_object(&mut self, made: Made) -> ExprId {
        self.group(made.first, made.len).1
    }

    /// The variable of a byte of input.
    pub(crate) fn byte_variable(&mut self, number: u32) -> ExprId {
        match self.inputs.known(number) {
            Some((expr, index)) => self.bytes_of(expr, u32::from(index), 1),
            None => self.group(number, 1).1,
        }
    }

    fn group(&mut self, first: u32, n_bytes: u32) -> (VarId, ExprId) {
        self.inputs.group(&mut self.pool, &mut self.variables, first, n_bytes)
    }

    /// Input bytes that are read for the first time become variables, as many as possible of them one.
    fn make_variables(&mut self, word: &Word, n: u32) {
        let number = |at: u32| input_byte(word.exprs[at as usize].0);
        let mut at = 0;
        while at < n {
            let Some(first) = number(at) else {
                at += 1;
                continue;
            };
            if !self.inputs.are_fresh(first, 1) {
                at += 1;
                continue;
            }
            if let Some((leaf, n_bytes)) = self.leaf_around(first) {
                self.make_variable(leaf, n_bytes);
                at += 1;
                continue;
            }
            let mut len = 1;
            while at + len < n && number(at + len) == Some(first + len) && self.inputs.are_fresh(first + len, 1) {
                len += 1;
            }
            // A power of two, as whole numbers have it.
            let len = 1 << len.ilog2();
            self.make_variable(first, len);
            at += len;
        }
    }
}

/// Whether a byte goes on where `len` bytes from `first` on end.
fn continues(first: Part, len: usize, next: Part) -> bool {
    match (first, next) {
        (None, None) => true,
        (Some((expr, index)), Some((next, next_index))) => {
            expr == next && usize::from(index) + len == usize::from(next_index)
        }
        _ => false,
    }
}
