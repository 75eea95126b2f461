//! Which registers an operation reads and writes: the one description that checks and analyses of the dense code share.

use super::{Addressing, Form, Image, Intrinsic, Lanes, Meaning, Op, OpCode, OpIdx, Reduction, Reg, SlowOp};

/// What an operation does with registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegUse {
    Read,
    Write,
}

/// Is told of each use: what it is, the first register, and how many slots.
type Visit<'v> = &'v mut dyn FnMut(RegUse, Reg, u32);

impl Image {
    /// Calls `visit` with the registers of an operation: first those that it reads, then those that it writes. The
    /// arguments of a call are read, though they lie above the frame. Tables that the operation refers to must be there.
    pub fn visit_regs(&self, op_idx: OpIdx, mut visit: impl FnMut(RegUse, Reg, u32)) {
        let op = self.op(op_idx);
        let visit: Visit<'_> = &mut visit;
        match op.meaning() {
            Meaning::Binary { form, .. } | Meaning::Checked { form, .. } | Meaning::Compare { form, .. } => {
                read_operands(op, form, visit);
                write(visit, op.dst, 1);
            }
            Meaning::Branch { form, .. } => read_operands(op, form, visit),
            Meaning::Float { .. } => {
                read_operands(op, Form::Register, visit);
                write(visit, op.dst, 1);
            }
            Meaning::Load { addressing, .. } => {
                read_operands(op, form_of(addressing), visit);
                write(visit, op.dst, 1);
            }
            Meaning::Store { addressing, .. } => {
                read_operands(op, form_of(addressing), visit);
                read(visit, op.dst, 1);
            }
            Meaning::Other => self.visit_others(op_idx, op, visit),
        }
    }

    fn visit_others(&self, op_idx: OpIdx, op: &Op, visit: Visit<'_>) {
        match op.code {
            OpCode::Mov
            | OpCode::SExt
            | OpCode::Trunc
            | OpCode::I32ToF64
            | OpCode::I64ToF64
            | OpCode::F64ToI32
            | OpCode::F64ToI64
            | OpCode::F32ToF64
            | OpCode::F64ToF32
            | OpCode::AllocaDyn => {
                read(visit, op.a, 1);
                write(visit, op.dst, 1);
            }
            OpCode::MovN => {
                read(visit, op.a, op.b);
                write(visit, op.dst, op.b);
            }
            OpCode::Const | OpCode::Alloca => write(visit, op.dst, 1),
            OpCode::Undef => write(visit, op.dst, op.b),
            OpCode::FCmp32 | OpCode::FCmp64 | OpCode::Gep | OpCode::GepI32 => {
                read_operands(op, Form::Register, visit);
                write(visit, op.dst, 1);
            }
            OpCode::Select => {
                read(visit, self.op(op_idx.next()).a, 1);
                read_operands(op, Form::Register, visit);
                write(visit, op.dst, 1);
            }
            OpCode::Observe => {
                read(visit, op.a, 1);
                if op.aux != 0 {
                    read(visit, op.b, 1);
                }
            }
            OpCode::ByvalCopy => {
                read(visit, op.dst, 1);
                write(visit, op.dst, 1);
            }
            OpCode::BrIf | OpCode::BrIfNot | OpCode::IndirectBr => read(visit, op.a, 1),
            OpCode::Switch => read(visit, op.a, u32::from(op.aux).div_ceil(64)),
            OpCode::Call => {
                let callee = &self.functions[op.a as usize];
                self.read_args(op_idx, callee.param_slots, visit);
                write(visit, op.dst, callee.ret_slots);
            }
            OpCode::CallVar | OpCode::CallIndirect | OpCode::CallExternal => {
                if op.code == OpCode::CallIndirect {
                    read(visit, op.a, 1);
                }
                let site = &self.call_sites[op.b as usize];
                self.read_args(op_idx, site.arg_slots, visit);
                write(visit, op.dst, site.ret_slots);
            }
            OpCode::Ret => read(visit, op.a, u32::from(op.aux)),
            OpCode::Slow => visit_slow(&self.slow[op.a as usize], visit),
            _ => {}
        }
    }

    fn read_args(&self, op_idx: OpIdx, n_slots: u32, visit: Visit<'_>) {
        let frame = self.function_at(op_idx).map_or(0, |code| code.n_slots);
        visit(RegUse::Read, Reg::at_slot(frame), n_slots);
    }
}

fn read(visit: Visit<'_>, reg: u32, n_slots: u32) {
    visit(RegUse::Read, Reg(reg), n_slots);
}

fn write(visit: Visit<'_>, reg: u32, n_slots: u32) {
    visit(RegUse::Write, Reg(reg), n_slots);
}

fn read_operands(op: &Op, form: Form, visit: Visit<'_>) {
    read(visit, op.a, 1);
    if form == Form::Register {
        read(visit, op.b, 1);
    }
}

fn form_of(addressing: Addressing) -> Form {
    match addressing {
        Addressing::Offset => Form::Immediate,
        Addressing::Index64 | Addressing::Index32 => Form::Register,
    }
}

