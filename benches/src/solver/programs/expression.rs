//! A calculator: sums and products of numbers in parentheses, read from bytes, by recursive descent.

use spelunk_expr::ExprId;

use crate::solver::explorer::{Context, Program};

pub const PROGRAM: Program = Program { name: "expression parser", inputs: || vec![8; 10], run, n_queries: 1500 };

/// What a syntax error leaves to do.
struct SyntaxError;

fn run(cx: &mut Context<'_>) {
    let mut parser = Parser { cx, at: 0 };
    if let Ok(value) = parser.sum()
        && parser.is_at_end()
    {
        parser.cx.is(value, 4242);
    }
}

struct Parser<'c, 'p> {
    cx: &'c mut Context<'p>,
    at: usize,
}

impl Parser<'_, '_> {
    fn is_at_end(&mut self) -> bool {
        self.at == self.cx.n_inputs() || self.is_byte(0)
    }

    fn is_byte(&mut self, value: u8) -> bool {
        self.at < self.cx.n_inputs() && self.cx.is(self.cx.input(self.at), value as u64)
    }

    fn accept(&mut self, value: u8) -> bool {
        let is_there = self.is_byte(value);
        self.at += is_there as usize;
        is_there
    }

    fn skip_spaces(&mut self) {
        while self.accept(b' ') {}
    }

    fn sum(&mut self) -> Result<ExprId, SyntaxError> {
        let mut value = self.product()?;
        loop {
            if self.accept(b'+') {
                let other = self.product()?;
                value = self.cx.pool.mk_add(value, other);
            } else if self.accept(b'-') {
                let other = self.product()?;
                value = self.cx.pool.mk_sub(value, other);
            } else {
                return Ok(value);
            }
        }
    }

    fn product(&mut self) -> Result<ExprId, SyntaxError> {
        let mut value = self.factor()?;
        while self.accept(b'*') {
            let other = self.factor()?;
            value = self.cx.pool.mk_mul(value, other);
        }
        Ok(value)
    }

    fn factor(&mut self) -> Result<ExprId, SyntaxError> {
        self.skip_spaces();
        let value = if self.accept(b'(') {
            let value = self.sum()?;
            if !self.accept(b')') {
                return Err(SyntaxError);
            }
            value
        } else {
            self.number()?
        };
        self.skip_spaces();
        Ok(value)
    }

    fn number(&mut self) -> Result<ExprId, SyntaxError> {
        let mut value = self.cx.pool.mk_const(32, 0);
        let start = self.at;
        while self.at < self.cx.n_inputs() && self.cx.is_within(self.cx.input(self.at), b'0' as u64, b'9' as u64) {
            let byte = self.cx.input(self.at);
            let pool = &mut *self.cx.pool;
            let (ten, zero) = (pool.mk_const(32, 10), pool.mk_const(32, b'0' as u64));
            let (scaled, byte) = (pool.mk_mul(value, ten), pool.mk_zext(byte, 32));
            let digit = pool.mk_sub(byte, zero);
            value = pool.mk_add(scaled, digit);
            self.at += 1;
        }
        if self.at == start { Err(SyntaxError) } else { Ok(value) }
    }
}
