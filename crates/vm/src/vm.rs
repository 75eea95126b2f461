//! The state of a run: registers, frames, memory; how it starts, and where it is.

use crate::bodies::Bodies;
use crate::builtins::BuiltinTable;
use crate::endless::{Landmark, next_landmark};
use crate::machine::Machine;
use crate::memory::{Fault, Memory, ObjectId, ObjectKind, object_of};
use crate::notes::{Notes, Silent};
use crate::stop::{Limit, Stop};
use crate::trace::{TraceId, Traces};
use crate::value::{Slot, UndefMasks};
use spelunk_ir::code::{CheckedImage, FuncCode, Image, OpIdx, StaticKind, Target};
use spelunk_ir::lower::MAX_ARG_SLOTS;
use spelunk_ir::model::FuncId;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What a run may use.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of all objects together.
    pub memory: u64,
    /// Bytes that the native stack would have.
    pub stack: u64,
    pub instructions: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory: 4 << 30, stack: 8 << 20, instructions: u64::MAX }
    }
}

pub struct Vm<'p, M: Machine> {
    pub(crate) image: &'p CheckedImage,
    pub machine: M,
    pub memory: Memory,
    pub traces: Traces,
    pub(crate) undefs: UndefMasks,
    pub(crate) bodies: Bodies<M>,
    pub(crate) regs: Vec<Slot>,
    pub(crate) frames: Vec<Frame>,
    /// Objects of all frames, oldest first.
    pub(crate) stack_objects: Vec<ObjectId>,
    pub(crate) saved_contexts: Vec<crate::exec::SavedContext>,
    /// The operation being executed, current whenever anything but the hot loop runs.
    pub(crate) pc: OpIdx,
    /// The last return from the user's code: where that was left, once `main` is over.
    pub(crate) last_return: OpIdx,
    pub(crate) native_stack: u64,
    pub(crate) steps: u64,
    pub(crate) next_poll: u64,
    /// What loops are looked for with, and when next.
    pub(crate) landmark: Option<Box<Landmark>>,
    pub(crate) next_landmark: u64,
    pub(crate) n_external_calls: u64,
    /// Signed overflows that were noticed.
    pub(crate) n_overflows: u64,
    limits: Limits,
    interrupt: Arc<AtomicBool>,
    /// Where the machine is asked before an operation is executed.
    pub(crate) notes: Option<Arc<Notes<'p>>>,
    pub(crate) silent: Silent,
    /// The machine has answered a note by going on itself.
    pub(crate) has_moved_on: bool,
    /// How many calls from Rust code are under way, and how many frames there were before the last one.
    pub(crate) n_runs: u32,
    pub(crate) run_depth: usize,
    /// Tells the last one from all others that any machine ever made. Stays where one did not end well, so that
    /// whoever called it can't go on.
    pub(crate) run: u64,
    /// How many frames there were when the code that runs aside started.
    pub(crate) aside_depth: Option<usize>,
    /// As which operation it has to end at the latest.
    pub(crate) aside_end: u64,
    pub(crate) side_steps: u64,
    /// Not zero where the state is no state before an operation.
    pub(crate) n_without_snapshots: u32,
    /// As many slots as the arguments of any call take.
    pub(crate) max_args: u32,
    pub(crate) held_by_snapshots: Arc<AtomicU64>,
}

#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub function: FuncId,
    /// First slot.
    pub base: u32,
    pub n_slots: u32,
    /// The call in the caller: where to go on after, and where the result goes.
    pub call_pc: OpIdx,
    pub dst: u32,
    /// How many stack objects there were before.
    pub first_object: u32,
    pub varargs: Option<Box<crate::exec::VarArgs>>,
    /// The call stack up to and including `call_pc`, once asked for.
    pub trace: Option<TraceId>,
}

/// The call that nobody made: the first frame's.
pub(crate) const NO_CALLER: OpIdx = OpIdx::NOWHERE;

/// How often the interrupt flag is looked at, in operations. Those on expressions can take microseconds.
pub(crate) const POLL_INTERVAL: u64 = 1 << 14;

impl<'p, M: Machine> Vm<'p, M> {
    /// A machine with all static objects in place.
    pub fn new(
        image: &'p CheckedImage,
        machine: M,
        builtins: &dyn BuiltinTable<M>,
        limits: Limits,
    ) -> Result<Self, Fault> {
        let mut memory = Memory::new(limits.memory);
        for object in &image.statics {
            let kind = match object.kind {
                StaticKind::Variable { .. } => ObjectKind::Global,
                StaticKind::Function(_) => ObjectKind::Function,
            };
            let id = object_of(memory.alloc(kind, object.size, object.align, TraceId::EMPTY)?);
            if let StaticKind::Variable { bytes, constant } = &object.kind {
                memory.init_object(id, bytes);
                if *constant {
                    memory.make_constant(id);
                }
            }
        }
        let bodies = Bodies::resolve(image, &machine, builtins);
        Ok(Self {
            image,
            machine,
            memory,
            traces: Traces::default(),
            undefs: UndefMasks::default(),
            bodies,
            regs: vec![Slot::default(); 1 << 16],
            frames: Vec::new(),
            stack_objects: Vec::new(),
            saved_contexts: Vec::new(),
            pc: OpIdx(0),
            last_return: NO_CALLER,
            native_stack: 0,
            steps: 0,
            next_poll: 0,
            landmark: None,
            next_landmark: next_landmark(0),
            n_external_calls: 0,
            n_overflows: 0,
            limits,
            interrupt: Arc::default(),
            notes: None,
            silent: Silent::default(),
            has_moved_on: false,
            n_runs: 0,
            run_depth: 0,
            run: 0,
            aside_depth: None,
            aside_end: u64::MAX,
            side_steps: 0,
            n_without_snapshots: 0,
            max_args: max_args(image),
            held_by_snapshots: Arc::default(),
        })
    }

