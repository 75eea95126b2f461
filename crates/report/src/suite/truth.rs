//! Whether a condition was true in the source, given which way a branch went.
//!
//! Unoptimised code tests what the source tests, except that `!` before it may be missing: the branch goes the other way
//! instead. Debug info says where the tested expression stands, the text what stands before it. Where the text is a macro's,
//! or an optimiser was at work, nobody knows.

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

/// How the condition of the source is to that of a branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(from = "u8", into = "u8")]
pub enum Truth {
    #[default]
    Same,
    Opposite,
    Unknown,
}

impl From<u8> for Truth {
    fn from(number: u8) -> Self {
        match number {
            0 => Self::Same,
            1 => Self::Opposite,
            _ => Self::Unknown,
        }
    }
}

impl From<Truth> for u8 {
    fn from(truth: Truth) -> Self {
        match truth {
            Truth::Same => 0,
            Truth::Opposite => 1,
            Truth::Unknown => 2,
        }
    }
}

impl Truth {
    pub fn opposite(self) -> Self {
        match self {
            Self::Same => Self::Opposite,
            Self::Opposite => Self::Same,
            Self::Unknown => Self::Unknown,
        }
    }

    /// Whether the condition of the source holds, if that of the branch does or not.
    pub fn of(self, holds: bool) -> Option<bool> {
        match self {
            Self::Same => Some(holds),
            Self::Opposite => Some(!holds),
            Self::Unknown => None,
        }
    }
}

/// A source file, without what is in its comments, strings and characters.
#[derive(Clone, Debug)]
pub struct Code {
    text: Vec<u8>,
    /// Where each line begins.
    lines: Vec<usize>,
    /// Macros that are defined here.
    macros: FxHashSet<Box<[u8]>>,
}

impl Code {
    pub fn new(text: &str) -> Self {
        let mut code = text.as_bytes().to_vec();
        let mut at = 0;
        while at < code.len() {
            let (opening, closing): (usize, &[u8]) = match &code[at..] {
                [b'/', b'/', ..] => (2, b"\n"),
                [b'/', b'*', ..] => (2, b"*/"),
                [b'"', ..] => (1, b"\""),
                [b'\'', ..] => (1, b"'"),
                _ => {
                    at += 1;
                    continue;
                }
            };
            let is_text = opening == 1;
            let mut end = at + opening;
            while end < code.len() && !code[end..].starts_with(closing) {
                end += if is_text && code[end] == b'\\' { 2 } else { 1 };
            }
            let end = end.min(code.len());
            let (from, end) = if is_text { (at + 1, end) } else { (at, (end + closing.len()).min(code.len())) };
            code[from..end].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
            at = end + usize::from(is_text);
        }
        let ends = code.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(ends).collect();
        let macros = code.split(|&byte| byte == b'\n').filter_map(defined).map(Box::from).collect();
        Self { text: code, lines, macros }
    }

    /// What the text says of an expression that is tested: whether it is negated. `callee` if what is tested was returned by
    /// that function.
    pub fn truth(&self, line: u32, column: u32, callee: Option<&str>) -> Truth {
        let at = self.offset(line, column);
        at.and_then(|at| self.negations(at, callee))
            .map_or(Truth::Unknown, |n| if n % 2 == 0 { Truth::Same } else { Truth::Opposite })
    }

    fn offset(&self, line: u32, column: u32) -> Option<usize> {
        let line = line.checked_sub(1)? as usize;
        let at = self.lines.get(line)? + column.checked_sub(1)? as usize;
        let end = self.lines.get(line + 1).map_or(self.text.len(), |next| next - 1);
        (at < end).then_some(at)
    }

    /// Whether a name could be a macro's: it takes arguments, is in capitals, or is defined here.
    fn is_macro(&self, at: usize) -> bool {
        let name = name_at(&self.text, at);
        let behind = &self.text[at + name.len()..];
        let takes_arguments = behind.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'(');
        takes_arguments || !name.iter().any(u8::is_ascii_lowercase) || self.macros.contains(name)
    }

    fn negations(&self, at: usize, callee: Option<&str>) -> Option<usize> {
        let text = &self.text;
        let here = text[at];
        let is_name = here.is_ascii_alphabetic() || here == b'_';
        if is_name && callee.map(str::as_bytes) != Some(name_at(text, at)) && self.is_macro(at) {
            return None;
        }
        let before = before(text, at);
        let is_operand = is_name || matches!(here, b'(' | b'"' | b'\'' | b'~') || here.is_ascii_digit();
        let is_unary = matches!(here, b'*' | b'-' | b'&' | b'+') && before.is_none_or(|at| is_opening(text, at));
        if is_operand || is_unary {
            return Some(count(text, start_of_operand(text, at)));
        }
        // An operator: a `!` before its left operand is the operand's alone, one before parentheses around it counts.
        if !matches!(here, b'<' | b'>' | b'=' | b'!' | b'*' | b'-' | b'&' | b'+' | b'|' | b'^' | b'/' | b'%') {
            return None;
        }
        let open = enclosing(text, at)?;
        Some(if is_all_of(text, at) { count_outside(text, open) } else { 0 })
    }
}

