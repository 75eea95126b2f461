//! Calls: direct, through pointers, with variable arguments, of library functions, and the little inline assembly that is known.

use super::function::{Emit, FuncLowering, unsupported};
use super::intrinsics::intrinsic_name;
use super::regs::Regs;
use crate::code::{ArgShape, CallSite, Op, OpCode, Prototype, Reg, Target};
use crate::model::{
    Arg, AsmText, Callee, FuncId, Function, Inst, InstKind, Operand, Program, Type, TypeId, TypeTable, ValueId,
};

impl<'p> FuncLowering<'_, 'p> {
    pub fn lower_call(&mut self, callee: &Callee, fn_ty: TypeId, args: &'p [Arg], inst: &Inst, dst: Reg) -> Emit {
        if let Callee::Direct(id) = callee
            && let Some(name) = intrinsic_name(self.out.statics.program, *id)
        {
            return self.lower_intrinsic(name, args, inst, dst);
        }
        // The target is read before the arguments are put in place: it may itself be a temporary.
        let target = match callee {
            Callee::Direct(_) => None,
            Callee::Indirect(operand) => Some(self.reg(*operand)?),
            Callee::Asm(_) => unreachable!("assembly has its own lowering"),
        };
        let arg_slots = self.emit_args(args)?;
        match (callee, target) {
            (Callee::Direct(id), _) => self.emit_direct(*id, fn_ty, args, arg_slots, dst),
            (_, Some(target)) => {
                let site = self.push_call_site(fn_ty, args, arg_slots)?;
                self.emit(Op::new(OpCode::CallIndirect, dst.0, target.0, site));
                Ok(())
            }
            _ => unreachable!("an indirect call has a target"),
        }
    }

    fn emit_direct(&mut self, id: FuncId, fn_ty: TypeId, args: &[Arg], arg_slots: u32, dst: Reg) -> Emit {
        let op = match self.out.target(id) {
            Target::External(external) => {
                let site = self.push_call_site(fn_ty, args, arg_slots)?;
                Op::new(OpCode::CallExternal, dst.0, external, site)
            }
            target => {
                let id = if let Target::Function(definition) = target { definition } else { id };
                let definition = self.out.statics.program.function(id);
                // A declaration without parameters (`int f();`) may be called with any; the rest must be there.
                let agrees = definition.ty == fn_ty && !definition.varargs;
                if agrees {
                    Op::new(OpCode::Call, dst.0, id.0, 0)
                } else {
                    let site = self.push_call_site(fn_ty, args, arg_slots)?;
                    Op::new(OpCode::CallVar, dst.0, id.0, site)
                }
            }
        };
        self.emit(op);
        Ok(())
    }

    /// Calls a library function that the code itself does not name.
    pub fn emit_external_call(&mut self, name: &str, args: &'p [Arg], inst: &Inst, dst: Reg) -> Emit {
        let arg_slots = self.emit_args(args)?;
        let external = self.out.external(name);
        let site = self.push_call_site_of(inst.ty, inst.ty, Prototype::Given, args, arg_slots)?;
        self.emit(Op::new(OpCode::CallExternal, dst.0, external, site));
        Ok(())
    }

    /// Puts the arguments above the frame.
    fn emit_args(&mut self, args: &'p [Arg]) -> Emit<u32> {
        let mut slot = 0;
        for arg in args {
            let n_slots = self.n_slots(self.type_of(arg.value))?;
            self.emit_operand_to(Regs::outgoing(slot), arg.value)?;
            slot += n_slots;
        }
        if slot as usize > super::MAX_ARG_SLOTS {
            return unsupported("a call with very many arguments");
        }
        Ok(slot)
    }

    /// Where `value` stands among the arguments of call `at`, if it may be computed right there.
    pub fn outgoing_slot(&self, at: u32, args: &[Arg], value: ValueId) -> Option<Reg> {
        let InstKind::Call { callee, .. } = &self.function.insts[at as usize].kind else { return None };
        match callee {
            Callee::Asm(_) => return None,
            Callee::Direct(id) if intrinsic_name(self.out.statics.program, *id).is_some() => return None,
            _ => {}
        }
        let mut slot = 0;
        for arg in args {
            if arg.value == Operand::Local(value) {
                return Some(Regs::outgoing(slot));
            }
            slot += self.n_slots(self.type_of(arg.value)).ok()?;
        }
        None
    }

    fn push_call_site(&mut self, fn_ty: TypeId, args: &[Arg], arg_slots: u32) -> Emit<u32> {
        let Type::Function { ret, params, varargs } = &self.out.statics.program.types[fn_ty] else {
            return unsupported("a call through something else than a function type");
        };
        // The type of a call through `int f();` is made from the arguments, and open at the end.
        let made_up = *varargs && (params.is_empty() || params.len() == args.len());
        let prototype = if made_up { Prototype::Absent } else { Prototype::Given };
        self.push_call_site_of(fn_ty, *ret, prototype, args, arg_slots)
    }

    fn push_call_site_of(
        &mut self,
        fn_ty: TypeId,
        ret: TypeId,
        prototype: Prototype,
        args: &[Arg],
        arg_slots: u32,
    ) -> Emit<u32> {
        let ret_slots = if ret == TypeTable::VOID { 0 } else { self.n_slots(ret)? };
        let returns = if ret == TypeTable::VOID { Vec::new() } else { self.shape(ret)?.leaves };
        let written = args.first().and_then(|arg| arg.attrs.sret);
        let writes_result = written.map(|ty| self.size_of(ty)).transpose()?;
        let mut shapes = Vec::with_capacity(args.len());
        let mut slot = 0;
        for arg in args {
            let ty = self.type_of(arg.value);
            let Some(class) = self.out.arg_class(ty, &arg.attrs) else {
                return unsupported("an argument of a type that is not passed in one piece");
            };
            shapes.push(ArgShape { slot, class });
            slot += self.n_slots(ty)?;
        }
        let site = self.out.image.call_sites.len() as u32;
        self.out.image.call_sites.push(CallSite {
            fn_ty,
            arg_slots,
            ret_slots,
            returns: returns.into(),
            writes_result,
            prototype,
            args: shapes.into(),
        });
        Ok(site)
    }

    pub fn lower_asm(&mut self, asm: &AsmText, inst: &Inst, args: &[Arg], dst: Reg) -> Emit {
        let Some(known) = KnownAsm::of(&asm.template) else {
            return unsupported(format!("inline assembly `{}`", asm.template.escape_default()));
        };
        if inst.result.is_none() {
            return Ok(());
        }
        let n_slots = self.n_slots(inst.ty)?;
        if known == KnownAsm::AsksProcessor {
            (0..n_slots).for_each(|i| self.emit_const(dst.offset(i), 0));
            return Ok(());
        }
        let constraints: Vec<&str> = asm.constraints.split(',').collect();
        let outputs = constraints.iter().filter(|text| text.starts_with('=') && !text.starts_with("=*")).count();
        if outputs != 1 {
            return unsupported("inline assembly with several results");
        }
        let inputs = constraints.iter().filter(|text| !text.starts_with('=') || text.starts_with("=*"));
        let tied = inputs.zip(args).find(|(text, _)| **text == "0");
        match tied {
            Some((_, arg)) => self.emit_operand_to(dst, arg.value),
            None => {
                self.emit_undef(dst, n_slots, 64);
                Ok(())
            }
        }
    }
}

