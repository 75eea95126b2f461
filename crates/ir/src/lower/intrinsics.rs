//! `llvm.…` functions: each is an operation, a library call, or nothing.
//!
//! Steps to add one: an arm in `lower_intrinsic`, or a name in one of `bv`'s tables of operations.

use super::function::{Emit, FuncLowering, unsupported};
use crate::code::{Intrinsic, Lanes, Op, OpCode, Overlap, Reduction, Reg, Scalar, SlowOp};
use crate::model::{Arg, Callee, FuncId, Inst, InstKind, Program};
use spelunk_bv::float::FloatKind;
use spelunk_bv::{BinOp, FBinOp, FMinMaxOp, FunnelOp, OverflowOp, RoundOp, SatOp, Signedness, UnOp};

/// The number that clang gives to the check of an index, for `llvm.ubsantrap`.
const OUT_OF_BOUNDS: u64 = 18;

/// Hints that change no value.
const IGNORED: &[&str] = &[
    "assume",
    "donothing",
    "experimental.noalias.scope.decl",
    "invariant.end",
    "lifetime.end",
    "lifetime.start",
    "prefetch",
    "sideeffect",
    "va_end",
    "var.annotation",
];

/// Math intrinsics that are a call of the library function of the same name.
const MATH: &[&str] = &[
    "acos", "asin", "atan", "atan2", "cos", "cosh", "exp", "exp10", "exp2", "ldexp", "llrint", "llround", "log",
    "log10", "log2", "lrint", "lround", "pow", "sin", "sinh", "tan", "tanh",
];

/// The name after `llvm.`, for functions that are intrinsics.
pub(super) fn intrinsic_name(program: &Program, id: FuncId) -> Option<&str> {
    program.symbol(program.function(id).symbol).name.strip_prefix("llvm.")
}

pub(super) fn is_lifetime_marker(program: &Program, kind: &InstKind) -> bool {
    matches!(kind, InstKind::Call { callee: Callee::Direct(id), .. }
        if intrinsic_name(program, *id).is_some_and(|name| name.starts_with("lifetime.")))
}