/// The macro that a line defines.
fn defined(line: &[u8]) -> Option<&[u8]> {
    let mut words = line.split(|&byte| !is_word(byte)).filter(|word| !word.is_empty());
    (line.trim_ascii_start().starts_with(b"#") && words.next() == Some(b"define")).then(|| words.next())?
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The last byte before `at` that is no space.
fn before(text: &[u8], at: usize) -> Option<usize> {
    text[..at].iter().rposition(|byte| !byte.is_ascii_whitespace())
}

fn name_at(text: &[u8], at: usize) -> &[u8] {
    let len = text[at..].iter().position(|&byte| !is_word(byte)).unwrap_or(text.len() - at);
    &text[at..at + len]
}

/// Whether what follows here is an operand and not an operator.
fn is_opening(text: &[u8], at: usize) -> bool {
    matches!(text[at], b'(' | b'!' | b'&' | b'|' | b',' | b'=' | b'?' | b':' | b';' | b'{' | b'<' | b'>' | b'+' | b'-')
}

/// Where the operand begins that a name, a call or a member is the end of: over `a->b`, `a.b`, `a[i].b`, `f(x)->b`.
fn start_of_operand(text: &[u8], at: usize) -> usize {
    let mut start = at;
    loop {
        let Some(mut last) = before(text, start) else { return start };
        match text[last] {
            b'.' => {}
            b'>' if last > 0 && text[last - 1] == b'-' => last -= 1,
            _ => return start,
        }
        let Some(mut end) = before(text, last) else { return start };
        while matches!(text[end], b']' | b')') {
            let Some(open) = enclosing(text, end) else { return start };
            match before(text, open) {
                Some(next) if is_word(text[next]) || matches!(text[next], b']' | b')') => end = next,
                _ => {
                    end = open;
                    break;
                }
            }
        }
        start = match is_word(text[end]) {
            true => end - text[..end].iter().rev().take_while(|&&byte| is_word(byte)).count(),
            false => end,
        };
    }
}

/// The bracket that is open before `at`.
fn enclosing(text: &[u8], at: usize) -> Option<usize> {
    let mut depth = 0;
    for idx in (0..at).rev() {
        match text[idx] {
            b')' | b']' => depth += 1,
            b'(' | b'[' if depth == 0 => return Some(idx),
            b'(' | b'[' => depth -= 1,
            b';' | b'{' | b'}' => return None,
            _ => {}
        }
    }
    None
}

/// Whether the parentheses around an operator have nothing else in them that conditions are made of.
fn is_all_of(text: &[u8], at: usize) -> bool {
    let Some(open) = enclosing(text, at) else { return false };
    let mut depth = 0;
    for (idx, &byte) in text.iter().enumerate().skip(open + 1) {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' if depth == 0 => return true,
            b')' | b']' => depth -= 1,
            b'?' | b',' | b';' if depth == 0 => return false,
            b'&' | b'|' if depth == 0 && text.get(idx + 1) == Some(&byte) => return false,
            _ => {}
        }
    }
    false
}

/// How many `!` stand before an operand that begins at `start`, through parentheses that have nothing else in them.
fn count(text: &[u8], start: usize) -> usize {
    match before(text, start) {
        Some(at) if text[at] == b'!' => 1 + count(text, at),
        Some(at) if text[at] == b'(' && is_all_of(text, start) => count_outside(text, at),
        _ => 0,
    }
}

/// The same for parentheses, which are those of a call or of a statement if a name stands before them.
fn count_outside(text: &[u8], open: usize) -> usize {
    match before(text, open) {
        Some(at) if is_word(text[at]) => 0,
        _ => count(text, open),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The column is that of `^` in the second line.
    fn truth(text: &str, marker: &str) -> Truth {
        let column = marker.find('^').expect("the place is marked") as u32 + 1;
        Code::new(text).truth(1, column, Some("call"))
    }

    #[test]
    fn negations_before_the_operand_count() {
        assert_eq!(truth("if (p)", "    ^"), Truth::Same);
        assert_eq!(truth("if (!p)", "     ^"), Truth::Opposite);
        assert_eq!(truth("if (!!p)", "      ^"), Truth::Same);
        assert_eq!(truth("if (! (p))", "       ^"), Truth::Opposite);
        assert_eq!(truth("if (!*p)", "     ^"), Truth::Opposite);
        assert_eq!(truth("if (!p->next)", "        ^"), Truth::Opposite);
        assert_eq!(truth("if (!a[i].b)", "          ^"), Truth::Opposite);
        assert_eq!(truth("if (!call(x))", "     ^"), Truth::Opposite);
        assert_eq!(truth("if (a == 3 || !b)", "               ^"), Truth::Opposite);
        assert_eq!(truth("if (!a && b)", "          ^"), Truth::Same);
    }

    #[test]
    fn negations_of_a_part_or_of_more_do_not() {
        assert_eq!(truth("if (!(a && b))", "      ^"), Truth::Same);
        assert_eq!(truth("if (!(a && b))", "           ^"), Truth::Same);
        assert_eq!(truth("if (!a == b)", "       ^"), Truth::Same);
        assert_eq!(truth("if (!(a > 10))", "        ^"), Truth::Opposite);
        assert_eq!(truth("if (!(a > 10) == b)", "              ^"), Truth::Same);
        assert_eq!(truth("if (a != b)", "      ^"), Truth::Same);
        assert_eq!(truth("if (!((a) > f(b)))", "          ^"), Truth::Opposite);
        assert_eq!(truth("if (!(a == '(' /* && */))", "        ^"), Truth::Opposite);
    }

    #[test]
    fn nobody_knows_what_a_macro_hides() {
        assert_eq!(truth("if (!IS_DIGIT(c))", "     ^"), Truth::Unknown);
        assert_eq!(truth("if (!empty(c))", "     ^"), Truth::Unknown);
        assert_eq!(truth("if (!DEBUG)", "     ^"), Truth::Unknown);
        assert_eq!(truth("if (done)\n# define done !busy", "    ^"), Truth::Unknown);
        assert_eq!(truth("if (!p)", "       ^"), Truth::Unknown);
    }
}
