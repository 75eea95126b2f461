//! The module as a whole: target lines, globals, functions, metadata.

use super::Printer;
use super::types::OPAQUE;
use crate::model::{FuncId, Function, GlobalVar, Linkage, ParamAttrs, Symbol, SymbolId, SymbolKind, Type, TypeId};
use std::fmt::Write;

impl Printer<'_> {
    pub(super) fn module(&mut self) {
        let program = self.program;
        let mine = |symbol: SymbolId| program.symbol(symbol).module == self.module;
        let globals: Vec<_> = program.globals.iter().filter(|global| mine(global.symbol)).collect();
        let indirect = self.indirect_symbols();
        let functions = (0..program.functions.len()).map(FuncId::new);
        let functions: Vec<_> = functions.filter(|&id| mine(program.function(id).symbol)).collect();

        self.header();
        for global in globals {
            self.global(global);
        }
        for symbol in indirect {
            self.indirect_symbol(symbol);
        }
        for function in functions {
            self.function(function);
        }
        self.named_metadata();
        self.numbered_nodes();
    }

    /// Aliases and ifuncs in an order that does not depend on where they were first mentioned.
    fn indirect_symbols(&self) -> Vec<SymbolId> {
        let symbols = (0..self.program.symbols.len()).map(SymbolId::new).filter(|&id| {
            let symbol = self.program.symbol(id);
            symbol.module == self.module && matches!(symbol.kind, SymbolKind::Alias(_) | SymbolKind::IFunc)
        });
        let mut symbols: Vec<_> = symbols.collect();
        symbols.sort_by_key(|&id| {
            let symbol = self.program.symbol(id);
            // Ifuncs print as variables and so must directly follow those.
            (symbol.kind != SymbolKind::IFunc, &symbol.name)
        });
        symbols
    }

    fn header(&mut self) {
        let module = &self.program.modules[self.module.index()];
        self.text("source_filename = ");
        self.quoted(module.source_filename.as_bytes());
        let i128_part = if module.data_layout.i128_align == 16 { "-i128:128" } else { "" };
        let _ = writeln!(
            self.out,
            "\ntarget datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64{i128_part}-f80:128-n8:16:32:64-S128\""
        );
        if !module.target_triple.is_empty() {
            self.text("target triple = ");
            self.quoted(module.target_triple.as_bytes());
            self.text("\n");
        }
        for line in &module.inline_asm {
            self.text("module asm ");
            self.quoted(line.as_bytes());
            self.text("\n");
        }
        let types = &self.program.types;
        if (0..types.len()).any(|index| types[TypeId::new(index)] == Type::Opaque) {
            let _ = writeln!(self.out, "{OPAQUE} = type opaque");
        }
    }

    fn global(&mut self, global: &GlobalVar) {
        self.symbol(global.symbol);
        self.text(" = ");
        match (global.init, self.program.symbol(global.symbol).linkage) {
            // Not even a nameless declaration, which the model makes internal, may lack an initialiser otherwise.
            (None, linkage) if linkage != Linkage::ExternWeak => self.text("external "),
            (_, linkage) => self.linkage(linkage),
        }
        if global.thread_local {
            self.text("thread_local ");
        }
        self.text(if global.constant { "constant " } else { "global " });
        match global.init {
            Some(init) => self.typed_constant(init),
            None => self.ty(global.ty),
        }
        self.alignment(global.align);
        for &debug in &global.debug {
            self.location(Some(debug));
        }
        self.text("\n");
    }

    fn indirect_symbol(&mut self, id: SymbolId) {
        let Symbol { linkage, kind, .. } = *self.program.symbol(id);
        self.symbol(id);
        self.text(" = ");
        if let SymbolKind::Alias(target) = kind {
            self.linkage(linkage);
            self.text("alias i8, ");
            self.typed_constant(target);
        } else {
            // The model does not keep the resolver of an ifunc.
            self.text("external global i8");
        }
        self.text("\n");
    }

    fn linkage(&mut self, linkage: Linkage) {
        self.text(match linkage {
            Linkage::External => "",
            Linkage::ExternWeak => "extern_weak ",
            Linkage::Internal => "internal ",
            Linkage::AvailableExternally => "available_externally ",
            Linkage::Weak => "weak ",
            Linkage::Common => "common ",
            Linkage::Appending => "appending ",
        });
    }

    /// `, align 8`, if one is stated.
    pub(super) fn alignment(&mut self, align: u32) {
        if align != 0 {
            let _ = write!(self.out, ", align {align}");
        }
    }

    fn function(&mut self, id: FuncId) {
        let function = self.program.function(id);
        self.text("\n");
        if function.is_declaration() {
            self.text("declare ");
            if let Some(debug) = function.debug {
                self.text("!dbg ");
                self.node(debug);
                self.text(" ");
            }
            self.signature(function);
            self.text("\n");
            return;
        }
        self.text("define ");
        self.signature(function);
        if let Some(personality) = function.personality {
            self.text(" personality ");
            self.typed_constant(personality);
        }
        if let Some(debug) = function.debug {
            self.text(" !dbg ");
            self.node(debug);
        }
        self.text(" {\n");
        self.body(id);
        self.text("}\n");
    }

    fn signature(&mut self, function: &Function) {
        let linkage = self.program.symbol(function.symbol).linkage;
        if !function.is_declaration() || linkage == Linkage::ExternWeak {
            self.linkage(linkage);
        }
        self.ty(function.ret);
        self.text(" ");
        self.symbol(function.symbol);
        self.text("(");
        self.list(&function.params, |p, param| {
            p.ty(param.ty);
            p.param_attributes(param.attrs);
        });
        if function.varargs {
            self.text(if function.params.is_empty() { "..." } else { ", ..." });
        }
        self.text(if function.noreturn { ") noreturn" } else { ")" });
    }

    pub(super) fn param_attributes(&mut self, attrs: ParamAttrs) {
        let typed = [("byval", attrs.byval), ("sret", attrs.sret), ("elementtype", attrs.elementtype)];
        for (name, ty) in typed {
            if let Some(ty) = ty {
                let _ = write!(self.out, " {name}(");
                self.ty(ty);
                self.text(")");
            }
        }
        if attrs.align != 0 {
            let _ = write!(self.out, " align {}", attrs.align);
        }
    }
}
