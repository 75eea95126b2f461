//! The token stream with one token of lookahead, and the small questions every grammar rule asks of it.

use super::error::{Fault, Parsed};
use super::lexer::{Lexer, Name, Token};

#[derive(Clone)]
pub(super) struct Cursor<'a> {
    lexer: Lexer<'a>,
    /// The current token, not yet consumed.
    pub token: Token<'a>,
    /// Where the current token starts.
    pub start: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(text: &'a str) -> Self {
        let mut lexer = Lexer::new(text);
        let (start, token) = lexer.next();
        Self { lexer, token, start }
    }

    pub fn text(&self) -> &'a str {
        self.lexer.text()
    }

    /// A second stream over the same text, from `position` on.
    pub fn at(&self, position: usize) -> Self {
        let mut lexer = self.lexer.clone();
        lexer.seek(position);
        let (start, token) = lexer.next();
        Self { lexer, token, start }
    }

    /// If each of `prefixes`, with a number after it, follows the current token, and then `end`: passes over all of
    /// it and returns the numbers. A short cut for what stands in a file a hundred thousand times in one form.
    pub fn eat_form<const N: usize>(&mut self, prefixes: [&str; N], end: &str) -> Option<[u32; N]> {
        let numbers = self.lexer.eat_form(prefixes, end)?;
        self.bump();
        Some(numbers)
    }

    pub fn bump(&mut self) {
        (self.start, self.token) = self.lexer.next();
    }

    /// Consumes the current token if it is this punctuation.
    pub fn eat(&mut self, punct: u8) -> bool {
        let found = self.at_punct(punct);
        if found {
            self.bump();
        }
        found
    }

    pub fn at_punct(&self, punct: u8) -> bool {
        matches!(self.token, Token::Punct(found) if found == punct)
    }

    pub fn at_word(&self, word: &str) -> bool {
        matches!(self.token, Token::Word(found) if found == word)
    }

    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.bump();
        }
        found
    }

    /// Whether the current token is directly followed by `:`, as a label is.
    pub fn at_label(&self) -> bool {
        self.lexer.peek_byte() == Some(b':') && matches!(self.token, Token::Word(_) | Token::Str(_) | Token::Integer(_))
    }

    pub fn expect(&mut self, punct: u8) -> Parsed<()> {
        if self.eat(punct) { Ok(()) } else { Err(self.expected(&format!("`{}`", punct as char))) }
    }

    pub fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    pub fn expect_str(&mut self) -> Parsed<&'a str> {
        match self.token {
            Token::Str(text) => {
                self.bump();
                Ok(text)
            }
            _ => Err(self.expected("a string")),
        }
    }

    /// A non-negative decimal that fits.
    pub fn expect_number<N: std::str::FromStr>(&mut self) -> Parsed<N> {
        match self.token {
            Token::Integer(digits) => {
                let value = digits.parse().map_err(|_| self.fail("this number does not fit here"))?;
                self.bump();
                Ok(value)
            }
            _ => Err(self.expected("a number")),
        }
    }

    /// Consumes a bracketed group that starts at the current token, whatever it holds.
    pub fn skip_group(&mut self) -> Parsed<()> {
        let open = self.start;
        if !matches!(self.token, Token::Punct(b'(' | b'[' | b'{')) {
            return Err(self.expected("`(`"));
        }
        let mut depth = 0usize;
        loop {
            match self.token {
                Token::Punct(b'(' | b'[' | b'{') => depth += 1,
                Token::Punct(b')' | b']' | b'}') => depth = depth.saturating_sub(1),
                Token::End => return Err(Fault::new(open, "this bracket is never closed")),
                Token::Bad(_) => return Err(self.expected("a closing bracket")),
                _ => {}
            }
            self.bump();
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// Consumes `(…)` if there is one.
    pub fn skip_optional_parens(&mut self) -> Parsed<()> {
        if self.at_punct(b'(') { self.skip_group() } else { Ok(()) }
    }

    /// The name if the current token is a `%name`.
    pub fn local_name(&self) -> Option<Name<'a>> {
        match self.token {
            Token::LocalName(raw) => Some(Name::text(raw)),
            Token::LocalNumber(number) => Some(Name::Number(number)),
            _ => None,
        }
    }

    /// The name if the current token is a `@name`.
    pub fn global_name(&self) -> Option<Name<'a>> {
        match self.token {
            Token::GlobalName(raw) => Some(Name::text(raw)),
            Token::GlobalNumber(number) => Some(Name::Number(number)),
            _ => None,
        }
    }

    /// An error at the current token.
    pub fn fail(&self, message: impl Into<String>) -> Box<Fault> {
        Fault::new(self.start, message)
    }

    /// "Expected this, found that" at the current token.
    pub fn expected(&self, what: &str) -> Box<Fault> {
        match self.token {
            Token::End => self.fail(format!("expected {what}, found the end of the file")),
            Token::Bad(reason) => self.fail(reason),
            _ => self.fail(format!("expected {what}, found `{}`", self.token_text())),
        }
    }

    /// The current token as written, cut if it is long.
    pub fn token_text(&self) -> &'a str {
        let text = &self.text()[self.start..self.lexer.position()];
        match text.char_indices().nth(60) {
            Some((end, _)) => &text[..end],
            None => text,
        }
    }

    /// The token that starts at `position`, as written.
    pub fn text_at(&self, position: usize) -> &'a str {
        self.at(position).token_text()
    }

    /// The offset after the current token.
    pub fn token_end(&self) -> usize {
        self.lexer.position()
    }
}
