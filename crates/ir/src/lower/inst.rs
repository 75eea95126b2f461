//! Instructions that compute values or touch memory.

use super::SignedOverflow;
use super::address::EffectiveAddress;
use super::effective::Direction;
use super::function::{Emit, FuncLowering, unsupported};
use crate::code::{Form, Lanes, Op, OpCode, Reg, Scalar, SlowOp};
use crate::model::{Callee, Inst, InstFlags, InstKind, MdId, Operand, Type, TypeId};
use spelunk_bv::float::FloatKind;
use spelunk_bv::{BinOp, CastOp, CmpOp, FBinOp, FCmpOp};
use std::sync::Arc;

impl<'p> FuncLowering<'_, 'p> {
    /// Emits one instruction with its result in `dst`.
    pub fn lower_inst(&mut self, inst: &'p Inst, dst: Reg) -> Emit {
        match &inst.kind {
            InstKind::Binary { op, flags, lhs, rhs } => self.lower_binary(*op, *flags, *lhs, *rhs, dst),
            InstKind::FBinary { op, lhs, rhs } => self.lower_fbinary(*op, *lhs, *rhs, dst),
            InstKind::FNeg { arg } => {
                let lanes = self.lanes(inst.ty)?;
                let arg = self.reg(*arg)?;
                self.emit_slow(SlowOp::FNeg { lanes, dst, arg });
                Ok(())
            }
            InstKind::ICmp { op, lhs, rhs } => self.lower_icmp(*op, *lhs, *rhs, dst),
            InstKind::FCmp { op, lhs, rhs } => self.lower_fcmp(*op, *lhs, *rhs, dst),
            InstKind::Cast { op, arg } => self.lower_cast(*op, *arg, inst.ty, dst),
            InstKind::Select { cond, then, other } => self.lower_select(*cond, *then, *other, dst),
            InstKind::Freeze { arg } => {
                let n_slots = self.n_slots(inst.ty)?;
                let arg = self.reg(*arg)?;
                self.emit_slow(SlowOp::Freeze { n_slots, dst, arg });
                Ok(())
            }
            InstKind::Alloca { elem, count, align } => self.lower_alloca(*elem, *count, *align, dst),
            InstKind::Load { ptr, tbaa, .. } => self.lower_load(inst.ty, *ptr, *tbaa, dst),
            InstKind::Store { value, ptr, tbaa, .. } => {
                let place = self.lower_store(*value, *ptr)?;
                self.emit_type_check(Direction::Write, place, self.type_of(*value), *tbaa)
            }
            InstKind::Gep { .. } => match self.lanes(inst.ty)?.count {
                1 => {
                    let place = self.gep_place(inst)?;
                    self.emit_place(dst, place)
                }
                n_lanes => self.lower_vector_gep(inst, n_lanes, dst),
            },
            InstKind::CmpXchg { ptr, expected, new } => {
                let lanes = self.lanes(self.type_of(*new))?;
                let (ptr, expected, new) = (self.reg(*ptr)?, self.reg(*expected)?, self.reg(*new)?);
                self.emit_slow(SlowOp::CmpXchg { lanes, dst, ptr, expected, new });
                Ok(())
            }
            InstKind::AtomicRmw { op, ptr, value } => {
                let lanes = self.lanes(inst.ty)?;
                let (ptr, value) = (self.reg(*ptr)?, self.reg(*value)?);
                self.emit_slow(SlowOp::AtomicRmw { op: *op, lanes, dst, ptr, value });
                Ok(())
            }
            InstKind::Fence => Ok(()),
            InstKind::VaArg { .. } => unsupported("the instruction `va_arg`"),
            InstKind::ExtractValue { aggregate, indices } => {
                self.lower_extract_value(*aggregate, indices, inst.ty, dst)
            }
            InstKind::InsertValue { aggregate, value, indices } => {
                self.lower_insert_value(*aggregate, *value, indices, dst)
            }
            InstKind::ExtractElement { vector, index } => {
                let lanes = self.lanes(self.type_of(*vector))?;
                let (vector, index) = (self.reg(*vector)?, self.reg(*index)?);
                self.emit_slow(SlowOp::ExtractElement { lanes, index, dst, vector });
                Ok(())
            }
            InstKind::InsertElement { vector, value, index } => {
                let lanes = self.lanes(inst.ty)?;
                let (vector, value, index) = (self.reg(*vector)?, self.reg(*value)?, self.reg(*index)?);
                self.emit_slow(SlowOp::InsertElement { lanes, index, dst, vector, value });
                Ok(())
            }
            InstKind::ShuffleVector { lhs, rhs, mask } => {
                let lanes = self.lanes(self.type_of(*lhs))?;
                let (lhs, rhs) = (self.reg(*lhs)?, self.reg(*rhs)?);
                self.emit_slow(SlowOp::Shuffle { lanes, dst, lhs, rhs, mask: mask.clone() });
                Ok(())
            }
            InstKind::Call { callee, fn_ty, args } => match callee {
                Callee::Asm(text) => self.lower_asm(text, inst, args, dst),
                _ => self.lower_call(callee, *fn_ty, args, inst, dst),
            },
            InstKind::Unsupported { name } => unsupported(format!("the instruction `{name}`")),
            InstKind::Phi { .. } => unreachable!("phis are written by edges"),
            _ => unreachable!("terminators are lowered in `control`"),
        }
    }

    fn lower_binary(&mut self, op: BinOp, flags: InstFlags, lhs: Operand, rhs: Operand, dst: Reg) -> Emit {
        self.observe_shift(op, lhs, rhs)?;
        let lanes = self.lanes(self.type_of(lhs))?;
        let checked = flags.nsw && self.out.checks.signed_overflow != SignedOverflow::Wraps;
        let width = lanes.scalar.bits();
        if lanes.count != 1 || width > 64 {
            let (lhs, rhs) = (self.reg(lhs)?, self.reg(rhs)?);
            self.emit_slow(SlowOp::Binary { op, lanes, checked, dst, lhs, rhs });
            return Ok(());
        }
        let (lhs, rhs) = match lhs {
            Operand::Const(_) if is_commutative(op) => (rhs, lhs),
            _ => (lhs, rhs),
        };
        let imm = self.const_value(rhs).filter(|&value| Op::fits_immediate(width, value));
        let a = self.reg(lhs)?.0;
        let (form, b) = match imm {
            Some(value) => (Form::Immediate, value as u32),
            None => (Form::Register, self.reg(rhs)?.0),
        };
        let code = if checked { OpCode::checked(op, width, form) } else { None };
        let code = code.unwrap_or_else(|| OpCode::binary(op, width, form));
        self.emit(Op::new(code, dst.0, a, b).with_aux(width as u16));
        Ok(())
    }

    fn lower_fbinary(&mut self, op: FBinOp, lhs: Operand, rhs: Operand, dst: Reg) -> Emit {
        let lanes = self.lanes(self.type_of(lhs))?;
        let (lhs, rhs) = (self.reg(lhs)?, self.reg(rhs)?);
        match float_width(lanes).and_then(|width| OpCode::float(op, width)) {
            Some(code) => self.emit(Op::new(code, dst.0, lhs.0, rhs.0)),
            None => self.emit_slow(SlowOp::FBinary { op, lanes, dst, lhs, rhs }),
        }
        Ok(())
    }

    fn lower_icmp(&mut self, op: CmpOp, lhs: Operand, rhs: Operand, dst: Reg) -> Emit {
        let lanes = self.lanes(self.type_of(lhs))?;
        if lanes.count != 1 || lanes.scalar.bits() > 64 {
            let (lhs, rhs) = (self.reg(lhs)?, self.reg(rhs)?);
            self.emit_slow(SlowOp::ICmp { op, lanes, dst, lhs, rhs });
            return Ok(());
        }
        let compare = self.compare_op(op, lanes.scalar, lhs, rhs, OpCode::compare)?;
        self.emit(Op { dst: dst.0, ..compare });
        Ok(())
    }

    fn lower_fcmp(&mut self, op: FCmpOp, lhs: Operand, rhs: Operand, dst: Reg) -> Emit {
        let lanes = self.lanes(self.type_of(lhs))?;
        let (lhs, rhs) = (self.reg(lhs)?, self.reg(rhs)?);
        match float_width(lanes) {
            Some(width) => {
                let code = if width == 32 { OpCode::FCmp32 } else { OpCode::FCmp64 };
                self.emit(Op::new(code, dst.0, lhs.0, rhs.0).with_aux(op as u16));
            }
            None => self.emit_slow(SlowOp::FCmp { op, lanes, dst, lhs, rhs }),
        }
        Ok(())
    }

    fn lower_cast(&mut self, op: CastOp, arg: Operand, to_ty: TypeId, dst: Reg) -> Emit {
        let from = self.lanes(self.type_of(arg))?;
        let to = self.lanes(to_ty)?;
        let arg = self.reg(arg)?;
        let bits = |lanes: Lanes| lanes.scalar.bits();
        let is_word = |lanes: Lanes| lanes.count == 1 && bits(lanes) <= 64;
        if is_word(from)
            && is_word(to)
            && let Some(code) = narrow_cast(op, from.scalar, to.scalar)
        {
            self.emit(Op::new(code, dst.0, arg.0, bits(to)).with_aux(bits(from) as u16));
            return Ok(());
        }
        self.emit_slow(SlowOp::Cast { op, from, to, dst, arg });
        Ok(())
    }

    fn lower_select(&mut self, cond: Operand, then: Operand, other: Operand, dst: Reg) -> Emit {
        let ty = self.type_of(then);
        let n_slots = self.n_slots(ty)?;
        let per_lane = match self.out.statics.program.types[self.type_of(cond)] {
            Type::Vector(..) => self.lanes(ty)?.scalar.n_slots(),
            _ => 0,
        };
        let (cond, then, other) = (self.reg(cond)?, self.reg(then)?, self.reg(other)?);
        if n_slots == 1 && per_lane == 0 {
            self.emit(Op::new(OpCode::Select, dst.0, then.0, other.0));
            self.emit(Op::new(OpCode::Ext, 0, cond.0, 0));
        } else {
            self.emit_slow(SlowOp::Select { cond, per_lane, n_slots, dst, then, other });
        }
        Ok(())
    }

    fn lower_alloca(&mut self, elem: TypeId, count: Operand, align: u32, dst: Reg) -> Emit {
        let size = self.size_of(elem)?;
        let align = align.max(1).trailing_zeros() as u16;
        if let Some(total) = self.const_value(count).and_then(|count| count.checked_mul(size))
            && let Ok(total) = u32::try_from(total)
        {
            self.emit(Op::new(OpCode::Alloca, dst.0, 0, total).with_aux(align));
            return Ok(());
        }
        let Ok(size) = u32::try_from(size) else { return unsupported("an array of huge elements on the stack") };
        let count = self.reg(count)?;
        self.emit(Op::new(OpCode::AllocaDyn, dst.0, count.0, size).with_aux(align));
        Ok(())
    }

    fn lower_load(&mut self, ty: TypeId, ptr: Operand, tbaa: Option<MdId>, dst: Reg) -> Emit {
        let place = self.place(ptr)?;
        self.emit_type_check(Direction::Read, place, ty, tbaa)?;
        if let Some(scalar) = self.memory_scalar(ty)
            && let Some(op) = self.access_op(place, |addressing| OpCode::load(scalar.store_size(), addressing))?
        {
            self.emit(Op { dst: dst.0, ..op });
            return Ok(());
        }
        let shape = self.memory_shape(ty)?;
        let (addr, offset) = self.as_offset(place)?;
        self.emit_slow(SlowOp::Load { shape, dst, addr, offset });
        Ok(())
    }

    fn lower_store(&mut self, value: Operand, ptr: Operand) -> Emit<EffectiveAddress> {
        let ty = self.type_of(value);
        let src = self.reg(value)?;
        let place = self.place(ptr)?;
        if let Some(scalar) = self.memory_scalar(ty)
            && let Some(op) = self.access_op(place, |addressing| OpCode::store(scalar.store_size(), addressing))?
        {
            self.emit(Op { dst: src.0, ..op });
            return Ok(place);
        }
        let shape = self.memory_shape(ty)?;
        let (addr, offset) = self.as_offset(place)?;
        self.emit_slow(SlowOp::Store { shape, src, addr, offset });
        Ok(place)
    }

    /// A scalar whose bits fill whole bytes, which the fast loads and stores need.
    fn memory_scalar(&self, ty: TypeId) -> Option<Scalar> {
        Scalar::of(&self.out.statics.program.types, ty).filter(|scalar| scalar.bits() % 8 == 0)
    }

    fn memory_shape(&self, ty: TypeId) -> Emit<Arc<crate::code::Shape>> {
        let shape = self.shape(ty)?;
        if !shape.is_in_memory_form() {
            return unsupported("a vector of odd bits in memory");
        }
        Ok(Arc::new(shape))
    }

    fn lower_extract_value(&mut self, aggregate: Operand, indices: &[u32], ty: TypeId, dst: Reg) -> Emit {
        let first = self.slot_of(self.type_of(aggregate), indices)?;
        let n_slots = self.n_slots(ty)?;
        let src = self.reg(aggregate)?.offset(first);
        self.emit_move(dst, src, n_slots);
        Ok(())
    }

    fn lower_insert_value(&mut self, aggregate: Operand, value: Operand, indices: &[u32], dst: Reg) -> Emit {
        let first = self.slot_of(self.type_of(aggregate), indices)?;
        self.emit_operand_to(dst, aggregate)?;
        self.emit_operand_to(dst.offset(first), value)
    }

    /// The first slot of a part of an aggregate.
    fn slot_of(&self, ty: TypeId, indices: &[u32]) -> Emit<u32> {
        let mut ty = ty;
        let mut slot = 0;
        for &index in indices {
            match &self.out.statics.program.types[ty] {
                Type::Struct { fields, .. } => {
                    let Some(&field) = fields.get(index as usize) else { return unsupported("a missing field") };
                    for &before in &fields[..index as usize] {
                        slot += self.n_slots(before)?;
                    }
                    ty = field;
                }
                Type::Array(elem, _) => {
                    slot += self.n_slots(*elem)? * index;
                    ty = *elem;
                }
                _ => return unsupported("an index into a scalar"),
            }
        }
        Ok(slot)
    }
}

