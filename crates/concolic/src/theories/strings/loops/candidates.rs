//! Which loops are worth a look: short ones around nothing else, that read or write bytes.

use rustc_hash::{FxHashMap, FxHashSet};
use spelunk_ir::code::{CheckedImage, FuncCode, Meaning, OpCode, OpIdx, Origin, Target};
use spelunk_ir::flow::{FunctionFlow, Loop};
use spelunk_ir::model::FuncId;
use std::ops::Range;

/// Longer ones do more than strings need.
const MAX_OPS: usize = 160;

/// A loop.
#[derive(Debug)]
pub(super) struct Candidate {
    /// Where a round starts.
    pub head: OpIdx,
    pub ops: Vec<Range<OpIdx>>,
    pub n_slots: usize,
    /// Registers that it writes.
    pub assigned: FxHashSet<usize>,
    /// Those of them whose values matter at the head.
    pub varying: Vec<usize>,
    /// Registers that matter at the head.
    pub read: Vec<usize>,
}

/// What is at an operation.
#[derive(Clone, Copy, Debug)]
pub(super) enum Site {
    Head(u32),
    /// From where control leads back to the head.
    Latch(u32),
}

#[derive(Debug, Default)]
pub(super) struct Candidates {
    pub loops: Vec<Candidate>,
    pub sites: FxHashMap<OpIdx, Site>,
}

impl Candidates {
    pub fn new(image: &CheckedImage) -> Self {
        let mut candidates = Self::default();
        for (idx, code) in image.functions.iter().enumerate() {
            if code.target == Target::Code && code.origin == Origin::User && !code.is_volatile {
                candidates.add_loops(image, FuncId::new(idx), code);
            }
        }
        candidates
    }

    fn add_loops(&mut self, image: &CheckedImage, id: FuncId, code: &FuncCode) {
        let flow = image.flow(id);
        for (loop_id, found) in flow.loops().iter() {
            let is_innermost = flow.loops().iter().all(|(_, other)| other.parent != Some(loop_id));
            if is_innermost && !found.is_irreducible() && is_short(image, flow, found) {
                self.add(image, flow, found, code);
            }
        }
    }

    fn add(&mut self, image: &CheckedImage, flow: &FunctionFlow, found: &Loop, code: &FuncCode) {
        let head = flow.blocks.ops(found.header).start;
        let latches: Vec<OpIdx> = found.latches.iter().map(|&latch| flow.blocks.last(latch)).collect();
        if latches.contains(&head) || latches.iter().any(|&op| image.op(op).code == OpCode::Ext) {
            return;
        }
        let registers = flow.registers(image);
        let assigned: FxHashSet<usize> = registers.assigned(found.blocks.iter().copied()).iter().collect();
        let read = registers.live_at(found.header).iter().collect();
        let varying = registers.live_at(found.header).iter().filter(|slot| assigned.contains(slot)).collect();
        let number = self.loops.len() as u32;
        self.sites.insert(head, Site::Head(number));
        self.sites.extend(latches.into_iter().map(|latch| (latch, Site::Latch(number))));
        let ops = found.blocks.iter().map(|&block| flow.blocks.ops(block)).collect();
        self.loops.push(Candidate { head, ops, n_slots: code.n_slots as usize, assigned, varying, read });
    }
}

fn is_short(image: &CheckedImage, flow: &FunctionFlow, found: &Loop) -> bool {
    let ops: Vec<OpIdx> = found.blocks.iter().flat_map(|&block| flow.blocks.op_indices(block)).collect();
    let is_of_byte = |&op: &OpIdx| {
        matches!(image.op(op).meaning(), Meaning::Load { bytes: 1, .. } | Meaning::Store { bytes: 1, .. })
    };
    let is_foreign = |&op: &OpIdx| {
        let code = image.op(op).code;
        matches!(
            code,
            OpCode::Slow | OpCode::CallVar | OpCode::CallIndirect | OpCode::CallExternal | OpCode::IndirectBr
        )
    };
    ops.len() <= MAX_OPS && ops.iter().any(is_of_byte) && !ops.iter().any(is_foreign)
}
