//! Integer arithmetic on lanes of any width, with its checks.

use super::cold::Overflow;
use super::lanes::Lane;
use crate::bug::BugKind;
use crate::machine::Machine;
use crate::operation::{Limbs, Operation};
use crate::stop::Stop;
use crate::value::{Slot, Tag};
use crate::vm::Vm;
use spelunk_bv::{BinOp, CmpOp, int, wide};

impl<M: Machine> Vm<'_, M> {
    pub(super) fn lane_binary(&mut self, op: BinOp, a: &Lane, b: &Lane, overflow: Overflow) -> Result<Lane, Stop> {
        let width = a.width;
        if width <= 64 {
            let (a, b) = (self.word_of_lane(a), self.word_of_lane(b));
            let result = self.binary(op, width, a, b, overflow)?;
            return Ok(self.lane_of_slots(width, &[result]));
        }
        let any_undef = a.is_undef() || b.is_undef();
        if !any_undef {
            if a.expr.is_some() || b.expr.is_some() {
                self.machine.check_wide(self.pc, op, [a.operand(), b.operand()], overflow);
                M::after_decision(self)?;
            }
            self.check_wide(op, width, a, b, overflow)?;
        }
        let result = self.apply(Operation::Binary(op), [a, b]);
        let bitwise = |f: fn(u64, u64, u64, u64) -> u64| -> Limbs {
            (0..a.val.len()).map(|i| f(a.val[i], a.undef[i], b.val[i], b.undef[i])).collect()
        };
        let undef = match op {
            _ if !any_undef => return Ok(result),
            BinOp::And => bitwise(|a, ua, b, ub| (ua & ub) | (ua & b) | (ub & a)),
            BinOp::Or => bitwise(|a, ua, b, ub| (ua & ub) | (ua & !b) | (ub & !a)),
            BinOp::Xor => bitwise(|_, ua, _, ub| ua | ub),
            BinOp::Shl | BinOp::LShr | BinOp::AShr if !b.is_undef() => {
                Operation::Binary(op).eval(&[a.mask_operand(&a.mask()), b.operand()])
            }
            _ => return Ok(result),
        };
        Ok(Lane { undef, ..result })
    }

    /// A lane of at most 64 bits.
    fn word_of_lane(&mut self, lane: &Lane) -> Slot {
        Slot { val: lane.val[0], tag: Tag::new(lane.expr, self.undefs.mk(lane.undef[0])) }
    }

    fn check_wide(&mut self, op: BinOp, width: u32, a: &Lane, b: &Lane, overflow: Overflow) -> Result<(), Stop> {
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
            BinOp::Add | BinOp::Sub | BinOp::Mul if overflow != Overflow::Wraps => {
                let what = match op {
                    BinOp::Add => spelunk_bv::OverflowOp::SAdd,
                    BinOp::Sub => spelunk_bv::OverflowOp::SSub,
                    _ => spelunk_bv::OverflowOp::SMul,
                };
                let overflows = wide::overflows(what, width, &a.val, &b.val);
                if overflows && overflow == Overflow::IsNoticed {
                    self.notice_overflow([a.expr, b.expr]);
                } else if overflows {
                    return self.bug(BugKind::SignedOverflow, format!("the result does not fit in {width} bits"));
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    pub(super) fn lane_compare(&mut self, op: CmpOp, a: &Lane, b: &Lane) -> Lane {
        if a.width > 64 {
            return self.apply(Operation::Compare(op), [a, b]);
        }
        let width = a.width;
        let (a, b) = (self.word_of_lane(a), self.word_of_lane(b));
        let result = self.compare(op, width, a, b);
        self.lane_of_slots(1, &[result])
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
