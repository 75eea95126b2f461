//! Who calls whom in the linked program.
//!
//! An indirect call may reach each function of a fitting type whose address the program takes.

use super::calls::{CallSite, CallTarget, call_sites};
use super::graph::Graph;
use crate::link::{Definition, Linkage, for_each_const_operand};
use crate::model::{Callee, ConstId, ConstKind, FuncId, InstKind, Operand, Program, Type, TypeId};

#[derive(Clone, Debug)]
pub struct CallGraph {
    graph: Graph,
    /// By function; empty for those that are not linked.
    sites: Vec<Vec<CallSite>>,
    address_taken: Vec<FuncId>,
}

impl CallGraph {
    pub fn new(program: &Program, linkage: &Linkage) -> Self {
        let linked = linked_functions(program, linkage);
        let address_taken = address_taken(program, linkage);
        let mut sites = vec![Vec::new(); program.functions.len()];
        let mut edges = Vec::new();
        for &function in &linked {
            let calls = call_sites(program, linkage, function);
            let first = edges.len();
            for call in &calls {
                match call.target {
                    CallTarget::Function(callee) => edges.push((function.0, callee.0)),
                    CallTarget::Indirect(ty) => {
                        let fitting = address_taken.iter().filter(|&&callee| fits(program, ty, callee));
                        edges.extend(fitting.map(|callee| (function.0, callee.0)));
                    }
                    CallTarget::External(_) | CallTarget::Intrinsic(_) | CallTarget::Asm => {}
                }
            }
            edges[first..].sort_unstable();
            sites[function.index()] = calls;
        }
        edges.dedup();
        Self { graph: Graph::new(program.functions.len(), &edges), sites, address_taken }
    }

    /// The functions that a function may call, indirectly ones included, in id order.
    pub fn callees(&self, function: FuncId) -> impl ExactSizeIterator<Item = FuncId> + '_ {
        self.graph.succs(function.0).iter().copied().map(FuncId)
    }

    pub fn callers(&self, function: FuncId) -> impl ExactSizeIterator<Item = FuncId> + '_ {
        self.graph.preds(function.0).iter().copied().map(FuncId)
    }

    pub fn sites(&self, function: FuncId) -> &[CallSite] {
        &self.sites[function.index()]
    }

    /// The functions that an indirect call may reach, in id order.
    pub fn address_taken(&self) -> &[FuncId] {
        &self.address_taken
    }

    /// The functions that an indirect call with this type may reach.
    pub fn candidates<'a>(&'a self, program: &'a Program, ty: TypeId) -> impl Iterator<Item = FuncId> + 'a {
        self.address_taken.iter().copied().filter(move |&callee| fits(program, ty, callee))
    }

    /// What may run if `roots` are called, roots included, callers before callees where there is no recursion.
    pub fn reachable(&self, roots: &[FuncId]) -> Vec<FuncId> {
        let mut seen = vec![false; self.graph.n_nodes()];
        let mut order = Vec::new();
        for root in roots {
            if seen[root.index()] {
                continue;
            }
            for function in self.graph.reverse_postorder(root.0) {
                if !std::mem::replace(&mut seen[function as usize], true) {
                    order.push(FuncId(function));
                }
            }
        }
        order
    }

    /// All functions, grouped where they call each other in a circle; callees come before their callers.
    pub fn components(&self) -> Vec<Vec<FuncId>> {
        let all: Vec<u32> = (0..self.graph.n_nodes() as u32).collect();
        let components = self.graph.components(&all).into_iter();
        components.map(|component| component.into_iter().map(FuncId).collect()).collect()
    }

    /// May these functions, a component, call themselves?
    pub fn is_recursive(&self, component: &[FuncId]) -> bool {
        component.len() > 1 || component.first().is_some_and(|function| self.graph.has_self_edge(function.0))
    }
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

/// Could a call with this type reach `callee` without being undefined behaviour? Calls without a prototype look like
/// variadic ones.
fn fits(program: &Program, ty: TypeId, callee: FuncId) -> bool {
    let callee_ty = program.function(callee).ty;
    if ty == callee_ty {
        return true;
    }
    let (
        Type::Function { ret, params, varargs },
        Type::Function { ret: callee_ret, params: callee_params, varargs: callee_varargs },
    ) = (&program.types[ty], &program.types[callee_ty])
    else {
        return false;
    };
    let n_shared = params.len().min(callee_params.len());
    ret == callee_ret && (*varargs || *callee_varargs) && params[..n_shared] == callee_params[..n_shared]
}

/// The functions that code or data uses as a value, in id order.
pub fn address_taken(program: &Program, linkage: &Linkage) -> Vec<FuncId> {
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
