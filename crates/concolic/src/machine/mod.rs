//! The machine of a concolic run: expressions beside concrete values, and every decision on the way.
//!
//! This file is a run from its beginning to its end. `hooks` is what the VM calls, `arithmetic` what results of operations
//! carry, `expressions` goes from values to expressions and back, `decide` puts decisions on the path. `join` makes expressions of
//! bytes, `checks` and `address` the decisions of implicit checks and of symbolic addresses, `lazy` what memory holds after a write
//! of symbolic place or length, `copies` such writes, `linear` which of two places comes first, `provenance` what pointers were
//! computed from, `saved` what of a run a snapshot keeps, `summaries` answers calls by what functions return, `self_check` compares expressions with concrete values. Pointers of the
//! input, open sizes and symbolic indices are [`crate::theories`]. What a run is given is in [`crate::options`], what comes of it
//! in [`crate::run`].

mod address;
mod arithmetic;
pub mod aside;
mod checks;
pub(crate) mod copies;
mod decide;
mod expressions;
mod goals;
mod hooks;
mod join;
pub(crate) mod lazy;
mod linear;
mod muted;
mod provenance;
pub(crate) mod saved;
mod self_check;
mod snapshots;
mod summaries;
mod unseen;

pub use provenance::Base;
pub(crate) use provenance::Provenance;
pub(crate) use saved::{CallsMade, VisitedLogs, as_expr};
pub use snapshots::{RunSnapshot, SnapshotPolicy};
pub use summaries::SummaryWork;

use crate::decision::Decision;
use crate::harness::Undefined;
use crate::input::Input;
use crate::input_bytes::{InputBytes, Made};
use crate::key::{ObjectKey, Series};
use crate::ledger::{Bound, LedgerEntry, LedgerKind, NOWHERE};
use crate::marks::Marks;
use crate::options::Options;
use crate::path::{Alternatives, Expected, Goal, Met, Path, Refused};
use crate::switches::Switches;
use crate::theories::Theories;
use crate::theories::flow::Watch;
use crate::variables::Variables;
use aside::{Round, SignedOperation, Stays};
use lazy::LazyBytes;
use saved::SharedLog;
use self_check::SelfCheck;
use snapshots::{Taking, Values};
use spelunk_expr::{ExprId, ExprPool, Model};
use spelunk_ir::code::OpIdx;
use spelunk_ir::lower::Uninitialised;
use spelunk_libc::{Capture, Input as Stdin, Output, World};
use spelunk_vm::memory::ObjectId;
use spelunk_vm::{Beyond, Muted};
use std::rc::Rc;
use std::sync::Arc;
use summaries::Summaries;

pub struct ConcolicMachine {
    pub pool: ExprPool,
    pub variables: Variables,
    pub marks: Marks,
    pub(crate) world: World,
    pub(crate) input: Input,
    pub(crate) inputs: InputBytes,
    pub(crate) path: Path,
    pub(crate) ledger: Vec<LedgerEntry>,
    pub(crate) switches: Arc<Switches>,
    pub(crate) undefined: Undefined,
    pub(crate) uninitialised: Uninitialised,
    pub(crate) lazy: LazyBytes,
    pub(crate) known_sums: linear::KnownSums,
    /// Whether objects of a unit's input are plain in this run.
    pub(crate) is_probing: bool,
    pub(crate) theories: Theories,
    /// What pointers were computed from.
    pub(crate) provenance: Provenance,
    /// The address of the access at hand, and what is left of it once theories have resolved it.
    pub(crate) located: Option<(u64, ExprId)>,
    /// How many calls of the unit under test are over, each time that changed.
    calls: Vec<CallsMade>,
    /// Operations on signed numbers that may have overflowed.
    signed: Vec<SignedOperation>,
    /// Where and why nothing is followed at the moment, innermost last.
    muted: Vec<(OpIdx, Muted)>,
    /// Functions whose calls are answered by what they return.
    pub(crate) summaries: Summaries,
    /// Of what runs aside next.
    stays: Stays,
    /// Where code that is tried out stops.
    round: Option<Round>,
    self_check: Option<Box<SelfCheck>>,
    /// What values depend on, if that is followed.
    pub(crate) watch: Option<Box<Watch>>,
    taking: Taking,
    values: Values,
    log: SharedLog,
}

