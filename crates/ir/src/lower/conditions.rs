//! Which conditions are counted, and where.
//!
//! A conditional branch counts its own condition. Others are values: what a `select` chooses by, an operand of `&&` or `||`
//! whose result is stored, a comparison that is a number. Those are *observed* by an operation of their own, which changes
//! nothing. A branch on something that is made of observed conditions is not counted once more. `merged` are conditions that an
//! optimiser has turned into something else.

use crate::code::{Op, OpCode, OpIdx, Origin, Reg, Semantics, Tested};
use crate::model::{BlockId, Callee, ConstKind, FuncId, Function, Inst, InstKind, Operand, Program, Type, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};
use spelunk_bv::BinOp;

use super::function::{Emit, FuncLowering};
use super::intrinsics::intrinsic_name;

/// Where a condition counts only if another one is true, or false: the right operand of `&&`, or of `||`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Guard {
    cond: Operand,
    when: bool,
}

#[derive(Default)]
pub(super) struct Conditions {
    /// Values that are observed where they are computed.
    at_definition: FxHashSet<ValueId>,
    /// By instruction, what is observed just before it.
    before: FxHashMap<u32, Vec<(Operand, Guard)>>,
    /// Blocks that end in a branch which is not counted.
    uncounted: FxHashSet<BlockId>,
}

/// What a condition is used for.
#[derive(Clone, Copy)]
enum Use {
    Branch(BlockId),
    /// It decides by itself, or is part of a larger condition.
    Condition,
    /// The same, behind a guard, as an operand of an instruction.
    Guarded(u32, Operand, Guard),
    /// A value like any other.
    Value,
}

impl Conditions {
    pub fn new(program: &Program, function: &Function, semantics: Semantics) -> Self {
        let mut conditions = Self::default();
        let finder = Finder::new(program, function);
        if semantics == Semantics::Optimised {
            conditions.add_other_orders(&finder);
        }
        for value in (0..function.value_types.len()).map(ValueId::new) {
            if finder.is_bit(Operand::Local(value)) {
                conditions.add(&finder, value);
            }
        }
        for block in function.block_ids() {
            if let Some(Inst { kind: InstKind::CondBr { cond, .. }, .. }) = function.block_insts(block).last()
                && (finder.is_made_of_others(*cond) || finder.is_check(block))
            {
                conditions.uncounted.insert(block);
            }
        }
        conditions
    }

    fn add(&mut self, finder: &Finder<'_>, value: ValueId) {
        // Parameters are defined by no instruction.
        let inst = finder.definition(Operand::Local(value));
        if inst.is_some_and(|inst| finder.is_composite(inst) || finder.negated(inst).is_some()) {
            return;
        }
        let mut uses = Vec::new();
        finder.collect_uses(value, &mut uses);
        let is_comparison = inst.is_some_and(|inst| matches!(inst.kind, InstKind::ICmp { .. } | InstKind::FCmp { .. }));
        let (mut is_condition, mut guarded) = (false, Vec::new());
        for entry in &uses {
            match *entry {
                Use::Condition => is_condition = true,
                Use::Guarded(at, operand, guard) => guarded.push((at, operand, guard)),
                Use::Value => is_condition |= is_comparison,
                Use::Branch(_) => {}
            }
        }
        let branches = uses.iter().filter_map(|entry| match entry {
            Use::Branch(block) => Some(*block),
            _ => None,
        });
        match guarded.as_slice() {
            _ if !is_condition && guarded.is_empty() => {}
            // The branch is executed whenever the condition is computed.
            _ if branches.clone().any(|block| finder.block_of(value) == Some(block)) => {}
            &[(at, operand, guard)] if !is_condition => {
                self.before.entry(at).or_default().push((operand, guard));
                self.uncounted.extend(branches);
            }
            _ => {
                self.at_definition.insert(finder.as_written(value));
                self.uncounted.extend(branches);
            }
        }
    }

