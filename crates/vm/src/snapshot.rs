//! Snapshots: the state of a run, kept so that the run can go on from there again, and another way.
//!
//! A snapshot taken in the middle of an operation is the state before it, and going on executes that operation again. So
//! whoever takes one must do it before the operation has changed anything: in a machine's `after_decision`. Memory is kept
//! by its own versions; call stacks as numbers and masks of uninitialised bits only ever grow, so they are not kept.

use crate::endless::next_landmark;
use crate::exec::SavedContext;
use crate::machine::Machine;
use crate::memory::{ObjectId, Version};
use crate::stop::Stop;
use crate::value::{Carried, Slot};
use crate::vm::{Frame, Vm};
use spelunk_ir::code::OpIdx;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A state of a [`Vm`]. It is kept until this is dropped.
pub struct Snapshot<M: Machine> {
    /// Where the image is whose operations the frames are at.
    image: usize,
    memory: Version,
    machine: M::Saved,
    /// Those of all frames, and the arguments above.
    regs: Box<[Slot]>,
    frames: Box<[Frame]>,
    stack_objects: Box<[ObjectId]>,
    saved_contexts: Box<[SavedContext]>,
    pc: OpIdx,
    last_return: OpIdx,
    native_stack: u64,
    steps: u64,
    side_steps: u64,
    run_depth: usize,
    /// Gives back its share of the account when it goes.
    _held: Held,
}

/// Bytes of snapshots outside of memory's versions.
struct Held {
    n_bytes: u64,
    total: Arc<AtomicU64>,
}

impl Held {
    fn new(n_bytes: u64, total: &Arc<AtomicU64>) -> Self {
        total.fetch_add(n_bytes, Ordering::Relaxed);
        Self { n_bytes, total: Arc::clone(total) }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.total.fetch_sub(self.n_bytes, Ordering::Relaxed);
    }
}

impl<M: Machine> Snapshot<M> {
    /// What the machine saved.
    pub fn machine(&self) -> &M::Saved {
        &self.machine
    }

    /// Operations executed before it.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Calls `visit` with every expression that a register carries; with some more than once.
    pub fn visit_exprs(&self, visit: impl FnMut(Carried)) {
        visit_slots(&self.regs, &self.frames, visit);
    }
}

impl<M: Machine> Vm<'_, M> {
    /// How many words of registers and frames a snapshot would copy: deep recursion has many.
    pub fn snapshot_words(&self) -> u64 {
        let frames = self.frames.len() * size_of::<Frame>() / size_of::<u64>();
        (2 * self.live_regs().len() + frames + self.stack_objects.len()) as u64
    }

    /// Keeps the current state, or that before the operation at hand. `None` where that is impossible: the machine can't
    /// bring its own state back, Rust code that called into the program waits for its return, code runs aside, or the operation
    /// has acted already.
    pub fn snapshot(&mut self) -> Option<Snapshot<M>> {
        if self.n_runs > 1 || self.n_without_snapshots > 0 {
            return None;
        }
        let machine = self.machine.save()?;
        let regs: Box<[Slot]> = self.live_regs().into();
        let frames: Box<[Frame]> = self.frames[..].into();
        let stack_objects: Box<[ObjectId]> = self.stack_objects[..].into();
        let n_bytes =
            size_of::<Snapshot<M>>() + size_of_val(&*regs) + size_of_val(&*frames) + size_of_val(&*stack_objects);
        Some(Snapshot {
            image: std::ptr::from_ref(self.image).addr(),
            memory: self.memory.snapshot(),
            machine,
            regs,
            frames,
            stack_objects,
            saved_contexts: self.saved_contexts[..].into(),
            pc: self.pc,
            last_return: self.last_return,
            native_stack: self.native_stack,
            // An operation is counted when it starts.
            steps: self.steps - u64::from(self.n_runs),
            side_steps: self.side_steps,
            run_depth: self.run_depth,
            _held: Held::new(n_bytes as u64, &self.held_by_snapshots),
        })
    }

    /// Brings back a state, with the concrete values that the machine's present input gives to everything that carries an
    /// expression. Not to be called during a run.
    pub fn restore(&mut self, snapshot: &Snapshot<M>) {
        assert!(self.n_runs == 0, "a run keeps part of the state to itself");
        assert!(snapshot.image == std::ptr::from_ref(self.image).addr(), "frames are of one image");
        self.memory.restore(&snapshot.memory);
        self.machine.restore(&snapshot.machine);
        self.regs[..snapshot.regs.len()].copy_from_slice(&snapshot.regs);
        replace_all(&mut self.frames, &snapshot.frames);
        replace_all(&mut self.stack_objects, &snapshot.stack_objects);
        replace_all(&mut self.saved_contexts, &snapshot.saved_contexts);
        self.pc = snapshot.pc;
        self.last_return = snapshot.last_return;
        self.native_stack = snapshot.native_stack;
        self.steps = snapshot.steps;
        self.side_steps = snapshot.side_steps;
        self.landmark = None;
        self.next_landmark = next_landmark(self.steps);
        self.schedule_poll();
        self.run_depth = snapshot.run_depth;
        self.reevaluate();
    }

    /// Goes on from a snapshot that was taken during a call, as that call would have: until its function returns, or the
    /// path stops.
    pub fn resume(&mut self) -> Result<Vec<Slot>, Stop> {
        assert!(self.n_runs == 0, "what a run does next is its own business");
        assert!(self.frames.len() > self.run_depth, "a call was under way when the snapshot was taken");
        self.finish_call(self.run_depth)
    }

    /// The bytes that snapshots take. Dropping some makes it less; what machines save is not counted.
    pub fn snapshot_bytes(&mut self) -> u64 {
        self.memory.snapshot_bytes() + self.held_by_snapshots.load(Ordering::Relaxed)
    }

    /// Computes the concrete value of everything that carries an expression anew, under the machine's present input.
    pub fn reevaluate(&mut self) {
        let n_live = self.live_regs().len();
        let in_varargs = self.frames.iter_mut().flat_map(|frame| &mut frame.varargs).flat_map(|args| &mut args.slots);
        for slot in self.regs[..n_live].iter_mut().chain(in_varargs) {
            if slot.tag.expr().is_some() {
                slot.val = self.machine.slot_value(slot.tag.expr());
            }
        }
        self.memory.reevaluate(|expr, index, out| self.machine.byte_values(expr, index, out));
    }

    /// Calls `visit` with every expression that the state carries, and the versions of memory that snapshots keep; with some
    /// more than once. Registers of calls that are over are among them: a new call may have them, and not have written
    /// them yet when it is evaluated anew.
    pub fn visit_exprs(&self, mut visit: impl FnMut(Carried)) {
        visit_slots(&self.regs, &self.frames, &mut visit);
        self.memory.visit_exprs(visit);
    }

    /// The registers of all frames, and above them as many as a call may have arguments: some may be there already.
    pub(crate) fn live_regs(&self) -> &[Slot] {
        let n_live = self.frames.last().map_or(0, |frame| (frame.base + frame.n_slots + self.max_args) as usize);
        &self.regs[..n_live]
    }
}

fn visit_slots(regs: &[Slot], frames: &[Frame], visit: impl FnMut(Carried)) {
    let in_varargs = frames.iter().flat_map(|frame| &frame.varargs).flat_map(|args| &args.slots);
    regs.iter().chain(in_varargs).map(|slot| slot.tag.expr()).filter(|expr| expr.is_some()).for_each(visit);
}

fn replace_all<T: Clone>(all: &mut Vec<T>, by: &[T]) {
    all.clear();
    all.extend_from_slice(by);
}
