//! Calls answered by what a function returns on all of its paths: one expression, and no decision for each path.
//!
//! A function without effects is tried out at the call, in the state that the call finds, once for each of its paths: at a branch on
//! the input, the way is forced, whatever the input says. What comes of that is a tree of conditions with results at its leaves
//! (Anand, Godefroid and Tillmann's execution tree of a function, §4), which becomes the call's result as nested choices. Paths that were not tried, or
//! that decide on anything else than branches, are *open*: whether the call takes one of them is a decision of the caller, who then goes into the
//! function as ever. So nothing is lost, and nothing is assumed of what was not seen. Unlike in the paper, a tree is
//! made where it is needed and not kept: it speaks of the caller's own values, memory behind pointers included, and no solver has to
//! instantiate it.
//!
//! The tree depends on the symbolic state alone and never on the input, so all runs that come here by the same decisions have the same.

use super::{ConcolicMachine, aside};
use crate::decision::{Decision, DecisionKind};
use crate::ledger::{Bound, LedgerEntry, LedgerKind, NOWHERE};
use crate::marks::Marks;
use crate::variables::InputPlace;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};
use spelunk_expr::{ExprId, ExprPool, FreeVars};
use spelunk_ir::code::{OpIdx, Scalar};
use spelunk_ir::model::FuncId;
use spelunk_vm::{Answer, Call, Callee, Carried, Defined, Limit, ModelId, Slot, Stop, Tag, UndefId, Vm};
use std::rc::Rc;
use std::sync::Arc;

/// Beyond the numbers of theories.
pub(super) const MODEL: ModelId = ModelId(u32::MAX);

/// Paths that are tried out for one call, those of calls inside of it included. A function that has more is gone into.
const MAX_TRIES: usize = 1 << 12;

/// Branches on the input that a path of it may have. A loop that the input ends has more, and is noticed by its first path.
const MAX_BRANCHES: usize = 1 << 8;

/// Operations that a path may take.
const MAX_STEPS: u64 = 1 << 16;

type Program<'p> = Vm<'p, ConcolicMachine>;

/// What a call is given: the function, and values with what they carry.
type Key = (FuncId, SmallVec<[(u64, u32); 4]>);

#[derive(Default)]
pub(crate) struct Summaries {
    functions: Arc<FxHashSet<FuncId>>,
    /// While a path is tried out.
    forcing: Option<Forcing>,
    /// The functions whose paths are being tried out, each called by the one before.
    active: Vec<FuncId>,
    /// While paths of an outermost function are tried out, in which memory stays as it is.
    known: FxHashMap<Key, Rc<Summary>>,
    /// Those of outermost functions in all runs.
    earlier: Earlier,
    n_tries: usize,
    /// Calls that were answered in all runs.
    n_answered: u64,
    free_vars: FreeVars,
    /// Calls go into functions, for once.
    is_off: bool,
    /// What is tried out is not reached.
    marks: Option<Marks>,
}

impl Summaries {
    pub fn new(functions: &Arc<FxHashSet<FuncId>>) -> Self {
        Self { functions: Arc::clone(functions), ..Self::default() }
    }

    pub fn has_answered(&self) -> bool {
        self.n_answered > 0
    }

    pub fn set_off(&mut self, is_off: bool) {
        self.is_off = is_off;
    }

    /// The marks of runs, if these are the machine's at the moment.
    pub fn into_marks(self, of_machine: Marks) -> Marks {
        if self.active.is_empty() { of_machine } else { self.marks.unwrap_or(of_machine) }
    }

