//! What checks have asked for: inputs for a heap which was checked on another path are made such that the check accepts them.
//!
//! That is a preference: where it can't be, an input is looked for without it. So nothing is lost if a check asks for something else this time.

use super::Companion;
use crate::query::Constraints;
use rustc_hash::FxHashMap;
use spelunk_expr::{ExprId, ExprPool, VarId};
use spelunk_hex::Choice;

/// More heaps than these are not remembered.
const MAX_HEAPS: usize = 4096;

#[derive(Debug, Default)]
pub(super) struct Remembered {
    /// Expressions that are no longer in use are collected when it changes.
    epoch: u32,
    /// By check and heap.
    conditions: FxHashMap<(Companion, Vec<(VarId, Choice)>), Vec<ExprId>>,
    /// What came of the preference for the query at hand.
    preference: Preference,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Preference {
    #[default]
    None,
    Asked,
    GivenUp,
}

impl Remembered {
    fn forget_old(&mut self, pool: &ExprPool) {
        if self.epoch != pool.epoch() || self.conditions.len() >= MAX_HEAPS {
            self.conditions.clear();
            self.epoch = pool.epoch();
        }
    }

    /// A check has accepted an input, on these conditions. Without any, the path had them already.
    pub fn note(&mut self, pool: &ExprPool, companion: Companion, heap: &[(VarId, Choice)], conditions: Vec<ExprId>) {
        self.forget_old(pool);
        if !conditions.is_empty() {
            self.conditions.insert((companion, heap.to_vec()), conditions);
        }
    }

    /// Adds what checks of a heap are known to ask for, unless that was given up just now.
    pub fn prefer(
        &mut self,
        pool: &ExprPool,
        companions: impl Iterator<Item = Companion>,
        heap: &[(VarId, Choice)],
        query: &mut Constraints<'_>,
    ) {
        self.forget_old(pool);
        if std::mem::take(&mut self.preference) == Preference::GivenUp {
            return;
        }
        for companion in companions {
            if let Some(conditions) = self.conditions.get(&(companion, heap.to_vec())) {
                conditions.iter().for_each(|&cond| query.add(cond, false));
                self.preference = Preference::Asked;
            }
        }
    }

    /// There is no answer: says whether there may be one without what was preferred.
    pub fn give_up(&mut self) -> bool {
        let is_asked = self.preference == Preference::Asked;
        self.preference = if is_asked { Preference::GivenUp } else { Preference::None };
        is_asked
    }
}
