//! From symbols to definitions: aliases are followed to the function, variable or expression they name.
//!
//! An alias names what its own module defines, even where another module's definition of that name wins, as in
//! object files.

use super::resolve::{Resolution, defines, is_intrinsic, is_visible};
use super::{Definition, LinkError, for_each_const_operand};
use crate::model::{ConstId, ConstKind, Linkage, Program, Symbol, SymbolId, SymbolKind};

/// The definition of each symbol of the program; `Undefined` for those of modules that are not linked.
pub(super) fn definitions(program: &Program, resolution: &Resolution) -> Result<Vec<Definition>, LinkError> {
    let names = Names { program, resolution };
    names.check_cycles()?;
    let mut definitions = vec![Definition::Undefined; program.symbols.len()];
    for &id in &resolution.symbols {
        definitions[id.index()] = names.define(id);
    }
    Ok(definitions)
}

fn undefined(symbol: &Symbol) -> Definition {
    match symbol.linkage {
        _ if is_intrinsic(symbol) => Definition::Intrinsic,
        Linkage::ExternWeak => Definition::UndefinedWeak,
        _ => Definition::Undefined,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    Never,
    Open,
    Done,
}

struct Names<'a> {
    program: &'a Program,
    resolution: &'a Resolution,
}

impl Names<'_> {
    /// Ends because `check_cycles` went before.
    fn define(&self, mut id: SymbolId) -> Definition {
        if self.program.symbol(id).linkage == Linkage::Appending {
            return Definition::Intrinsic;
        }
        let mut definer = self.prevailing(id);
        while let Some(found) = definer {
            let target = match self.program.symbol(found).kind {
                SymbolKind::Function(function) => return Definition::Function(function),
                SymbolKind::Global(global) => return Definition::Global(global),
                SymbolKind::IFunc => return Definition::IFunc(found),
                SymbolKind::Alias(target) => target,
            };
            let ConstKind::Symbol(named) = self.program.consts[target].kind else {
                return Definition::Address(target);
            };
            id = named;
            definer = self.nearest(named);
        }
        undefined(self.program.symbol(id))
    }

    /// The defining symbol that a use of `id` reaches.
    fn prevailing(&self, id: SymbolId) -> Option<SymbolId> {
        let symbol = self.program.symbol(id);
        if is_visible(symbol) { self.resolution.winner(id) } else { Some(id).filter(|_| defines(self.program, symbol)) }
    }

    /// The defining symbol that an alias of `id` reaches.
    fn nearest(&self, id: SymbolId) -> Option<SymbolId> {
        if defines(self.program, self.program.symbol(id)) { Some(id) } else { self.prevailing(id) }
    }

    fn check_cycles(&self) -> Result<(), LinkError> {
        let mut visits = vec![Visit::Never; self.program.symbols.len()];
        let mut stack: Vec<SymbolId> = self.resolution.symbols.clone();
        while let Some(&id) = stack.last() {
            let SymbolKind::Alias(target) = self.program.symbol(id).kind else {
                stack.pop();
                continue;
            };
            match visits[id.index()] {
                Visit::Never => {
                    visits[id.index()] = Visit::Open;
                    for next in self.mentioned(target) {
                        if visits[next.index()] == Visit::Open {
                            return Err(self.cycle(next));
                        }
                        stack.push(next);
                    }
                }
                Visit::Open | Visit::Done => {
                    visits[id.index()] = Visit::Done;
                    stack.pop();
                }
            }
        }
        Ok(())
    }

    /// The defining symbols that the target of an alias leads to.
    fn mentioned(&self, target: ConstId) -> Vec<SymbolId> {
        if let ConstKind::Symbol(named) = self.program.consts[target].kind {
            return self.nearest(named).into_iter().collect();
        }
        let mut found = Vec::new();
        let mut constants = vec![target];
        while let Some(constant) = constants.pop() {
            let kind = &self.program.consts[constant].kind;
            if let ConstKind::Symbol(named) = kind {
                found.extend(self.prevailing(*named));
            }
            for_each_const_operand(kind, |operand| constants.push(operand));
        }
        found
    }

    fn cycle(&self, id: SymbolId) -> LinkError {
        let symbol = self.program.symbol(id);
        LinkError::AliasCycle {
            symbol: symbol.name.to_string(),
            module: self.program.modules[symbol.module.index()].name.clone(),
        }
    }
}
