//! What a snapshot keeps of the machine.
//!
//! Everything that a run notes is added at some end, so a moment of a run is how much there was. The rest is in the log
//! of the run, which all snapshots of the run share.

use super::ConcolicMachine;
use super::arrays::{SavedArrays, array_byte};
use super::path_graph::{GraphLengths, SavedGraph};
use super::sizes::SavedSizes;
use crate::decision::Decision;
use crate::input_bytes::{InputLengths, SavedInputs, input_byte};
use crate::ledger::LedgerEntry;
use crate::path::Switched;
use rustc_hash::FxHashMap;
use spelunk_expr::ExprId;
use spelunk_libc::World;
use spelunk_vm::{Carried, Muted, Reversible};
use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

pub struct SavedMachine {
    world: <World as Reversible>::Saved,
    log: SharedLog,
    lengths: Lengths,
    muted: Vec<(u32, Muted)>,
}

impl SavedMachine {
    /// How many decisions there were.
    pub fn n_decisions(&self) -> usize {
        self.lengths.n_decisions
    }

    /// Calls `visit` with every expression that a run from here on may use, as far as it is not in registers or memory; with
    /// some more than once. What of its log was visited before is left out.
    pub(crate) fn visit_exprs(&self, visited: &mut VisitedLogs, mut visit: impl FnMut(ExprId)) {
        self.world.exprs().filter_map(as_expr).for_each(&mut visit);
        let Some(log) = self.log.get() else { return };
        let Lengths { n_decisions, n_switched, n_arrays, n_sizes, inputs, .. } = self.lengths;
        let visited = visited.0.entry(log).or_default();
        let mut unvisited = |list: usize, len: usize| {
            let first = visited[list].min(len);
            visited[list] = visited[list].max(len);
            first..len
        };
        log.decisions[unvisited(0, n_decisions)].iter().for_each(|decision| visit(decision.cond));
        log.switched[unvisited(1, n_switched)].iter().for_each(|switched| visit(switched.value));
        log.inputs.exprs(unvisited(2, inputs.n_variables())).for_each(&mut visit);
        log.arrays.exprs(unvisited(3, n_arrays)).for_each(&mut visit);
        log.sizes.exprs(unvisited(4, n_sizes)).for_each(&mut visit);
    }
}

/// How much of the lists of each log was visited. A path may have as many snapshots as decisions: what they have in common
/// is to be visited once.
#[derive(Default)]
pub(crate) struct VisitedLogs(FxHashMap<*const Log, [usize; 5]>);

/// What memory and files carry, if it is an expression and no number of a byte.
pub(crate) fn as_expr(carried: Carried) -> Option<ExprId> {
    let is_number = input_byte(carried).is_some() || array_byte(carried).is_some();
    (!is_number).then(|| ExprId::from_raw(carried.0))
}

/// The log of a run, once it is over.
pub(super) type SharedLog = Rc<OnceCell<Log>>;

/// All that a run noted.
pub(super) struct Log {
    pub decisions: Arc<Vec<Decision>>,
    pub switched: Arc<Vec<Switched>>,
    pub ledger: Vec<LedgerEntry>,
    pub inputs: SavedInputs,
    pub arrays: SavedArrays,
    pub sizes: SavedSizes,
    pub graph: SavedGraph,
}

/// How much there was at some moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lengths {
    pub n_decisions: usize,
    n_switched: usize,
    n_ledger: usize,
    n_arrays: usize,
    n_sizes: usize,
    graph: GraphLengths,
    inputs: InputLengths,
}

impl ConcolicMachine {
    pub(super) fn lengths(&self) -> Lengths {
        Lengths {
            n_decisions: self.path.decisions.len(),
            n_switched: self.path.switched.len(),
            n_ledger: self.ledger.len(),
            n_arrays: self.arrays.len(),
            n_sizes: self.sizes.len(),
            graph: self.graph.as_ref().map(|graph| graph.lengths()).unwrap_or_default(),
            inputs: self.inputs.lengths(),
        }
    }
}

impl Reversible for ConcolicMachine {
    type Saved = SavedMachine;

    fn save(&mut self) -> Option<SavedMachine> {
        let lengths = self.taking.lengths.unwrap_or_else(|| self.lengths());
        let world = self.world.save()?;
        Some(SavedMachine { world, log: Rc::clone(&self.log), lengths, muted: self.muted.clone() })
    }

    fn restore(&mut self, saved: &SavedMachine) {
        let log = saved.log.get().expect("a run is over before a snapshot of it is used");
        let lengths = saved.lengths;
        self.world.restore(&saved.world);
        self.path.restore(&log.decisions[..lengths.n_decisions], &log.switched[..lengths.n_switched]);
        self.ledger.clear();
        self.ledger.extend_from_slice(&log.ledger[..lengths.n_ledger]);
        self.arrays.restore(&log.arrays, lengths.n_arrays);
        let heap = self.graph.as_ref().map(|graph| &graph.heap);
        self.inputs.restore(&log.inputs, lengths.inputs, &self.variables, heap, &self.input);
        if let Some(graph) = &mut self.graph {
            graph.restore(&log.graph, lengths.graph);
        }
        self.muted.clone_from(&saved.muted);
        self.forget_operation();
        self.begin_evaluation();
        self.restore_sizes(&log.sizes, lengths.n_sizes);
        self.reevaluate_files();
    }
}
