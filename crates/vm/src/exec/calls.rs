//! Frames: how functions are entered and left, and where a call goes.

use super::sizes::{Ceiling, Size};
use super::varargs::VarArgs;
use crate::bodies::{Answer, Body, Call, ModelId};
use crate::bug::BugKind;
use crate::builtins::{BuiltinRow, Flow};
use crate::machine::{Event, Machine, Mark};
use crate::memory::{Newcomers, ObjectKind, object_of};
use crate::stop::Stop;
use crate::trace::TraceId;
use crate::value::Slot;
use crate::vm::{Frame, NO_CALLER, Vm};
use smallvec::SmallVec;
use spelunk_ir::code::{CallSite, Op, OpCode, Origin, Reg, StaticKind, Target};
use spelunk_ir::lower::MAX_ARG_SLOTS;
use spelunk_ir::model::FuncId;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many runs there were, of any machine.
static N_RUNS: AtomicU64 = AtomicU64::new(1);

/// The number of a run, which no other has.
pub(crate) fn next_run() -> u64 {
    N_RUNS.fetch_add(1, Ordering::Relaxed)
}

/// Frames and operations belong together; after a path has stopped they don't.
pub(super) const SWALLOWED: &str = "a hook or library function went on after a call of it had stopped the path";

/// Whether a body has served a call.
#[derive(PartialEq, Eq)]
enum Served {
    Yes,
    No,
}

