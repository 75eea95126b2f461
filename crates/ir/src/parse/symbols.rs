//! The module's `@names`: ids from the first mention on, and the accounts to settle when all are known.

use super::Parser;
use super::error::{Fault, Parsed};
use super::lexer::Name;
use crate::model::{
    BlockId, Callee, ConstId, ConstKind, FuncId, InstId, InstKind, Linkage, Operand, Param, ParamAttrs, Symbol,
    SymbolId, SymbolKind, Type, TypeTable,
};
use rustc_hash::{FxHashMap, FxHashSet};

struct Entry {
    id: SymbolId,
    /// The symbol's address.
    constant: ConstId,
    first_use: usize,
    defined: bool,
}

/// A `blockaddress` whose function or block may not have been read yet.
struct PendingBlockAddress<'a> {
    constant: ConstId,
    function: SymbolId,
    block: Name<'a>,
    at: usize,
}

#[derive(Default)]
pub(super) struct SymbolScope<'a> {
    ids: FxHashMap<Name<'a>, usize>,
    entries: Vec<Entry>,
    /// Calls of a symbol that was not defined when they were read.
    early_calls: Vec<(FuncId, InstId, SymbolId)>,
    block_addresses: Vec<PendingBlockAddress<'a>>,
    /// Kept only in modules that take block addresses.
    pub labels: Option<FxHashMap<(FuncId, Name<'a>), BlockId>>,
    /// Functions and the attribute groups they name.
    pub group_uses: Vec<(FuncId, u32)>,
    pub noreturn_groups: FxHashSet<u32>,
}

