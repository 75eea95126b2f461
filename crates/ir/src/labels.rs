//! The `case` labels of switches as the source has them: which values belong to one label (`case 'a' ... 'z'`), and those of which
//! an optimiser has left nothing.
//!
//! Code has values only. But where clang counts how often each label is come to, each has a block of its own; so labels are read
//! from code that was instrumented like that, and no pass has seen, and are known by their switch's position.

use crate::debug::DebugInfo;
use crate::model::{BlockId, ConstId, ConstKind, Function, Inst, InstKind, MdId, Operand, Program, Type};
use rustc_hash::FxHashMap;
use spelunk_bv::{BinOp, CmpOp, int};
use std::path::PathBuf;

/// The values of a label, from the first to the last, which may lie beyond the largest number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Label {
    pub first: u64,
    pub last: u64,
}

impl Label {
    pub fn has(self, width: u32, value: u64) -> bool {
        int::trunc(width, value.wrapping_sub(self.first)) <= int::trunc(width, self.last.wrapping_sub(self.first))
    }
}

/// The labels of one switch but `default`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Labels {
    /// Of the values.
    pub width: u32,
    pub all: Vec<Label>,
}

impl Labels {
    /// The same for a value before it was made wider, with a sign or without, of which an optimiser knows.
    fn narrowed(&self, width: u32) -> Option<Self> {
        let keeps = |value: u64| {
            let narrow = int::trunc(width, value);
            let signed = int::trunc(self.width, int::sext(width, narrow) as u64);
            (narrow == value || signed == value).then_some(narrow)
        };
        let label = |label: &Label| Some(Label { first: keeps(label.first)?, last: keeps(label.last)? });
        (width <= self.width).then(|| Self { width, all: self.all.iter().filter_map(label).collect() })
    }

    /// The number of the label that a value belongs to.
    pub fn of(&self, value: u64) -> Option<usize> {
        self.all.iter().position(|label| label.has(self.width, value))
    }
}

type Position = (PathBuf, u32, u32);

/// The labels of all switches that were looked at.
#[derive(Default, Debug)]
pub struct SourceLabels(FxHashMap<Position, Labels>);

impl SourceLabels {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds those of code that counts labels.
    pub fn add_counted(&mut self, counted: &Program) {
        for function in &counted.functions {
            for inst in &function.insts {
                if let InstKind::Switch { value, default, cases } = &inst.kind
                    && let Some(place) = inst.loc.and_then(|loc| place(counted, loc))
                    && let Some(labels) = labels(counted, function, *value, *default, cases)
                {
                    self.0.insert(place, labels);
                }
            }
        }
    }

    /// The labels of the switch at the position of an instruction, for values of this width.
    pub fn at(&self, program: &Program, inst: &Inst, width: u32) -> Option<Labels> {
        if self.is_empty() {
            return None;
        }
        self.0.get(&place(program, inst.loc?)?)?.narrowed(width)
    }
}

fn place(program: &Program, loc: MdId) -> Option<Position> {
    let loc = DebugInfo::new(program).location(loc)?;
    Some((loc.file?.path(), loc.line, loc.column))
}

fn labels(
    program: &Program,
    function: &Function,
    value: Operand,
    default: BlockId,
    cases: &[(ConstId, BlockId)],
) -> Option<Labels> {
    let Type::Int(width @ ..=64) = program.types[program.operand_type(function, value)] else { return None };
    let mut by_block: Vec<(BlockId, Label)> = Vec::new();
    for &(case, target) in cases {
        let case = integer(program, Operand::Const(case), width)?;
        match by_block.iter_mut().find(|(block, _)| *block == target) {
            Some((_, label)) => label.last = case,
            None => by_block.push((target, Label { first: case, last: case })),
        }
    }
    let mut all: Vec<Label> = by_block.into_iter().map(|(_, label)| label).collect();
    // Long ranges are compared, one after another, where no case fits.
    let mut block = default;
    while let Some((label, other)) = compared(program, function, value, block, width) {
        all.push(label);
        block = other;
    }
    Some(Labels { width, all })
}

/// `value - first <= n` as all that a block does, and where it goes on if that is false.
fn compared(
    program: &Program,
    function: &Function,
    value: Operand,
    block: BlockId,
    width: u32,
) -> Option<(Label, BlockId)> {
    let [moved, compared, branch] = function.block_insts(block) else { return None };
    let InstKind::Binary { op: BinOp::Sub, lhs, rhs, .. } = moved.kind else { return None };
    let InstKind::ICmp { op: CmpOp::Ule, lhs: difference, rhs: limit } = compared.kind else { return None };
    let InstKind::CondBr { other, .. } = branch.kind else { return None };
    if lhs != value || Some(difference) != moved.result.map(Operand::Local) {
        return None;
    }
    let (first, limit) = (integer(program, rhs, width)?, integer(program, limit, width)?);
    Some((Label { first, last: int::trunc(width, first.wrapping_add(limit)) }, other))
}

fn integer(program: &Program, operand: Operand, width: u32) -> Option<u64> {
    let Operand::Const(id) = operand else { return None };
    match program.consts[id].kind {
        ConstKind::Int(value) => Some(int::trunc(width, value)),
        _ => None,
    }
}
