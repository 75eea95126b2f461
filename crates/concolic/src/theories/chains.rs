//! How theories are asked: one after another, each out of its place while it is at work, so that it can ask the machine for
//! whatever it needs.

use super::flow::FlowRecord;
use super::{
    Address, Condition, Contradiction, Events, Lengths, Listeners, Opening, Spelt, Step, Theories, Theory, Verdict,
};
use crate::graph::layout::{Leaf, LeafKind};
use crate::harness::decide_assumed;
use crate::input::{Input, InputEditor, InputObject};
use crate::input_bytes::CountBytes;
use crate::journal::{Entries, Sealed};
use crate::key::ObjectKey;
use crate::machine::{ConcolicMachine, aside};
use crate::query::{Constraints, Failed, Judgement, Level, Refuted};
use spelunk_expr::{ExprId, Model, VarId};
use spelunk_ir::code::{CheckedImage, OpIdx};
use spelunk_vm::memory::{Fault, Memory, ObjectId, Word};
use spelunk_vm::{Access, Answer, Attention, Call, Callee, Carried, ModelId, Slot, Stop, Vm};
use std::mem;
use std::sync::Arc;

/// Whether a part of an input may have any value.
fn is_free(leaf: &Leaf) -> bool {
    matches!(leaf.kind, LeafKind::Number | LeafKind::Char)
}

/// A question about an object whose size depends on the input, by the operation at `site`.
#[derive(Clone, Copy, Debug)]
pub enum SizeQuestion {
    /// May an object of `count` times `unit` bytes have an open size? How many bytes at most?
    Reserve { site: OpIdx, count: Slot, unit: u64 },
    /// It was allocated.
    Bind { object: ObjectId, count: Slot, unit: u64 },
    /// Do the first `end` bytes belong to it?
    Check { site: OpIdx, object: ObjectId, end: u64 },
    /// How large is it in this run?
    Present { object: ObjectId },
    /// What is its size, if accesses may leave it open?
    Open { object: ObjectId },
    /// Must its size be known before it is accessed?
    IsNeeded { object: ObjectId },
    /// Does a number of the input count its elements?
    IsCounted { object: ObjectId },
    /// The path is to be tied to its size.
    Pin { site: OpIdx, object: ObjectId },
}

/// An answer to a question about sizes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    Bytes(u64),
    /// As an expression, and in this run.
    Expr(ExprId, u64),
    Is(bool),
    Done,
}

/// What theories are part of: the machine, or the VM with it.
pub(crate) trait Host {
    fn theories(&mut self) -> &mut Theories;
}

impl Host for ConcolicMachine {
    fn theories(&mut self) -> &mut Theories {
        &mut self.theories
    }
}

impl Host for Vm<'_, ConcolicMachine> {
    fn theories(&mut self) -> &mut Theories {
        &mut self.machine.theories
    }
}

/// A theory at work. It comes back to its place whatever happens.
struct AtWork<'h, H: Host> {
    host: &'h mut H,
    idx: usize,
    theory: Option<Box<dyn Theory>>,
}

impl<H: Host> AtWork<'_, H> {
    #[inline]
    fn put_back(&mut self) {
        let Some(theory) = self.theory.take() else { return };
        let theories = self.host.theories();
        theories.lengths[self.idx] = theory.n_noted() as u32;
        // Its place is empty: to look for something to drop there costs as much as all the rest.
        mem::forget(theories.slots[self.idx].replace(theory));
    }
}

impl<H: Host> Drop for AtWork<'_, H> {
    #[cold]
    fn drop(&mut self) {
        self.put_back();
    }
}

/// Asks those who hear an event until one has an answer.
#[inline]
fn ask<H: Host, R>(host: &mut H, event: Events, ask: impl FnMut(&mut dyn Theory, &mut H) -> Option<R>) -> Option<R> {
    let listeners = host.theories().listeners(event);
    if listeners.is_empty() { None } else { ask_each(host, listeners, ask) }
}

