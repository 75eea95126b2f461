//! Operations on values of one word that something is carried by: the expression of the result, and, of a pointer, its base.
//!
//! Wider values and rarer operations are in [`crate::operations`].

use super::ConcolicMachine;
use super::provenance::Base;
use spelunk_bv::float::FloatKind;
use spelunk_bv::{BinOp, CastOp, CmpOp, FBinOp, FCmpOp, Signedness, float, int};
use spelunk_expr::ExprId;
use spelunk_ir::code::MAX_OBJECT_SIZE;
use spelunk_vm::{Carried, Slot};

/// `float` or `double`, by the width.
fn kind_of(width: u32) -> FloatKind {
    if width == 32 { FloatKind::Float } else { FloatKind::Double }
}

impl ConcolicMachine {
    pub(super) fn carry_binary(&mut self, op: BinOp, width: u32, a: Slot, b: Slot) -> Carried {
        let (x, y) = (self.operand(width, a), self.operand(width, b));
        if matches!(op, BinOp::And | BinOp::Or | BinOp::Xor) {
            self.tell_bits([x, y]);
        }
        let result = self.pool.mk_binop(op, x, y);
        let base = if width == 64 { self.base_of_sum(op, a, b) } else { None };
        self.carry_based(result, int::binop(op, width, a.val, b.val), base)
    }

    pub(super) fn carry_offset(&mut self, pointer: Slot, by: Slot) -> Carried {
        let (x, y) = (self.operand(64, pointer), self.operand(64, by));
        let result = self.pool.mk_add(x, y);
        self.carry_based(result, pointer.val.wrapping_add(by.val), self.base_of_offset(pointer, by))
    }

    pub(super) fn carry_compare(&mut self, op: CmpOp, width: u32, a: Slot, b: Slot) -> Carried {
        let (x, y) = (self.operand(width, a), self.operand(width, b));
        let is_order = matches!(op, CmpOp::Ult | CmpOp::Ule | CmpOp::Ugt | CmpOp::Uge);
        let offsets = if is_order && width == 64 { self.offsets_from_one(a, b) } else { None };
        let (x, y) = offsets.unwrap_or((x, y));
        let result = self.pool.mk_cmp(op, x, y);
        self.carry(result, u64::from(int::icmp(op, width, a.val, b.val)))
    }

    /// How far two places are behind the same pointer of the input. They are in the same order: addresses do not wrap around.
    fn offsets_from_one(&mut self, a: Slot, b: Slot) -> Option<(ExprId, ExprId)> {
        let base = self.base_of(a)?;
        let Base::Input(pointer) = base else { return None };
        if self.base_of(b) != Some(base) {
            return None;
        }
        let pointer = self.pool.mk_var(pointer);
        let [x, y] = [a, b].map(|place| {
            let place = self.operand(64, place);
            self.mk_difference(place, pointer)
        });
        let is_near = |offset| self.bounds(offset).1 <= MAX_OBJECT_SIZE;
        (is_near(x) && is_near(y)).then_some((x, y))
    }

    pub(super) fn carry_cast(&mut self, op: CastOp, from: u32, to: u32, a: Slot) -> Carried {
        let x = self.operand(from, a);
        let pool = &mut self.pool;
        let signed = Signedness::Signed;
        let (result, value) = match op {
            CastOp::SExt => (pool.mk_sext(x, to), int::sext_to(from, to, a.val)),
            CastOp::Trunc => (pool.mk_trunc(x, to), int::trunc(to, a.val)),
            CastOp::SiToFp => {
                let value = float::from_int_narrow(kind_of(to), a.val, from, signed) as u64;
                (pool.mk_int_to_float(kind_of(to), signed, x), value)
            }
            CastOp::FpToSi => {
                let value = float::to_int_narrow(kind_of(from), u128::from(a.val), to, signed);
                (pool.mk_float_to_int(kind_of(from), signed, to, x), value)
            }
            CastOp::FpExt | CastOp::FpTrunc => {
                let value = float::convert(kind_of(from), kind_of(to), u128::from(a.val)) as u64;
                (pool.mk_fconvert(kind_of(from), kind_of(to), x), value)
            }
            _ => unreachable!("other conversions of words have no operation"),
        };
        self.carry(result, value)
    }

    pub(super) fn carry_float_binary(&mut self, op: FBinOp, kind: FloatKind, a: Slot, b: Slot) -> Carried {
        let (x, y) = (self.operand(kind.bits(), a), self.operand(kind.bits(), b));
        let result = self.pool.mk_fbinop(kind, op, x, y);
        self.carry(result, float::binop(kind, op, u128::from(a.val), u128::from(b.val)) as u64)
    }

    pub(super) fn carry_float_compare(&mut self, op: FCmpOp, kind: FloatKind, a: Slot, b: Slot) -> Carried {
        let (x, y) = (self.operand(kind.bits(), a), self.operand(kind.bits(), b));
        let result = self.pool.mk_fcmp(kind, op, x, y);
        self.carry(result, u64::from(float::fcmp(kind, op, u128::from(a.val), u128::from(b.val))))
    }

    pub(super) fn carry_select(&mut self, cond: Slot, then: Slot, other: Slot) -> Carried {
        let width = self.width_of(then).max(self.width_of(other));
        let cond_expr = self.operand(1, cond);
        let (x, y) = (self.operand(width, then), self.operand(width, other));
        let result = self.pool.mk_ite(cond_expr, x, y);
        let base = if width == 64 { self.base_of_choice(then, other) } else { None };
        self.carry_based(result, if cond.val & 1 != 0 { then.val } else { other.val }, base)
    }
}
