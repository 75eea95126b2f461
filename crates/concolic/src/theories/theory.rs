//! What a theory is, and what it hears.

use super::flow::FlowRecord;
use super::{Contradiction, Size, SizeQuestion};
use crate::decision::Decision;
use crate::graph::heap::NodeId;
use crate::input::{Input, InputEditor};
use crate::journal::{AnyJournal, Entries};
use crate::key::ObjectKey;
use crate::ledger::Bound;
use crate::machine::aside::Check;
use crate::machine::{Base, ConcolicMachine};
use crate::query::{Constraints, Failed, Judgement, Level, Refuted};
use spelunk_expr::{ExprId, Model, VarId};
use spelunk_ir::code::{CheckedImage, OpIdx};
use spelunk_vm::memory::{Fault, Memory, Word};
use spelunk_vm::{Access, Answer, Attention, Call, Callee, Carried, Slot, Stop, Vm};
use std::sync::Arc;

/// What a theory may hear, as a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Events(u32);

impl Events {
    pub const NONE: Self = Self(0);
    /// [`Theory::bound`].
    pub const BOUND: Self = Self(1);
    /// [`Theory::condition`], [`Theory::decided`], [`Theory::is_implied`], [`Theory::observed`].
    pub const CONDITION: Self = Self(1 << 1);
    /// [`Theory::looked_at_bits`].
    pub const BITS: Self = Self(1 << 2);
    /// [`Theory::resolve`], [`Theory::rebased`].
    pub const ADDRESS: Self = Self(1 << 3);
    /// [`Theory::before_read`], [`Theory::before_write`].
    pub const ACCESS: Self = Self(1 << 4);
    /// [`Theory::view`], [`Theory::unwritten`], [`Theory::is_indivisible`].
    pub const CONTENT: Self = Self(1 << 5);
    /// [`Theory::read`], [`Theory::plan_write`], [`Theory::write`].
    pub const TABLE: Self = Self(1 << 6);
    /// [`Theory::hand_over`], [`Theory::call_target`].
    pub const POINTER: Self = Self(1 << 7);
    /// [`Theory::size`].
    pub const SIZE: Self = Self(1 << 8);
    /// [`Theory::constrain`] and what follows it, [`Theory::serves`].
    pub const QUERY: Self = Self(1 << 9);
    /// [`Theory::admit`].
    pub const OPENING: Self = Self(1 << 10);
    /// [`Theory::settled`], [`Theory::next_check`], [`Theory::checked`].
    pub const SETTLED: Self = Self(1 << 11);
    /// [`Theory::models`], [`Theory::call`].
    pub const CALL: Self = Self(1 << 12);
    /// [`Theory::notes`], [`Theory::note`].
    pub const NOTE: Self = Self(1 << 13);
    /// [`Theory::complete`], [`Theory::ended`], [`Theory::undecided`], [`Theory::is_open`].
    pub const COMPLETION: Self = Self(1 << 14);

    /// [`Theory::begin`].
    pub const BEGIN: Self = Self(1 << 15);
    /// [`Theory::spell`].
    pub const SPELLING: Self = Self(1 << 16);
    /// [`Theory::left`], [`Theory::rank`].
    pub const LEFT: Self = Self(1 << 17);

    /// [`Theory::flow`].
    pub const FLOW: Self = Self(1 << 18);

    /// How many there are.
    pub(super) const N_EVENTS: usize = 19;

    pub(super) const fn nth(number: usize) -> Self {
        Self(1 << number)
    }

    /// The number of one event.
    #[inline(always)]
    pub(super) const fn number(self) -> usize {
        self.0.trailing_zeros() as usize
    }

    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// A condition that is about to be decided on.
#[derive(Clone, Copy, Debug)]
pub struct Condition {
    pub site: OpIdx,
    pub cond: ExprId,
    pub holds: bool,
}

/// What bytes of the input are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spelt {
    /// The byte is the same for all inputs of the path.
    Constant,
    /// It is not, nor are those behind it, so many in all.
    Open(u32),
}