fn ask_each<H: Host, R>(
    host: &mut H,
    mut listeners: Listeners,
    mut ask: impl FnMut(&mut dyn Theory, &mut H) -> Option<R>,
) -> Option<R> {
    listeners.find_map(|idx| put_to_work(host, idx, &mut ask).flatten())
}

/// Nothing if it is at work already.
#[inline]
fn put_to_work<H: Host, R>(host: &mut H, idx: usize, work: impl FnOnce(&mut dyn Theory, &mut H) -> R) -> Option<R> {
    let theory = host.theories().slots[idx].take()?;
    let mut at_work = AtWork { host, idx, theory: Some(theory) };
    let AtWork { host, theory, .. } = &mut at_work;
    let done = theory.as_deref_mut().map(|theory| work(theory, host));
    // Only a panic leaves it to the guard, which stays out of the way of what is frequent.
    at_work.put_back();
    mem::forget(at_work);
    done
}

/// Tells all who hear an event.
#[inline]
fn tell<H: Host>(host: &mut H, event: Events, mut tell: impl FnMut(&mut dyn Theory, &mut H)) {
    ask(host, event, |theory, host| {
        tell(theory, host);
        None::<()>
    });
}

impl ConcolicMachine {
    pub(crate) fn is_implied(&self, cond: ExprId) -> bool {
        self.theories.hear(Events::CONDITION)
            && self.theories.iter(Events::CONDITION).any(|theory| theory.is_implied(self, cond))
    }

    /// Offers a condition before it is decided on.
    #[inline]
    pub(crate) fn offer(&mut self, condition: &mut Condition) -> Step {
        ask(self, Events::CONDITION, |theory, machine| match theory.condition(machine, condition) {
            Step::Pass => None,
            step => Some(step),
        })
        .unwrap_or(Step::Pass)
    }

    pub(crate) fn tell_observed(&mut self, site: OpIdx, cond: ExprId) {
        tell(self, Events::CONDITION, |theory, machine| theory.observed(machine, site, cond));
    }

    #[inline]
    pub(crate) fn tell_decided(&mut self, condition: &Condition) {
        tell(self, Events::CONDITION, |theory, machine| theory.decided(machine, condition));
    }

    pub(crate) fn tell_bound(&mut self, var: VarId, first: u32) {
        tell(self, Events::BOUND, |theory, machine| theory.bound(machine, var, first));
    }

    #[inline]
    pub(crate) fn tell_bits(&mut self, exprs: [ExprId; 2]) {
        tell(self, Events::BITS, |theory, machine| exprs.iter().for_each(|&it| theory.looked_at_bits(machine, it)));
    }

    pub(crate) fn resolve(&mut self, memory: &Memory, address: &mut Address) -> Option<Fault> {
        ask(self, Events::ADDRESS, |theory, machine| theory.resolve(machine, memory, address))
    }

    /// An address with what is decided in it replaced.
    pub(crate) fn rebased(&mut self, addr: Slot) -> ExprId {
        let expr = self.operand(64, addr);
        let Some(base) = self.base_of(addr) else { return expr };
        ask(self, Events::ADDRESS, |theory, machine| theory.rebased(machine, expr, base)).unwrap_or(expr)
    }

    pub(crate) fn tell_call_target(&mut self, access: Access, addr: ExprId) {
        tell(self, Events::POINTER, |theory, machine| theory.call_target(machine, access, addr));
    }

    /// Tells of a read, until a theory says what is read.
    pub(crate) fn tell_read(&mut self, memory: &Memory, access: Access) -> Option<Carried> {
        ask(self, Events::ACCESS, |theory, machine| theory.before_read(machine, memory, access))
    }

    pub(crate) fn tell_write(&mut self, access: Access, word: Option<&Word>) {
        tell(self, Events::ACCESS, |theory, machine| theory.before_write(machine, access, word));
    }

    /// Tells theories which alternatives nobody has come to.
    pub fn leave(&mut self, open: &[(Arc<Input>, Option<ExprId>)]) {
        tell(self, Events::LEFT, |theory, machine| theory.left(machine, open));
    }

    /// What a theory says of when an alternative is to come.
    pub fn rank(&mut self, input: &Input, cond: ExprId) -> Option<u64> {
        ask(self, Events::LEFT, |theory, machine| theory.rank(machine, input, cond))
    }