    pub fn serve(&self, callee: &Callee<'_>) -> bool {
        matches!(callee.defined, Defined::ByProgram(id) if self.functions.contains(&id))
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
    summaries: FxHashMap<State, Rc<Summary>>,
}

/// As many are kept.
const MAX_EARLIER: usize = 1 << 12;

impl Earlier {
    fn of(&mut self, pool: &ExprPool) -> &mut FxHashMap<State, Rc<Summary>> {
        if self.epoch != pool.epoch() || self.summaries.len() >= MAX_EARLIER {
            self.summaries.clear();
            self.epoch = pool.epoch();
        }
        &mut self.summaries
    }
}

/// How a path is forced.
struct Forcing {
    /// The ways of its first branches.
    ways: Vec<bool>,
    /// Decisions of the path before.
    first: usize,
    /// The numbers of decisions whose way was chosen.
    chosen: Vec<usize>,
    /// It has decided something else than a branch, or too much.
    is_lost: bool,
}

/// What is known of a call.
struct Summary {
    /// The result, if any path is known.
    value: Option<ExprId>,
    /// That it takes a path which is not.
    open: ExprId,
    /// Bytes of the input that it depends on.
    bytes: Vec<InputPlace>,
    /// What was given up on the way.
    ledger: Vec<LedgerEntry>,
    n_paths: usize,
}

/// A path that was tried out.
struct Tried {
    decisions: Vec<Decision>,
    chosen: Vec<usize>,
    result: Option<ExprId>,
    bytes: Vec<InputPlace>,
    ledger: Vec<LedgerEntry>,
}

impl ConcolicMachine {
    /// The way that a branch goes on a condition.
    pub(super) fn way(&mut self, cond: ExprId, holds: bool) -> bool {
        let Some(forcing) = &self.summaries.forcing else { return holds };
        if self.pool.is_const(cond) {
            return holds;
        }
        let otherwise = self.pool.mk_not(cond);
        let decided = &self.path.decisions[forcing.first..];
        if let Some(known) = decided.iter().find(|decision| decision.cond == cond || decision.cond == otherwise) {
            return known.cond == cond;
        }
        let forcing = self.summaries.forcing.as_mut().expect("just seen");
        forcing.is_lost |= forcing.chosen.len() >= MAX_BRANCHES;
        let way = forcing.ways.get(forcing.chosen.len()).copied().unwrap_or(true);
        forcing.chosen.push(self.path.decisions.len());
        way
    }

    /// Whether a path is tried out, which takes what would be a decision: a branch is noted, anything else ends it.
    pub(super) fn is_forced(&mut self, site: OpIdx, kind: DecisionKind, taken: u64, cond: ExprId) -> bool {
        let Some(forcing) = &mut self.summaries.forcing else { return false };
        let is_known = self.path.decisions[forcing.first..].iter().any(|decision| decision.cond == cond);
        match kind {
            _ if is_known || self.pool.is_const(cond) => {}
            DecisionKind::Branch => self.path.decisions.push(Decision { site, stack: 0, kind, taken, cond }),
            _ => forcing.is_lost = true,
        }
        true
    }

    /// Notes what a summary gives up, as if all of its paths were the run's: it speaks of strings as long as they may be, whichever
    /// the run has.
    fn own_up(&mut self, summary: &Summary, value: ExprId) {
        for LedgerEntry { kind, site, detail } in &summary.ledger {
            self.note_once(*kind, *site, detail.as_deref().unwrap_or_default());
        }
        let free_vars = &mut self.summaries.free_vars;
        let [of_value, of_open] = [value, summary.open].map(|expr| free_vars.of(&self.pool, expr));
        let all = free_vars.union(of_value, of_open);
        let places = free_vars.iter(all).filter_map(|var| self.variables.place(var));
        let bounds: Vec<Bound> = places.filter_map(|place| self.inputs.end_of_string(place)).collect();
        bounds.into_iter().for_each(|bound| self.note_once(LedgerKind::Bound(bound), NOWHERE, ""));
    }

    pub(super) fn is_forcing(&self) -> bool {
        self.summaries.forcing.is_some()
    }