fn visit_slow(op: &SlowOp, visit: Visit<'_>) {
    use RegUse::{Read, Write};
    match op {
        SlowOp::Unreachable | SlowOp::Trap | SlowOp::IndexTrap | SlowOp::Unsupported(_) => {}
        SlowOp::Binary { lanes, dst, lhs, rhs, .. } | SlowOp::FBinary { lanes, dst, lhs, rhs, .. } => {
            [lhs, rhs].into_iter().for_each(|&reg| visit(Read, reg, lanes.n_slots()));
            visit(Write, *dst, lanes.n_slots());
        }
        SlowOp::ICmp { lanes, dst, lhs, rhs, .. } | SlowOp::FCmp { lanes, dst, lhs, rhs, .. } => {
            [lhs, rhs].into_iter().for_each(|&reg| visit(Read, reg, lanes.n_slots()));
            visit(Write, *dst, lanes.count);
        }
        SlowOp::FNeg { lanes, dst, arg } => {
            visit(Read, *arg, lanes.n_slots());
            visit(Write, *dst, lanes.n_slots());
        }
        SlowOp::Cast { from, to, dst, arg, .. } => {
            visit(Read, *arg, from.n_slots());
            visit(Write, *dst, to.n_slots());
        }
        SlowOp::Select { cond, per_lane, n_slots, dst, then, other } => {
            visit(Read, *cond, if *per_lane == 0 { 1 } else { n_slots.div_ceil(*per_lane) });
            [then, other].into_iter().for_each(|&reg| visit(Read, reg, *n_slots));
            visit(Write, *dst, *n_slots);
        }
        SlowOp::Freeze { n_slots, dst, arg } => {
            visit(Read, *arg, *n_slots);
            visit(Write, *dst, *n_slots);
        }
        SlowOp::Load { shape, dst, addr, .. } => {
            visit(Read, *addr, 1);
            visit(Write, *dst, shape.n_slots);
        }
        SlowOp::Store { shape, src, addr, .. } => {
            visit(Read, *addr, 1);
            visit(Read, *src, shape.n_slots);
        }
        SlowOp::TypeRead { addr, .. } | SlowOp::TypeWrite { addr, .. } => visit(Read, *addr, 1),
        SlowOp::ExtractElement { lanes, index, dst, vector } => {
            visit(Read, *index, 1);
            visit(Read, *vector, lanes.n_slots());
            visit(Write, *dst, lanes.scalar.n_slots());
        }
        SlowOp::InsertElement { lanes, index, dst, vector, value } => {
            visit(Read, *index, 1);
            visit(Read, *vector, lanes.n_slots());
            visit(Read, *value, lanes.scalar.n_slots());
            visit(Write, *dst, lanes.n_slots());
        }
        SlowOp::Shuffle { lanes, dst, lhs, rhs, mask } => {
            [lhs, rhs].into_iter().for_each(|&reg| visit(Read, reg, lanes.n_slots()));
            visit(Write, *dst, mask.len() as u32 * lanes.scalar.n_slots());
        }
        SlowOp::CmpXchg { lanes, dst, ptr, expected, new } => {
            visit(Read, *ptr, 1);
            [expected, new].into_iter().for_each(|&reg| visit(Read, reg, lanes.scalar.n_slots()));
            visit(Write, *dst, lanes.scalar.n_slots() + 1);
        }
        SlowOp::AtomicRmw { lanes, dst, ptr, value, .. } => {
            visit(Read, *ptr, 1);
            visit(Read, *value, lanes.scalar.n_slots());
            visit(Write, *dst, lanes.scalar.n_slots());
        }
        SlowOp::Intrinsic { what, lanes, dst, args } => visit_intrinsic(*what, *lanes, *dst, args, visit),
        SlowOp::MemCopy { dst, src, len, .. } => [dst, src, len].into_iter().for_each(|&reg| visit(Read, reg, 1)),
        SlowOp::MemSet { dst, value, len } => [dst, value, len].into_iter().for_each(|&reg| visit(Read, reg, 1)),
        SlowOp::VaStart { list } => visit(Read, *list, 1),
        SlowOp::VaCopy { dst, src } => [dst, src].into_iter().for_each(|&reg| visit(Read, reg, 1)),
        SlowOp::StackSave { dst } | SlowOp::FrameAddress { dst, .. } => visit(Write, *dst, 1),
        SlowOp::StackRestore { token } => visit(Read, *token, 1),
    }
}

fn visit_intrinsic(what: Intrinsic, lanes: Lanes, dst: Reg, args: &[Reg], visit: Visit<'_>) {
    let scalar = lanes.scalar.n_slots();
    for (i, &arg) in args.iter().enumerate() {
        let n_slots = match (what, i) {
            (Intrinsic::IsFpClass, 1) => 1,
            (Intrinsic::Reduce(Reduction::Float(_)), 0) => scalar,
            _ => lanes.n_slots(),
        };
        visit(RegUse::Read, arg, n_slots);
    }
    let n_written = match what {
        Intrinsic::Overflow(_) => lanes.n_slots() + lanes.count,
        Intrinsic::ThreeWay { width, .. } | Intrinsic::ToIntSat { width, .. } => lanes.count * width.div_ceil(64),
        Intrinsic::IsFpClass => lanes.count,
        Intrinsic::Reduce(_) => scalar,
        _ => lanes.n_slots(),
    };
    visit(RegUse::Write, dst, n_written);
}
