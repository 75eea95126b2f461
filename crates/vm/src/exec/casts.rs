//! Conversions of lanes.

use super::lanes::Lane;
use super::slow::kind_of;
use crate::machine::Machine;
use crate::operation::Operation;
use crate::vm::Vm;
use spelunk_bv::{CastOp, Signedness};
use spelunk_ir::code::Scalar;

impl<M: Machine> Vm<'_, M> {
    /// A conversion of one lane; `bitcast` works on whole vectors and is not here.
    pub(super) fn cast_lane(&mut self, op: CastOp, from: Scalar, to: Scalar, lane: &Lane) -> Lane {
        let sign = match op {
            CastOp::SiToFp | CastOp::FpToSi | CastOp::SExt => Signedness::Signed,
            _ => Signedness::Unsigned,
        };
        let operation = match op {
            CastOp::FpTrunc | CastOp::FpExt => Operation::FConvert { from: kind_of(from), to: kind_of(to) },
            CastOp::FpToUi | CastOp::FpToSi => Operation::ToInt { kind: kind_of(from), sign, to: to.bits() },
            CastOp::UiToFp | CastOp::SiToFp => Operation::FromInt { kind: kind_of(to), sign },
            CastOp::Trunc | CastOp::ZExt | CastOp::SExt | CastOp::PtrToInt | CastOp::IntToPtr => {
                return self.map_bits(Operation::Resize { sign, to: to.bits() }, lane);
            }
            CastOp::BitCast => unreachable!("bit casts are done on whole vectors"),
        };
        self.apply(operation, [lane])
    }

    /// An operation that only moves bits: it moves what is known of them too.
    pub(super) fn map_bits(&mut self, op: Operation, lane: &Lane) -> Lane {
        let undef = op.eval(&[lane.mask_operand(&lane.mask())]);
        Lane { undef, ..self.apply(op, [lane]) }
    }
}