    /// An optimiser puts the operands of `&` and `|` in an order of its own: which of them the source looks at only if the other
    /// does not decide, nobody knows. The right one is looked at like this in any case.
    fn add_other_orders(&mut self, finder: &Finder<'_>) {
        for (at, inst) in (0..).zip(&finder.function.insts) {
            if let InstKind::Binary { op: op @ (BinOp::And | BinOp::Or), lhs, rhs, .. } = inst.kind
                && finder.is_composite(inst)
                && finder.definition(lhs).is_some_and(|left| !finder.is_composite(left))
                && matches!(rhs, Operand::Local(_))
                && lhs != rhs
            {
                self.before.entry(at).or_default().push((lhs, Guard { cond: rhs, when: op == BinOp::And }));
            }
        }
    }

    pub fn counts_branch(&self, block: BlockId) -> bool {
        !self.uncounted.contains(&block)
    }
}

struct Finder<'p> {
    program: &'p Program,
    function: &'p Function,
    /// The instructions that use each value.
    users: FxHashMap<ValueId, Vec<u32>>,
    definitions: FxHashMap<ValueId, u32>,
}

impl<'p> Finder<'p> {
    fn new(program: &'p Program, function: &'p Function) -> Self {
        let mut finder = Self { program, function, users: FxHashMap::default(), definitions: FxHashMap::default() };
        let (mut users, mut definitions) = (FxHashMap::<ValueId, Vec<u32>>::default(), FxHashMap::default());
        for (at, inst) in (0..).zip(&function.insts) {
            definitions.extend(inst.result.map(|result| (result, at)));
            inst.kind.for_each_operand(|operand| {
                if let Operand::Local(value) = operand
                    && finder.is_bit(operand)
                {
                    users.entry(value).or_default().push(at);
                }
            });
        }
        (finder.users, finder.definitions) = (users, definitions);
        finder
    }

    /// Whether a block ends in a check of clang's, which the source does not have: the way out is a trap.
    fn is_check(&self, block: BlockId) -> bool {
        let Some(Inst { kind: InstKind::CondBr { then, other, .. }, .. }) = self.function.block_insts(block).last()
        else {
            return false;
        };
        let is_trap = |block: BlockId| {
            let first = self.function.block_insts(block).first().map(|inst| &inst.kind);
            matches!(first, Some(InstKind::Call { callee: Callee::Direct(id), .. })
                if intrinsic_name(self.program, *id) == Some("ubsantrap"))
        };
        is_trap(*then) || is_trap(*other)
    }

    fn is_bit(&self, operand: Operand) -> bool {
        matches!(self.program.types[self.program.operand_type(self.function, operand)], Type::Int(1))
    }

    fn definition(&self, operand: Operand) -> Option<&'p Inst> {
        let Operand::Local(value) = operand else { return None };
        Some(&self.function.insts[*self.definitions.get(&value)? as usize])
    }

    fn block_of(&self, value: ValueId) -> Option<BlockId> {
        Some(self.block_at(*self.definitions.get(&value)?))
    }

    fn block_at(&self, inst: u32) -> BlockId {
        BlockId(self.function.blocks.partition_point(|block| block.insts.end <= inst) as u32)
    }

    /// Whether an instruction makes one condition of several.
    fn is_composite(&self, inst: &Inst) -> bool {
        let is_bit = matches!(self.program.types[inst.ty], Type::Int(1));
        is_bit
            && matches!(
                inst.kind,
                InstKind::Phi { .. }
                    | InstKind::Select { .. }
                    | InstKind::Binary { op: BinOp::And | BinOp::Or | BinOp::Xor, .. }
            )
            && self.negated(inst).is_none()
    }

    /// The condition that an instruction only turns round, or leaves as it is.
    fn negated(&self, inst: &Inst) -> Option<Operand> {
        match inst.kind {
            InstKind::Freeze { arg } if self.is_bit(arg) => Some(arg),
            InstKind::Binary { op: BinOp::Xor, lhs, rhs: Operand::Const(id), .. } if self.is_bit(lhs) => {
                (self.program.consts[id].kind == ConstKind::Int(1)).then_some(lhs)
            }
            _ => None,
        }
    }

    /// The condition with the `!` that stand before it.
    fn as_written(&self, value: ValueId) -> ValueId {
        let user = match self.users.get(&value).map(Vec::as_slice) {
            Some(&[user]) => &self.function.insts[user as usize],
            _ => return value,
        };
        match (self.negated(user), user.result) {
            (Some(_), Some(result)) => self.as_written(result),
            _ => value,
        }
    }

    /// Whether the condition of a branch is a constant, or was put together from conditions that are observed.
    fn is_made_of_others(&self, cond: Operand) -> bool {
        let Some(inst) = self.definition(cond) else { return matches!(cond, Operand::Const(_)) };
        match self.negated(inst) {
            Some(inner) => self.is_made_of_others(inner),
            None => self.is_composite(inst),
        }
    }

    fn collect_uses(&self, value: ValueId, uses: &mut Vec<Use>) {
        let me = Operand::Local(value);
        for &at in self.users.get(&value).into_iter().flatten() {
            let inst = &self.function.insts[at as usize];
            if self.negated(inst).is_some()
                && let Some(result) = inst.result
            {
                self.collect_uses(result, uses);
                continue;
            }
            uses.push(match &inst.kind {
                InstKind::CondBr { .. } => Use::Branch(self.block_at(at)),
                InstKind::Select { cond, .. } if *cond == me => Use::Condition,
                InstKind::Select { cond, then, .. } if self.is_composite(inst) => {
                    Use::Guarded(at, me, Guard { cond: *cond, when: *then == me })
                }
                InstKind::Binary { op: op @ (BinOp::And | BinOp::Or), lhs, rhs, .. } if *rhs == me && *lhs != me => {
                    Use::Guarded(at, me, Guard { cond: *lhs, when: *op == BinOp::And })
                }
                _ if self.is_composite(inst) => Use::Condition,
                _ => Use::Value,
            });
        }
    }
}

