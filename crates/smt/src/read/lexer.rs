//! The reader: takes lines from its input until a command is complete.

use std::io::{self, BufRead};

use super::sexp::{Kind, Node, Tree};
use crate::error::{Error, Position, Problem};

/// What is read but not part of a command yet is thrown away when it has grown to this.
const KEPT_BYTES: usize = 1 << 16;

pub struct Reader<R> {
    input: R,
    tree: Tree,
    /// How far `tree.text` has been read.
    at: usize,
    /// How many lines came before `tree.text`.
    n_lines_before: usize,
}

/// Why there is no further command.
#[derive(Debug)]
pub enum ReadError {
    Io(io::Error),
    Script(Error),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        ReadError::Io(error)
    }
}

impl From<Error> for ReadError {
    fn from(error: Error) -> Self {
        ReadError::Script(error)
    }
}

pub(super) fn is_symbol_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(&byte)
}

impl<R: BufRead> Reader<R> {
    pub fn new(input: R) -> Self {
        Reader { input, tree: Tree::default(), at: 0, n_lines_before: 0 }
    }

    /// The next command, or `None` at the end.
    pub fn next_command(&mut self) -> Result<Option<&Tree>, ReadError> {
        self.drop_lines();
        self.tree.nodes.clear();
        let mut open: Vec<u32> = Vec::new();
        loop {
            let Some(byte) = self.skip_blank()? else {
                return match open.first() {
                    None => Ok(None),
                    Some(&outermost) => {
                        let at = self.tree.nodes[outermost as usize].start as usize;
                        Err(Error::new(at, Problem::Unclosed("parenthesis")).into())
                    }
                };
            };
            match byte {
                b'(' => {
                    open.push(self.tree.nodes.len() as u32);
                    self.push(Kind::List, self.at, self.at + 1)?;
                    self.at += 1;
                }
                b')' => {
                    let Some(list) = open.pop() else { return Err(Error::new(self.at, Problem::StrayClose).into()) };
                    self.at += 1;
                    let next = self.tree.nodes.len() as u32;
                    let node = &mut self.tree.nodes[list as usize];
                    (node.end, node.next) = (self.at as u32, next);
                }
                _ => self.atom(byte)?,
            }
            if open.is_empty() {
                return Ok(Some(&self.tree));
            }
        }
    }

    /// Where an offset into the current text is in the input.
    pub fn place(&self, offset: usize) -> Position {
        let text = &self.tree.text;
        let offset = offset.min(text.len());
        let line_start = text[..offset].rfind('\n').map_or(0, |newline| newline + 1);
        let line_text = text[line_start..].lines().next().unwrap_or_default();
        let n_lines = text[..line_start].bytes().filter(|&byte| byte == b'\n').count();
        Position {
            line: (self.n_lines_before + n_lines + 1) as u32,
            column: (offset - line_start + 1) as u32,
            line_text: line_text.to_owned(),
        }
    }

    /// Forgets the lines of earlier commands once there are many.
    fn drop_lines(&mut self) {
        if self.at < KEPT_BYTES.max(self.tree.text.len() / 2) {
            return;
        }
        let end = self.tree.text[..self.at].rfind('\n').map_or(0, |newline| newline + 1);
        self.n_lines_before += self.tree.text[..end].bytes().filter(|&byte| byte == b'\n').count();
        self.tree.text.drain(..end);
        self.at -= end;
    }

    /// Takes another line; false at the end of the input.
    fn fill(&mut self) -> io::Result<bool> {
        let mut line = Vec::new();
        self.input.read_until(b'\n', &mut line)?;
        self.tree.text.push_str(&String::from_utf8_lossy(&line));
        Ok(!line.is_empty())
    }

    fn push(&mut self, kind: Kind, start: usize, end: usize) -> Result<(), Error> {
        let Ok(end) = u32::try_from(end) else { return Err(Error::new(start, Problem::TooLong)) };
        let next = self.tree.nodes.len() as u32 + 1;
        self.tree.nodes.push(Node { kind, start: start as u32, end, next });
        Ok(())
    }

    /// Goes to the next byte that is neither blank nor comment.
    fn skip_blank(&mut self) -> io::Result<Option<u8>> {
        loop {
            let bytes = self.tree.text.as_bytes();
            match bytes.get(self.at).copied() {
                Some(b';') => self.at += bytes[self.at..].iter().take_while(|&&byte| byte != b'\n').count(),
                Some(byte) if byte.is_ascii_whitespace() => self.at += 1,
                Some(byte) => return Ok(Some(byte)),
                None if self.fill()? => {}
                None => return Ok(None),
            }
        }
    }

    fn atom(&mut self, first: u8) -> Result<(), ReadError> {
        match first {
            b'"' => return self.delimited(b'"', Kind::Text, "string"),
            b'|' => return self.delimited(b'|', Kind::QuotedSymbol, "quoted symbol"),
            _ => {}
        }
        let start = self.at;
        let rest = &self.tree.text[start..];
        let len = rest.bytes().take_while(|&byte| is_symbol_byte(byte) || b":#".contains(&byte)).count();
        let word = &rest[..len];
        let Some(kind) = kind_of_word(word) else {
            return Err(Error::new(start, Problem::NoWord(unreadable(rest, len))).into());
        };
        self.at += len;
        self.push(kind, start, start + len)?;
        Ok(())
    }

