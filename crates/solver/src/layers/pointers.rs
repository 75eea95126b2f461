//! Equalities and disequalities, as pointers are compared: classes of equal terms with edges between those that differ.
//!
//! CUTE §3.5, fig. 9. As there, NULL is a term like any other, a class keeps its value if it can, two classes that
//! become one take a value of one of them, and a class that must differ gets a fresh value, which stands for an object
//! of its own. We differ in that all constants are terms, that there may be several targets, and that any terms of one
//! width will do as long as there are more values than classes, so that a fresh one can always be found.

use smallvec::SmallVec;
use spelunk_bv::int;
use spelunk_expr::{ExprId, Model};

use super::relation::{Link, RelOp, TermIdx, Terms};
use crate::chain::Layer;
use crate::query::{Answer, Query};
use crate::stage::{Context, Freed, Rest, Stage};

#[derive(Default)]
pub struct Pointers {
    terms: Terms,
    /// By term: its parent in the union-find, itself if it is the root of a class.
    parents: Vec<TermIdx>,
    /// By root: the value that the class has got.
    values: Vec<Option<u64>>,
}

impl Stage for Pointers {
    fn name(&self) -> &'static str {
        Layer::Pointers.name()
    }

    fn check(&mut self, cx: &mut Context<'_>, query: &Query<'_>, rest: &mut Rest<'_>) -> Answer {
        let is_equality = |op| matches!(op, RelOp::Eq | RelOp::Ne);
        if !self.terms.read(cx, query, is_equality) || self.terms.terms.len() as u64 > int::mask(self.terms.width) {
            return rest.check(cx, query);
        }
        self.unite();
        match self.conflict() {
            Some(core) => Answer::Unsat(core),
            None => {
                self.choose_values(query);
                Answer::Sat(self.changes(cx, query))
            }
        }
    }

    fn forget(&mut self, _freed: &Freed) {}
}

impl Pointers {
    fn find(&self, term: TermIdx) -> TermIdx {
        let mut at = term;
        while self.parents[at as usize] != at {
            at = self.parents[at as usize];
        }
        at
    }

    fn equalities(&self) -> impl Iterator<Item = &Link> {
        self.terms.links.iter().filter(|link| link.op == RelOp::Eq)
    }

    fn disequalities(&self) -> impl Iterator<Item = &Link> {
        self.terms.links.iter().filter(|link| link.op == RelOp::Ne)
    }

    fn unite(&mut self) {
        let n_terms = self.terms.terms.len() as TermIdx;
        self.parents.clear();
        self.parents.extend(0..n_terms);
        for at in 0..self.terms.links.len() {
            let Link { op, a, b, .. } = self.terms.links[at];
            if op != RelOp::Eq {
                continue;
            }
            let (a, b) = (self.find(a), self.find(b));
            // A constant stands for its class.
            let (child, root) = if self.terms.terms[a as usize].is_const { (b, a) } else { (a, b) };
            self.parents[child as usize] = root;
        }
        // Paths get short, so that the many questions that follow are answered at once.
        for term in 0..n_terms {
            self.parents[term as usize] = self.find(term);
        }
    }

    /// Constraints that exclude each other: equalities that connect two constants, or terms that are said to differ.
    fn conflict(&self) -> Option<Vec<ExprId>> {
        let mut constants = self.terms.terms.iter().zip(0..).filter(|(term, _)| term.is_const).map(|(_, at)| at);
        if let Some(other) = constants.find(|&at| self.find(at) != at) {
            return Some(self.path(other, self.find(other)));
        }
        let link = self.disequalities().find(|link| self.find(link.a) == self.find(link.b))?;
        let mut core = self.path(link.a, link.b);
        core.push(link.constraint);
        Some(core)
    }

    /// The equalities on a shortest way between two terms of one class.
    fn path(&self, from: TermIdx, to: TermIdx) -> Vec<ExprId> {
        const UNSEEN: TermIdx = TermIdx::MAX;
        let mut came_from = vec![(UNSEEN, ExprId::NONE); self.terms.terms.len()];
        came_from[from as usize] = (from, ExprId::NONE);
        let mut reached = vec![from];
        let mut n_done = 0;
        while came_from[to as usize].0 == UNSEEN && n_done < reached.len() {
            let at = reached[n_done];
            n_done += 1;
            for link in self.equalities() {
                let next = if link.a == at { link.b } else { link.a };
                if (link.a == at || link.b == at) && came_from[next as usize].0 == UNSEEN {
                    came_from[next as usize] = (at, link.constraint);
                    reached.push(next);
                }
            }
        }
        let mut path = Vec::new();
        let mut at = to;
        while at != from {
            let (before, constraint) = came_from[at as usize];
            path.push(constraint);
            at = before;
        }
        path
    }

