//! Forcing a path: at a branch on the input, the way is chosen, whatever the input says.

use super::super::ConcolicMachine;
use super::MAX_BRANCHES;
use crate::decision::{Decision, DecisionKind};
use rustc_hash::FxHashMap;
use spelunk_expr::ExprId;
use spelunk_ir::code::OpIdx;

/// How a path is forced.
pub(super) struct Forcing {
    /// The ways of its first branches.
    ways: Vec<bool>,
    /// The numbers of decisions whose way was chosen.
    pub chosen: Vec<usize>,
    /// Conditions that it has decided on, and their opposites: which of the two holds.
    known: FxHashMap<ExprId, bool>,
    /// It has decided something else than a branch, or too much.
    pub is_lost: bool,
}

impl Forcing {
    pub fn new(ways: &[bool]) -> Self {
        Self { ways: ways.to_vec(), chosen: Vec::new(), known: FxHashMap::default(), is_lost: false }
    }
}

impl ConcolicMachine {
    /// The way that a branch goes on a condition.
    pub(in crate::machine) fn way(&mut self, cond: ExprId, holds: bool) -> bool {
        let Some(forcing) = &mut self.summaries.forcing else { return holds };
        if self.pool.is_const(cond) {
            return holds;
        }
        if let Some(&known) = forcing.known.get(&cond) {
            return known;
        }
        forcing.is_lost |= forcing.chosen.len() >= MAX_BRANCHES;
        let way = forcing.ways.get(forcing.chosen.len()).copied().unwrap_or(true);
        forcing.chosen.push(self.path.decisions.len());
        way
    }

    /// Whether a path is tried out, which takes what would be a decision: a branch is noted, anything else ends it.
    pub(in crate::machine) fn is_forced(&mut self, site: OpIdx, kind: DecisionKind, taken: u64, cond: ExprId) -> bool {
        let Some(forcing) = &mut self.summaries.forcing else { return false };
        match kind {
            _ if forcing.known.get(&cond) == Some(&true) || self.pool.is_const(cond) => {}
            DecisionKind::Branch => {
                self.path.decisions.push(Decision { site, stack: 0, kind, taken, cond });
                forcing.known.insert(cond, true);
                forcing.known.insert(self.pool.mk_not(cond), false);
            }
            _ => forcing.is_lost = true,
        }
        true
    }

    pub(crate) fn is_forcing(&self) -> bool {
        self.summaries.forcing.is_some()
    }

    /// Whether it is of no use to go on.
    pub(in crate::machine) fn is_lost(&self) -> bool {
        self.summaries.forcing.as_ref().is_some_and(|forcing| forcing.is_lost)
    }
}