    pub fn hears_of_left(&self) -> bool {
        self.theories.hear(Events::LEFT)
    }

    /// Lets theories say of bytes that are looked at which are constants.
    #[inline]
    pub(crate) fn spell(&mut self, word: &mut Word, n: u32) {
        tell(self, Events::SPELLING, |theory, machine| theory.spell(machine, word, n));
    }

    pub(crate) fn spell_run(&mut self, number: u32) -> Option<Spelt> {
        ask(self, Events::SPELLING, |theory, machine| theory.spell_run(machine, number))
    }

    #[inline]
    pub(crate) fn view(&mut self, addr: u64, word: &mut Word, n: u32) {
        tell(self, Events::CONTENT, |theory, machine| theory.view(machine, addr, word, n));
    }

    /// What the first of some bytes that carry numbers one after another is seen as, if the others go on from there.
    pub(crate) fn view_run(&mut self, addr: u64, first: Carried, n: u32) -> Option<Carried> {
        let mut seen = Some(first);
        tell(self, Events::CONTENT, |theory, machine| {
            seen = seen.and_then(|first| theory.view_run(machine, addr, first, n));
        });
        seen
    }

    pub(crate) fn unwritten(&mut self, addr: u64, n: u32) -> Option<Word> {
        ask(self, Events::CONTENT, |theory, machine| theory.unwritten(machine, addr, n))
    }

    pub(crate) fn is_indivisible(&self, word: &Word) -> bool {
        self.theories.iter(Events::CONTENT).any(|theory| theory.is_indivisible(self, word))
    }

    pub(crate) fn read_symbolic(&mut self, memory: &Memory, access: Access) -> Option<Carried> {
        ask(self, Events::TABLE, |theory, machine| theory.read(machine, memory, access))
    }

    pub(crate) fn plan_write(&mut self, memory: &Memory, access: Access, word: &Word) {
        tell(self, Events::TABLE, |theory, machine| theory.plan_write(machine, memory, access, word));
    }

    pub(crate) fn write_symbolic(&mut self, memory: &mut Memory, access: Access, word: &Word) -> Result<(), Fault> {
        ask(self, Events::TABLE, |theory, machine| theory.write(machine, memory, access, word))
            .unwrap_or_else(|| memory.store_word(access.addr.val, access.len as u32, word))
    }

    pub(crate) fn is_handed_over(&mut self, memory: &mut Memory, site: OpIdx, value: Slot) -> bool {
        let done = |theory: &mut dyn Theory, machine: &mut ConcolicMachine| {
            theory.hand_over(machine, memory, site, value).then_some(())
        };
        ask(self, Events::POINTER, done).is_some()
    }

    pub(crate) fn ask_size(&mut self, question: SizeQuestion) -> Option<Size> {
        ask(self, Events::SIZE, |theory, machine| theory.size(machine, &question))
    }

    /// Whether an alternative is to be explored; if not, why.
    pub fn admit(&mut self, opening: &Opening<'_>) -> Verdict {
        ask(self, Events::OPENING, |theory, machine| match theory.admit(machine, opening) {
            Verdict::Open => None,
            refusal => Some(refusal),
        })
        .unwrap_or(Verdict::Open)
    }

    /// Whether a snapshot of a run with one input can be gone on from with another.
    pub fn serves(&self, from: &Input, to: &Input) -> bool {
        self.inputs.heap.has_same_rooms(from, to) && self.theories.serve(from, to)
    }

    /// The bytes of the last run's input that a variable stands for: of which object, from where on, how many. Nothing if not every value
    /// makes an input, or it says how many elements an object has.
    pub fn free_place(&self, var: VarId) -> Option<(&Arc<ObjectKey>, u32, u32)> {
        let place = self.variables.place(var)?;
        let (made, node) = (self.inputs.of_node(place.object)?, self.inputs.heap.node(place.object));
        let layout = self.inputs.heap.layouts().get(node.layout);
        let is_free = layout.leaf_at(place.offset % layout.size.max(1)).is_none_or(is_free);
        let is_number = is_free && !self.is_counter(made.first + place.offset, place.n_bytes);
        is_number.then_some((&node.key, place.offset, place.n_bytes))
    }

