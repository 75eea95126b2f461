//! Calls answered by what a function does on all of its paths: one expression for its result and for each place that it writes to, and no
//! decision for each path.
//!
//! A function is tried out at the call, in the state that the call finds, once for each of its paths (`growing`): at a branch on
//! the input, the way is forced, whatever the input says, and checks are passed (`forcing`). What comes of that is a tree of conditions with results and writes (`effects`) at its
//! leaves (Anand, Godefroid and Tillmann's execution tree of a function, §4), which become nested choices. Paths that were not tried, on which a check fails, or
//! that decide on anything else than branches, are *open*, the paper's dangling nodes: whether the call takes one of them is a decision of the caller, who then goes into the
//! function as ever. So nothing is lost, and nothing is assumed of what was not seen. Unlike in the paper, a tree is
//! made where it is needed and not kept: it speaks of the caller's own values, memory behind pointers included, and no solver has to
//! instantiate it.
//!
//! The tree depends on the symbolic state alone and never on the input, so all runs that come here by the same decisions have the same.

mod effects;
mod forcing;
mod growing;

use super::{ConcolicMachine, aside};
use crate::decision::DecisionKind;
use crate::ledger::{Bound, LedgerEntry, LedgerKind, NOWHERE};
use crate::marks::Marks;
use crate::options::{Effects, Summarised};
use crate::variables::InputPlace;
use effects::Effect;
use forcing::Forcing;
use growing::Growing;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use spelunk_expr::{ExprId, ExprPool, FreeVars};
use spelunk_ir::code::Scalar;
use spelunk_ir::model::FuncId;
use spelunk_vm::{Answer, Call, Callee, Carried, Defined, Limit, ModelId, Slot, Stop, Tag, UndefId, Vm};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Beyond the numbers of theories.
pub(super) const MODEL: ModelId = ModelId(u32::MAX);

/// Paths that are tried out for one call, those of calls inside of it included. A function that has more is gone into.
const MAX_TRIES: usize = 1 << 12;

/// The same for a function that writes: what many paths write is no easier for a solver than the paths are.
const MAX_TRIES_WRITING: usize = 1 << 5;

/// Branches on the input that a path of it may have. A loop that the input ends has more, and is noticed by its first path.
const MAX_BRANCHES: usize = 1 << 8;

/// Operations that a path may take.
const MAX_STEPS: u64 = 1 << 16;

type Program<'p> = Vm<'p, ConcolicMachine>;

/// What a call is given: the function, and values with what they carry.
type Key = (FuncId, SmallVec<[(u64, u32); 4]>);

#[derive(Default)]
pub(crate) struct Summaries {
    functions: Arc<Summarised>,
    /// While a path is tried out.
    forcing: Option<Forcing>,
    /// The functions whose paths are being tried out, each called by the one before.
    active: Vec<FuncId>,
    /// While paths of an outermost function are tried out that leaves memory as it is.
    known: FxHashMap<Key, Option<Rc<Summary>>>,
    /// Those of outermost functions in all runs.
    earlier: Earlier,
    n_tries: usize,
    /// Of all runs.
    work: SummaryWork,
    free_vars: FreeVars,
    /// Calls go into functions, for once.
    is_off: bool,
    /// What is tried out is not reached.
    marks: Option<Marks>,
}

/// What summaries took, and what came of them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SummaryWork {
    /// Calls that were answered.
    pub n_answered: u64,
    /// Paths of functions that were tried out.
    pub n_tried: u64,
    pub time: Duration,
}

impl Summaries {
    pub fn new(functions: &Arc<Summarised>) -> Self {
        Self { functions: Arc::clone(functions), ..Self::default() }
    }

    pub fn has_answered(&self) -> bool {
        self.work.n_answered > 0
    }

    pub fn work(&self) -> SummaryWork {
        self.work
    }

    pub fn set_off(&mut self, is_off: bool) {
        self.is_off = is_off;
    }

