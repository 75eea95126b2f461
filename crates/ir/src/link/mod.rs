//! Linking: which definition each symbol of each module stands for.
//!
//! Nothing is renumbered or merged: the result is a table from symbols to definitions beside the [`Program`].
//! `resolve` decides between competing definitions and which library modules take part, `alias` follows aliases
//! to what they name, `appending` joins the arrays that every module may add to. Enter through [`link`].
//!
//! Whether an undefined function has a model elsewhere is the caller's business.

mod alias;
mod appending;
mod operands;
mod resolve;

pub(crate) use operands::for_each_const_operand;

use crate::model::{ConstId, FuncId, GlobalId, ModuleId, Program, SymbolId};
use rustc_hash::FxHashMap;
use thiserror::Error;

/// How a module takes part in a link.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Role {
    /// Linked only if it defines a name that is otherwise undefined, like a member of an archive. Its definitions
    /// give way to the program's own.
    Library,
    /// Always linked.
    Program,
}

/// What a symbol stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Definition {
    /// A function with a body.
    Function(FuncId),
    /// A global variable with an initializer.
    Global(GlobalId),
    /// An alias of something other than a plain symbol: a constant expression over symbols.
    Address(ConstId),
    /// A function that the loader would choose.
    IFunc(SymbolId),
    /// `llvm.…`: defined by the language.
    Intrinsic,
    Undefined,
    /// Undefined, but allowed to be: its address is null.
    UndefinedWeak,
}

#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum LinkError {
    #[error("`{symbol}` is defined in both {first} and {second}")]
    Duplicate { symbol: String, first: String, second: String },
    #[error("{module}: alias `{symbol}` is defined in terms of itself")]
    AliasCycle { symbol: String, module: String },
}

/// A function that runs before or after `main`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Structor {
    /// 65535 unless the source states one.
    pub priority: u32,
    pub function: ConstId,
}

/// The outcome of a link. Holds no borrow, so that modules can be added to the program before the next one.
#[derive(Debug)]
pub struct Linkage {
    definitions: Vec<Definition>,
    linked: Vec<ModuleId>,
    globals: Vec<GlobalId>,
    undefined: Vec<SymbolId>,
    /// Common variables that inherited a stricter alignment from a declaration of the same name.
    common_align: FxHashMap<GlobalId, u32>,
    constructors: Vec<Structor>,
    destructors: Vec<Structor>,
}

/// Links all modules of `program`, of which `role` says how they take part.
///
/// Takes time in the number of symbols only (no instruction is looked at), so that it may be called again after each
/// library module that was added.
pub fn link(program: &Program, role: impl Fn(ModuleId) -> Role) -> Result<Linkage, LinkError> {
    let resolution = resolve::resolve(program, role)?;
    let definitions = alias::definitions(program, &resolution)?;

    let mut globals: Vec<GlobalId> = definitions
        .iter()
        .filter_map(|definition| match definition {
            Definition::Global(global) => Some(*global),
            _ => None,
        })
        .collect();
    globals.sort_unstable();
    globals.dedup();

    let constructors = appending::constructors(program, &resolution.linked);
    let destructors = appending::destructors(program, &resolution.linked);
    Ok(Linkage {
        definitions,
        globals,
        undefined: resolution.undefined(program),
        common_align: resolution.common_align,
        linked: resolution.linked,
        constructors,
        destructors,
    })
}

impl Linkage {
    /// What a symbol stands for. Symbols of modules that were not linked, or were added after the link, are undefined.
    pub fn definition(&self, symbol: SymbolId) -> Definition {
        self.definitions.get(symbol.index()).copied().unwrap_or(Definition::Undefined)
    }

    /// What a call of `function`, defined or declared, reaches.
    pub fn function(&self, program: &Program, function: FuncId) -> Definition {
        self.definition(program.function(function).symbol)
    }

    /// What a use of `global`, defined or declared, reaches.
    pub fn global(&self, program: &Program, global: GlobalId) -> Definition {
        self.definition(program.global(global).symbol)
    }

    /// The definition that other modules see under `name`. Looks at each symbol in turn.
    pub fn lookup(&self, program: &Program, name: &str) -> Option<Definition> {
        let visible = |id: &SymbolId| {
            let symbol = program.symbol(*id);
            resolve::linker_name(symbol) == name && resolve::is_visible(symbol)
        };
        let symbols = (0..self.definitions.len()).map(SymbolId::new);
        symbols
            .filter(visible)
            .map(|id| self.definition(id))
            .find(|definition| !matches!(definition, Definition::Undefined | Definition::UndefinedWeak))
    }

    /// The modules that take part, in link order: the program's, then library modules as they were needed.
    pub fn linked_modules(&self) -> &[ModuleId] {
        &self.linked
    }

    /// The variables that exist at run time, in id order.
    pub fn globals(&self) -> &[GlobalId] {
        &self.globals
    }

    /// One symbol for each name that still needs a definition, in order of appearance.
    pub fn undefined_symbols(&self) -> &[SymbolId] {
        &self.undefined
    }

    /// The alignment that the file states for a variable, or a stricter one that a common symbol of the same name
    /// asked for; 0 if neither.
    pub fn align(&self, program: &Program, global: GlobalId) -> u32 {
        self.common_align.get(&global).copied().unwrap_or(program.global(global).align)
    }

    /// In the order in which they run: ascending priority, then module order.
    pub fn constructors(&self) -> &[Structor] {
        &self.constructors
    }

    /// In the order in which they run: descending priority, then the last module first.
    pub fn destructors(&self) -> &[Structor] {
        &self.destructors
    }
}
