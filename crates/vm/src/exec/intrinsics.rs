//! Intrinsics that compute values.

use super::cold::Overflow;
use super::slow::kind_of;
use crate::machine::Machine;
use crate::operation::Operation;
use crate::stop::Stop;
use crate::vm::Vm;
use spelunk_bv::float::FloatKind;
use spelunk_bv::{OverflowOp, UnOp};
use spelunk_ir::code::{Intrinsic, Lanes, Reduction, Reg};

impl<M: Machine> Vm<'_, M> {
    pub(super) fn intrinsic(&mut self, what: Intrinsic, lanes: Lanes, dst: Reg, args: &[Reg]) -> Result<(), Stop> {
        let one = [args[0]];
        let two = || [args[0], args[1]];
        let three = || [args[0], args[1], args[2]];
        let float = |op: fn(FloatKind) -> Operation| op(kind_of(lanes.scalar));
        match what {
            Intrinsic::Overflow(op) => self.overflow_intrinsic(op, lanes, dst, two()),
            Intrinsic::Sat(op) => self.apply_lanes(Operation::Sat(op), lanes, dst, two()),
            Intrinsic::Unary(op @ (UnOp::Bswap | UnOp::Bitreverse)) => {
                self.map_lanes(lanes, dst, one, |vm, [a]| Ok(vm.map_bits(Operation::Unary(op), &a)))
            }
            Intrinsic::Unary(op) => self.apply_lanes(Operation::Unary(op), lanes, dst, one),
            Intrinsic::Funnel(op) => self.apply_lanes(Operation::Funnel(op), lanes, dst, three()),
            Intrinsic::ThreeWay { sign, width: to } => {
                self.apply_lanes(Operation::ThreeWay { sign, to }, lanes, dst, two())
            }
            Intrinsic::FAbs => self.apply_lanes(float(Operation::FAbs), lanes, dst, one),
            Intrinsic::CopySign => self.apply_lanes(float(Operation::CopySign), lanes, dst, two()),
            Intrinsic::Sqrt => self.apply_lanes(float(Operation::Sqrt), lanes, dst, one),
            Intrinsic::Round(op) => self.apply_lanes(Operation::Round(kind_of(lanes.scalar), op), lanes, dst, one),
            Intrinsic::FMinMax(op) => {
                self.apply_lanes(Operation::FMinMax(kind_of(lanes.scalar), op), lanes, dst, two())
            }
            Intrinsic::Fma => self.apply_lanes(float(Operation::Fma), lanes, dst, three()),
            Intrinsic::FMulAdd => self.apply_lanes(float(Operation::FMulAdd), lanes, dst, three()),
            Intrinsic::IsFpClass => {
                let mask = self.reg(args[1].0).val as u32;
                self.apply_lanes(Operation::IsFpClass(kind_of(lanes.scalar), mask), lanes, dst, one)
            }
            Intrinsic::ToIntSat { sign, width: to } => {
                let kind = kind_of(lanes.scalar);
                self.apply_lanes(Operation::ToIntSat { kind, sign, to }, lanes, dst, one)
            }
            Intrinsic::Reduce(reduction) => self.reduce(reduction, lanes, dst, args),
        }
    }

    /// All results, then all overflow bits: the fields of the struct that the intrinsic returns.
    fn overflow_intrinsic(&mut self, op: OverflowOp, lanes: Lanes, dst: Reg, args: [Reg; 2]) -> Result<(), Stop> {
        let (mut results, mut bits) = (Vec::new(), Vec::new());
        for idx in 0..lanes.count {
            let [a, b] = args.map(|reg| self.lane(reg, lanes, idx));
            results.push(self.apply(Operation::Binary(op.parts().0), [&a, &b]));
            bits.push(self.apply(Operation::Overflow(op), [&a, &b]));
        }
        results.extend(bits);
        self.set_lanes(dst, results);
        Ok(())
    }

    fn reduce(&mut self, reduction: Reduction, lanes: Lanes, dst: Reg, args: &[Reg]) -> Result<(), Stop> {
        let scalar = Lanes { count: 1, ..lanes };
        let (start, vector) = match reduction {
            Reduction::Float(_) => (Some(self.lane(args[0], scalar, 0)), args[1]),
            _ => (None, args[0]),
        };
        let mut lanes_left = self.all_lanes(vector, lanes).into_iter();
        let mut result = match start {
            Some(start) => start,
            None => lanes_left.next().expect("a vector has lanes"),
        };
        for lane in lanes_left {
            result = match reduction {
                Reduction::Binary(op) => self.lane_binary(op, &result, &lane, Overflow::Wraps)?,
                Reduction::Sat(op) => self.apply(Operation::Sat(op), [&result, &lane]),
                Reduction::Float(op) => self.apply(Operation::FBinary(kind_of(lanes.scalar), op), [&result, &lane]),
                Reduction::FMinMax(op) => self.apply(Operation::FMinMax(kind_of(lanes.scalar), op), [&result, &lane]),
            };
        }
        self.set_lanes(dst, [result]);
        Ok(())
    }
}
