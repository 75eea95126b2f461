//! Names of the C library that the program defines itself, or that it gets from us: stubs and the like. Under other names, they
//! serve the program alone: the runtime, the sanitizers and the C library go on with those of the library.

use std::collections::BTreeSet;
use std::fs;

use object::{Object, ObjectSymbol};
use spelunk_driver::Clang;
use spelunk_ir::code::Image;
use spelunk_ir::model::{Linkage, Program, Symbol, SymbolKind};

use crate::stubs::undefined;

pub const PREFIX: &str = "spelunk_own_";

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct OwnSymbols(BTreeSet<String>);

impl OwnSymbols {
    /// Those of the sources, which are the first modules, and of functions that nobody defines. Without a library to look at
    /// there are none.
    pub fn find(program: &Program, n_sources: usize, image: &Image, clang: &Clang) -> Self {
        let defined = program.symbols.iter().filter(|symbol| is_defined(program, n_sources, symbol));
        let defined = defined.map(|symbol| &*symbol.name).filter(|&name| name != "main");
        let defined: BTreeSet<&str> = defined.chain(undefined(image)).collect();
        let library = of_library(clang).unwrap_or_default();
        Self(library.into_iter().filter(|name| defined.contains(&**name)).collect())
    }

    /// The same with functions of the library that the program gets from us.
    pub fn with(mut self, ours: impl IntoIterator<Item = String>) -> Self {
        self.0.extend(ours);
        self
    }

    /// What C code is compiled behind; nothing if it needs nothing.
    pub fn header(&self) -> Option<String> {
        let line = |name: &String| format!("#pragma redefine_extname {name} {PREFIX}{name}\n");
        (!self.0.is_empty()).then(|| self.0.iter().map(line).collect())
    }

    /// LLVM IR, and C code that names its symbols, with the other names.
    pub fn renamed(&self, text: &str) -> String {
        let mut all = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find(['@', '"']) {
            let start = at + 1;
            all.push_str(&rest[..start]);
            rest = &rest[start..];
            let is_part = |c: char| c.is_ascii_alphanumeric() || "_$.".contains(c);
            let name = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
            let is_quoted = ["@\"", "__asm__(\""].iter().any(|start| all.ends_with(start));
            let is_symbol = all.ends_with('@') || (is_quoted && rest[name.len()..].starts_with('"'));
            if is_symbol && self.0.contains(name) {
                all.push_str(PREFIX);
            }
            all.push_str(name);
            rest = &rest[name.len()..];
        }
        all + rest
    }
}

fn is_defined(program: &Program, n_sources: usize, symbol: &Symbol) -> bool {
    let is_visible = matches!(symbol.linkage, Linkage::External | Linkage::Weak | Linkage::Common);
    let has_body = match symbol.kind {
        SymbolKind::Function(id) => !program.function(id).blocks.is_empty(),
        SymbolKind::Global(id) => program.global(id).init.is_some(),
        SymbolKind::Alias(_) | SymbolKind::IFunc => false,
    };
    symbol.module.index() < n_sources && is_visible && has_body
}

/// What the C library that clang links with defines.
fn of_library(clang: &Clang) -> Option<Vec<String>> {
    let content = fs::read(clang.ask("-print-file-name=libc.so.6")?).ok()?;
    let file = object::File::parse(&*content).ok()?;
    let defined = file.dynamic_symbols().filter(|symbol| !symbol.is_undefined());
    Some(defined.filter_map(|symbol| Some(symbol.name().ok()?.to_owned())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_renamed_and_nothing_else() {
        let own = OwnSymbols(BTreeSet::from(["remove".to_owned()]));
        let ir = "define void @remove(ptr %0) { call @removed() ret @\"remove\" }\n!1 = !\"remove\"";
        let expected =
            "define void @spelunk_own_remove(ptr %0) { call @removed() ret @\"spelunk_own_remove\" }\n!1 = !\"remove\"";
        assert_eq!(own.renamed(ir), expected);
        assert_eq!(own.renamed("int f() __asm__(\"remove\");"), "int f() __asm__(\"spelunk_own_remove\");");
    }
}
