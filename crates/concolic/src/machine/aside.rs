//! Code that runs aside, in the middle of a path: its effects on memory are undone.
//!
//! A *check* is a function of the program that says something about the path: what it decides, and which input it looks at, is
//! part of the path. It is executed again wherever the operation at hand is, and then decides nothing new. Code that is
//! *tried out* leaves nothing behind; what it decided is told.

use super::ConcolicMachine;
use super::saved::{Interrupted, SavedMachine};
use crate::decision::Decision;
use crate::harness::decide_truth;
use crate::ledger::LedgerKind;
use crate::unit_run;
use spelunk_bv::int;
use spelunk_expr::{ExprId, Sort};
use spelunk_ir::code::OpIdx;
use spelunk_ir::model::FuncId;
use spelunk_vm::{Limit, Machine, Reversible, Slot, Stop, Tag, UndefId, Vm};
use std::cell::OnceCell;
use std::rc::Rc;

/// What of the machine stays when code has run aside.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Stays {
    #[default]
    Nothing,
    Decisions,
}

/// Calls a function as a check of the path, for as many operations as the limit says: whether its result, of so many bits, is not
/// zero, which is a decision. It should not write through pointers of the input: these writes are undone, but count as writes.
pub fn check(
    vm: &mut Vm<'_, ConcolicMachine>,
    function: FuncId,
    args: &[Slot],
    width: u32,
    limit: u64,
) -> Result<bool, Stop> {
    vm.machine.stays = Stays::Decisions;
    let results = vm.aside(limit, |vm| vm.call(function, args))?;
    results.first().map_or(Ok(true), |&result| decide_truth(vm, result, width))
}

/// A function that is called as a check of the input.
#[derive(Clone, Debug)]
pub struct Check {
    pub function: FuncId,
    pub args: Vec<CheckArg>,
    /// Of its result.
    pub width: u32,
    /// How many operations it may take.
    pub limit: u64,
}

/// What a check finds as an argument.
#[derive(Clone, Copy, Debug)]
pub enum CheckArg {
    /// So many bytes of the input, from an address on.
    Bytes {
        addr: u64,
        n_bytes: u32,
    },
    Value(Slot),
}

/// What the ledger says of a check that took too long.
pub(crate) const ENDED_CHECK: &str = "it was ended before it came to a result, and taken to accept the input";

/// The same for the input as it was given, whatever was done to it since. A check that is halted ([`ConcolicMachine::halt`]) has nothing
/// against the input.
pub(crate) fn check_input(vm: &mut Vm<'_, ConcolicMachine>, check: &Check) -> Result<bool, Stop> {
    vm.machine.stays = Stays::Decisions;
    let results = vm.aside(check.limit, |vm| {
        let remade = unit_run::make_again(vm);
        vm.checked(remade, "make the input")?;
        vm.machine.path.is_pristine = true;
        let args = check.args.iter().map(|arg| argument(vm, arg)).collect::<Result<Vec<_>, Stop>>()?;
        vm.call(check.function, &args)
    });
    vm.machine.path.is_pristine = false;
    let is_halted = std::mem::take(&mut vm.machine.path.is_halted);
    match results {
        Err(_) if is_halted => Ok(true),
        Err(Stop::Limit(Limit::Instructions)) => {
            let site = vm.pc();
            vm.machine.note_once(LedgerKind::EndedCheck, site, ENDED_CHECK);
            Ok(true)
        }
        results => results?.first().map_or(Ok(true), |&result| decide_truth(vm, result, check.width)),
    }
}

fn argument(vm: &mut Vm<'_, ConcolicMachine>, arg: &CheckArg) -> Result<Slot, Stop> {
    match *arg {
        CheckArg::Value(slot) => Ok(slot),
        CheckArg::Bytes { addr, n_bytes } => {
            let loaded = vm.memory.load_word(addr, n_bytes);
            let word = vm.checked(loaded, "read")?;
            let carried = vm.machine.join(&word, n_bytes);
            Ok(Slot { val: int::trunc(8 * n_bytes, word.val), tag: Tag::new(carried, UndefId::NONE) })
        }
    }
}

