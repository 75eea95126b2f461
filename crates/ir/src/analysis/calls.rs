//! The calls in a function's code and what they reach.

use crate::link::{Definition, Linkage};
use crate::model::{BlockId, Callee, ConstKind, FuncId, InstId, InstKind, Operand, Program, SymbolId, TypeId};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CallSite {
    pub block: BlockId,
    pub inst: InstId,
    pub target: CallTarget,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CallTarget {
    /// A function with a body, aliases followed.
    Function(FuncId),
    /// A function without a body in the program.
    External(SymbolId),
    Intrinsic(SymbolId),
    /// Through a pointer, as a function of this type.
    Indirect(TypeId),
    Asm,
}

/// The calls of a function in code order.
pub fn call_sites(program: &Program, linkage: &Linkage, function: FuncId) -> Vec<CallSite> {
    let body = program.function(function);
    let mut sites = Vec::new();
    for block in body.block_ids() {
        let first = body.blocks[block.index()].insts.start;
        for (inst, offset) in body.block_insts(block).iter().zip(0..) {
            if let InstKind::Call { callee, fn_ty, .. } = &inst.kind {
                let target = target(program, linkage, callee, *fn_ty);
                sites.push(CallSite { block, inst: InstId(first + offset), target });
            }
        }
    }
    sites
}

fn target(program: &Program, linkage: &Linkage, callee: &Callee, fn_ty: TypeId) -> CallTarget {
    let symbol = match *callee {
        Callee::Asm(_) => return CallTarget::Asm,
        Callee::Direct(function) => program.function(function).symbol,
        Callee::Indirect(pointer) => match named(program, pointer) {
            Some(symbol) => symbol,
            None => return CallTarget::Indirect(fn_ty),
        },
    };
    match linkage.definition(symbol) {
        Definition::Function(function) => CallTarget::Function(function),
        Definition::Intrinsic => CallTarget::Intrinsic(symbol),
        Definition::Global(_) | Definition::Address(_) => CallTarget::Indirect(fn_ty),
        Definition::IFunc(_) | Definition::Undefined | Definition::UndefinedWeak => CallTarget::External(symbol),
    }
}

/// The symbol that a pointer operand is.
fn named(program: &Program, pointer: Operand) -> Option<SymbolId> {
    match pointer {
        Operand::Const(constant) => match program.consts[constant].kind {
            ConstKind::Symbol(symbol) => Some(symbol),
            _ => None,
        },
        Operand::Local(_) => None,
    }
}
