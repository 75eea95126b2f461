//! Patterns of lex and flex.

use super::{Result, Scanner};
use regex_syntax::hir::{Class, ClassBytes, ClassBytesRange, Hir, Repetition};

/// What names in braces stand for, by name.
pub(super) type Definitions = Vec<(String, Hir)>;

/// What a pattern matches, and what must follow.
pub(super) struct Pattern {
    pub hir: Hir,
    /// It matches only where this follows.
    pub trailing: Option<Hir>,
    /// It matches only at the start of a line.
    pub is_anchored: bool,
}

/// The pattern that stands here, up to white space.
pub(super) fn pattern(scanner: &mut Scanner<'_>, definitions: &Definitions) -> Result<Pattern> {
    let is_anchored = scanner.eat("^");
    let mut parser = Parser { scanner, definitions, is_folded: false };
    let hir = parser.alternation()?;
    let mut trailing = None;
    if parser.scanner.eat("/") {
        trailing = Some(parser.alternation()?);
    } else if parser.scanner.eat("$") {
        trailing = Some(Hir::literal(*b"\n"));
    }
    Ok(Pattern { hir, trailing, is_anchored })
}

/// A definition: the same, up to the end of the line.
pub(super) fn definition(scanner: &mut Scanner<'_>, definitions: &Definitions) -> Result<Hir> {
    scanner.eat("^");
    Parser { scanner, definitions, is_folded: false }.alternation()
}

struct Parser<'p, 's> {
    scanner: &'p mut Scanner<'s>,
    definitions: &'p Definitions,
    /// Whether case does not matter.
    is_folded: bool,
}

impl Parser<'_, '_> {
    fn alternation(&mut self) -> Result<Hir> {
        let mut parts = vec![self.concatenation()?];
        while self.scanner.eat("|") {
            parts.push(self.concatenation()?);
        }
        Ok(Hir::alternation(parts))
    }

    fn concatenation(&mut self) -> Result<Hir> {
        let mut parts = Vec::new();
        while let Some(c) = self.scanner.peek() {
            let is_last_dollar = c == '$' && self.scanner.rest()[1..].starts_with(|c: char| c.is_whitespace());
            if c.is_whitespace() || matches!(c, '|' | ')' | '/') || is_last_dollar {
                break;
            }
            let atom = self.atom()?;
            parts.push(self.repeated(atom)?);
        }
        Ok(Hir::concat(parts))
    }

    fn repeated(&mut self, mut hir: Hir) -> Result<Hir> {
        loop {
            let from = self.scanner.at;
            let (min, max) = match self.scanner.peek() {
                Some('*') => (0, None),
                Some('+') => (1, None),
                Some('?') => (0, Some(1)),
                Some('{') if self.scanner.rest()[1..].starts_with(|c: char| c.is_ascii_digit()) => {
                    self.scanner.bump();
                    let number = |scanner: &mut Scanner<'_>| scanner.take_while(|c| c.is_ascii_digit()).parse().ok();
                    let min = number(self.scanner).unwrap_or(0);
                    let max = if self.scanner.eat(",") { number(self.scanner) } else { Some(min) };
                    if !self.scanner.rest().starts_with('}') {
                        return Err(self.scanner.error(from, "expected `}` behind a number of repetitions"));
                    }
                    (min, max)
                }
                _ => return Ok(hir),
            };
            self.scanner.bump();
            hir = Hir::repetition(Repetition { min, max, greedy: true, sub: Box::new(hir) });
        }
    }

    fn atom(&mut self) -> Result<Hir> {
        let from = self.scanner.at;
        match self.scanner.peek() {
            Some('"') => {
                let bytes = self.scanner.quoted()?;
                Ok(Hir::concat(bytes.into_iter().map(|byte| self.byte(byte)).collect()))
            }
            Some('[') => {
                let mut class = self.class()?;
                loop {
                    let is_minus = self.scanner.eat("{-}");
                    if !is_minus && !self.scanner.eat("{+}") {
                        break;
                    }
                    let other = self.class()?;
                    if is_minus { class.difference(&other) } else { class.union(&other) }
                }
                Ok(Hir::class(Class::Bytes(class)))
            }
            Some('(') => {
                self.scanner.bump();
                let before = self.is_folded;
                if self.scanner.eat("?") {
                    let flags = self.scanner.take_while(|c| c != ':' && c != ')');
                    let (on, off) = flags.split_once('-').unwrap_or((flags, ""));
                    self.is_folded = (self.is_folded || on.contains('i')) && !off.contains('i');
                    self.scanner.eat(":");
                }
                let inner = self.alternation()?;
                self.is_folded = before;
                if !self.scanner.eat(")") {
                    return Err(self.scanner.source.error(from..from + 1, "this parenthesis is never closed"));
                }
                Ok(inner)
            }
            Some('{') => {
                self.scanner.bump();
                let name = self.scanner.take_while(|c| c != '}' && c != '\n');
                self.scanner.bump();
                let known = self.definitions.iter().rev().find(|definition| definition.0 == name);
                let unknown = || self.scanner.error(from, format!("no definition of `{name}` comes before this"));
                known.map(|definition| definition.1.clone()).ok_or_else(unknown)
            }
            Some('.') => {
                self.scanner.bump();
                let mut class = ClassBytes::new([ClassBytesRange::new(b'\n', b'\n')]);
                class.negate();
                Ok(Hir::class(Class::Bytes(class)))
            }
            Some('\\') => {
                self.scanner.bump();
                let byte = self.scanner.escape();
                Ok(self.byte(byte))
            }
            Some(c @ ('*' | '+' | '?')) => {
                self.scanner.bump();
                Err(self.scanner.error(from, format!("nothing before `{c}` to repeat")))
            }
            Some(c) => {
                self.scanner.bump();
                let bytes = c.encode_utf8(&mut [0; 4]).bytes().map(|byte| self.byte(byte)).collect();
                Ok(Hir::concat(bytes))
            }
            None => Err(self.scanner.error(from, "the pattern ends too soon")),
        }
    }

