//! Code that runs aside, in the middle of a path: its effects on memory are undone.
//!
//! A *check* is a function of the program that says something about the path: what it decides, and which input it looks at, is
//! part of the path. It is executed again wherever the operation at hand is, and then decides nothing new. Code that is
//! *tried out* leaves nothing behind; what it decided is told.

use super::ConcolicMachine;
use super::saved::{Interrupted, SavedMachine};
use crate::decision::Decision;
use crate::harness::decide_truth;
use crate::journal::Entry;
use crate::ledger::LedgerKind;
use crate::unit_run;
use spelunk_bv::{BinOp, int};
use spelunk_expr::{Evaluator, ExprId, Sort};
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
    /// Control came to a loop that this one is part of.
    is_left: bool,
    overflows: Vec<MayOverflow>,
}

/// An operation on signed numbers whose result does not fit if a condition holds. Values wrap around then, which C does not say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MayOverflow {
    pub site: OpIdx,
    pub cond: ExprId,
}

/// An operation on signed numbers whose result may not fit, on the path; without operands, one whose result did not.
#[derive(Clone, Copy, Debug)]
pub(super) struct SignedOperation {
    site: OpIdx,
    op: BinOp,
    operands: Option<[ExprId; 2]>,
}

impl Entry for SignedOperation {
    fn visit_exprs(&self, visit: &mut dyn FnMut(ExprId)) {
        self.operands.iter().flatten().for_each(|&operand| visit(operand));
    }
}

/// Where signed numbers have overflowed with the present input, and that they do not there, which other input with the same decisions may satisfy.
pub struct OverflowsBefore {
    pub sites: Vec<OpIdx>,
    pub fits: ExprId,
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

/// Why nothing is known of rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Astray {
    /// Control does not come back.
    Left,
    /// It may: functions were called that look at more than memory, or access what changes by itself; or it takes too long.
    Lost,
}

/// Executes so many rounds of a loop, from its head back to it, in the call at hand; or goes down a recursion until the head is met
/// for so many times in other calls. If it came back, says what came up on the way. There are to be notes at heads of loops and where functions
/// start that access memory which changes by itself. Only to be called aside; what was decided is the last decisions of the path.
pub fn go_round(vm: &mut Vm<'_, ConcolicMachine>, head: OpIdx, way: Way, n_rounds: u32) -> Result<Rounds, Astray> {
    assert!(n_rounds > 0, "something is executed");
    let outer = if way == Way::Around { outer_heads(vm, head) } else { Vec::new() };
    let (depth, state) = (vm.depth(), RoundState::Starting(n_rounds));
    let round = Round { head, outer, way, depth, state, is_left: false, overflows: Vec::new() };
    let (n_external_calls, n_arrays) = (vm.n_external_calls(), vm.machine.lazy.versions.len());
    vm.machine.round = Some(round);
    let end = vm.run_from(head);
    let Some(round) = vm.machine.round.take() else { return Err(Astray::Lost) };
    if end.is_err() && round.state == RoundState::UnderWay(0) {
        // What others did is not seen in memory.
        let is_followed = vm.n_external_calls() == n_external_calls;
        let has_arrays = vm.machine.lazy.versions.len() != n_arrays;
        return if is_followed { Ok(Rounds { overflows: round.overflows, has_arrays }) } else { Err(Astray::Lost) };
    }
    let is_cut_short = match end {
        Err(Stop::Infeasible) => !round.is_left,
        Err(Stop::Limit(_) | Stop::Unsupported(_)) => true,
        Ok(_) | Err(Stop::Exited(_) | Stop::Killed(_) | Stop::Bug(_)) => false,
    };
    Err(if is_cut_short && is_under_way(vm, &round) { Astray::Lost } else { Astray::Left })
}

/// Whether control is still in the loop, or in calls from there.
fn is_under_way(vm: &Vm<'_, ConcolicMachine>, round: &Round) -> bool {
    let Some(n_deeper) = vm.depth().checked_sub(round.depth) else { return false };
    let image = vm.image();
    let (Some(&at), Some(function)) = (vm.trace().get(n_deeper), image.function_id_at(round.head)) else { return true };
    let flow = image.flow(function);
    let head = flow.blocks.of(round.head);
    // Where others were called back by the library, the trace has a gap.
    let is_elsewhere = image.function_id_at(at) != Some(function);
    let contains = |at| flow.loops().iter().any(|(_, it)| it.header == head && it.blocks.contains(&flow.blocks.of(at)));
    round.way == Way::Down || is_elsewhere || contains(at)
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
        round.is_left = true;
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
    pub(super) fn note_overflow(&mut self, site: OpIdx, op: BinOp, operands: [ExprId; 2]) {
        if self.round.is_none() {
            return self.signed.push(SignedOperation { site, op, operands: Some(operands) });
        }
        let cond = self.mk_overflow(op, operands[0], operands[1]);
        let Some(round) = &mut self.round else { return };
        if cond != ExprId::FALSE {
            round.overflows.push(MayOverflow { site, cond });
        }
    }

    /// A signed number overflows, whatever the input and the state of the loop are.
    pub(super) fn has_overflowed(&mut self, site: OpIdx) {
        match &mut self.round {
            Some(round) => round.overflows.push(MayOverflow { site, cond: ExprId::TRUE }),
            None if self.path.is_trial => {}
            None => self.signed.push(SignedOperation { site, op: BinOp::Add, operands: None }),
        }
    }

    /// Whether overflow counts: in the path, and where rounds are gone aside.
    pub(super) fn notes_overflow(&self) -> bool {
        (self.round.is_some() || !self.path.is_trial) && !self.is_muted()
    }

    /// Signed overflow on the path so far.
    pub fn overflows_before(&mut self) -> OverflowsBefore {
        let operations = std::mem::take(&mut self.signed);
        let mut conds: Vec<(ExprId, OpIdx)> = Vec::new();
        for &SignedOperation { site, op, operands } in &operations {
            let cond = operands.map_or(ExprId::TRUE, |[x, y]| self.mk_overflow(op, x, y));
            if cond != ExprId::FALSE {
                conds.push((cond, site));
            }
        }
        self.signed = operations;
        conds.sort_unstable();
        conds.dedup();
        let model = self.model();
        let mut evaluator = Evaluator::new();
        let mut evaluation = evaluator.under(&self.pool, &model);
        conds.retain(|&(cond, _)| evaluation.eval_bool(cond));
        let fits = conds.iter().fold(ExprId::TRUE, |fits, &(cond, _)| {
            let fit = self.pool.mk_not(cond);
            self.pool.mk_and(fits, fit)
        });
        let mut sites: Vec<OpIdx> = conds.into_iter().map(|(_, site)| site).collect();
        sites.sort_unstable();
        sites.dedup();
        OverflowsBefore { sites, fits }
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
