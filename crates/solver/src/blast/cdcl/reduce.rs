//! Forgetting learned clauses that are of little use.

use super::Cdcl;
use super::clauses::ClauseRef;
use super::propagate::Watcher;

/// Clauses of this glue are kept for good.
const MAX_KEPT_GLUE: u32 = 2;

impl Cdcl {
    /// Removes half of the learned clauses, those of high glue and great length first.
    pub(super) fn reduce(&mut self) {
        let mut candidates: Vec<ClauseRef> = self.clauses.learned.clone();
        candidates.retain(|&clause| self.clauses.glue(clause) > MAX_KEPT_GLUE && !self.is_reason(clause));
        candidates.sort_by_key(|&clause| std::cmp::Reverse((self.clauses.glue(clause), self.clauses.len(clause))));
        for &clause in &candidates[..candidates.len() / 2] {
            self.clauses.remove(clause);
        }
        let clauses = &mut self.clauses;
        let mut learned = std::mem::take(&mut clauses.learned);
        learned.retain(|&clause| !clauses.is_removed(clause));
        clauses.learned = learned;
        for list in &mut self.watchers {
            list.retain(|watcher| !clauses.is_removed(watcher.clause()));
        }
        if clauses.is_mostly_wasted() {
            self.compact();
        }
        self.max_learned += self.max_learned / 10;
    }

    fn is_reason(&self, clause: ClauseRef) -> bool {
        (0..self.clauses.len(clause).min(2)).any(|position| {
            let lit = self.clauses.lit(clause, position);
            self.trail.is_true(lit) && self.trail.reason_of(lit.var()) == clause
        })
    }

    fn compact(&mut self) {
        let mut moves = rustc_hash::FxHashMap::default();
        self.clauses.compact(|from, to| {
            moves.insert(from.raw(), to);
        });
        let to = |from: ClauseRef| moves.get(&from.raw()).copied().unwrap_or(ClauseRef::NONE);
        for clause in &mut self.clauses.learned {
            *clause = to(*clause);
        }
        for list in &mut self.watchers {
            for watcher in list {
                *watcher = Watcher::new(to(watcher.clause()), watcher.blocker, watcher.is_binary());
            }
        }
        for at in 0..self.trail.lits.len() {
            let var = self.trail.lits[at].var();
            let reason = self.trail.reason_of(var);
            if reason != ClauseRef::NONE {
                self.trail.set_reason(var, to(reason));
            }
        }
    }
}