    /// The marks of runs, if these are the machine's at the moment.
    pub fn into_marks(self, of_machine: Marks) -> Marks {
        if self.active.is_empty() { of_machine } else { self.marks.unwrap_or(of_machine) }
    }

    pub fn serve(&self, callee: &Callee<'_>) -> bool {
        matches!(callee.defined, Defined::ByProgram(id) if self.functions.contains_key(&id))
    }

    /// Of the outermost function whose paths are tried out.
    fn effects(&self) -> Effects {
        self.active.first().map_or(Effects::None, |outermost| self.functions[outermost])
    }

    fn max_tries(&self) -> usize {
        match self.effects() {
            Effects::None => MAX_TRIES,
            Effects::OnMemory => MAX_TRIES_WRITING,
        }
    }
}

/// What tells the states in which runs come to calls apart: all else follows from how many operations were executed, and what was decided.
#[derive(PartialEq, Eq, Hash)]
struct State {
    call: Key,
    steps: u64,
    conditions: Box<[ExprId]>,
}

/// Summaries of earlier runs, as long as their expressions are there.
#[derive(Default)]
struct Earlier {
    epoch: u32,
    summaries: FxHashMap<State, Option<Rc<Summary>>>,
}

/// As many are kept.
const MAX_EARLIER: usize = 1 << 12;

impl Earlier {
    fn of(&mut self, pool: &ExprPool) -> &mut FxHashMap<State, Option<Rc<Summary>>> {
        if self.epoch != pool.epoch() || self.summaries.len() >= MAX_EARLIER {
            self.summaries.clear();
            self.epoch = pool.epoch();
        }
        &mut self.summaries
    }
}

/// What is known of a call.
struct Summary {
    /// Nothing if the function returns nothing.
    result: Option<ExprId>,
    effects: Vec<Effect>,
    /// That it takes a path of which the rest does not speak.
    open: ExprId,
    /// Bytes of the input that it depends on.
    bytes: Vec<InputPlace>,
    /// What was given up on the way.
    ledger: Vec<LedgerEntry>,
}

impl ConcolicMachine {
    /// Notes what a summary gives up, as if all of its paths were the run's: it speaks of strings as long as they may be, whichever
    /// the run has.
    fn own_up(&mut self, summary: &Summary) {
        for LedgerEntry { kind, site, detail } in &summary.ledger {
            self.note_once(*kind, *site, detail.as_deref().unwrap_or_default());
        }
        let free_vars = &mut self.summaries.free_vars;
        let mut all = free_vars.of(&self.pool, ExprId::TRUE);
        for expr in summary.exprs() {
            let of_expr = free_vars.of(&self.pool, expr);
            all = free_vars.union(all, of_expr);
        }
        let places = free_vars.iter(all).filter_map(|var| self.variables.place(var));
        let bounds: Vec<Bound> = places.filter_map(|place| self.inputs.end_of_string(place)).collect();
        bounds.into_iter().for_each(|bound| self.note_once(LedgerKind::Bound(bound), NOWHERE, ""));
    }
}

/// Answers a call.
pub(super) fn call(vm: &mut Program<'_>, call: &Call<'_>) -> Result<Answer, Stop> {
    let Defined::ByProgram(function) = call.callee.defined else { return Ok(Answer::Decline) };
    if vm.machine.summaries.is_off || !vm.args_carry_exprs(call.site) {
        return Ok(Answer::Decline);
    }
    let width = match &*call.site.returns {
        [] => None,
        [result] => match result.scalar {
            Scalar::Int(width) => Some(width),
            _ => return Ok(Answer::Decline),
        },
        _ => return Ok(Answer::Decline),
    };
    if call.args.iter().any(|arg| arg.tag.undef() != UndefId::NONE) {
        return Ok(Answer::Decline);
    }
    let Some(summary) = remembered(vm, function, call.args, width)? else { return Ok(Answer::Decline) };
    vm.machine.bind(&summary.bytes);
    vm.machine.own_up(&summary);
    let is_open = match summary.open {
        // What is open inside is not told from outside either.
        open if vm.machine.is_forcing() && open != ExprId::TRUE => {
            let site = vm.pc();
            vm.machine.pass(|machine| machine.decide_condition(site, DecisionKind::Branch, open, false));
            false
        }
        open => {
            let is_open = slot(&mut vm.machine, open);
            vm.decide(is_open)?
        }
    };
    if is_open {
        return Ok(Answer::Enter(function, SmallVec::from_slice(call.args)));
    }
    vm.machine.summaries.work.n_answered += 1;
    summary.effects.iter().for_each(|effect| effect.apply(vm));
    Ok(Answer::Return(summary.result.map_or_else(SmallVec::new, |result| smallvec![slot(&mut vm.machine, result)])))
}