    /// A string or a quoted symbol, which may go on over lines; a doubled quote is a quote within a string.
    fn delimited(&mut self, delimiter: u8, kind: Kind, what: &'static str) -> Result<(), ReadError> {
        let start = self.at;
        let mut at = start + 1;
        loop {
            let bytes = self.tree.text.as_bytes();
            match bytes.get(at).copied() {
                Some(byte) if byte != delimiter => at += 1,
                Some(_) if kind == Kind::Text && bytes.get(at + 1) == Some(&delimiter) => at += 2,
                Some(_) => break,
                None if self.fill()? => {}
                None => return Err(Error::new(start, Problem::Unclosed(what)).into()),
            }
        }
        self.at = at + 1;
        self.push(kind, start, at + 1)?;
        Ok(())
    }
}

fn kind_of_word(word: &str) -> Option<Kind> {
    let all =
        |digits: &str, is_digit: fn(&u8) -> bool| !digits.is_empty() && digits.bytes().all(|byte| is_digit(&byte));
    let first = word.bytes().next()?;
    if let Some(digits) = word.strip_prefix("#x") {
        return all(digits, u8::is_ascii_hexdigit).then_some(Kind::Hexadecimal);
    }
    if let Some(digits) = word.strip_prefix("#b") {
        return all(digits, |byte| matches!(byte, b'0' | b'1')).then_some(Kind::Binary);
    }
    if let Some(name) = word.strip_prefix(':') {
        return all(name, |&byte| is_symbol_byte(byte)).then_some(Kind::Keyword);
    }
    if first.is_ascii_digit() {
        return match word.split_once('.') {
            None => all(word, u8::is_ascii_digit).then_some(Kind::Numeral),
            Some((whole, fraction)) => {
                (all(whole, u8::is_ascii_digit) && all(fraction, u8::is_ascii_digit)).then_some(Kind::Decimal)
            }
        };
    }
    word.bytes().all(is_symbol_byte).then_some(Kind::Symbol)
}

/// What to show of a text that is no word.
fn unreadable(rest: &str, len: usize) -> String {
    let word = match len {
        0 => rest.chars().take(1).collect(),
        _ => rest[..len].to_owned(),
    };
    word.escape_debug().to_string()
}

#[cfg(test)]
mod tests {
    use super::super::sexp::Sexp;
    use super::*;

    fn lines(text: &str) -> Result<Vec<String>, ReadError> {
        let mut reader = Reader::new(text.as_bytes());
        let mut lines = Vec::new();
        while let Some(tree) = reader.next_command()? {
            lines.push(tree.root().to_line());
        }
        Ok(lines)
    }

    #[track_caller]
    fn refused(text: &str, line: u32, column: u32, message: &str) {
        let mut reader = Reader::new(text.as_bytes());
        loop {
            match reader.next_command() {
                Ok(Some(_)) => {}
                Ok(None) => panic!("`{text}` was accepted"),
                Err(ReadError::Io(error)) => panic!("{error}"),
                Err(ReadError::Script(error)) => {
                    let place = reader.place(error.offset);
                    assert_eq!((place.line, place.column, &*error.problem.to_string()), (line, column, message));
                    return;
                }
            }
        }
    }

    #[test]
    fn commands_are_separated_by_parentheses_alone() {
        assert_eq!(lines("(a)(b ( c\n d);)\n) ; e\n(f\t)").unwrap(), ["(a)", "(b (c d))", "(f)"]);
        assert_eq!(lines("").unwrap(), [""; 0]);
        assert_eq!(lines("; only this").unwrap(), [""; 0]);
    }

    #[test]
    fn strings_and_quoted_symbols_hold_anything() {
        assert_eq!(lines("(echo \"a ; \"\" )\nb\")").unwrap(), ["(echo \"a ; \"\" )\nb\")"]);
        let mut reader = Reader::new("(|a (\nb| c)".as_bytes());
        let first = reader.next_command().unwrap().unwrap().root().children().next().unwrap();
        assert_eq!(first.symbol(), Some("a (\nb"));
    }

    #[test]
    fn atoms_have_kinds() {
        let mut reader = Reader::new("(x 12 1.50 #xfF #b01 :key |q| \"s\" +oo bv3 #f)".as_bytes());
        assert!(reader.next_command().is_err());
        let mut reader = Reader::new("(x 12 1.50 #xfF #b01 :key |q| \"s\" +oo bv3)".as_bytes());
        let kinds: Vec<Kind> = reader.next_command().unwrap().unwrap().root().children().map(Sexp::kind).collect();
        use Kind::*;
        assert_eq!(kinds, [Symbol, Numeral, Decimal, Hexadecimal, Binary, Keyword, QuotedSymbol, Text, Symbol, Symbol]);
    }

    #[test]
    fn errors_are_placed_where_they_begin() {
        refused("(a)\n  )", 2, 3, "`)` without `(`");
        refused("(a\n (b c)\n", 1, 1, "this parenthesis is never closed");
        refused("(a)\n(b\n  \"c\n", 3, 3, "this string is never closed");
        refused("(a |b\n", 1, 4, "this quoted symbol is never closed");
        refused("(a [b])", 1, 4, "`[` cannot stand here");
        refused("(a 12b)", 1, 4, "`12b` cannot stand here");
        refused("(a \0)", 1, 4, "`\\0` cannot stand here");
        refused("\u{feff}(a)", 1, 1, "`\\u{feff}` cannot stand here");
        refused("(a #xg)", 1, 4, "`#xg` cannot stand here");
    }

    #[test]
    fn places_survive_the_dropping_of_lines() {
        let mut text = String::new();
        for _ in 0..20_000 {
            text.push_str("(assert true)\n");
        }
        text.push_str("(assert\n  ])");
        refused(&text, 20_002, 3, "`]` cannot stand here");
    }

    #[test]
    fn nesting_has_no_limit() {
        let depth = 1_000_000;
        let text = "(".repeat(depth) + &")".repeat(depth);
        assert_eq!(lines(&text).unwrap(), [text]);
    }
}
