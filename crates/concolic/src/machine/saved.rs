//! What a snapshot keeps of the machine.
//!
//! Everything that a run notes is added at the end of some journal, so a moment of a run is how long these were. The rest is in
//! the log of the run, which all snapshots of the run share.

use super::aside::{SignedOperation, Stays};
use super::lazy::{Version, lazy_byte};
use super::{ConcolicMachine, Provenance};
use crate::decision::Decision;
use crate::input_bytes::{Grouped, Made, input_byte};
use crate::journal::{Entry, Sealed};
use crate::ledger::LedgerEntry;
use crate::path::{Alternatives, Divergence};
use crate::theories;
use rustc_hash::FxHashMap;
use spelunk_expr::ExprId;
use spelunk_libc::World;
use spelunk_vm::{Carried, Reversible};
use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

/// The journals of the machine itself: all state of a run that is neither in memory nor a theory's.
macro_rules! journals {
    ($($name:ident: $entry:ty = $($path:ident).+;)*) => {
        /// How much there was at some moment.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub(super) struct Lengths {
            $(pub $name: usize,)*
            theories: theories::Lengths,
        }

        /// All that a run noted.
        pub(super) struct Log {
            $($name: Arc<Vec<$entry>>,)*
            theories: Vec<Box<dyn Sealed>>,
        }

        impl ConcolicMachine {
            pub(super) fn lengths(&self) -> Lengths {
                Lengths { $($name: self.$($path).+.len(),)* theories: self.theories.lengths() }
            }

            /// The log of a run that is over, of which the decisions are taken out already.
            pub(super) fn log(&self, decisions: &Arc<Vec<Decision>>) -> Log {
                let log = Log { $($name: Arc::new(self.$($path).+.to_vec()),)* theories: self.theories.seal() };
                Log { decisions: Arc::clone(decisions), ..log }
            }
        }

        impl Log {
            /// Calls `visit` with the expressions of entries up to some moment, but for those that were visited before.
            fn visit_exprs(&self, visited: &mut Lengths, until: &Lengths, visit: &mut dyn FnMut(ExprId)) {
                $(
                    let first = visited.$name.min(until.$name);
                    visited.$name = visited.$name.max(until.$name);
                    self.$name[first..until.$name].iter().for_each(|entry| entry.visit_exprs(visit));
                )*
                for (theory, sealed) in self.theories.iter().enumerate() {
                    let (visited, until) = (&mut visited.theories[theory], until.theories[theory]);
                    sealed.visit_exprs((*visited).min(until) as usize..until as usize, visit);
                    *visited = (*visited).max(until);
                }
            }
        }
    };
}

journals! {
    decisions: Decision = path.decisions;
    alternatives: Alternatives = path.alternatives;
    ledger: LedgerEntry = ledger;
    made: Made = inputs.made;
    variables: Grouped = inputs.grouped;
    lazy: Version = lazy.versions;
    calls: CallsMade = calls;
    signed: SignedOperation = signed;
}

impl Lengths {
    /// Whether nothing but decisions was noted since an earlier moment.
    pub fn adds_only_decisions(&self, before: &Self) -> bool {
        Self { decisions: before.decisions, ..*self } == *before
    }

    /// Whether nothing was noted since an earlier moment but what was decided, read and given up.
    pub fn adds_no_state(&self, before: &Self) -> bool {
        Self { variables: before.variables, ledger: before.ledger, ..*self }.adds_only_decisions(before)
    }
}

/// How many calls of a unit are over, and whether none comes after these.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallsMade {
    pub n_called: usize,
    pub is_end: bool,
}

impl Entry for CallsMade {}

pub struct SavedMachine {
    pub(super) world: <World as Reversible>::Saved,
    pub(super) log: SharedLog,
    pub(super) lengths: Lengths,
    /// If code runs aside: what only the path itself has.
    pub(super) interrupted: Option<Interrupted>,
}

/// What no snapshot needs, since the run that uses it makes it anew.
pub(super) struct Interrupted {
    pub stays: Stays,
    pub n_goals: usize,
    pub divergence: Option<Divergence>,
    pub is_halted: bool,
    pub is_trial: bool,
    pub before_decision: Option<Lengths>,
    pub operation: Option<(u64, Lengths)>,
}

impl SavedMachine {
    /// How many decisions there were.
    pub fn n_decisions(&self) -> usize {
        self.lengths.decisions
    }

    /// Calls `visit` with every expression that a run from here on may use, as far as it is not in registers or memory; with
    /// some more than once. What of its log was visited before is left out.
    pub(crate) fn visit_exprs(
        &self,
        visited: &mut VisitedLogs,
        provenance: &Provenance,
        mut visit: impl FnMut(ExprId),
    ) {
        self.world.exprs().filter_map(|carried| as_expr(provenance, carried)).for_each(&mut visit);
        if let Some(log) = self.log.get() {
            log.visit_exprs(visited.0.entry(Rc::as_ptr(&self.log)).or_default(), &self.lengths, &mut visit);
        }
    }
}

/// How much of each log was visited. A path may have as many snapshots as decisions: what they have in common is to be visited
/// once.
#[derive(Default)]
pub(crate) struct VisitedLogs(FxHashMap<*const OnceCell<Log>, Lengths>);

/// What memory and files carry, if it is an expression and no number of a byte.
pub(crate) fn as_expr(provenance: &Provenance, carried: Carried) -> Option<ExprId> {
    (!is_number(carried)).then(|| provenance.expr(carried))
}

/// Whether it is the number of a byte.
pub(super) fn is_number(carried: Carried) -> bool {
    input_byte(carried).is_some() || lazy_byte(carried).is_some()
}

/// The log of a run, once it is over.
pub(super) type SharedLog = Rc<OnceCell<Log>>;

/// The order matters: values are those under the present input as soon as its bytes are in place, and theories may ask for them.
impl Reversible for ConcolicMachine {
    type Saved = SavedMachine;

    fn save(&mut self) -> Option<SavedMachine> {
        let lengths = self.taking.lengths.unwrap_or_else(|| self.lengths());
        let world = self.world.save()?;
        Some(SavedMachine { world, log: Rc::clone(&self.log), lengths, interrupted: None })
    }

    fn restore(&mut self, saved: &SavedMachine) {
        let log = saved.log.get().expect("a run is over before a snapshot of it is used");
        let lengths = &saved.lengths;
        self.world.restore(&saved.world);
        self.path.restore(&log.decisions[..lengths.decisions], &log.alternatives[..lengths.alternatives]);
        replace(&mut self.ledger, &log.ledger[..lengths.ledger]);
        replace(&mut self.calls, &log.calls[..lengths.calls]);
        replace(&mut self.signed, &log.signed[..lengths.signed]);
        self.lazy.restore(&log.lazy[..lengths.lazy]);
        self.known_sums.clear();
        let (made, variables) = (&log.made[..lengths.made], &log.variables[..lengths.variables]);
        self.inputs.restore(made, variables, &self.input);
        // No snapshot is taken where nothing is followed.
        self.muted.clear();
        self.forget_operation();
        self.begin_evaluation();
        self.restore_theories(&log.theories, &lengths.theories);
        self.reevaluate_files();
    }
}

fn replace<T: Clone>(list: &mut Vec<T>, by: &[T]) {
    list.clear();
    list.extend_from_slice(by);
}
