//! The blocks of a function's dense code: operations that run one after another.
//!
//! A block ends where control may go elsewhere or come back from elsewhere; so a call ends one.

use crate::code::{FuncCode, Image, Meaning, OpCode, OpIdx, SlowOp, SwitchKind, Target};
use crate::model::{FuncId, define_id};
use std::ops::Range;

define_id!(
    /// A block of one function, in the order of their operations; 0 is the entry.
    BlockId
);

/// How a block ends. Targets are operations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// Goes on with the next block.
    Next,
    Jump(OpIdx),
    /// Goes on with the next block or jumps.
    Branch(OpIdx),
    /// May name a target more than once.
    Switch(Box<[OpIdx]>),
    /// Calls and, if that returns, goes on with the next block.
    Call(Callee),
    Return,
    /// Nowhere: the path ends.
    Dead,
}

/// What a call names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    Function(FuncId),
    /// An entry of `Image::externals`.
    External(u32),
    /// A pointer, called as an entry of `Image::call_sites` says.
    Pointer(u32),
}

impl Callee {
    /// The name of a function that the program has no code for.
    pub fn external_name(self, image: &Image) -> Option<&str> {
        let external = match self {
            Self::External(external) => external,
            Self::Function(id) => match image.functions[id.index()].target {
                Target::External(external) => external,
                _ => return None,
            },
            Self::Pointer(_) => return None,
        };
        Some(&image.externals[external as usize])
    }
}

#[derive(Clone, Debug)]
pub struct Blocks {
    /// The first operation of each block, and behind the last one the function's end.
    starts: Vec<OpIdx>,
    ends: Vec<End>,
}

impl Blocks {
    /// A function without code has none.
    pub fn new(image: &Image, code: &FuncCode) -> Self {
        let found: Vec<(OpIdx, End)> =
            code.entry.up_to(code.end).filter_map(|idx| Some((idx, end_at(image, idx)?))).collect();
        let mut starts = vec![code.entry];
        for (idx, end) in &found {
            starts.push(idx.next());
            end.visit_targets(|target| starts.push(target));
        }
        starts.push(code.end);
        starts.sort_unstable();
        starts.dedup();
        let mut ends = vec![End::Next; starts.len() - 1];
        for (idx, end) in found {
            ends[starts.partition_point(|&start| start <= idx) - 1] = end;
        }
        Self { starts, ends }
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub fn ids(&self) -> impl ExactSizeIterator<Item = BlockId> + use<> {
        (0..self.ends.len()).map(BlockId::new)
    }

    /// The block that an operation of the function belongs to.
    pub fn of(&self, op_idx: OpIdx) -> BlockId {
        BlockId::new(self.starts.partition_point(|&start| start <= op_idx) - 1)
    }

    pub fn end(&self, block: BlockId) -> &End {
        &self.ends[block.index()]
    }

    /// The operations of a block.
    pub fn ops(&self, block: BlockId) -> Range<OpIdx> {
        self.starts[block.index()]..self.starts[block.index() + 1]
    }

    /// The same, one after another.
    pub fn op_indices(&self, block: BlockId) -> impl DoubleEndedIterator<Item = OpIdx> + use<> {
        let Range { start, end } = self.ops(block);
        start.up_to(end)
    }

    /// The operation that decides where a block leads.
    pub fn last(&self, block: BlockId) -> OpIdx {
        self.starts[block.index() + 1].previous()
    }

    /// Calls `visit` with the blocks that may follow in the same function, those that are jumped to first.
    pub fn visit_successors(&self, block: BlockId, mut visit: impl FnMut(BlockId)) {
        let end = self.end(block);
        end.visit_targets(|target| visit(self.of(target)));
        if matches!(end, End::Next | End::Branch(_) | End::Call(_)) {
            visit(BlockId(block.0 + 1));
        }
    }

    /// The blocks that end in a call.
    pub fn calls(&self) -> impl Iterator<Item = (BlockId, Callee)> + '_ {
        self.ids().filter_map(|block| match *self.end(block) {
            End::Call(callee) => Some((block, callee)),
            _ => None,
        })
    }
}

impl End {
    /// Calls `visit` with each operation that is jumped to.
    pub fn visit_targets(&self, mut visit: impl FnMut(OpIdx)) {
        match self {
            Self::Jump(target) | Self::Branch(target) => visit(*target),
            Self::Switch(targets) => targets.iter().copied().for_each(visit),
            Self::Next | Self::Call(_) | Self::Return | Self::Dead => {}
        }
    }
}

/// How a block ends with this operation, if one does.
pub(crate) fn end_at(image: &Image, idx: OpIdx) -> Option<End> {
    let op = image.op(idx);
    Some(match op.code {
        OpCode::Jump => End::Jump(OpIdx(op.dst)),
        OpCode::BrIf | OpCode::BrIfNot => End::Branch(OpIdx(op.dst)),
        OpCode::Switch => {
            let table = &image.switches[op.b as usize];
            let mut targets: Vec<OpIdx> = match &table.kind {
                SwitchKind::Dense { targets, .. } => targets.to_vec(),
                SwitchKind::Sparse(cases) => cases.iter().map(|case| case.1).collect(),
                SwitchKind::Wide(cases) => cases.iter().map(|case| case.1).collect(),
            };
            targets.push(table.default);
            End::Switch(targets.into())
        }
        OpCode::IndirectBr => {
            End::Switch(image.indirect_targets[op.b as usize].iter().map(|target| target.1).collect())
        }
        OpCode::Call | OpCode::CallVar => End::Call(Callee::Function(FuncId(op.a))),
        OpCode::CallIndirect => End::Call(Callee::Pointer(op.b)),
        OpCode::CallExternal => End::Call(Callee::External(op.a)),
        OpCode::Ret => End::Return,
        OpCode::Slow => match image.slow[op.a as usize] {
            SlowOp::Unreachable | SlowOp::Trap | SlowOp::IndexTrap | SlowOp::Unsupported(_) => End::Dead,
            _ => return None,
        },
        _ => match op.meaning() {
            Meaning::Branch { .. } => End::Branch(OpIdx(op.dst)),
            _ => return None,
        },
    })
}
