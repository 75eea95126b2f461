//! Runs of one program, one after another, with one pool of expressions.

use crate::decision::{Choice, Decision, DecisionKind, Others};
use crate::harness::Harness;
use crate::input::Input;
use crate::ledger::LedgerEntry;
use crate::machine::{Checking, ConcolicMachine};
use crate::path::{Divergence, Expected, Switched};
use crate::start;
use crate::switches::Switches;
use crate::variables::Variables;
use spelunk_expr::{ExprPool, Model};
use spelunk_ir::code::Image;
use spelunk_libc::{Input as Stdin, Output, World};
use spelunk_vm::memory::Fault;
use spelunk_vm::{Limits, Stop, Vm};
use std::sync::Arc;

/// How programs are run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub limits: Limits,
    /// Arguments, with the program's name.
    pub args: Vec<Vec<u8>>,
    /// `NAME=VALUE` each.
    pub env: Vec<Vec<u8>>,
    pub checking: Checking,
}

/// What came of a run.
#[derive(Debug)]
pub struct Run {
    /// All decisions, in order. Their conditions together are what inputs satisfy that take the same path.
    pub path: Vec<Decision>,
    pub stop: Stop,
    /// Where the run first left the predicted path.
    pub divergence: Option<Divergence>,
    pub ledger: Vec<LedgerEntry>,
    /// Operations executed.
    pub steps: u64,
    /// All input that the program asked for, as this run had it.
    pub input: Input,
    /// The same as values of the variables that the path's conditions speak of.
    pub model: Model,
    switched: Vec<Switched>,
}

pub struct Runner<'p> {
    image: &'p Image,
    options: Options,
    /// `None` only while a run is under way.
    machine: Option<ConcolicMachine>,
    switches: Arc<Switches>,
}

impl<'p> Runner<'p> {
    pub fn new(image: &'p Image, options: Options) -> Self {
        let switches = Arc::new(Switches::new(image));
        let machine = ConcolicMachine::new(Arc::clone(&switches), image.ops.len(), options.checking);
        Self { image, options, machine: Some(machine), switches }
    }

    /// Runs the program with an input. The first decisions are compared with the `expected` ones.
    pub fn run(&mut self, input: &Input, expected: &[Expected]) -> Result<Run, Fault> {
        let mut machine = self.machine.take().expect("one run at a time");
        let stdin = Stdin::Bytes { bytes: Vec::new(), position: 0 };
        let world = World::new(stdin, Output::Capture(Default::default()), Output::Capture(Default::default()));
        machine.start(world, input.clone(), expected);
        let mut vm = Vm::new(self.image, machine, &Harness, self.options.limits.clone())?;
        let stop = start::start(&mut vm, &self.options);
        let steps = vm.steps();
        let mut machine = vm.machine;
        machine.path.finish();
        let run = Run {
            path: std::mem::take(&mut machine.path.decisions),
            stop,
            divergence: machine.path.divergence,
            ledger: std::mem::take(&mut machine.ledger),
            steps,
            input: machine.inputs.used(&machine.variables),
            model: machine.inputs.model(),
            switched: std::mem::take(&mut machine.path.switched),
        };
        self.machine = Some(machine);
        Ok(run)
    }

    pub fn machine(&self) -> &ConcolicMachine {
        self.machine.as_ref().expect("no run is under way")
    }

    pub fn machine_mut(&mut self) -> &mut ConcolicMachine {
        self.machine.as_mut().expect("no run is under way")
    }

    pub fn pool(&self) -> &ExprPool {
        &self.machine().pool
    }

    pub fn pool_mut(&mut self) -> &mut ExprPool {
        &mut self.machine_mut().pool
    }

    pub fn variables(&self) -> &Variables {
        &self.machine().variables
    }

    /// What could have been decided instead at a decision of a run.
    pub fn others(&mut self, run: &Run, index: usize) -> Others {
        let decision = &run.path[index];
        let switches = Arc::clone(&self.switches);
        let pool = self.pool_mut();
        let choice = match decision.kind {
            DecisionKind::Switch => {
                let found = run.switched.binary_search_by_key(&index, |switched| switched.index);
                let switched = &run.switched[found.expect("every switch decision has its details")];
                return switches.others(pool, switched, decision.taken);
            }
            DecisionKind::Branch | DecisionKind::Check(_) => Choice::Key(1 - decision.taken),
            DecisionKind::Region | DecisionKind::Value => Choice::Rest,
        };
        Others::from_elem((choice, pool.mk_not(decision.cond)), 1)
    }
}
