//! Propagation with two watched literals a clause.

use super::clauses::ClauseRef;
use super::{Cdcl, Lit};

/// In the list of a literal: a clause to look at when the literal becomes false.
#[derive(Clone, Copy)]
pub(super) struct Watcher {
    /// Another literal of the clause: while it is true, the clause needs no look. Of two literals, the other one.
    pub blocker: Lit,
    clause: u32,
}

/// Set in a watcher's clause if that has two literals.
const BINARY: u32 = 1 << 31;

impl Watcher {
    pub fn new(clause: ClauseRef, blocker: Lit, is_binary: bool) -> Self {
        Watcher { blocker, clause: clause.raw() | if is_binary { BINARY } else { 0 } }
    }

    pub fn clause(self) -> ClauseRef {
        ClauseRef::from_raw(self.clause & !BINARY)
    }

    pub fn is_binary(self) -> bool {
        self.clause & BINARY != 0
    }
}

impl Cdcl {
    /// Watches the first two literals of a clause.
    pub(super) fn watch(&mut self, clause: ClauseRef) {
        let [first, second] = [self.clauses.lit(clause, 0), self.clauses.lit(clause, 1)];
        let is_binary = self.clauses.len(clause) == 2;
        self.watchers[first.index()].push(Watcher::new(clause, second, is_binary));
        self.watchers[second.index()].push(Watcher::new(clause, first, is_binary));
    }

    /// Draws all conclusions from what is assigned; returns a clause that is violated, if any.
    pub(super) fn propagate(&mut self) -> Option<ClauseRef> {
        while let Some(&lit) = self.trail.lits.get(self.trail.n_propagated) {
            self.trail.n_propagated += 1;
            if let Some(conflict) = self.propagate_lit(!lit) {
                return Some(conflict);
            }
        }
        None
    }

    /// A literal has become false.
    fn propagate_lit(&mut self, falsified: Lit) -> Option<ClauseRef> {
        let mut list = std::mem::take(&mut self.watchers[falsified.index()]);
        let mut conflict = None;
        let (mut from, mut to) = (0, 0);
        while from < list.len() {
            let watcher = list[from];
            from += 1;
            let blocker_value = self.trail.value(watcher.blocker);
            if blocker_value > 0 {
                list[to] = watcher;
                to += 1;
                continue;
            }
            let clause = watcher.clause();
            if watcher.is_binary() {
                list[to] = watcher;
                to += 1;
                if blocker_value < 0 {
                    conflict = Some(clause);
                    break;
                }
                self.trail.assign(watcher.blocker, clause);
                continue;
            }
            let lits = self.clauses.lit_words(clause);
            if lits[0] == falsified.index() as u32 {
                lits.swap(0, 1);
            }
            let first = Lit::from_index(lits[0]);
            let trail = &self.trail;
            if trail.is_true(first) {
                list[to] = Watcher { blocker: first, ..watcher };
                to += 1;
                continue;
            }
            let other = lits[2..].iter().position(|&word| !trail.is_false(Lit::from_index(word)));
            if let Some(at) = other {
                lits.swap(1, at + 2);
                let new = Lit::from_index(lits[1]);
                self.watchers[new.index()].push(Watcher { blocker: first, ..watcher });
                continue;
            }
            list[to] = Watcher { blocker: first, ..watcher };
            to += 1;
            if self.trail.is_false(first) {
                conflict = Some(clause);
                break;
            }
            self.trail.assign(first, clause);
        }
        if from > to {
            list.copy_within(from.., to);
            let n_left = list.len() - (from - to);
            list.truncate(n_left);
        }
        self.watchers[falsified.index()] = list;
        conflict
    }
}
