//! Declarations outside functions, and the symbols that they define for other files.
//!
//! This reads the C that the library is written in, not all of C: types come first, one function at a time, and names
//! may be given by `__asm__` labels and `alias` attributes.

use super::tokens::Token;
use std::collections::HashMap;

/// A declaration: its tokens outside braces, labels and attributes.
#[derive(Debug, Default)]
struct Item {
    head: Vec<Token>,
    label: Option<String>,
    is_alias: bool,
    has_body: bool,
}

pub fn definitions(tokens: Vec<Token>) -> Vec<String> {
    let mut labels: HashMap<String, String> = HashMap::new();
    let mut symbols = Vec::new();
    for item in split(tokens) {
        let declared = item.names();
        if let (Some(label), [name]) = (&item.label, &declared[..]) {
            labels.insert(name.clone(), label.clone());
        }
        if item.defines() {
            symbols.extend(declared.into_iter().map(|name| labels.get(&name).cloned().unwrap_or(name)));
        }
    }
    symbols
}

/// Cuts the tokens into declarations.
fn split(tokens: Vec<Token>) -> Vec<Item> {
    let mut items = Vec::new();
    let mut item = Item::default();
    let mut tokens = tokens.into_iter();
    while let Some(token) = tokens.next() {
        match token {
            Token::Punct(';') => items.push(std::mem::take(&mut item)),
            Token::Punct('{') => {
                skip_group(&mut tokens, '{', '}');
                item.has_body = item.head.last().is_some_and(|last| last.is(')')) && !item.has_initialiser();
                if item.has_body {
                    items.push(std::mem::take(&mut item));
                } else {
                    item.head.push(token);
                }
            }
            Token::Name(name) if name == "__asm__" => {
                let group = take_group(&mut tokens);
                item.label =
                    Some(group.iter().map(|token| if let Token::Text(text) = token { text } else { "" }).collect());
            }
            Token::Name(name) if name == "__attribute__" => {
                item.is_alias |= take_group(&mut tokens).iter().any(|token| token.is_name("alias"));
            }
            Token::Name(name) if name == "__typeof__" => {
                take_group(&mut tokens);
            }
            token => item.head.push(token),
        }
    }
    items
}

/// The tokens of the parentheses that come next.
fn take_group(tokens: &mut impl Iterator<Item = Token>) -> Vec<Token> {
    tokens.next();
    skip_group(tokens, '(', ')')
}

/// Passes over the rest of a group that is open.
fn skip_group(tokens: &mut impl Iterator<Item = Token>, open: char, close: char) -> Vec<Token> {
    let mut depth = 1;
    let mut group = Vec::new();
    for token in tokens {
        depth += i32::from(token.is(open)) - i32::from(token.is(close));
        if depth == 0 {
            break;
        }
        group.push(token);
    }
    group
}

impl Item {
    fn has(&self, keyword: &str) -> bool {
        self.head.iter().any(|token| token.is_name(keyword))
    }

    fn has_initialiser(&self) -> bool {
        self.head.iter().any(|token| token.is('='))
    }

    /// Whether other files see a definition here.
    fn defines(&self) -> bool {
        if self.has("static") || self.has("typedef") {
            return false;
        }
        self.is_alias || self.has_body || !self.has("extern") && !self.is_function()
    }

    /// A function has its parameters right after its name; a pointer to one has parentheses around its name alone.
    fn is_function(&self) -> bool {
        let declarator = self.head.split(|token| token.is('=')).next().unwrap_or_default();
        let Some(open) = declarator.iter().position(|token| token.is('(')) else { return false };
        let follows = |distance: usize, punct| declarator.get(open + distance).is_some_and(|token| token.is(punct));
        !follows(1, '*') || follows(3, '(')
    }

    /// The names that are declared.
    fn names(&self) -> Vec<String> {
        let head = without_tags(&self.head);
        if let Some(open) = head.iter().position(|token| token.is('(')) {
            let is_pointer = head.get(open + 1).is_some_and(|token| token.is('*'));
            let name = if is_pointer { head.get(open + 2) } else { open.checked_sub(1).and_then(|at| head.get(at)) };
            return name.and_then(name_of).into_iter().collect();
        }
        head.split(|token| token.is(',')).filter_map(declared_name).collect()
    }
}

/// With something that is no name instead of each struct, union or enum type.
fn without_tags(head: &[Token]) -> Vec<Token> {
    let mut kept = Vec::with_capacity(head.len());
    let mut tokens = head.iter().peekable();
    while let Some(token) = tokens.next() {
        if ["struct", "union", "enum"].iter().any(|keyword| token.is_name(keyword)) {
            tokens.next_if(|token| name_of(token).is_some());
            tokens.next_if(|token| token.is('{'));
            kept.push(Token::Number);
        } else {
            kept.push(token.clone());
        }
    }
    kept
}

fn name_of(token: &Token) -> Option<String> {
    match token {
        Token::Name(name) => Some(name.clone()),
        _ => None,
    }
}

/// The last name before an initialiser or array bounds.
fn declared_name(declarator: &[Token]) -> Option<String> {
    let end = declarator.iter().position(|token| token.is('=') || token.is('[')).unwrap_or(declarator.len());
    declarator[..end].iter().rev().find_map(name_of)
}