/// Tries out code. The decisions that it made come with what it came to.
pub fn try_out<T>(
    vm: &mut Vm<'_, ConcolicMachine>,
    limit: u64,
    run: impl FnOnce(&mut Vm<'_, ConcolicMachine>) -> Result<T, Stop>,
) -> Result<(T, Vec<Decision>), Stop> {
    vm.machine.stays = Stays::Nothing;
    let n_before = vm.machine.path.decisions.len();
    vm.aside(limit, |vm| {
        let outcome = run(vm)?;
        Ok((outcome, vm.machine.path.decisions[n_before..].to_vec()))
    })
}

/// A way from an operation of the function that is executed back to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Round {
    head: OpIdx,
    depth: usize,
    state: RoundState,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum RoundState {
    /// The operation is about to be executed.
    Starting,
    UnderWay,
    Back,
}

/// Executes a loop once, from its head back to it, in the call at hand. Says whether it came back: not if the loop was left, or
/// code was met that accesses memory which changes by itself. There are to be notes at the head and where such functions start.
/// Only to be called aside; what was decided is the last decisions of the path.
pub fn go_round(vm: &mut Vm<'_, ConcolicMachine>, head: OpIdx) -> bool {
    let round = Round { head, depth: vm.depth(), state: RoundState::Starting };
    let (n_external_calls, n_arrays) = (vm.n_external_calls(), vm.machine.lazy.versions.len());
    vm.machine.round = Some(round);
    let end = vm.run_from(head);
    let round = vm.machine.round.take();
    let is_back = end.is_err() && round.is_some_and(|round| round.state == RoundState::Back);
    // What others did is not seen in memory, nor what arrays hold that expressions stand for.
    is_back && vm.n_external_calls() == n_external_calls && vm.machine.lazy.versions.len() == n_arrays
}

/// Stops what goes round where it is back.
pub(super) fn at_note(vm: &mut Vm<'_, ConcolicMachine>, op_idx: OpIdx) -> Result<(), Stop> {
    let depth = vm.depth();
    let image = vm.image();
    let Some(round) = &mut vm.machine.round else { return Ok(()) };
    if image.function_at(op_idx).is_some_and(|code| code.is_volatile) {
        return Err(Stop::Infeasible);
    }
    match round.state {
        _ if (op_idx, depth) != (round.head, round.depth) => Ok(()),
        RoundState::Starting => {
            round.state = RoundState::UnderWay;
            Ok(())
        }
        _ => {
            round.state = RoundState::Back;
            Err(Stop::Infeasible)
        }
    }
}

impl ConcolicMachine {
    /// A symbol that stands for no input, with the value that it has where it is tried out. It must not get into a condition
    /// of the path.
    pub fn fresh(&mut self, name: &str, width: u32, value: u64) -> ExprId {
        let var = self.pool.new_var(name, Sort::Bv(width));
        self.values.set(var, value);
        if let Some(check) = &mut self.self_check {
            check.set(var, value);
        }
        self.pool.mk_var(var)
    }

    pub(super) fn leave_path(&mut self) -> Option<SavedMachine> {
        let world = self.world.save()?;
        let log = match std::mem::take(&mut self.stays) {
            Stays::Decisions => None,
            Stays::Nothing => Some(self.log(&self.path.decisions.clone().into())),
        };
        let interrupted = Interrupted {
            n_goals: self.path.goals.len(),
            divergence: self.path.divergence,
            before_decision: self.taking.before_decision,
            operation: self.taking.operation,
        };
        Some(SavedMachine {
            world,
            lengths: self.lengths(),
            log: Rc::new(log.map(OnceCell::from).unwrap_or_default()),
            interrupted: Some(interrupted),
        })
    }

    pub(super) fn come_back(&mut self, saved: &SavedMachine) {
        if saved.log.get().is_some() {
            self.restore(saved);
            // What was decided aside was not expected of the path, nor is it part of one of its operations.
            let interrupted = saved.interrupted.as_ref().expect("code ran aside");
            self.path.goals.truncate(interrupted.n_goals);
            self.path.divergence = interrupted.divergence;
            self.taking.before_decision = interrupted.before_decision;
            self.taking.operation = interrupted.operation;
        } else {
            self.world.restore(&saved.world);
            self.reevaluate_files();
        }
        self.muted.clear();
    }
}
