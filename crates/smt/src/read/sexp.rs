//! S-expressions: a flat tree in the order of the text, and handles into it.

use std::fmt::Write;

use crate::error::{Error, Problem, Result};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    List,
    Symbol,
    /// `|like this|`
    QuotedSymbol,
    Keyword,
    Numeral,
    Decimal,
    Hexadecimal,
    Binary,
    Text,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub kind: Kind,
    /// Where it begins in the text, and where it ends.
    pub start: u32,
    pub end: u32,
    /// The node after this one and all it contains.
    pub next: u32,
}

/// One command with the text it stands in.
#[derive(Default, Debug)]
pub struct Tree {
    pub(super) text: String,
    pub(super) nodes: Vec<Node>,
}

impl Tree {
    /// The command; there must be one.
    pub fn root(&self) -> Sexp<'_> {
        Sexp { tree: self, id: 0 }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Sexp<'t> {
    tree: &'t Tree,
    id: u32,
}

impl<'t> Sexp<'t> {
    fn node(self) -> Node {
        self.tree.nodes[self.id as usize]
    }

    pub fn kind(self) -> Kind {
        self.node().kind
    }

    /// Where it begins in the text.
    pub fn offset(self) -> usize {
        self.node().start as usize
    }

    /// The text as it was written.
    pub fn source(self) -> &'t str {
        let Node { start, end, .. } = self.node();
        &self.tree.text[start as usize..end as usize]
    }

    /// The name of a symbol, without bars.
    pub fn symbol(self) -> Option<&'t str> {
        match self.kind() {
            Kind::Symbol => Some(self.source()),
            Kind::QuotedSymbol => Some(&self.source()[1..self.source().len() - 1]),
            _ => None,
        }
    }

    pub fn is_symbol(self, name: &str) -> bool {
        self.kind() == Kind::Symbol && self.source() == name
    }

    pub fn keyword(self) -> Option<&'t str> {
        (self.kind() == Kind::Keyword).then(|| self.source())
    }

    pub fn numeral(self) -> Option<u32> {
        (self.kind() == Kind::Numeral).then(|| self.source().parse().ok()).flatten()
    }

    pub fn expect_numeral(self) -> Result<u32> {
        self.numeral().ok_or(Error::new(self.offset(), Problem::Expected("a numeral below 2^32")))
    }

    /// The elements of a list; nothing for an atom.
    pub fn children(self) -> Children<'t> {
        Children { tree: self.tree, at: self.id + 1, end: self.node().next }
    }

    pub fn is_list(self) -> bool {
        self.kind() == Kind::List
    }

    /// On one line, with single blanks and without comments.
    pub fn to_line(self) -> String {
        let mut line = String::with_capacity(self.source().len());
        // Where the lists end that are open.
        let mut open: Vec<u32> = Vec::new();
        for id in self.id..self.node().next {
            while open.last() == Some(&id) {
                open.pop();
                line.push(')');
            }
            if !line.is_empty() && !line.ends_with('(') {
                line.push(' ');
            }
            let item = Sexp { tree: self.tree, id };
            if item.is_list() {
                open.push(item.node().next);
                line.push('(');
            } else {
                line.push_str(item.source());
            }
        }
        line.extend(open.iter().map(|_| ')'));
        line
    }
}

#[derive(Clone, Debug)]
pub struct Children<'t> {
    tree: &'t Tree,
    at: u32,
    end: u32,
}

impl<'t> Iterator for Children<'t> {
    type Item = Sexp<'t>;

    fn next(&mut self) -> Option<Sexp<'t>> {
        if self.at >= self.end {
            return None;
        }
        let child = Sexp { tree: self.tree, id: self.at };
        self.at = child.node().next;
        Some(child)
    }
}

/// A symbol as a script has to write it.
pub fn quote_symbol(name: &str) -> String {
    let is_simple = !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.bytes().all(super::lexer::is_symbol_byte)
        && !RESERVED.contains(&name);
    let mut quoted = String::with_capacity(name.len() + 2);
    let bar = if is_simple { "" } else { "|" };
    write!(quoted, "{bar}{name}{bar}").expect("strings take any text");
    quoted
}

const RESERVED: &[&str] = &["_", "!", "as", "let", "exists", "forall", "match", "par"];