    /// How many bytes an object of the last run's input may have; none if these can't be any.
    pub(crate) fn longest(&self, object: &InputObject) -> usize {
        let heap = &self.inputs.heap;
        let Some(id) = heap.find(&object.key) else { return 0 };
        let Some(made) = self.inputs.of_node(id) else { return 0 };
        let are_free = heap.layouts().get(heap.node(id).layout).leaves.iter().all(is_free);
        if !are_free || made.counted_by.is_some() || self.is_counter(made.first, made.len) {
            return 0;
        }
        let longest = if heap.node(id).is_elastic() { heap.node(id).longest } else { made.len };
        (longest as usize).max(object.bytes.len())
    }

    /// Whether some of these bytes of the input say how many elements an object has.
    fn is_counter(&self, first: u32, n_bytes: u32) -> bool {
        let counts = |count: CountBytes| count.first < first + n_bytes && first < count.first + count.n_bytes;
        self.inputs.made().iter().any(|made| made.counted_by.is_some_and(counts))
    }

    /// Lets each theory put its side of a query.
    pub fn constrain(&mut self, query: &mut Constraints<'_>, level: Level) -> Result<(), Contradiction> {
        let contradiction = ask(self, Events::QUERY, |theory, machine| theory.constrain(machine, query, level).err());
        contradiction.map_or(Ok(()), Err)
    }

    /// Whether all theories can make an input of these values.
    pub fn judge(&mut self, query: &mut Constraints<'_>, level: Level, changes: &Model) -> Judgement {
        ask(self, Events::QUERY, |theory, machine| match theory.judge(machine, query, level, changes) {
            Judgement::Accept => None,
            other => Some(other),
        })
        .unwrap_or(Judgement::Accept)
    }

    /// What it means that a query has no answer.
    pub fn failed(&mut self, query: &Constraints<'_>, level: Level, failed: &Failed) -> Refuted {
        ask(self, Events::QUERY, |theory, machine| match theory.failed(machine, query, level, failed) {
            Refuted::Final => None,
            other => Some(other),
        })
        .unwrap_or(Refuted::Final)
    }

    /// The input that has the values that were found, and is as the origin otherwise.
    pub fn realise(&mut self, query: &Constraints<'_>, changes: &Model, origin: &Input) -> Input {
        let mut input = InputEditor::new(origin);
        let done = |theory: &mut dyn Theory, machine: &mut ConcolicMachine| {
            theory.realise(machine, query, changes, &mut input).then_some(())
        };
        if ask(self, Events::QUERY, done).is_none() {
            self.variables.apply(&self.inputs.heap, &mut input, changes);
        }
        tell(self, Events::COMPLETION, |theory, machine| theory.complete(machine, query, changes, &mut input));
        input.finish()
    }

    /// An input that nobody has asked the theories about, with what they would make agree in it.
    pub(crate) fn completed(&mut self, input: &Input) -> Input {
        if !self.theories.hear(Events::COMPLETION) {
            return input.clone();
        }
        let (nothing, mut input) = (Model::new(), InputEditor::new(input));
        let query = Constraints::new(&[], 0, &nothing);
        tell(self, Events::COMPLETION, |theory, machine| theory.complete(machine, &query, &nothing, &mut input));
        input.finish()
    }

    /// Whether the input of a run that is over is one.
    pub(crate) fn is_valid_end(&mut self) -> bool {
        let objects = |theory: &mut dyn Theory, machine: &mut ConcolicMachine| (!theory.ended(machine)).then_some(());
        ask(self, Events::COMPLETION, objects).is_none()
    }

    /// Whether an expression depends on what a theory has yet to decide on.
    pub(crate) fn is_open(&mut self, expr: ExprId) -> bool {
        ask(self, Events::COMPLETION, |theory, machine| theory.is_open(machine, expr).then_some(())).is_some()
    }

