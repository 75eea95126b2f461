//! Runs of one program, one after another, with one pool of expressions.

use crate::decision::Others;
use crate::failure;
use crate::harness::Harness;
use crate::input::{Input, InputObject};
use crate::machine::{ConcolicMachine, RunSnapshot, SnapshotPolicy, SummaryWork, VisitedLogs, as_expr};
use crate::made_up::made_up;
use crate::options::{Options, Strings};
use crate::path::Expected;
use crate::run::Run;
use crate::start::Start;
use crate::switches::Switches;
use crate::theories;
use crate::theories::flow::Knowledge;
use spelunk_expr::{ExprId, ExprPool, ExprSet};
use spelunk_ir::code::CheckedImage;
use spelunk_vm::memory::Fault;
use spelunk_vm::{Attention, BugKind, Limit, Notes, Stop, Traces, Unsupported, Vm};
use std::sync::Arc;

pub struct Runner<'p> {
    image: &'p CheckedImage,
    options: Options,
    state: State<'p>,
    switches: Arc<Switches>,
}

enum State<'p> {
    /// Nothing was run yet.
    New(Box<ConcolicMachine>),
    Ready(Box<Ready<'p>>),
    /// The program's variables don't fit in memory.
    Unusable,
}

/// A machine that can run, and the state that runs start from.
struct Ready<'p> {
    vm: Vm<'p, ConcolicMachine>,
    start: Start,
    before: RunSnapshot,
    leaks: bool,
    memory: bool,
}

impl<'p> Runner<'p> {
    pub fn new(image: &'p CheckedImage, options: Options) -> Self {
        let switches = Arc::new(Switches::new(image));
        let machine = ConcolicMachine::new(Arc::clone(&switches), image.ops.len(), &options);
        Self { image, options, state: State::New(Box::new(machine)), switches }
    }

    /// Runs the program with an input. The first decisions are compared with the `expected` ones. An error only if the
    /// program's variables don't fit in memory.
    pub fn run(&mut self, input: &Input, expected: &[Expected]) -> Result<Run, Fault> {
        self.run_whole(input, expected, self.options.snapshots, None)
    }

    /// Whether calls were answered by what functions return ([`Options::summarised`]).
    pub fn has_summarised(&self) -> bool {
        self.machine().summaries.has_answered()
    }

    /// What that took in all runs.
    pub fn summary_work(&self) -> SummaryWork {
        self.machine().summaries.work()
    }

    /// As `run`, going into all functions: what whoever runs the input again will see.
    pub fn run_plainly(&mut self, input: &Input) -> Result<Run, Fault> {
        self.set_patience(usize::MAX);
        self.machine_mut().summaries.set_off(true);
        let run = self.run_whole(input, &[], None, None);
        self.machine_mut().summaries.set_off(false);
        run
    }

    /// The same with input that carries nothing, unless functions return it that nobody defines: for what comes of it, not for the path.
    /// It ends after so many instructions.
    pub fn probe(&mut self, input: &Input, max_steps: u64) -> Result<Run, Fault> {
        self.run_whole(input, &[], None, Some(max_steps))
    }

    fn run_whole(
        &mut self,
        input: &Input,
        expected: &[Expected],
        policy: Option<SnapshotPolicy>,
        probe: Option<u64>,
    ) -> Result<Run, Fault> {
        let ready = self.ready()?;
        ready.vm.machine.begin(input, expected, policy);
        ready.vm.machine.is_probing = probe.is_some();
        ready.vm.restore(&ready.before);
        ready.start.make_inputs(&mut ready.vm)?;
        let first = ready.vm.steps();
        ready.vm.machine.start_counting(first);
        ready.vm.end_after(probe.unwrap_or(u64::MAX));
        let stop = ready.start.call(&mut ready.vm);
        ready.vm.end_after(u64::MAX);
        failure::pass("run");
        let stop = ready.judged(stop);
        Ok(ready.finish(stop, first))
    }

    /// An input to begin with, as theories would have it.
    pub fn completed(&mut self, input: &Input) -> Result<Input, Fault> {
        let machine = &mut self.ready()?.vm.machine;
        machine.inputs.heap.learn(input);
        Ok(machine.completed(input))
    }

