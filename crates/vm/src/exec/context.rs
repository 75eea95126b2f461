//! `setjmp` and `longjmp`: returning to a frame that is still there.

use crate::bug::BugKind;
use crate::builtins::Flow;
use crate::machine::{Event, Machine};
use crate::stop::Stop;
use crate::value::Slot;
use crate::vm::Vm;
use spelunk_ir::code::{OpCode, OpIdx};
use spelunk_ir::model::FuncId;

/// A place to return to. A `jmp_buf` holds its number.
#[derive(Clone, Debug)]
pub(crate) struct SavedContext {
    /// How many frames there were, and which the top one was.
    depth: usize,
    function: FuncId,
    base: u32,
    call_pc: OpIdx,
    /// The call of `setjmp`.
    pc: OpIdx,
    n_objects: usize,
}

/// Which place to go back to, and with which value.
#[derive(Clone, Copy, Debug)]
pub struct Leap {
    number: usize,
    value: u32,
}

/// Whether control comes back behind an operation.
fn is_call(code: OpCode) -> bool {
    matches!(code, OpCode::Call | OpCode::CallVar | OpCode::CallIndirect | OpCode::CallExternal)
}

/// Marks a `jmp_buf` that was filled.
const MAGIC: u64 = 0x7370_656c_756e_6b21;

impl<M: Machine> Vm<'_, M> {
    /// Fills the `jmp_buf` at `buf`.
    pub fn save_context(&mut self, buf: u64) -> Result<(), Stop> {
        let frame = self.frames.last().expect("setjmp is called from a function");
        let context = SavedContext {
            depth: self.frames.len(),
            function: frame.function,
            base: frame.base,
            call_pc: frame.call_pc,
            pc: self.pc,
            n_objects: self.stack_objects.len(),
        };
        // A loop that calls `setjmp` again and again fills the same place.
        let known =
            self.saved_contexts.iter().rposition(|saved| saved.depth == context.depth && saved.pc == context.pc);
        let number = match known {
            Some(number) => {
                self.saved_contexts[number] = context;
                number
            }
            None => {
                self.saved_contexts.push(context);
                self.saved_contexts.len() - 1
            }
        };
        self.store_slot(buf, 8, Slot::plain(MAGIC))?;
        self.store_slot(buf + 8, 8, Slot::plain(number as u64))
    }

    /// How a library function goes back to where the `jmp_buf` at `buf` was filled; `setjmp` returns `value` there.
    pub fn restore_context(&mut self, buf: u64, value: u32) -> Result<Flow, Stop> {
        let magic = self.load_slot(buf, 8)?;
        let number = self.load_slot(buf + 8, 8)?;
        let is_known = magic == Slot::plain(MAGIC) && (number.val as usize) < self.saved_contexts.len();
        if !is_known {
            return self.bug(BugKind::BadCall, "longjmp with a buffer that setjmp did not fill");
        }
        Ok(Flow::Resume(Leap { number: number.val as usize, value }))
    }

    /// Leaves frames until the one is left that is leapt to.
    pub(super) fn leap(&mut self, leap: Leap) -> Result<(), Stop> {
        let Some(context) = self.saved_contexts.get(leap.number).cloned() else {
            return self.bug(BugKind::BadCall, "longjmp to a place that is gone");
        };
        let alive = self.frames.get(context.depth.wrapping_sub(1)).is_some_and(|frame| {
            frame.function == context.function && frame.base == context.base && frame.call_pc == context.call_pc
        });
        if !alive {
            return self.bug(BugKind::UseAfterReturn, "longjmp into a function that has returned");
        }
        if context.depth <= self.run_depth {
            return self.unsupported("a longjmp past library code that waits for a function to return");
        }
        while self.frames.len() > context.depth {
            let frame = self.frames.pop().expect("counted");
            self.native_stack -= u64::from(self.image.functions[frame.function.index()].native_bytes);
            if M::EVENTS {
                self.tell(Event::Unwound(frame.function))?;
            }
        }
        if self.stack_objects.len() > context.n_objects {
            self.free_stack_objects(context.n_objects);
        }
        let op = *self.image.op(context.pc);
        let is_of_frame = self.image.function_id_at(context.pc) == Some(context.function);
        assert!(is_of_frame && is_call(op.code), "a `setjmp` is called");
        self.set_reg(op.dst, Slot::plain(u64::from(if leap.value == 0 { 1 } else { leap.value })));
        self.pc = context.pc.next();
        self.machine.unmute_all();
        Ok(())
    }
}
