//! What a conflict teaches: the clause at its first unique implication point, made small, and which assumptions failed.

use super::clauses::ClauseRef;
use super::{Cdcl, Lit};

/// What is known of a variable while a conflict is analyzed.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Mark {
    #[default]
    None,
    /// It is part of the clause, or was resolved away.
    Seen,
    /// It follows from what is part of the clause.
    Implied,
    /// It does not.
    Needed,
}

impl Cdcl {
    /// Learns from a violated clause. The first literal of `self.learned` is the one to be asserted, the second one is
    /// of the level to go back to, which is returned.
    pub(super) fn analyze(&mut self, conflict: ClauseRef) -> u32 {
        self.learned.clear();
        self.learned.push(Lit::new(0, false));
        let level = self.trail.level();
        let (mut clause, mut asserted) = (conflict, None);
        let mut at = self.trail.lits.len();
        let mut n_open = 0;
        loop {
            for position in 0..self.clauses.len(clause) {
                let lit = self.clauses.lit(clause, position);
                let var = lit.var();
                if Some(lit) == asserted || self.marks[var as usize] != Mark::None || self.trail.level_of(var) == 0 {
                    continue;
                }
                self.mark(var, Mark::Seen);
                self.order.bump(var);
                if self.trail.level_of(var) >= level {
                    n_open += 1;
                } else {
                    self.learned.push(lit);
                }
            }
            let lit = loop {
                at -= 1;
                let lit = self.trail.lits[at];
                if self.marks[lit.var() as usize] == Mark::Seen {
                    break lit;
                }
            };
            n_open -= 1;
            if n_open == 0 {
                self.learned[0] = !lit;
                break;
            }
            clause = self.trail.reason_of(lit.var());
            asserted = Some(lit);
        }
        self.minimize();
        self.clear_marks();
        self.backjump_level()
    }

    fn mark(&mut self, var: u32, mark: Mark) {
        if self.marks[var as usize] == Mark::None {
            self.marked.push(var);
        }
        self.marks[var as usize] = mark;
    }

    fn clear_marks(&mut self) {
        for var in self.marked.drain(..) {
            self.marks[var as usize] = Mark::None;
        }
    }

    /// Drops literals that the others imply.
    fn minimize(&mut self) {
        self.stamp_levels();
        let mut learned = std::mem::take(&mut self.learned);
        let mut kept = 1;
        for at in 1..learned.len() {
            let lit = learned[at];
            let is_implied = self.trail.reason_of(lit.var()) != ClauseRef::NONE && self.is_implied(lit.var());
            if !is_implied {
                learned[kept] = lit;
                kept += 1;
            }
        }
        learned.truncate(kept);
        self.learned = learned;
    }

    /// Whether a variable's value follows from the values of marked ones alone.
    fn is_implied(&mut self, root: u32) -> bool {
        let mut stack = std::mem::take(&mut self.stack);
        stack.clear();
        stack.push((root, 0));
        let mut holds = true;
        // With the position in its reason up to which a variable was looked at.
        while let Some((var, position)) = stack.last_mut() {
            let reason = self.trail.reason_of(*var);
            if *position == self.clauses.len(reason) {
                let done = *var;
                stack.pop();
                if done != root {
                    self.mark(done, Mark::Implied);
                }
                continue;
            }
            let other = self.clauses.lit(reason, *position).var();
            *position += 1;
            if other == *var || self.trail.level_of(other) == 0 {
                continue;
            }
            match self.marks[other as usize] {
                Mark::Seen | Mark::Implied => {}
                Mark::None if self.may_be_implied(other) => stack.push((other, 0)),
                _ => {
                    holds = false;
                    break;
                }
            }
        }
        if !holds {
            for &(var, _) in &stack {
                if var != root {
                    self.mark(var, Mark::Needed);
                }
            }
        }
        self.stack = stack;
        holds
    }

    fn backjump_level(&mut self) -> u32 {
        let Some((at, level)) = (1..self.learned.len())
            .map(|at| (at, self.trail.level_of(self.learned[at].var())))
            .max_by_key(|&(_, level)| level)
        else {
            return 0;
        };
        self.learned.swap(1, at);
        level
    }

    /// Nothing implies a decision, and nothing of the clause implies what is on a level that it has no part of.
    fn may_be_implied(&self, var: u32) -> bool {
        let level = self.trail.level_of(var) as usize;
        self.trail.reason_of(var) != ClauseRef::NONE && self.level_stamps.get(level) == Some(&self.level_stamp)
    }

    /// Stamps the decision levels that the learned clause is about; returns how many they are.
    pub(super) fn stamp_levels(&mut self) -> u32 {
        self.level_stamp += 1;
        let mut n_levels = 0;
        for lit in &self.learned {
            let level = self.trail.level_of(lit.var()) as usize;
            if self.level_stamps.len() <= level {
                self.level_stamps.resize(level + 1, 0);
            }
            if self.level_stamps[level] != self.level_stamp {
                self.level_stamps[level] = self.level_stamp;
                n_levels += 1;
            }
        }
        n_levels
    }

    /// Collects the assumptions that imply the negation of one.
    pub(super) fn analyze_final(&mut self, assumption: Lit) {
        self.failed.clear();
        self.failed.insert(assumption);
        if self.trail.level_of(assumption.var()) == 0 {
            return;
        }
        self.mark(assumption.var(), Mark::Seen);
        for at in (0..self.trail.lits.len()).rev() {
            let lit = self.trail.lits[at];
            let var = lit.var();
            if self.trail.level_of(var) == 0 {
                break;
            }
            if self.marks[var as usize] != Mark::Seen {
                continue;
            }
            let reason = self.trail.reason_of(var);
            if reason == ClauseRef::NONE {
                self.failed.insert(lit);
                continue;
            }
            for position in 0..self.clauses.len(reason) {
                let other = self.clauses.lit(reason, position).var();
                if self.trail.level_of(other) > 0 {
                    self.mark(other, Mark::Seen);
                }
            }
        }
        self.clear_marks();
    }
}
