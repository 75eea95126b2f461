//! The path of a run: its decisions so far, and whether they are the expected ones.

use crate::decision::{Choice, Decision, DecisionKind};
use crate::journal::Entry;
use crate::switches::Table;
use smallvec::SmallVec;
use spelunk_expr::ExprId;
use spelunk_hex::RuleId;
use spelunk_ir::code::OpIdx;
use spelunk_vm::Mark;
use std::sync::Arc;

/// A decision that a run is expected to make: where, and which alternative.
pub type Expected = (OpIdx, Choice);

/// Where a run first left the path that was predicted for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Divergence {
    /// The number of the decision.
    pub index: usize,
    pub expected: Expected,
    /// What was decided instead. `None`: the run ended before.
    pub got: Option<Decision>,
}

/// What the alternatives of a decision are, where its condition alone does not say it.
#[derive(Clone, Debug)]
pub struct Alternatives {
    /// The number of the decision.
    pub index: usize,
    pub of: AlternativesOf,
}

#[derive(Clone, Debug)]
pub enum AlternativesOf {
    /// A switch on a value: conditions are made when somebody asks.
    Switch { table: Table, value: ExprId },
    /// These, with their keys, that which was taken among them.
    Listed(Arc<[(u64, ExprId)]>),
}

impl Entry for Decision {
    fn visit_exprs(&self, visit: &mut dyn FnMut(ExprId)) {
        visit(self.cond);
    }
}

impl Entry for Alternatives {
    fn visit_exprs(&self, visit: &mut dyn FnMut(ExprId)) {
        match &self.of {
            AlternativesOf::Switch { value, .. } => visit(*value),
            AlternativesOf::Listed(all) => all.iter().for_each(|&(_, cond)| visit(cond)),
        }
    }
}

/// Something that the program could do without taking another path: an observed condition that is otherwise, a case that
/// leads where another does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Goal {
    /// How many decisions of the path come before.
    pub n_decisions: usize,
    /// The operation that is then marked, and how.
    pub op: OpIdx,
    pub mark: Mark,
    /// What must hold besides.
    pub conds: SmallVec<[ExprId; 2]>,
}

/// An alternative that a rule for heaps does not allow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Refused {
    /// How many decisions of the path come before.
    pub n_decisions: usize,
    pub rule: RuleId,
}

#[derive(Debug)]
pub(crate) struct Path {
    pub decisions: Vec<Decision>,
    pub alternatives: Vec<Alternatives>,
    pub divergence: Option<Divergence>,
    expected: Vec<Expected>,
    pub goals: Vec<Goal>,
    /// What rules for heaps have refused where no run was before.
    pub refused: Vec<Refused>,
    /// How many decisions in a row may bring nothing new.
    pub patience: usize,
    /// The number of marks that were new, and how many decisions there were when it last changed.
    last_new: (u32, usize),
    /// Decisions whose call stack is known.
    n_placed: usize,
    pub met: Met,
    /// Other inputs with these decisions may go on.
    pub goes_on: bool,
    /// The run is to end, or a check of its input that it makes.
    pub is_halted: bool,
    /// Checks of the input are being made.
    pub is_checking: bool,
    /// Memory holds the input as it was given, whatever was written to it before.
    pub is_pristine: bool,
    /// Code runs that is tried out: what it decides is no part of the path.
    pub is_trial: bool,
    /// The run is there for a question about a path that is known.
    pub is_audit: bool,
    /// By expression: the number of the decision that had it as its condition, if it still has.
    decided: Vec<u32>,
}

/// Conditions that all runs met where nothing was predicted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Met {
    pub n_conditions: u64,
    /// Those of them that followed from the path's conditions.
    pub n_implied: u64,
}

impl Default for Path {
    fn default() -> Self {
        Self {
            decisions: Vec::new(),
            alternatives: Vec::new(),
            divergence: None,
            expected: Vec::new(),
            goals: Vec::new(),
            refused: Vec::new(),
            patience: usize::MAX,
            last_new: (0, 0),
            n_placed: 0,
            met: Met::default(),
            goes_on: false,
            is_halted: false,
            is_checking: false,
            is_pristine: false,
            is_trial: false,
            is_audit: false,
            decided: Vec::new(),
        }
    }
}

impl Path {
    /// Expects these decisions of the next run, which begins with so many new marks.
    pub fn expect(&mut self, expected: &[Expected], n_new_marks: u32) {
        self.divergence = None;
        self.goes_on = false;
        self.is_halted = false;
        self.is_checking = false;
        self.is_pristine = false;
        self.is_trial = false;
        self.is_audit = false;
        self.goals.clear();
        self.refused.clear();
        self.last_new = (n_new_marks, 0);
        self.expected.clear();
        self.expected.extend_from_slice(expected);
    }

