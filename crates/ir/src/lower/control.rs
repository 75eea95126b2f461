//! Terminators: jumps, fused comparisons, switches, and the copies that phis ask for on edges.

use super::function::{Emit, FuncLowering, unsupported};
use super::statics::case_limbs;
use crate::code::{Form, Op, OpCode, OpIdx, Reg, Scalar, SlowOp, SwitchKind, SwitchTable};
use crate::model::{BlockId, ConstId, Inst, InstKind, Operand};
use rustc_hash::FxHashMap;
use spelunk_bv::CmpOp;

/// Where a jump goes once all blocks are placed.
#[derive(Clone, Copy)]
pub(super) enum JumpTo {
    /// Operation `dst` of the jump is patched.
    Block(BlockId),
    /// The copies of the edge come first.
    Edge { from: BlockId, to: BlockId },
}

/// A switch or computed goto is dense if it has this many table entries per case at most.
const DENSE_FACTOR: u64 = 4;

impl<'p> FuncLowering<'_, 'p> {
    pub fn lower_terminator(&mut self, inst: &'p Inst, block: BlockId) -> Emit {
        match &inst.kind {
            InstKind::Ret { value } => self.lower_ret(*value),
            InstKind::Br { target } => {
                self.emit_edge_copies(block, *target)?;
                self.emit_jump_unless_next(block, *target);
                Ok(())
            }
            InstKind::CondBr { cond, then, other } => self.lower_cond_br(block, *cond, *then, *other),
            InstKind::Switch { value, default, cases } => self.lower_switch(inst, block, *value, *default, cases),
            InstKind::IndirectBr { addr, targets } => self.lower_indirect_br(block, *addr, targets),
            InstKind::Unreachable => {
                self.emit_slow(SlowOp::Unreachable);
                Ok(())
            }
            InstKind::UnsupportedTerminator { name, .. } => unsupported(format!("the instruction `{name}`")),
            _ => unreachable!("not a terminator"),
        }
    }

    fn lower_ret(&mut self, value: Option<Operand>) -> Emit {
        let (reg, n_slots) = match value {
            Some(value) => (self.reg(value)?, self.n_slots(self.type_of(value))?),
            None => (Reg(0), 0),
        };
        let Ok(aux) = u16::try_from(n_slots) else { return unsupported("a return value of more than 65535 parts") };
        self.emit(Op::new(OpCode::Ret, 0, reg.0, 0).with_aux(aux));
        Ok(())
    }

    fn lower_cond_br(&mut self, block: BlockId, cond: Operand, then: BlockId, other: BlockId) -> Emit {
        if then == other {
            self.emit_edge_copies(block, then)?;
            self.emit_jump_unless_next(block, then);
            return Ok(());
        }
        // The jump goes to the block that does not follow, so that the other way costs nothing.
        let invert = then.0 == block.0 + 1;
        let (jump_to, fall_to) = if invert { (other, then) } else { (then, other) };
        let mut branch = self.branch_op(cond, invert)?;
        branch.dst = u32::MAX;
        let at = self.out.image.next_op();
        self.emit(branch);
        if invert {
            self.out.image.inverted.push(at);
        }
        if !self.conditions.counts_branch(block) {
            self.out.image.uncounted.push(at);
        }
        self.note_tested(at, cond);
        self.jumps.push((at, self.jump_target(block, jump_to)));
        self.emit_edge_copies(block, fall_to)?;
        self.emit_jump_unless_next(block, fall_to);
        Ok(())
    }

    /// A jump if `cond` is true (or false, inverted), with its comparison if there is one to take along.
    fn branch_op(&mut self, cond: Operand, invert: bool) -> Emit<Op> {
        if let Some(Inst { kind: InstKind::ICmp { op, lhs, rhs }, .. }) = self.folded(cond) {
            let scalar = self.lanes(self.type_of(*lhs))?.scalar;
            if scalar.bits() <= 64 {
                let op = if invert { op.negated() } else { *op };
                return self.compare_op(op, scalar, *lhs, *rhs, OpCode::branch);
            }
        }
        let reg = self.reg(cond)?;
        Ok(Op::new(if invert { OpCode::BrIfNot } else { OpCode::BrIf }, 0, reg.0, 0))
    }

    /// A comparison in the form that `opcode` chooses, `dst` left open.
    pub fn compare_op(
        &mut self,
        op: CmpOp,
        scalar: Scalar,
        lhs: Operand,
        rhs: Operand,
        opcode: fn(CmpOp, u32, Form) -> OpCode,
    ) -> Emit<Op> {
        let width = scalar.bits();
        // Constants stand on the right.
        let (op, lhs, rhs) = match lhs {
            Operand::Const(_) if matches!(rhs, Operand::Local(_)) => (op.swapped(), rhs, lhs),
            _ => (op, lhs, rhs),
        };
        let imm = self.const_value(rhs).filter(|&value| Op::fits_immediate(width, value));
        let a = self.reg(lhs)?.0;
        let (form, b) = match imm {
            Some(value) => (Form::Immediate, value as u32),
            None => (Form::Register, self.reg(rhs)?.0),
        };
        Ok(Op::new(opcode(op, width, form), 0, a, b).with_aux(width as u16))
    }

    fn lower_switch(
        &mut self,
        inst: &Inst,
        block: BlockId,
        value: Operand,
        default: BlockId,
        cases: &[(ConstId, BlockId)],
    ) -> Emit {
        let Scalar::Int(width) = self.lanes(self.type_of(value))?.scalar else {
            return unsupported("a switch on something else than an integer");
        };
        let reg = self.reg(value)?;
        let table = self.out.image.switches.len() as u32;
        self.out.image.switches.push(SwitchTable {
            default: OpIdx::NOWHERE,
            kind: SwitchKind::Sparse(Box::new([])),
            labels: Box::new([]),
        });
        self.emit(Op::new(OpCode::Switch, 0, reg.0, table).with_aux(width as u16));

        // Cases that lead to one block do so in the same way, but each label has a jump of its own.
        let program = self.out.statics.program;
        let of_source = program.labels.at(program, inst, width);
        let mut of_labels: FxHashMap<(usize, BlockId), OpIdx> = FxHashMap::default();
        let mut stubs: FxHashMap<BlockId, OpIdx> = FxHashMap::default();
        let default_stub = self.emit_edge_stub(block, default)?;
        stubs.insert(default, default_stub);
        let mut targets = Vec::with_capacity(cases.len());
        let mut labels = Vec::new();
        for &(case, target) in cases {
            let limbs = case_limbs(program, case, width);
            let label = of_source.as_ref().and_then(|labels| Some((labels.of(limbs[0])?, target)));
            let known = label.and_then(|label| of_labels.get(&label));
            let stub = match (known, stubs.get(&target)) {
                (Some(&known), _) => known,
                (None, Some(&shared)) => {
                    let label = self.out.image.next_op();
                    self.emit(Op::new(OpCode::Jump, shared.0, 0, 0));
                    labels.push((label, shared));
                    label
                }
                (None, None) => *stubs.entry(target).or_insert(self.emit_edge_stub(block, target)?),
            };
            of_labels.extend(label.map(|label| (label, stub)));
            targets.push((limbs, stub));
        }
        let kind = switch_kind(width, default_stub, targets);
        self.out.image.switches[table as usize] = SwitchTable { default: default_stub, kind, labels: labels.into() };
        Ok(())
    }

    fn lower_indirect_br(&mut self, block: BlockId, addr: Operand, targets: &[BlockId]) -> Emit {
        let reg = self.reg(addr)?;
        let table = self.out.image.indirect_targets.len() as u32;
        self.out.image.indirect_targets.push(Box::new([]));
        self.emit(Op::new(OpCode::IndirectBr, 0, reg.0, table));
        let mut entries = Vec::with_capacity(targets.len());
        for &target in targets {
            let op_idx = self.emit_edge_stub(block, target)?;
            entries.push((self.out.statics.block_address(self.id, target), op_idx));
        }
        entries.sort_unstable();
        entries.dedup_by_key(|entry| entry.0);
        self.out.image.indirect_targets[table as usize] = entries.into();
        Ok(())
    }

    /// Emits the edge's copies and a jump to its block, and returns where they start.
    fn emit_edge_stub(&mut self, from: BlockId, to: BlockId) -> Emit<OpIdx> {
        let start = self.out.image.next_op();
        self.emit_edge_copies(from, to)?;
        self.emit_jump(to);
        Ok(start)
    }

    fn emit_jump(&mut self, to: BlockId) {
        let at = self.out.image.next_op();
        self.emit(Op::new(OpCode::Jump, u32::MAX, 0, 0));
        self.jumps.push((at, JumpTo::Block(to)));
    }

    fn emit_jump_unless_next(&mut self, block: BlockId, to: BlockId) {
        if to.0 != block.0 + 1 {
            self.emit_jump(to);
        }
    }

    fn jump_target(&self, from: BlockId, to: BlockId) -> JumpTo {
        if self.has_phis(to) { JumpTo::Edge { from, to } } else { JumpTo::Block(to) }
    }

    fn has_phis(&self, block: BlockId) -> bool {
        matches!(self.function.block_insts(block).first(), Some(Inst { kind: InstKind::Phi { .. }, .. }))
    }

    /// Fills in all jumps, emitting the copies of edges that could not be emitted in place.
    pub fn place_jumps(&mut self) {
        for (at, to) in std::mem::take(&mut self.jumps) {
            let target = match to {
                JumpTo::Block(block) => self.block_starts[block.index()],
                JumpTo::Edge { from, to } => {
                    let start = self.out.image.next_op();
                    // Copies only fail for types that already failed where the phi stands.
                    if self.emit_edge_copies(from, to).is_err() {
                        self.emit_slow(SlowOp::Unsupported("a phi of a type that fits no register".into()));
                    }
                    self.emit(Op::new(OpCode::Jump, self.block_starts[to.index()].0, 0, 0));
                    start
                }
            };
            self.out.image.ops[at.index()].dst = target.0;
        }
    }

    /// Gives the phis of `to` their values for the edge from `from`, as if all at once.
    fn emit_edge_copies(&mut self, from: BlockId, to: BlockId) -> Emit {
        let function = self.function;
        let mut copies: Vec<(Reg, Operand, u32)> = Vec::new();
        for inst in function.block_insts(to) {
            let InstKind::Phi { incoming } = &inst.kind else { break };
            let Some(&(value, _)) = incoming.iter().find(|&&(_, block)| block == from) else {
                return unsupported("a phi without a value for an edge");
            };
            let dst = self.phi_home(inst.result.expect("a phi has a result"))?;
            copies.push((dst, value, self.n_slots(inst.ty)?));
        }
        self.emit_parallel_copies(copies)
    }

    fn emit_parallel_copies(&mut self, copies: Vec<(Reg, Operand, u32)>) -> Emit {
        // Registers first, ordered so that nothing is overwritten before it is read; constants read nothing.
        let mut moves = Vec::new();
        let mut constants = Vec::new();
        for (dst, value, n_slots) in copies {
            match value {
                Operand::Local(_) => moves.push((dst, self.reg(value)?, n_slots)),
                Operand::Const(_) => constants.push((dst, value)),
            }
        }
        moves.retain(|&(dst, src, _)| dst != src);
        while !moves.is_empty() {
            let ready = moves.iter().position(|&(dst, ..)| moves.iter().all(|&(_, src, _)| src != dst));
            match ready {
                Some(idx) => {
                    let (dst, src, n_slots) = moves.swap_remove(idx);
                    self.emit_move(dst, src, n_slots);
                }
                None => {
                    // Only cycles are left: one register is saved aside, which breaks one of them.
                    let (_, src, n_slots) = moves[0];
                    let aside = self.regs.fixed(n_slots);
                    self.emit_move(aside, src, n_slots);
                    moves.iter_mut().filter(|entry| entry.1 == src).for_each(|entry| entry.1 = aside);
                }
            }
        }
        for (dst, value) in constants {
            self.emit_operand_to(dst, value)?;
        }
        Ok(())
    }
}

fn switch_kind(width: u32, default: OpIdx, cases: Vec<(Box<[u64]>, OpIdx)>) -> SwitchKind {
    if width > 64 {
        return SwitchKind::Wide(cases.into());
    }
    let mut sorted: Vec<(u64, OpIdx)> = cases.into_iter().map(|(limbs, target)| (limbs[0], target)).collect();
    sorted.sort_unstable();
    let (Some(&(low, _)), Some(&(high, _))) = (sorted.first(), sorted.last()) else {
        return SwitchKind::Sparse(Box::new([]));
    };
    if high - low > DENSE_FACTOR * sorted.len() as u64 + DENSE_FACTOR {
        return SwitchKind::Sparse(sorted.into());
    }
    let mut targets = vec![default; (high - low + 1) as usize];
    for (value, target) in sorted {
        targets[(value - low) as usize] = target;
    }
    SwitchKind::Dense { low, targets: targets.into() }
}
