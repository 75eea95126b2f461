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
use spelunk_bv::{BinOp, int};
use spelunk_expr::{ExprId, Sort};
use spelunk_ir::code::OpIdx;
use spelunk_ir::model::FuncId;
use spelunk_vm::{Limit, Machine, Reversible, Slot, Stop, Tag, UndefId, Vm};
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

/// Calls a function as a check of the input as it was given, whatever was done to it since: its result. There is none if it was halted
/// ([`ConcolicMachine::halt`]), or depends on what is yet to be decided: then it has nothing against the input.
pub(crate) fn call_check(vm: &mut Vm<'_, ConcolicMachine>, check: &Check) -> Result<Option<Slot>, Stop> {
    vm.machine.stays = Stays::Decisions;
    let n_goals = vm.machine.path.goals.len();
    let results = vm.aside(check.limit, |vm| {
        let remade = unit_run::make_again(vm);
        vm.checked(remade, "make the input")?;
        vm.machine.path.is_pristine = true;
        let args = check.args.iter().map(|arg| argument(vm, arg)).collect::<Result<Vec<_>, Stop>>()?;
        vm.call(check.function, &args)
    });
    vm.machine.path.is_pristine = false;
    // It is there for the input, which need not show what else it could do.
    vm.machine.path.goals.truncate(n_goals);
    let is_halted = std::mem::take(&mut vm.machine.path.is_halted);
    match results {
        Err(_) if is_halted => Ok(None),
        Err(Stop::Limit(Limit::Instructions)) => {
            let site = vm.pc();
            vm.machine.note_once(LedgerKind::EndedCheck, site, ENDED_CHECK);
            Ok(None)
        }
        Err(Stop::Bug(mut bug)) => {
            let name = &vm.image().functions[check.function.index()].name;
            bug.message.push_str(&format!(", in `{name}`, which rules call to check the input"));
            Err(Stop::Bug(bug))
        }
        results => {
            let machine = &mut vm.machine;
            let mut is_open = |slot: &Slot| {
                slot.tag.expr().is_some() && {
                    let expr = machine.operand(check.width, *slot);
                    machine.is_open(expr)
                }
            };
            Ok(results?.first().copied().filter(|slot| !is_open(slot)))
        }
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

/// Tries out code. The decisions that it made come with what it came to: nothing if it would decide what only a path may
/// ([`ConcolicMachine::halt`]).
pub fn try_out<T>(
    vm: &mut Vm<'_, ConcolicMachine>,
    limit: u64,
    run: impl FnOnce(&mut Vm<'_, ConcolicMachine>) -> Result<T, Stop>,
) -> Result<(T, Vec<Decision>), Stop> {
    vm.machine.stays = Stays::Nothing;
    let n_before = vm.machine.path.decisions.len();
    vm.aside(limit, |vm| {
        let outcome = run(vm)?;
        if vm.machine.path.is_halted {
            return Err(Stop::Infeasible);
        }
        Ok((outcome, vm.machine.path.decisions[n_before..].to_vec()))
    })
}

/// How control comes back to an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// In the call at hand: a loop.
    Around,
    /// In a call that the one at hand leads to, and waits for: recursion.
    Down,
}

/// Ways from an operation of the function that is executed back to it.
#[derive(Clone, Debug)]
pub(super) struct Round {
    head: OpIdx,
    /// Heads of the loops that its own is part of: who comes there has left that.
    outer: Vec<OpIdx>,
    way: Way,
    depth: usize,
    state: RoundState,
    overflows: Vec<MayOverflow>,
}

/// An operation on signed numbers whose result does not fit if a condition holds. Values wrap around then, which C does not say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MayOverflow {
    pub site: OpIdx,
    pub cond: ExprId,
}

/// What came up on the way round.
#[derive(Clone, Debug)]
pub struct Rounds {
    pub overflows: Vec<MayOverflow>,
    /// Expressions stand for what arrays hold that were written to on the way: memory does not show what has become of these.
    pub has_arrays: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum RoundState {
    /// The operation is about to be executed, and has to come back so many times.
    Starting(u32),
    /// So many times it has yet to come back.
    UnderWay(u32),
}

/// Executes so many rounds of a loop, from its head back to it, in the call at hand; or goes down a recursion until the head is met
/// for so many times in other calls. If it came back, says what came up on the way: it did not if the loop or the call was left, or
/// code was met that accesses memory which changes by itself. There are to be notes at heads of loops and where such functions start.
/// Only to be called aside; what was decided is the last decisions of the path.
pub fn go_round(vm: &mut Vm<'_, ConcolicMachine>, head: OpIdx, way: Way, n_rounds: u32) -> Option<Rounds> {
    assert!(n_rounds > 0, "something is executed");
    let outer = if way == Way::Around { outer_heads(vm, head) } else { Vec::new() };
    let round =
        Round { head, outer, way, depth: vm.depth(), state: RoundState::Starting(n_rounds), overflows: Vec::new() };
    let (n_external_calls, n_arrays) = (vm.n_external_calls(), vm.machine.lazy.versions.len());
    vm.machine.round = Some(round);
    let end = vm.run_from(head);
    let round = vm.machine.round.take().filter(|round| end.is_err() && round.state == RoundState::UnderWay(0))?;
    // What others did is not seen in memory.
    let has_arrays = vm.machine.lazy.versions.len() != n_arrays;
    (vm.n_external_calls() == n_external_calls).then_some(Rounds { overflows: round.overflows, has_arrays })
}

fn outer_heads(vm: &Vm<'_, ConcolicMachine>, head: OpIdx) -> Vec<OpIdx> {
    let image = vm.image();
    let Some(function) = image.function_id_at(head) else { return Vec::new() };
    let flow = image.flow(function);
    let own = flow.blocks.of(head);
    let around = flow.loops().iter().filter(|(_, it)| it.header != own && it.blocks.contains(&own));
    around.map(|(_, it)| flow.blocks.ops(it.header).start).collect()
}

/// Stops what goes round where it is back.
pub(super) fn at_note(vm: &mut Vm<'_, ConcolicMachine>, op_idx: OpIdx) -> Result<(), Stop> {
    let depth = vm.depth();
    let image = vm.image();
    let Some(round) = &mut vm.machine.round else { return Ok(()) };
    if image.function_at(op_idx).is_some_and(|code| code.is_volatile) {
        return Err(Stop::Infeasible);
    }
    if depth == round.depth && round.outer.contains(&op_idx) {
        return Err(Stop::Infeasible);
    }
    if op_idx != round.head {
        return Ok(());
    }
    let is_back = match round.way {
        Way::Around => depth == round.depth,
        Way::Down => depth > round.depth,
    };
    match round.state {
        RoundState::Starting(n_rounds) => round.state = RoundState::UnderWay(n_rounds),
        RoundState::UnderWay(n_left) if is_back => {
            round.state = RoundState::UnderWay(n_left - 1);
            if n_left == 1 {
                return Err(Stop::Infeasible);
            }
        }
        RoundState::UnderWay(_) => {}
    }
    Ok(())
}

impl ConcolicMachine {
    /// An operation on signed numbers is about to be done, of which one carries an expression.
    pub(super) fn note_overflow(&mut self, site: OpIdx, op: BinOp, [x, y]: [ExprId; 2]) {
        let cond = self.mk_overflow(op, x, y);
        let Some(round) = &mut self.round else { return };
        if cond != ExprId::FALSE {
            round.overflows.push(MayOverflow { site, cond });
        }
    }

    /// A signed number overflows, whatever the input and the state of the loop are.
    pub(super) fn has_overflowed(&mut self, site: OpIdx) {
        if let Some(round) = &mut self.round {
            round.overflows.push(MayOverflow { site, cond: ExprId::TRUE });
        }
    }

    pub(super) fn is_going_round(&self) -> bool {
        self.round.is_some()
    }

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
        self.watch.iter_mut().for_each(|watch| watch.set_aside(true));
        let interrupted = Interrupted {
            stays: std::mem::take(&mut self.stays),
            n_goals: self.path.goals.len(),
            divergence: self.path.divergence,
            is_halted: self.path.is_halted,
            is_trial: self.path.is_trial,
            before_decision: self.taking.before_decision,
            operation: self.taking.operation,
        };
        self.path.is_trial |= interrupted.stays == Stays::Nothing;
        Some(SavedMachine { world, lengths: self.lengths(), log: Rc::default(), interrupted: Some(interrupted) })
    }

    pub(super) fn come_back(&mut self, saved: &SavedMachine) {
        let interrupted = saved.interrupted.as_ref().expect("code ran aside");
        self.watch.iter_mut().for_each(|watch| watch.set_aside(false));
        if interrupted.stays == Stays::Decisions {
            self.world.restore(&saved.world);
            self.reevaluate_files();
            return self.muted.clear();
        }
        if self.lengths().adds_only_decisions(&saved.lengths) {
            // All state follows from what was noted.
            self.world.restore(&saved.world);
            self.path.truncate(saved.lengths.decisions);
            self.known_sums.clear();
            self.reevaluate_files();
        } else {
            // Journals only grow, so they have what they had.
            let log = self.log(&self.path.decisions.clone().into());
            assert!(saved.log.set(log).is_ok(), "code that ran aside is over once");
            self.restore(saved);
        }
        // What was decided aside was not expected of the path, nor is it part of one of its operations.
        self.path.goals.truncate(interrupted.n_goals);
        self.path.divergence = interrupted.divergence;
        self.path.is_halted = interrupted.is_halted;
        self.path.is_trial = interrupted.is_trial;
        self.taking.before_decision = interrupted.before_decision;
        self.taking.operation = interrupted.operation;
        self.muted.clear();
    }
}