/// How a chain goes on behind a theory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    Pass,
    /// What the path says already decides it.
    Implied,
}

/// An address that an access goes to.
#[derive(Clone, Copy, Debug)]
pub struct Address {
    pub access: Access,
    /// The address; theories may replace what is decided in it.
    pub expr: ExprId,
    /// What it was computed from.
    pub base: Option<Base>,
    /// The pointer of the input that it goes through, once that is known.
    pub(crate) through: Option<Through>,
}

/// A pointer of the input that something is accessed through.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Through {
    /// The object that has the pointer, as it is found through another, and where.
    pub holder: NodeId,
    pub offset: u32,
    /// The pointer's own object, after which it is named.
    pub own: NodeId,
    /// What the pointer is in this run.
    pub value: u64,
}

/// What a run could have done otherwise, at a decision or without one, and nobody has done yet.
#[derive(Clone, Copy, Debug)]
pub struct Opening<'a> {
    /// The decisions of the run, and how many there were before.
    pub path: &'a [Decision],
    pub index: usize,
    pub site: OpIdx,
    pub cond: ExprId,
    /// The run's input.
    pub input: &'a Input,
}

/// Whether an alternative is to be explored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    Open,
    /// It is not, for a reason that the ledger tells.
    Refuse(Arc<str>),
    /// It is not, since it is beyond a bound.
    Beyond(Bound),
}

/// A component of the machine. All methods but the first two do nothing unless they are written; each but those about journals
/// is called only if [`Theory::events`] says so.
///
/// While a theory is at work it is not asked about what it does itself: conditions that it decides are offered to the others.
#[expect(unused_variables, reason = "what a theory does not care about")]
pub trait Theory {
    fn name(&self) -> &'static str;

    /// What it wants to hear of. Asked once.
    fn events(&self) -> Events;

    /// What the run has noted so far: all of the run's state that is not made anew from it.
    fn journal(&self) -> &dyn AnyJournal {
        &()
    }

    /// How long the journal is.
    fn n_noted(&self) -> usize {
        self.journal().n_entries()
    }