    /// What is known of what depends on what, if runs tell that.
    pub fn flow(&self) -> Option<&Arc<Knowledge>> {
        self.options.flow.as_ref()
    }

    /// Whether a function of the unit says which inputs are valid.
    pub fn audits(&self) -> bool {
        self.options.unit.as_ref().is_some_and(|unit| unit.audit.is_some())
    }

    /// As `run`; behind the path that is expected, that function is called with the input as it was given. What it decides is part of
    /// the run; whether it accepts is told if it returns.
    pub fn audit(&mut self, input: &Input, expected: &[Expected]) -> Result<(Run, Option<bool>), Fault> {
        let ready = self.ready()?;
        ready.vm.machine.begin(input, expected, None);
        ready.vm.machine.path.is_audit = true;
        ready.vm.restore(&ready.before);
        ready.start.make_inputs(&mut ready.vm)?;
        let stop = ready.start.call(&mut ready.vm);
        let is_accepted = match ready.vm.machine.path.is_halted {
            true => None,
            false => ready.start.audit(&mut ready.vm),
        };
        let first = ready.vm.steps();
        Ok((ready.finish(stop, first), is_accepted))
    }

    /// The same, from a snapshot of an earlier run on, whose decisions up to there are the first of the expected ones.
    pub fn run_from(&mut self, snapshot: &RunSnapshot, input: &Input, expected: &[Expected]) -> Result<Run, Fault> {
        let policy = self.options.snapshots;
        let ready = self.ready()?;
        ready.vm.machine.begin(input, expected, policy);
        ready.vm.restore(snapshot);
        ready.start.make_inputs(&mut ready.vm)?;
        let first = ready.vm.steps();
        ready.vm.machine.start_counting(first);
        let under_way = ready.vm.resume();
        let stop = ready.start.go_on(&mut ready.vm, under_way);
        let stop = ready.judged(stop);
        Ok(ready.finish(stop, first))
    }

    /// After a panic in a run: what the run was until then, if that can still be told. The next one is in a new VM, so
    /// that snapshots from before must not be used any more.
    pub fn recover(&mut self, what: &str) -> Result<Option<Run>, Fault> {
        let mut ready = match std::mem::replace(&mut self.state, State::Unusable) {
            State::Ready(ready) => ready,
            State::New(machine) => {
                self.state = State::New(machine);
                return Ok(None);
            }
            State::Unusable => panic!("there is no machine: {what}"),
        };
        let run = failure::catch(|| {
            let trace = ready.vm.trace();
            let stop = Stop::Unsupported(Box::new(Unsupported { what: format!("internal error: {what}"), trace }));
            let first = ready.vm.steps();
            Run { failure: Some(what.to_owned()), ..ready.finish(stop, first) }
        });
        let machine = ready.vm.machine.renewed(&self.options);
        self.state = State::Ready(Box::new(Ready::new(self.image, machine, &self.options, ready.vm.traces)?));
        Ok(run.ok())
    }

    /// Takes down where the objects of the run that has just ended were, and what the calls of a unit did if they have
    /// returned, provided that runs are observed.
    pub fn observe(&self, run: &mut Run) {
        let State::Ready(ready) = &self.state else { return };
        if !self.options.observes {
            return;
        }
        run.addresses = ready.vm.machine.addresses(&run.input);
        run.undecided = ready.vm.machine.undecided();
        run.unseen = ready.vm.machine.unseen(&run.path);
        if matches!(run.stop, Stop::Exited(_)) {
            run.observed = ready.start.observe(&ready.vm).map(Box::new);
            run.example = ready.start.example(&ready.vm);
        }
    }

    /// How many decisions in a row may bring nothing new, behind those that are expected, until a run is put aside.
    pub fn set_patience(&mut self, n_decisions: usize) {
        self.machine_mut().path.patience = n_decisions;
    }

    /// The snapshots that the last run took, in order, each with the number of the first decision after it.
    pub fn take_snapshots(&mut self) -> Vec<(usize, RunSnapshot)> {
        self.machine_mut().take_snapshots()
    }