/// What inline assembly does, as far as the program can see.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KnownAsm {
    /// Nothing: values pass through it, or it only orders what other threads see.
    PassesThrough,
    /// `cpuid`. The answer is a processor without extensions, so that programs take their portable ways.
    AsksProcessor,
}

impl KnownAsm {
    fn of(template: &str) -> Option<Self> {
        let instructions = || template.split(['\n', ';']).map(str::trim).filter(|text| !text.is_empty());
        let has_no_effect = |text: &str| {
            let aligns_code = [".p2align", ".balign", ".align"].iter().any(|directive| text.starts_with(directive));
            aligns_code || matches!(text, "nop" | "pause" | "rep" | "mfence" | "lfence" | "sfence")
        };
        if instructions().all(has_no_effect) {
            return Some(Self::PassesThrough);
        }
        // Around `cpuid`, compilers and headers save the register that position-independent code needs.
        let saves_register = |text: &str| text.starts_with("xchg") || text.starts_with("mov");
        let asks = instructions().any(|text| text == "cpuid")
            && instructions().all(|text| text == "cpuid" || saves_register(text) && text.contains("bx"));
        asks.then_some(Self::AsksProcessor)
    }
}

/// Functions that return a second time.
const SETJMP: &[&str] = &["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp"];

/// Whether a function of that name may return more than once.
pub fn returns_twice(name: &str) -> bool {
    SETJMP.contains(&name)
}

pub(super) fn calls_setjmp(program: &Program, function: &Function) -> bool {
    function.insts.iter().any(|inst| match &inst.kind {
        InstKind::Call { callee: Callee::Direct(id), .. } => {
            returns_twice(&program.symbol(program.function(*id).symbol).name)
        }
        _ => false,
    })
}