    /// Whether it is of no use to go on.
    pub(super) fn is_lost(&self) -> bool {
        self.summaries.forcing.as_ref().is_some_and(|forcing| forcing.is_lost)
    }
}

/// Answers a call of a function without effects.
pub(super) fn call(vm: &mut Program<'_>, call: &Call<'_>) -> Result<Answer, Stop> {
    let Defined::ByProgram(function) = call.callee.defined else { return Ok(Answer::Decline) };
    if vm.machine.summaries.is_off || !vm.args_carry_exprs(call.site) {
        return Ok(Answer::Decline);
    }
    let [result] = &*call.site.returns else { return Ok(Answer::Decline) };
    let Scalar::Int(width) = result.scalar else { return Ok(Answer::Decline) };
    if vm.machine.summaries.active.contains(&function) || call.args.iter().any(|arg| arg.tag.undef() != UndefId::NONE) {
        return Ok(Answer::Decline);
    }
    let summary = remembered(vm, function, call.args, width)?;
    let (Some(value), 2..) = (summary.value, summary.n_paths) else { return Ok(Answer::Decline) };
    vm.machine.bind(&summary.bytes);
    vm.machine.own_up(&summary, value);
    let is_open = slot(&mut vm.machine, summary.open);
    if vm.decide(is_open)? {
        return Ok(Answer::Enter(function, SmallVec::from_slice(call.args)));
    }
    vm.machine.summaries.n_answered += 1;
    Ok(Answer::Return(smallvec![slot(&mut vm.machine, value)]))
}

fn slot(machine: &mut ConcolicMachine, expr: ExprId) -> Slot {
    let val = machine.value(expr);
    let carried = if machine.pool.is_const(expr) { Carried::NONE } else { machine.carry(expr, val) };
    Slot { val, tag: Tag::new(carried, UndefId::NONE) }
}

/// What an earlier run has found in the same state, or this one finds.
fn remembered(vm: &mut Program<'_>, function: FuncId, args: &[Slot], width: u32) -> Result<Rc<Summary>, Stop> {
    // Where objects are as large as the input says, there is more to a state.
    if !vm.machine.summaries.active.is_empty() || vm.machine.inputs.has_varying_sizes() {
        return summarised(vm, function, args, width);
    }
    let conditions = vm.machine.path.decisions.iter().map(|decision| decision.cond).collect();
    let state = State { call: key(function, args), steps: vm.steps(), conditions };
    let ConcolicMachine { summaries, pool, .. } = &mut vm.machine;
    if let Some(known) = summaries.earlier.of(pool).get(&state) {
        return Ok(Rc::clone(known));
    }
    let summary = summarised(vm, function, args, width)?;
    let ConcolicMachine { summaries, pool, .. } = &mut vm.machine;
    summaries.earlier.of(pool).insert(state, Rc::clone(&summary));
    Ok(summary)
}

fn key(function: FuncId, args: &[Slot]) -> Key {
    (function, args.iter().map(|arg| (arg.val, arg.tag.expr().0)).collect())
}

fn summarised(vm: &mut Program<'_>, function: FuncId, args: &[Slot], width: u32) -> Result<Rc<Summary>, Stop> {
    let is_outermost = vm.machine.summaries.active.is_empty();
    let key = key(function, args);
    if is_outermost {
        vm.machine.summaries.known.clear();
        vm.machine.summaries.n_tries = 0;
        let marks = vm.machine.summaries.marks.take().unwrap_or_else(|| Marks::new(vm.image().ops.len()));
        vm.machine.summaries.marks = Some(std::mem::replace(&mut vm.machine.marks, marks));
    } else if let Some(known) = vm.machine.summaries.known.get(&key) {
        return Ok(Rc::clone(known));
    }
    let outer = vm.machine.summaries.forcing.take();
    vm.machine.summaries.active.push(function);
    let grown =
        Growing { vm, function, args, width, bytes: Vec::new(), ledger: Vec::new(), n_paths: 0, is_too_large: false }
            .summary();
    vm.machine.summaries.active.pop();
    vm.machine.summaries.forcing = outer;
    if is_outermost && let Some(marks) = vm.machine.summaries.marks.take() {
        vm.machine.summaries.marks = Some(std::mem::replace(&mut vm.machine.marks, marks));
    }
    let summary = Rc::new(grown?);
    vm.machine.summaries.known.insert(key, Rc::clone(&summary));
    Ok(summary)
}

/// A summary in the making.
struct Growing<'a, 'p> {
    vm: &'a mut Program<'p>,
    function: FuncId,
    args: &'a [Slot],
    width: u32,
    bytes: Vec<InputPlace>,
    ledger: Vec<LedgerEntry>,
    n_paths: usize,
    is_too_large: bool,
}

/// What is known behind some decisions: the result, and whether a path is open.
type Known = (Option<ExprId>, ExprId);

impl Growing<'_, '_> {
    fn summary(mut self) -> Result<Summary, Stop> {
        let (value, open) = self.grow(&[])?;
        let value = value.filter(|_| open != ExprId::TRUE && !self.is_too_large);
        Ok(Summary { value, open, bytes: self.bytes, ledger: self.ledger, n_paths: self.n_paths })
    }

