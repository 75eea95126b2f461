//! Control flow between the blocks of the dense code, over calls and returns.
//!
//! Blocks end where control may go elsewhere or come back from elsewhere; so a call ends one. What a pointer calls is
//! taken to be every function whose address is known to be the right type's: see [`Flow::new`].

use rustc_hash::FxHashMap;
use spelunk_ir::code::{Image, Meaning, OpCode, SlowOp, StaticKind, SwitchKind, Target};
use spelunk_ir::model::{FuncId, TypeId};

/// A block's number; blocks are in the order of their operations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BlockId(pub u32);

/// How a block ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// Goes on with the next block.
    Next,
    Jump(u32),
    /// Goes on with the next block or jumps.
    Branch(u32),
    Switch(Vec<u32>),
    /// Calls these functions and, if they return, goes on with the next block.
    Call(Vec<u32>),
    Return,
    /// Nowhere.
    Dead,
}

#[derive(Debug)]
pub struct Flow {
    /// The first operation of each block, and behind the last one how many operations there are.
    starts: Vec<u32>,
    ends: Vec<End>,
}

impl Flow {
    pub fn new(image: &Image) -> Self {
        let by_type = functions_by_type(image);
        let ends: FxHashMap<u32, End> =
            (0..image.ops.len() as u32).filter_map(|idx| Some((idx, end_at(image, &by_type, idx)?))).collect();
        let mut starts: Vec<u32> = image.functions.iter().map(|function| function.entry).collect();
        for (&idx, end) in &ends {
            starts.push(idx + 1);
            match end {
                End::Jump(target) | End::Branch(target) => starts.push(*target),
                End::Switch(targets) => starts.extend(targets),
                _ => {}
            }
        }
        starts.push(image.ops.len() as u32);
        starts.sort_unstable();
        starts.dedup();
        let last_of = |block: usize| starts[block + 1] - 1;
        let ends = (0..starts.len() - 1).map(|block| ends.get(&last_of(block)).cloned().unwrap_or(End::Next)).collect();
        Self { starts, ends }
    }

    pub fn n_blocks(&self) -> usize {
        self.ends.len()
    }

    pub fn blocks(&self) -> impl Iterator<Item = BlockId> + use<> {
        (0..self.ends.len() as u32).map(BlockId)
    }

    pub fn block_of(&self, op_idx: u32) -> BlockId {
        BlockId(self.starts.partition_point(|&start| start <= op_idx) as u32 - 1)
    }

    pub fn end(&self, block: BlockId) -> &End {
        &self.ends[block.0 as usize]
    }

    /// The operations of a block.
    pub fn ops(&self, block: BlockId) -> std::ops::Range<u32> {
        self.starts[block.0 as usize]..self.starts[block.0 as usize + 1]
    }

    /// The operation that decides where a block leads.
    pub fn last(&self, block: BlockId) -> u32 {
        self.starts[block.0 as usize + 1] - 1
    }

    pub fn next(&self, block: BlockId) -> BlockId {
        BlockId(block.0 + 1)
    }

    /// Calls `visit` with every block that control may go to from this one; after a call, with the one behind it too.
    pub fn visit_next(&self, block: BlockId, mut visit: impl FnMut(BlockId)) {
        match self.end(block) {
            End::Next => visit(self.next(block)),
            End::Jump(target) => visit(self.block_of(*target)),
            End::Branch(target) => {
                visit(self.block_of(*target));
                visit(self.next(block));
            }
            End::Switch(targets) => targets.iter().for_each(|&target| visit(self.block_of(target))),
            End::Call(entries) => {
                entries.iter().for_each(|&entry| visit(self.block_of(entry)));
                visit(self.next(block));
            }
            End::Return | End::Dead => {}
        }
    }
}

/// The functions whose address the program takes, by their type.
fn functions_by_type(image: &Image) -> FxHashMap<TypeId, Vec<u32>> {
    let mut by_type: FxHashMap<TypeId, Vec<u32>> = FxHashMap::default();
    for object in &image.statics {
        if let StaticKind::Function(id) = object.kind
            && let Some(entry) = entry_of(image, id)
            && image.function_at(entry).is_none_or(|function| function.is_address_taken)
        {
            by_type.entry(image.functions[id.index()].fn_ty).or_default().push(entry);
        }
    }
    by_type
}

fn entry_of(image: &Image, id: FuncId) -> Option<u32> {
    let code = &image.functions[id.index()];
    match code.target {
        Target::Code => Some(code.entry),
        Target::Function(definition) => Some(image.functions[definition.index()].entry),
        Target::Native(_) => None,
    }
}

/// How a block ends with this operation, if one does.
fn end_at(image: &Image, by_type: &FxHashMap<TypeId, Vec<u32>>, idx: u32) -> Option<End> {
    let op = &image.ops[idx as usize];
    Some(match op.code {
        OpCode::Jump => End::Jump(op.dst),
        OpCode::BrIf | OpCode::BrIfNot => End::Branch(op.dst),
        OpCode::Switch => {
            let table = &image.switches[op.b as usize];
            let mut targets = match &table.kind {
                SwitchKind::Dense { targets, .. } => targets.to_vec(),
                SwitchKind::Sparse(cases) => cases.iter().map(|case| case.1).collect(),
                SwitchKind::Wide(cases) => cases.iter().map(|case| case.1).collect(),
            };
            targets.push(table.default);
            End::Switch(targets)
        }
        OpCode::IndirectBr => {
            End::Switch(image.indirect_targets[op.b as usize].iter().map(|target| target.1).collect())
        }
        OpCode::Call | OpCode::CallVar => End::Call(entry_of(image, FuncId(op.a)).into_iter().collect()),
        OpCode::CallIndirect => {
            let site = &image.call_sites[op.b as usize];
            End::Call(by_type.get(&site.fn_ty).cloned().unwrap_or_default())
        }
        OpCode::CallNative => End::Call(Vec::new()),
        OpCode::Ret => End::Return,
        OpCode::Slow => match image.slow[op.a as usize] {
            SlowOp::Unreachable | SlowOp::Trap | SlowOp::Unsupported(_) => End::Dead,
            _ => return None,
        },
        _ => match op.meaning() {
            Meaning::Branch { .. } => End::Branch(op.dst),
            _ => return None,
        },
    })
}