    /// Goes back to these entries. The machine has the input that the run goes on with, and its inputs are in place.
    fn restore(&mut self, machine: &mut ConcolicMachine, entries: Entries<'_>) {}

    /// Whether a snapshot of a run with one input can be gone on from with another one.
    fn serves(&self, from: &Input, to: &Input) -> bool {
        true
    }

    /// The first call is about to be made.
    fn begin(&mut self, vm: &mut Vm<'_, ConcolicMachine>) -> Result<(), Stop> {
        Ok(())
    }

    /// Bytes of the input are looked at. What is no variable, but the same for all inputs of the path, may be made plain.
    fn spell(&mut self, machine: &mut ConcolicMachine, word: &mut Word, n: u32) {}

    /// The same for bytes that are not looked at yet, from one on, by its number: whether it is a constant.
    fn spell_run(&mut self, machine: &mut ConcolicMachine, number: u32) -> Option<Spelt> {
        None
    }

    /// Whether what the path says decides a condition. It is not decided on for that.
    fn is_implied(&self, machine: &ConcolicMachine, cond: ExprId) -> bool {
        false
    }

    /// A condition is about to be decided on. It may be replaced by one that is the same for this run's path.
    fn condition(&mut self, machine: &mut ConcolicMachine, condition: &mut Condition) -> Step {
        Step::Pass
    }

    /// What follows a condition is a value, and no decision on it.
    fn observed(&mut self, machine: &mut ConcolicMachine, site: OpIdx, cond: ExprId) {}

    /// The condition that was just passed is part of the path now.
    fn decided(&mut self, machine: &mut ConcolicMachine, condition: &Condition) {}

    /// Input bytes, of which this is the first by number, became a variable.
    fn bound(&mut self, machine: &mut ConcolicMachine, var: VarId, first: u32) {}

    /// The program looks at the bits of a value.
    fn looked_at_bits(&mut self, machine: &mut ConcolicMachine, expr: ExprId) {}

    /// An access is about to happen. What its address depends on may be decided here; a fault ends the path.
    fn resolve(&mut self, machine: &mut ConcolicMachine, memory: &Memory, address: &mut Address) -> Option<Fault> {
        None
    }

    /// An address with what is decided in it replaced, as `resolve` does. Decides nothing.
    fn rebased(&mut self, machine: &mut ConcolicMachine, addr: ExprId, base: Base) -> Option<ExprId> {
        None
    }

    /// A function is about to be called by this address.
    fn call_target(&mut self, machine: &mut ConcolicMachine, access: Access, addr: ExprId) {}

    /// A read is about to happen at an address that was resolved. Says what is read if it knows, and then no other is told of the read.
    fn before_read(&mut self, machine: &mut ConcolicMachine, memory: &Memory, access: Access) -> Option<Carried> {
        None
    }

    /// A write is about to happen at an address that was resolved; of a word, or of bytes that are copied there.
    fn before_write(&mut self, machine: &mut ConcolicMachine, access: Access, word: Option<&Word>) {}

    /// Makes what a word in memory carries what the access at hand sees there.
    fn view(&mut self, machine: &mut ConcolicMachine, addr: u64, word: &mut Word, n: u32) {}

    /// The same for bytes that carry numbers one after another: what the first is seen as if the others go on from there; nothing
    /// if they have to be looked at one by one.
    fn view_run(&mut self, machine: &mut ConcolicMachine, addr: u64, first: Carried, n: u32) -> Option<Carried> {
        Some(first)
    }

    /// What the access at hand would see in memory if nothing had been written since the run began.
    fn unwritten(&mut self, machine: &mut ConcolicMachine, addr: u64, n: u32) -> Option<Word> {
        None
    }

    /// Whether a word is one of which it must be known which it is: no expression may stand for one of several.
    fn is_indivisible(&self, machine: &ConcolicMachine, word: &Word) -> bool {
        false
    }

    /// What is read at a symbolic place inside of an object.
    fn read(&mut self, machine: &mut ConcolicMachine, memory: &Memory, access: Access) -> Option<Carried> {
        None
    }

    /// Decides what a write at a symbolic place depends on.
    fn plan_write(&mut self, machine: &mut ConcolicMachine, memory: &Memory, access: Access, word: &Word) {}

    /// Writes at a symbolic place, as planned. Decides nothing.
    fn write(
        &mut self,
        machine: &mut ConcolicMachine,
        memory: &mut Memory,
        access: Access,
        word: &Word,
    ) -> Option<Result<(), Fault>> {
        None
    }

    /// A value is about to be used as the number that it is in this run, by code that is not followed. Says whether it has
    /// decided for that number.
    fn hand_over(&mut self, machine: &mut ConcolicMachine, memory: &mut Memory, site: OpIdx, value: Slot) -> bool {
        false
    }

    /// A question about an object whose size depends on the input.
    fn size(&mut self, machine: &mut ConcolicMachine, question: &SizeQuestion) -> Option<Size> {
        None
    }

    /// Whether it may serve calls of a function. Asked once, when the VM is made; for functions of the program only those
    /// that its [`Maker`] names.
    fn models(&self, callee: &Callee<'_>) -> bool {
        false
    }

    /// A function is called that it may serve.
    fn call(&mut self, vm: &mut Vm<'_, ConcolicMachine>, call: &Call<'_>) -> Result<Answer, Stop> {
        Ok(Answer::Decline)
    }

    /// The operations at which it wants to be asked: loop heads and back edges ([`spelunk_vm::loop_sites`]), entries of
    /// functions. Asked once, when the VM is made.
    fn notes(&self, image: &CheckedImage) -> Vec<OpIdx> {
        Vec::new()
    }

    /// Of these, those at which it is asked with less attention ([`ConcolicMachine::attention`](spelunk_vm::Machine::attention)).
    fn notes_at(&self, image: &CheckedImage, attention: Attention) -> Vec<OpIdx> {
        self.notes(image)
    }

    /// Such an operation is about to be executed, for the first time or again after a snapshot.
    fn note(&mut self, vm: &mut Vm<'_, ConcolicMachine>, op_idx: OpIdx) -> Result<(), Stop> {
        Ok(())
    }

    /// An operation has made decisions, and changed nothing yet. Code may be run aside here ([`crate::aside`]), and in `note`
    /// and `call`.
    fn settled(&mut self, vm: &mut Vm<'_, ConcolicMachine>) -> Result<(), Stop> {
        Ok(())
    }

    /// A function that is to be called as a check of the input, after that: all theories are in their places meanwhile.
    fn next_check(&mut self, machine: &mut ConcolicMachine) -> Option<Check> {
        None
    }

    /// The function was called: its result, of so many bits, if it came to one. What follows from that is decided afterwards.
    fn checked(&mut self, machine: &mut ConcolicMachine, result: Option<Slot>, width: u32) {}

    /// The run is over. Says whether its input is one: what the run decided as a whole may show that it is not.
    fn ended(&mut self, machine: &mut ConcolicMachine) -> bool {
        true
    }

    /// The run is over: what its decisions depend on, from the one who follows that.
    fn flow(&mut self, vm: &mut Vm<'_, ConcolicMachine>) -> Option<Box<FlowRecord>> {
        None
    }

    /// Whether an expression depends on what it has yet to decide on: a condition with it is none that a query may ask for.
    fn is_open(&mut self, machine: &ConcolicMachine, expr: ExprId) -> bool {
        false
    }

    /// Pointers of the run's input that it would decide on if they were used, by object and offset.
    fn undecided(&self, machine: &ConcolicMachine) -> Vec<(Arc<ObjectKey>, u32)> {
        Vec::new()
    }

    /// Whether an alternative of a run that is over is to be explored.
    fn admit(&mut self, machine: &mut ConcolicMachine, opening: &Opening<'_>) -> Verdict {
        Verdict::Open
    }

    /// The campaign is over: these alternatives are still open, as an input that goes there and the condition, if it is known.
    fn left(&mut self, machine: &mut ConcolicMachine, open: &[(Arc<Input>, Option<ExprId>)]) {}

    /// What comes first, for strategies that ask for it: an alternative of the run of an input, by its condition. The lowest comes first.
    fn rank(&mut self, machine: &mut ConcolicMachine, input: &Input, cond: ExprId) -> Option<u64> {
        None
    }

    /// Its side of a query: conditions to add, or to take out because it solves them itself.
    fn constrain(
        &mut self,
        machine: &mut ConcolicMachine,
        query: &mut Constraints<'_>,
        level: Level,
    ) -> Result<(), Contradiction> {
        Ok(())
    }

    /// Whether it can make an input of the values that a solver found.
    fn judge(
        &mut self,
        machine: &mut ConcolicMachine,
        query: &mut Constraints<'_>,
        level: Level,
        changes: &Model,
    ) -> Judgement {
        Judgement::Accept
    }

    /// A query has no answer at this level.
    fn failed(
        &mut self,
        machine: &mut ConcolicMachine,
        query: &Constraints<'_>,
        level: Level,
        failed: &Failed,
    ) -> Refuted {
        Refuted::Final
    }

    /// Writes what it knows of the values that were found into the input. Says whether it wrote all of them.
    fn realise(
        &mut self,
        machine: &mut ConcolicMachine,
        query: &Constraints<'_>,
        changes: &Model,
        input: &mut InputEditor,
    ) -> bool {
        false
    }

    /// The values that were found are in the input: makes the rest of it agree with them.
    fn complete(
        &mut self,
        machine: &mut ConcolicMachine,
        query: &Constraints<'_>,
        changes: &Model,
        input: &mut InputEditor,
    ) {
    }
}
