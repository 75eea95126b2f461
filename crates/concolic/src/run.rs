//! What comes of a run, and what it could have decided instead.

use crate::decision::{Choice, Decision, DecisionKind, Others};
use crate::input::Input;
use crate::key::ObjectKey;
use crate::ledger::LedgerEntry;
use crate::observed::Observed;
use crate::path::{Alternatives, AlternativesOf, Divergence, Goal, Refused};
use crate::switches::Switches;
use crate::theories::flow::FlowRecord;
use spelunk_expr::{ExprId, ExprPool, Model};
use spelunk_hex::Example;
use spelunk_ir::code::OpIdx;
use spelunk_vm::Stop;
use std::sync::Arc;

/// What came of a run.
#[derive(Debug)]
pub struct Run {
    /// All decisions, in order. Their conditions together are what inputs satisfy that take the same path.
    pub path: Arc<Vec<Decision>>,
    pub stop: Stop,
    /// Whether other inputs with the same decisions may go on where this run ended.
    pub goes_on: bool,
    /// The innermost operation of the user's code that was under way at the end.
    pub last_op: OpIdx,
    /// Where the run first left the predicted path.
    pub divergence: Option<Divergence>,
    /// What runs of the same path, or of others near it, could do that no run has done yet.
    pub goals: Vec<Goal>,
    pub ledger: Vec<LedgerEntry>,
    /// If the run ends in a bug: the functions without a definition that it depends on.
    pub made_up: Vec<Arc<str>>,
    /// If it accesses what lies past the end of an object of the input of which nobody has said how large it is: that object.
    pub unknown_size: Option<Arc<ObjectKey>>,
    /// After how many steps a sequence of calls was over, the last one perhaps under way, if there are more.
    pub n_steps: Option<usize>,
    /// What our own error was that ended the run, if one did.
    pub failure: Option<String>,
    /// Operations from the start of the program to the end of the path.
    pub steps: u64,
    /// How many of them were really executed, and not spared by a snapshot.
    pub executed: u64,
    /// All input that the program asked for, as this run had it.
    pub input: Arc<Input>,
    /// Where its objects were, in order, those that pointers may lead to; 0 for others. Nothing if there are none such, or
    /// nobody has [looked](crate::Runner::observe).
    pub addresses: Vec<u64>,
    /// Pointers of the input that nothing was decided about, by object and offset, if someone has [looked](crate::Runner::observe).
    pub undecided: Vec<(Arc<ObjectKey>, u32)>,
    /// Numbers and pointers of the input that the run has not looked at, by object and offset, if someone has [looked](crate::Runner::observe).
    pub unseen: Vec<(Arc<ObjectKey>, u32)>,
    /// The input as values of the variables that the path's conditions speak of.
    pub model: Model,
    /// What the calls of a unit did, if someone has [looked](crate::Runner::observe).
    pub observed: Option<Box<Observed>>,
    /// The heap that the calls have built, if someone has [looked](crate::Runner::observe) who learns from it.
    pub example: Option<Example>,
    /// Whether the path has a valid input, if someone has asked.
    pub audit: Option<Audit>,
    /// What it was the first to reach of what its campaign looks for, by number, if someone has asked.
    pub targets: Vec<usize>,
    /// Whether it was the first to reach something, if someone has looked.
    pub reaches_new: bool,
    /// What its decisions depend on, if that is followed.
    pub flow: Option<Box<FlowRecord>>,
    pub(crate) alternatives: Vec<Alternatives>,
    pub(crate) refused: Vec<Refused>,
}

/// Whether a path has an input that a function of the program accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Audit {
    Valid,
    Invalid,
    Unknown,
}

impl Run {
    /// What could have been decided instead at one of its decisions.
    pub(crate) fn others(&self, pool: &mut ExprPool, switches: &Switches, index: usize) -> Others {
        let decision = &self.path[index];
        if let Ok(found) = self.alternatives.binary_search_by_key(&index, |alternatives| alternatives.index) {
            return match &self.alternatives[found].of {
                AlternativesOf::Switch { table, value } => switches.others(pool, *table, *value, decision.taken),
                AlternativesOf::Listed(all) => {
                    let others = all.iter().filter(|(key, cond)| *key != decision.taken && *cond != ExprId::FALSE);
                    others.map(|&(key, cond)| (Choice::Key(key), cond)).collect()
                }
            };
        }
        let choice = match decision.kind {
            DecisionKind::Switch | DecisionKind::Choice => unreachable!("their alternatives are listed"),
            DecisionKind::Branch | DecisionKind::Check(_) => Choice::Key(1 - decision.taken),
            DecisionKind::Alias => Choice::Key(decision.taken ^ 1),
            DecisionKind::Region | DecisionKind::Value => Choice::Rest,
            DecisionKind::Granted => return Others::new(),
            DecisionKind::Assumed if decision.taken == 1 => return Others::new(),
            DecisionKind::Assumed => Choice::Key(1),
        };
        Others::from_elem((choice, pool.mk_not(decision.cond)), 1)
    }
}
