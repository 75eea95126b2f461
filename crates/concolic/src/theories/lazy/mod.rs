//! Pointers of the input that are decided when they are first used (lazy initialization), by rules for heaps (HEX).
//!
//! A pointer is null, leads to an object that was decided before, or to a new one: one decision with as many alternatives as rules
//! leave. What it decides are relations of pointers, which the pointer graphs hear of like any others, so this is only a policy of
//! when to relate, and no second heap: it comes before them, and whatever they are asked afterwards, they know already. The
//! value of a pointer that nothing was decided about is that of a *completion* (`completion`): an input is made such that all of it keeps
//! the rules, so that each is a valid one as it stands.
//!
//! Paper: Braione, Denaro, Pezzè, *Symbolic Execution of Programs with Heap Inputs*, section 3. Unlike there, a pointer is used when it
//! decides something, not when it is loaded, and `aliases max` is treated exactly.

mod ahead;
mod companions;
mod completion;
mod decide;
mod references;

use super::{Address, Condition, Contradiction, Events, Step, Theory};
use crate::graph::shapes::Shapes;
use crate::input::InputEditor;
use crate::journal::{AnyJournal, Entries, Entry, Journal};
use crate::key::ObjectKey;
use crate::ledger::LedgerKind;
use crate::machine::aside::{Check, ENDED_CHECK};
use crate::machine::{Base, ConcolicMachine};
use crate::query::{Constraints, Failed, Level, Refuted};
use ahead::Ahead;
use references::{Decided, Pointers};
use smallvec::SmallVec;
use spelunk_expr::{ExprId, FreeVars, Model, VarId};
use spelunk_hex::{CompanionId, Spot};
use spelunk_ir::code::OpIdx;
use spelunk_vm::memory::{Fault, Memory};
use spelunk_vm::{Answer, Call, Callee, Slot, Stop, Vm};
use std::sync::Arc;

pub(super) struct Lazy {
    shapes: Arc<Shapes>,
    journal: Journal<Noted>,
    /// What the run has decided: follows from the journal.
    decided: Decided,
    /// Checks that what was just decided asks for.
    waiting: Vec<(CompanionId, Option<Spot>)>,
    /// In a check, a pointer that nothing was decided about ends it. How many decisions there were before it.
    in_check: Option<usize>,
    ahead: Ahead,
    /// What variables are, in all runs with one pool.
    pointers: Pointers,
    free_vars: FreeVars,
}

/// What a pointer was decided to be.
#[derive(Clone, Copy, Debug)]
struct Noted {
    var: VarId,
    choice: spelunk_hex::Choice,
}

impl Entry for Noted {}

impl Lazy {
    pub fn new(shapes: &Arc<Shapes>) -> Self {
        Self {
            shapes: Arc::clone(shapes),
            journal: Journal::default(),
            decided: Decided::new(&shapes.spec),
            waiting: Vec::new(),
            in_check: None,
            ahead: Ahead::default(),
            pointers: Pointers::default(),
            free_vars: FreeVars::new(),
        }
    }

    /// The pointers that an expression depends on and that nothing was decided about, in the order in which they were first read.
    fn open(&mut self, machine: &ConcolicMachine, expr: ExprId) -> SmallVec<[VarId; 2]> {
        let vars = self.free_vars.of(&machine.pool, expr);
        let is_open = |var: &VarId| self.pointers.get(*var).is_some() && !self.decided.knows(*var);
        let mut open: SmallVec<[VarId; 2]> = self.free_vars.iter(vars).filter(is_open).collect();
        if open.len() > 1 {
            open.sort_by_key(|&var| self.pointers.place(machine, var));
        }
        open
    }

    /// Decides what an expression depends on. Says whether it did: not in a check, nor in what is tried out, which end there.
    fn decide_all(&mut self, machine: &mut ConcolicMachine, site: OpIdx, expr: ExprId) -> bool {
        let open = self.open(machine, expr);
        if machine.path.is_trial && !open.is_empty() {
            machine.halt();
            return false;
        }
        if let Some(before) = self.in_check {
            let is_endless = machine.path.decisions.len() > before + companions::MAX_DECISIONS;
            if is_endless {
                machine.note_once(LedgerKind::EndedCheck, site, ENDED_CHECK);
            }
            if is_endless || !open.is_empty() {
                machine.halt();
                return false;
            }
        }
        for var in open {
            self.decide(machine, site, var);
        }
        true
    }
}