    /// The memory that snapshots take, in bytes.
    pub fn snapshot_bytes(&mut self) -> u64 {
        match &mut self.state {
            State::Ready(ready) => ready.vm.snapshot_bytes(),
            _ => 0,
        }
    }

    /// Drops all expressions but those that runs from these snapshots may use, and `others`. Returns the ids that became
    /// free. Decisions of earlier runs lose their conditions unless these are among the others.
    pub fn collect<'s>(
        &mut self,
        snapshots: impl IntoIterator<Item = &'s RunSnapshot>,
        others: impl IntoIterator<Item = ExprId>,
    ) -> Vec<ExprId> {
        // Runs have most of what they need in common.
        let (mut known, mut roots) = (ExprSet::new(self.pool()), Vec::new());
        let provenance = &self.machine().provenance;
        let mut add = |expr: ExprId| {
            if known.insert(expr) {
                roots.push(expr);
            }
        };
        others.into_iter().for_each(&mut add);
        let mut visited = VisitedLogs::default();
        for snapshot in snapshots {
            snapshot.visit_exprs(|carried| as_expr(provenance, carried).into_iter().for_each(&mut add));
            snapshot.machine().visit_exprs(&mut visited, provenance, &mut add);
        }
        if let State::Ready(ready) = &self.state {
            // Memory of snapshots is kept as what differs from the present one.
            ready.vm.visit_exprs(|carried| as_expr(provenance, carried).into_iter().for_each(&mut add));
        }
        self.pool_mut().collect(roots)
    }

    fn ready(&mut self) -> Result<&mut Ready<'p>, Fault> {
        if let State::New(_) = self.state
            && let State::New(machine) = std::mem::replace(&mut self.state, State::Unusable)
        {
            self.state = State::Ready(Box::new(Ready::new(self.image, *machine, &self.options, Traces::default())?));
        }
        match &mut self.state {
            State::Ready(ready) => Ok(ready),
            _ => Err(Fault::Exhausted { wanted: 0 }),
        }
    }

    pub fn machine(&self) -> &ConcolicMachine {
        match &self.state {
            State::New(machine) => machine,
            State::Ready(ready) => &ready.vm.machine,
            State::Unusable => unreachable!("whoever saw the error has no further questions"),
        }
    }

    pub fn machine_mut(&mut self) -> &mut ConcolicMachine {
        match &mut self.state {
            State::New(machine) => machine,
            State::Ready(ready) => &mut ready.vm.machine,
            State::Unusable => unreachable!("whoever saw the error has no further questions"),
        }
    }

    /// The call stacks of decisions, by their numbers. None before the first run.
    pub fn traces(&self) -> Option<&Traces> {
        match &self.state {
            State::Ready(ready) => Some(&ready.vm.traces),
            _ => None,
        }
    }

    pub fn pool(&self) -> &ExprPool {
        &self.machine().pool
    }

    pub fn pool_mut(&mut self) -> &mut ExprPool {
        &mut self.machine_mut().pool
    }

    /// What could have been decided instead at a decision of a run.
    pub fn others(&mut self, run: &Run, index: usize) -> Others {
        let switches = Arc::clone(&self.switches);
        run.others(self.pool_mut(), &switches, index)
    }

    /// Whether any bytes make an input: no theory from outside, such as that of a grammar, says otherwise, and no rules for heaps.
    pub fn is_free(&self) -> bool {
        let has_rules = self.options.unit.as_ref().is_some_and(|unit| unit.shapes.is_some());
        self.options.theories.is_empty() && !has_rules
    }

    /// How many bytes an object of the last run's input may have; none if these can't be any.
    pub fn longest(&self, object: &InputObject) -> usize {
        match self.options.strings {
            Strings::Length | Strings::Loops => self.machine().longest(object),
            Strings::Bytes => self.machine().longest(object).min(object.bytes.len()),
        }
    }

    /// What rules for heaps have refused behind so many decisions of a run counts: no other run was there before.
    pub fn count_refused(&self, run: &Run, n_decisions: usize) {
        let Some(shapes) = self.options.unit.as_ref().and_then(|unit| unit.shapes.as_ref()) else { return };
        let first = run.refused.partition_point(|refused| refused.n_decisions < n_decisions);
        let here = run.refused[first..].iter().take_while(|refused| refused.n_decisions == n_decisions);
        here.for_each(|refused| shapes.count_refusal(refused.rule));
    }
}

