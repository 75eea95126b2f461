//! Templates: texts with holes.

use crate::symbolic::{Leaf, SymbolicGrammar};

/// A text with holes.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Template {
    /// All bytes; those of holes are zero.
    pub bytes: Vec<u8>,
    /// In order.
    pub holes: Vec<Hole>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Hole {
    pub start: u32,
    pub len: u32,
    /// Whose words it has.
    pub language: u32,
}

/// So many of the same byte in a row are not written out.
const MIN_RUN: usize = 20;

impl Template {
    /// Writes leaves one after another, with separators where tokens would fuse.
    pub fn render(&mut self, symbolic: &SymbolicGrammar, leaves: &[u32]) {
        self.bytes.clear();
        self.holes.clear();
        let mut before = None;
        for &leaf in leaves {
            self.bytes.extend(before.and_then(|before| symbolic.separator(before, leaf)));
            match &symbolic.leaves[leaf as usize] {
                Leaf::Fixed(bytes) => self.bytes.extend_from_slice(bytes),
                Leaf::Hole { language, len } => {
                    let start = self.bytes.len() as u32;
                    self.holes.push(Hole { start, len: *len, language: *language });
                    self.bytes.resize(self.bytes.len() + *len as usize, 0);
                }
            }
            before = Some(leaf);
        }
        self.bytes.extend(before.and_then(|last| symbolic.closing(last)));
    }

    pub fn hole_at(&self, position: usize) -> Option<Hole> {
        let hole = self.holes.iter().find(|hole| (hole.start..hole.start + hole.len).contains(&(position as u32)));
        hole.copied()
    }

    /// Gives holes the words that a text has there, if they are words of theirs, and the first of their words otherwise.
    pub fn fill(&self, symbolic: &SymbolicGrammar, text: &[u8]) -> Vec<u8> {
        self.filled(|hole| {
            let language = symbolic.words(hole.language);
            let range = hole.start as usize..(hole.start + hole.len) as usize;
            let given = text.get(range).filter(|word| language.accepts(word)).map(<[u8]>::to_vec);
            given.unwrap_or_else(|| language.words(hole.len as usize, 1).swap_remove(0))
        })
    }

    /// Gives holes any of their words, by a source of numbers below others.
    pub fn fill_at_random(&self, symbolic: &SymbolicGrammar, below: &mut impl FnMut(usize) -> usize) -> Vec<u8> {
        let mut word = |hole: Hole| symbolic.words(hole.language).random_word(hole.len as usize, below);
        self.filled(|hole| word(hole).expect("holes have words"))
    }

    fn filled(&self, mut word: impl FnMut(Hole) -> Vec<u8>) -> Vec<u8> {
        let mut filled = self.bytes.clone();
        for &hole in &self.holes {
            filled[hole.start as usize..(hole.start + hole.len) as usize].copy_from_slice(&word(hole));
        }
        filled
    }

    /// A text of it with its holes marked: `‹1›+‹x›`. A byte that comes many times in a row is written once: `‹(1000 × x)›`.
    pub fn marked(&self, text: &[u8]) -> String {
        let begins = |at: usize| self.holes.iter().any(|hole| hole.start as usize == at);
        let ends = |at: usize| self.holes.iter().any(|hole| (hole.start + hole.len) as usize == at);
        let mut shown = String::new();
        let mut at = 0;
        while at < text.len() {
            let is_same = |next: &usize| text[*next] == text[at] && !begins(*next) && !ends(*next);
            let n_same = 1 + (at + 1..text.len()).take_while(is_same).count();
            let byte = match text[at] {
                quote @ (b'"' | b'\'') => char::from(quote).to_string(),
                byte => std::ascii::escape_default(byte).to_string(),
            };
            shown.extend(begins(at).then_some('‹'));
            match n_same {
                MIN_RUN.. => shown += &format!("({n_same} × {byte})"),
                n => shown += &byte.repeat(n),
            }
            at += n_same;
            shown.extend(ends(at).then_some('›'));
        }
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_marked() {
        let hole = |start, len| Hole { start, len, language: 0 };
        let template = Template { bytes: Vec::new(), holes: vec![hole(0, 1), hole(1, 2), hole(4, 30)] };
        let text = [&b"aaa+b"[..], &[b'x'; 29], b"xx"].concat();
        assert_eq!(template.marked(&text), "‹a›‹aa›+‹b(29 × x)›xx");
    }
}
