//! Atomic operations, executed as plain ones: there is one thread.

use super::cold::Overflow;
use super::lanes::Lane;
use super::slow::kind_of;
use crate::machine::Machine;
use crate::operation::Operation;
use crate::stop::Stop;
use crate::value::Slot;
use crate::vm::Vm;
use smallvec::SmallVec;
use spelunk_bv::{BinOp, CmpOp, FBinOp, FMinMaxOp, SatOp, int};
use spelunk_ir::code::{Lanes, Reg, Scalar};
use spelunk_ir::model::RmwOp;

impl<M: Machine> Vm<'_, M> {
    /// What is stored is a choice between the new value and the old one, so that a run whose values compare otherwise
    /// has the same expression in memory.
    pub(super) fn cmp_xchg(&mut self, lanes: Lanes, dst: Reg, ptr: Reg, expected: Reg, new: Reg) -> Result<(), Stop> {
        let addr = self.word(self.reg(ptr.0), "an address")?;
        let old = self.load_lane(addr, lanes)?;
        let expected = self.lane(expected, lanes, 0);
        let new = self.lane(new, lanes, 0);
        let same = self.apply(Operation::Compare(CmpOp::Eq), [&old, &expected]);
        let stored = Lane {
            undef: if same.val[0] != 0 { new.undef.clone() } else { old.undef.clone() },
            ..self.apply(Operation::Select, [&same, &new, &old])
        };
        if same.val[0] != 0 || same.expr.is_some() {
            self.store_lane(addr, lanes, &stored)?;
        }
        self.set_lanes(dst, [old, same]);
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
        let mut plain = |op| self.lane_binary(op, old, value, Overflow::Wraps);
        let operation = match op {
            RmwOp::Xchg => return Ok(value.clone()),
            RmwOp::Add => return plain(BinOp::Add),
            RmwOp::Sub => return plain(BinOp::Sub),
            RmwOp::And => return plain(BinOp::And),
            RmwOp::Or => return plain(BinOp::Or),
            RmwOp::Xor => return plain(BinOp::Xor),
            RmwOp::Nand => {
                let and = plain(BinOp::And)?;
                let width = and.width;
                let ones = (0..and.val.len()).map(|i| int::mask((width - i as u32 * 64).min(64))).collect();
                return self.lane_binary(BinOp::Xor, &and, &Lane::new(width, ones), Overflow::Wraps);
            }
            RmwOp::Max => Operation::Sat(SatOp::SMax),
            RmwOp::Min => Operation::Sat(SatOp::SMin),
            RmwOp::UMax => Operation::Sat(SatOp::UMax),
            RmwOp::UMin => Operation::Sat(SatOp::UMin),
            RmwOp::FAdd => Operation::FBinary(kind_of(scalar), FBinOp::FAdd),
            RmwOp::FSub => Operation::FBinary(kind_of(scalar), FBinOp::FSub),
            RmwOp::FMax => Operation::FMinMax(kind_of(scalar), FMinMaxOp::MaxNum),
            RmwOp::FMin => Operation::FMinMax(kind_of(scalar), FMinMaxOp::MinNum),
            RmwOp::UIncWrap | RmwOp::UDecWrap => {
                return self.unsupported("an atomic wrapping increment or decrement");
            }
        };
        Ok(self.apply(operation, [old, value]))
    }

    fn load_lane(&mut self, addr: u64, lanes: Lanes) -> Result<Lane, Stop> {
        let mut slots: SmallVec<[Slot; 2]> = SmallVec::new();
        let mut left = lanes.scalar.store_size() as u32;
        for i in 0..lanes.scalar.n_slots() {
            slots.push(self.load_slot(addr + u64::from(i) * 8, left.min(8))?);
            left = left.saturating_sub(8);
        }
        Ok(self.lane_of_slots(lanes.scalar.bits(), &slots))
    }

    fn store_lane(&mut self, addr: u64, lanes: Lanes, lane: &Lane) -> Result<(), Stop> {
        let mut left = lanes.scalar.store_size() as u32;
        for (i, slot) in (0u64..).zip(self.slots_of_lane(lane)) {
            self.store_slot(addr + i * 8, left.min(8), slot)?;
            left = left.saturating_sub(8);
        }
        Ok(())
    }
}
