//! The slow operations. Each reads all its operands before it writes its result, which may be the same register.

use super::cold::Overflow;
use super::lanes::Lane;
use crate::bug::BugKind;
use crate::machine::Machine;
use crate::operation::Operation;
use crate::stop::Stop;
use crate::value::{Slot, Tag, UndefId};
use crate::vm::Vm;
use spelunk_bv::CastOp;
use spelunk_bv::float::FloatKind;
use spelunk_ir::code::{Lanes, Reg, STACK_TOP, Scalar, SlowOp};

impl<M: Machine> Vm<'_, M> {
    pub(super) fn slow(&mut self, op: &SlowOp) -> Result<(), Stop> {
        match op {
            SlowOp::Unreachable => self.bug(BugKind::Unreachable, "control came to a place that it must not reach"),
            SlowOp::Trap => self.bug(BugKind::Abort, "the program trapped"),
            SlowOp::IndexTrap => self.bug(BugKind::MemberBounds, "the index is not within the declared bounds"),
            SlowOp::Unsupported(what) => self.unsupported(&**what),
            SlowOp::Binary { op, lanes, checked, dst, lhs, rhs } => {
                let overflow = if *checked { self.if_overflow() } else { Overflow::Wraps };
                self.map_lanes(*lanes, *dst, [*lhs, *rhs], |vm, [a, b]| vm.lane_binary(*op, &a, &b, overflow))
            }
            SlowOp::FBinary { op, lanes, dst, lhs, rhs } => {
                self.apply_lanes(Operation::FBinary(kind_of(lanes.scalar), *op), *lanes, *dst, [*lhs, *rhs])
            }
            SlowOp::FNeg { lanes, dst, arg } => {
                self.apply_lanes(Operation::FNeg(kind_of(lanes.scalar)), *lanes, *dst, [*arg])
            }
            SlowOp::ICmp { op, lanes, dst, lhs, rhs } => {
                self.map_lanes(*lanes, *dst, [*lhs, *rhs], |vm, [a, b]| Ok(vm.lane_compare(*op, &a, &b)))
            }
            SlowOp::FCmp { op, lanes, dst, lhs, rhs } => {
                self.apply_lanes(Operation::FCompare(kind_of(lanes.scalar), *op), *lanes, *dst, [*lhs, *rhs])
            }
            SlowOp::Cast { op, from, to, dst, arg } => {
                let args = self.all_lanes(*arg, *from);
                let results = match op {
                    CastOp::BitCast => self.regroup(&args, to.count, to.scalar.bits()),
                    _ => args.iter().map(|lane| self.cast_lane(*op, from.scalar, to.scalar, lane)).collect(),
                };
                self.set_lanes(*dst, results);
                Ok(())
            }
            SlowOp::Select { cond, per_lane, n_slots, dst, then, other } => {
                self.slow_select(*cond, *per_lane, *n_slots, *dst, *then, *other)
            }
            SlowOp::Freeze { n_slots, dst, arg } => {
                for i in 0..*n_slots {
                    let slot = self.reg(arg.offset(i).0);
                    let tag = Tag::new(slot.tag.expr(), UndefId::NONE);
                    self.set_reg(dst.offset(i).0, Slot { val: slot.val, tag });
                }
                Ok(())
            }
            SlowOp::Load { shape, dst, addr, offset } => self.load_shape(shape, *dst, *addr, *offset),
            SlowOp::Store { shape, src, addr, offset } => self.store_shape(shape, *src, *addr, *offset),
            SlowOp::TypeRead { addr, offset, n_bytes, tag } => {
                self.type_read(self.reg(addr.0).val.wrapping_add(*offset as u64), *n_bytes, *tag)
            }
            SlowOp::TypeWrite { addr, offset, n_bytes, tag } => {
                self.type_write(self.reg(addr.0).val.wrapping_add(*offset as u64), *n_bytes, *tag)
            }
            SlowOp::ExtractElement { lanes, index, dst, vector } => {
                let idx = self.lane_index(*index, *lanes)?;
                let lane = self.lane(*vector, *lanes, idx);
                self.set_lanes(*dst, [lane]);
                Ok(())
            }
            SlowOp::InsertElement { lanes, index, dst, vector, value } => {
                let idx = self.lane_index(*index, *lanes)?;
                let mut all = self.all_lanes(*vector, *lanes);
                all[idx as usize] = self.lane(*value, *lanes, 0);
                self.set_lanes(*dst, all);
                Ok(())
            }
            SlowOp::Shuffle { lanes, dst, lhs, rhs, mask } => {
                let mut all = self.all_lanes(*lhs, *lanes);
                all.extend(self.all_lanes(*rhs, *lanes));
                let undefined = Lane::undefined(lanes.scalar.bits());
                let chosen: Vec<Lane> = mask
                    .iter()
                    .map(|entry| entry.and_then(|idx| all.get(idx as usize)).unwrap_or(&undefined).clone())
                    .collect();
                self.set_lanes(*dst, chosen);
                Ok(())
            }
            SlowOp::CmpXchg { lanes, dst, ptr, expected, new } => self.cmp_xchg(*lanes, *dst, *ptr, *expected, *new),
            SlowOp::AtomicRmw { op, lanes, dst, ptr, value } => self.atomic_rmw(*op, *lanes, *dst, *ptr, *value),
            SlowOp::Intrinsic { what, lanes, dst, args } => self.intrinsic(*what, *lanes, *dst, args),
            SlowOp::MemCopy { dst, src, len, overlap } => {
                let (dst, src, len) = (self.reg(dst.0), self.reg(src.0), self.reg(len.0));
                self.mem_copy(dst, src, len, *overlap)
            }
            SlowOp::MemSet { dst, value, len } => {
                let (dst, value, len) = (self.reg(dst.0), self.reg(value.0), self.reg(len.0));
                self.mem_set(dst, value, len)
            }
            SlowOp::VaStart { list } => {
                let list = self.word(self.reg(list.0), "the address of a va_list")?;
                self.va_start(list)
            }
            SlowOp::VaCopy { dst, src } => {
                let dst = self.word(self.reg(dst.0), "the address of a va_list")?;
                let src = self.word(self.reg(src.0), "the address of a va_list")?;
                self.va_copy(dst, src)
            }
            SlowOp::StackSave { dst } => {
                let token = self.stack_objects.len() as u64;
                self.set_reg(dst.0, Slot::plain(token));
                Ok(())
            }
            SlowOp::StackRestore { token } => {
                let keep = self.reg(token.0).val as usize;
                if keep < self.stack_objects.len() {
                    self.free_stack_objects(keep);
                }
                Ok(())
            }
            SlowOp::FrameAddress { dst, level } => {
                let inner = self.frames.iter().rev().take(*level as usize);
                let inner_bytes = inner.map(|frame| self.image.functions[frame.function.index()].native_bytes);
                let depth = self.native_stack - inner_bytes.map(u64::from).sum::<u64>();
                self.set_reg(dst.0, Slot::plain((STACK_TOP - depth) & !15));
                Ok(())
            }
        }
    }

    /// Applies `f` lane by lane.
    pub(super) fn map_lanes<const N: usize>(
        &mut self,
        lanes: Lanes,
        dst: Reg,
        args: [Reg; N],
        mut f: impl FnMut(&mut Self, [Lane; N]) -> Result<Lane, Stop>,
    ) -> Result<(), Stop> {
        let mut results = Vec::with_capacity(lanes.count as usize);
        for idx in 0..lanes.count {
            let operands = args.map(|reg| self.lane(reg, lanes, idx));
            results.push(f(self, operands)?);
        }
        self.set_lanes(dst, results);
        Ok(())
    }

    /// Applies one operation lane by lane.
    pub(super) fn apply_lanes<const N: usize>(
        &mut self,
        op: Operation,
        lanes: Lanes,
        dst: Reg,
        args: [Reg; N],
    ) -> Result<(), Stop> {
        self.map_lanes(lanes, dst, args, |vm, operands| Ok(vm.apply(op, operands.each_ref())))
    }

    fn slow_select(
        &mut self,
        cond: Reg,
        per_lane: u32,
        n_slots: u32,
        dst: Reg,
        then: Reg,
        other: Reg,
    ) -> Result<(), Stop> {
        let chosen = (0..n_slots)
            .map(|i| {
                let lane = i.checked_div(per_lane).unwrap_or(0);
                let (cond, then, other) =
                    (self.reg(cond.offset(lane).0), self.reg(then.offset(i).0), self.reg(other.offset(i).0));
                self.cold_select(cond, then, other)
            })
            .collect::<Result<Vec<Slot>, Stop>>()?;
        for (i, slot) in (0..).zip(chosen) {
            self.set_reg(dst.offset(i).0, slot);
        }
        Ok(())
    }

    fn lane_index(&mut self, index: Reg, lanes: Lanes) -> Result<u32, Stop> {
        let idx = self.word(self.reg(index.0), "the index of a vector's element")?;
        match u32::try_from(idx) {
            Ok(idx) if idx < lanes.count => Ok(idx),
            _ => self.bug(BugKind::OutOfBounds, format!("element {idx} of a vector of {}", lanes.count)),
        }
    }
}

pub(super) fn kind_of(scalar: Scalar) -> FloatKind {
    match scalar {
        Scalar::Float(kind) => kind,
        _ => unreachable!("a float operation on something else"),
    }
}
