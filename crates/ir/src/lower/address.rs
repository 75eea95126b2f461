//! Addresses: what a `getelementptr` comes down to, and how a load or store takes it along.

use super::function::{Emit, FuncLowering, unsupported};
use super::statics::GepStep;
use crate::code::{Addressing, Lanes, Op, OpCode, Reg, Scalar};
use crate::model::{Inst, InstKind, Operand, Type, TypeId};
use spelunk_bv::CastOp;

/// base + index · stride + offset.
#[derive(Clone, Copy)]
pub(super) struct EffectiveAddress {
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

/// A scalar or vector operand as the lanes of a vector see it.
struct LaneSource {
    first: Reg,
    lanes: Lanes,
}

impl LaneSource {
    fn reg(&self, lane: u32) -> Reg {
        if self.lanes.count == 1 { self.first } else { self.first.offset(lane * self.lanes.scalar.n_slots()) }
    }
}

impl<'p> FuncLowering<'_, 'p> {
    /// The place that a pointer names; a folded `getelementptr` is taken apart.
    pub fn place(&mut self, ptr: Operand) -> Emit<EffectiveAddress> {
        match self.folded(ptr) {
            Some(gep @ Inst { kind: InstKind::Gep { .. }, .. }) => self.gep_place(gep),
            _ => Ok(EffectiveAddress { base: self.reg(ptr)?, index: None, offset: 0 }),
        }
    }

    pub fn gep_place(&mut self, gep: &'p Inst) -> Emit<EffectiveAddress> {
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
        let (reg, width) = match self.folded(index) {
            Some(Inst { kind: InstKind::Cast { op: CastOp::SExt, arg }, .. }) if is_i32(self.type_of(*arg)) => {
                (self.reg(*arg)?, 32)
            }
            _ => {
                let Some(Lanes { scalar: Scalar::Int(width), count: 1 }) = Lanes::of(&program.types, ty) else {
                    return unsupported("a getelementptr with a vector of indices");
                };
                (self.reg(index)?, width)
            }
        };
        Ok(self.index_in(reg, width, stride))
    }

    /// The index that a register of that width holds.
    fn index_in(&mut self, mut reg: Reg, width: u32, stride: u64) -> Index {
        // A sign extension from 32 bits is part of the operation; any other is made explicit. Of an index wider than 64
        // bits, only the low ones count.
        let mut addressing = match width {
            32 => Addressing::Index32,
            _ => Addressing::Index64,
        };
        if width < 64 && width != 32 {
            reg = self.emit_extended(reg, width);
        }
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
        Index { reg, stride, addressing }
    }

    /// A `getelementptr` of several addresses, lane by lane. What is not a vector is the same for all lanes.
    pub fn lower_vector_gep(&mut self, gep: &'p Inst, n_lanes: u32, dst: Reg) -> Emit {
        let InstKind::Gep { elem, base, indices, .. } = &gep.kind else { unreachable!("only geps are places") };
        let (mut offset, mut steps) = (0i64, Vec::new());
        self.statics().walk_gep(*elem, indices.iter().copied(), |_, step| {
            match step {
                GepStep::Field(bytes) => offset = offset.wrapping_add(bytes as i64),
                GepStep::Index { index, stride } => steps.push((index, stride)),
            }
            Ok(())
        })?;
        let base = self.lane_source(*base)?;
        let steps = steps
            .into_iter()
            .map(|(index, stride)| Ok((self.lane_source(index)?, stride)))
            .collect::<Emit<Vec<_>>>()?;
        for lane in 0..n_lanes {
            let mut place = EffectiveAddress { base: base.reg(lane), index: None, offset };
            for (source, stride) in &steps {
                if let Some(index) = place.index.take() {
                    place.base = self.emit_index(place.base, index);
                }
                place.index = Some(self.index_in(source.reg(lane), source.lanes.scalar.bits(), *stride));
            }
            self.emit_place(dst.offset(lane), place)?;
        }
        Ok(())
    }

    fn lane_source(&mut self, operand: Operand) -> Emit<LaneSource> {
        Ok(LaneSource { first: self.reg(operand)?, lanes: self.lanes(self.type_of(operand))? })
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
    pub fn emit_place(&mut self, dst: Reg, place: EffectiveAddress) -> Emit {
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
    pub fn as_offset(&mut self, place: EffectiveAddress) -> Emit<(Reg, i32)> {
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
    pub fn access_op(
        &mut self,
        place: EffectiveAddress,
        opcode: impl Fn(Addressing) -> Option<OpCode>,
    ) -> Emit<Option<Op>> {
        if let EffectiveAddress { base, index: Some(Index { reg, stride, addressing }), offset: 0 } = place {
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
