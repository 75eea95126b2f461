//! Conversions of lanes.

use super::lanes::{Lane, Limbs};
use super::slow::kind_of;
use smallvec::smallvec;
use spelunk_bv::{CastOp, Signedness, float, wide};
use spelunk_ir::code::Scalar;

/// A conversion of one lane; `bitcast` works on whole vectors and is not here.
pub(super) fn cast_lane(op: CastOp, from: Scalar, to: Scalar, lane: &Lane) -> Lane {
    let n_limbs = to.n_slots() as usize;
    let mut val: Limbs = smallvec![0; n_limbs];
    let sign = match op {
        CastOp::SiToFp | CastOp::FpToSi => Signedness::Signed,
        _ => Signedness::Unsigned,
    };
    match op {
        CastOp::Trunc | CastOp::ZExt | CastOp::SExt | CastOp::PtrToInt | CastOp::IntToPtr => {
            let mut undef = val.clone();
            resize(op, from.bits(), to.bits(), &lane.val, &mut val);
            resize(op, from.bits(), to.bits(), &lane.undef, &mut undef);
            return Lane { val, undef };
        }
        CastOp::FpTrunc | CastOp::FpExt => {
            let bits = float::convert(kind_of(from), kind_of(to), lane.float_bits());
            return Lane::float(to, bits).or_undef(lane.is_undef());
        }
        CastOp::FpToUi | CastOp::FpToSi => float::to_int(kind_of(from), lane.float_bits(), to.bits(), sign, &mut val),
        CastOp::UiToFp | CastOp::SiToFp => {
            let bits = float::from_int(kind_of(to), &lane.val, from.bits(), sign);
            return Lane::float(to, bits).or_undef(lane.is_undef());
        }
        CastOp::BitCast => unreachable!("bit casts are done on whole vectors"),
    }
    Lane::new(val).or_undef(lane.is_undef())
}

fn resize(op: CastOp, from: u32, to: u32, limbs: &[u64], out: &mut [u64]) {
    if op == CastOp::SExt {
        let mut source: Limbs = smallvec![0; limbs.len()];
        wide::trunc(from, limbs, &mut source);
        wide::sext_to(from, to, &source, out);
    } else if to < from {
        wide::trunc(to, limbs, out);
    } else {
        let mut source: Limbs = smallvec![0; limbs.len()];
        wide::trunc(from, limbs, &mut source);
        wide::zext(&source, out);
    }
}
