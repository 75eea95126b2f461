//! A function's blocks, values and debug records.

use super::{ConstId, Inst, InstId, MdId, Operand, SymbolId, TypeId, define_id};
use std::ops::Range;

define_id!(
    /// A parameter or instruction result of one function. Parameters come first, in order.
    ValueId
);
define_id!(
    /// A basic block of one function; 0 is the entry.
    BlockId
);

#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    pub symbol: SymbolId,
    /// A `Type::Function`.
    pub ty: TypeId,
    pub ret: TypeId,
    pub params: Vec<Param>,
    pub varargs: bool,
    pub noreturn: bool,
    /// Empty for a declaration.
    pub blocks: Vec<Block>,
    /// All instructions, block after block; each block ends in its only terminator.
    pub insts: Vec<Inst>,
    /// Type of each value.
    pub value_types: Vec<TypeId>,
    pub debug_records: Vec<DbgRecord>,
    /// The `DISubprogram`.
    pub debug: Option<MdId>,
    pub personality: Option<ConstId>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// Indices into `Function::insts`.
    pub insts: Range<u32>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    pub ty: TypeId,
    pub attrs: ParamAttrs,
}

/// The attributes of a parameter or argument that change what a call does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ParamAttrs {
    pub byval: Option<TypeId>,
    pub sret: Option<TypeId>,
    /// What an indirect operand of inline assembly points to.
    pub elementtype: Option<TypeId>,
    /// 0 if none is stated.
    pub align: u32,
}

/// `llvm.dbg.declare`/`value` calls and `#dbg_…` records in one form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DbgRecord {
    pub kind: DbgRecordKind,
    /// `None` where the location is not a plain value (`DIArgList`, empty).
    pub operand: Option<Operand>,
    /// The `DILocalVariable`.
    pub variable: MdId,
    /// The `DIExpression` (0 if inline and empty).
    pub expression: Option<MdId>,
    pub location: Option<MdId>,
    /// The record holds from before this instruction on.
    pub before: InstId,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DbgRecordKind {
    /// The variable lives in memory at the operand.
    Declare,
    /// The variable has the operand as value.
    Value,
}

impl Function {
    pub fn is_declaration(&self) -> bool {
        self.blocks.is_empty()
    }

    pub fn block_insts(&self, block: BlockId) -> &[Inst] {
        let range = &self.blocks[block.index()].insts;
        &self.insts[range.start as usize..range.end as usize]
    }

    /// The last instruction of a block.
    pub fn terminator(&self, block: BlockId) -> &Inst {
        self.block_insts(block).last().expect("the parser refuses a block without a terminator")
    }

    pub fn block_ids(&self) -> impl DoubleEndedIterator<Item = BlockId> + ExactSizeIterator + use<> {
        (0..self.blocks.len() as u32).map(BlockId)
    }
}