impl<'a> Parser<'_, 'a> {
    /// The entry of the `@name` at the current token, which is consumed.
    fn symbol_entry(&mut self) -> Parsed<usize> {
        let at = self.cursor.start;
        let name = self.cursor.global_name().ok_or_else(|| self.cursor.expected("a global name"))?;
        self.cursor.bump();
        if let Some(&index) = self.symbols.ids.get(&name) {
            return Ok(index);
        }
        let text = match &name {
            Name::Number(number) => number.to_string().into(),
            Name::Text(text) => text.as_ref().into(),
        };
        let id = SymbolId::new(self.program.symbols.len());
        // Kind and linkage are placeholders until the definition is read; a module that lacks one is refused.
        let placeholder =
            Symbol { name: text, module: self.module, linkage: Linkage::External, kind: SymbolKind::IFunc };
        self.program.symbols.push(placeholder);
        let constant = self.program.consts.mk(TypeTable::PTR, ConstKind::Symbol(id));
        let index = self.symbols.entries.len();
        self.symbols.entries.push(Entry { id, constant, first_use: at, defined: false });
        self.symbols.ids.insert(name, index);
        Ok(index)
    }

    /// The address of the symbol at the current token.
    pub(super) fn symbol_address(&mut self) -> Parsed<ConstId> {
        let index = self.symbol_entry()?;
        Ok(self.symbols.entries[index].constant)
    }

    /// The name being defined at the current token. Whoever calls this sets linkage and kind.
    pub(super) fn defined_symbol(&mut self) -> Parsed<SymbolId> {
        let at = self.cursor.start;
        let is_numbered = matches!(self.cursor.global_name(), Some(Name::Number(_)));
        let index = self.symbol_entry()?;
        let entry = &mut self.symbols.entries[index];
        if std::mem::replace(&mut entry.defined, true) {
            return Err(Fault::new(at, format!("symbol `{}` is defined twice", self.cursor.text_at(at))));
        }
        if is_numbered {
            // Nobody outside can name it, and its number must not meet another module's.
            self.program.symbols[entry.id.index()].linkage = Linkage::Internal;
        }
        Ok(entry.id)
    }

    pub(super) fn set_symbol(&mut self, id: SymbolId, linkage: Linkage, kind: SymbolKind) {
        let symbol = &mut self.program.symbols[id.index()];
        if symbol.linkage != Linkage::Internal {
            symbol.linkage = linkage;
        }
        symbol.kind = kind;
    }

    /// What a call of this address reaches, as far as is known by now.
    pub(super) fn callee_of(&mut self, address: ConstId) -> Callee {
        let ConstKind::Symbol(symbol) = self.program.consts[address].kind else {
            return Callee::Indirect(Operand::Const(address));
        };
        match self.program.symbol(symbol).kind {
            SymbolKind::Function(function) => Callee::Direct(function),
            // Also the placeholder of a symbol that comes later.
            SymbolKind::IFunc => {
                let place = (self.body.function, InstId::new(self.body.insts.len()), symbol);
                self.symbols.early_calls.push(place);
                Callee::Indirect(Operand::Const(address))
            }
            SymbolKind::Global(_) | SymbolKind::Alias(_) => Callee::Indirect(Operand::Const(address)),
        }
    }

    /// `blockaddress(@function, %block)`, after the keyword.
    pub(super) fn block_address(&mut self) -> Parsed<ConstId> {
        self.cursor.expect(b'(')?;
        let index = self.symbol_entry()?;
        let function = self.symbols.entries[index].id;
        self.cursor.expect(b',')?;
        let at = self.cursor.start;
        let block = self.cursor.local_name().ok_or_else(|| self.cursor.expected("a block"))?;
        self.cursor.bump();
        self.cursor.expect(b')')?;
        let constant = self.program.consts.reserve(TypeTable::PTR);
        self.symbols.block_addresses.push(PendingBlockAddress { constant, function, block, at });
        Ok(constant)
    }

    /// With the whole module read, nothing may stay open.
    pub(super) fn settle_symbols(&mut self) -> Parsed<()> {
        self.declare_intrinsics();
        if let Some(open) = self.symbols.entries.iter().find(|entry| !entry.defined) {
            let name = self.cursor.text_at(open.first_use);
            let message = format!("`{name}` is neither defined nor declared in this module");
            return Err(Fault::new(open.first_use, message));
        }
        for (caller, inst, symbol) in std::mem::take(&mut self.symbols.early_calls) {
            if let SymbolKind::Function(target) = self.program.symbol(symbol).kind
                && let InstKind::Call { callee, .. } =
                    &mut self.program.functions[caller.index()].insts[inst.index()].kind
            {
                *callee = Callee::Direct(target);
            }
        }
        for (function, group) in std::mem::take(&mut self.symbols.group_uses) {
            self.program.functions[function.index()].noreturn |= self.symbols.noreturn_groups.contains(&group);
        }
        self.settle_block_addresses()
    }

    /// Intrinsics may be called without a declaration; the first call then states the type.
    fn declare_intrinsics(&mut self) {
        let Some(first) = self.symbols.entries.first().map(|entry| entry.id.index()) else {
            return;
        };
        for place in 0..self.symbols.early_calls.len() {
            let (caller, inst, symbol) = self.symbols.early_calls[place];
            // Symbols and entries are made together, so they are in one order.
            let entry = &mut self.symbols.entries[symbol.index() - first];
            if entry.defined || !self.program.symbol(symbol).name.starts_with("llvm.") {
                continue;
            }
            let InstKind::Call { fn_ty, .. } = self.program.function(caller).insts[inst.index()].kind else {
                continue;
            };
            if let Type::Function { params, .. } = &self.program.types[fn_ty] {
                entry.defined = true;
                let params = params.iter().map(|&ty| Param { ty, attrs: ParamAttrs::default() }).collect();
                self.mk_function(symbol, Linkage::External, fn_ty, params);
            }
        }
    }

    fn settle_block_addresses(&mut self) -> Parsed<()> {
        let labels = self.symbols.labels.take().unwrap_or_default();
        for pending in std::mem::take(&mut self.symbols.block_addresses) {
            let SymbolKind::Function(function) = self.program.symbol(pending.function).kind else {
                return Err(Fault::new(pending.at, "the address of a block of something that is not a function"));
            };
            let Some(&block) = labels.get(&(function, pending.block)) else {
                let name = self.cursor.text_at(pending.at);
                return Err(Fault::new(pending.at, format!("the function has no block `{name}`")));
            };
            self.program.consts.define(pending.constant, ConstKind::BlockAddress(function, block));
        }
        Ok(())
    }
}