impl<'p> FuncLowering<'_, 'p> {
    /// Observes what is to be observed before an instruction.
    pub fn observe_before(&mut self, at: u32) -> Emit {
        for (operand, Guard { cond, when }) in self.conditions.before.get(&at).cloned().unwrap_or_default() {
            let (value, guard) = (self.reg(operand)?, self.reg(cond)?);
            self.emit(Op::new(OpCode::Observe, 0, value.0, guard.0).with_aux(if when { 1 } else { 2 }));
        }
        self.observe_merged(at)
    }

    /// Observes the result of an instruction, if that is a condition which counts by itself.
    pub fn observe_result(&mut self, inst: &'p Inst) -> Emit {
        match inst.result {
            Some(result) if self.conditions.at_definition.contains(&result) => {
                let value = self.reg(Operand::Local(result))?;
                self.emit_observe(value);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Notes what a branch tests if clang may have left out a `!` before it. Optimisers turn comparisons round as they like.
    pub fn note_tested(&mut self, branch: OpIdx, cond: Operand) {
        if self.origin == Origin::Library || self.out.semantics_of(self.id) == Semantics::Optimised {
            return;
        }
        let Some(inst) = self.definition(cond) else { return };
        let callee = match inst.kind {
            InstKind::ICmp { lhs, .. } | InstKind::FCmp { lhs, .. } => self.callee(lhs),
            InstKind::Cast { .. } | InstKind::Call { .. } | InstKind::Load { .. } => self.callee(cond),
            // A negation is written out here, and so is what several conditions make.
            _ => return,
        };
        if let Some(loc) = inst.loc {
            self.out.image.tested.push(Tested { op: branch, loc: loc.0, callee });
        }
    }

    /// The function that returned a value.
    fn callee(&self, value: Operand) -> Option<FuncId> {
        match self.definition(value)?.kind {
            InstKind::Call { callee: Callee::Direct(id), .. } => Some(id),
            InstKind::Cast { arg, .. } => self.callee(arg),
            _ => None,
        }
    }

    fn definition(&self, operand: Operand) -> Option<&'p Inst> {
        let Operand::Local(value) = operand else { return None };
        self.function.insts.get(self.plan.values[value.index()].def as usize)
    }

    /// Observes parameters, if they are conditions.
    pub fn observe_params(&mut self) {
        for value in (0..self.function.params.len()).map(ValueId::new) {
            if self.conditions.at_definition.contains(&value) {
                let reg = self.value_reg(value);
                self.emit_observe(reg);
            }
        }
    }

    pub fn emit_observe(&mut self, value: Reg) {
        self.emit(Op::new(OpCode::Observe, 0, value.0, 0));
    }
}
