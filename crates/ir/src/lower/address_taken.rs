//! Whose address the linked program takes: an indirect call may reach these.

use crate::link::{Definition, Linkage, for_each_const_operand};
use crate::model::{Callee, ConstId, ConstKind, FuncId, InstKind, Operand, Program};

/// The functions that code or data uses as a value, in id order.
pub(super) fn address_taken(program: &Program, linkage: &Linkage) -> Vec<FuncId> {
    let mut search = AddressSearch {
        program,
        linkage,
        seen: vec![false; program.consts.len()],
        pending: Vec::new(),
        taken: Vec::new(),
    };
    for function in linked_functions(program, linkage) {
        for inst in &program.function(function).insts {
            search.add_operands(&inst.kind);
        }
    }
    for &global in linkage.globals() {
        program.global(global).init.into_iter().for_each(|init| search.add(init));
    }
    search.run()
}

/// The functions with a body in linked modules.
fn linked_functions(program: &Program, linkage: &Linkage) -> Vec<FuncId> {
    let mut is_linked = vec![false; program.modules.len()];
    linkage.linked_modules().iter().for_each(|module| is_linked[module.index()] = true);
    let functions = (0..program.functions.len()).map(FuncId::new);
    functions
        .filter(|&id| {
            let function = program.function(id);
            !function.is_declaration() && is_linked[program.symbol(function.symbol).module.index()]
        })
        .collect()
}

struct AddressSearch<'a> {
    program: &'a Program,
    linkage: &'a Linkage,
    seen: Vec<bool>,
    pending: Vec<ConstId>,
    taken: Vec<FuncId>,
}

impl AddressSearch<'_> {
    fn add(&mut self, constant: ConstId) {
        if !std::mem::replace(&mut self.seen[constant.index()], true) {
            self.pending.push(constant);
        }
    }

    /// A constant callee is called, not taken.
    fn add_operands(&mut self, inst: &InstKind) {
        let mut add = |operand| {
            if let Operand::Const(constant) = operand {
                self.add(constant);
            }
        };
        match inst {
            InstKind::Call { callee: Callee::Indirect(Operand::Const(_)), args, .. } => {
                args.iter().for_each(|arg| add(arg.value));
            }
            other => other.for_each_operand(add),
        }
    }

    fn run(mut self) -> Vec<FuncId> {
        while let Some(constant) = self.pending.pop() {
            let kind = &self.program.consts[constant].kind;
            if let ConstKind::Symbol(symbol) = kind {
                match self.linkage.definition(*symbol) {
                    Definition::Function(function) => self.taken.push(function),
                    Definition::Address(address) => self.add(address),
                    _ => {}
                }
            }
            for_each_const_operand(kind, |operand| self.add(operand));
        }
        self.taken.sort_unstable();
        self.taken.dedup();
        self.taken
    }
}