impl<'p> Ready<'p> {
    /// Call stacks keep the numbers that they have.
    fn new(
        image: &'p CheckedImage,
        machine: ConcolicMachine,
        options: &Options,
        traces: Traces,
    ) -> Result<Self, Fault> {
        let mut vm = Vm::new(image, machine, &Harness, options.limits.clone())?;
        vm.traces = traces;
        vm.set_interrupt_flag(Arc::clone(&options.interrupt));
        let notes = |attention| theories::notes(&vm.machine.theories, image, attention);
        let notes = (!notes(Attention::Full).is_empty()).then(|| Arc::new(Notes::graded(image, notes)));
        vm.set_notes(notes);
        vm.machine.begin(&Input::new(), &[], None);
        let start = Start::prepare(&mut vm, options)?;
        let before = vm.snapshot().expect("nothing was done yet that can't be undone");
        vm.machine.finish();
        Ok(Self { vm, start, before, leaks: options.leaks, memory: options.memory })
    }

    /// What the end of a run is by the checks that were asked for.
    fn judged(&mut self, stop: Stop) -> Stop {
        match stop {
            _ if self.vm.machine.path.is_halted || !self.vm.machine.is_valid_end() => Stop::Infeasible,
            Stop::Bug(bug) if bug.kind == BugKind::MemoryLimit && !self.memory => Stop::Limit(Limit::Memory),
            stop => self.find_leaks(stop),
        }
    }

    /// The first leak, if a run that has ended otherwise well has one.
    fn find_leaks(&self, stop: Stop) -> Stop {
        if !self.leaks || !matches!(stop, Stop::Exited(_)) {
            return stop;
        }
        let Some(mut leak) = self.vm.leaks().into_iter().next() else { return stop };
        // Objects of the input were allocated nowhere.
        if leak.trace.is_empty() {
            leak.trace.extend(self.start.tested_entry(self.vm.image()));
        }
        Stop::Bug(Box::new(leak))
    }

    fn finish(&mut self, stop: Stop, first_step: u64) -> Run {
        let flow = theories::take_flow(&mut self.vm);
        let steps = self.vm.steps();
        let last_op = self.vm.user_site();
        let image = self.vm.image();
        let machine = &mut self.vm.machine;
        if let Stop::Bug(bug) = &stop
            && let Some(beyond) = bug.beyond
        {
            machine.note_end(last_op, beyond.object);
        }
        let mut noted = machine.finish();
        let made_up = match &stop {
            Stop::Bug(bug) => made_up(machine, &image.externals, &noted, bug.kind),
            _ => Vec::new(),
        };
        let beyond = match &stop {
            Stop::Bug(bug) => bug.beyond,
            _ => None,
        };
        let heap = &machine.inputs.heap;
        let unknown_size =
            beyond.and_then(|beyond| heap.is_assumed(beyond).then(|| heap.key_of(beyond.object))?.cloned());
        noted.ledger.extend(machine.bounds_met(beyond));
        Run {
            made_up,
            unknown_size,
            path: noted.decisions,
            stop,
            goes_on: machine.path.goes_on,
            last_op,
            divergence: machine.path.divergence,
            goals: noted.goals,
            ledger: noted.ledger,
            n_steps: self.start.n_steps(machine),
            failure: None,
            steps,
            executed: steps - first_step,
            input: Arc::new(machine.used_input()),
            addresses: Vec::new(),
            undecided: Vec::new(),
            unseen: Vec::new(),
            model: machine.model(),
            observed: None,
            example: None,
            audit: None,
            targets: Vec::new(),
            reaches_new: false,
            flow,
            alternatives: noted.alternatives,
            refused: noted.refused,
        }
    }
}
