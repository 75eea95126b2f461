//! C text to tokens and macro definitions. Numbers and characters are kept only as something that stands there.

use std::iter::Peekable;
use std::str::Chars;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Token {
    Name(String),
    Text(String),
    /// `##`
    Paste,
    Punct(char),
    Number,
}

impl Token {
    pub fn is(&self, punct: char) -> bool {
        *self == Token::Punct(punct)
    }

    pub fn is_name(&self, name: &str) -> bool {
        matches!(self, Token::Name(own) if own == name)
    }
}

/// `#define name(params) body`; without `params`, it is not like a function.
#[derive(Clone, Debug)]
pub struct Define {
    pub name: String,
    pub params: Option<Vec<String>>,
    pub body: Vec<Token>,
}

#[derive(Debug)]
pub struct Source {
    pub defines: Vec<Define>,
    /// Everything but directives.
    pub tokens: Vec<Token>,
}

impl Source {
    pub fn read(text: &str) -> Self {
        let text = without_comments(&text.replace("\\\n", " "));
        let (directives, lines): (Vec<&str>, Vec<&str>) =
            text.lines().partition(|line| line.trim_start().starts_with('#'));
        let defines = directives.into_iter().filter_map(read_define).collect();
        Self { defines, tokens: tokenize(&lines.join("\n")) }
    }
}

fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['/', '"', '\'']) {
        let (before, from) = rest.split_at(at);
        kept.push_str(before);
        let len = if from.starts_with("//") {
            from.find('\n').unwrap_or(from.len())
        } else if from.starts_with("/*") {
            kept.push(' ');
            from.find("*/").map_or(from.len(), |end| end + 2)
        } else {
            let len = if from.starts_with('/') { 1 } else { quoted_len(from) };
            kept.push_str(&from[..len]);
            len
        };
        rest = &from[len..];
    }
    kept.push_str(rest);
    kept
}

/// The length of the literal that a text begins with, quotes included.
fn quoted_len(text: &str) -> usize {
    let quote = text.as_bytes()[0];
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        if !escaped && byte == quote {
            return at + 1;
        }
        escaped = !escaped && byte == b'\\';
    }
    text.len()
}

fn read_define(line: &str) -> Option<Define> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define")?.trim_start();
    let name_len = rest.find(|c: char| !is_name_char(c)).unwrap_or(rest.len());
    let (name, rest) = rest.split_at(name_len);
    let (params, body) = match rest.strip_prefix('(') {
        Some(rest) => {
            let (params, body) = rest.split_once(')')?;
            let params = params.split(',').map(|param| param.trim().to_owned()).filter(|param| !param.is_empty());
            (Some(params.collect()), body)
        }
        None => (None, rest),
    };
    Some(Define { name: name.to_owned(), params, body: tokenize(body) })
}

fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn tokenize(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(&c) = chars.peek() {
        match c {
            _ if c.is_whitespace() => {
                chars.next();
            }
            '0'..='9' => {
                take_while(&mut chars, |c| is_name_char(c) || c == '.');
                tokens.push(Token::Number);
            }
            _ if is_name_char(c) => tokens.push(Token::Name(take_while(&mut chars, is_name_char))),
            '"' => tokens.push(Token::Text(take_quoted(&mut chars))),
            '\'' => {
                take_quoted(&mut chars);
                tokens.push(Token::Number);
            }
            _ => {
                chars.next();
                let is_paste = c == '#' && chars.next_if_eq(&'#').is_some();
                tokens.push(if is_paste { Token::Paste } else { Token::Punct(c) });
            }
        }
    }
    tokens
}

fn take_while(chars: &mut Peekable<Chars<'_>>, keep: impl Fn(char) -> bool) -> String {
    std::iter::from_fn(|| chars.next_if(|&c| keep(c))).collect()
}

/// The content of a literal, escapes as they are written.
fn take_quoted(chars: &mut Peekable<Chars<'_>>) -> String {
    let quote = chars.next();
    let mut content = String::new();
    while let Some(c) = chars.next() {
        if Some(c) == quote {
            break;
        }
        content.push(c);
        if c == '\\' {
            content.extend(chars.next());
        }
    }
    content
}
