//! Instructions, one a line.

use super::functions::BodyPrinter;
use crate::model::{Arg, BlockId, Callee, Inst, InstFlags, InstKind, Type, TypeId};
use std::fmt::Write;

impl BodyPrinter<'_, '_> {
    pub(super) fn inst(&mut self, inst: &Inst) {
        self.text("  ");
        if let Some(result) = inst.result {
            self.value(result);
            self.text(" = ");
        }
        if let InstKind::UnsupportedTerminator { .. } = inst.kind
            && inst.result.is_some()
        {
            self.placeholder(inst.ty);
            self.text("\n  ");
        }
        self.operation(inst);
        if let InstKind::Load { align, .. } | InstKind::Store { align, .. } | InstKind::Alloca { align, .. } = inst.kind
        {
            self.printer.alignment(align);
        }
        self.printer.location(inst.loc);
        self.text("\n");
    }

    fn operation(&mut self, inst: &Inst) {
        match &inst.kind {
            InstKind::Binary { op, flags, lhs, rhs } => {
                self.text(op.name());
                self.flags(*flags);
                self.pair(*lhs, *rhs);
            }
            InstKind::FBinary { op, lhs, rhs } => {
                let _ = write!(self.printer.out, "{} ", op.name());
                self.pair(*lhs, *rhs);
            }
            InstKind::FNeg { arg } => {
                self.text("fneg ");
                self.typed_operand(*arg);
            }
            InstKind::ICmp { op, lhs, rhs } => {
                let _ = write!(self.printer.out, "icmp {} ", op.name());
                self.pair(*lhs, *rhs);
            }
            InstKind::FCmp { op, lhs, rhs } => {
                let _ = write!(self.printer.out, "fcmp {} ", op.name());
                self.pair(*lhs, *rhs);
            }
            InstKind::Cast { op, arg } => {
                let _ = write!(self.printer.out, "{} ", op.name());
                self.typed_operand(*arg);
                self.text(" to ");
                self.printer.ty(inst.ty);
            }
            InstKind::Select { cond, then, other } => {
                self.text("select ");
                self.typed_operands([*cond, *then, *other]);
            }
            InstKind::Freeze { arg } => {
                self.text("freeze ");
                self.typed_operand(*arg);
            }
            InstKind::Phi { incoming } => {
                self.text("phi ");
                self.printer.ty(inst.ty);
                for (place, &(value, block)) in incoming.iter().enumerate() {
                    self.text(if place > 0 { ", [ " } else { " [ " });
                    self.operand(value);
                    self.text(", ");
                    self.printer.block(block);
                    self.text(" ]");
                }
            }
            InstKind::ExtractValue { aggregate, indices } => {
                self.text("extractvalue ");
                self.typed_operand(*aggregate);
                self.indices(indices);
            }
            InstKind::InsertValue { aggregate, value, indices } => {
                self.text("insertvalue ");
                self.typed_operands([*aggregate, *value]);
                self.indices(indices);
            }
            InstKind::ExtractElement { vector, index } => {
                self.text("extractelement ");
                self.typed_operands([*vector, *index]);
            }
            InstKind::InsertElement { vector, value, index } => {
                self.text("insertelement ");
                self.typed_operands([*vector, *value, *index]);
            }
            InstKind::ShuffleVector { lhs, rhs, mask } => {
                self.text("shufflevector ");
                self.typed_operands([*lhs, *rhs]);
                self.mask(mask);
            }
            InstKind::Call { callee, fn_ty, args } => self.call(callee, *fn_ty, args),
            InstKind::Unsupported { .. } => self.placeholder(inst.ty),
            kind if kind.is_terminator() => self.terminator(kind),
            _ => self.memory(inst),
        }
    }

    fn memory(&mut self, inst: &Inst) {
        match &inst.kind {
            InstKind::Alloca { elem, count, .. } => {
                self.text("alloca ");
                self.printer.ty(*elem);
                self.text(", ");
                self.typed_operand(*count);
            }
            InstKind::Load { ptr, volatile, .. } => {
                self.text(if *volatile { "load volatile " } else { "load " });
                self.printer.ty(inst.ty);
                self.text(", ");
                self.typed_operand(*ptr);
            }
            InstKind::Store { value, ptr, volatile, .. } => {
                self.text(if *volatile { "store volatile " } else { "store " });
                self.typed_operands([*value, *ptr]);
            }
            InstKind::Gep { elem, base, indices, inbounds } => {
                self.text(if *inbounds { "getelementptr inbounds " } else { "getelementptr " });
                self.printer.ty(*elem);
                for &operand in [*base].iter().chain(indices) {
                    self.text(", ");
                    self.typed_operand(operand);
                }
            }
            InstKind::CmpXchg { ptr, expected, new } => {
                self.text("cmpxchg ");
                self.typed_operands([*ptr, *expected, *new]);
                self.text(" seq_cst seq_cst");
            }
            InstKind::AtomicRmw { op, ptr, value } => {
                let _ = write!(self.printer.out, "atomicrmw {} ", op.name());
                self.typed_operands([*ptr, *value]);
                self.text(" seq_cst");
            }
            InstKind::VaArg { list } => {
                self.text("va_arg ");
                self.typed_operand(*list);
                self.text(", ");
                self.printer.ty(inst.ty);
            }
            _ => self.text("fence seq_cst"),
        }
    }