/// What a run noted.
pub(crate) struct Noted {
    pub decisions: Arc<Vec<Decision>>,
    pub alternatives: Vec<Alternatives>,
    pub goals: Vec<Goal>,
    pub refused: Vec<Refused>,
    pub ledger: Vec<LedgerEntry>,
}

/// Whether each expression is compared with the concrete value beside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Checking {
    #[default]
    Off,
    On,
}

impl ConcolicMachine {
    pub(crate) fn new(switches: Arc<Switches>, n_ops: usize, options: &Options) -> Self {
        Self {
            pool: ExprPool::new(),
            variables: Variables::default(),
            marks: Marks::new(n_ops),
            world: world_in_memory(),
            input: Input::new(),
            inputs: InputBytes::default(),
            path: Path::default(),
            ledger: Vec::new(),
            switches,
            undefined: options.undefined,
            uninitialised: options.uninitialised,
            lazy: LazyBytes::default(),
            known_sums: linear::KnownSums::default(),
            is_probing: false,
            theories: Theories::new(options),
            provenance: Provenance::default(),
            located: None,
            watch: None,
            calls: Vec::new(),
            signed: Vec::new(),
            muted: Vec::new(),
            summaries: Summaries::new(&options.summarised),
            stays: Stays::default(),
            round: None,
            self_check: (options.checking == Checking::On).then(Box::default),
            taking: Taking::default(),
            values: Values::default(),
            log: SharedLog::default(),
        }
    }

    /// After a failure: what runs have in common, without the state of any. The pool, and with it all that decisions of
    /// earlier runs speak of, stays.
    pub(crate) fn renewed(self, options: &Options) -> Self {
        let Self { pool, variables, marks, switches, theories, provenance, path, inputs, summaries, .. } = self;
        let marks = summaries.into_marks(marks);
        let mut renewed = Self { pool, variables, marks, theories, provenance, ..Self::new(switches, 0, options) };
        (renewed.inputs.heap, renewed.inputs.sets) = (inputs.heap, inputs.sets);
        renewed.path.met = path.met;
        let noted = renewed.theories.seal();
        renewed.restore_theories(&noted, &Default::default());
        renewed
    }

    /// Prepares a run with this input. What the last one left is replaced when a snapshot is restored.
    pub(crate) fn begin(&mut self, input: &Input, expected: &[Expected], policy: Option<SnapshotPolicy>) {
        self.input.clone_from(input);
        self.inputs.expect(input);
        self.path.expect(expected, self.marks.n_new());
        self.known_sums.clear();
        self.is_probing = false;
        self.taking = Taking { policy, ..Taking::default() };
        self.log = SharedLog::default();
    }

    /// The run is over: hands over what it noted.
    pub(crate) fn finish(&mut self) -> Noted {
        self.path.finish();
        let decisions = Arc::new(std::mem::take(&mut self.path.decisions));
        // Only snapshots need the rest.
        if Rc::strong_count(&self.log) > 1 {
            assert!(self.log.set(self.log(&decisions)).is_ok(), "a run is over once");
        }
        let alternatives = std::mem::take(&mut self.path.alternatives);
        let goals = std::mem::take(&mut self.path.goals);
        let refused = std::mem::take(&mut self.path.refused);
        let ledger = std::mem::take(&mut self.ledger);
        Noted { decisions, alternatives, goals, refused, ledger }
    }

    /// The input that the run had.
    pub(crate) fn used_input(&self) -> Input {
        self.inputs.used()
    }

    /// Which bounds of the input may have decided how the run went, each once.
    pub(crate) fn bounds_met(&self, beyond: Option<Beyond>) -> Vec<LedgerEntry> {
        // A string without a stated size may be written to as far as its room goes, which nobody knows.
        let overread = beyond.filter(|beyond| !beyond.is_write).map(|beyond| beyond.object);
        let of_string = overread.and_then(|object| self.inputs.bound_of_string(object));
        let mut bounds: Vec<Bound> = self.inputs.bounds_met().chain(of_string).collect();
        bounds.sort_unstable();
        bounds.dedup();
        let entry = |bound| LedgerEntry { kind: LedgerKind::Bound(bound), site: NOWHERE, detail: None };
        bounds.into_iter().map(entry).collect()
    }

