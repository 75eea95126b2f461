//! Expressions of bytes that lie side by side in memory.

use super::ConcolicMachine;
use crate::input_bytes::input_byte;
use spelunk_expr::ExprId;
use spelunk_vm::ExprId as Carried;
use spelunk_vm::memory::Word;

/// Some of a word's bytes that make one part of its expression.
#[derive(Clone, Copy)]
enum Part {
    Constant,
    /// Bytes of an expression, from this one on.
    Bytes(ExprId, u32),
}

impl ConcolicMachine {
    /// The expression of the first `n` bytes of a word.
    pub(super) fn joined(&mut self, word: &Word, n: u32) -> ExprId {
        self.make_variables(word, n);
        let mut result: Option<ExprId> = None;
        let mut at = 0;
        while at < n {
            let first = self.part(word.exprs[at as usize]);
            let mut len = 1;
            while at + len < n && self.continues(first, len, word.exprs[(at + len) as usize]) {
                len += 1;
            }
            let part = match first {
                Part::Constant => self.pool.mk_const(8 * len, word.val >> (8 * at)),
                Part::Bytes(expr, index) => self.bytes_of(expr, index, len),
            };
            result = Some(match result {
                Some(low) => self.pool.mk_concat(part, low),
                None => part,
            });
            at += len;
        }
        result.expect("a word has bytes")
    }

    fn part(&self, (carried, index): (Carried, u8)) -> Part {
        match carried {
            Carried::NONE => Part::Constant,
            carried => match input_byte(carried) {
                Some(number) => {
                    let (expr, index) = self.inputs.known(number).expect("variables are made first");
                    Part::Bytes(expr, u32::from(index))
                }
                None => Part::Bytes(ExprId::from_raw(carried.0), u32::from(index)),
            },
        }
    }

    /// Whether a byte goes on where `len` bytes from `first` on end.
    fn continues(&self, first: Part, len: u32, byte: (Carried, u8)) -> bool {
        match (first, self.part(byte)) {
            (Part::Constant, Part::Constant) => true,
            (Part::Bytes(expr, index), Part::Bytes(next, next_index)) => expr == next && index + len == next_index,
            _ => false,
        }
    }

    /// Bytes of an expression; those beyond its end are zero.
    fn bytes_of(&mut self, expr: ExprId, index: u32, len: u32) -> ExprId {
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
            let mut len = 1;
            while at + len < n && number(at + len) == Some(first + len) && self.inputs.are_fresh(first + len, 1) {
                len += 1;
            }
            // A power of two, as whole numbers have it.
            let len = 1 << len.ilog2();
            self.inputs.group(&mut self.pool, &mut self.variables, first, len);
            at += len;
        }
    }
}
