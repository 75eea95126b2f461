//! Intrinsics that compute values.

use super::lanes::{Lane, Limbs};
use super::slow::kind_of;
use crate::machine::Machine;
use crate::stop::Stop;
use crate::vm::Vm;
use smallvec::smallvec;
use spelunk_bv::{CmpOp, FBinOp, Signedness, UnOp, float, int, wide};
use spelunk_ir::code::{Intrinsic, Lanes, Reduction, Reg, Scalar};

impl<M: Machine> Vm<'_, M> {
    pub(super) fn intrinsic(&mut self, what: Intrinsic, lanes: Lanes, dst: Reg, args: &[Reg]) -> Result<(), Stop> {
        let width = lanes.scalar.bits();
        match what {
            Intrinsic::Overflow(op) => self.overflow_intrinsic(op, lanes, dst, args),
            Intrinsic::Sat(op) => self.map_ints(lanes, dst, [args[0], args[1]], |[a, b], out| match width {
                0..=64 => out[0] = int::sat(op, width, a[0], b[0]),
                _ => wide::sat(op, width, a, b, out),
            }),
            // Swapping and reversing only move bits, so they move what is known of them too.
            Intrinsic::Unary(op @ (UnOp::Bswap | UnOp::Bitreverse)) => {
                self.map_lanes(lanes, dst, [args[0]], |_, [a]| {
                    let mut result = Lane::new(smallvec![0; a.val.len()]);
                    wide::unop(op, width, &a.val, &mut result.val);
                    let mut masks: Limbs = smallvec![0; a.val.len()];
                    wide::trunc(width, &a.undef, &mut masks);
                    wide::unop(op, width, &masks, &mut result.undef);
                    Ok(result)
                })
            }
            Intrinsic::Unary(op) => self.map_ints(lanes, dst, [args[0]], |[a], out| match width {
                0..=64 => out[0] = int::unop(op, width, a[0]),
                _ => wide::unop(op, width, a, out),
            }),
            Intrinsic::Funnel(op) => {
                self.map_ints(lanes, dst, [args[0], args[1], args[2]], |[a, b, c], out| match width {
                    0..=64 => out[0] = int::funnel(op, width, a[0], b[0], c[0]),
                    _ => wide::funnel(op, width, a, b, c, out),
                })
            }
            Intrinsic::ThreeWay { sign, width: result } => {
                let less = if sign == Signedness::Signed { CmpOp::Slt } else { CmpOp::Ult };
                self.map_lanes(lanes, dst, [args[0], args[1]], |_, [a, b]| {
                    let order =
                        if wide::icmp(less, width, &a.val, &b.val) { u64::MAX } else { u64::from(a.val != b.val) };
                    Ok(Lane::word(int::trunc(result, order)).or_undef(a.is_undef() || b.is_undef()))
                })
            }
            Intrinsic::FAbs => self.map_floats(lanes, dst, [args[0]], |kind, [a]| float::abs(kind, a)),
            Intrinsic::CopySign => {
                self.map_floats(lanes, dst, [args[0], args[1]], |kind, [a, b]| float::copysign(kind, a, b))
            }
            Intrinsic::Sqrt => self.map_floats(lanes, dst, [args[0]], |kind, [a]| float::sqrt(kind, a)),
            Intrinsic::Round(op) => self.map_floats(lanes, dst, [args[0]], |kind, [a]| float::round(kind, op, a)),
            Intrinsic::FMinMax(op) => {
                self.map_floats(lanes, dst, [args[0], args[1]], |kind, [a, b]| float::min_max(kind, op, a, b))
            }
            Intrinsic::Fma => {
                self.map_floats(lanes, dst, [args[0], args[1], args[2]], |kind, [a, b, c]| float::fma(kind, a, b, c))
            }
            Intrinsic::FMulAdd => self.map_floats(lanes, dst, [args[0], args[1], args[2]], |kind, [a, b, c]| {
                float::binop(kind, FBinOp::FAdd, float::binop(kind, FBinOp::FMul, a, b), c)
            }),
            Intrinsic::IsFpClass => {
                let mask = self.reg(args[1].0).val as u32;
                self.map_lanes(lanes, dst, [args[0]], |_, [a]| {
                    let holds = float::is_fpclass(kind_of(lanes.scalar), a.float_bits(), mask);
                    Ok(Lane::word(u64::from(holds)).or_undef(a.is_undef()))
                })
            }
            Intrinsic::ToIntSat { sign, width: result } => self.map_lanes(lanes, dst, [args[0]], |_, [a]| {
                let mut out: Limbs = smallvec![0; wide::n_limbs(result)];
                float::to_int_sat(kind_of(lanes.scalar), a.float_bits(), result, sign, &mut out);
                Ok(Lane::with_undef(out, a.is_undef()))
            }),
            Intrinsic::Reduce(reduction) => self.reduce(reduction, lanes, dst, args),
        }
    }

    /// Integer functions of whole lanes; any uninitialised bit spoils the result.
    fn map_ints<const N: usize>(
        &mut self,
        lanes: Lanes,
        dst: Reg,
        args: [Reg; N],
        f: impl Fn([&[u64]; N], &mut [u64]),
    ) -> Result<(), Stop> {
        self.map_lanes(lanes, dst, args, |_, operands| {
            let undef = operands.iter().any(Lane::is_undef);
            let mut out: Limbs = smallvec![0; lanes.scalar.n_slots() as usize];
            f(operands.each_ref().map(|lane| &lane.val[..]), &mut out);
            Ok(Lane::with_undef(out, undef))
        })
    }

    /// All results, then all overflow bits: the fields of the struct that the intrinsic returns.
    fn overflow_intrinsic(
        &mut self,
        op: spelunk_bv::OverflowOp,
        lanes: Lanes,
        dst: Reg,
        args: &[Reg],
    ) -> Result<(), Stop> {
        let width = lanes.scalar.bits();
        let (mut results, mut bits) = (Vec::new(), Vec::new());
        for idx in 0..lanes.count {
            let (a, b) = (self.lane(args[0], lanes, idx), self.lane(args[1], lanes, idx));
            let undef = a.is_undef() || b.is_undef();
            let mut out: Limbs = smallvec![0; a.val.len()];
            let overflows = match width {
                0..=64 => {
                    out[0] = int::binop(op.parts().0, width, a.val[0], b.val[0]);
                    int::overflows(op, width, a.val[0], b.val[0])
                }
                _ => {
                    wide::binop(op.parts().0, width, &a.val, &b.val, &mut out);
                    wide::overflows(op, width, &a.val, &b.val)
                }
            };
            results.push(Lane::with_undef(out, undef));
            bits.push(Lane::word(u64::from(overflows)).or_undef(undef));
        }
        results.extend(bits);
        self.set_lanes(dst, results);
        Ok(())
    }

    fn reduce(&mut self, reduction: Reduction, lanes: Lanes, dst: Reg, args: &[Reg]) -> Result<(), Stop> {
        let scalar = Lanes { count: 1, ..lanes };
        let width = lanes.scalar.bits();
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
                Reduction::Binary(op) => self.lane_binary(op, width, &result, &lane, super::cold::Overflow::Wraps)?,
                Reduction::Sat(op) => {
                    let mut out: Limbs = smallvec![0; result.val.len()];
                    wide::sat(op, width, &result.val, &lane.val, &mut out);
                    Lane::with_undef(out, result.is_undef() || lane.is_undef())
                }
                Reduction::Float(op) => {
                    fold_floats(lanes.scalar, &result, &lane, |kind, a, b| float::binop(kind, op, a, b))
                }
                Reduction::FMinMax(op) => {
                    fold_floats(lanes.scalar, &result, &lane, |kind, a, b| float::min_max(kind, op, a, b))
                }
            };
        }
        self.set_lanes(dst, [result]);
        Ok(())
    }
}

fn fold_floats(
    scalar: Scalar,
    a: &Lane,
    b: &Lane,
    f: impl Fn(spelunk_bv::float::FloatKind, u128, u128) -> u128,
) -> Lane {
    let bits = f(kind_of(scalar), a.float_bits(), b.float_bits());
    Lane::float(scalar, bits).or_undef(a.is_undef() || b.is_undef())
}
