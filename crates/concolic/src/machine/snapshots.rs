//! Snapshots on the way of a run, and the values that everything has when one is used with another input.

use super::ConcolicMachine;
use super::lazy::lazy_byte;
use super::saved::Lengths;
use crate::input_bytes::input_byte;
use spelunk_expr::{ArrayValue, Evaluator, ExprId, Model, Value, VarId};
use spelunk_vm::{Carried, Snapshot, Vm};
use std::cell::Cell;

/// A state of a run, just before an operation that decides something.
pub type RunSnapshot = Snapshot<ConcolicMachine>;

/// When to take snapshots: once this many operations were executed since the last one, or since the start, and more the
/// larger a snapshot is. To execute them again must cost more than the snapshot does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SnapshotPolicy {
    pub min_steps: u64,
}

/// So many words are copied in the time of an operation.
const WORDS_A_STEP: u64 = 16;

#[derive(Default)]
pub(super) struct Taking {
    pub policy: Option<SnapshotPolicy>,
    /// Those of the present run, with the number of the first decision after each.
    pub taken: Vec<(usize, RunSnapshot)>,
    /// When the last one was taken, or used.
    pub last: u64,
    /// What there was before decisions that `after_decision` was not called for yet.
    pub before_decision: Option<Lengths>,
    /// The operation that made the last decision, by the number of steps, and what there was before it.
    pub operation: Option<(u64, Lengths)>,
    /// What there was before the present operation, while a snapshot of that moment is taken.
    pub lengths: Option<Lengths>,
}

/// Values under the present input.
#[derive(Default)]
pub(super) struct Values {
    model: Model,
    evaluator: Evaluator,
    /// How many of the run's variables are in the model.
    n_known: usize,
    /// Whether a variable was looked at that is not: registers that nobody reads any more may still have expressions of code that was tried out.
    has_missed: Cell<bool>,
}

/// The values of a model, and a note if one is not there.
struct Noticing<'v>(&'v Model, &'v Cell<bool>);

impl spelunk_expr::Values for Noticing<'_> {
    fn narrow(&self, var: VarId) -> u64 {
        let value = self.0.get_u64(var);
        self.1.set(self.1.get() || value.is_none());
        value.unwrap_or(0)
    }

    fn wide(&self, var: VarId) -> Option<&Value> {
        self.0.get_wide(var)
    }

    fn array(&self, var: VarId) -> Option<&ArrayValue> {
        self.0.array(var)
    }
}

impl Values {
    /// A variable that is no input.
    pub fn set(&mut self, var: VarId, value: u64) {
        self.model.set_u64(var, value);
    }
}

/// Takes a snapshot of the moment before the operation that has just decided something, if one is wanted.
pub(super) fn after_decision(vm: &mut Vm<'_, ConcolicMachine>) {
    let steps = vm.steps();
    let before = vm.machine.before_operation(steps);
    let machine = &mut vm.machine;
    let Some(policy) = machine.taking.policy else { return };
    let is_known = before.decisions < machine.path.n_expected();
    let n_steps = steps.saturating_sub(machine.taking.last);
    if is_known || machine.is_muted() || n_steps < policy.min_steps || n_steps < vm.snapshot_words() / WORDS_A_STEP {
        return;
    }
    let machine = &mut vm.machine;
    machine.taking.lengths = Some(before);
    let snapshot = vm.snapshot();
    vm.machine.taking.lengths = None;
    vm.machine.taking.last = steps;
    vm.machine.taking.taken.extend(snapshot.map(|snapshot| (before.decisions, snapshot)));
}

impl ConcolicMachine {
    /// What there was before the operation that has just decided something.
    fn before_operation(&mut self, steps: u64) -> Lengths {
        let before = self.taking.before_decision.take().unwrap_or_else(|| self.lengths());
        match self.taking.operation {
            // One more decision of the same operation.
            Some((operation, first)) if operation == steps => first,
            _ => {
                self.taking.operation = Some((steps, before));
                before
            }
        }
    }

    /// The operation at hand is about to change something of the machine before it decides anything.
    pub(crate) fn begin_operation(&mut self, steps: u64) {
        if self.taking.operation.is_none_or(|(operation, _)| operation != steps) {
            self.taking.operation = Some((steps, self.lengths()));
        }
    }

    /// What the operation at hand has decided so far has taken effect.
    pub(super) fn commit_operation(&mut self, steps: u64) {
        self.taking.before_decision = None;
        self.taking.operation = Some((steps, self.lengths()));
    }

    pub(super) fn forget_operation(&mut self) {
        self.taking.before_decision = None;
        self.taking.operation = None;
    }

    /// From here on, values are those under the present input.
    pub(super) fn begin_evaluation(&mut self) {
        self.values.model = self.inputs.model();
        self.values.n_known = self.inputs.grouped.len();
        self.values.has_missed.set(false);
        self.values.evaluator.under(&self.pool, &self.values.model);
        if let Some(check) = &mut self.self_check {
            check.start();
        }
    }

    /// Gives files their contents under the present input.
    pub(super) fn reevaluate_files(&mut self) {
        if !self.world.has_memory_files() {
            return;
        }
        let mut world = std::mem::take(&mut self.world);
        world.reevaluate(|carried, index| self.value_of_byte(carried, index));
        self.world = world;
    }

    pub(crate) fn value(&mut self, expr: ExprId) -> u64 {
        let Values { model, evaluator, n_known, has_missed } = &mut self.values;
        if *n_known < self.inputs.grouped.len() {
            self.inputs.values_from(*n_known).for_each(|(var, value)| model.set_u64(var, value));
            *n_known = self.inputs.grouped.len();
            if has_missed.take() {
                // What was computed without them is wrong now.
                evaluator.under(&self.pool, &*model);
            }
        }
        evaluator.again(&self.pool, Noticing(model, has_missed)).eval_u64(expr)
    }

    /// The same for bytes that carry numbers one after another.
    pub(crate) fn values_of_run(&mut self, first: Carried, index: u8, values: &mut [u8]) {
        if let Some(number) = input_byte(first) {
            return values.copy_from_slice(self.inputs.bytes_from(number, values.len()));
        }
        if let Some((layer, place)) = lazy_byte(first).and_then(|number| self.values_in_layer(number)) {
            return values.copy_from_slice(&layer.bytes[place..place + values.len()]);
        }
        for (number, value) in (first.0..).zip(values) {
            *value = self.value_of_byte(Carried(number), index);
        }
    }

    pub(super) fn value_of_byte(&mut self, carried: Carried, index: u8) -> u8 {
        if let Some(number) = input_byte(carried) {
            return self.inputs.byte(number);
        }
        let lazy = lazy_byte(carried);
        if let Some((byte, _)) = lazy.and_then(|number| self.value_in_layer(number)) {
            return byte;
        }
        let element = lazy.and_then(|number| self.lazy.element(&mut self.pool, number));
        let (expr, index) = element.unwrap_or_else(|| (self.provenance.expr(carried), index));
        // Bytes beyond the end of an expression are zero.
        self.value(expr).checked_shr(8 * u32::from(index)).unwrap_or(0) as u8
    }
}
