//! Integer arithmetic on lanes of any width, with its checks.

use super::cold::Overflow;
use super::lanes::{Lane, Limbs};
use crate::bug::BugKind;
use crate::machine::Machine;
use crate::stop::Stop;
use crate::value::{ExprId, Slot, Tag};
use crate::vm::Vm;
use smallvec::smallvec;
use spelunk_bv::{BinOp, CmpOp, int, wide};

impl<M: Machine> Vm<'_, M> {
    pub(super) fn lane_binary(
        &mut self,
        op: BinOp,
        width: u32,
        a: &Lane,
        b: &Lane,
        overflow: Overflow,
    ) -> Result<Lane, Stop> {
        if width <= 64 {
            let slot = |vm: &mut Self, lane: &Lane| {
                let tag = Tag::new(ExprId::NONE, vm.undefs.mk(lane.undef[0]));
                Slot { val: lane.val[0], tag }
            };
            let (a, b) = (slot(self, a), slot(self, b));
            let result = self.binary(op, width, a, b, overflow)?;
            return Ok(Lane { val: smallvec![result.val], undef: smallvec![self.undef_mask(result)] });
        }
        let undef = a.is_undef() || b.is_undef();
        if !undef {
            self.check_wide(op, width, a, b, overflow)?;
        }
        let mut val: Limbs = smallvec![0; wide::n_limbs(width)];
        wide::binop(op, width, &a.val, &b.val, &mut val);
        let bitwise = |f: fn(u64, u64, u64, u64) -> u64| -> Limbs {
            (0..val.len()).map(|i| f(a.val[i], a.undef[i], b.val[i], b.undef[i])).collect()
        };
        let undef = match op {
            _ if !undef => smallvec![0; val.len()],
            BinOp::And => bitwise(|a, ua, b, ub| (ua & ub) | (ua & b) | (ub & a)),
            BinOp::Or => bitwise(|a, ua, b, ub| (ua & ub) | (ua & !b) | (ub & !a)),
            BinOp::Xor => bitwise(|_, ua, _, ub| ua | ub),
            BinOp::Shl | BinOp::LShr | BinOp::AShr if !b.is_undef() => {
                let mut masks: Limbs = smallvec![0; val.len()];
                let mut source: Limbs = a.undef.clone();
                wide::trunc(width, &a.undef, &mut source);
                wide::binop(op, width, &source, &b.val, &mut masks);
                masks
            }
            _ => smallvec![u64::MAX; val.len()],
        };
        Ok(Lane { val, undef })
    }

    fn check_wide(&self, op: BinOp, width: u32, a: &Lane, b: &Lane, overflow: Overflow) -> Result<(), Stop> {
        let is_zero = b.val.iter().all(|&limb| limb == 0);
        match op {
            BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem if is_zero => {
                self.bug(BugKind::DivByZero, format!("a value of {width} bits is divided by zero"))
            }
            BinOp::SDiv | BinOp::SRem if is_least(width, &a.val) && is_minus_one(width, &b.val) => {
                self.bug(BugKind::DivOverflow, format!("the least value of {width} bits is divided by -1"))
            }
            BinOp::Shl | BinOp::LShr | BinOp::AShr
                if b.val[0] >= u64::from(width) || b.val[1..].iter().any(|&limb| limb != 0) =>
            {
                self.bug(BugKind::OversizedShift, format!("a value of {width} bits is shifted by {}", b.val[0]))
            }
            BinOp::Add | BinOp::Sub | BinOp::Mul if overflow == Overflow::IsError => {
                let what = match op {
                    BinOp::Add => spelunk_bv::OverflowOp::SAdd,
                    BinOp::Sub => spelunk_bv::OverflowOp::SSub,
                    _ => spelunk_bv::OverflowOp::SMul,
                };
                if wide::overflows(what, width, &a.val, &b.val) {
                    return self.bug(BugKind::SignedOverflow, format!("the result does not fit in {width} bits"));
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    pub(super) fn lane_compare(&mut self, op: CmpOp, width: u32, a: &Lane, b: &Lane) -> Lane {
        let holds =
            if width <= 64 { int::icmp(op, width, a.val[0], b.val[0]) } else { wide::icmp(op, width, &a.val, &b.val) };
        Lane::word(u64::from(holds)).or_undef(a.is_undef() || b.is_undef())
    }
}

fn is_least(width: u32, val: &[u64]) -> bool {
    let (&top, rest) = val.split_last().expect("a value has limbs");
    top == int::sign_bit((width - 1) % 64 + 1) && rest.iter().all(|&limb| limb == 0)
}

fn is_minus_one(width: u32, val: &[u64]) -> bool {
    let (&top, rest) = val.split_last().expect("a value has limbs");
    top == int::mask((width - 1) % 64 + 1) && rest.iter().all(|&limb| limb == u64::MAX)
}
