//! Templates: texts with holes.

use crate::automaton::Dfa;
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
    /// The token whose words it has.
    pub language: u32,
}

impl Template {
    /// Writes leaves one after another, with separators where tokens would fuse.
    pub fn render(&mut self, symbolic: &SymbolicGrammar, leaves: &[u32]) {
        self.bytes.clear();
        self.holes.clear();
        let mut before = None;
        for &leaf in leaves {
            if before.is_some_and(|before| symbolic.is_apart(before, leaf)) {
                self.bytes.extend_from_slice(&symbolic.separator);
            }
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
    }

    pub fn hole_at(&self, position: usize) -> Option<Hole> {
        let hole = self.holes.iter().find(|hole| (hole.start..hole.start + hole.len).contains(&(position as u32)));
        hole.copied()
    }

    /// Gives holes the words that a text has there, if they are words of theirs, and the first of their words otherwise.
    pub fn fill(&self, symbolic: &SymbolicGrammar, text: &[u8]) -> Vec<u8> {
        let mut filled = self.bytes.clone();
        for hole in &self.holes {
            let range = hole.start as usize..(hole.start + hole.len) as usize;
            let language: &Dfa = symbolic.languages[hole.language as usize].as_ref().expect("holes have words");
            let given = text.get(range.clone()).filter(|word| language.accepts(word)).map(<[u8]>::to_vec);
            let word = given.unwrap_or_else(|| language.words(hole.len as usize, 1).swap_remove(0));
            filled[range].copy_from_slice(&word);
        }
        filled
    }

    /// A text of it with its holes marked: `‹1›+‹x›`.
    pub fn marked(&self, text: &[u8]) -> String {
        let mut shown = String::new();
        for (at, byte) in text.iter().enumerate() {
            let at = at as u32;
            shown.extend(self.holes.iter().any(|hole| hole.start == at).then_some('‹'));
            shown.extend(std::ascii::escape_default(*byte).map(char::from));
            shown.extend(self.holes.iter().any(|hole| hole.start + hole.len == at + 1).then_some('›'));
        }
        shown
    }
}
