//! Lowering: a linked program becomes dense code.
//!
//! Enter through [`lower`]. `statics` places globals and evaluates constants, `plan` decides per function which allocas
//! become registers and which instructions melt into their users, the other files emit operations. Nothing in here
//! fails on a construct that we don't support: it becomes an operation that ends the path when it is executed.

mod address;
mod address_taken;
mod calls;
mod conditions;
mod control;
mod effective;
mod function;
mod inst;
mod intrinsics;
mod merged;
mod operands;
mod plan;
mod regs;
mod statics;

use crate::code::{ArgClass, FuncCode, Image, Op, OpCode, OpIdx, Origin, Scalar, Semantics, Shape, SlowOp, Target};
use crate::debug::DebugInfo;
use crate::link::{Definition, Linkage, Role, Structor};
use crate::model::{
    FuncId, Function, MdId, MdNode, MdValue, Module, ModuleId, Param, ParamAttrs, Program, SymbolKind, TypeId,
    TypeTable,
};
use address_taken::address_taken;
pub use calls::returns_twice;
use function::{FuncLowering, Unsupported};
use rustc_hash::FxHashMap;
use statics::{NoValue, Statics};
use thiserror::Error;

/// Checks that cost time and are therefore compiled in only on request.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checks {
    pub signed_overflow: SignedOverflow,
    /// Accesses through types that C does not allow.
    pub effective_type: bool,
    pub uninitialised: Uninitialised,
}

/// What happens where a signed number does not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SignedOverflow {
    /// Nobody looks.
    #[default]
    Wraps,
    /// It wraps around, and the machine hears of it: a loop that goes on by that is not known to be endless.
    IsNoticed,
    /// In code as it was written; elsewhere it is noticed.
    IsError,
}

/// What the value of a variable is that was not given one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Uninitialised {
    /// None: it is an error if something depends on it.
    #[default]
    IsError,
    /// Any: variables that may be read first are objects in memory, where a machine can give them one.
    IsAny,
}

/// A call passes no more slots than this, so that the VM need not look at each call's own number.
pub const MAX_ARG_SLOTS: usize = 1024;

#[derive(Debug, Error)]
pub enum LowerError {
    #[error("a global variable can't be initialised: {0}")]
    Initialiser(Box<str>),
}

struct Lowering<'p> {
    debug: DebugInfo<'p>,
    statics: Statics<'p>,
    checks: Checks,
    image: Image,
    externals: FxHashMap<Box<str>, u32>,
    targets: Vec<Target>,
    /// By module.
    semantics: Vec<Semantics>,
    address_taken: Vec<FuncId>,
}

/// Makes a linked program ready to run.
pub fn lower(
    program: &Program,
    linkage: &Linkage,
    role: impl Fn(ModuleId) -> Role,
    checks: Checks,
) -> Result<Image, LowerError> {
    let statics = Statics::place(program, linkage);
    let mut lowering = Lowering {
        debug: DebugInfo::new(program),
        statics,
        checks,
        image: Image::default(),
        externals: FxHashMap::default(),
        targets: Vec::new(),
        semantics: program.modules.iter().map(|module| semantics(program, module)).collect(),
        address_taken: address_taken(program, linkage),
    };
    lowering.image.overflow_is_error = checks.signed_overflow == SignedOverflow::IsError;
    lowering.image.effective = checks.effective_type.then(Box::default);
    lowering.note_static_types();
    lowering.find_targets();
    for idx in 0..program.functions.len() {
        let id = FuncId::new(idx);
        let module = program.symbol(program.function(id).symbol).module;
        let origin = if role(module) == Role::Library { Origin::Library } else { Origin::User };
        let code = lowering.lower_function(id, origin);
        lowering.image.functions.push(code);
    }
    lowering.image.statics = lowering.statics.objects().map_err(|NoValue(what)| LowerError::Initialiser(what))?;
    lowering.image.constructors = lowering.structors(linkage.constructors());
    lowering.image.destructors = lowering.structors(linkage.destructors());
    Ok(lowering.image)
}

impl<'p> Lowering<'p> {
    fn find_targets(&mut self) {
        let program = self.statics.program;
        for idx in 0..program.functions.len() {
            let id = FuncId::new(idx);
            let target = match self.statics.linkage.function(program, id) {
                Definition::Function(definition) if definition == id => Target::Code,
                Definition::Function(definition) => Target::Function(definition),
                _ => Target::External(self.external(&program.symbol(program.function(id).symbol).name)),
            };
            self.targets.push(target);
        }
    }

    fn target(&self, id: FuncId) -> Target {
        self.targets[id.index()]
    }

    /// The number of a library function.
    fn external(&mut self, name: &str) -> u32 {
        if let Some(&external) = self.externals.get(name) {
            return external;
        }
        let external = self.image.externals.len() as u32;
        self.image.externals.push(name.into());
        self.externals.insert(name.into(), external);
        external
    }