/// 32 or 64 for a single `float` or `double`.
pub(super) fn float_width(lanes: Lanes) -> Option<u32> {
    match lanes {
        Lanes { scalar: Scalar::Float(FloatKind::Float), count: 1 } => Some(32),
        Lanes { scalar: Scalar::Float(FloatKind::Double), count: 1 } => Some(64),
        _ => None,
    }
}

fn is_commutative(op: BinOp) -> bool {
    matches!(op, BinOp::Add | BinOp::Mul | BinOp::And | BinOp::Or | BinOp::Xor)
}

/// The opcode of a conversion between scalars of at most 64 bits, if it has one.
fn narrow_cast(op: CastOp, from: Scalar, to: Scalar) -> Option<OpCode> {
    use Scalar::{Float, Int, Ptr};
    Some(match (op, from, to) {
        (CastOp::ZExt, ..) => OpCode::Mov,
        (CastOp::SExt, ..) => OpCode::SExt,
        (CastOp::Trunc, ..) => OpCode::Trunc,
        (CastOp::PtrToInt, Ptr, Int(64)) | (CastOp::IntToPtr, Int(64), Ptr) => OpCode::Mov,
        (CastOp::PtrToInt, Ptr, Int(_)) => OpCode::Trunc,
        (CastOp::IntToPtr, Int(_), Ptr) => OpCode::Mov,
        (CastOp::BitCast, ..) if from.bits() == to.bits() => OpCode::Mov,
        (CastOp::SiToFp, Int(32), Float(FloatKind::Double)) => OpCode::I32ToF64,
        (CastOp::SiToFp, Int(64), Float(FloatKind::Double)) => OpCode::I64ToF64,
        (CastOp::FpToSi, Float(FloatKind::Double), Int(32)) => OpCode::F64ToI32,
        (CastOp::FpToSi, Float(FloatKind::Double), Int(64)) => OpCode::F64ToI64,
        (CastOp::FpExt, Float(FloatKind::Float), Float(FloatKind::Double)) => OpCode::F32ToF64,
        (CastOp::FpTrunc, Float(FloatKind::Double), Float(FloatKind::Float)) => OpCode::F64ToF32,
        _ => return None,
    })
}