impl<'p> FuncLowering<'_, 'p> {
    pub fn lower_intrinsic(&mut self, full_name: &'p str, args: &'p [Arg], inst: &Inst, dst: Reg) -> Emit {
        let name = strip_types(full_name);
        if IGNORED.contains(&name) || name.starts_with("dbg.") {
            return Ok(());
        }
        if MATH.contains(&name) {
            return self.lower_math(name, args, inst, dst);
        }
        if let Some(what) = self.value_intrinsic(name, inst)? {
            self.observe_intrinsic(what, args)?;
            return self.lower_value_intrinsic(what, args, dst);
        }
        match name {
            "memcpy" | "memcpy.inline" => self.lower_copy(args, Overlap::Forbidden),
            "memmove" => self.lower_copy(args, Overlap::Allowed),
            "memset" | "memset.inline" => {
                let (dst, value, len) = (self.reg(args[0].value)?, self.reg(args[1].value)?, self.reg(args[2].value)?);
                self.emit_slow(SlowOp::MemSet { dst, value, len });
                Ok(())
            }
            "expect"
            | "expect.with.probability"
            | "ssa.copy"
            | "threadlocal.address"
            | "launder.invariant.group"
            | "strip.invariant.group"
            | "annotation"
            | "ptr.annotation"
            | "invariant.start"
            | "arithmetic.fence" => self.emit_operand_to(dst, args[0].value),
            "objectsize" => {
                let minimum = self.const_value(args[1].value) == Some(1);
                self.emit_const(dst, if minimum { 0 } else { u64::MAX });
                Ok(())
            }
            "is.constant" | "returnaddress" | "readcyclecounter" => {
                self.emit_const(dst, 0);
                Ok(())
            }
            // Round to nearest is the only mode there is.
            "get.rounding" | "flt.rounds" => {
                self.emit_const(dst, 1);
                Ok(())
            }
            "ptrmask" => {
                let (a, b) = (self.reg(args[0].value)?, self.reg(args[1].value)?);
                self.emit(Op::new(OpCode::And64, dst.0, a.0, b.0).with_aux(64));
                Ok(())
            }
            "va_start" => {
                let list = self.reg(args[0].value)?;
                self.emit_slow(SlowOp::VaStart { list });
                Ok(())
            }
            "va_copy" => {
                let (dst, src) = (self.reg(args[0].value)?, self.reg(args[1].value)?);
                self.emit_slow(SlowOp::VaCopy { dst, src });
                Ok(())
            }
            "stacksave" => {
                self.emit_slow(SlowOp::StackSave { dst });
                Ok(())
            }
            "stackrestore" => {
                let token = self.reg(args[0].value)?;
                self.emit_slow(SlowOp::StackRestore { token });
                Ok(())
            }
            "frameaddress" => {
                let level = self.const_value(args[0].value).unwrap_or(0) as u32;
                self.emit_slow(SlowOp::FrameAddress { dst, level });
                Ok(())
            }
            "ubsantrap" if args.first().and_then(|arg| self.const_value(arg.value)) == Some(OUT_OF_BOUNDS) => {
                self.emit_slow(SlowOp::IndexTrap);
                Ok(())
            }
            "trap" | "debugtrap" | "ubsantrap" => {
                self.emit_slow(SlowOp::Trap);
                Ok(())
            }
            _ => unsupported(format!("the intrinsic `llvm.{full_name}`")),
        }
    }

    fn lower_copy(&mut self, args: &[Arg], overlap: Overlap) -> Emit {
        let (dst, src, len) = (self.reg(args[0].value)?, self.reg(args[1].value)?, self.reg(args[2].value)?);
        self.emit_slow(SlowOp::MemCopy { dst, src, len, overlap });
        Ok(())
    }

    fn lower_math(&mut self, name: &str, args: &'p [Arg], inst: &Inst, dst: Reg) -> Emit {
        let suffix = match self.lanes(self.type_of(args[0].value))? {
            Lanes { scalar: Scalar::Float(FloatKind::Double), count: 1 } => "",
            Lanes { scalar: Scalar::Float(FloatKind::Float), count: 1 } => "f",
            Lanes { scalar: Scalar::Float(FloatKind::X86Fp80), count: 1 } => "l",
            _ => return unsupported(format!("`llvm.{name}` of this type")),
        };
        self.emit_external_call(&format!("{name}{suffix}"), args, inst, dst)
    }

    fn lower_value_intrinsic(&mut self, what: Intrinsic, args: &'p [Arg], dst: Reg) -> Emit {
        if what == Intrinsic::FMulAdd && self.lower_fast_fmuladd(args, dst)? {
            return Ok(());
        }
        // Reductions with a start value have the vector second.
        let vector = usize::from(matches!(what, Intrinsic::Reduce(Reduction::Float(_))));
        let lanes = self.lanes(self.type_of(args[vector].value))?;
        // Trailing flags (`is_zero_poison`, `is_int_min_poison`) say nothing about defined results.
        let n_args = match what {
            Intrinsic::Unary(_) => 1,
            _ => args.len(),
        };
        let args = args[..n_args].iter().map(|arg| self.reg(arg.value)).collect::<Emit<Box<[Reg]>>>()?;
        self.emit_slow(SlowOp::Intrinsic { what, lanes, dst, args });
        Ok(())
    }

    /// Multiply and add, each with an opcode of its own, where the type has them.
    fn lower_fast_fmuladd(&mut self, args: &'p [Arg], dst: Reg) -> Emit<bool> {
        let Some(width) = super::inst::float_width(self.lanes(self.type_of(args[0].value))?) else { return Ok(false) };
        let (Some(mul), Some(add)) = (OpCode::float(FBinOp::FMul, width), OpCode::float(FBinOp::FAdd, width)) else {
            return Ok(false);
        };
        let (a, b, c) = (self.reg(args[0].value)?, self.reg(args[1].value)?, self.reg(args[2].value)?);
        let product = self.regs.temp(1, self.at);
        self.emit(Op::new(mul, product.0, a.0, b.0));
        self.emit(Op::new(add, dst.0, product.0, c.0));
        Ok(true)
    }

    /// Intrinsics that compute a value from values.
    fn value_intrinsic(&self, name: &str, inst: &Inst) -> Emit<Option<Intrinsic>> {
        if let Some(op) = name.strip_suffix(".with.overflow").and_then(OverflowOp::from_name) {
            return Ok(Some(Intrinsic::Overflow(op)));
        }
        if let Some(kind) = name.strip_prefix("vector.reduce.") {
            return Ok(reduction(kind).map(Intrinsic::Reduce));
        }
        let named = SatOp::from_name(name)
            .map(Intrinsic::Sat)
            .or_else(|| UnOp::from_name(name).map(Intrinsic::Unary))
            .or_else(|| FunnelOp::from_name(name).map(Intrinsic::Funnel))
            .or_else(|| RoundOp::from_name(name).map(Intrinsic::Round))
            .or_else(|| FMinMaxOp::from_name(name).map(Intrinsic::FMinMax));
        if named.is_some() {
            return Ok(named);
        }
        let width = || -> Emit<u32> { Ok(self.lanes(inst.ty)?.scalar.bits()) };
        Ok(Some(match name {
            "fabs" => Intrinsic::FAbs,
            "copysign" => Intrinsic::CopySign,
            "sqrt" => Intrinsic::Sqrt,
            "fma" => Intrinsic::Fma,
            "fmuladd" => Intrinsic::FMulAdd,
            "is.fpclass" => Intrinsic::IsFpClass,
            "ucmp" => Intrinsic::ThreeWay { sign: Signedness::Unsigned, width: width()? },
            "scmp" => Intrinsic::ThreeWay { sign: Signedness::Signed, width: width()? },
            "fptosi.sat" => Intrinsic::ToIntSat { sign: Signedness::Signed, width: width()? },
            "fptoui.sat" => Intrinsic::ToIntSat { sign: Signedness::Unsigned, width: width()? },
            _ => return Ok(None),
        }))
    }
}

fn reduction(kind: &str) -> Option<Reduction> {
    Some(match kind {
        "fadd" => Reduction::Float(FBinOp::FAdd),
        "fmul" => Reduction::Float(FBinOp::FMul),
        "fmin" => Reduction::FMinMax(FMinMaxOp::MinNum),
        "fmax" => Reduction::FMinMax(FMinMaxOp::MaxNum),
        "fminimum" => Reduction::FMinMax(FMinMaxOp::Minimum),
        "fmaximum" => Reduction::FMinMax(FMinMaxOp::Maximum),
        _ => {
            return SatOp::from_name(kind)
                .map(Reduction::Sat)
                .or_else(|| BinOp::from_name(kind).map(Reduction::Binary));
        }
    })
}

/// The name without the types that overloading appends: `umul.with.overflow.i64` is `umul.with.overflow`.
pub(super) fn strip_types(name: &str) -> &str {
    let mut rest = name;
    while let Some((head, last)) = rest.rsplit_once('.') {
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let is_type = last.strip_prefix(['i', 'f', 'p']).is_some_and(digits)
            || last.strip_prefix("bf").is_some_and(digits)
            || last.starts_with("sl_")
            || last.strip_prefix('v').is_some_and(|text| text.starts_with(|c: char| c.is_ascii_digit()));
        if !is_type {
            break;
        }
        rest = head;
    }
    rest
}
