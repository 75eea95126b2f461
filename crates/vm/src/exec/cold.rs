//! Regular operations when an operand is not plain, or the result is not defined; those on memory are in `accesses`.

use super::run::{is_defined, overflows_signed};
use crate::bug::BugKind;
pub(super) use crate::machine::Overflow;
use crate::machine::{Access, Judged, Machine, Mark};
use crate::stop::Stop;
use crate::undef::{self, Partial};
use crate::value::{Carried, Slot, Tag, UndefId};
use crate::vm::Vm;
use spelunk_bv::float::FloatKind;
use spelunk_bv::{BinOp, CastOp, CmpOp, FCmpOp, float, int};
use spelunk_ir::code::{Meaning, Op, OpCode, OpIdx, Reg, Semantics, SwitchKind};

impl<M: Machine> Vm<'_, M> {
    pub(super) fn undef_mask(&self, slot: Slot) -> u64 {
        self.undefs.mask(slot.tag.undef())
    }

    pub(super) fn partial(&self, slot: Slot) -> Partial {
        Partial { val: slot.val, undef: self.undef_mask(slot) }
    }

    pub(super) fn tag(&mut self, expr: Carried, undef: u64) -> Tag {
        let undef = if undef == 0 { UndefId::NONE } else { self.undefs.mk(undef) };
        Tag::new(expr, undef)
    }

    #[cold]
    pub(super) fn cold_integer(&mut self, op: Op) -> Result<(), Stop> {
        let result = match op.meaning() {
            Meaning::Binary { op: what, width, form } => {
                let (a, b) = (self.reg(op.a), self.second_operand(op, width, form));
                self.binary(what, width, a, b, Overflow::Wraps)?
            }
            Meaning::Checked { op: what, width, form } => {
                let (a, b) = (self.reg(op.a), self.second_operand(op, width, form));
                self.binary(what, width, a, b, self.if_overflow())?
            }
            Meaning::Compare { op: what, width, form } => {
                let (a, b) = (self.reg(op.a), self.second_operand(op, width, form));
                self.compare(what, width, a, b)
            }
            _ => unreachable!("only integer operations come here"),
        };
        self.set_reg(op.dst, result);
        Ok(())
    }

    /// An integer operation of at most 64 bits, with all its checks.
    pub(super) fn binary(&mut self, op: BinOp, width: u32, a: Slot, b: Slot, overflow: Overflow) -> Result<Slot, Stop> {
        let mut undef = undef::binary(op, width, self.partial(a), self.partial(b));
        if is_division(op) && self.undef_mask(b) & int::mask(width) != 0 {
            return self.bug(BugKind::Uninitialised, "a divisor depends on it");
        }
        let has_expr = a.tag.expr().is_some() || b.tag.expr().is_some();
        let mut judged = Judged::ByOperands;
        if undef == 0 && has_expr {
            judged = self.machine.check_binary(self.pc, op, width, a, b, overflow);
            M::after_decision(self)?;
        }
        if judged == Judged::Good {
            // As if the operands were others.
        } else if undef == 0 && is_poison(op, width, b.val) && self.semantics() == Semantics::Optimised {
            undef = int::mask(width);
        } else if undef == 0 {
            self.check_binary(op, width, a, b, overflow)?;
        }
        let expr = if has_expr { self.machine.binary(op, width, a, b) } else { Carried::NONE };
        Ok(Slot { val: int::binop(op, width, a.val, b.val), tag: self.tag(expr, undef) })
    }

    fn semantics(&self) -> Semantics {
        let frame = self.frames.last().expect("operations are executed in a function");
        self.image.functions[frame.function.index()].semantics
    }

    /// What signed overflow is in the function that is executed.
    pub(super) fn if_overflow(&self) -> Overflow {
        match self.image.overflow_is_error && self.semantics() == Semantics::Source {
            true => Overflow::IsError,
            false => Overflow::IsNoticed,
        }
    }

    fn check_binary(&mut self, op: BinOp, width: u32, x: Slot, y: Slot, overflow: Overflow) -> Result<(), Stop> {
        let (a, b) = (x.val, y.val);
        let signed = |value| int::sext(width, value);
        if !is_defined(op, width, a, b) {
            return match op {
                BinOp::Shl | BinOp::LShr | BinOp::AShr => self.bug(
                    BugKind::OversizedShift,
                    format!("a value of {width} bits is shifted by {}", shift_amount(width, b)),
                ),
                _ if b == 0 => self.bug(BugKind::DivByZero, format!("{} is divided by zero", signed(a))),
                _ => {
                    self.bug(BugKind::DivOverflow, format!("{} divided by -1 does not fit in {width} bits", signed(a)))
                }
            };
        }
        match overflow {
            Overflow::IsNoticed if overflows_signed(op, width, a, b) => {
                self.notice_overflow([x.tag.expr(), y.tag.expr()])
            }
            Overflow::IsError if overflows_signed(op, width, a, b) => {
                let sign = match op {
                    BinOp::Add => '+',
                    BinOp::Sub => '-',
                    _ => '*',
                };
                let text = format!("{} {sign} {} does not fit in {width} bits", signed(a), signed(b));
                return self.bug(BugKind::SignedOverflow, text);
            }
            _ => {}
        }
        Ok(())
    }

    pub(super) fn notice_overflow(&mut self, operands: [Carried; 2]) {
        self.n_overflows += 1;
        if !operands.iter().any(|operand| operand.is_some()) {
            self.machine.overflowed(self.pc);
        }
    }

    pub(super) fn compare(&mut self, op: CmpOp, width: u32, a: Slot, b: Slot) -> Slot {
        let undef = undef::compare(op, width, self.partial(a), self.partial(b));
        let expr = if a.tag.expr().is_some() || b.tag.expr().is_some() {
            self.machine.compare(op, width, a, b)
        } else {
            Carried::NONE
        };
        Slot { val: u64::from(int::icmp(op, width, a.val, b.val)), tag: self.tag(expr, u64::from(undef)) }
    }

    #[cold]
    pub(super) fn cold_branch(&mut self, op: Op) -> Result<bool, Stop> {
        let Meaning::Branch { op: what, width, form } = op.meaning() else { unreachable!("a branch comes here") };
        let cond = self.compare(what, width, self.reg(op.a), self.second_operand(op, width, form));
        self.cold_condition(cond)
    }

    /// Whether a bit is set, as a decision of the path.
    pub fn decide(&mut self, cond: Slot) -> Result<bool, Stop> {
        self.cold_condition(cond)
    }

    /// The path is about to depend on `cond`. Says which way it goes.
    #[cold]
    pub(super) fn cold_condition(&mut self, cond: Slot) -> Result<bool, Stop> {
        if self.undef_mask(cond) & 1 != 0 {
            return self.bug(BugKind::Uninitialised, "a condition depends on it");
        }
        if !cond.tag.expr().is_some() {
            return Ok(cond.val & 1 != 0);
        }
        let way = self.machine.branch(self.pc, cond)?;
        M::after_decision(self)?;
        Ok(way)
    }

    /// Notes whether a condition holds that does not decide where control goes.
    #[cold]
    pub(super) fn cold_observe(&mut self, op: Op) -> Result<(), Stop> {
        let cond = self.reg(op.a);
        // What depends on it will tell.
        if self.undef_mask(cond) & 1 != 0 {
            return Ok(());
        }
        self.machine.mark(self.pc, if cond.val & 1 != 0 { Mark::Jumped } else { Mark::FellThrough });
        let guard = (op.aux != 0).then(|| self.reg(op.b)).filter(|guard| guard.tag.expr().is_some());
        if cond.tag.expr().is_some() {
            self.machine.observe(self.pc, cond, guard);
            M::after_decision(self)?;
        }
        Ok(())
    }

    #[cold]
    pub(super) fn cold_select(&mut self, cond: Slot, then: Slot, other: Slot) -> Result<Slot, Stop> {
        let is_undefined = self.undef_mask(cond) & 1 != 0;
        // Masks hold for all inputs of the path.
        if cond.tag.expr().is_some() && !is_undefined && then.tag.undef() != other.tag.undef() {
            return Ok(if self.decide(cond)? { then } else { other });
        }
        let chosen = if cond.val & 1 != 0 { then } else { other };
        let undef = match is_undefined {
            false => self.undef_mask(chosen),
            true => (then.val ^ other.val) | self.undef_mask(then) | self.undef_mask(other),
        };
        let expr = if cond.tag.expr().is_some() { self.machine.select(cond, then, other) } else { chosen.tag.expr() };
        Ok(Slot { val: chosen.val, tag: self.tag(expr, undef) })
    }

    #[cold]
    pub(super) fn cold_switch(&mut self, op: Op) -> Result<OpIdx, Stop> {
        let table = &self.image.switches[op.b as usize];
        let value = self.reg(op.a);
        if self.undef_mask(value) & int::mask(u32::from(op.aux).min(64)) != 0 {
            return self.bug(BugKind::Uninitialised, "a switch depends on it");
        }
        let found = match &table.kind {
            SwitchKind::Dense { low, targets } => targets.get(value.val.wrapping_sub(*low) as usize).copied(),
            SwitchKind::Sparse(cases) => {
                cases.binary_search_by_key(&value.val, |case| case.0).ok().map(|idx| cases[idx].1)
            }
            SwitchKind::Wide(cases) => {
                let matches =
                    |limbs: &[u64]| (0u32..).zip(limbs).all(|(i, &limb)| self.reg(Reg(op.a).offset(i).0).val == limb);
                cases.iter().find(|(limbs, _)| matches(limbs)).map(|case| case.1)
            }
        };
        let mut target = found.unwrap_or(table.default);
        if value.tag.expr().is_some() {
            target = self.machine.switch(self.pc, op.b, value, target)?;
            let function = self.frames.last().map(|frame| &self.image.functions[frame.function.index()]);
            assert!(function.is_some_and(|code| code.entry <= target && target < code.end), "a case of the switch");
            M::after_decision(self)?;
        }
        Ok(target)
    }

    #[cold]
    pub(super) fn indirect_branch(&mut self, op: Op) -> Result<OpIdx, Stop> {
        let addr = self.reg(op.a);
        self.check_defined(addr, "the target of a goto")?;
        let targets = &self.image.indirect_targets[op.b as usize];
        let found = targets.binary_search_by_key(&addr.val, |target| target.0).ok().map(|idx| targets[idx].1);
        if addr.tag.expr().is_some() {
            self.machine.goto(self.pc, op.b, addr, found);
            M::after_decision(self)?;
        }
        match found {
            Some(target) => Ok(target),
            None => self.bug(BugKind::BadCall, format!("goto {:#x}, which is no label of the function", addr.val)),
        }
    }

    /// Where a function pointer points.
    pub(super) fn call_address(&mut self, pointer: Slot) -> Result<u64, Stop> {
        self.check_defined(pointer, "a function pointer")?;
        if pointer.tag.expr().is_some() {
            self.machine.call_target(&self.memory, Access { site: self.pc, addr: pointer, len: 0 });
            M::after_decision(self)?;
        }
        Ok(pointer.val)
    }

    #[cold]
    pub(super) fn cold_gep(&mut self, op: Op) -> Result<(), Stop> {
        let sum = self.indexed(op)?;
        self.set_reg(op.dst, sum);
        Ok(())
    }

    /// a + b · aux, with everything that the operands carry.
    pub(super) fn indexed(&mut self, op: Op) -> Result<Slot, Stop> {
        let (base, index) = (self.reg(op.a), self.reg(op.b));
        let index = if op.code.has_narrow_index() { self.cast(CastOp::SExt, 32, 64, index) } else { index };
        let stride = Slot::plain(u64::from(op.aux));
        let scaled = self.binary(BinOp::Mul, 64, index, stride, Overflow::Wraps)?;
        Ok(self.offset(base, scaled))
    }

    /// A pointer with something added.
    pub(super) fn offset(&mut self, pointer: Slot, by: Slot) -> Slot {
        let undef = undef::binary(BinOp::Add, 64, self.partial(pointer), self.partial(by));
        let has_expr = pointer.tag.expr().is_some() || by.tag.expr().is_some();
        let expr = if has_expr { self.machine.offset(pointer, by) } else { Carried::NONE };
        Slot { val: pointer.val.wrapping_add(by.val), tag: self.tag(expr, undef) }
    }

    #[cold]
    pub(super) fn cold_cast(&mut self, op: Op) -> Result<(), Stop> {
        let (cast, from, to) = match op.code {
            OpCode::SExt => (CastOp::SExt, u32::from(op.aux), op.b),
            OpCode::Trunc => (CastOp::Trunc, u32::from(op.aux), op.b),
            OpCode::I32ToF64 => (CastOp::SiToFp, 32, 64),
            OpCode::I64ToF64 => (CastOp::SiToFp, 64, 64),
            OpCode::F64ToI32 => (CastOp::FpToSi, 64, 32),
            OpCode::F64ToI64 => (CastOp::FpToSi, 64, 64),
            OpCode::F32ToF64 => (CastOp::FpExt, 32, 64),
            OpCode::F64ToF32 => (CastOp::FpTrunc, 64, 32),
            _ => unreachable!("only conversions come here"),
        };
        let result = self.cast(cast, from, to, self.reg(op.a));
        self.set_reg(op.dst, result);
        Ok(())
    }

    /// A conversion between words; floats are `float` or `double` by their width.
    pub(super) fn cast(&mut self, op: CastOp, from: u32, to: u32, a: Slot) -> Slot {
        let kind = |width| if width == 32 { FloatKind::Float } else { FloatKind::Double };
        let mask = self.undef_mask(a) & int::mask(from);
        let all = if mask == 0 { 0 } else { int::mask(to) };
        let signed = spelunk_bv::Signedness::Signed;
        let (val, undef) = match op {
            CastOp::SExt => (int::sext_to(from, to, a.val), undef::sext(from, to, mask)),
            CastOp::Trunc => (int::trunc(to, a.val), mask & int::mask(to)),
            CastOp::SiToFp => (float::from_int_narrow(kind(to), a.val, from, signed) as u64, all),
            CastOp::FpToSi => (float::to_int_narrow(kind(from), u128::from(a.val), to, signed), all),
            CastOp::FpExt => (float::f32_to_f64(a.val), all),
            CastOp::FpTrunc => (float::f64_to_f32(a.val), all),
            _ => unreachable!("conversions without an opcode are slow operations"),
        };
        let expr = if a.tag.expr().is_some() { self.machine.cast(op, from, to, a) } else { Carried::NONE };
        Slot { val, tag: self.tag(expr, undef) }
    }

    #[cold]
    pub(super) fn cold_float(&mut self, op: Op) -> Result<(), Stop> {
        let Meaning::Float { op: what, width } = op.meaning() else { unreachable!("a float operation comes here") };
        let (a, b) = (self.reg(op.a), self.reg(op.b));
        let (val, kind) = match width {
            32 => (float::f32_binop(what, a.val, b.val), FloatKind::Float),
            _ => (float::f64_binop(what, a.val, b.val), FloatKind::Double),
        };
        let undef = self.any_undef(&[a, b], width);
        let expr = if a.tag.expr().is_some() || b.tag.expr().is_some() {
            self.machine.float_binary(what, kind, a, b)
        } else {
            Carried::NONE
        };
        let tag = self.tag(expr, undef);
        self.set_reg(op.dst, Slot { val, tag });
        Ok(())
    }

    #[cold]
    pub(super) fn cold_float_compare(&mut self, op: Op) -> Result<(), Stop> {
        let what = FCmpOp::ALL[usize::from(op.aux & 15)];
        let (a, b) = (self.reg(op.a), self.reg(op.b));
        let (holds, kind) = match op.code {
            OpCode::FCmp32 => (float::f32_fcmp(what, a.val, b.val), FloatKind::Float),
            _ => (float::f64_fcmp(what, a.val, b.val), FloatKind::Double),
        };
        let undef = self.any_undef(&[a, b], 1);
        let expr = if a.tag.expr().is_some() || b.tag.expr().is_some() {
            self.machine.float_compare(what, kind, a, b)
        } else {
            Carried::NONE
        };
        let tag = self.tag(expr, undef);
        self.set_reg(op.dst, Slot { val: u64::from(holds), tag });
        Ok(())
    }

    /// All of `width` bits if any operand has an uninitialised bit.
    fn any_undef(&self, operands: &[Slot], width: u32) -> u64 {
        let any = operands.iter().any(|slot| slot.tag.undef() != UndefId::NONE);
        if any { int::mask(width) } else { 0 }
    }
}

fn is_division(op: BinOp) -> bool {
    matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem)
}

/// Whether the result is undefined without the operation itself being an error, as far as LLVM is concerned.
fn is_poison(op: BinOp, width: u32, b: u64) -> bool {
    matches!(op, BinOp::Shl | BinOp::LShr | BinOp::AShr) && b >= u64::from(width)
}

/// A shift amount as the programmer would read it.
fn shift_amount(width: u32, amount: u64) -> i64 {
    int::sext(width, amount)
}