    fn byte(&self, byte: u8) -> Hir {
        let mut class = ClassBytes::new([ClassBytesRange::new(byte, byte)]);
        if self.is_folded {
            class.case_fold_simple();
        }
        Hir::class(Class::Bytes(class))
    }

    fn class(&mut self) -> Result<ClassBytes> {
        let from = self.scanner.at;
        let no_end = |scanner: &Scanner<'_>| scanner.source.error(from..from + 1, "this `[` has no `]`");
        self.scanner.bump();
        let is_negated = self.scanner.eat("^");
        let mut class = ClassBytes::empty();
        let mut is_first = true;
        loop {
            if self.scanner.rest().starts_with("[:") {
                let name_at = self.scanner.at;
                self.scanner.at += 2;
                let name = self.scanner.take_while(|c| c.is_alphabetic() || c == '^');
                if !self.scanner.eat(":]") {
                    return Err(self.scanner.error(name_at, "expected `:]`"));
                }
                class.union(&named(name).ok_or_else(|| self.scanner.error(name_at, "unknown character class"))?);
                is_first = false;
                continue;
            }
            let start = match self.scanner.bump() {
                None | Some('\n') => return Err(no_end(self.scanner)),
                Some(']') if !is_first => break,
                Some('\\') => self.scanner.escape(),
                Some(c) if c.is_ascii() => c as u8,
                // Bytes of a character outside of ASCII, as flex reads them.
                Some(c) => {
                    let mut bytes = [0; 4];
                    let bytes = c.encode_utf8(&mut bytes).bytes();
                    bytes.for_each(|byte| class.push(ClassBytesRange::new(byte, byte)));
                    continue;
                }
            };
            is_first = false;
            let mut end = start;
            let rest = self.scanner.rest();
            if rest.starts_with('-') && !rest[1..].starts_with(']') {
                self.scanner.bump();
                end = match self.scanner.bump() {
                    Some('\\') => self.scanner.escape(),
                    Some(c) if c.is_ascii() => c as u8,
                    Some(_) => 0xff,
                    None => return Err(no_end(self.scanner)),
                };
            }
            if end < start {
                return Err(self.scanner.error(from, "a range in this class ends before it begins"));
            }
            class.push(ClassBytesRange::new(start, end));
        }
        if self.is_folded {
            class.case_fold_simple();
        }
        if is_negated {
            class.negate();
        }
        Ok(class)
    }
}

/// Classes of C's `<ctype.h>`.
fn named(name: &str) -> Option<ClassBytes> {
    let (name, is_negated) = name.strip_prefix('^').map_or((name, false), |name| (name, true));
    let is_in: fn(&u8) -> bool = match name {
        "alpha" => u8::is_ascii_alphabetic,
        "digit" => u8::is_ascii_digit,
        "alnum" => u8::is_ascii_alphanumeric,
        "upper" => u8::is_ascii_uppercase,
        "lower" => u8::is_ascii_lowercase,
        "space" => |byte| byte.is_ascii_whitespace() || *byte == 11,
        "blank" => |byte| matches!(byte, b' ' | b'\t'),
        "punct" => u8::is_ascii_punctuation,
        "print" => |byte| byte.is_ascii_graphic() || *byte == b' ',
        "graph" => u8::is_ascii_graphic,
        "cntrl" => u8::is_ascii_control,
        "xdigit" => u8::is_ascii_hexdigit,
        _ => return None,
    };
    let ranges = (0..=255).filter(|byte| is_in(byte) != is_negated).map(|byte| ClassBytesRange::new(byte, byte));
    Some(ClassBytes::new(ranges))
}