impl<M: Machine> Vm<'_, M> {
    /// Calls a function and runs until it returns or the path stops. The results are its slots.
    ///
    /// After a path has stopped, frames are as they were at that moment; so a machine's hook or a library function must hand on
    /// that it has.
    pub fn call(&mut self, function: FuncId, args: &[Slot]) -> Result<Vec<Slot>, Stop> {
        assert!(self.image.functions[function.index()].target == Target::Code, "a function that has code is called");
        let depth = self.frames.len();
        let resume_at = self.pc;
        let base = self.next_base();
        self.regs.resize(self.regs.len().max(base + args.len() + MAX_ARG_SLOTS), Slot::default());
        self.regs[base..base + args.len()].copy_from_slice(args);
        let code = &self.image.functions[function.index()];
        self.enter(function.0, 0, None)?;
        let frame = self.frames.last_mut().expect("just entered");
        frame.call_pc = NO_CALLER;
        self.pc = code.entry;
        self.machine.mark(code.entry, Mark::Reached);
        let results = self.finish_call(depth)?;
        self.pc = resume_at;
        Ok(results)
    }

    /// Runs until the function of the frame at `depth` returns.
    pub(crate) fn finish_call(&mut self, depth: usize) -> Result<Vec<Slot>, Stop> {
        let code = &self.image.functions[self.frames[depth].function.index()];
        let outer_depth = std::mem::replace(&mut self.run_depth, depth);
        let outer_run = std::mem::replace(&mut self.run, next_run());
        self.n_runs += 1;
        let end = self.run(depth);
        self.n_runs -= 1;
        self.run_depth = outer_depth;
        end?;
        self.run = outer_run;
        // `leave` puts the results where the caller's registers would be.
        let results = self.next_base();
        Ok(self.regs[results..results + code.ret_slots as usize].to_vec())
    }

    /// The slot just above the current frame.
    fn next_base(&self) -> usize {
        self.frames.last().map_or(0, |frame| (frame.base + frame.n_slots) as usize)
    }

    /// Pushes a frame; the arguments are already in its first slots.
    #[inline]
    pub(super) fn enter(&mut self, function: u32, dst: u32, varargs: Option<Box<VarArgs>>) -> Result<(), Stop> {
        let code = &self.image.functions[function as usize];
        let base = self.next_base();
        let top = base + code.n_slots as usize + MAX_ARG_SLOTS;
        if top > self.regs.len() {
            self.regs.resize(top * 2, Slot::default());
        }
        self.native_stack += u64::from(code.native_bytes);
        let exhausted = self.native_stack > self.limits().stack;
        let (Ok(first), false) = (u32::try_from(base), exhausted) else {
            let text = format!("{} calls deep, in `{}`", self.frames.len(), code.name);
            return self.bug(BugKind::StackExhausted, text);
        };
        self.frames.push(Frame {
            function: FuncId(function),
            base: first,
            n_slots: code.n_slots,
            call_pc: self.pc,
            dst,
            first_object: self.stack_objects.len() as u32,
            varargs,
            trace: None,
        });
        if M::EVENTS { self.tell(Event::Entered(FuncId(function))) } else { Ok(()) }
    }

    /// Tells the machine what the operation at hand has done.
    pub(super) fn tell(&mut self, event: Event) -> Result<(), Stop> {
        self.n_without_snapshots += 1;
        let told = M::event(self, event);
        self.n_without_snapshots -= 1;
        told
    }

    /// Pops a frame, hands its result to the caller, and sets the position behind the call. Says whose frame it was.
    pub(super) fn leave(&mut self, op: Op) -> FuncId {
        let frame = self.frames.pop().expect("a return has a frame");
        let from = frame.base as usize + Reg(op.a).slot();
        let n_slots = usize::from(op.aux);
        let to = match frame.call_pc {
            NO_CALLER => self.next_base(),
            _ => self.frame_base() + Reg(frame.dst).slot(),
        };
        match n_slots {
            0 => {}
            1 => {
                // SAFETY: a reference to a slot can be read through.
                self.regs[to] = unsafe { Slot::read_by_words(&self.regs[from]) };
            }
            _ => self.regs.copy_within(from..from + n_slots, to),
        }
        let code = &self.image.functions[frame.function.index()];
        self.native_stack -= u64::from(code.native_bytes);
        if code.origin == Origin::User {
            self.last_return = self.pc;
        }
        if self.stack_objects.len() > frame.first_object as usize {
            self.free_stack_objects(frame.first_object as usize);
        }
        self.pc = frame.call_pc.next();
        frame.function
    }

    /// Ends the lives of the newest stack objects until `keep` are left.
    pub(super) fn free_stack_objects(&mut self, keep: usize) {
        for id in self.stack_objects.drain(keep..).rev() {
            self.memory.free_stack(id, TraceId::EMPTY);
        }
    }

    /// A new object of the current frame.
    pub(super) fn alloca(&mut self, size: u64, align_log2: u16) -> Result<u64, Stop> {
        let at = TraceId::of_local(self.pc);
        let align = 1u64 << align_log2.min(31);
        let addr = self.memory.alloc(ObjectKind::Stack, size, align, at);
        let addr = self.checked(addr, "allocation")?;
        self.stack_objects.push(object_of(addr));
        Ok(addr)
    }

    pub(super) fn alloca_dynamic(&mut self, op: Op) -> Result<u64, Stop> {
        let (count, unit) = (self.reg(op.a), u64::from(op.b));
        let ceiling = Ceiling { most: self.limits().stack, error: Some(BugKind::StackExhausted) };
        match self.size_of_allocation(count, unit, &[ceiling], "the size of an array")? {
            Size::Settled(size) => self.alloca(size, op.aux),
            Size::Excessive => {
                self.bug(BugKind::StackExhausted, format!("an array of {} elements on the stack", count.val as i64))
            }
            Size::Open { capacity } => {
                let (at, align) = (TraceId::of_local(self.pc), 1u64 << op.aux.min(31));
                let addr = self.alloc_open(ObjectKind::Stack, capacity, align, at, (count, unit))?;
                self.stack_objects.push(object_of(addr));
                Ok(addr)
            }
        }
    }

    /// An argument passed by value in memory: the callee gets a copy of its own.
    pub(super) fn byval_copy(&mut self, op: Op) -> Result<(), Stop> {
        let src = self.word(self.reg(op.dst), "the address of an argument")?;
        self.settle_range(src, u64::from(op.b))?;
        let copy = self.alloca(u64::from(op.b), op.aux)?;
        let copied = self.memory.copy(copy, src, u64::from(op.b));
        self.checked(copied, "read")?;
        self.set_reg(op.dst, Slot::plain(copy));
        Ok(())
    }

    /// All calls but the plain ones. Afterwards `pc` is where execution goes on.
    #[cold]
    pub(super) fn cold_call(&mut self, op: Op) -> Result<(), Stop> {
        let image = self.image;
        let site = &image.call_sites[op.b as usize];
        let target = match op.code {
            OpCode::CallVar => Target::Function(FuncId(op.a)),
            OpCode::CallExternal => Target::External(op.a),
            _ => self.indirect_target(op, site)?,
        };
        for position in 0.. {
            let body = self.bodies.get(target, position).expect("a list ends with a body that serves all calls");
            if self.serve(body, target, op, site)? == Served::Yes {
                break;
            }
        }
        Ok(())
    }

    /// Lets one of the bodies of a function serve a call, if it is for it.
    fn serve(&mut self, body: Body<M>, target: Target, op: Op, site: &CallSite) -> Result<Served, Stop> {
        match body {
            Body::Model(model) => return self.ask_model(model, target, op, site),
            Body::Twin(_) if !self.args_carry_exprs(site) => return Ok(Served::No),
            Body::Twin(id) | Body::Code(id) => self.call_function(id, op, site.arg_slots)?,
            Body::Builtin(_, row) => self.call_builtin(row, op.dst, site)?,
            Body::Stub(external) => self.call_stub(external, op.dst, site)?,
        }
        Ok(Served::Yes)
    }

    fn ask_model(&mut self, model: ModelId, target: Target, op: Op, site: &CallSite) -> Result<Served, Stop> {
        let base = self.next_base();
        let args: SmallVec<[Slot; 8]> = SmallVec::from_slice(&self.regs[base..base + site.arg_slots as usize]);
        let callee = self.bodies.callee(self.image, target).expect("it has a body");
        let before = cfg!(debug_assertions).then(|| self.memory.snapshot());
        let answer = M::call_model(self, model, &Call { callee, site, args: &args })?;
        match answer {
            Answer::Decline => {
                let unchanged = before.is_none_or(|before| self.memory.is_as_in(&before, Newcomers::None));
                debug_assert!(unchanged, "a model of `{}` changed memory and declined", callee.name);
                return Ok(Served::No);
            }
            Answer::Return(slots) => {
                // It may have done anything that Rust code can.
                self.n_external_calls += 1;
                self.finish_cold_call(op.dst, site, &slots);
            }
            Answer::Enter(id, args) => {
                assert!(self.image.functions[id.index()].target == Target::Code, "a function that has code is entered");
                assert!(args.len() <= MAX_ARG_SLOTS, "as many arguments as a call may have");
                self.regs[base..base + args.len()].copy_from_slice(&args);
                self.call_function(id, op, args.len() as u32)?;
            }
        }
        Ok(Served::Yes)
    }

    fn call_function(&mut self, id: FuncId, op: Op, arg_slots: u32) -> Result<(), Stop> {
        let code = &self.image.functions[id.index()];
        let varargs = code.varargs.then(|| {
            let base = self.next_base();
            let slots = self.regs[base..base + arg_slots as usize].to_vec();
            Box::new(VarArgs { site: op.b, slots })
        });
        // Parameters that the call does not give are uninitialised, as they are natively.
        let base = self.next_base();
        for slot in arg_slots..code.param_slots {
            self.regs[base + slot as usize] = Slot::undef(64);
        }
        self.enter(id.0, op.dst, varargs)?;
        self.pc = code.entry;
        Ok(())
    }

    /// Whether an argument carries an expression, or points to something that does or that may when it is read.
    pub fn args_carry_exprs(&self, site: &CallSite) -> bool {
        let base = self.next_base();
        let args = &self.regs[base..base + site.arg_slots as usize];
        let defines = self.machine.defines();
        let carries = |slot: &Slot| {
            slot.tag.expr().is_some()
                || self.memory.carries_exprs_from(slot.val)
                || (defines && self.memory.has_undefined_from(slot.val))
        };
        !self.machine.is_muted() && args.iter().any(carries)
    }

    fn call_builtin(&mut self, row: BuiltinRow<M>, dst: u32, site: &CallSite) -> Result<(), Stop> {
        self.n_external_calls += u64::from(!row.is_of_memory);
        let base = self.next_base();
        if !row.takes_open {
            for i in 0..site.arg_slots as usize {
                let arg = self.regs[base + i];
                if !arg.tag.expr().is_some() {
                    self.settle_object(object_of(arg.val))?;
                }
            }
        }
        let mut args = [Slot::default(); 8];
        let flow = match site.arg_slots as usize {
            n @ 0..=8 => {
                args[..n].copy_from_slice(&self.regs[base..base + n]);
                (row.function)(self, &args[..n])?
            }
            n => {
                let args = self.regs[base..base + n].to_vec();
                (row.function)(self, &args)?
            }
        };
        match flow {
            Flow::Return(slots) => {
                self.finish_cold_call(dst, site, &slots);
                Ok(())
            }
            Flow::Resume(leap) => self.leap(leap),
        }
    }

    fn call_stub(&mut self, external: u32, dst: u32, site: &CallSite) -> Result<(), Stop> {
        self.n_external_calls += 1;
        let base = self.next_base();
        let args = self.regs[base..base + site.arg_slots as usize].to_vec();
        let results = M::call_undefined(self, external, site, &args)?;
        self.finish_cold_call(dst, site, &results);
        Ok(())
    }

    /// Hands the result of a call that entered no function to the caller, and goes on behind it.
    fn finish_cold_call(&mut self, dst: u32, site: &CallSite, results: &[Slot]) {
        for (i, &slot) in (0..site.ret_slots).zip(results) {
            self.set_reg(Reg(dst).offset(i).0, slot);
        }
        self.pc = self.pc.next();
    }

    /// The path ends at a call of a function that nobody defines.
    pub fn no_definition<T>(&self, external: u32) -> Result<T, Stop> {
        let name = &self.image.externals[external as usize];
        self.unsupported(format!("a call of `{name}`, which has no definition"))
    }

    /// What a function pointer points to; anything but a fitting function is an error.
    fn indirect_target(&mut self, op: Op, site: &CallSite) -> Result<Target, Stop> {
        let addr = self.call_address(self.reg(op.a))?;
        let id = object_of(addr);
        let object = self.image.statics.get((id.0 as usize).wrapping_sub(1));
        let Some(StaticKind::Function(function)) = object.map(|object| &object.kind) else {
            return self.bad_call(addr);
        };
        if self.memory.object(id).base() != addr {
            return self.bad_call(addr);
        }
        let code = &self.image.functions[function.index()];
        let target = match code.target {
            Target::Code => Target::Function(*function),
            other => other,
        };
        let definition = match target {
            Target::Function(definition) => &self.image.functions[definition.index()],
            _ => code,
        };
        if !definition.accepts(site) {
            let text = format!("`{}` is called with arguments that it does not take", code.name);
            return self.bug(BugKind::BadCall, text);
        }
        Ok(target)
    }

    fn bad_call<T>(&self, addr: u64) -> Result<T, Stop> {
        let text = match self.memory.resolve(addr, 0) {
            Ok((object, _)) => {
                format!("the pointer does not point to a function but into {}", self.describe_object(object))
            }
            Err(_) if addr == 0 => "the function pointer is null".to_owned(),
            Err(_) => format!("there is no function at {addr:#x}"),
        };
        self.bug(BugKind::BadCall, text)
    }
}
