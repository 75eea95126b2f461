//! Text to tokens. Words are words: which of them are keywords depends on where they stand, since a C parameter may be called `in`.

use crate::diagnostic::Span;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    Word(String),
    Number(u32),
    /// `->` is `.`.
    Dot,
    Scope,
    Sign(char),
    /// A line's end, or `;`.
    End,
    /// The end of the source.
    Eof,
}

/// The tokens of one source, the last of which is `Eof`. Fails at a character that begins no token.
pub(crate) fn tokens(source: u32, text: &str) -> Result<Vec<(Token, Span)>, (Span, String)> {
    let mut found = Vec::new();
    let mut at = 0;
    let span = |start: usize, end: usize| Span { source, start: start as u32, end: end as u32 };
    while let Some(c) = text[at..].chars().next() {
        let start = at;
        let rest = &text[at..];
        let len_while = |f: fn(char) -> bool| rest.find(|c| !f(c)).unwrap_or(rest.len());
        let token = match c {
            '\n' | ';' => {
                at += 1;
                Token::End
            }
            '#' => {
                at += len_while(|c| c != '\n');
                continue;
            }
            '/' if rest.starts_with("//") => {
                at += len_while(|c| c != '\n');
                continue;
            }
            '/' if rest.starts_with("/*") => match rest[2..].find("*/") {
                Some(len) => {
                    at += len + 4;
                    continue;
                }
                None => return Err((span(start, start + 2), "this comment has no end".into())),
            },
            '-' if rest.starts_with("->") => {
                at += 2;
                Token::Dot
            }
            ':' if rest.starts_with("::") => {
                at += 2;
                Token::Scope
            }
            '.' => {
                at += 1;
                Token::Dot
            }
            '(' | ')' | '[' | ']' | '{' | '}' | '|' | '*' | '+' | '?' | ',' => {
                at += 1;
                Token::Sign(c)
            }
            '0'..='9' => {
                at += len_while(|c| c.is_ascii_digit());
                match text[start..at].parse() {
                    Ok(n) => Token::Number(n),
                    Err(_) => return Err((span(start, at), "this number is too large".into())),
                }
            }
            c if c.is_whitespace() => {
                at += c.len_utf8();
                continue;
            }
            c if c.is_alphabetic() || c == '_' || c == '$' => {
                at += len_while(|c| c.is_alphanumeric() || c == '_' || c == '$');
                Token::Word(text[start..at].into())
            }
            _ => return Err((span(start, start + c.len_utf8()), format!("unexpected `{c}`"))),
        };
        found.push((token, span(start, at)));
    }
    found.push((Token::Eof, span(text.len(), text.len())));
    Ok(found)
}