    fn lower_function(&mut self, id: FuncId, origin: Origin) -> FuncCode {
        let program = self.statics.program;
        let function = program.function(id);
        let target = self.target(id);
        let entry = self.image.next_op();
        let (n_slots, variables) = match target {
            Target::Code => self.emit_body(id, entry, origin),
            _ => Default::default(),
        };
        let (named_gp, named_fp) = named_registers(program, function);
        let shape = |ty| match ty {
            TypeTable::VOID => None,
            _ => Shape::of(&program.types, self.statics.layout, ty),
        };
        let result = shape(function.ret).unwrap_or_default();
        let written = function.params.first().and_then(|param| param.attrs.sret);
        let param_slots = function.params.iter().filter_map(|param| Some(shape(param.ty)?.n_slots));
        FuncCode {
            name: program.symbol(function.symbol).name.clone(),
            target,
            entry,
            end: self.image.next_op(),
            n_slots,
            param_slots: param_slots.sum::<u32>().min(MAX_ARG_SLOTS as u32),
            ret_slots: result.n_slots,
            returns: result.leaves.into(),
            writes_result: written.and_then(|ty| self.statics.size_of(ty).ok()),
            fn_ty: function.ty,
            varargs: function.varargs,
            params: function.params.iter().map(|param| self.param_class(param)).collect(),
            named_gp,
            named_fp,
            native_bytes: self.native_frame(function),
            origin,
            is_address_taken: self.address_taken.binary_search(&id).is_ok(),
            is_volatile: function.insts.iter().any(|inst| inst.kind.is_volatile()),
            variables,
            semantics: self.semantics_of(id),
        }
    }

    fn semantics_of(&self, id: FuncId) -> Semantics {
        let program = self.statics.program;
        self.semantics[program.symbol(program.function(id).symbol).module.index()]
    }

    /// As `arg_class`. A parameter without one fits no argument of a call that has to be checked.
    fn param_class(&self, param: &Param) -> ArgClass {
        self.arg_class(param.ty, &param.attrs).unwrap_or(ArgClass::Memory { size: 0, align: 1 })
    }

    /// How a value of this type is passed.
    fn arg_class(&self, ty: TypeId, attrs: &ParamAttrs) -> Option<ArgClass> {
        if let Some(pointee) = attrs.byval {
            let size = self.statics.size_of(pointee).ok()?;
            return Some(ArgClass::Memory { size, align: attrs.align.max(8) });
        }
        let lanes = crate::code::Lanes::of(&self.statics.program.types, ty)?;
        Some(match lanes.count {
            1 => ArgClass::Scalar(lanes.scalar),
            n => ArgClass::Vector(lanes.scalar, n),
        })
    }

    /// Emits a function's operations. Returns how many slots the frame has, and the variables among them.
    fn emit_body(&mut self, id: FuncId, entry: OpIdx, origin: Origin) -> (u32, Box<[(u32, MdId)]>) {
        let mut lowering = FuncLowering::new(self, id, origin);
        let outcome = lowering.run();
        let (n_slots, variables) = (lowering.regs.n_slots(), lowering.named_slots());
        if let Err(Unsupported(what)) = outcome {
            // Not even the frame could be laid out: calling the function is what is unsupported.
            self.image.forget_from(entry);
            let slow = self.image.slow.len() as u32;
            self.image.slow.push(SlowOp::Unsupported(what));
            self.image.ops.push(Op::new(OpCode::Slow, 0, slow, 0));
            self.image.locs.push(crate::code::NO_LOC);
        }
        (n_slots, variables)
    }

    /// Return address, saved frame pointer and all locals.
    fn native_frame(&self, function: &Function) -> u32 {
        let mut bytes = 32u64;
        for inst in &function.insts {
            if let crate::model::InstKind::Alloca { elem, .. } = inst.kind {
                bytes += self.statics.size_of(elem).unwrap_or(0);
            }
        }
        u32::try_from(bytes).unwrap_or(u32::MAX)
    }

    fn structors(&self, list: &[Structor]) -> Vec<FuncId> {
        let program = self.statics.program;
        list.iter()
            .filter_map(|structor| match program.consts[structor.function].kind {
                crate::model::ConstKind::Symbol(symbol) => match program.symbol(symbol).kind {
                    SymbolKind::Function(id) => Some(id),
                    _ => None,
                },
                _ => None,
            })
            .collect()
    }
}

/// Whether an optimiser has been at work on a module.
pub fn is_optimised(program: &Program, module: ModuleId) -> bool {
    semantics(program, &program.modules[module.index()]) == Semantics::Optimised
}

/// Code is as written if its compile units say so; without debug info nobody knows.
fn semantics(program: &Program, module: &Module) -> Semantics {
    let units =
        module.named_metadata.iter().find(|(name, _)| name == "llvm.dbg.cu").map_or(&[][..], |(_, units)| units);
    let as_written = |unit: &MdNode| match unit {
        MdNode::Named { fields, .. } => {
            !fields.iter().any(|field| &*field.name == "isOptimized" && field.value == MdValue::Bool(true))
        }
        _ => false,
    };
    match units.iter().all(|&unit| as_written(&program.metadata[unit])) && !units.is_empty() {
        true => Semantics::Source,
        false => Semantics::Optimised,
    }
}

/// How many general and vector registers the named parameters take in the System V calling convention.
fn named_registers(program: &Program, function: &Function) -> (u32, u32) {
    let (mut gp, mut fp) = (0, 0);
    for param in &function.params {
        if param.attrs.byval.is_some() {
            continue;
        }
        let Some(lanes) = crate::code::Lanes::of(&program.types, param.ty) else { continue };
        match lanes.scalar {
            Scalar::Float(spelunk_bv::float::FloatKind::X86Fp80) => {}
            Scalar::Float(_) => fp += 1,
            _ if lanes.count > 1 => fp += 1,
            scalar => gp += scalar.n_slots(),
        }
    }
    (gp, fp)
}
