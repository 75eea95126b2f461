//! Readers: our own format, and the files of yacc and lex.

pub mod bison;
pub mod ebnf;
pub mod flex;
mod pattern;

use crate::diagnostic::{Diagnostic, Source};
use std::ops::Range;

/// A place in a text, moving forward.
pub(crate) struct Scanner<'s> {
    pub source: Source<'s>,
    pub at: usize,
}

type Result<T> = std::result::Result<T, Diagnostic>;

impl<'s> Scanner<'s> {
    pub fn new(source: Source<'s>) -> Self {
        Self { source, at: 0 }
    }

    pub fn rest(&self) -> &'s str {
        &self.source.text[self.at..]
    }

    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub fn is_at_end(&self) -> bool {
        self.at >= self.source.text.len()
    }

    pub fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    pub fn eat(&mut self, text: &str) -> bool {
        let is_there = self.rest().starts_with(text);
        if is_there {
            self.at += text.len();
        }
        is_there
    }

    pub fn take_while(&mut self, mut is_in: impl FnMut(char) -> bool) -> &'s str {
        let rest = self.rest();
        let len = rest.find(|c| !is_in(c)).unwrap_or(rest.len());
        self.at += len;
        &rest[..len]
    }

    /// A name of C, with dots and dashes as bison has them.
    pub fn name(&mut self) -> Option<&'s str> {
        let is_start = self.peek().is_some_and(|c| c.is_alphabetic() || c == '_' || c == '.');
        is_start.then(|| self.take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-')))
    }

    pub fn line_rest(&mut self) -> &'s str {
        self.take_while(|c| c != '\n')
    }

    pub fn error(&self, from: usize, message: impl Into<String>) -> Diagnostic {
        self.source.error(from..self.at.max(from + 1), message)
    }

    pub fn line(&self) -> usize {
        self.source.line(self.at)
    }

    /// White space and comments, of C and behind `#` if that is one.
    pub fn skip_space(&mut self, has_hash: bool) -> Result<()> {
        loop {
            self.take_while(char::is_whitespace);
            let from = self.at;
            if self.eat("/*") {
                match self.rest().find("*/") {
                    Some(len) => self.at += len + 2,
                    None => return Err(self.source.error(from..from + 2, "this comment has no end")),
                }
            } else if self.rest().starts_with("//") || has_hash && self.rest().starts_with('#') {
                self.line_rest();
            } else {
                return Ok(());
            }
        }
    }

    /// What stands in quotes from here on, with C's escapes.
    pub fn quoted(&mut self) -> Result<Vec<u8>> {
        let from = self.at;
        let quote = self.bump().expect("a quote");
        let mut bytes = Vec::new();
        loop {
            match self.bump() {
                None | Some('\n') => return Err(self.source.error(from..from + 1, "this quote has no end")),
                Some(c) if c == quote => return Ok(bytes),
                Some('\\') => bytes.push(self.escape()),
                Some(c) => bytes.extend(c.encode_utf8(&mut [0; 4]).bytes()),
            }
        }
    }

    /// The byte that an escape stands for, behind its backslash.
    pub fn escape(&mut self) -> u8 {
        let digits = |scanner: &mut Self, radix: u32, most: usize| {
            let mut left = most;
            let digits = scanner.take_while(|c| {
                let is_part = left > 0 && c.is_digit(radix);
                left = left.saturating_sub(1);
                is_part
            });
            u32::from_str_radix(digits, radix).unwrap_or(0) as u8
        };
        match self.peek() {
            Some('0'..='7') => digits(self, 8, 3),
            Some('x') => {
                self.bump();
                digits(self, 16, 2)
            }
            _ => match self.bump() {
                Some('n') => b'\n',
                Some('t') => b'\t',
                Some('r') => b'\r',
                Some('a') => 7,
                Some('b') => 8,
                Some('f') => 12,
                Some('v') => 11,
                Some(c) => c as u8,
                None => b'\\',
            },
        }
    }

    /// C code in braces; returns what is between them.
    pub fn braced(&mut self) -> Result<Range<usize>> {
        let from = self.at;
        self.bump();
        let mut depth = 1;
        while depth > 0 {
            match self.peek() {
                None => return Err(self.source.error(from..from + 1, "this brace is never closed")),
                Some('"' | '\'') => self.skip_c_quote(),
                Some('/') if self.rest().starts_with("/*") || self.rest().starts_with("//") => {
                    self.skip_space(false)?
                }
                Some(c) => {
                    depth += i32::from(c == '{') - i32::from(c == '}');
                    self.bump();
                }
            }
        }
        Ok(from + 1..self.at - 1)
    }

    fn skip_c_quote(&mut self) {
        let quote = self.bump();
        while let Some(c) = self.peek() {
            if c == '\n' {
                return;
            }
            self.bump();
            if c == '\\' {
                self.bump();
            } else if Some(c) == quote {
                return;
            }
        }
    }
}
