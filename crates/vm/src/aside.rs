//! Running code aside: whatever it does is undone, and the path goes on as if nothing had happened.
//!
//! This may be done at any time, also in the middle of an operation by a machine's hook. What is kept is what code that is
//! called from here can change: memory, the last frame with its registers and the arguments above it, the objects of that
//! frame, places for `longjmp`, and what the machine says. Frames below are out of reach, since nothing returns past the
//! call that runs aside. Call stacks as numbers and masks of uninitialised bits only ever grow, so they stay.

use crate::endless::next_landmark;
use crate::exec::{SavedContext, next_run};
use crate::machine::Machine;
use crate::memory::{ObjectId, Version};
use crate::stop::Stop;
use crate::value::Slot;
use crate::vm::{Frame, Vm};
use spelunk_ir::code::OpIdx;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// The state that a run aside starts from and ends in.
struct Kept<M: Machine> {
    memory: Version,
    machine: M::Saved,
    n_frames: usize,
    top: Option<Frame>,
    /// Those of the last frame, and the arguments above.
    regs: Box<[Slot]>,
    first_reg: usize,
    stack_objects: Box<[ObjectId]>,
    first_object: usize,
    saved_contexts: Box<[SavedContext]>,
    pc: OpIdx,
    last_return: OpIdx,
    native_stack: u64,
    steps: u64,
    n_external_calls: u64,
    next_landmark: u64,
    aside_end: u64,
    n_runs: u32,
    run_depth: usize,
    run: u64,
    aside_depth: Option<usize>,
    n_without_snapshots: u32,
}

impl<M: Machine> Vm<'_, M> {
    /// Lets `run` call functions of the program ([`call`](Vm::call)) or go on from an operation ([`run_from`](Vm::run_from)), for
    /// as many operations as `limit` says, and undoes all of it, whether it ends well, with the end of a path, or in a panic.
    /// The operations count towards the limit of the path ([`side_steps`](Vm::side_steps)). No snapshot can be taken meanwhile.
    ///
    /// What the machine keeps is for it to say ([`Machine::step_aside`]); where it can't, the path ends.
    pub fn aside<T>(&mut self, limit: u64, run: impl FnOnce(&mut Self) -> Result<T, Stop>) -> Result<T, Stop> {
        let Some(machine) = self.machine.step_aside() else {
            return self.unsupported("code that runs aside after something that can't be undone");
        };
        let kept = self.keep(machine);
        self.landmark = None;
        self.next_landmark = u64::MAX;
        self.aside_end = kept.aside_end.min(self.steps.saturating_add(limit));
        self.schedule_poll();
        self.aside_depth = Some(kept.n_frames);
        self.n_without_snapshots += 1;
        let outcome = catch_unwind(AssertUnwindSafe(|| run(self)));
        self.bring_back(kept);
        outcome.unwrap_or_else(|panic| resume_unwind(panic))
    }

    /// Goes on from an operation of the function that is executed, until that returns. The results are its slots. Only to be
    /// called aside, once, or again from where the machine stopped it at a note of the same call, or of one that it led to.
    ///
    /// # Panics
    ///
    /// If it is not called aside, or the operation belongs to another function.
    pub fn run_from(&mut self, op_idx: OpIdx) -> Result<Vec<Slot>, Stop> {
        let depth = self.frames.len().checked_sub(1).expect("a function is executed");
        let is_aside = self.aside_depth.is_some_and(|n_frames| n_frames <= self.frames.len());
        assert!(is_aside, "what comes next in a path is not run twice");
        // Where nobody waits for the result, it is where that of a call by Rust code is.
        self.frames[depth].call_pc = crate::vm::NO_CALLER;
        self.pc = op_idx;
        let results = self.finish_call(depth);
        // A run that executes this frame further out has nothing left to go on with.
        self.run = next_run();
        results
    }

    /// The slots of the function that is executed.
    pub fn frame(&self) -> &[Slot] {
        let n_slots = self.frames.last().map_or(0, |frame| frame.n_slots as usize);
        &self.regs[self.frame_base()..][..n_slots]
    }

    /// Gives one of them another value.
    ///
    /// # Panics
    ///
    /// If no code runs aside: the path would not know why.
    pub fn set_slot(&mut self, idx: usize, slot: Slot) {
        assert!(self.is_aside() && idx < self.frame().len(), "a slot of the frame, aside");
        let base = self.frame_base();
        self.regs[base + idx] = slot;
    }

    /// How many functions are executed, each called by the one before.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// How often code was called that is not the program's.
    pub fn n_external_calls(&self) -> u64 {
        self.n_external_calls
    }

    /// How many signed overflows were noticed, aside or not.
    pub fn n_overflows(&self) -> u64 {
        self.n_overflows
    }

    /// Whether code runs aside.
    pub fn is_aside(&self) -> bool {
        self.aside_depth.is_some()
    }

    /// Operations that were executed aside.
    pub fn side_steps(&self) -> u64 {
        self.side_steps
    }

    fn keep(&mut self, machine: M::Saved) -> Kept<M> {
        let first_reg = self.frame_base();
        let first_object = self.frames.last().map_or(self.stack_objects.len(), |frame| frame.first_object as usize);
        Kept {
            memory: self.memory.snapshot(),
            machine,
            n_frames: self.frames.len(),
            top: self.frames.last().cloned(),
            regs: self.live_regs()[first_reg..].into(),
            first_reg,
            stack_objects: self.stack_objects[first_object..].into(),
            first_object,
            saved_contexts: self.saved_contexts[..].into(),
            pc: self.pc,
            last_return: self.last_return,
            native_stack: self.native_stack,
            steps: self.steps,
            n_external_calls: self.n_external_calls,
            // A state that was noted can't be compared with any more once memory has gone another way.
            next_landmark: if self.landmark.is_some() { next_landmark(self.steps) } else { self.next_landmark },
            aside_end: self.aside_end,
            n_runs: self.n_runs,
            run_depth: self.run_depth,
            run: self.run,
            aside_depth: self.aside_depth,
            n_without_snapshots: self.n_without_snapshots,
        }
    }

    fn bring_back(&mut self, kept: Kept<M>) {
        self.memory.restore(&kept.memory);
        self.machine.step_back(&kept.machine);
        self.regs[kept.first_reg..kept.first_reg + kept.regs.len()].copy_from_slice(&kept.regs);
        self.frames.truncate(kept.n_frames.saturating_sub(1));
        self.frames.extend(kept.top);
        self.stack_objects.truncate(kept.first_object);
        self.stack_objects.extend_from_slice(&kept.stack_objects);
        self.saved_contexts.clear();
        self.saved_contexts.extend_from_slice(&kept.saved_contexts);
        self.pc = kept.pc;
        self.last_return = kept.last_return;
        self.native_stack = kept.native_stack;
        // What was executed aside is no part of the path, but takes its time.
        self.side_steps += self.steps - kept.steps;
        self.steps = kept.steps;
        self.n_external_calls = kept.n_external_calls;
        self.landmark = None;
        self.next_landmark = kept.next_landmark;
        self.aside_end = kept.aside_end;
        self.schedule_poll();
        self.n_runs = kept.n_runs;
        self.run_depth = kept.run_depth;
        self.run = kept.run;
        self.aside_depth = kept.aside_depth;
        self.n_without_snapshots = kept.n_without_snapshots;
    }
}
