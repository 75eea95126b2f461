//! Operands of the function being lowered: where values are, what types they have, and the plainest operations on them.

use super::function::{Emit, FuncLowering, unsupported};
use super::statics::{SlotConst, Statics};
use crate::code::{Lanes, Op, OpCode, Reg, Shape, SlowOp};
use crate::model::{ConstKind, Inst, InstKind, Operand, TypeId, TypeTable, ValueId};
use spelunk_bv::CastOp;

impl<'p> FuncLowering<'_, 'p> {
    /// The register that holds a value which has been emitted, or is folded and emitted now.
    pub fn reg(&mut self, operand: Operand) -> Emit<Reg> {
        match operand {
            Operand::Local(value) => {
                if let Some(home) = self.homes[value.index()] {
                    return Ok(home);
                }
                let def = self.plan.values[value.index()].def;
                let inst = self.function.insts.get(def as usize).filter(|_| self.plan.insts[def as usize].folded);
                match inst {
                    // A value is kept zero-extended, so its extension is the value itself.
                    Some(Inst { kind: InstKind::Cast { op: CastOp::ZExt, arg }, .. }) => self.reg(*arg),
                    Some(inst) => {
                        let n_slots = self.n_slots(inst.ty)?;
                        let temp = self.regs.temp(n_slots, self.at);
                        self.lower_inst(inst, temp)?;
                        Ok(temp)
                    }
                    // Defined in a block further down: a use that control reaches only after the definition.
                    None => self.phi_home(value),
                }
            }
            Operand::Const(_) => {
                let n_slots = self.n_slots(self.type_of(operand))?;
                let temp = self.regs.temp(n_slots, self.at);
                self.emit_operand_to(temp, operand)?;
                Ok(temp)
            }
        }
    }

    /// A register for a value before its definition is emitted.
    pub fn phi_home(&mut self, value: ValueId) -> Emit<Reg> {
        if let Some(home) = self.homes[value.index()] {
            return Ok(home);
        }
        let n_slots = self.n_slots(self.function.value_types[value.index()])?;
        let home = self.regs.fixed(n_slots);
        self.homes[value.index()] = Some(home);
        Ok(home)
    }

    /// The register of a parameter.
    pub fn value_reg(&self, value: ValueId) -> Reg {
        self.homes[value.index()].expect("parameters are placed first")
    }

    /// The folded instruction that defines `operand`, if it is one.
    pub fn folded(&self, operand: Operand) -> Option<&'p Inst> {
        let Operand::Local(value) = operand else { return None };
        let def = self.plan.values[value.index()].def as usize;
        self.plan.insts.get(def).is_some_and(|facts| facts.folded).then(|| &self.function.insts[def])
    }

    /// Puts an operand of any type into the slots from `dst` on.
    pub fn emit_operand_to(&mut self, dst: Reg, operand: Operand) -> Emit {
        match operand {
            Operand::Local(_) => {
                let src = self.reg(operand)?;
                let n_slots = self.n_slots(self.type_of(operand))?;
                self.emit_move(dst, src, n_slots);
            }
            Operand::Const(id) => {
                for (slot, value) in self.out.statics.slots(id)?.into_iter().enumerate() {
                    let dst = dst.offset(slot as u32);
                    match value {
                        SlotConst::Value(value) => self.emit_const(dst, value),
                        SlotConst::Undef(bits) => self.emit_undef(dst, 1, bits),
                    }
                }
            }
        }
        Ok(())
    }

    /// The value of a constant operand of at most 64 bits.
    pub fn const_value(&self, operand: Operand) -> Option<u64> {
        let Operand::Const(id) = operand else { return None };
        let constant = &self.out.statics.program.consts[id];
        if matches!(constant.kind, ConstKind::Undef | ConstKind::Poison) {
            return None;
        }
        let lanes = Lanes::of(&self.out.statics.program.types, constant.ty)?;
        if lanes.count != 1 || lanes.scalar.bits() > 64 {
            return None;
        }
        self.out.statics.scalar(id).ok()
    }

    pub fn type_of(&self, operand: Operand) -> TypeId {
        self.out.statics.program.operand_type(self.function, operand)
    }

    pub fn lanes(&self, ty: TypeId) -> Emit<Lanes> {
        match Lanes::of(&self.out.statics.program.types, ty) {
            Some(lanes) => Ok(lanes),
            None => unsupported("an operation on a type without lanes"),
        }
    }

    pub fn shape(&self, ty: TypeId) -> Emit<Shape> {
        match Shape::of(&self.out.statics.program.types, self.out.statics.layout, ty) {
            Some(shape) => Ok(shape),
            None => unsupported("a value of a type that fits no register"),
        }
    }

    pub fn n_slots(&self, ty: TypeId) -> Emit<u32> {
        if let Some(lanes) = Lanes::of(&self.out.statics.program.types, ty) {
            return Ok(lanes.n_slots());
        }
        if ty == TypeTable::VOID {
            return Ok(0);
        }
        Ok(self.shape(ty)?.n_slots)
    }

    pub fn size_of(&self, ty: TypeId) -> Emit<u64> {
        Ok(self.out.statics.size_of(ty)?)
    }

    pub fn statics(&self) -> &Statics<'p> {
        &self.out.statics
    }

    pub fn emit(&mut self, op: Op) {
        self.out.image.ops.push(op);
        self.out.image.locs.push(self.loc);
    }

    pub fn emit_slow(&mut self, slow: SlowOp) {
        let idx = self.out.image.slow.len() as u32;
        self.out.image.slow.push(slow);
        self.emit(Op::new(OpCode::Slow, 0, idx, 0));
    }

    pub fn emit_const(&mut self, dst: Reg, value: u64) {
        self.emit(Op::new(OpCode::Const, dst.0, value as u32, (value >> 32) as u32));
    }

    pub fn emit_undef(&mut self, dst: Reg, n_slots: u32, bits: u32) {
        self.emit(Op::new(OpCode::Undef, dst.0, 0, n_slots).with_aux(bits.min(64) as u16));
    }

    pub fn emit_move(&mut self, dst: Reg, src: Reg, n_slots: u32) {
        if dst == src || n_slots == 0 {
            return;
        }
        let code = if n_slots == 1 { OpCode::Mov } else { OpCode::MovN };
        self.emit(Op::new(code, dst.0, src.0, n_slots));
    }
}
