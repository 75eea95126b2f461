//! Notes: places in the code at which the machine is asked before they are executed.
//!
//! They are breakpoints. A copy of the code has [`OpCode::Note`] at these places, and the operation that stands there in the
//! image is executed after the machine was asked. So indices, positions and counts of operations stay as they are, and code
//! without notes costs nothing.

use crate::machine::Machine;
use crate::vm::Vm;
use spelunk_ir::code::{CheckedImage, Op, OpCode, OpIdx};
use spelunk_ir::flow::Loop;
use spelunk_ir::model::FuncId;
use std::sync::Arc;

/// The code of an image with notes in it. Many machines may share it.
#[derive(Debug)]
pub struct Notes<'p> {
    image: &'p CheckedImage,
    /// By attention: the operations of the image, in the same order.
    codes: [Arc<[Op]>; 3],
}

/// How much of the code the machine looks at ([`Machine::attention`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Attention {
    /// All notes.
    #[default]
    Full,
    /// Fewer of them.
    Some,
    /// As few as there are.
    Little,
}

impl Attention {
    pub const ALL: [Self; 3] = [Self::Full, Self::Some, Self::Little];
}

/// Whether a machine has nothing to do at a note ([`Machine::passes_note`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passes {
    No,
    Yes,
    /// Nor will it have, until its attention is full again: with some attention, the note is silent up to then.
    Henceforth,
}

/// A copy of the code for [`Attention::Some`] in which notes are silenced. None is made where that is the code for full attention.
#[derive(Debug, Default)]
pub(crate) struct Silent {
    code: Vec<Op>,
    silenced: Vec<OpIdx>,
}

impl Silent {
    fn new(notes: &Notes<'_>) -> Self {
        let [full, some, _] = notes.codes();
        let code = if std::ptr::eq(full, some) { Vec::new() } else { some.to_vec() };
        Self { code, silenced: Vec::new() }
    }

    /// Where the code is, for reading.
    pub fn code(&mut self) -> Option<*const Op> {
        (!self.code.is_empty()).then(|| self.code.as_mut_ptr().cast_const())
    }

    /// Puts the operation itself where a note was. Nobody may have a reference to what stands there.
    #[inline]
    pub fn silence(&mut self, at: OpIdx, code: OpCode) {
        if at.index() < self.code.len() {
            self.silenced.push(at);
            // SAFETY: it is inside, and no slice is made of the rest, which the loop reads.
            unsafe { (*self.code.as_mut_ptr().add(at.index())).code = code };
        }
    }

    #[inline]
    pub fn has_silenced(&self) -> bool {
        !self.silenced.is_empty()
    }

    /// Puts the notes back.
    #[cold]
    pub fn restore(&mut self) {
        while let Some(at) = self.silenced.pop() {
            // SAFETY: as in `silence`, which was given this operation.
            unsafe { (*self.code.as_mut_ptr().add(at.index())).code = OpCode::Note };
        }
    }
}

impl<'p> Notes<'p> {
    /// Notes at these operations. Operands of others are none: what is said of them is left out.
    pub fn new(image: &'p CheckedImage, at: impl IntoIterator<Item = OpIdx>) -> Self {
        let code = noted(image, at);
        Self { image, codes: [Arc::clone(&code), Arc::clone(&code), code] }
    }

    /// As many as the machine's attention asks for. With less than full attention, a branch, an access or an operation that may fail
    /// is noted all the same whenever it is not executed by the loop itself.
    pub fn graded(image: &'p CheckedImage, at: impl Fn(Attention) -> Vec<OpIdx>) -> Self {
        let [full, some, little] = Attention::ALL.map(at);
        if some == full && little == full {
            return Self::new(image, full);
        }
        Self { image, codes: [full, some, little].map(|at| noted(image, at)) }
    }

    pub(crate) fn codes(&self) -> [&[Op]; 3] {
        [&self.codes[0], &self.codes[1], &self.codes[2]]
    }
}

fn noted(image: &CheckedImage, at: impl IntoIterator<Item = OpIdx>) -> Arc<[Op]> {
    let mut ops: Vec<Op> = image.ops[..].into();
    for op_idx in at {
        let op = &mut ops[op_idx.index()];
        if op.code != OpCode::Ext {
            op.code = OpCode::Note;
        }
    }
    ops.into()
}

/// The operations that tell of a function's loops: where each round starts, and from where control leads back there.
pub fn loop_sites(image: &CheckedImage, function: FuncId) -> impl Iterator<Item = OpIdx> {
    let flow = image.flow(function);
    let sites = |found: &Loop| {
        let head = flow.blocks.ops(found.header).start;
        std::iter::once(head).chain(found.latches.iter().map(|&latch| flow.blocks.last(latch))).collect::<Vec<OpIdx>>()
    };
    flow.loops().iter().flat_map(move |(_, found)| sites(found))
}

/// What a note at one of [`loop_sites`] tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoopEvent {
    /// Control came to the head of a loop from outside.
    Entered,
    /// Control came back to it.
    Again,
}

/// Tells entries of loops from further rounds. Part of a machine's state, to be saved and restored with it.
#[derive(Clone, Copy, Debug, Default)]
pub struct LoopNotes {
    /// The last operation that might lead back: where it is, and how many were executed up to it.
    latch: Option<(OpIdx, u64)>,
}

impl LoopNotes {
    /// To be called at each note, with the operation and [`Vm::steps`]. The operation that was executed just before tells
    /// whether control came from inside of the loop.
    pub fn at(&mut self, image: &CheckedImage, op_idx: OpIdx, steps: u64) -> Option<LoopEvent> {
        let function = image.function_id_at(op_idx)?;
        let flow = image.flow(function);
        let block = flow.blocks.of(op_idx);
        let latch = self.latch.filter(|&(_, at)| at + 1 == steps).map(|(latch, _)| latch);
        let head = flow.loops().headed_by(block).filter(|_| flow.blocks.ops(block).start == op_idx);
        let event = head.map(|id| {
            let from = latch.map(|latch| flow.blocks.of(latch));
            match from.is_some_and(|from| flow.loops()[id].latches.contains(&from)) {
                true => LoopEvent::Again,
                false => LoopEvent::Entered,
            }
        });
        if flow.blocks.last(block) == op_idx {
            self.latch = Some((op_idx, steps));
        }
        event
    }
}

impl<'p, M: Machine> Vm<'p, M> {
    /// From the next call on, [`Machine::note`] is asked at these places, and at no others.
    ///
    /// # Panics
    ///
    /// If they are those of another image, during a run, or if the machine is not made for notes.
    pub fn set_notes(&mut self, notes: Option<Arc<Notes<'p>>>) {
        assert!(self.n_runs == 0, "a run looks at its notes");
        assert!(M::NOTES || notes.is_none(), "a machine without notes does not know of any");
        let is_ours = |notes: &Arc<Notes<'p>>| std::ptr::eq(notes.image, self.image);
        assert!(notes.as_ref().is_none_or(is_ours), "notes of this image");
        self.silent = notes.as_deref().map_or_else(Silent::default, Silent::new);
        self.notes = notes;
    }
}
