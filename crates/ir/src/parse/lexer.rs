//! Bytes to tokens. Tokens borrow from the text and are never unescaped here; newlines carry no meaning.
//!
//! A `:` is a token of its own, so labels and metadata fields are a name and a `:`; only the parser knows which.

use memchr::{memchr, memrchr};
use std::borrow::Cow;

/// Names and strings are slices of the text without their quotes; [`unescape`] resolves the `\xx` in them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    End,
    /// One of `= , ( ) [ ] { } < > * | :`.
    Punct(u8),
    /// A keyword, type or opcode, an unquoted label, or `...`.
    Word(&'a str),
    /// A decimal integer with an optional sign.
    Integer(&'a str),
    /// A decimal with a point, or any literal that starts with `0x`.
    Float(&'a str),
    Str(&'a str),
    /// `c"…"`.
    Bytes(&'a str),
    LocalName(&'a str),
    LocalNumber(u32),
    GlobalName(&'a str),
    GlobalNumber(u32),
    /// `$name`.
    Comdat(&'a str),
    /// `#7`.
    AttrGroup(u32),
    /// `#dbg_…`, without the `#`.
    DebugRecord(&'a str),
    /// `!7`.
    MdNumber(u32),
    /// `!name`: a named node, a node class or an attachment kind.
    MdName(&'a str),
    /// `!` before `{` or `"`.
    Bang,
    /// `^7`.
    Summary,
    /// Not a token; the text says what is wrong.
    Bad(&'static str),
}

/// A name as the file spells it: `%7` and `%"7"` are different.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Name<'a> {
    Number(u32),
    Text(Cow<'a, str>),
}

impl<'a> Name<'a> {
    pub fn text(raw: &'a str) -> Self {
        Self::Text(unescape(raw))
    }
}

#[derive(Clone)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    pos: usize,
}

/// Bytes that may stand in an unquoted name.
const NAME: u8 = 1;
const DIGIT: u8 = 2;
const SPACE: u8 = 4;

static CLASS: [u8; 256] = {
    let mut table = [0u8; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'0'..=b'9' => NAME | DIGIT,
            b'a'..=b'z' | b'A'..=b'Z' | b'-' | b'$' | b'.' | b'_' => NAME,
            b' ' | b'\t' | b'\n' | b'\r' | 0 => SPACE,
            _ => 0,
        };
        byte += 1;
    }
    table
};

fn is(class: u8, byte: u8) -> bool {
    CLASS[byte as usize] & class != 0
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, pos: 0 }
    }

    pub fn text(&self) -> &'a str {
        self.text
    }

    /// The offset after the last token.
    pub fn position(&self) -> usize {
        self.pos
    }

    /// Goes on from `position`, which must follow an ASCII byte.
    pub fn seek(&mut self, position: usize) {
        self.pos = position;
    }

    /// The byte right after the last token.
    pub fn peek_byte(&self) -> Option<u8> {
        self.byte_at(self.pos)
    }

    /// The next token and where it starts.
    pub fn next(&mut self) -> (usize, Token<'a>) {
        self.skip_space();
        let start = self.pos;
        let Some(byte) = self.byte_at(start) else {
            return (start, Token::End);
        };
        let token = match byte {
            b'%' => self.sigil_name(Token::LocalName, Token::LocalNumber),
            b'@' => self.sigil_name(Token::GlobalName, Token::GlobalNumber),
            b'!' => self.bang(),
            b'=' | b',' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>' | b'*' | b'|' | b':' => {
                self.pos += 1;
                Token::Punct(byte)
            }
            b'"' => self.quoted(start, Token::Str),
            b'#' => self.hash(),
            b'0'..=b'9' => self.number(),
            b'-' | b'+' if self.byte_at(start + 1).is_some_and(|next| next.is_ascii_digit()) => self.number(),
            b'c' if self.byte_at(start + 1) == Some(b'"') => self.quoted(start + 1, Token::Bytes),
            b'$' => self.sigil_name(Token::Comdat, |_| Token::Bad("expected a comdat name after `$`")),
            b'^' => {
                self.pos = self.run_end(start + 1, NAME);
                Token::Summary
            }
            _ if is(NAME, byte) => {
                self.pos = self.run_end(start + 1, NAME);
                Token::Word(&self.text[start..self.pos])
            }
            _ => {
                // The whole character, so that the position stays on a boundary.
                self.pos += self.text[start..].chars().next().map_or(1, char::len_utf8);
                Token::Bad("unexpected character")
            }
        };
        (start, token)
    }

    /// See `Cursor::eat_form`.
    pub fn eat_form<const N: usize>(&mut self, prefixes: [&str; N], end: &str) -> Option<[u32; N]> {
        let mut rest = &self.text[self.pos..];
        let mut numbers = [0; N];
        for (prefix, number) in prefixes.iter().zip(&mut numbers) {
            rest = rest.strip_prefix(prefix)?;
            let length = rest.bytes().position(|byte| !byte.is_ascii_digit())?;
            *number = decimal(&rest[..length])?;
            rest = &rest[length..];
        }
        rest = rest.strip_prefix(end)?;
        self.pos = self.text.len() - rest.len();
        Some(numbers)
    }

    fn byte_at(&self, pos: usize) -> Option<u8> {
        self.text.as_bytes().get(pos).copied()
    }

    fn skip_space(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.pos) {
            if is(SPACE, byte) {
                self.pos += 1;
            } else if byte == b';' {
                self.pos = memchr(b'\n', &bytes[self.pos..]).map_or(bytes.len(), |length| self.pos + length + 1);
            } else {
                break;
            }
        }
    }

    /// Where the run of bytes of `class` that begins at `pos` ends.
    fn run_end(&self, pos: usize, class: u8) -> usize {
        let tail = self.text.as_bytes().get(pos..).unwrap_or_default();
        pos + tail.iter().position(|&byte| !is(class, byte)).unwrap_or(tail.len())
    }

    /// `%name`, `%"name"` or `%7`, for any sigil of one byte.
    fn sigil_name(&mut self, name: fn(&'a str) -> Token<'a>, number: fn(u32) -> Token<'a>) -> Token<'a> {
        let start = self.pos + 1;
        if self.byte_at(start) == Some(b'"') {
            return self.quoted(start, name);
        }
        let is_number = self.byte_at(start).is_some_and(|first| first.is_ascii_digit());
        self.pos = self.run_end(start, if is_number { DIGIT } else { NAME });
        match &self.text[start..self.pos] {
            "" => Token::Bad("expected a name"),
            digits if is_number => decimal(digits).map_or(Token::Bad("this number is too large"), number),
            body => name(body),
        }
    }

    fn bang(&mut self) -> Token<'a> {
        let start = self.pos + 1;
        let digits_end = self.run_end(start, DIGIT);
        if digits_end > start {
            self.pos = digits_end;
            return decimal(&self.text[start..digits_end]).map_or(Token::Bad("number too large"), Token::MdNumber);
        }
        // Names of metadata escape odd bytes as `\xx` without quotes.
        let tail = self.text.as_bytes().get(start..).unwrap_or_default();
        let length = tail.iter().position(|&byte| !is(NAME, byte) && byte != b'\\').unwrap_or(tail.len());
        self.pos = start + length;
        if length == 0 { Token::Bang } else { Token::MdName(&self.text[start..self.pos]) }
    }

    fn hash(&mut self) -> Token<'a> {
        let start = self.pos + 1;
        self.pos = self.run_end(start, NAME);
        let body = &self.text[start..self.pos];
        match decimal(body) {
            Some(number) => Token::AttrGroup(number),
            None if body.starts_with("dbg_") => Token::DebugRecord(body),
            None => Token::Bad("expected an attribute group or debug record after `#`"),
        }
    }

    /// A string whose opening quote stands at `open`.
    fn quoted(&mut self, open: usize, token: fn(&'a str) -> Token<'a>) -> Token<'a> {
        let body = open + 1;
        match memchr(b'"', &self.text.as_bytes()[body..]) {
            Some(length) => {
                self.pos = body + length + 1;
                token(&self.text[body..body + length])
            }
            None => {
                self.pos = self.text.len();
                Token::Bad("this string is never closed")
            }
        }
    }

    fn number(&mut self) -> Token<'a> {
        let start = self.pos;
        let mut end = self.run_end(start + 1, DIGIT);
        let token = match self.byte_at(end) {
            Some(b'x') if &self.text[start..end] == "0" => {
                end = self.run_end(end + 1, NAME);
                Token::Float
            }
            Some(b'.') => {
                end = self.run_end(end + 1, DIGIT);
                if matches!(self.byte_at(end), Some(b'e' | b'E')) {
                    let sign = usize::from(matches!(self.byte_at(end + 1), Some(b'-' | b'+')));
                    end = self.run_end(end + 1 + sign, DIGIT);
                }
                Token::Float
            }
            _ => Token::Integer,
        };
        self.pos = end;
        token(&self.text[start..end])
    }
}

fn decimal(digits: &str) -> Option<u32> {
    if digits.is_empty() || digits.len() > 10 {
        return None;
    }
    let mut value = 0u64;
    for byte in digits.bytes() {
        if !byte.is_ascii_digit() {
            return None;
        }
        value = value * 10 + u64::from(byte - b'0');
    }
    u32::try_from(value).ok()
}

/// Resolves `\xx` and `\\`. A backslash that starts neither stands for itself, as in LLVM.
pub(super) fn unescape_bytes(raw: &str) -> Vec<u8> {
    let hex = |byte: u8| (byte as char).to_digit(16).map(|digit| digit as u8);
    let mut out = Vec::with_capacity(raw.len());
    let mut rest = raw.as_bytes();
    while let Some(at) = memchr(b'\\', rest) {
        out.extend_from_slice(&rest[..at]);
        rest = &rest[at + 1..];
        match rest {
            [b'\\', tail @ ..] => {
                out.push(b'\\');
                rest = tail;
            }
            [high, low, tail @ ..] if hex(*high).is_some() && hex(*low).is_some() => {
                out.push(hex(*high).unwrap_or(0) << 4 | hex(*low).unwrap_or(0));
                rest = tail;
            }
            _ => out.push(b'\\'),
        }
    }
    out.extend_from_slice(rest);
    out
}

/// The text that a name or string token stands for; borrowed where nothing is escaped.
pub(super) fn unescape(raw: &str) -> Cow<'_, str> {
    if memchr(b'\\', raw.as_bytes()).is_none() {
        return Cow::Borrowed(raw);
    }
    let text = String::from_utf8(unescape_bytes(raw));
    Cow::Owned(text.unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// Line and column of a byte offset, both from 1.
pub(super) fn line_and_column(text: &str, offset: usize) -> (u32, u32) {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = memrchr(b'\n', before.as_bytes()).map_or(0, |newline| newline + 1);
    let line = memchr::memchr_iter(b'\n', before.as_bytes()).count() + 1;
    let column = before[line_start..].chars().count() + 1;
    (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
}