    /// What is run.
    pub fn image(&self) -> &'p CheckedImage {
        self.image
    }

    /// Setting this flag ends the run soon.
    pub fn interrupt_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.interrupt)
    }

    /// Takes a flag that others have, in place of its own.
    pub fn set_interrupt_flag(&mut self, flag: Arc<AtomicBool>) {
        self.interrupt = flag;
    }

    /// Operations executed so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The operation being executed, for those that it calls.
    pub fn pc(&self) -> OpIdx {
        self.pc
    }

    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// As which operation the run ends at the latest. What ran aside has taken its share.
    pub(crate) fn last_step(&self) -> u64 {
        self.limits.instructions.saturating_sub(self.side_steps).min(self.aside_end)
    }

    /// Ends what runs next after so many operations, if not before.
    pub fn end_after(&mut self, n_steps: u64) {
        self.aside_end = self.steps.saturating_add(n_steps);
        self.schedule_poll();
    }

    /// The function of that name which has code.
    pub fn find_function(&self, name: &str) -> Option<FuncId> {
        let has_name = |code: &FuncCode| &*code.name == name && code.target == Target::Code;
        self.image.functions.iter().position(has_name).map(FuncId::new)
    }

    /// Where a function pointer to it points.
    pub fn function_address(&self, function: FuncId) -> u64 {
        let is_it =
            |object: &spelunk_ir::code::StaticObject| matches!(object.kind, StaticKind::Function(id) if id == function);
        let idx = self.image.statics.iter().position(is_it).expect("every function has an object");
        self.memory.object(ObjectId(idx as u32 + 1)).base()
    }

    /// Address of a static variable.
    pub fn static_address(&self, name: &str) -> Option<u64> {
        let idx = self.image.statics.iter().position(|object| &*object.name == name)?;
        Some(self.memory.object(ObjectId(idx as u32 + 1)).base())
    }

    /// A new object with these bytes that the program finds at its start.
    pub fn alloc_startup(&mut self, bytes: &[u8]) -> Result<u64, Fault> {
        let addr = self.memory.alloc(ObjectKind::Startup, bytes.len() as u64, 16, TraceId::EMPTY)?;
        self.memory.write(addr, bytes)?;
        Ok(addr)
    }

    /// The same of uninitialised bytes.
    pub fn alloc_startup_room(&mut self, size: u64) -> Result<u64, Fault> {
        self.memory.alloc(ObjectKind::Startup, size, 16, TraceId::EMPTY)
    }

    /// A new object of uninitialised bytes that the program knows nothing of.
    pub fn alloc_record(&mut self, size: u64) -> Result<u64, Fault> {
        self.memory.alloc(ObjectKind::Record, size, 16, TraceId::EMPTY)
    }

    /// Decides whether the run may go on; called now and then.
    #[cold]
    pub(crate) fn poll(&mut self) -> Result<(), Stop> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(Stop::Limit(Limit::Interrupted));
        }
        if self.steps >= self.last_step() {
            return Err(Stop::Limit(Limit::Instructions));
        }
        self.look_for_loop()?;
        self.schedule_poll();
        Ok(())
    }

    /// The current call stack as a number.
    pub fn trace_id(&mut self) -> TraceId {
        // Only frames that nobody asked about yet are walked.
        let known = self.frames.iter().rposition(|frame| frame.trace.is_some());
        let mut trace = known.and_then(|idx| self.frames[idx].trace).unwrap_or_default();
        let first = known.map_or(0, |idx| idx + 1);
        for frame in &mut self.frames[first..] {
            // The first frame was called by nobody.
            if frame.call_pc != NO_CALLER {
                trace = self.traces.mk(trace, frame.call_pc);
            }
            frame.trace = Some(trace);
        }
        self.traces.mk(trace, self.pc)
    }

    /// The operations of the current call stack, innermost first. After `main`, the return from it stands for the user's
    /// part of the stack.
    pub fn trace(&self) -> Vec<OpIdx> {
        let callers = self.frames.iter().rev().map(|frame| frame.call_pc).filter(|&pc| pc != NO_CALLER);
        let mut trace: Vec<OpIdx> = std::iter::once(self.pc).chain(callers).collect();
        if self.last_return != NO_CALLER && !trace.iter().any(|&op| self.image.is_user_code(op)) {
            trace.push(self.last_return);
        }
        trace
    }

    /// The innermost operation of the user's code that is under way.
    pub fn user_site(&self) -> OpIdx {
        let callers = self.frames.iter().rev().map(|frame| frame.call_pc);
        std::iter::once(self.pc).chain(callers).find(|&op_idx| self.image.is_user_code(op_idx)).unwrap_or(self.pc)
    }
}

fn max_args(image: &Image) -> u32 {
    let given = image.call_sites.iter().map(|site| site.arg_slots);
    let taken = image.functions.iter().map(|code| code.param_slots);
    given.chain(taken).max().unwrap_or(0).min(MAX_ARG_SLOTS as u32)
}
