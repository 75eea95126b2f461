//! Expansion of macros outside braces, where they can define functions. What stands inside bodies defines nothing.

use super::tokens::{Define, Token};
use std::collections::HashMap;

/// Macros by their names.
#[derive(Debug, Default)]
pub struct Defines(HashMap<String, Define>);

impl Defines {
    pub fn new(defines: impl IntoIterator<Item = Define>) -> Self {
        Self(defines.into_iter().map(|define| (define.name.clone(), define)).collect())
    }
}

/// The macros of a file: its own, and those that the headers define.
#[derive(Debug)]
pub struct Macros<'a> {
    headers: &'a Defines,
    own: Defines,
}

impl<'a> Macros<'a> {
    pub fn new(headers: &'a Defines, own: Vec<Define>) -> Self {
        Self { headers, own: Defines::new(own) }
    }

    fn get(&self, name: &str) -> Option<&Define> {
        self.own.0.get(name).or_else(|| self.headers.0.get(name))
    }

    /// The tokens with all macros outside braces replaced. Macros of the library don't refer to themselves.
    pub fn expand_top_level(&self, tokens: Vec<Token>) -> Vec<Token> {
        let mut expanded = Vec::with_capacity(tokens.len());
        let mut depth = 0usize;
        // The next token is the last one.
        let mut pending: Vec<Token> = tokens.into_iter().rev().collect();
        while let Some(token) = pending.pop() {
            match &token {
                Token::Punct('{') => depth += 1,
                Token::Punct('}') => depth = depth.saturating_sub(1),
                Token::Name(name) if depth == 0 => {
                    if let Some(replacement) = self.get(name).and_then(|define| replace(define, &mut pending)) {
                        pending.extend(replacement.into_iter().rev());
                        continue;
                    }
                }
                _ => {}
            }
            expanded.push(token);
        }
        expanded
    }
}

/// What a use of the macro becomes, its arguments taken from `pending`; nothing if it has none where it needs them.
fn replace(define: &Define, pending: &mut Vec<Token>) -> Option<Vec<Token>> {
    let Some(params) = &define.params else { return Some(define.body.clone()) };
    if !pending.last().is_some_and(|token| token.is('(')) {
        return None;
    }
    let args = take_arguments(pending);
    let mut body = Vec::new();
    let mut quoted = false;
    for token in &define.body {
        let arg = match token {
            Token::Name(name) => params.iter().position(|param| param == name).and_then(|idx| args.get(idx)),
            _ => None,
        };
        match arg {
            Some(arg) if quoted => body.push(Token::Text(spell(arg))),
            // Something must stand there for `##` to join.
            Some(arg) if arg.is_empty() => body.push(Token::Name(String::new())),
            Some(arg) => body.extend(arg.iter().cloned()),
            None if token.is('#') => {}
            None => body.push(token.clone()),
        }
        quoted = token.is('#');
    }
    Some(paste(body))
}

/// The arguments between the parentheses that come next.
fn take_arguments(pending: &mut Vec<Token>) -> Vec<Vec<Token>> {
    let mut args = vec![Vec::new()];
    let mut depth = 0usize;
    while let Some(token) = pending.pop() {
        match token {
            Token::Punct('(' | '{') => depth += 1,
            Token::Punct(')' | '}') => depth -= 1,
            _ => {}
        }
        match token {
            Token::Punct(')') if depth == 0 => break,
            Token::Punct('(') if depth == 1 && args.len() == 1 && args[0].is_empty() => {}
            Token::Punct(',') if depth == 1 => args.push(Vec::new()),
            token => args.last_mut().expect("never empty").push(token),
        }
    }
    args
}

/// An argument as `#` spells it; only names and texts are ever asked for.
fn spell(arg: &[Token]) -> String {
    let word = |token: &Token| match token {
        Token::Name(text) | Token::Text(text) => text.clone(),
        Token::Punct(c) => c.to_string(),
        Token::Paste | Token::Number => String::new(),
    };
    arg.iter().map(word).collect()
}

/// Joins what stands on both sides of each `##`.
fn paste(tokens: Vec<Token>) -> Vec<Token> {
    let mut joined: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut tokens = tokens.into_iter();
    while let Some(token) = tokens.next() {
        match (token, joined.last_mut()) {
            (Token::Paste, Some(Token::Name(left))) => {
                if let Some(Token::Name(right)) = tokens.next() {
                    left.push_str(&right);
                }
            }
            (token, _) => joined.push(token),
        }
    }
    joined.retain(|token| !token.is_name(""));
    joined
}
