//! Where the longest match of a lexer ends, given what stands behind a word. For a rule with trailing context (`r/s`), the match goes on
//! into what follows, and the word is what comes before that.

use crate::automaton::{DEAD, Dfa};
use rustc_hash::FxHashSet;

/// What must follow a word of a rule with trailing context.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Context {
    /// The rule, as the automaton of all rules has it.
    pub label: u32,
    /// How long that is; if it has several lengths, words have one.
    pub len: Option<u32>,
}

/// A match on its way through what follows.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Match {
    /// Of the automaton of all rules.
    state: u32,
    /// How far it has come, as far as that matters.
    n_bytes: u32,
    /// Whether the longest word so far is one of the rule.
    is_held: bool,
}

impl Context {
    /// A match that has come to the end of a word.
    pub fn begin(state: u32) -> Match {
        Match { state, n_bytes: 0, is_held: false }
    }

    /// One byte further; nothing if it ends before that.
    pub fn step(self, all: &Dfa, at: Match, byte: u8) -> Option<Match> {
        let state = all.step(at.state, byte);
        let n_bytes = (at.n_bytes + 1).min(self.len.unwrap_or(0) + 1);
        let is_own = |label| label == self.label && self.len.is_none_or(|len| len == n_bytes);
        let is_held = all.label(state).map_or(at.is_held, is_own);
        (state != DEAD).then_some(Match { state, n_bytes, is_held })
    }

    /// Whether a text may end here.
    pub fn is_held(at: Match) -> bool {
        at.is_held
    }

    /// Whether the match ends as the rule's within whatever word stands next.
    pub fn holds(self, all: &Dfa, from: Match, next: &Dfa) -> bool {
        let mut known = FxHashSet::from_iter([(from, 0)]);
        let mut open = vec![(from, 0)];
        while let Some((at, word)) = open.pop() {
            for byte in 0..=255 {
                let to = next.step(word, byte);
                if to == DEAD {
                    continue;
                }
                let Some(on) = self.step(all, at, byte) else {
                    if !at.is_held {
                        return false;
                    }
                    continue;
                };
                // What comes behind the next word is not known.
                let is_over = on.is_held && (0..=255).all(|byte| all.step(on.state, byte) == DEAD);
                if next.label(to).is_some() && !is_over {
                    return false;
                }
                if known.insert((on, to)) {
                    open.push((on, to));
                }
            }
        }
        true
    }
}

/// Whether a match may go on from a state into a word of what follows, or beyond it.
pub(crate) fn may_fuse(all: &Dfa, end: u32, second: &Dfa) -> bool {
    let mut known = FxHashSet::from_iter([(end, 0)]);
    let mut open = vec![(end, 0)];
    while let Some((a, b)) = open.pop() {
        for byte in 0..=255 {
            let next = (all.step(a, byte), second.step(b, byte));
            if next.0 == DEAD || next.1 == DEAD || !known.insert(next) {
                continue;
            }
            if all.label(next.0).is_some() || second.label(next.1).is_some() {
                return true;
            }
            open.push(next);
        }
    }
    false
}
