//! Loops that come back to a state that they were in, and so never end.
//!
//! After as many operations as a power of two, the state is noted, and for a while it is compared at every jump. A loop whose
//! period fits in is noticed sooner or later. That nothing but the program could have changed anything in between is part
//! of it: no library function was called that looks at anything but memory, nothing is volatile, and no signal is awaited. Nor did a signed integer overflow, in
//! the loop or, as far as the machine knows, before: by C, the run was over then.

use crate::bug::{Bug, BugKind};
use crate::machine::Machine;
use crate::memory::{Newcomers, ObjectId, Version};
use crate::stop::Stop;
use crate::vm::{Frame, POLL_INTERVAL, Vm};
use smallvec::SmallVec;
use spelunk_ir::code::{OpCode, OpIdx};
use spelunk_ir::model::FuncId;

/// A byte of the library that says so.
const INTERRUPTIBLE: &str = "__rt_interruptible";

/// The first time that a state is noted, in operations.
const FIRST: u64 = 1 << 13;

/// For how many operations it is compared with those that follow: one for so many that came before, and some at least.
const SHARE: u64 = 256;
const LEAST: u64 = 1 << 10;

/// When a run that has come so far notes its state next.
pub(crate) fn next_landmark(steps: u64) -> u64 {
    (steps + 1).checked_next_power_of_two().map_or(u64::MAX, |steps| steps.max(FIRST))
}

/// A state, and what has been seen since.
pub(crate) struct Landmark {
    pc: OpIdx,
    frames: Box<[Call]>,
    regs: Box<[u64]>,
    memory: Version,
    n_external_calls: u64,
    n_overflows: u64,
    until: u64,
    /// With fewest calls under way, the first place in the code that a jump went to: where the loop starts.
    head: (usize, OpIdx),
    functions: SmallVec<[FuncId; 8]>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Call {
    function: FuncId,
    base: u32,
    call_pc: OpIdx,
}

impl Call {
    fn of(frame: &Frame) -> Self {
        Self { function: frame.function, base: frame.base, call_pc: frame.call_pc }
    }
}

impl<M: Machine> Vm<'_, M> {
    /// Sees at a jump whether the run is back where it was.
    pub(crate) fn look_for_loop(&mut self) -> Result<(), Stop> {
        match self.landmark.take() {
            Some(landmark) if self.steps < landmark.until && landmark.n_external_calls == self.n_external_calls => {
                self.compare_with(landmark)?
            }
            Some(_) => self.next_landmark = next_landmark(self.steps),
            None if self.steps >= self.next_landmark => self.landmark = Some(self.note_state()),
            None => {}
        }
        Ok(())
    }

    /// Lets the next jump after so many operations ask whether the run may go on.
    pub(crate) fn schedule_poll(&mut self) {
        let next = match &self.landmark {
            Some(_) => self.steps + 1,
            None => self.next_landmark.min(self.steps.saturating_add(POLL_INTERVAL)),
        };
        self.next_poll = next.min(self.last_step());
    }

    /// Whether the program has asked for signals, which end loops that it does not end itself.
    pub fn may_be_interrupted(&self) -> bool {
        let idx = self.image.statics.iter().position(|object| &*object.name == INTERRUPTIBLE);
        idx.is_some_and(|idx| {
            let base = self.memory.object(ObjectId(idx as u32 + 1)).base();
            self.memory.load_word(base, 1).is_ok_and(|word| word.val != 0)
        })
    }

    fn note_state(&mut self) -> Box<Landmark> {
        Box::new(Landmark {
            pc: self.pc,
            frames: self.frames.iter().map(Call::of).collect(),
            regs: self.live_regs().iter().map(|slot| slot.val).collect(),
            memory: self.memory.snapshot(),
            n_external_calls: self.n_external_calls,
            n_overflows: self.n_overflows,
            until: self.steps + LEAST.max(self.steps / SHARE),
            head: (self.frames.len(), self.next_place()),
            functions: SmallVec::new(),
        })
    }

    /// Where a jump goes; a call stays in its place.
    fn next_place(&self) -> OpIdx {
        let op = self.image.op(self.pc);
        match op.code {
            OpCode::Call | OpCode::CallVar | OpCode::CallIndirect | OpCode::CallExternal => self.pc,
            _ => OpIdx(op.dst),
        }
    }

    fn compare_with(&mut self, mut landmark: Box<Landmark>) -> Result<(), Stop> {
        landmark.head = landmark.head.min((self.frames.len(), self.next_place()));
        let function = self.frames.last().map(|frame| frame.function);
        if let Some(function) = function.filter(|function| !landmark.functions.contains(function)) {
            landmark.functions.push(function);
        }
        let is_back = self.pc == landmark.pc
            && self.frames.iter().map(Call::of).eq(landmark.frames.iter().copied())
            && self.live_regs().iter().map(|slot| slot.val).eq(landmark.regs.iter().copied())
            && self.memory.is_as_in(&landmark.memory, Newcomers::None);
        if !is_back {
            self.landmark = Some(landmark);
            return Ok(());
        }
        let is_volatile = |function: &FuncId| self.image.functions[function.index()].is_volatile;
        let is_past_overflow = landmark.n_overflows != self.n_overflows || self.machine.is_past_overflow();
        let is_over = is_past_overflow || self.may_be_interrupted();
        if is_over || landmark.functions.iter().any(is_volatile) {
            self.next_landmark = next_landmark(self.steps);
            return Ok(());
        }
        let mut trace = self.trace().split_off(self.frames.len() - landmark.head.0);
        trace[0] = landmark.head.1;
        Err(Stop::Bug(Box::new(Bug {
            kind: BugKind::EndlessLoop,
            message: "it comes back to the state that it was in before".to_owned(),
            trace,
            notes: Vec::new(),
            stays_in: None,
            beyond: None,
        })))
    }
}
