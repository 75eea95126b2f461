//! Atomic operations, executed as plain ones: there is one thread.

use super::cold::Overflow;
use super::lanes::{Lane, Limbs};
use super::slow::kind_of;
use crate::machine::Machine;
use crate::stop::Stop;
use crate::value::{ExprId, Slot, Tag};
use crate::vm::Vm;
use smallvec::smallvec;
use spelunk_bv::float::FloatKind;
use spelunk_bv::{BinOp, FBinOp, FMinMaxOp, SatOp, float, int, wide};
use spelunk_ir::code::{Lanes, Reg, Scalar};
use spelunk_ir::model::RmwOp;

impl<M: Machine> Vm<'_, M> {
    pub(super) fn cmp_xchg(&mut self, lanes: Lanes, dst: Reg, ptr: Reg, expected: Reg, new: Reg) -> Result<(), Stop> {
        let addr = self.word(self.reg(ptr.0), "an address")?;
        let old = self.load_lane(addr, lanes)?;
        let expected = self.lane(expected, lanes, 0);
        let same = old.val == expected.val;
        if same {
            let new = self.lane(new, lanes, 0);
            self.store_lane(addr, lanes, &new)?;
        }
        let undef = old.is_undef() || expected.is_undef();
        self.set_lanes(dst, [old, Lane::word(u64::from(same)).or_undef(undef)]);
        Ok(())
    }

    pub(super) fn atomic_rmw(&mut self, op: RmwOp, lanes: Lanes, dst: Reg, ptr: Reg, value: Reg) -> Result<(), Stop> {
        let addr = self.word(self.reg(ptr.0), "an address")?;
        let old = self.load_lane(addr, lanes)?;
        let value = self.lane(value, lanes, 0);
        let new = self.rmw_result(op, lanes.scalar, &old, &value)?;
        self.store_lane(addr, lanes, &new)?;
        self.set_lanes(dst, [old]);
        Ok(())
    }

    fn rmw_result(&mut self, op: RmwOp, scalar: Scalar, old: &Lane, value: &Lane) -> Result<Lane, Stop> {
        let width = scalar.bits();
        let undef = old.is_undef() || value.is_undef();
        let sat = |op| {
            let mut val: Limbs = smallvec![0; wide::n_limbs(width)];
            match width {
                0..=64 => val[0] = int::sat(op, width, old.val[0], value.val[0]),
                _ => wide::sat(op, width, &old.val, &value.val, &mut val),
            }
            Ok(Lane::with_undef(val, undef))
        };
        let float_op = |f: &dyn Fn(FloatKind, u128, u128) -> u128| {
            let bits = f(kind_of(scalar), old.float_bits(), value.float_bits());
            Ok(Lane::float(scalar, bits).or_undef(undef))
        };
        let mut plain = |op| self.lane_binary(op, width, old, value, Overflow::Wraps);
        match op {
            RmwOp::Xchg => Ok(value.clone()),
            RmwOp::Add => plain(BinOp::Add),
            RmwOp::Sub => plain(BinOp::Sub),
            RmwOp::And => plain(BinOp::And),
            RmwOp::Or => plain(BinOp::Or),
            RmwOp::Xor => plain(BinOp::Xor),
            RmwOp::Nand => {
                let and = plain(BinOp::And)?;
                let ones = Lane::new((0..and.val.len()).map(|i| int::mask((width - i as u32 * 64).min(64))).collect());
                self.lane_binary(BinOp::Xor, width, &and, &ones, Overflow::Wraps)
            }
            RmwOp::Max => sat(SatOp::SMax),
            RmwOp::Min => sat(SatOp::SMin),
            RmwOp::UMax => sat(SatOp::UMax),
            RmwOp::UMin => sat(SatOp::UMin),
            RmwOp::FAdd => float_op(&|kind, a, b| float::binop(kind, FBinOp::FAdd, a, b)),
            RmwOp::FSub => float_op(&|kind, a, b| float::binop(kind, FBinOp::FSub, a, b)),
            RmwOp::FMax => float_op(&|kind, a, b| float::min_max(kind, FMinMaxOp::MaxNum, a, b)),
            RmwOp::FMin => float_op(&|kind, a, b| float::min_max(kind, FMinMaxOp::MinNum, a, b)),
            RmwOp::UIncWrap | RmwOp::UDecWrap => self.unsupported("an atomic wrapping increment or decrement"),
        }
    }

    fn load_lane(&mut self, addr: u64, lanes: Lanes) -> Result<Lane, Stop> {
        let mut lane = Lane { val: Limbs::new(), undef: Limbs::new() };
        let mut left = lanes.scalar.store_size() as u32;
        for i in 0..lanes.scalar.n_slots() {
            let slot = self.load_slot(addr + u64::from(i) * 8, left.min(8))?;
            lane.val.push(slot.val);
            lane.undef.push(self.undef_mask(slot));
            left = left.saturating_sub(8);
        }
        Ok(lane)
    }

    fn store_lane(&mut self, addr: u64, lanes: Lanes, lane: &Lane) -> Result<(), Stop> {
        let mut left = lanes.scalar.store_size() as u32;
        for (i, (&val, &mask)) in lane.val.iter().zip(&lane.undef).enumerate() {
            let tag = Tag::new(ExprId::NONE, self.undefs.mk(mask));
            self.store_slot(addr + i as u64 * 8, left.min(8), Slot { val, tag })?;
            left = left.saturating_sub(8);
        }
        Ok(())
    }
}