    fn terminator(&mut self, kind: &InstKind) {
        match kind {
            InstKind::Ret { value: None } => self.text("ret void"),
            InstKind::Ret { value: Some(value) } => {
                self.text("ret ");
                self.typed_operand(*value);
            }
            InstKind::Br { target } => {
                self.text("br ");
                self.label(*target);
            }
            InstKind::CondBr { cond, then, other } => {
                self.text("br ");
                self.typed_operand(*cond);
                self.text(", ");
                self.label(*then);
                self.text(", ");
                self.label(*other);
            }
            InstKind::Switch { value, default, cases } => {
                self.text("switch ");
                self.typed_operand(*value);
                self.text(", ");
                self.label(*default);
                self.text(" [");
                for &(case, block) in cases {
                    self.text(" ");
                    self.printer.typed_constant(case);
                    self.text(", ");
                    self.label(block);
                }
                self.text(" ]");
            }
            InstKind::IndirectBr { addr, targets } => {
                self.text("indirectbr ");
                self.typed_operand(*addr);
                self.text(", [");
                self.labels(targets);
                self.text("]");
            }
            InstKind::UnsupportedTerminator { successors, .. } => self.unsupported_terminator(successors),
            _ => self.text("unreachable"),
        }
    }

    fn unsupported_terminator(&mut self, successors: &[BlockId]) {
        let Some((&first, others)) = successors.split_first() else {
            return self.text("unreachable");
        };
        self.text("switch i32 poison, ");
        self.label(first);
        self.text(" [");
        for (case, &block) in others.iter().enumerate() {
            let _ = write!(self.printer.out, " i32 {case}, ");
            self.label(block);
        }
        self.text(" ]");
    }

    /// Stands for a result that nobody can compute.
    fn placeholder(&mut self, ty: TypeId) {
        self.text("freeze ");
        self.printer.ty(ty);
        self.text(" poison");
    }

    fn labels(&mut self, blocks: &[BlockId]) {
        for (place, &block) in blocks.iter().enumerate() {
            if place > 0 {
                self.text(", ");
            }
            self.label(block);
        }
    }

    fn flags(&mut self, flags: InstFlags) {
        for (name, set) in [(" nuw", flags.nuw), (" nsw", flags.nsw), (" exact", flags.exact)] {
            if set {
                self.text(name);
            }
        }
        self.text(" ");
    }

    fn indices(&mut self, indices: &[u32]) {
        for index in indices {
            let _ = write!(self.printer.out, ", {index}");
        }
    }

    fn mask(&mut self, mask: &[Option<u32>]) {
        let _ = write!(self.printer.out, ", <{} x i32> <", mask.len());
        for (place, lane) in mask.iter().enumerate() {
            self.text(if place > 0 { ", i32 " } else { "i32 " });
            let _ = match lane {
                Some(lane) => write!(self.printer.out, "{lane}"),
                None => write!(self.printer.out, "poison"),
            };
        }
        self.text(">");
    }

    fn call(&mut self, callee: &Callee, fn_ty: TypeId, args: &[Arg]) {
        self.text("call ");
        match self.printer.program.types[fn_ty] {
            Type::Function { ret, varargs: false, .. } => self.printer.ty(ret),
            _ => self.printer.ty(fn_ty),
        }
        self.text(" ");
        match callee {
            Callee::Direct(function) => self.printer.function_name(*function),
            Callee::Indirect(target) => self.operand(*target),
            Callee::Asm(asm) => {
                self.text(if asm.side_effect { "asm sideeffect " } else { "asm " });
                self.printer.quoted(asm.template.as_bytes());
                self.text(", ");
                self.printer.quoted(asm.constraints.as_bytes());
            }
        }
        self.text("(");
        for (place, arg) in args.iter().enumerate() {
            if place > 0 {
                self.text(", ");
            }
            self.printer.ty(self.printer.program.operand_type(self.function, arg.value));
            self.printer.param_attributes(arg.attrs);
            self.text(" ");
            self.operand(arg.value);
        }
        self.text(")");
    }
}