    /// Gives each class a value that those it differs from don't have.
    fn choose_values(&mut self, query: &Query<'_>) {
        self.values.clear();
        // What no target speaks of stays as it is, and satisfied.
        self.values.extend(self.terms.terms.iter().map(|term| Some(term.value)));
        let targets = &self.terms.links[query.n_satisfied..];
        // Of two terms that a target makes differ, the second one changes.
        let ends = targets.iter().map(|link| link.a).chain(targets.iter().map(|link| link.b));
        let mut roots: SmallVec<[TermIdx; 8]> = ends.map(|term| self.find(term)).collect();
        self.add_displaced(&mut roots);
        roots.retain(|root| !self.terms.terms[*root as usize].is_const);
        for &root in &roots {
            self.values[root as usize] = None;
        }
        for root in roots {
            if self.values[root as usize].is_none() {
                self.values[root as usize] = Some(self.choose_value(root));
            }
        }
    }

    /// Adds the classes that differ from one of these, which is a constant, and have its value.
    fn add_displaced(&self, roots: &mut SmallVec<[TermIdx; 8]>) {
        let n_roots = roots.len();
        for at in 0..n_roots {
            let fixed = roots[at];
            if !self.terms.terms[fixed as usize].is_const {
                continue;
            }
            for link in self.disequalities() {
                let other = match (self.find(link.a), self.find(link.b)) {
                    (a, b) if a == fixed => b,
                    (a, b) if b == fixed => a,
                    _ => continue,
                };
                if self.values[other as usize] == self.values[fixed as usize] {
                    roots.push(other);
                }
            }
        }
    }

    fn choose_value(&self, root: TermIdx) -> u64 {
        let is_taken = |value: u64| {
            self.disequalities().any(|link| {
                let (a, b) = (self.find(link.a), self.find(link.b));
                (a == root && self.values[b as usize] == Some(value))
                    || (b == root && self.values[a as usize] == Some(value))
            })
        };
        let members = (0..).zip(&self.terms.terms).filter(|&(term, _)| self.find(term) == root);
        // How many have it now, and the value.
        let mut candidates: SmallVec<[(usize, u64); 4]> = SmallVec::new();
        for (_, term) in members {
            match candidates.iter_mut().find(|(_, value)| *value == term.value) {
                Some((n_terms, _)) => *n_terms += 1,
                None => candidates.push((1, term.value)),
            }
        }
        candidates.sort_by_key(|&(n_terms, _)| std::cmp::Reverse(n_terms));
        let free = candidates.into_iter().map(|(_, value)| value).find(|&value| !is_taken(value));
        free.unwrap_or_else(|| self.fresh_value())
    }

    /// A value that no term has: the address of an object of its own, where addresses leave room for that.
    fn fresh_value(&self) -> u64 {
        const OFFSET_BITS: u32 = 32;
        let old = self.terms.terms.iter().map(|term| term.value);
        let used = |value: u64| old.clone().chain(self.values.iter().filter_map(|v| *v)).any(|other| other == value);
        let greatest = old.clone().chain(self.values.iter().filter_map(|value| *value)).max().unwrap_or(0);
        let next_object = ((greatest >> OFFSET_BITS) + 1).checked_shl(OFFSET_BITS).filter(|object| *object > greatest);
        match next_object.filter(|_| self.terms.width == 64) {
            Some(object) => object,
            None => (1..=int::mask(self.terms.width)).find(|&value| !used(value)).expect("more values than terms"),
        }
    }

    fn changes(&self, cx: &Context<'_>, query: &Query<'_>) -> Model {
        let mut changes = Model::new();
        for (at, term) in (0..).zip(&self.terms.terms) {
            if let (false, Some(value)) = (term.is_const, self.values[self.find(at) as usize]) {
                self.terms.assign(cx.pool, at, value, query.hint, &mut changes);
            }
        }
        changes
    }
}
