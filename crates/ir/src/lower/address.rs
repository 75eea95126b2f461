//! Addresses: what a `getelementptr` comes down to, and how a load or store takes it along.

use super::function::{Emit, FuncLowering, unsupported};
use super::statics::GepStep;
use crate::code::{Addressing, Lanes, Op, OpCode, Reg, Scalar};
use crate::model::{Inst, InstKind, Operand, Type, TypeId};
use spelunk_bv::CastOp;

/// base + index · stride + offset.
#[derive(Clone, Copy)]
pub(super) struct Place {
    base: Reg,
    index: Option<Index>,
    offset: i64,
}

#[derive(Clone, Copy)]
struct Index {
    reg: Reg,
    stride: u16,
    addressing: Addressing,
}

impl<'p> FuncLowering<'_, 'p> {
    /// The place that a pointer names; a folded `getelementptr` is taken apart.
    pub fn place(&mut self, ptr: Operand) -> Emit<Place> {
        match self.folded(ptr) {
            Some(gep @ Inst { kind: InstKind::Gep { .. }, .. }) => self.gep_place(gep),
            _ => Ok(Place { base: self.reg(ptr)?, index: None, offset: 0 }),
        }
    }

    pub fn gep_place(&mut self, gep: &'p Inst) -> Emit<Place> {
        let InstKind::Gep { elem, base, indices, .. } = &gep.kind else { unreachable!("only geps are places") };
        let mut place = self.place(*base)?;
        let mut steps = Vec::new();
        let program = self.out.statics.program;
        let function = self.function;
        let mut offset = place.offset;
        self.statics().walk_gep(*elem, indices.iter().copied(), |statics, step| {
            match step {
                GepStep::Field(bytes) => offset = offset.wrapping_add(bytes as i64),
                GepStep::Index { index: Operand::Const(id), stride } => {
                    let width = Scalar::of(&program.types, program.consts[id].ty).map_or(64, Scalar::bits).min(64);
                    let index = spelunk_bv::int::sext(width, statics.scalar(id)?);
                    offset = offset.wrapping_add(index.wrapping_mul(stride as i64));
                }
                GepStep::Index { index, stride } => {
                    steps.push((index, stride, program.operand_type(function, index)));
                }
            }
            Ok(())
        })?;
        place.offset = offset;
        for (index, stride, ty) in steps {
            // A place has room for one index: the one before is added now.
            if let Some(index) = place.index.take() {
                place.base = self.emit_index(place.base, index);
            }
            place.index = Some(self.index(index, stride, ty)?);
        }
        Ok(place)
    }

    fn index(&mut self, index: Operand, stride: u64, ty: TypeId) -> Emit<Index> {
        let program = self.out.statics.program;
        let is_i32 = |ty: TypeId| program.types[ty] == Type::Int(32);
        // A sign extension from 32 bits is part of the operation; any other is made explicit.
        let (mut reg, mut addressing) = match self.folded(index) {
            Some(Inst { kind: InstKind::Cast { op: CastOp::SExt, arg }, .. }) if is_i32(self.type_of(*arg)) => {
                (self.reg(*arg)?, Addressing::Index32)
            }
            _ if is_i32(ty) => (self.reg(index)?, Addressing::Index32),
            _ => {
                let Some(Lanes { scalar: Scalar::Int(width), count: 1 }) = Lanes::of(&program.types, ty) else {
                    return unsupported("a getelementptr with a vector of indices");
                };
                let reg = self.reg(index)?;
                // Of an index wider than 64 bits, only the low ones count.
                (if width < 64 { self.emit_extended(reg, width) } else { reg }, Addressing::Index64)
            }
        };
        let stride = match u16::try_from(stride) {
            Ok(stride) => stride,
            Err(_) => {
                if addressing == Addressing::Index32 {
                    reg = self.emit_extended(reg, 32);
                    addressing = Addressing::Index64;
                }
                let scaled = self.regs.temp(1, self.at);
                self.emit_const(scaled, stride);
                self.emit(Op::new(OpCode::Mul64, scaled.0, reg.0, scaled.0).with_aux(64));
                reg = scaled;
                1
            }
        };
        Ok(Index { reg, stride, addressing })
    }

    fn emit_extended(&mut self, reg: Reg, from: u32) -> Reg {
        let temp = self.regs.temp(1, self.at);
        self.emit(Op::new(OpCode::SExt, temp.0, reg.0, 64).with_aux(from as u16));
        temp
    }

    fn emit_index(&mut self, base: Reg, index: Index) -> Reg {
        let sum = self.regs.temp(1, self.at);
        self.emit(gep_op(sum, base, index));
        sum
    }

    /// Computes the address of a place into `dst`.
    pub fn emit_place(&mut self, dst: Reg, place: Place) -> Emit {
        match (place.index, place.offset) {
            (Some(index), 0) => self.emit(gep_op(dst, place.base, index)),
            _ => {
                let (base, offset) = self.as_offset(place)?;
                match offset {
                    0 => self.emit_move(dst, base, 1),
                    _ => self.emit(Op::new(OpCode::Add64I, dst.0, base.0, offset as u32).with_aux(64)),
                }
            }
        }
        Ok(())
    }

    /// A place as a register and a small offset.
    pub fn as_offset(&mut self, place: Place) -> Emit<(Reg, i32)> {
        let base = match place.index {
            Some(index) => self.emit_index(place.base, index),
            None => place.base,
        };
        if let Ok(offset) = i32::try_from(place.offset) {
            return Ok((base, offset));
        }
        let far = self.regs.temp(1, self.at);
        self.emit_const(far, place.offset as u64);
        let far = Index { reg: far, stride: 1, addressing: Addressing::Index64 };
        Ok((self.emit_index(base, far), 0))
    }

    /// The load or store at a place, in the form that `opcode` has for it; `dst` is left open.
    pub fn access_op(&mut self, place: Place, opcode: impl Fn(Addressing) -> Option<OpCode>) -> Emit<Option<Op>> {
        if let Place { base, index: Some(Index { reg, stride, addressing }), offset: 0 } = place {
            return Ok(opcode(addressing).map(|code| Op::new(code, 0, base.0, reg.0).with_aux(stride)));
        }
        let Some(code) = opcode(Addressing::Offset) else { return Ok(None) };
        let (base, offset) = self.as_offset(place)?;
        Ok(Some(Op::new(code, 0, base.0, offset as u32)))
    }
}

fn gep_op(dst: Reg, base: Reg, index: Index) -> Op {
    let code = if index.addressing == Addressing::Index32 { OpCode::GepI32 } else { OpCode::Gep };
    Op::new(code, dst.0, base.0, index.reg.0).with_aux(index.stride)
}
