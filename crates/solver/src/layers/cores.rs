//! Unsatisfiable cores: constraints that were found to exclude each other decide every query that contains them all.

use spelunk_expr::ExprId;

use super::store::Store;
use crate::chain::Layer;
use crate::query::{Answer, Query};
use crate::stage::{Context, Freed, Rest, Stage};

pub struct Cores {
    /// By constraint, the cores that it is in.
    store: Store<ExprId, Box<[ExprId]>>,
    /// The constraints of a query, in order.
    sorted: Vec<ExprId>,
}

const MAX_CORES: usize = 1 << 12;
const MAX_FOUND: usize = 32;

/// A core of more constraints is only found by the targets of the query that it was found in.
const SHORT: usize = 16;

impl Default for Cores {
    fn default() -> Self {
        Cores { store: Store::new(MAX_CORES, MAX_FOUND), sorted: Vec::new() }
    }
}

impl Stage for Cores {
    fn name(&self) -> &'static str {
        Layer::Cores.name()
    }

    fn check(&mut self, cx: &mut Context<'_>, query: &Query<'_>, rest: &mut Rest<'_>) -> Answer {
        if let Some(core) = self.find(query) {
            return Answer::Unsat(core);
        }
        let answer = rest.check(cx, query);
        if let Answer::Unsat(core) = &answer {
            let keys = if core.len() <= SHORT { &core[..] } else { query.targets() };
            self.store.insert(keys.into(), core[..].into());
        }
        answer
    }

    fn forget(&mut self, freed: &Freed) {
        self.store.retain(|keys, core| !keys.iter().chain(core).any(|&id| freed.contains(id)));
    }
}

impl Cores {
    /// A core that is part of the query. There is a target in it, as the hint satisfies all others together.
    fn find(&mut self, query: &Query<'_>) -> Option<Vec<ExprId>> {
        self.sorted.clear();
        for &target in query.targets() {
            for core in self.store.find(target) {
                if self.sorted.is_empty() {
                    self.sorted.extend(query.constraints);
                    self.sorted.sort_unstable();
                }
                if core.iter().all(|id| self.sorted.binary_search(id).is_ok()) {
                    return Some(core.to_vec());
                }
            }
        }
        None
    }
}