impl Theory for Lazy {
    fn name(&self) -> &'static str {
        "lazy"
    }

    fn events(&self) -> Events {
        let decides = [Events::CONDITION, Events::ADDRESS, Events::POINTER, Events::SETTLED, Events::CALL];
        let makes = [Events::QUERY, Events::COMPLETION];
        decides.into_iter().chain(makes).fold(Events::BOUND, Events::and)
    }

    fn journal(&self) -> &dyn AnyJournal {
        &self.journal
    }

    fn restore(&mut self, machine: &mut ConcolicMachine, entries: Entries<'_>) {
        self.journal.clear();
        self.decided = Decided::new(&self.shapes.spec);
        // What is tried out decides nothing, and makes no checks: those that wait are the path's.
        if !machine.path.is_trial {
            self.waiting.clear();
        }
        for &noted in entries.of::<Noted>() {
            self.note(noted);
        }
    }

    fn bound(&mut self, machine: &mut ConcolicMachine, var: VarId, first: u32) {
        self.pointers.add(machine, &self.shapes, var, first);
    }

    fn condition(&mut self, machine: &mut ConcolicMachine, condition: &mut Condition) -> Step {
        match self.decide_all(machine, condition.site, condition.cond) {
            true => Step::Pass,
            false => Step::Implied,
        }
    }

    fn observed(&mut self, machine: &mut ConcolicMachine, site: OpIdx, cond: ExprId) {
        self.decide_all(machine, site, cond);
    }

    fn resolve(&mut self, machine: &mut ConcolicMachine, _memory: &Memory, address: &mut Address) -> Option<Fault> {
        let base = match address.base {
            Some(Base::Input(var)) => machine.pool.mk_var(var),
            _ => ExprId::TRUE,
        };
        let site = address.access.site;
        let goes_on = self.decide_all(machine, site, base) && self.decide_all(machine, site, address.expr);
        (!goes_on).then_some(Fault::Null { addr: address.access.addr.val })
    }

    fn hand_over(&mut self, machine: &mut ConcolicMachine, _memory: &mut Memory, site: OpIdx, value: Slot) -> bool {
        let expr = machine.operand(machine.width_of(value), value);
        self.decide_all(machine, site, expr);
        false
    }

    fn next_check(&mut self, machine: &mut ConcolicMachine) -> Option<Check> {
        self.next_companion(machine)
    }

    fn checked(&mut self, machine: &mut ConcolicMachine, result: Option<Slot>, width: u32) {
        self.in_check = None;
        if let Some(result) = result.filter(|result| result.tag.expr().is_some()) {
            let (expr, zero) = (machine.operand(width, result), machine.pool.mk_const(width, 0));
            let cond = machine.pool.mk_ne(expr, zero);
            self.ahead.learn(&machine.pool, &self.decided, cond);
        }
    }

    fn models(&self, callee: &Callee<'_>) -> bool {
        callee.name == companions::IS_DECIDED
    }

    fn call(&mut self, vm: &mut Vm<'_, ConcolicMachine>, call: &Call<'_>) -> Result<Answer, Stop> {
        Ok(self.is_decided(vm, call))
    }

    fn ended(&mut self, machine: &mut ConcolicMachine) -> bool {
        self.keeps_rules(machine)
    }

    fn is_open(&mut self, machine: &ConcolicMachine, expr: ExprId) -> bool {
        !self.open(machine, expr).is_empty()
    }

    fn undecided(&self, machine: &ConcolicMachine) -> Vec<(Arc<ObjectKey>, u32)> {
        self.pointers.undecided(machine, &self.shapes, &self.decided)
    }

    fn constrain(
        &mut self,
        machine: &mut ConcolicMachine,
        query: &mut Constraints<'_>,
        level: Level,
    ) -> Result<(), Contradiction> {
        if level != Level::default() {
            return Ok(());
        }
        let decided = self.decided_by(machine, query.asked);
        if decided.heap.is_dead_end(completion::BUDGET) {
            return Err(Contradiction);
        }
        let wishes = self.ahead.wishes(&machine.pool, &decided, query.hint, query.asked);
        wishes.into_iter().for_each(|wish| query.add(wish, false));
        Ok(())
    }

    fn failed(
        &mut self,
        _machine: &mut ConcolicMachine,
        _query: &Constraints<'_>,
        _level: Level,
        _failed: &Failed,
    ) -> Refuted {
        if self.ahead.drop_wishes() { Refuted::Again } else { Refuted::Final }
    }

    fn complete(
        &mut self,
        machine: &mut ConcolicMachine,
        query: &Constraints<'_>,
        _changes: &Model,
        input: &mut InputEditor,
    ) {
        self.complete_input(machine, query.asked, input);
    }
}