    pub fn n_expected(&self) -> usize {
        self.expected.len()
    }

    /// Whether the path has gone on for long without anything new, behind what was expected of it.
    pub fn is_tiring(&mut self, n_new_marks: u32) -> bool {
        if self.last_new.0 != n_new_marks {
            self.last_new = (n_new_marks, self.decisions.len());
        }
        let since = self.expected.len().max(self.last_new.1);
        self.decisions.len() >= since.saturating_add(self.patience)
    }

    /// Whether the run is where none was before: goals on the way there are known.
    pub fn is_new_ground(&self) -> bool {
        self.decisions.len() >= self.expected.len()
    }

    /// A rule has refused an alternative. On a way that is known, that was told before.
    pub fn refuse(&mut self, rule: RuleId) {
        if self.is_new_ground() && !self.is_audit {
            self.refused.push(Refused { n_decisions: self.decisions.len(), rule });
        }
    }

    /// Whether the path's conditions contain this one, so that it decides nothing any more.
    pub fn implies(&self, cond: ExprId) -> bool {
        let Some(&number) = self.decided.get(cond.index()) else { return false };
        self.decisions.get(number as usize).is_some_and(|decision| decision.cond == cond)
    }

    /// A condition was met that the path's conditions decide.
    pub fn count_implied(&mut self) {
        let is_new = u64::from(self.is_new_ground());
        self.met.n_conditions += is_new;
        self.met.n_implied += is_new;
    }

    /// Adds a decision, unless its condition is one that the path has already. Says whether it did.
    pub fn decide(&mut self, site: OpIdx, kind: DecisionKind, taken: u64, cond: ExprId) -> bool {
        assert_ne!(cond, ExprId::FALSE, "the input contradicts a condition of its own path, at operation {}", site.0);
        if cond == ExprId::TRUE {
            return false;
        }
        if self.implies(cond) {
            self.count_implied();
            return false;
        }
        self.met.n_conditions += u64::from(self.is_new_ground());
        let index = self.decisions.len();
        self.note_decided(cond, index);
        let decision = Decision { site, stack: 0, kind, taken, cond };
        self.decisions.push(decision);
        if let Some(&expected) = self.expected.get(index)
            && self.divergence.is_none()
            && !agrees(expected, &decision)
        {
            self.divergence = Some(Divergence { index, expected, got: Some(decision) });
        }
        true
    }

    /// Whether there are decisions whose call stack is not known yet.
    pub fn has_unplaced(&self) -> bool {
        self.n_placed < self.decisions.len()
    }

    /// Says by which call stack the newest decisions were reached.
    pub fn place(&mut self, stack: u32) {
        for decision in &mut self.decisions[self.n_placed..] {
            decision.stack = stack;
        }
        self.n_placed = self.decisions.len();
    }

    /// Goes back to an earlier state. The decisions up to there are the expected ones.
    pub fn restore(&mut self, decisions: &[Decision], alternatives: &[Alternatives]) {
        self.decisions.clear();
        self.decisions.extend_from_slice(decisions);
        self.alternatives.clear();
        self.alternatives.extend_from_slice(alternatives);
        self.n_placed = decisions.len();
        for (index, decision) in decisions.iter().enumerate() {
            self.note_decided(decision.cond, index);
        }
    }

    /// Forgets decisions beyond some. Others were expected, or placed, when they were made.
    pub fn truncate(&mut self, n_decisions: usize) {
        self.decisions.truncate(n_decisions);
        self.n_placed = n_decisions;
    }

    fn note_decided(&mut self, cond: ExprId, index: usize) {
        if self.decided.len() <= cond.index() {
            self.decided.resize((cond.index() + 1).next_power_of_two(), 0);
        }
        self.decided[cond.index()] = index as u32;
    }

    /// The run is over: decisions that are still expected did not come.
    pub fn finish(&mut self) {
        let index = self.decisions.len();
        if let (None, Some(&expected)) = (self.divergence, self.expected.get(index)) {
            self.divergence = Some(Divergence { index, expected, got: None });
        }
    }
}

fn agrees((site, choice): Expected, decision: &Decision) -> bool {
    site == decision.site
        && match choice {
            Choice::Key(key) => key == decision.taken,
            Choice::Rest => true,
        }
}