    /// All paths that begin with these ways.
    fn grow(&mut self, ways: &[bool]) -> Result<Known, Stop> {
        let n_tries = &mut self.vm.machine.summaries.n_tries;
        self.is_too_large |= *n_tries >= MAX_TRIES;
        if self.is_too_large {
            return Ok((None, ExprId::TRUE));
        }
        *n_tries += 1;
        let Some(tried) = self.try_out(ways)? else { return Ok((None, ExprId::TRUE)) };
        self.is_too_large |= tried.chosen.len() > MAX_BRANCHES;
        self.bytes.extend(&tried.bytes);
        self.ledger.extend(tried.ledger.iter().cloned());
        self.n_paths += usize::from(tried.result.is_some());
        let mut known = (tried.result, if tried.result.is_some() { ExprId::FALSE } else { ExprId::TRUE });
        // From its end back to where it leaves the path that it was found by.
        for number in (ways.len()..tried.chosen.len()).rev() {
            let mut other: Vec<bool> = ways.to_vec();
            other.resize(number, true);
            other.push(false);
            let otherwise = self.grow(&other)?;
            known = self.joined(tried.decisions[tried.chosen[number]].cond, known, otherwise);
        }
        Ok(known)
    }

    fn joined(&mut self, cond: ExprId, then: Known, otherwise: Known) -> Known {
        let pool = &mut self.vm.machine.pool;
        let value = match (then.0, otherwise.0) {
            (Some(then), Some(otherwise)) => Some(pool.mk_ite(cond, then, otherwise)),
            (one, None) | (None, one) => one,
        };
        (value, pool.mk_ite(cond, then.1, otherwise.1))
    }

    /// Tries out the path that takes these ways, and at further branches the one where the condition holds. Nothing if it can't be
    /// told what it depends on.
    fn try_out(&mut self, ways: &[bool]) -> Result<Option<Tried>, Stop> {
        let (function, args, width) = (self.function, self.args, self.width);
        let first = self.vm.machine.path.decisions.len();
        let (n_before, n_noted) = (self.vm.machine.inputs.grouped.len(), self.vm.machine.ledger.len());
        let forcing = Forcing { ways: ways.to_vec(), first, chosen: Vec::new(), is_lost: false };
        let mut is_too_large = false;
        let tried = aside::try_out(self.vm, MAX_STEPS, |vm| {
            vm.machine.summaries.forcing = Some(forcing);
            let end = vm.call(function, args);
            let forcing = vm.machine.summaries.forcing.take().expect("whoever took it has put it back");
            let result = match end {
                Err(stop @ Stop::Limit(Limit::Interrupted)) => return Err(stop),
                Err(Stop::Limit(_)) => {
                    is_too_large = true;
                    None
                }
                Ok(slots) if !forcing.is_lost => match slots[..] {
                    [slot] if slot.tag.undef() == UndefId::NONE => Some(vm.machine.operand(width, slot)),
                    _ => None,
                },
                _ => None,
            };
            let bytes = vm.machine.inputs.plain_since(n_before);
            Ok((result, forcing.chosen, bytes, vm.machine.ledger[n_noted..].to_vec()))
        });
        // However it has ended.
        self.vm.machine.summaries.forcing = None;
        self.is_too_large |= is_too_large;
        let ((result, chosen, bytes, ledger), decisions) = match tried {
            Ok(tried) => tried,
            Err(stop @ Stop::Limit(Limit::Interrupted)) => return Err(stop),
            // Something was done that can't be undone: nothing can be tried out any more.
            Err(_) => {
                self.is_too_large = true;
                return Ok(None);
            }
        };
        let Some(bytes) = bytes else { return Ok(None) };
        let chosen = chosen.into_iter().map(|number| number - first).collect();
        Ok(Some(Tried { decisions, chosen, result, bytes, ledger }))
    }
}
