//! Forcing a path: at a branch or a switch on the input, the way is chosen, whatever the input says; checks are passed.

use super::super::ConcolicMachine;
use super::MAX_BRANCHES;
use crate::decision::{Decision, DecisionKind};
use crate::switches::Table;
use rustc_hash::FxHashMap;
use spelunk_expr::ExprId;
use spelunk_ir::code::OpIdx;
use spelunk_vm::Judged;
use std::sync::Arc;

/// How a path is forced.
pub(super) struct Forcing {
    /// The ways of its first decisions.
    ways: Vec<bool>,
    pub chosen: Vec<Chosen>,
    /// Conditions that it has decided on, and their opposites: which of the two holds.
    known: FxHashMap<ExprId, bool>,
    choosing: Choosing,
    /// It has decided something that can't be chosen, or too much.
    pub is_lost: bool,
    /// It has more decisions than a path may have.
    pub is_too_long: bool,
}

/// What of the next decision can be chosen: that is, who decides goes the way that is chosen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Choosing {
    Nothing,
    Way,
    /// That all is well, of all decisions for the time being.
    Good,
}

/// A decision whose way was chosen.
#[derive(Clone, Copy)]
pub(super) struct Chosen {
    pub cond: ExprId,
    /// Nobody goes the other way: something goes wrong there, or can't be told.
    pub is_check: bool,
}

impl Forcing {
    pub fn new(ways: &[bool]) -> Self {
        Self {
            ways: ways.to_vec(),
            chosen: Vec::new(),
            known: FxHashMap::default(),
            choosing: Choosing::Nothing,
            is_lost: false,
            is_too_long: false,
        }
    }

    fn begin(&mut self, choosing: Choosing) {
        self.choosing = choosing;
        self.is_too_long |= self.chosen.len() >= MAX_BRANCHES;
        self.is_lost |= self.is_too_long;
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
        if self.speaks_of_pointers(cond) {
            return self.way_of_pointers(cond, holds);
        }
        let forcing = self.summaries.forcing.as_mut().expect("a path is forced");
        forcing.begin(Choosing::Way);
        forcing.ways.get(forcing.chosen.len()).copied().unwrap_or(true)
    }

    /// What is found behind a pointer of the input is the same for all inputs only if the run has decided where it leads. A path that
    /// asks before that would be another one for an input in which the pointer is null, say.
    fn way_of_pointers(&mut self, cond: ExprId, holds: bool) -> bool {
        let is_settled = self.is_implied(cond);
        let opposite = self.pool.mk_not(cond);
        let forcing = self.summaries.forcing.as_mut().expect("a path is forced");
        forcing.is_lost |= !is_settled;
        forcing.known.insert(cond, holds);
        forcing.known.insert(opposite, !holds);
        holds
    }

    fn speaks_of_pointers(&mut self, cond: ExprId) -> bool {
        let free_vars = &mut self.summaries.free_vars;
        let vars = free_vars.of(&self.pool, cond);
        let mut places = free_vars.iter(vars).filter_map(|var| self.variables.place(var));
        places.any(|place| self.inputs.heap.has_pointer(place.object, place.offset))
    }

    /// Whether a path is tried out, which takes what would be a decision: what was chosen is noted, anything else ends it.
    pub(in crate::machine) fn is_forced(&mut self, site: OpIdx, kind: DecisionKind, taken: u64, cond: ExprId) -> bool {
        let Some(forcing) = &mut self.summaries.forcing else { return false };
        if forcing.known.get(&cond) == Some(&true) || cond == ExprId::TRUE {
            return true;
        }
        let is_check = forcing.choosing == Choosing::Good;
        forcing.is_lost |= forcing.choosing == Choosing::Nothing || forcing.known.contains_key(&cond);
        if !is_check {
            forcing.choosing = Choosing::Nothing;
        }
        if !forcing.is_lost {
            forcing.chosen.push(Chosen { cond, is_check });
            self.path.decisions.push(Decision { site, stack: 0, kind, taken, cond });
            forcing.known.insert(cond, true);
            forcing.known.insert(self.pool.mk_not(cond), false);
        }
        true
    }

    /// Decides what is to be decided well.
    pub(in crate::machine) fn pass(&mut self, check: impl FnOnce(&mut Self)) -> Judged {
        let forcing = self.summaries.forcing.as_mut().expect("a path is forced");
        forcing.begin(Choosing::Good);
        check(self);
        let forcing = self.summaries.forcing.as_mut().expect("a check forces nothing else");
        forcing.choosing = Choosing::Nothing;
        if forcing.is_lost { Judged::ByOperands } else { Judged::Good }
    }

    /// Where a switch goes: its ways are tried one after another.
    pub(in crate::machine) fn forced_switch(&mut self, site: OpIdx, table: Table, value: ExprId) -> OpIdx {
        let switches = Arc::clone(&self.switches);
        for target in switches.targets(table) {
            let cond = switches.cond(&mut self.pool, table, value, target);
            let holds = self.way(cond, cond == ExprId::TRUE);
            self.decide_condition(site, DecisionKind::Branch, cond, holds);
            if holds {
                return target;
            }
        }
        switches.default(table)
    }

    /// A forced path comes to where it can't go on.
    pub(crate) fn lose(&mut self) {
        if let Some(forcing) = &mut self.summaries.forcing {
            forcing.is_lost = true;
        }
    }

    pub(crate) fn is_forcing(&self) -> bool {
        self.summaries.forcing.is_some()
    }

    /// Whether it is of no use to go on.
    pub(in crate::machine) fn is_lost(&self) -> bool {
        self.summaries.forcing.as_ref().is_some_and(|forcing| forcing.is_lost)
    }
}