    /// Where the objects of an input are that pointers lead to, 0 for others.
    pub(crate) fn addresses(&self, input: &Input) -> Vec<u64> {
        let heap = &self.inputs.heap;
        if !heap.has_places() {
            return Vec::new();
        }
        let address = |key: &ObjectKey| {
            let node = heap.node(heap.find(key)?);
            (!node.is_root()).then_some(node.addr)
        };
        input.objects.iter().map(|object| address(&object.key).unwrap_or(0)).collect()
    }

    /// The values that the input gives to the variables.
    pub fn model(&self) -> Model {
        self.inputs.model()
    }

    /// The values that an input gives to all variables that runs have made.
    pub fn model_of(&self, input: &Input) -> Model {
        self.variables.model(&self.inputs.heap, input)
    }

    /// The conditions that runs met so far.
    pub fn met(&self) -> Met {
        self.path.met
    }

    /// The snapshots of the last run, with the number of the first decision after each.
    pub(crate) fn take_snapshots(&mut self) -> Vec<(usize, RunSnapshot)> {
        std::mem::take(&mut self.taking.taken)
    }

    /// Counts the operations from here on.
    pub(crate) fn start_counting(&mut self, steps: u64) {
        self.taking.last = steps;
    }

    /// Before the first call, or between two calls of a unit: what was decided there belongs to no operation.
    pub(crate) fn settle(&mut self, steps: u64) {
        if self.path.has_unplaced() {
            self.path.place(0);
        }
        self.commit_operation(steps);
    }

    /// Makes an object of input; what its bytes carry is to be put into memory.
    /// `steps` is the number of the operation that does it.
    pub(crate) fn make_input(&mut self, series: Series<'_>, len: u32, steps: u64) -> Made {
        self.begin_operation(steps);
        self.inputs.make_next(&self.input, series, len)
    }

    /// How many calls of the unit under test are over.
    pub(crate) fn n_called(&self) -> usize {
        self.calls.last().map_or(0, |calls| calls.n_called)
    }

    /// After how many calls the sequence was over, if others could have followed.
    pub(crate) fn ended_after(&self) -> Option<usize> {
        self.calls.last().filter(|calls| calls.is_end).map(|calls| calls.n_called)
    }

    pub(crate) fn set_called(&mut self, calls: CallsMade) {
        self.calls.push(calls);
    }

    pub(crate) fn note(&mut self, kind: LedgerKind, site: OpIdx) {
        self.ledger.push(LedgerEntry { kind, site, detail: None });
    }

    /// Whether a string is longer than usual without a decision that says so.
    pub fn has_undecided_long(&self) -> bool {
        self.inputs.has_undecided_long()
    }

    /// How an access goes depends on where an object ends: if that is one of the input, it is as large as inputs have it.
    pub(crate) fn note_end(&mut self, site: OpIdx, object: ObjectId) {
        let heap = &self.inputs.heap;
        let Some(made) = heap.node_of(object).and_then(|node| self.inputs.of_node(node)) else { return };
        if made.counted_by.is_none() {
            let bytes = if made.len == 1 { "byte" } else { "bytes" };
            let detail = format!("an object of the input ends after {} {bytes}", made.len);
            self.note_once(LedgerKind::ObjectSize, site, &detail);
        }
    }

    /// The same as [`note`](Self::note) with what it was, once for each place.
    pub(crate) fn note_once(&mut self, kind: LedgerKind, site: OpIdx, detail: &str) {
        if !self.ledger.iter().any(|entry| entry.kind == kind && entry.site == site) {
            self.ledger.push(LedgerEntry { kind, site, detail: Some(detail.into()) });
        }
    }
}

/// A world whose standard streams have nothing to do with the host's, and in which nothing happens to its files.
fn world_in_memory() -> World {
    let stdin = Stdin::Bytes { bytes: Vec::new(), position: 0 };
    World::private(stdin, Output::Capture(Capture::default()), Output::Capture(Capture::default()))
}