    /// Pointers of the input that no theory has decided on.
    pub(crate) fn undecided(&self) -> Vec<(Arc<ObjectKey>, u32)> {
        self.theories.iter(Events::COMPLETION).flat_map(|theory| theory.undecided(self)).collect()
    }

    /// Lets each theory go back to its first entries in journals that are sealed.
    pub(crate) fn restore_theories(&mut self, sealed: &[Box<dyn Sealed>], lengths: &Lengths) {
        for (idx, (sealed, &len)) in sealed.iter().zip(lengths).enumerate() {
            put_to_work(self, idx, |theory, machine| theory.restore(machine, Entries::new(&**sealed, len as usize)));
        }
    }
}

/// The theories that may serve calls of a function, in order.
pub(crate) fn models(theories: &Theories, callee: &Callee<'_>) -> Vec<ModelId> {
    let is_model = |theory: &dyn Theory| theory.models(callee);
    let listeners = theories.listeners(Events::CALL);
    listeners
        .filter(|&idx| theories.slots[idx].as_deref().is_some_and(is_model))
        .map(|idx| ModelId(idx as u32))
        .collect()
}

/// Lets a theory serve a call. One that is at work itself calls the function as it is.
pub(crate) fn call_model(vm: &mut Vm<'_, ConcolicMachine>, model: ModelId, call: &Call<'_>) -> Result<Answer, Stop> {
    put_to_work(vm, model.0 as usize, |theory, vm| theory.call(vm, call)).unwrap_or(Ok(Answer::Decline))
}

/// Where theories want to be asked, in order.
pub(crate) fn notes(theories: &Theories, image: &CheckedImage, attention: Attention) -> Vec<OpIdx> {
    let at = |theory: &dyn Theory| theory.notes_at(image, attention);
    let mut sites: Vec<OpIdx> = theories.iter(Events::NOTE).flat_map(at).collect();
    sites.sort_unstable();
    sites.dedup();
    sites
}

/// The first call of a run is about to be made.
pub(crate) fn tell_begin(vm: &mut Vm<'_, ConcolicMachine>) -> Result<(), Stop> {
    ask(vm, Events::BEGIN, |theory, vm| theory.begin(vm).err()).map_or(Ok(()), Err)
}

/// What the decisions of the run that has just ended depend on.
pub(crate) fn take_flow(vm: &mut Vm<'_, ConcolicMachine>) -> Option<Box<FlowRecord>> {
    ask(vm, Events::FLOW, |theory, vm| theory.flow(vm))
}

/// An operation that theories wanted to be asked at is about to be executed.
pub(crate) fn tell_note(vm: &mut Vm<'_, ConcolicMachine>, op_idx: OpIdx) -> Result<(), Stop> {
    ask(vm, Events::NOTE, |theory, vm| theory.note(vm, op_idx).err()).map_or(Ok(()), Err)
}

/// An operation has made decisions. Checks that theories want made of the input are made with all of them in their places.
pub(crate) fn tell_settled(vm: &mut Vm<'_, ConcolicMachine>) -> Result<(), Stop> {
    if let Some(stop) = ask(vm, Events::SETTLED, |theory, vm| theory.settled(vm).err()) {
        return Err(stop);
    }
    // What a check decides is settled with the operation that asked for it.
    if std::mem::replace(&mut vm.machine.path.is_checking, true) {
        return Ok(());
    }
    // They are made in the midst of an access.
    let located = vm.machine.located;
    let outcome = make_checks(vm);
    vm.machine.path.is_checking = false;
    vm.machine.located = located;
    outcome
}

fn make_checks(vm: &mut Vm<'_, ConcolicMachine>) -> Result<(), Stop> {
    while let Some(check) = ask(vm, Events::SETTLED, |theory, vm| theory.next_check(&mut vm.machine)) {
        let result = aside::call_check(vm, &check);
        let known = result.as_ref().ok().copied().flatten();
        tell(vm, Events::SETTLED, |theory, vm| theory.checked(&mut vm.machine, known, check.width));
        if !result?.map_or(Ok(true), |result| decide_assumed(vm, result, check.width))? {
            return Err(Stop::Infeasible);
        }
    }
    Ok(())
}