fn slot(machine: &mut ConcolicMachine, expr: ExprId) -> Slot {
    let val = machine.value(expr);
    let carried = if machine.pool.is_const(expr) { Carried::NONE } else { machine.carry(expr, val) };
    Slot { val, tag: Tag::new(carried, UndefId::NONE) }
}

type Found = Result<Option<Rc<Summary>>, Stop>;

/// What an earlier run has found in the same state, or this one finds.
fn remembered(vm: &mut Program<'_>, function: FuncId, args: &[Slot], width: Option<u32>) -> Found {
    // Where objects are as large as the input says, there is more to a state.
    if !vm.machine.summaries.active.is_empty() {
        return summarised(vm, function, args, width);
    }
    if vm.machine.inputs.has_varying_sizes() {
        return outermost(vm, function, args, width);
    }
    let conditions = vm.machine.path.decisions.iter().map(|decision| decision.cond).collect();
    let state = State { call: key(function, args), steps: vm.steps(), conditions };
    let ConcolicMachine { summaries, pool, .. } = &mut vm.machine;
    if let Some(known) = summaries.earlier.of(pool).get(&state) {
        return Ok(known.clone());
    }
    let summary = outermost(vm, function, args, width)?;
    let ConcolicMachine { summaries, pool, .. } = &mut vm.machine;
    summaries.earlier.of(pool).insert(state, summary.clone());
    Ok(summary)
}

fn outermost(vm: &mut Program<'_>, function: FuncId, args: &[Slot], width: Option<u32>) -> Found {
    let start = Instant::now();
    let found = summarised(vm, function, args, width);
    vm.machine.summaries.work.time += start.elapsed();
    found
}

fn key(function: FuncId, args: &[Slot]) -> Key {
    (function, args.iter().map(|arg| (arg.val, arg.tag.expr().0)).collect())
}

fn summarised(vm: &mut Program<'_>, function: FuncId, args: &[Slot], width: Option<u32>) -> Found {
    let summaries = &mut vm.machine.summaries;
    let is_outermost = summaries.active.is_empty();
    let key = key(function, args);
    if is_outermost {
        summaries.known.clear();
        summaries.n_tries = 0;
        let marks = summaries.marks.take().unwrap_or_else(|| Marks::new(vm.image().ops.len()));
        vm.machine.summaries.marks = Some(std::mem::replace(&mut vm.machine.marks, marks));
    } else if let (Effects::None, Some(known)) = (summaries.effects(), summaries.known.get(&key)) {
        return Ok(known.clone());
    }
    let outer = vm.machine.summaries.forcing.take();
    vm.machine.summaries.active.push(function);
    let grown = aside::try_out(vm, u64::MAX, |vm| Growing::new(vm, function, args, width).summary());
    vm.machine.summaries.active.pop();
    vm.machine.summaries.forcing = outer;
    if is_outermost && let Some(marks) = vm.machine.summaries.marks.take() {
        vm.machine.summaries.marks = Some(std::mem::replace(&mut vm.machine.marks, marks));
    }
    let summary = match grown {
        Err(stop @ Stop::Limit(Limit::Interrupted)) => return Err(stop),
        Err(_) => None,
        Ok((summary, _)) => summary.map(Rc::new),
    };
    vm.machine.summaries.known.insert(key, summary.clone());
    Ok(summary)
}
