//! The slow operations. Each reads all its operands before it writes its result, which may be the same register.

use super::cold::Overflow;
use super::lanes::{Lane, Limbs, pack, unpack};
use crate::bug::BugKind;
use crate::machine::Machine;
use crate::stop::Stop;
use crate::value::{ExprId, Slot, Tag, UndefId};
use crate::vm::Vm;
use smallvec::smallvec;
use spelunk_bv::float::FloatKind;
use spelunk_bv::{BinOp, CastOp, CmpOp, Signedness, float, int, wide};
use spelunk_ir::code::{Lanes, Overlap, Reg, Scalar, Shape, SlowOp};
use spelunk_ir::model::RmwOp;

impl<M: Machine> Vm<'_, M> {
    pub(super) fn slow(&mut self, op: &SlowOp) -> Result<(), Stop> {
        match op {
            SlowOp::Unreachable => self.bug(BugKind::Unreachable, "control came to a place that it must not reach"),
            SlowOp::Trap => self.bug(BugKind::Abort, "the program trapped"),
            SlowOp::Unsupported(what) => self.unsupported(&**what),
            SlowOp::Binary { op, lanes, checked, dst, lhs, rhs } => {
                let overflow = if *checked { Overflow::IsError } else { Overflow::Wraps };
                self.map_lanes(*lanes, *dst, [*lhs, *rhs], |vm, [a, b]| {
                    vm.lane_binary(*op, lanes.scalar.bits(), &a, &b, overflow)
                })
            }
            SlowOp::FBinary { op, lanes, dst, lhs, rhs } => {
                self.map_floats(*lanes, *dst, [*lhs, *rhs], |kind, [a, b]| float::binop(kind, *op, a, b))
            }
            SlowOp::FNeg { lanes, dst, arg } => self.map_floats(*lanes, *dst, [*arg], |kind, [a]| float::neg(kind, a)),
            SlowOp::ICmp { op, lanes, dst, lhs, rhs } => self.map_lanes(*lanes, *dst, [*lhs, *rhs], |vm, [a, b]| {
                Ok(vm.lane_compare(*op, lanes.scalar.bits(), &a, &b))
            }),
            SlowOp::FCmp { op, lanes, dst, lhs, rhs } => self.map_lanes(*lanes, *dst, [*lhs, *rhs], |_, [a, b]| {
                let holds = float::fcmp(kind_of(lanes.scalar), *op, a.float_bits(), b.float_bits());
                Ok(Lane::word(u64::from(holds)).or_undef(a.is_undef() || b.is_undef()))
            }),
            SlowOp::Cast { op, from, to, dst, arg } => {
                let args = self.all_lanes(*arg, *from);
                let results = match op {
                    CastOp::BitCast => {
                        let (val, undef) = pack(&args, from.scalar.bits());
                        unpack(&val, &undef, to.count, to.scalar.bits())
                    }
                    _ => args.iter().map(|lane| cast_lane(*op, from.scalar, to.scalar, lane)).collect(),
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
                let n_limbs = lanes.scalar.n_slots() as usize;
                let undefined = Lane::with_undef(smallvec![0; n_limbs], true);
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

    /// As `map_lanes`, on floats; any uninitialised bit spoils the result.
    pub(super) fn map_floats<const N: usize>(
        &mut self,
        lanes: Lanes,
        dst: Reg,
        args: [Reg; N],
        f: impl Fn(FloatKind, [u128; N]) -> u128,
    ) -> Result<(), Stop> {
        self.map_lanes(lanes, dst, args, |_, operands| {
            let undef = operands.iter().any(Lane::is_undef);
            let bits = operands.map(|lane| lane.float_bits());
            Ok(Lane::float(lanes.scalar, f(kind_of(lanes.scalar), bits)).or_undef(undef))
        })
    }

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

    fn lane_compare(&mut self, op: CmpOp, width: u32, a: &Lane, b: &Lane) -> Lane {
        let holds =
            if width <= 64 { int::icmp(op, width, a.val[0], b.val[0]) } else { wide::icmp(op, width, &a.val, &b.val) };
        Lane::word(u64::from(holds)).or_undef(a.is_undef() || b.is_undef())
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
        let chosen: Vec<Slot> = (0..n_slots)
            .map(|i| {
                let lane = i.checked_div(per_lane).unwrap_or(0);
                let (cond, then, other) =
                    (self.reg(cond.offset(lane).0), self.reg(then.offset(i).0), self.reg(other.offset(i).0));
                self.cold_select(cond, then, other)
            })
            .collect();
        for (i, slot) in (0..).zip(chosen) {
            self.set_reg(dst.offset(i).0, slot);
        }
        Ok(())
    }

    fn load_shape(&mut self, shape: &Shape, dst: Reg, addr: Reg, offset: i32) -> Result<(), Stop> {
        let addr = self.address(self.reg(addr.0), offset)?;
        for leaf in &shape.leaves {
            let mut left = leaf.scalar.store_size() as u32;
            for i in 0..leaf.scalar.n_slots() {
                let n = left.min(8);
                let mut slot = self.load_slot(addr + leaf.offset + u64::from(i) * 8, n)?;
                let bits = (leaf.scalar.bits() - i * 64).min(64);
                slot.val = int::trunc(bits, slot.val);
                self.set_reg(dst.offset(leaf.slot + i).0, slot);
                left -= n;
            }
        }
        Ok(())
    }

    fn store_shape(&mut self, shape: &Shape, src: Reg, addr: Reg, offset: i32) -> Result<(), Stop> {
        let addr = self.address(self.reg(addr.0), offset)?;
        for leaf in &shape.leaves {
            let mut left = leaf.scalar.store_size() as u32;
            for i in 0..leaf.scalar.n_slots() {
                let n = left.min(8);
                let slot = self.reg(src.offset(leaf.slot + i).0);
                self.store_slot(addr + leaf.offset + u64::from(i) * 8, n, slot)?;
                left -= n;
            }
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

    /// Copies memory; an overlap of different areas may be an error.
    pub fn mem_copy(&mut self, dst: Slot, src: Slot, len: Slot, overlap: Overlap) -> Result<(), Stop> {
        let len = self.word(len, "the length of a copy")?;
        let dst = self.word(dst, "the target of a copy")?;
        let src = self.word(src, "the source of a copy")?;
        if len == 0 {
            return Ok(());
        }
        // Both areas are checked first, so that an error names the faulty one.
        let source = self.memory.resolve(src, len);
        self.checked(source, "read")?;
        let target = self.memory.resolve_mut(dst, len);
        self.checked(target, "write")?;
        if overlap == Overlap::Forbidden && dst != src && dst.abs_diff(src) < len {
            return self.bug(BugKind::Overlap, format!("{len} bytes are copied by {} bytes", dst.abs_diff(src)));
        }
        let copied = self.memory.copy(dst, src, len);
        self.checked(copied, "write")
    }

    /// Fills memory with one byte, whatever it carries.
    pub fn mem_set(&mut self, dst: Slot, value: Slot, len: Slot) -> Result<(), Stop> {
        let len = self.word(len, "the length of a fill")?;
        let dst = self.word(dst, "the target of a fill")?;
        if len == 0 {
            return Ok(());
        }
        if value.tag.is_plain() {
            let filled = self.memory.fill(dst, value.val as u8, len);
            return self.checked(filled, "write");
        }
        let target = self.memory.resolve_mut(dst, len);
        self.checked(target, "write")?;
        (0..len).try_for_each(|i| self.store_slot(dst + i, 1, value))
    }

    fn cmp_xchg(&mut self, lanes: Lanes, dst: Reg, ptr: Reg, expected: Reg, new: Reg) -> Result<(), Stop> {
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

    fn atomic_rmw(&mut self, op: RmwOp, lanes: Lanes, dst: Reg, ptr: Reg, value: Reg) -> Result<(), Stop> {
        let addr = self.word(self.reg(ptr.0), "an address")?;
        let old = self.load_lane(addr, lanes)?;
        let value = self.lane(value, lanes, 0);
        let new = self.rmw_result(op, lanes.scalar, &old, &value)?;
        self.store_lane(addr, lanes, &new)?;
        self.set_lanes(dst, [old]);
        Ok(())
    }

    fn rmw_result(&mut self, op: RmwOp, scalar: Scalar, old: &Lane, value: &Lane) -> Result<Lane, Stop> {
        use spelunk_bv::{FBinOp, FMinMaxOp, SatOp};
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

pub(super) fn kind_of(scalar: Scalar) -> FloatKind {
    match scalar {
        Scalar::Float(kind) => kind,
        _ => unreachable!("a float operation on something else"),
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

/// A conversion of one lane; `bitcast` works on whole vectors and is not here.
fn cast_lane(op: CastOp, from: Scalar, to: Scalar, lane: &Lane) -> Lane {
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
