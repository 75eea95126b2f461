//! `setjmp` and `longjmp`: returning to a frame that is still there.

use crate::bug::BugKind;
use crate::machine::Machine;
use crate::native::Flow;
use crate::stop::Stop;
use crate::value::Slot;
use crate::vm::Vm;
use spelunk_ir::model::FuncId;

/// A place to return to. A `jmp_buf` holds its number.
#[derive(Clone, Debug)]
pub(crate) struct SavedContext {
    /// How many frames there were, and which the top one was.
    depth: usize,
    function: FuncId,
    base: u32,
    call_pc: u32,
    /// The call of `setjmp`.
    pc: u32,
    n_objects: usize,
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

    /// Goes back to where the `jmp_buf` at `buf` was filled; `setjmp` returns `value` there.
    pub fn restore_context(&mut self, buf: u64, value: u32) -> Result<Flow, Stop> {
        let magic = self.load_slot(buf, 8)?;
        let number = self.load_slot(buf + 8, 8)?;
        let context = self.saved_contexts.get(number.val as usize).filter(|_| magic == Slot::plain(MAGIC)).cloned();
        let Some(context) = context else {
            return self.bug(BugKind::BadCall, "longjmp with a buffer that setjmp did not fill");
        };
        let alive = self.frames.get(context.depth.wrapping_sub(1)).is_some_and(|frame| {
            frame.function == context.function && frame.base == context.base && frame.call_pc == context.call_pc
        });
        if !alive {
            return self.bug(BugKind::UseAfterReturn, "longjmp into a function that has returned");
        }
        while self.frames.len() > context.depth {
            let frame = self.frames.pop().expect("counted");
            self.native_stack -= u64::from(self.image.functions[frame.function.index()].native_bytes);
        }
        if self.stack_objects.len() > context.n_objects {
            self.free_stack_objects(context.n_objects);
        }
        let dst = self.image.ops[context.pc as usize].dst;
        self.set_reg(dst, Slot::plain(u64::from(if value == 0 { 1 } else { value })));
        self.pc = context.pc + 1;
        self.machine.unmute_all();
        Ok(Flow::Resume)
    }
}
